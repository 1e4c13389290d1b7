/*
 * error_scale.c - measures the error scale at positions and chooses parameters with it.
 *
 * The estimates hold for uncorrelated charges. Ions that screen each other have errors that are
 * several times smaller; a crystal may have larger ones. The charge structure factor gives the
 * parts of pairs, truncation and mesh in this (structure_factor.h). It does not know that errors of
 * several modes may add up at an ion, so the error is measured: on a sample against exact sums, or,
 * with many charges, on all atoms against a finer mesh. The error scale, measured over predicted
 * error, multiplies predictions. Parameters are chosen again for the request divided by it, until
 * the measured error fits. The reference is computed once.
 *
 * Errors that decide are rounded to steps: in another order of atoms, on other ranks and threads,
 * sums have other last digits, on which the choice must not depend.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "error_scale.h"
#include "evaluate/former_method.h"
#include "tail_at_positions.h"
#include "memory.h"

#include <math.h>

/* SAMPLE: atoms with exact sums, if charges are few */
enum { SAMPLE = 128, TRIES = 6 };

/* Fractions of the request: the largest error that the sample may have (the error of all atoms
 * differs from it by about 1/sqrt(2 SAMPLE)), and the error below which cheaper parameters are
 * tried. */
static const double MOST = 0.9, LEAST = 0.45;

/* Exact sums take some 15 microseconds a charge on two cores. For more charges a finer mesh is
 * faster, and gives the error of all atoms. */
static const int64_t MOST_EXACT = 10000;

/* Below this accuracy rounding matters, which no error scale describes. */
static const double TIGHTEST = 1e-11;

/*
 * Cost of the search: the reference, and tries, each with a choice, two evaluations and a plan.
 * Part of an evaluation that it saves: 0.3 to 0.45 (molten salts of 1000 to 500,000 ions, 1e-6 and
 * 1e-9).
 */
static const double EXACT_SUM_TAKES = 30e-6, CHOICES_TAKE = 0.15, EVALUATIONS = 8, SAVED = 0.35;

/* Steps of a measured error, in a factor of 2: 4 % each. Last digits of sums move an error by 1e-9
 * of itself in double, and by 1e-3 at most in mixed arithmetic, so that a step is rarely missed. */
static const double STEPS = 16;

/* The promise for energy and virial is 20 A; half of it is left for their scatter. */
static const double ENERGY_SHARE = 10;

static double in_steps(double error)
{
    return error > 0 ? exp2(round(STEPS * log2(error)) / STEPS) : 0;
}

static enuf_measurement larger_error(const enuf_ewald_error *e)
{
    /* with few charges the virial is known: with few modes it errs more than the energy */
    const double off = fmax(e->energy, isnan(e->virial) ? 0 : e->virial);
    const double energy = e->energy_scale > 0 ? off / e->energy_scale / ENERGY_SHARE : 0;
    return (enuf_measurement){.error = in_steps(fmax(e->accuracy, energy)),
                              .is_of_totals = energy > e->accuracy};
}

double enuf_error_scale_estimate(const enuf_ewald *ewald)
{
    enuf_parameters p = ewald->method.parameters;
    p.own = p.rounding = 0;
    return enuf_total_error(&p) / ewald->error_scale.ratio;
}

enuf_status enuf_error_scale_measure(const enuf_ewald *ewald, const enuf_error_scale_steps *steps,
                                     enuf_measurement *m)
{
    enuf_ewald_error found;
    ENUF_TRY(steps->measure(steps->context, &found));
    *m = larger_error(&found);
    const enuf_parameters *p = &ewald->method.parameters;
    const double others = m->error * m->error - p->own * p->own - p->rounding * p->rounding;
    m->ratio = sqrt(fmax(others, 0)) / enuf_error_scale_estimate(ewald);
    m->ratio = fmin(fmax(m->ratio, 1e-6), ENUF_GREATEST_ERROR_SCALE);
    return ENUF_SUCCESS;
}

/* Larger wave numbers, in k_c, add little to the errors, and s is near 1 there. */
static const double WAVE_NUMBERS = 2;

