/*
 * evaluate.c - the kernels of an evaluation: pairs and exclusions, modes, boundary terms, delivery.
 * The plan's arrays are on the device. enuf_cuda_prepare() comes first: it allocates, waits and
 * checks arguments. The rest does none of these, so that it can be recorded (replay.c).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda_ewald.h"
#include "device_arguments.h"

#include <math.h>
#include <string.h>

static size_t mesh_number(const enuf_ewald *ewald)
{
    return enuf_ewald_single_mesh(ewald) ? sizeof(float) : sizeof(double);
}

/* ---- Memory, and the places of arrays ---- */

/* Each pair is summed once if only forces and totals are wanted. The bits of the sums then differ
 * from run to run, so `deterministic` excludes it. */
static int may_halve_pairs(const enuf_ewald *ewald, int wanted)
{
    const int others =
        ENUF_WANT_ATOM_ENERGY | ENUF_WANT_ATOM_VIRIAL | ENUF_WANT_POTENTIAL | ENUF_WANT_FIELD;
    return (wanted & ENUF_WANT_FORCES) && !(wanted & others) && !ewald->options.deterministic;
}

/* Whether a result is gathered in an array of its own before delivery. */
static int gathers(const enuf_ewald *ewald, int result)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    if (cuda->has_pairs &&
        (cuda->pairs_in_domains || !cuda->half_pairs || ewald->charges.n_excluded > 0))
        return 1;
    return cuda->has_modes && result == ENUF_WANT_ATOM_VIRIAL;
}

/* Sets the arrays that gather results and the arrays that receive them. A caller's array in device
 * memory only receives: the caller may want results added to it. */
static enuf_status place_results(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_ewald_result *r = what->result;
    const int64_t n = ewald->charges.n;
    memset(&cuda->sums, 0, sizeof cuda->sums);
    memset(&cuda->to, 0, sizeof cuda->to);
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->scalars, 1, sizeof(enuf_cuda_scalars),
                                       "sums"));
    if (r->totals) ENUF_TRY(enuf_cuda_reserve_fault(cuda));
    if (n == 0) return ENUF_SUCCESS;
#define ENUF_X(BIT, array, width, text)                                                            \
    if (what->wanted & ENUF_WANT_##BIT) {                                                          \
        const int on_device = what->memory == ENUF_DEVICE, sum = gathers(ewald, ENUF_WANT_##BIT);  \
        if (sum || !on_device)                                                                     \
            ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->array, n,                     \
                                               (width) * sizeof(double), text));                   \
        if (sum) cuda->sums.array = cuda->array.at;                                                \
        cuda->to.array = on_device ? r->array : cuda->array.at;                                    \
    }
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_clear_sums(const enuf_ewald *ewald, cudaStream_t stream)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_charge_set *set = &ewald->charges;
    ENUF_TRY(enuf_cuda_clear_scalars(cuda->scalars.at, set->n,
                                     set->on_device ? cuda->charge_sums.at : NULL, stream));
    if (cuda->pairs_in_domains && cuda->has_pairs) return ENUF_SUCCESS; /* pairs overwrite them */
#define ENUF_X(BIT, array, width, text)                                                            \
    if (cuda->sums.array)                                                                          \
        ENUF_CUDA_TRY(cudaMemsetAsync(cuda->sums.array, 0,                                         \
                                      (size_t)ewald->charges.n *(width) * sizeof(double), stream), \
                      text);
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

