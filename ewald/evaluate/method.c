/*
 * method.c - the method of an Ewald object: parameters, plan, influence, pair table. It is chosen
 * when first needed, kept while cell and charges change little, and replaced as a whole: after any
 * error the object still has the former method.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "choose/budget.h"
#include "object/ewald_object.h"
#include "memory.h"
#include "choose/mesh_choice.h"
#include "choose/reach.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double two_pi = 6.283185307179586476925;

/* A cell that has grown or shrunk by more than this gets a new choice. */
static const double LARGEST_VOLUME_RATIO = 2;

/* Parameters are kept while the predicted error is below this fraction of the request, less the
 * room for scatter. The target of a new choice is lower (budget.c). */
static const double KEPT = 0.92;

/* They are kept without a prediction while the bound of the error is below this fraction. It
 * exceeds the one above, so that after a prediction the cell can change before the next one is due.
 */
static const double WITHIN_REACH = 0.95;

/* Smaller strains do not repay a bound, which costs as much as a prediction. */
static const double LEAST_REACH = 2e-5;

/* Error of the pair polynomials, as a fraction of the request; small enough to leave out of the
 * budget. */
static const double TABLE_SHARE = 0.02;
static const double FINEST_TABLE = 2e-15;

/* The requested accuracy A, from options accuracy, force_error or lammps_accuracy. */
static enuf_status requested_accuracy(const enuf_ewald *ewald, double *requested)
{
    const enuf_ewald_options *o = &ewald->options;
    const enuf_charge_set *set = &ewald->charges;
    double n = (double)set->n_charged;
    double f_ref = o->coulomb * (set->sum_q2 / n) * pow(n / ewald->volume, 2.0 / 3);
    if (!(f_ref > 0) || !isfinite(f_ref))
        return enuf_fail(ENUF_NOT_FINITE,
                         "the reference force of %lld charges of up to %g in a volume of %g is %g: "
                         "take units in which it is within the range of double",
                         (long long)set->n_charged, set->largest, ewald->volume, f_ref);
    if (o->accuracy > 0) {
        *requested = o->accuracy;
        return ENUF_SUCCESS;
    }
    /* LAMMPS averages over all atoms, A over charged atoms */
    int absolute = o->force_error > 0;
    double unit = absolute ? 1 : o->coulomb * sqrt((double)set->n_all / n);
    double option = absolute ? o->force_error : o->lammps_accuracy;
    double a = option * unit / f_ref;
    if (!(a >= ENUF_TIGHTEST_ACCURACY))
        return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                         "%s %g is %.2g of the reference force %g; the least that can be reached "
                         "is %g, which is %g of it",
                         absolute ? "force_error" : "lammps_accuracy", option, a, f_ref,
                         ENUF_TIGHTEST_ACCURACY * f_ref / unit, ENUF_TIGHTEST_ACCURACY);
    *requested = fmin(a, ENUF_LOOSEST_ACCURACY);
    return ENUF_SUCCESS;
}

double enuf_ewald_grid_bound(const enuf_ewald *ewald)
{
    int exponent;
    if (!ewald->options.deterministic) return 0;
    const double fraction = frexp(ewald->charges.sum_abs, &exponent);
    return fraction > 0 ? ldexp(1 - DBL_EPSILON / 2, exponent) : 0;
}

enuf_status enuf_ewald_request(const enuf_ewald *ewald, enuf_choice_request *request)
{
    if (!ewald->has_cell)
        return enuf_fail(ENUF_NO_POINTS_SET, "no cell is set: call enuf_ewald_set_cell() first");
    if (!ewald->has_charges)
        return enuf_fail(ENUF_NO_POINTS_SET,
                         "no charges are set: call enuf_ewald_set_charges() first");
    *request = (enuf_choice_request){
        .options = &ewald->options,
        .cell = &ewald->geometry,
        .volume = ewald->volume,
        .n_charged = ewald->charges.n_charged,
        .sum_q2 = ewald->charges.sum_q2,
        .grid_bound = enuf_ewald_grid_bound(ewald),
        .concentration = ewald->charges.concentration,
        .error_scale = 1,
        .structure_factor = &ewald->error_scale.structure_factor,
        .costs = &ewald->costs,
        .shared_work = ewald->shared_work.devices > 1 ? &ewald->shared_work : NULL,
    };
    if (request->n_charged == 0) return ENUF_SUCCESS; /* without charges any accuracy is met */
    return requested_accuracy(ewald, &request->requested);
}