/* The charge structure factor. */
static enuf_status look_at_order(enuf_ewald *ewald, const enuf_error_scale_steps *steps)
{
    int64_t modes[3], count;
    double *factors = NULL;
    const enuf_cell_geometry *cell = &ewald->geometry;
    const enuf_charge_set *set = &ewald->charges;
    enuf_structure_factor_modes(cell, WAVE_NUMBERS * ewald->method.parameters.k_c,
                                ewald->options.memory_limit, modes);
    count = (modes[0] + 1) / 2 * modes[1] * modes[2];
    enuf_status status =
        enuf_allocate(&factors, 2 * count, sizeof *factors, "structure factors of the charges");
    if (status == ENUF_SUCCESS)
        status = enuf_charge_density_modes(cell, modes, &ewald->options, set->n, steps->positions,
                                           steps->stride, set->q, factors);
    if (steps->reduce) status = steps->reduce(steps->context, status, 2 * count, factors);
    if (status == ENUF_SUCCESS)
        enuf_structure_factor_of(cell, modes, set->sum_q2, factors,
                                 &ewald->error_scale.structure_factor);
    enuf_release(&factors);
    return status;
}

/* deterministic: parameters and sums must be the same for other positions */
int enuf_error_scale_may_choose(const enuf_ewald *ewald)
{
    return ewald->charges.n_charged > 0 && !ewald->options.deterministic &&
           ewald->method.requested >= TIGHTEST;
}

static enuf_status measure_tail(enuf_ewald *ewald, const enuf_error_scale_steps *steps)
{
    const enuf_tail_source from = {steps->positions, steps->stride, steps->reduce, steps->context};
    return enuf_tail_measure(ewald, &from);
}

/*
 * Chooses and measures until the error fits. A choice that fits is the fallback for a cheaper one.
 * Grid sizes are discrete, so the ratio changes from one choice to the next.
 */
static enuf_status search(enuf_ewald *ewald, const enuf_error_scale_steps *steps)
{
    double fitting = 0, used = 0, estimate = 0;
    enuf_measurement m;
    ENUF_TRY(look_at_order(ewald, steps));
    for (int k = 0; k < TRIES; k++) {
        ENUF_TRY(steps->choose(steps->context));
        ENUF_TRY(enuf_error_scale_measure(ewald, steps, &m));
        double requested = ewald->method.requested, last = estimate;
        used = ewald->error_scale.ratio;
        estimate = enuf_error_scale_estimate(ewald);
        int fits = m.error <= MOST * requested;
        if (fits && (fitting == 0 || used < fitting)) fitting = used;
        int bold_enough = m.error >= LEAST * requested || used <= ENUF_LEAST_ERROR_SCALE;
        if (fits && (bold_enough || fitting < used)) break;
        if (!fits && fitting > 0) break; /* take the last one that fitted */
        if (estimate == last) break;     /* explicit options leave no other choice */
        double next = fits ? fmax(m.ratio, used / 3) : fmax(m.ratio, 1.2 * used);
        next = fmin(next, ENUF_GREATEST_ERROR_SCALE);
        if (fabs(next / used - 1) < 0.02) break;
        ewald->error_scale.ratio = next;
    }
    if (fitting > 0 && fitting != used) {
        ewald->error_scale.ratio = fitting;
        ENUF_TRY(steps->choose(steps->context));
        ENUF_TRY(enuf_error_scale_measure(ewald, steps, &m));
    }
    ENUF_TRY(measure_tail(ewald, steps));
    /* the energy now includes the measured tail */
    if (m.is_of_totals && ewald->method.tail.energy != 0)
        ENUF_TRY(enuf_error_scale_measure(ewald, steps, &m));
    /* from now on the prediction is the measured error, even if the self-force of this
     * configuration is smaller than predicted */
    enuf_parameters *p = &ewald->method.parameters;
    enuf_ewald_apply_error_scale(m.ratio / ewald->error_scale.ratio, p);
    ewald->error_scale.ratio = m.ratio;
    const double of_this = fmin(m.error / p->predicted, 1);
    p->own *= of_this;
    p->rounding *= of_this;
    enuf_ewald_apply_error_scale(of_this, p);
    ewald->method.is_verified = 1;
    return ENUF_SUCCESS;
}

