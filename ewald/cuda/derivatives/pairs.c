/* pairs.c - the pairs of second derivatives: cells, steady order, sums, errors, totals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "steps.h"

#include <string.h>

/* Potentials are needed if charges change, and atoms without a charge have one. */
static int with_potential(const enuf_cuda_slope_work *w)
{
    return w->atoms.motion.charges || (w->wanted & ENUF_WANT_POTENTIAL);
}

static int with_totals(const enuf_cuda_slope_work *w)
{
    return (w->wanted & ENUF_WANT_VIRIAL) != 0;
}

/* Pairs are float where those of evaluations are, and where float follows B. Deterministic ones are
 * double. */
static int is_single(const enuf_cuda_slope_work *w)
{
    return w->room->bend_fit.single;
}

static enuf_cuda_pair_request request_of(const enuf_cuda_slope_work *w)
{
    const enuf_ewald *ewald = w->ewald;
    const enuf_charge_set *set = &ewald->charges;
    return (enuf_cuda_pair_request){
        .cell = ewald->geometry.cell,
        .n = set->n,
        .positions = w->atoms.motion.positions,
        .stride = w->atoms.motion.stride,
        .charges = w->atoms.q,
        .charge_stride = 1,
        .splitting = &ewald->method.parameters.splitting,
        .fit_error = ewald->method.table.error,
        .single = is_single(w),
        .fp64_slow = w->cuda->fp64_slow,
        .n_charged = set->n_charged,
        .sum_q2 = set->sum_q2,
        .largest_charge = set->largest,
        .record = w->room->record.at,
    };
}

/* F t F^T of a frame F. */
static void turn_tensor(const double frame[9], const double e[9], double turned[9])
{
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            double sum = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    sum += frame[3 * k + a] * e[3 * a + b] * frame[3 * l + b];
            turned[3 * k + l] = sum;
        }
}

static int largest_of(int a, int b, int c)
{
    const int of_two = a > b ? a : b;
    return of_two > c ? of_two : c;
}

/* B of the method. */
static enuf_status find_bend(enuf_cuda_slope_work *w)
{
    enuf_cuda_slope_room *room = w->room;
    const enuf_ewald_method *method = &w->ewald->method;
    ENUF_TRY(enuf_pair_bend_make(&method->parameters.splitting, &method->table, &room->bend));
    const int in_float = enuf_ewald_single_mesh(w->ewald) && !w->ewald->options.deterministic;
    return enuf_bend_fit_make(&room->bend, in_float, &room->bend_fit);
}

static enuf_status send_functions(enuf_cuda_slope_work *w)
{
    enuf_cuda_slope_room *room = w->room;
    enuf_cuda_slope_functions f;
    memset(&f, 0, sizeof f);
    turn_tensor(room->pairs.grid.frame, w->atoms.motion.strain, f.strain);
    for (int k = 0; k < 9; k++) f.strain_single[k] = (float)f.strain[k];
    f.strains = w->atoms.motion.strains;
    f.direction = room->direction.at;
    f.forces = w->atoms.forces;
    f.potential = w->atoms.potential;
    f.partial = room->partial.at;
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(room->functions.at, &f, sizeof f, cudaMemcpyHostToDevice, w->cuda->work),
        "pair functions");
    return ENUF_SUCCESS;
}

static enuf_status reserve(enuf_cuda_slope_work *w, int64_t rows)
{
    enuf_cuda_slope_room *room = w->room;
    enuf_device_memory *memory = &w->cuda->memory;
    const int64_t n = w->atoms.n, least = ENUF_CUDA_PARTIAL_ROWS * ENUF_CUDA_PARTIAL_WIDTH;
    const int64_t partial = rows * SLOPE_TOTALS > least ? rows * SLOPE_TOTALS : least;
    const size_t number = sizeof(double), real = room->pairs.single ? sizeof(float) : number;
    ENUF_TRY(enuf_device_array_reserve(memory, &room->place, n, 4 * real, "atoms in cells"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->charge, n, real, "atoms in cells"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->original, n, sizeof(int), "atoms in cells"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->direction, n, 4 * number, "a direction"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->partial, partial, number, "partial sums"));
    return enuf_device_array_reserve(memory, &room->functions, 1, sizeof(enuf_cuda_slope_functions),
                                     "pair functions");
}

static int64_t rows_of(const enuf_cuda_slope_work *w)
{
    return enuf_cuda_pair_rows(w->atoms.n, w->room->pairs.grid.n_columns);
}