/* Sets the positions that kernels read: the caller's array or a packed copy. */
static enuf_status place_positions(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const int64_t n = ewald->charges.n;
    const size_t row = 3 * sizeof(double);
    /* domains need packed positions with the partners behind them, and an array even without
     * atoms */
    const int packed = what->stride == 3 && cuda->n_partners == 0 && n > 0;
    const int apart = cuda->pairs_in_domains && !packed;
    cuda->atoms = (enuf_cuda_atoms){.n = n,
                                    .n_all = ewald->charges.n_all,
                                    .positions = what->positions,
                                    .stride = what->stride,
                                    .q = cuda->q.at};
    if ((what->memory == ENUF_DEVICE && !apart) || (n == 0 && !apart)) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->positions, n + cuda->n_partners, row,
                                       "positions"));
    if (what->stride == 3)
        ENUF_TRY(enuf_staged_copy_in(&cuda->staging, cuda->stream, enuf_ewald_threads(ewald),
                                     cuda->positions.at, what->positions, (size_t)n * row,
                                     "copying positions to the GPU"));
    else
        ENUF_CUDA_TRY(cudaMemcpy2DAsync(cuda->positions.at, row, what->positions,
                                        (size_t)what->stride * sizeof(double), row, (size_t)n,
                                        cudaMemcpyDefault, cuda->stream),
                      "copying positions to the GPU");
    cuda->atoms.positions = cuda->positions.at;
    cuda->atoms.stride = 3;
    return ENUF_SUCCESS;
}

double enuf_cuda_largest_charge(const enuf_ewald *ewald)
{
    int exponent;
    if (ewald->options.deterministic) return ewald->charges.largest;
    frexp(ewald->charges.largest, &exponent);
    return ldexp(1, exponent);
}

enuf_cuda_pair_request enuf_cuda_request_pairs(const enuf_ewald *ewald, int wanted,
                                               const enuf_cuda_atom_sums *sums)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_scalars *scalars = cuda->scalars.at;
    const enuf_charge_set *set = &ewald->charges;
    return (enuf_cuda_pair_request){
        .cell = ewald->geometry.cell,
        .n = set->n,
        .positions = cuda->atoms.positions,
        .stride = cuda->atoms.stride,
        .charges = cuda->q.at,
        .charge_stride = 1,
        .splitting = &ewald->method.parameters.splitting,
        .fit_error = ewald->method.table.error,
        .single = enuf_ewald_single_mesh(ewald),
        .fp64_slow = cuda->fp64_slow,
        .deterministic = ewald->options.deterministic,
        .half_pairs = cuda->half_pairs,
        .n_charged = set->n_charged,
        .sum_q2 = set->sum_q2,
        .largest_charge = enuf_cuda_largest_charge(ewald),
        .close = ewald->method.parameters.close,
        .out = {.forces = cuda->half_pairs ? NULL : sums->forces,
                .atom_energy = sums->atom_energy,
                .atom_virial = sums->atom_virial,
                .potential = sums->potential,
                .field = sums->field,
                .want_energy = (wanted & ENUF_WANT_ENERGY) != 0,
                .want_virial = (wanted & ENUF_WANT_VIRIAL) != 0},
        .totals = scalars->pairs,
        .record = &scalars->record,
    };
}

enuf_cuda_exclusions enuf_cuda_describe_exclusions(const enuf_ewald *ewald)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_lattice *lattice = &ewald->lattice;
    enuf_cuda_exclusions x = {
        .first = cuda->excluded_first.at,
        .partner = cuda->excluded_partner.at,
        .removed = cuda->excluded_removed.at,
        .safe = lattice->safe,
        .avoids_fp64 =
            cuda->fp64_slow && enuf_ewald_single_mesh(ewald) && !ewald->options.deterministic,
        .safe_float = (float)((1 - 1e-6) * lattice->safe),
    };
    for (int k = 0; k < 9; k++) {
        x.rows_high[k] = (double)lattice->rows[k];
        x.rows_low[k] = (double)(lattice->rows[k] - (long double)x.rows_high[k]);
        x.inverse[k] = lattice->inverse[k];
        x.inverse_float[k] = (float)x.inverse[k];
    }
    return x;
}

enuf_status enuf_cuda_take_exclusions_off(enuf_ewald *ewald, int pass, cudaStream_t stream)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    if (ewald->charges.n_excluded == 0) return ENUF_SUCCESS;
    const enuf_cuda_exclusions x = enuf_cuda_describe_exclusions(ewald);
    return enuf_cuda_sum_exclusions(&cuda->atoms, &x, &cuda->sums, pass, cuda->scalars.at, stream);
}

