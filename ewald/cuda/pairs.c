/* pairs.c - see pairs.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"
#include "device.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* As on the CPU: atoms closer than this (squared, in cutoffs) are at the same place. In float this
 * is the distance that rounding puts between two images of a place. */
static const double same_place = 1e-30, same_place_single = 1e-13;
/* Larger sums, in units of the largest charge and the cutoff, start a search for the closest pair.
 * A pair at 1e-6 cutoffs makes such a force, or such a potential if no forces are wanted. */
static const double suspicious_force = 1e12, suspicious_potential = 1e6;

static enuf_fixed_scales find_scales(const enuf_cuda_pair_request *request,
                                     const enuf_cuda_grid *grid)
{
    long double lattice[9];
    for (int k = 0; k < 9; k++) lattice[k] = grid->lattice[k];
    return enuf_fixed_scales_for(lattice, request->n_charged, request->sum_q2,
                                 request->largest_charge);
}

static size_t near_size(const enuf_cuda_pair_request *request)
{
    return 2 * sizeof(int64_t) * (size_t)enuf_cuda_fixed_sums(&request->out);
}

static enuf_status make_grid(enuf_cuda_pairs *pairs, const enuf_cuda_pair_request *request)
{
    const double cutoff = request->splitting->cutoff;
    if (pairs->has_grid && memcmp(pairs->cell, request->cell, sizeof pairs->cell) == 0 &&
        pairs->cutoff == cutoff && pairs->n == request->n &&
        pairs->keep_axes == request->deterministic)
        return ENUF_SUCCESS;
    pairs->has_grid = 0;
    ENUF_TRY(enuf_cuda_grid_make(request->cell, cutoff, request->n, request->deterministic,
                                 &pairs->grid));
    memcpy(pairs->cell, request->cell, sizeof pairs->cell);
    pairs->cutoff = cutoff;
    pairs->n = request->n;
    pairs->keep_axes = request->deterministic;
    pairs->has_grid = 1;
    return ENUF_SUCCESS;
}

static enuf_status make_fit(enuf_cuda_pairs *pairs, const enuf_cuda_pair_request *request,
                            int single)
{
    const enuf_splitting *now = &pairs->splitting, *requested = request->splitting;
    if (pairs->has_fit && pairs->single == single && pairs->fit_error == request->fit_error &&
        now->kind == requested->kind && now->cutoff == requested->cutoff &&
        (requested->kind == ENUF_SPLIT_PROLATE ? now->c == requested->c
                                               : now->alpha == requested->alpha))
        return ENUF_SUCCESS;
    pairs->has_fit = 0;
    ENUF_TRY(enuf_pair_fit_make(requested, request->fit_error, single, &pairs->fit));
    pairs->splitting = *requested;
    pairs->fit_error = request->fit_error;
    pairs->single = single;
    pairs->has_fit = 1;
    return ENUF_SUCCESS;
}

static enuf_status reserve(enuf_device_memory *memory, enuf_cuda_pairs *p,
                           const enuf_cuda_pair_request *request, int single)
{
    const int64_t n = request->n;
    /* the most cells that n atoms may have, so that another cell needs no more room */
    const int64_t cells = ENUF_CUDA_CELLS_OF_ATOM * n + ENUF_CUDA_CELLS_LEAST + 1;
    const size_t real = single ? sizeof(float) : sizeof(double);
    const char *what = "atoms in cells";
    size_t scan = 0;
    p->most_clusters = enuf_cuda_most_clusters(n, p->grid.n_columns);
    ENUF_TRY(enuf_cuda_cells_scan_bytes((int)cells, &scan));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->count, cells, sizeof(int), "cells"));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->first, cells, sizeof(int), "cells"));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->scan, (int64_t)scan, 1, "cells"));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->home, n, sizeof(int), what));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->rank, n, sizeof(int), what));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->original, n, sizeof(int), what));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->place, n, 4 * real, what));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->charge, n, real, what));
    if (request->deterministic) {
        ENUF_TRY(enuf_device_array_reserve(memory, &p->turn, n, 4 * sizeof(int64_t), what));
        ENUF_TRY(enuf_device_array_reserve(memory, &p->near, n, near_size(request),
                                           "fixed-point sums of atoms"));
    }
    if (request->half_pairs)
        ENUF_TRY(enuf_device_array_reserve(memory, &p->sorted, n, 3 * sizeof(double), what));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->cluster, enuf_cuda_most_clusters(n, n),
                                       sizeof(int4), "clusters"));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->n_clusters, 1, sizeof(int), "clusters"));
    ENUF_TRY(enuf_device_array_reserve(memory, &p->totals,
                                       2 * ENUF_CUDA_TOTALS * ENUF_CUDA_TOTAL_COPIES,
                                       sizeof(double), "totals of pairs"));
    return enuf_device_array_reserve(memory, &p->closest_pair, 2, sizeof(unsigned long long),
                                     "the closest pair");
}