static enuf_status clear(const enuf_cuda_slope_work *w, int64_t rows, cudaStream_t stream)
{
    ENUF_CUDA_TRY(cudaMemsetAsync(w->room->partial.at, 0,
                                  (size_t)rows * SLOPE_TOTALS * sizeof(double), stream),
                  "clearing the sums of pairs");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_prepare_pair_slopes(enuf_cuda_slope_work *w)
{
    enuf_cuda_slope_room *room = w->room;
    ENUF_TRY(enuf_device_array_reserve(&w->cuda->memory, &room->record, 1,
                                       sizeof(enuf_cuda_pair_record), "record of pairs"));
    ENUF_TRY(find_bend(w));
    const enuf_cuda_pair_request request = request_of(w);
    ENUF_TRY(enuf_cuda_pairs_prepare(&w->cuda->memory, &room->pairs, &request));
    ENUF_TRY(reserve(w, rows_of(w)));
    return send_functions(w);
}

/* Q, R and B; the arguments hold Q and R. */
static void take_bend(const enuf_cuda_slope_room *room, enuf_cuda_pair_arguments *a)
{
    const enuf_pair_fit *fit = &room->pairs.fit;
    a->n_fit = largest_of(fit->n_energy, fit->n_force, room->bend_fit.n);
    for (int k = 0; k < ENUF_PAIR_FIT_COEFFICIENTS; k++)
        if (room->pairs.single)
            a->fit.single.bend[k] = (float)room->bend_fit.at[k];
        else
            a->fit.full.bend[k] = room->bend_fit.at[k];
}

static enuf_status sum_pairs(const enuf_cuda_slope_work *w, const enuf_cuda_pair_arguments *a,
                             cudaStream_t stream)
{
    const enuf_cuda_pairs *pairs = &w->room->pairs;
    const enuf_cuda_wanted_slopes wanted = {w->atoms.motion.moves, with_totals(w)};
    const int64_t most = pairs->most_clusters;
    if (!pairs->single) return enuf_cuda_pair_slopes_double(a, &wanted, most, stream);
    return w->cuda->fp64_slow ? enuf_cuda_pair_slopes_plain(a, &wanted, most, stream)
                              : enuf_cuda_pair_slopes_float(a, &wanted, most, stream);
}

enuf_status enuf_cuda_enqueue_pair_slopes(enuf_cuda_slope_work *w, cudaStream_t stream)
{
    enuf_cuda_slope_room *room = w->room;
    enuf_cuda_pairs *pairs = &room->pairs;
    const int64_t rows = rows_of(w);
    const enuf_cuda_pair_request request = request_of(w);
    const enuf_cuda_cell_atoms atoms = {.n = request.n,
                                        .n_own = request.n,
                                        .positions = request.positions,
                                        .stride = request.stride,
                                        .charges = request.charges,
                                        .charge_stride = 1};
    ENUF_TRY(clear(w, rows, stream));
    enuf_cuda_pair_arguments a = pairs->arguments;
    const int avoids_fp64 = pairs->single && request.fp64_slow;
    ENUF_TRY(enuf_cuda_cells_build(&a.cells, &pairs->grid, &atoms, pairs->single, avoids_fp64,
                                   !with_potential(w), 0, 0, request.record, stream));
    const enuf_cuda_steady_cells steady = {.place = room->place.at,
                                           .charge = room->charge.at,
                                           .original = room->original.at,
                                           .direction = room->direction.at};
    ENUF_TRY(enuf_cuda_steady_order(&a, pairs->single, &w->atoms, &steady, stream));
    a.cells.place = steady.place;
    a.cells.charge = steady.charge;
    a.cells.original = steady.original;
    a.slopes = room->functions.at;
    take_bend(room, &a);
    ENUF_TRY(sum_pairs(w, &a, stream));
    return enuf_cuda_sum_partial(room->partial.at, rows, SLOPE_TOTALS, SLOPE_TOTALS,
                                 (double *)room->totals.at + TOTAL_PAIRS, stream);
}

static enuf_status look_up(const void *context, int64_t i, int64_t *number, double x[3])
{
    const enuf_cuda_slope_work *w = context;
    const enuf_motion *m = &w->atoms.motion;
    *number = i;
    ENUF_CUDA_TRY(cudaMemcpyAsync(x, m->positions + i * m->stride, 3 * sizeof *x,
                                  cudaMemcpyDeviceToHost, w->cuda->work),
                  "reading a position");
    ENUF_CUDA_TRY(cudaStreamSynchronize(w->cuda->work), "reading a position");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_report_pair_slopes(enuf_cuda_slope_work *w)
{
    enuf_cuda_pairs *pairs = &w->room->pairs;
    cudaStream_t work = w->cuda->work;
    const enuf_cuda_pair_record *record = &w->outcome->record;
    if (record->far_atom != ENUF_CUDA_NO_ATOM) {
        int64_t number;
        double x[3];
        ENUF_TRY(look_up(w, (int64_t)record->far_atom, &number, x));
        return enuf_cuda_report_atom(record, x, pairs->grid.farthest);
    }
    return enuf_cuda_pairs_report(pairs, record, work, look_up, w);
}

void enuf_cuda_add_pair_totals(const enuf_cuda_slope_work *w, enuf_slope_sums *sums)
{
    const double *from = w->outcome->totals + TOTAL_PAIRS, *frame = w->room->pairs.grid.frame;
    const double unit = 1 / w->room->pairs.grid.cutoff;
    double virial[9], back[9], totals[SLOPE_TOTALS], turned[9];
    for (int k = 0; k < 9; k++) back[k] = frame[3 * (k % 3) + k / 3]; /* F^T */
    for (int c = 0; c < 6; c++) {
        const int a = enuf_tensor_row[c], b = enuf_tensor_column[c];
        virial[3 * a + b] = virial[3 * b + a] = from[SLOPE_VIRIAL + c];
    }
    totals[SLOPE_ENERGY] = unit * from[SLOPE_ENERGY];
    turn_tensor(back, from + SLOPE_PRODUCT, turned);
    for (int k = 0; k < 9; k++) totals[SLOPE_PRODUCT + k] = unit * turned[k];
    turn_tensor(back, virial, turned);
    for (int c = 0; c < 6; c++)
        totals[SLOPE_VIRIAL + c] = unit * turned[3 * enuf_tensor_row[c] + enuf_tensor_column[c]];
    enuf_slope_sums_add_pairs(totals, sums);
}