static enuf_status gather_virial(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_ewald_method *method = &ewald->method;
    const int single = enuf_ewald_single_mesh(ewald);
    for (int c = 0; c < 6; c++) {
        ENUF_TRY(enuf_cuda_virial_multiplier(ewald->geometry.inverse, method->plan_modes, single,
                                             cuda->influence.at, c, cuda->multiplier.at,
                                             cuda->work));
        ENUF_TRY(enuf_nufft_backward(method->plan, ENUF_REAL, cuda->multiplier.at,
                                     cuda->half_potential.at, NULL));
        ENUF_TRY(enuf_cuda_add_virial(&cuda->atoms, cuda->half_potential.at, single, c,
                                      cuda->sums.atom_virial, cuda->work));
    }
    return ENUF_SUCCESS;
}

/* Whether the atoms need potentials of the mesh. */
static int wants_mesh_values(const enuf_cuda_ewald *cuda, int wanted)
{
    return cuda->has_modes && (wanted & (ENUF_WANT_POTENTIAL | ENUF_WANT_ATOM_ENERGY));
}

static int wants_mesh_gradients(const enuf_cuda_ewald *cuda, int wanted)
{
    return cuda->has_modes && (wanted & (ENUF_WANT_FORCES | ENUF_WANT_FIELD));
}

/* Many devices request the same arrays of their mesh, also devices without atoms. */
static enuf_status reserve_mesh(enuf_ewald *ewald, int wanted)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const int64_t n = cuda->atoms.n;
    const size_t number = mesh_number(ewald);
    const int virials = cuda->has_modes && cuda->to.atom_virial;
    /* here, because set_points may run while a graph is recorded, where it must not allocate */
    if (cuda->has_modes && ewald->method.plan) ENUF_TRY(enuf_nufft_reserve(ewald->method.plan, n));
    if (virials) /* the virials use the potential's array */
        ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->multiplier,
                                           ewald->method.n_stored_modes, number,
                                           "multiplier of the modes"));
    if (virials || wants_mesh_values(cuda, wanted))
        ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->half_potential, n, number,
                                           "mesh potentials"));
    if (wants_mesh_gradients(cuda, wanted))
        ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->half_gradient, n, 3 * number,
                                           "mesh gradients"));
    return ENUF_SUCCESS;
}

static enuf_status fork_side(enuf_cuda_ewald *cuda)
{
    return enuf_cuda_order(cuda->work, cuda->event[EVENT_FORK], cuda->side);
}

static enuf_status join_side(enuf_cuda_ewald *cuda)
{
    return enuf_cuda_order(cuda->side, cuda->event[EVENT_JOIN], cuda->work);
}