static int is_single(const enuf_cuda_pair_request *request)
{
    return request->single && !request->deterministic;
}

#define FILL_SHAPE(shape, Real)                                                                    \
    do {                                                                                           \
        (shape).e1 = (Real)g->e1;                                                                  \
        (shape).per_e1 = (Real)(1 / g->e1);                                                        \
        (shape).x_low = (Real)(fmin(g->e2x, 0) + fmin(g->e3x, 0));                                 \
        (shape).x_high = (Real)(fmax(g->e2x, 0) + fmax(g->e3x, 0));                                \
        (shape).y_low = (Real)fmin(g->e3y, 0);                                                     \
        (shape).y_high = (Real)(g->e2y + fmax(g->e3y, 0));                                         \
        (shape).z_high = (Real)g->e3z;                                                             \
    } while (0)

static void fill_shapes(enuf_cuda_pair_arguments *a, const enuf_cuda_grid *g)
{
    FILL_SHAPE(a->shape_single, float);
    FILL_SHAPE(a->shape_full, double);
    a->per_wide = 1 / (float)(2 * g->reach[0] + 1);
    a->per_cutoff = 1 / g->cutoff;
}

/* The radius of the correction, in units of the distance `close` below which the rounding of places
 * shows in forces. Inside the radius the walk bounds 1/r (pairs_close.cu). At r = 0 its 1/r^3 is
 * (15/8)^3 = 6.6 times that at the radius. So rounding changes a force by 6.6/1.5^3 = 2 times the
 * shift of a place over close^3, as much as that of a pair at the distance `close`. */
static const double WIDER_THAN_CLOSE = 1.5;

static void fill_close(enuf_cuda_pair_arguments *a, const enuf_cuda_grid *g, double close)
{
    a->most_root = INFINITY;
    if (!(close > 0)) return;
    const double radius = WIDER_THAN_CLOSE * close / g->cutoff;
    const double to_cells[6] = {1 / g->e1,
                                -g->e2x / (g->e1 * g->e2y),
                                (g->e2x * g->e3y / g->e2y - g->e3x) / (g->e1 * g->e3z),
                                1 / g->e2y,
                                -g->e3y / (g->e2y * g->e3z),
                                1 / g->e3z};
    a->most_root = (float)(1 / radius);
    a->close.square = close * close / (g->cutoff * g->cutoff);
    a->close.radius_square = (1 + 1e-6) / ((double)a->most_root * (double)a->most_root);
    memcpy(a->close.to_cells, to_cells, sizeof to_cells);
    const double reach = (1 + 1e-9) * sqrt(a->close.radius_square);
    a->close.reach[0] = reach * sqrt(to_cells[0] * to_cells[0] + to_cells[1] * to_cells[1] +
                                     to_cells[2] * to_cells[2]);
    a->close.reach[1] = reach * hypot(to_cells[3], to_cells[4]);
    a->close.reach[2] = reach * to_cells[5];
}

/* Deterministic: coordinates are right to a unit of their integers or so (measured). */
static const double FRACTION_ROUNDING = 0x1.3p-64;

