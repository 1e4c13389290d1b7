/* held_cells.c - the pairs of held positions: cells, their steady order, exclusions, errors.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "held_steps.h"

/* Pairs are float where those of evaluations are; deterministic ones are double. */
static int is_single(const enuf_ewald *ewald)
{
    return enuf_ewald_single_mesh(ewald) && !ewald->options.deterministic;
}

static enuf_cuda_pair_request request_of(const enuf_ewald *ewald)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_charge_set *set = &ewald->charges;
    return (enuf_cuda_pair_request){
        .cell = ewald->geometry.cell,
        .n = set->n,
        .positions = cuda->held.given.at,
        .stride = 3,
        .charges = cuda->q.at,
        .charge_stride = 1,
        .splitting = &ewald->method.parameters.splitting,
        .fit_error = ewald->method.table.error,
        .single = is_single(ewald),
        .fp64_slow = cuda->fp64_slow,
        .n_charged = set->n_charged,
        .sum_q2 = set->sum_q2,
        .largest_charge = set->largest,
        .record = cuda->held.record.at,
    };
}

static enuf_status reserve(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_held_room *room = &cuda->held;
    enuf_device_memory *memory = &cuda->memory;
    const int64_t n = ewald->charges.n;
    const size_t number = sizeof(double), real = is_single(ewald) ? sizeof(float) : number;
    ENUF_TRY(enuf_device_array_reserve(memory, &room->record, 1, sizeof(enuf_cuda_pair_record),
                                       "record of pairs"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->place, n, 4 * real, "held atoms in cells"));
    ENUF_TRY(
        enuf_device_array_reserve(memory, &room->positions, n, 3 * number, "held atoms in cells"));
    return enuf_device_array_reserve(memory, &room->excluded, 2 * ewald->charges.n_excluded, number,
                                     "values of exclusions");
}

static enuf_status look_up(const void *context, int64_t i, int64_t *number, double x[3])
{
    const enuf_cuda_ewald *cuda = context;
    *number = i;
    ENUF_CUDA_TRY(cudaMemcpyAsync(x, (const double *)cuda->held.given.at + 3 * i, 3 * sizeof *x,
                                  cudaMemcpyDeviceToHost, cuda->work),
                  "reading a position");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->work), "reading a position");
    return ENUF_SUCCESS;
}

/* Waits. A search for the closest pair takes the place of what the sums of evaluations notice. */
static enuf_status report(enuf_cuda_ewald *cuda)
{
    enuf_cuda_pair_record record;
    ENUF_CUDA_TRY(cudaMemcpyAsync(&record, cuda->held.record.at, sizeof record,
                                  cudaMemcpyDeviceToHost, cuda->work),
                  "reading errors of positions");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->work), "held positions");
    const unsigned long long wrong =
        record.bad_atom != ENUF_CUDA_NO_ATOM ? record.bad_atom : record.far_atom;
    if (wrong != ENUF_CUDA_NO_ATOM) {
        int64_t number;
        double x[3];
        ENUF_TRY(look_up(cuda, (int64_t)wrong, &number, x));
        return enuf_cuda_report_atom(&record, x, cuda->held.pairs.grid.farthest);
    }
    record.suspicious = 1;
    return enuf_cuda_pairs_report(&cuda->held.pairs, &record, cuda->work, look_up, cuda);
}

static enuf_status enqueue_cells(enuf_cuda_ewald *cuda, const enuf_cuda_pair_request *request)
{
    enuf_cuda_held_room *room = &cuda->held;
    const enuf_cuda_pair_arguments *a = &room->pairs.arguments;
    const enuf_cuda_pair_record nothing = {
        .bad_atom = ENUF_CUDA_NO_ATOM, .far_atom = ENUF_CUDA_NO_ATOM, .closest = ENUF_CUDA_NO_ATOM};
    const enuf_cuda_cell_atoms atoms = {.n = request->n,
                                        .n_own = request->n,
                                        .positions = request->positions,
                                        .stride = request->stride,
                                        .charges = request->charges,
                                        .charge_stride = 1};
    ENUF_CUDA_TRY(cudaMemcpyAsync(room->record.at, &nothing, sizeof nothing, cudaMemcpyHostToDevice,
                                  cuda->work),
                  "clearing the record of pairs");
    ENUF_TRY(enuf_cuda_cells_build(&a->cells, &room->pairs.grid, &atoms, request->single, 0, 0, 0,
                                   0, request->record, cuda->work));
    return enuf_cuda_hold_order(a, request->single, request->positions, room->place.at,
                                room->positions.at, cuda->work);
}

enuf_status enuf_cuda_make_held_pairs(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_held_room *room = &cuda->held;
    ENUF_TRY(reserve(ewald));
    const enuf_cuda_pair_request request = request_of(ewald);
    ENUF_TRY(enuf_cuda_pairs_prepare(&cuda->memory, &room->pairs, &request));
    ENUF_TRY(enqueue_cells(cuda, &request));
    if (ewald->charges.n_excluded > 0) {
        const enuf_cuda_exclusions x = enuf_cuda_describe_exclusions(ewald);
        ENUF_TRY(enuf_cuda_hold_exclusions(request.n, room->given.at, &x, room->excluded.at,
                                           cuda->work));
    }
    ENUF_TRY(report(cuda));
    return enuf_cuda_make_held_matrix(ewald);
}

enuf_status enuf_cuda_enqueue_held_pairs(const enuf_cuda_held_work *w, cudaStream_t stream)
{
    const enuf_cuda_held_room *room = w->room;
    const int lanes = w->sets.sets.lanes;
    enuf_cuda_pair_arguments a = room->pairs.arguments;
    a.cells.place = room->place.at;
    a.cells.charge = room->charges.at;
    a.out.potential = room->sums.at;
    a.n_fit = room->pairs.fit.n_energy;
    if (room->has_matrix) {
        const enuf_cuda_held_matrix m = enuf_cuda_describe_held_matrix(room);
        ENUF_TRY(enuf_cuda_multiply_held_matrix(&a, &m, room->pairs.single, lanes,
                                                room->pairs.most_clusters, stream));
    } else {
        ENUF_TRY((room->pairs.single ? enuf_cuda_held_pairs_float : enuf_cuda_held_pairs_double)(
            &a, lanes, room->pairs.most_clusters, stream));
    }
    if (w->ewald->charges.n_excluded == 0) return ENUF_SUCCESS;
    const enuf_cuda_exclusions x = enuf_cuda_describe_exclusions(w->ewald);
    return enuf_cuda_exclude_sets(&w->sets, &x, room->excluded.at, stream);
}