static enuf_status sum_modes(enuf_ewald *ewald, int wanted)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_scalars *scalars = cuda->scalars.at;
    const int single = enuf_ewald_single_mesh(ewald);
    enuf_nufft *plan = ewald->method.plan;
    const double *x = cuda->atoms.positions;
    ENUF_TRY(enuf_nufft_set_frame(plan, ewald->geometry.frame, NULL));
    ENUF_TRY(enuf_nufft_set_points(plan, cuda->atoms.n, x, x + 1, x + 2, cuda->atoms.stride));
    ENUF_TRY(enuf_nufft_first_bad(plan, &cuda->atoms.bad));
    ENUF_TRY(enuf_nufft_spread(plan, single ? cuda->q_single.at : cuda->q.at));

    const int values = wants_mesh_values(cuda, wanted),
              gradients = wants_mesh_gradients(cuda, wanted);
    void *potential = values ? cuda->half_potential.at : NULL;
    void *gradient = gradients ? cuda->half_gradient.at : NULL;
    /* the atoms' virials use the potential's array, so they come first */
    if (cuda->sums.atom_virial)
        ENUF_TRY(enuf_nufft_transform(plan));
    else
        ENUF_TRY(enuf_nufft_filter(plan, cuda->influence.at, potential, gradient));
    if (!cuda->has_pairs) ENUF_TRY(join_side(cuda)); /* sums are cleared */
    if (wanted & ENUF_WANT_VIRIAL)
        ENUF_TRY(enuf_nufft_reduce(plan, 2, cuda->influence.at, 1, &scalars->reduced[0][0]));
    else if (wanted & ENUF_WANT_ENERGY)
        ENUF_TRY(enuf_nufft_reduce(plan, 1, cuda->influence.at, 0, &scalars->reduced[0][0]));

    if (cuda->sums.atom_virial) {
        ENUF_TRY(gather_virial(ewald));
        ENUF_TRY(enuf_nufft_backward(plan, ENUF_REAL, cuda->influence.at, potential, gradient));
    }
    if (!gradients || !cuda->to.forces) return ENUF_SUCCESS;
    for (int pass = 0; pass < 2; pass++)
        ENUF_TRY(enuf_cuda_sum_mesh_force(&cuda->atoms, cuda->half_gradient.at, single,
                                          cuda->fp64_slow, ewald->options.deterministic, pass,
                                          scalars, cuda->work));
    return ENUF_SUCCESS;
}

static enuf_status check_places(const enuf_evaluation *what, int device)
{
    const enuf_ewald_result *r = what->result;
    ENUF_TRY(enuf_cuda_check_place(what->positions, what->memory, device, "positions"));
#define ENUF_X(BIT, array, width, text)                                                            \
    if (what->wanted & ENUF_WANT_##BIT)                                                            \
        ENUF_TRY(enuf_cuda_check_place(r->array, what->memory, device, "result->" #array));
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

/* ---- The two steps ---- */

enuf_status enuf_cuda_prepare(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const int charged = ewald->charges.n_charged > 0;
    ENUF_TRY(
        enuf_cuda_check_place(what->result->totals, ENUF_DEVICE, cuda->device, "result->totals"));
    if (ewald->charges.n > 0) ENUF_TRY(check_places(what, cuda->device));
    cuda->has_pairs = charged && what->real;
    cuda->has_modes = charged && what->reciprocal;
    cuda->half_pairs = cuda->has_pairs && may_halve_pairs(ewald, what->wanted);
    /* Half pairs write no array that the modes use, so both run at the same time: 14 % less time at
     * 10^5 ions, 5 % at 10^6 (mixed, H100, November 2026). */
    cuda->beside = cuda->half_pairs && cuda->has_modes;
    cuda->closed = cuda->has_modes ? enuf_closed_forms_of(ewald) : (enuf_closed_forms){0};
    ENUF_TRY(enuf_cuda_make_resident(ewald));
    ENUF_TRY(place_results(ewald, what));
    ENUF_TRY(place_positions(ewald, what));
    ENUF_TRY(reserve_mesh(ewald, what->wanted));
    if (!cuda->has_pairs || cuda->pairs_in_domains) return ENUF_SUCCESS;
    const enuf_cuda_pair_request request =
        enuf_cuda_request_pairs(ewald, what->wanted, &cuda->sums);
    return enuf_cuda_pairs_prepare(&cuda->memory, &cuda->pairs, &request);
}

static enuf_status enqueue_pairs(enuf_ewald *ewald, int wanted, cudaStream_t stream)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_cuda_pair_request request = enuf_cuda_request_pairs(ewald, wanted, &cuda->sums);
    ENUF_TRY(enuf_cuda_pairs_sum(&cuda->pairs, &request, stream));
    ENUF_TRY(enuf_cuda_take_exclusions_off(ewald, 0, stream));
    return enuf_cuda_take_exclusions_off(ewald, 1, stream);
}

static enuf_status enqueue_modes(enuf_ewald *ewald, int wanted)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_ewald_options *o = &ewald->options;
    ENUF_TRY(sum_modes(ewald, wanted));
    if (o->surroundings == 0 && o->slab == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_sum_moments(&cuda->atoms, 0, cuda->scalars.at, cuda->work));
    return enuf_cuda_sum_moments(&cuda->atoms, 1, cuda->scalars.at, cuda->work);
}

enuf_status enuf_cuda_enqueue_delivery(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    if (cuda->atoms.n == 0) return ENUF_SUCCESS;
    enuf_cuda_delivery delivery = {
        .single = enuf_ewald_single_mesh(ewald),
        .remove_net = cuda->has_modes && !ewald->options.keep_net_force,
        .deterministic = ewald->options.deterministic,
        .n_charged = ewald->charges.n_charged,
        .closed = cuda->closed,
        .net_on_device = ewald->charges.on_device,
        .sums = cuda->sums,
        .to = cuda->to,
        .scale = ewald->options.coulomb,
        .add = what->memory == ENUF_DEVICE && what->result->add,
    };
    if (cuda->half_pairs && !cuda->pairs_in_domains)
        delivery.pairs = enuf_cuda_pairs_field(&cuda->pairs);
    if (wants_mesh_values(cuda, what->wanted)) delivery.half_potential = cuda->half_potential.at;
    if (wants_mesh_gradients(cuda, what->wanted)) delivery.half_gradient = cuda->half_gradient.at;
    return enuf_cuda_deliver(&cuda->atoms, &delivery, cuda->scalars.at, cuda->work);
}

/* Pair kernels check positions. So does the mesh's sort; the sum of the mesh's forces puts its
 * result into the record. Without pairs, the sums are cleared beside that sort, and positions are
 * checked there if neither of the two checks them. */
static enuf_status enqueue_checks(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    if (cuda->has_pairs) return enuf_cuda_clear_sums(ewald, cuda->work);
    ENUF_TRY(fork_side(cuda));
    ENUF_TRY(enuf_cuda_clear_sums(ewald, cuda->side));
    if (cuda->atoms.n > 0 && !(cuda->has_modes && cuda->to.forces))
        ENUF_TRY(enuf_cuda_check_positions(&cuda->atoms, cuda->scalars.at, cuda->side));
    return cuda->has_modes ? ENUF_SUCCESS : join_side(cuda); /* else sum_modes() joins it */
}

static enuf_status send_scalars(const enuf_cuda_ewald *cuda, cudaStream_t stream)
{
    ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->host_copy, cuda->scalars.at, sizeof *cuda->host_copy,
                                  cudaMemcpyDeviceToHost, stream),
                  "copying the sums from the GPU");
    return ENUF_SUCCESS;
}