static void fill_arguments(enuf_cuda_pairs *p, const enuf_cuda_pair_request *request)
{
    enuf_cuda_pair_arguments *a = &p->arguments;
    memset(a, 0, sizeof *a);
#define ENUF_X(name) a->cells.name = p->name.at;
    ENUF_X(count)
    ENUF_X(first)
    ENUF_X(home)
    ENUF_X(rank)
    ENUF_X(original)
    ENUF_X(place)
    ENUF_X(charge)
    ENUF_X(turn)
    ENUF_X(cluster)
    ENUF_X(n_clusters)
    ENUF_X(scan)
#undef ENUF_X
    a->cells.scan_bytes = (size_t)p->scan.bytes;
    a->grid = p->grid;
    fill_shapes(a, &p->grid);
    fill_close(a, &p->grid, request->close);
    a->out = request->out;
    a->out.totals = p->totals.at;
    if (request->half_pairs) {
        a->cells.sorted = a->out.sorted = p->sorted.at;
        a->out.sorted_n = request->n;
    }
    a->record = request->record;
    a->closest_pair = p->closest_pair.at;
    const int with_force = request->half_pairs || request->out.forces || request->out.field ||
                           request->out.want_virial || request->out.atom_virial;
    const int with_energy = request->out.want_energy || request->out.atom_energy ||
                            request->out.potential || request->out.want_virial ||
                            request->out.atom_virial;
    a->n_own = (int)(request->n - request->n_ghosts);
    a->has_ghosts = request->n_ghosts > 0;
    a->suspicious =
        (with_force ? suspicious_force : suspicious_potential) * request->largest_charge;
    a->n_fit = with_force || request->deterministic ? p->fit.n_force : 0;
    if (with_energy && p->fit.n_energy > a->n_fit) a->n_fit = p->fit.n_energy;
    for (int k = 0; k < ENUF_PAIR_FIT_COEFFICIENTS; k++) {
        if (p->single) {
            a->fit.single.force[k] = (float)p->fit.force[k];
            a->fit.single.energy[k] = (float)p->fit.energy[k];
        } else {
            a->fit.full.force[k] = p->fit.force[k];
            a->fit.full.energy[k] = p->fit.energy[k];
        }
    }
    if (!request->deterministic) return;
    a->scales = find_scales(request, &p->grid);
    a->close.fraction_rounding =
        enuf_fixed_fraction_rounding(p->grid.lattice, FRACTION_ROUNDING, ENUF_BACKEND_CUDA);
    a->near = p->near.at;
    a->n = request->n;
}

enuf_status enuf_cuda_pairs_prepare(enuf_device_memory *memory, enuf_cuda_pairs *pairs,
                                    const enuf_cuda_pair_request *request)
{
    const int single = is_single(request);
    if (request->n > INT32_MAX / ENUF_CUDA_CELLS_OF_ATOM - ENUF_CUDA_CELLS_LEAST)
        return enuf_fail(
            ENUF_UNSUPPORTED, "%lld atoms: the pair sums of the GPU take up to %d on one device",
            (long long)request->n, INT32_MAX / ENUF_CUDA_CELLS_OF_ATOM - ENUF_CUDA_CELLS_LEAST);
    ENUF_TRY(make_grid(pairs, request));
    ENUF_TRY(make_fit(pairs, request, single));
    ENUF_TRY(reserve(memory, pairs, request, single));
    fill_arguments(pairs, request);
    return ENUF_SUCCESS;
}

enuf_cuda_sorted_field enuf_cuda_pairs_field(const enuf_cuda_pairs *p)
{
    const enuf_cuda_pair_arguments *a = &p->arguments;
    enuf_cuda_sorted_field field = {
        .sums = a->out.sorted, .place = a->cells.home, .n = p->n, .suspicious = a->suspicious};
    for (int k = 0; k < 9; k++) field.frame[k] = p->grid.frame[k] * a->per_cutoff * a->per_cutoff;
    return field;
}

static enuf_status sum_once(const enuf_cuda_pairs *p, int avoids_fp64, cudaStream_t stream)
{
    const enuf_cuda_pair_arguments *a = &p->arguments;
    if (avoids_fp64)
        return a->has_ghosts ? enuf_cuda_pairs_ghosts_plain(a, p->most_clusters, stream)
                             : enuf_cuda_pairs_half_plain(a, p->most_clusters, stream);
    if (a->has_ghosts)
        return p->single ? enuf_cuda_pairs_ghosts_float(a, p->most_clusters, stream)
                         : enuf_cuda_pairs_ghosts_double(a, p->most_clusters, stream);
    return p->single ? enuf_cuda_pairs_half_float(a, p->most_clusters, stream)
                     : enuf_cuda_pairs_half_double(a, p->most_clusters, stream);
}