void enuf_ewald_scale_request(double error_scale, enuf_choice_request *request)
{
    const double requested = request->requested;
    const double trusted = fmax(error_scale, ENUF_LEAST_ERROR_SCALE);
    request->requested = fmin(fmax(requested / trusted, ENUF_TIGHTEST_ACCURACY), 0.05);
    request->error_scale = requested / request->requested;
}

void enuf_ewald_apply_error_scale(double error_scale, enuf_parameters *p)
{
    p->real *= error_scale;
    p->truncation *= error_scale;
    p->mesh *= error_scale;
    p->predicted = enuf_total_error(p);
}

static double most_kept(const enuf_choice_request *request, const enuf_parameters *parameters)
{
    return KEPT * enuf_room_for_scatter(request, &parameters->splitting, parameters->k_c) *
           request->requested;
}

/* The error of parameters for uncorrelated charges, or its bound for a strain. */
static enuf_status error_if_uncorrelated(const enuf_choice_request *request,
                                         const enuf_parameters *parameters, double strain,
                                         double *error)
{
    static const enuf_structure_factor none;
    enuf_choice_request uncorrelated = *request;
    enuf_parameters p = *parameters;
    uncorrelated.structure_factor = &none;
    ENUF_TRY(strain > 0 ? enuf_bound_error(&uncorrelated, strain, &p)
                        : enuf_predict_error(&uncorrelated, &p));
    *error = p.predicted;
    return ENUF_SUCCESS;
}

/* Positions may lose the correlation that the structure factor shows. Parameters that err too much
 * for uncorrelated charges are chosen again, with a larger error scale. */
static enuf_status choose_to_trust(const enuf_choice_request *request, double error_scale,
                                   enuf_parameters *parameters)
{
    enum { TURNS = 8 };
    const double room = 0.95; /* keeps them for small changes of the cell */
    double trusted = fmax(error_scale, ENUF_LEAST_ERROR_SCALE), last = HUGE_VAL;
    for (int turn = 0; turn < TURNS; turn++) {
        double error;
        enuf_choice_request scaled = *request;
        enuf_ewald_scale_request(trusted, &scaled);
        ENUF_TRY(enuf_choose_parameters(&scaled, parameters));
        if (request->structure_factor->n == 0) return ENUF_SUCCESS;
        ENUF_TRY(error_if_uncorrelated(request, parameters, 0, &error));
        const double most = room * most_kept(request, parameters) / ENUF_LEAST_ERROR_SCALE;
        if (error <= most) return ENUF_SUCCESS;
        if (turn >= TURNS / 2 && error == last) return ENUF_SUCCESS; /* explicit options stay */
        trusted *= fmax(error / most, 1.05);
        last = error;
    }
    return ENUF_SUCCESS;
}

/* Refuses a prediction of more than twice the request (the estimate is within a factor of 2).
 * Explicit options may cause such an error. */
static enuf_status choose(const enuf_choice_request *request, double error_scale,
                          enuf_parameters *parameters)
{
    const enuf_ewald_options *o = request->options;
    ENUF_TRY(choose_to_trust(request, error_scale, parameters));
    enuf_ewald_apply_error_scale(error_scale, parameters);
    int given = o->cutoff > 0 || o->alpha > 0 || o->c > 0 || o->kmax > 0 || o->width > 0 ||
                o->shape > 0 || o->window != ENUF_WINDOW_PROLATE || o->grid[0] > 0 ||
                o->grid[1] > 0 || o->grid[2] > 0;
    if (given || parameters->predicted <= 2 * request->requested) return ENUF_SUCCESS;
    return enuf_fail(
        ENUF_UNREACHABLE_ACCURACY,
        "accuracy %.3g is below what %s arithmetic reaches here, %.2g (rounding %.2g): "
        "ask for that%s",
        request->requested, enuf_arithmetic_name(o->arithmetic), parameters->predicted,
        parameters->rounding,
        o->arithmetic == ENUF_ARITHMETIC_DOUBLE ? "" : ", or for double arithmetic");
}