/* The delivery checks the sums of half pairs, so the scalars are sent after it. In other cases they
 * are sent beside it. */
static enuf_status enqueue_end(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    if (what->result->totals) {
        ENUF_TRY(enuf_cuda_enqueue_delivery(ewald, what));
        return enuf_cuda_enqueue_totals(ewald, what);
    }
    if (cuda->half_pairs) {
        ENUF_TRY(enuf_cuda_enqueue_delivery(ewald, what));
        return send_scalars(cuda, cuda->work);
    }
    ENUF_TRY(fork_side(cuda));
    ENUF_TRY(send_scalars(cuda, cuda->side));
    ENUF_TRY(enuf_cuda_enqueue_delivery(ewald, what));
    return join_side(cuda);
}

enuf_status enuf_cuda_enqueue(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const int beside = cuda->beside;
    ENUF_TRY(enqueue_checks(ewald));
    if (beside) ENUF_TRY(fork_side(cuda));
    if (cuda->has_pairs)
        ENUF_TRY(enqueue_pairs(ewald, what->wanted, beside ? cuda->side : cuda->work));
    ENUF_TRY(enuf_cuda_time(cuda, EVENT_MIDDLE, beside ? cuda->side : cuda->work));
    if (cuda->has_modes) ENUF_TRY(enqueue_modes(ewald, what->wanted));
    if (beside) ENUF_TRY(join_side(cuda));
    return enqueue_end(ewald, what);
}