enuf_status enuf_cuda_pairs_sum(enuf_cuda_pairs *p, const enuf_cuda_pair_request *request,
                                cudaStream_t stream)
{
    const enuf_cuda_pair_arguments *a = &p->arguments;
    const enuf_cuda_pair_outputs *out = &a->out;
    /* an atom without a charge has no force, but a potential and a field */
    const int skip = !out->potential && !out->field;
    const int avoids_fp64 = p->single && request->fp64_slow;
    const enuf_cuda_cell_atoms atoms = {
        .n = request->n,
        .n_own = request->n - request->n_ghosts,
        .positions = request->positions,
        .stride = request->stride,
        .charges = request->charges,
        .charge_stride = request->charge_stride,
    };
    const int totals = out->want_energy || out->want_virial;
    if (totals)
        ENUF_CUDA_TRY(
            cudaMemsetAsync(out->totals, 0,
                            2 * ENUF_CUDA_TOTALS * ENUF_CUDA_TOTAL_COPIES * sizeof(double), stream),
            "clearing the totals of pairs");
    ENUF_TRY(enuf_cuda_cells_build(&a->cells, &p->grid, &atoms, p->single, avoids_fp64, skip,
                                   request->deterministic, request->half_pairs, request->record,
                                   stream));
    if (request->deterministic) {
        ENUF_CUDA_TRY(cudaMemsetAsync(a->near, 0, (size_t)request->n * near_size(request), stream),
                      "clearing the fixed-point sums of atoms");
        ENUF_TRY(enuf_cuda_pairs_fixed(a, p->most_clusters, stream));
    } else if (out->sorted)
        ENUF_TRY(sum_once(p, avoids_fp64, stream));
    else if (avoids_fp64)
        ENUF_TRY(enuf_cuda_pairs_plain(a, p->most_clusters, stream));
    else if (p->single)
        ENUF_TRY(enuf_cuda_pairs_float(a, p->most_clusters, stream));
    else
        ENUF_TRY(enuf_cuda_pairs_double(a, p->most_clusters, stream));
    if (a->close.square > 0 && !p->single && !request->deterministic)
        ENUF_TRY(enuf_cuda_pairs_mend_close(a, &atoms, p->most_clusters, stream));
    if (!totals) return ENUF_SUCCESS;
    return enuf_cuda_pairs_total(a, request->deterministic, request->totals, request->integers,
                                 stream);
}

/* The result of the search, as on the device. */
typedef struct closest_pair {
    unsigned long long bits, pair;
} closest_pair;

static enuf_status find_closest(enuf_cuda_pairs *p, cudaStream_t stream, double *square,
                                int64_t atoms[2])
{
    closest_pair found;
    ENUF_TRY(enuf_cuda_pairs_closest(&p->arguments, p->single, p->most_clusters, stream));
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(&found, p->closest_pair.at, sizeof found, cudaMemcpyDeviceToHost, stream),
        "reading the closest pair");
    ENUF_CUDA_TRY(cudaStreamSynchronize(stream), "search for the closest pair");
    *square = INFINITY;
    if (found.bits == ENUF_CUDA_NO_ATOM) return ENUF_SUCCESS;
    memcpy(square, &found.bits, sizeof *square);
    atoms[0] = (int64_t)(found.pair >> 32);
    atoms[1] = (int64_t)(found.pair & 0xffffffffu);
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_pairs_report(enuf_cuda_pairs *p, const enuf_cuda_pair_record *host_copy,
                                   cudaStream_t stream, enuf_cuda_look_up look_up,
                                   const void *context)
{
    double square = INFINITY, x[3] = {0, 0, 0};
    int64_t atoms[2] = {0, 0}, number[2] = {0, 0};
    const int too_close = host_copy->closest != ENUF_CUDA_NO_ATOM;
    if (host_copy->suspicious || too_close || host_copy->overflowed)
        ENUF_TRY(find_closest(p, stream, &square, atoms));
    if (square <= (p->single ? same_place_single : same_place)) {
        ENUF_TRY(look_up(context, atoms[1], &number[1], x));
        ENUF_TRY(look_up(context, atoms[0], &number[0], x));
        char place[100] = "";
        if (!isnan(x[0])) snprintf(place, sizeof place, " (%.17g, %.17g, %.17g)", x[0], x[1], x[2]);
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "atoms %lld and %lld are at the same place%s, or at its images: their "
                         "energy is infinite; an excluded pair has to be apart too",
                         (long long)number[0], (long long)number[1], place);
    }
    if (too_close || host_copy->overflowed)
        return enuf_fixed_overflowed(&p->arguments.scales, square, p->cutoff);
    return ENUF_SUCCESS;
}

void enuf_cuda_pairs_release(enuf_device_memory *memory, enuf_cuda_pairs *pairs)
{
#define ENUF_X(name) enuf_device_array_release(memory, &pairs->name);
    ENUF_CUDA_PAIR_ARRAYS(ENUF_X)
#undef ENUF_X
}