/* The predicted error, allowing for positions that lose their correlation. */
static enuf_status doubted_error(const enuf_choice_request *request, double error_scale,
                                 const enuf_parameters *predicted, double strain, double *error)
{
    *error = predicted->predicted * fmax(1, ENUF_LEAST_ERROR_SCALE / error_scale);
    if (request->structure_factor->n == 0) return ENUF_SUCCESS;
    double uncorrelated;
    ENUF_TRY(error_if_uncorrelated(request, predicted, strain, &uncorrelated));
    *error = fmax(predicted->predicted, ENUF_LEAST_ERROR_SCALE * uncorrelated);
    return ENUF_SUCCESS;
}

/* The largest such error at which parameters serve. */
static double most_doubted(const enuf_ewald_method *method, const enuf_choice_request *request,
                           const enuf_parameters *kept)
{
    const int as_chosen = request->requested > 0.5 * method->chosen_requested;
    return fmax(most_kept(request, kept), as_chosen ? method->tolerated : 0);
}

/* How far the cell may change while parameters serve, from a state with this error; no reach if no
 * bound is small enough. */
static void find_reach(const enuf_ewald_method *method, const enuf_choice_request *request,
                       double error_scale, double error, enuf_parameters *kept)
{
    enum { TRIES = 3 };
    const enuf_choice_request worst = enuf_reach_charges(request);
    const double most = WITHIN_REACH / KEPT * most_doubted(method, &worst, kept);
    double strain = enuf_reach_guess(request, kept, most / error);
    for (int k = 0; k < TRIES && strain >= LEAST_REACH; k++) {
        enuf_parameters bound = *kept;
        double doubted;
        if (enuf_bound_error(&worst, strain, &bound) != ENUF_SUCCESS) return;
        enuf_ewald_apply_error_scale(error_scale, &bound);
        if (doubted_error(&worst, error_scale, &bound, strain, &doubted) != ENUF_SUCCESS) return;
        if (doubted <= most) {
            kept->reach = enuf_reach_of(request, strain, kept->k_c);
            return;
        }
        /* the error grows faster at larger strains, so this estimate is safe */
        strain *= fmin(0.9 * log(most / error) / log(doubted / error), 0.5);
    }
}

/* Larger strains are jumps, or other bases of a lattice with several shortest vectors. They may
 * recur in every step, so a bound around each would be useless. */
static const double STEP = 0.1;

static int is_step(const enuf_ewald_method *method, const enuf_choice_request *request)
{
    enuf_cell_geometry before;
    return enuf_cell_geometry_make(method->made_for.cell, &before) == ENUF_SUCCESS &&
           enuf_strain_of(before.frame, request->cell->cell) < STEP;
}

/* The parameters in use, moved to the cell and charges of the request. 0: they do not serve. */
static int can_keep(const enuf_ewald_method *method, const enuf_choice_request *request,
                    double error_scale, enuf_parameters *kept, enuf_status *status)
{
    *status = ENUF_SUCCESS;
    double ratio = request->volume / method->chosen_volume;
    if (!method->is_made || request->n_charged != method->chosen_n ||
        ratio > LARGEST_VOLUME_RATIO || ratio < 1 / LARGEST_VOLUME_RATIO)
        return 0;
    *kept = method->parameters;
    double unit = two_pi / cbrt(request->cell->volume);
    if (request->options->kmax > 0)
        kept->k_c = request->options->kmax * unit;
    else
        kept->k_c = fmin(kept->k_c, enuf_band_of_grid(request, 1));
    kept->kmax = kept->k_c / unit;
    enuf_modes_of_sphere(request->cell, kept->k_c, kept->modes);
    for (int d = 0; d < 3; d++)
        if (kept->modes[d] + 1 > kept->grid[d]) return 0;
    if (method->made_for.n_charged == request->n_charged &&
        enuf_reach_holds(&kept->reach, request, kept->k_c)) {
        enuf_describe_parameters(request, kept);
        return 1;
    }
    double doubted = 0;
    *status = enuf_predict_error(request, kept);
    enuf_ewald_apply_error_scale(error_scale, kept);
    if (*status == ENUF_SUCCESS) *status = doubted_error(request, error_scale, kept, 0, &doubted);
    if (*status != ENUF_SUCCESS || doubted > most_doubted(method, request, kept)) return 0;
    if (is_step(method, request)) find_reach(method, request, error_scale, doubted, kept);
    return 1;
}