/* By the cost model, so that it is the same on all ranks and in every run. */
static int pays(const enuf_ewald *ewald)
{
    const double to_come = (double)ewald->options.evaluations;
    const enuf_parameters *p = &ewald->method.parameters;
    const double each = p->cost_pairs + p->cost_mesh;
    const double exact =
        (double)(ewald->charges.n_charged < MOST_EXACT ? ewald->charges.n_charged : MOST_EXACT);
    return to_come == 0 ||
           to_come * SAVED * each > CHOICES_TAKE + EXACT_SUM_TAKES * exact + EVALUATIONS * each;
}

enuf_status enuf_error_scale_refer(const enuf_ewald *ewald, const enuf_error_scale_steps *steps)
{
    if (ewald->charges.n_charged > MOST_EXACT) {
        const enuf_status status = steps->refer(steps->context, ENUF_REFERENCE_FINER, 0);
        if (status != ENUF_OUT_OF_MEMORY) return status; /* the finer mesh needs more memory */
    }
    return steps->refer(steps->context, ENUF_REFERENCE_EXACT, SAMPLE);
}

static enuf_status use_positions(enuf_ewald *ewald, const enuf_error_scale_steps *steps)
{
    if (!enuf_error_scale_may_choose(ewald)) return ENUF_SUCCESS;
    if (!pays(ewald)) return measure_tail(ewald, steps);
    ENUF_TRY(enuf_error_scale_refer(ewald, steps));
    return search(ewald, steps);
}

enuf_status enuf_error_scale_run(enuf_ewald *ewald, const enuf_error_scale_steps *steps)
{
    const enuf_error_scale before = ewald->error_scale;
    ewald->error_scale = ENUF_NO_ERROR_SCALE;
    ewald->is_choosing = 1;
    enuf_status status = steps->choose(steps->context);
    if (status == ENUF_SUCCESS) {
        status = use_positions(ewald, steps);
        if (status == ENUF_OUT_OF_MEMORY && ewald->options.memory_limit > 0) {
            /* too little memory for the search: choose without positions */
            ewald->error_scale = ENUF_NO_ERROR_SCALE;
            status = steps->choose(steps->context);
        }
    }
    ewald->is_choosing = 0;
    if (status != ENUF_SUCCESS) {
        ewald->error_scale = before;
        ewald->method.made_for.n_charged = -1;
        ewald->stale = 1;
    }
    return status;
}

/* ---- One process ---- */

static enuf_status choose_alone(void *context)
{
    return enuf_ewald_choose_anew(((enuf_error_scale_alone *)context)->ewald);
}

static enuf_status measure_alone(void *context, enuf_ewald_error *found)
{
    enuf_error_scale_alone *o = context;
    return enuf_sample_measure(o->ewald, o->positions, o->stride, &o->sample, found);
}

static enuf_status refer_alone(void *context, enuf_reference reference, int64_t size)
{
    enuf_error_scale_alone *o = context;
    enuf_sample_release(&o->sample);
    return enuf_sample_make(o->ewald, o->positions, o->stride, size, 1, reference, &o->sample);
}

enuf_error_scale_steps enuf_error_scale_steps_alone(enuf_error_scale_alone *alone)
{
    return (enuf_error_scale_steps){.context = alone,
                                    .positions = alone->positions,
                                    .stride = alone->stride,
                                    .choose = choose_alone,
                                    .measure = measure_alone,
                                    .refer = refer_alone};
}

enuf_status enuf_ewald_find_error_scale(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    enuf_former_method *former = NULL;
    ENUF_TRY(enuf_method_set_aside(ewald, &former));
    enuf_error_scale_alone one = {.ewald = ewald, .positions = positions, .stride = stride};
    const enuf_error_scale_steps steps = enuf_error_scale_steps_alone(&one);
    const enuf_status status = enuf_error_scale_run(ewald, &steps);
    enuf_sample_release(&one.sample);
    if (status == ENUF_SUCCESS)
        enuf_former_method_release(&former);
    else
        enuf_method_put_back(ewald, &former);
    return status;
}