enuf_status enuf_ewald_predicted(const enuf_ewald *ewald, enuf_parameters *parameters)
{
    *parameters = ewald->method.parameters;
    if (!ewald->method.is_made || parameters->is_predicted) return ENUF_SUCCESS;
    enuf_choice_request request = {0};
    ENUF_TRY(enuf_ewald_request(ewald, &request));
    ENUF_TRY(enuf_predict_error(&request, parameters));
    enuf_ewald_apply_error_scale(ewald->error_scale.ratio, parameters);
    return ENUF_SUCCESS;
}

void enuf_ewald_plan_options(const enuf_ewald *ewald, const enuf_parameters *parameters,
                             enuf_nufft_options *plan)
{
    const enuf_ewald_options *o = &ewald->options;
    enuf_nufft_options_init(plan);
    plan->dim = 3;
    for (int d = 0; d < 3; d++) {
        plan->modes[d] = parameters->modes[d];
        plan->fine_grid[d] = parameters->grid[d];
    }
    plan->precision = enuf_ewald_single_mesh(ewald) ? ENUF_FLOAT : ENUF_DOUBLE;
    plan->strengths = ENUF_REAL_STRENGTHS;
    plan->tolerance = 0; /* the method is given in full */
    plan->gradients = 1;
    plan->window = parameters->window;
    plan->width = parameters->width;
    plan->shape = parameters->shape;
    plan->backend = ewald->backend->kind;
    plan->memory = ewald->backend->mesh_memory;
    plan->device = o->device;
    plan->stream = ewald->backend->mesh_stream ? ewald->backend->mesh_stream(ewald) : o->stream;
    plan->threads = o->threads;
    plan->isa = o->isa;
    plan->fft = o->fft;
    plan->deterministic = o->deterministic;
    plan->strength_bound = enuf_ewald_grid_bound(ewald);
    plan->fft_effort = o->fft_effort;
    plan->fft_wisdom = o->fft_wisdom;
    plan->memory_limit = o->memory_limit;
}

/* Appends advice to the plan's error text. It comes last, because commands expect the name of an
 * option at the beginning. */
static enuf_status with_advice(const enuf_ewald_options *o, enuf_status status)
{
    char text[512];
    if (status != ENUF_OUT_OF_MEMORY) return status;
    snprintf(text, sizeof text, "%s", enuf_last_error());
    return enuf_fail(status, "%s; %s", text,
                     o->grid[0] > 0 || o->kmax > 0
                         ? "a smaller grid and kmax take less memory"
                         : "a larger cutoff or less accuracy takes less memory");
}

static enuf_status create_plan(const enuf_ewald *ewald, const enuf_parameters *parameters,
                               enuf_ewald_method *made)
{
    enuf_nufft_options plan;
    enuf_ewald_plan_options(ewald, parameters, &plan);
    const enuf_status status = enuf_nufft_create(&plan, &made->plan);
    if (status != ENUF_SUCCESS) return with_advice(&ewald->options, status);

    memcpy(made->plan_modes, parameters->modes, sizeof made->plan_modes);
    made->n_stored_modes =
        (parameters->modes[0] + 1) / 2 * parameters->modes[1] * parameters->modes[2];
    if (ewald->backend->makes_influence) return ENUF_SUCCESS;
    return enuf_allocate(&made->influence, 2 * made->n_stored_modes,
                         enuf_ewald_single_mesh(ewald) ? sizeof(float) : sizeof(double),
                         "influence of the modes");
}

/* 1 if the plan in use has the wanted grid and window, and room for the wanted modes. */
static int plan_serves(const enuf_ewald *ewald, const enuf_parameters *wanted)
{
    const enuf_ewald_method *method = &ewald->method;
    const enuf_parameters *now = &method->parameters;
    if (!method->plan || method->single != enuf_ewald_single_mesh(ewald) ||
        method->grid_bound != enuf_ewald_grid_bound(ewald) || now->window != wanted->window ||
        now->width != wanted->width || now->shape != wanted->shape)
        return 0;
    for (int d = 0; d < 3; d++)
        if (now->grid[d] != wanted->grid[d] || wanted->modes[d] > method->plan_modes[d]) return 0;
    return 1;
}

static int same_splitting(const enuf_splitting *a, const enuf_splitting *b)
{
    return a->kind == b->kind && a->cutoff == b->cutoff &&
           (a->kind == ENUF_SPLIT_GAUSSIAN ? a->alpha == b->alpha : a->c == b->c);
}

static enuf_status make_table(const enuf_ewald *ewald, const enuf_choice_request *request,
                              const enuf_splitting *splitting, enuf_pair_table *table)
{
    /* eps_F of the accuracy, see docs/theory.md, "Budget" */
    double spacing = cbrt(request->volume / (double)request->n_charged);
    double eps = request->requested * sqrt(splitting->cutoff / spacing);
    ENUF_TRY(enuf_pair_table_make(splitting, fmax(TABLE_SHARE * eps, FINEST_TABLE), table));
    if (!ewald->backend->check_splitting) return ENUF_SUCCESS;
    return ewald->backend->check_splitting(ewald, splitting, table->error);
}

void enuf_ewald_update_tail(enuf_ewald *ewald)
{
    const enuf_parameters *p = &ewald->method.parameters;
    ewald->method.tail =
        enuf_mode_tail_of(&ewald->error_scale.shells, &ewald->geometry, &p->splitting, p->k_c);
    ewald->method_changes++;
}

static enuf_method_basis basis_of(const enuf_ewald *ewald, const enuf_choice_request *request)
{
    enuf_method_basis basis = {
        .volume = request->volume,
        .sum_q2 = request->sum_q2,
        .grid_bound = request->grid_bound,
        .concentration = request->concentration,
        .largest = ewald->charges.largest,
        .requested = request->requested,
        .n_charged = request->n_charged,
        .n_all = ewald->charges.n_all,
    };
    memcpy(basis.cell, request->cell->cell, sizeof basis.cell);
    return basis;
}

enuf_status enuf_ewald_apply_parameters(enuf_ewald *ewald, const enuf_choice_request *request,
                                        const enuf_parameters *parameters, int chosen)
{
    enuf_ewald_method *method = &ewald->method, made = {0};
    enuf_pair_table table;
    const int keep_plan = ewald->without_mesh || plan_serves(ewald, parameters);
    const int keep_table =
        !chosen && same_splitting(&parameters->splitting, &method->parameters.splitting);
    if (!keep_table) ENUF_TRY(make_table(ewald, request, &parameters->splitting, &table));
    if (!keep_plan) {
        enuf_status status = create_plan(ewald, parameters, &made);
        if (status != ENUF_SUCCESS) {
            enuf_method_release(&made);
            return status;
        }
        enuf_method_release(method);
        method->plan = made.plan;
        ewald->plan_changes++;
        method->influence = made.influence;
        method->n_stored_modes = made.n_stored_modes;
        memcpy(method->plan_modes, made.plan_modes, sizeof method->plan_modes);
        method->single = enuf_ewald_single_mesh(ewald);
        method->grid_bound = enuf_ewald_grid_bound(ewald);
    }
    if (!method->is_made || !same_splitting(&parameters->splitting, &method->parameters.splitting))
        enuf_transform_table_make(&parameters->splitting, &method->transform);
    method->is_made = 1;
    method->parameters = *parameters;
    if (!keep_table) method->table = table;
    method->requested = request->requested;
    method->made_for = basis_of(ewald, request);
    if (chosen) {
        ewald->choices++;
        method->is_verified = 0;
        method->found = 0;
        method->chosen_volume = request->volume;
        method->chosen_n = request->n_charged;
        method->chosen_requested = request->requested;
        /* with explicit options the error may exceed the request, and a new choice would not help
         */
        method->tolerated = parameters->predicted > most_kept(request, parameters)
                                ? 1.05 * parameters->predicted
                                : 0;
    }
    if (method->influence)
        enuf_influence_fill(method, &ewald->geometry, method->plan_modes,
                            enuf_ewald_single_mesh(ewald), enuf_ewald_threads(ewald),
                            method->influence);
    enuf_ewald_update_tail(ewald);
    ewald->measured = NAN;
    ewald->close_forces = 0;
    ewald->stale = 0;
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_choose_parameters(const enuf_ewald *ewald,
                                         const enuf_choice_request *request, int anew,
                                         enuf_parameters *parameters, int *chosen)
{
    enuf_status status = ENUF_SUCCESS;
    *chosen =
        anew || !can_keep(&ewald->method, request, ewald->error_scale.ratio, parameters, &status);
    ENUF_TRY(status);
    return *chosen ? choose(request, ewald->error_scale.ratio, parameters) : ENUF_SUCCESS;
}

/* AUTO uses float from the first accuracy on; float reaches less, so there is some room. An object
 * in float changes to double below the second one, and never back, so that it does not alternate
 * between plans. Ten million ions at 1e-6 in mixed arithmetic have an error of 1.05e-6. */
static const double SERVED_BY_FLOAT = 1e-5, KEPT_IN_FLOAT = 5e-6;

enuf_arithmetic enuf_arithmetic_for(double requested)
{
    return requested >= SERVED_BY_FLOAT ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
}

enuf_arithmetic enuf_ewald_choose_arithmetic(const enuf_ewald *ewald, double requested, int anew)
{
    const enuf_arithmetic now = ewald->options.arithmetic;
    if (!ewald->chooses_arithmetic) return now;
    if (anew || now == ENUF_ARITHMETIC_AUTO) return enuf_arithmetic_for(requested);
    return requested < KEPT_IN_FLOAT ? ENUF_ARITHMETIC_DOUBLE : now;
}

static enuf_status choose_and_apply(enuf_ewald *ewald, const enuf_choice_request *request, int anew)
{
    const enuf_arithmetic before = ewald->options.arithmetic;
    enuf_parameters parameters;
    int chosen;
    ewald->options.arithmetic = enuf_ewald_choose_arithmetic(ewald, request->requested, anew);
    enuf_status status = enuf_ewald_choose_parameters(ewald, request, anew, &parameters, &chosen);
    if (status == ENUF_SUCCESS)
        status = enuf_ewald_apply_parameters(ewald, request, &parameters, chosen);
    if (status != ENUF_SUCCESS) ewald->options.arithmetic = before;
    return status;
}

int enuf_ewald_is_as_before(enuf_ewald *ewald)
{
    enuf_choice_request request;
    if (enuf_ewald_is_ready(ewald)) return 1;
    if (!ewald->method.is_made || enuf_ewald_request(ewald, &request) != ENUF_SUCCESS) return 0;
    const enuf_method_basis basis = basis_of(ewald, &request);
    if (memcmp(&basis, &ewald->method.made_for, sizeof basis) != 0) return 0;
    ewald->measured = NAN;
    ewald->close_forces = 0;
    ewald->stale = 0;
    return 1;
}

static enuf_status update(enuf_ewald *ewald)
{
    enuf_choice_request request = {0};
    ENUF_TRY(enuf_ewald_request(ewald, &request));
    if (request.n_charged == 0 || enuf_ewald_is_as_before(ewald)) return ENUF_SUCCESS;
    return choose_and_apply(ewald, &request, 0);
}

enuf_status enuf_ewald_assume_method(enuf_ewald *ewald)
{
    const int64_t choices = ewald->choices;
    const enuf_status status = update(ewald);
    if (ewald->sums_pending || ewald->assumed == 0) return status;
    if (status != ENUF_SUCCESS || ewald->choices != choices) ewald->refused += ewald->assumed;
    ewald->assumed = 0;
    return status;
}

enuf_status enuf_ewald_judge_enqueued(enuf_ewald *ewald)
{
    return ewald->assumed > 0 ? enuf_ewald_update_method(ewald) : ENUF_SUCCESS;
}

enuf_status enuf_ewald_update_method(enuf_ewald *ewald)
{
    ENUF_TRY(enuf_ewald_settle_charges(ewald));
    return enuf_ewald_assume_method(ewald);
}

enuf_status enuf_ewald_choose_anew(enuf_ewald *ewald)
{
    enuf_choice_request request = {0};
    ENUF_TRY(enuf_ewald_settle_charges(ewald));
    ENUF_TRY(enuf_ewald_request(ewald, &request));
    if (request.n_charged == 0) return ENUF_SUCCESS;
    return choose_and_apply(ewald, &request, 1);
}

enuf_status enuf_ewald_sum(enuf_ewald *ewald, const enuf_evaluation *what)
{
    ENUF_TRY(enuf_ewald_update_method(ewald));
    ENUF_TRY(ewald->backend->start(ewald, what));
    return ewald->backend->finish(ewald, what);
}
