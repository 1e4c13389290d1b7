/* cells.c - see cells.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cells.h"
#include "lattice/cell_geometry.h"
#include "cells_fold.h"
#include "memory.h"
#include "parallel.h"
#include "simd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells along x to the width of a column: finer cells are pruned better by index alone. 4 gains 5 %
 * on 2 (measured as PAIR_GROUP). */
static const double cells_in_width = 4;
/* Width of a column to that of a cube of PAIR_GROUP atoms. Wider columns hold the neighbours in
 * longer runs, but make flatter groups. 1.3 gains 10 % on 1 at 60 to 120 neighbours. */
static const double wider_than_cube = 1.3;
/* Width of a column, in cutoffs, and the length of a group of atoms, in widths. */
static const double narrowest = 0.25, widest = 1, longest_group = 2;
/* Most cells for an atom: each empty cell costs a few bytes and nanoseconds. */
static const double cells_of_atom = 32;
/* Beyond this a fraction has less than 13 bits behind its point even in long double. */
static const double farthest = 0x1p50;

static int is_finite_atom(const enuf_pair_request *request, int64_t i)
{
    const double *p = request->positions + i * request->stride;
    /* one test for all four: infinities and NaN turn 0 x into NaN */
    return 0 * p[0] + 0 * p[1] + 0 * p[2] + 0 * request->charges[i] == 0;
}

typedef struct finite_loop {
    const enuf_pair_request *request;
    _Atomic int64_t bad;
} finite_loop;

static void look_at_atoms(void *context, int64_t i, int64_t end, int thread)
{
    finite_loop *loop = context;
    (void)thread;
    for (; i < end; i++)
        if (!is_finite_atom(loop->request, i)) enuf_lower(&loop->bad, i);
}

static enuf_status check_finite(const enuf_pair_request *request, int threads)
{
    finite_loop loop = {request, request->n};
    enuf_parallel_for(threads, request->n, 0, look_at_atoms, &loop);
    const int64_t bad = loop.bad;
    if (bad == request->n) return ENUF_SUCCESS;
    const double *p = request->positions + bad * request->stride;
    return enuf_fail(ENUF_NOT_FINITE, "atom %lld: position (%g, %g, %g), charge %g",
                     (long long)enuf_callers_atom(request->original, bad), p[0], p[1], p[2],
                     request->charges[bad]);
}

typedef struct range_loop {
    const enuf_pair_request *request;
    double inverse[9], limit[3];
    _Atomic int64_t bad;
    _Atomic double high[3], minus_low[3];
} range_loop;

static void find_range_of_atoms(void *context, int64_t begin, int64_t end, int thread)
{
    range_loop *loop = context;
    const enuf_pair_request *request = loop->request;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double limit[3], inverse[9];
    int64_t bad = INT64_MAX;
    (void)thread;
    memcpy(limit, loop->limit, sizeof limit);
    memcpy(inverse, loop->inverse, sizeof inverse);
    for (int64_t i = begin; i < end; i++) {
        const double *x = request->positions + i * request->stride;
        for (int d = 0; d < 3; d++) {
            const double s = x[0] * inverse[d] + x[1] * inverse[3 + d] + x[2] * inverse[6 + d];
            if (!(fabs(s) <= limit[d]) && i < bad) bad = i;
            if (s < low[d]) low[d] = s;
            if (s > high[d]) high[d] = s;
        }
    }
    enuf_lower(&loop->bad, bad);
    for (int d = 0; d < 3; d++) {
        enuf_raise(&loop->high[d], high[d]);
        enuf_raise(&loop->minus_low[d], -low[d]);
    }
}

/* Range of the fractions: [0, 1) in periodic directions, the range of the atoms in open ones. */
static enuf_status find_range(enuf_cell_grid *grid, const enuf_pair_request *request, int threads,
                              long double span[3])
{
    range_loop loop = {.request = request,
                       .bad = request->n,
                       .high = {-INFINITY, -INFINITY, -INFINITY},
                       .minus_low = {-INFINITY, -INFINITY, -INFINITY}};
    double *limit = loop.limit;
    for (int k = 0; k < 9; k++) loop.inverse[k] = (double)(grid->inverse[k] * grid->per_cutoff);
    for (int d = 0; d < 3; d++) {
        limit[d] = farthest;
    }
    enuf_parallel_for(threads, request->n, 0, find_range_of_atoms, &loop);
    const int64_t bad = loop.bad;
    if (bad < request->n) {
        const double *p = request->positions + bad * request->stride;
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "atom %lld: position (%g, %g, %g) is more than %.3g cell vectors away "
                         "from the origin: fold it first",
                         (long long)enuf_callers_atom(request->original, bad), p[0], p[1], p[2],
                         fmin(limit[0], fmin(limit[1], limit[2])));
    }
    for (int d = 0; d < 3; d++) {
        /* the row is perpendicular to the others in an open direction: its length is the height */
        const long double *row = grid->lattice + 3 * d;
        long double height = sqrtl(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
        grid->lower[d] = grid->periodic[d] ? 0 : -(long double)loop.minus_low[d];
        span[d] =
            grid->periodic[d] ? 1 : (long double)loop.high[d] + (long double)loop.minus_low[d];
        if (!(span[d] * height > 1e-3L)) span[d] = 1e-3L / height;
    }
    return ENUF_SUCCESS;
}

static void find_heights(const enuf_cell_grid *grid, const long double span[3],
                         long double height[3])
{
    for (int d = 0; d < 3; d++) {
        const long double *i = grid->inverse;
        long double k2 = i[d] * i[d] + i[3 + d] * i[3 + d] + i[6 + d] * i[6 + d];
        height[d] = span[d] / sqrtl(k2);
    }
}

/* Counts of cells for columns of a width; the product. */
static double count_cells(const long double height[3], double width, double count[3])
{
    double total = 1;
    for (int d = 0; d < 3; d++) {
        double edge = d == 0 ? width / cells_in_width : width;
        count[d] = fmax(1, floor((double)height[d] / edge * (1 + 1e-9)));
        total *= count[d];
    }
    return total;
}

/* Width of the cube that holds a group of atoms, at the mean density. */
static double mean_width(const enuf_cell_grid *grid, const long double span[3], int64_t n)
{
    long double inverse[9];
    long double volume = enuf_invert_3x3(grid->lattice, inverse) * span[0] * span[1] * span[2];
    return cbrt(PAIR_GROUP * fabs((double)volume) / (double)n);
}

static void cut(enuf_cell_grid *grid, const long double span[3], int64_t n)
{
    long double height[3];
    find_heights(grid, span, height);
    double width = fmin(fmax(wider_than_cube * mean_width(grid, span, n), narrowest), widest);
    const double limit = fmin(cells_of_atom * (double)n + 4096, 0x1p31);
    double count[3];
    while (count_cells(height, width, count) > limit) width *= 1.2;
    grid->n_cells = 1;
    for (int d = 0; d < 3; d++) {
        grid->count[d] = (int64_t)count[d];
        grid->per_vector[d] = (long double)count[d] / span[d];
        for (int e = 0; e < 3; e++)
            grid->edge[3 * d + e] = grid->lattice[3 * d + e] * span[d] / (long double)count[d];
        grid->n_cells *= grid->count[d];
    }
    grid->group_span = (int64_t)ceil(longest_group * width / (double)height[0] * count[0]);
}

/*
 * Which axis becomes x. Tasks are columns along x. The shortest axis makes the most columns, but a
 * column has to hold some groups of atoms. If no axis is long enough, the longest becomes x.
 */
static int choose_x(const enuf_cell_grid *grid, const long double span[3], int64_t n)
{
    long double height[3];
    find_heights(grid, span, height);
    const double enough = 4 * mean_width(grid, span, n);
    int x = 0;
    for (int d = 1; d < 3; d++) {
        const int serves = height[d] > enough, served = height[x] > enough;
        const int shorter = height[d] < height[x] * (1 - 1e-6L);
        const int longer = height[d] > height[x] * (1 + 1e-6L);
        if (serves ? !served || shorter : !served && longer) x = d;
    }
    return x;
}

static void rotate(long double *v, int size, int by)
{
    long double old[9];
    memcpy(old, v, 3 * (size_t)size * sizeof *v);
    for (int d = 0; d < 3; d++)
        memcpy(v + d * size, old + (d + by) % 3 * size, (size_t)size * sizeof *v);
}

static enuf_status make_grid(enuf_cell_grid *grid, const enuf_pair_request *request, int64_t n,
                             int threads)
{
    enuf_cell_geometry geometry;
    ENUF_TRY(enuf_cell_geometry_make(request->cell, &geometry));
    memcpy(grid->periodic, request->periodic, sizeof grid->periodic);
    enuf_cell_reduce(request->cell, request->periodic, grid->lattice);
    grid->per_cutoff = 1 / (long double)request->table->cutoff;
    for (int k = 0; k < 9; k++) grid->lattice[k] *= grid->per_cutoff;
    enuf_invert_3x3(grid->lattice, grid->inverse);
    long double span[3];
    ENUF_TRY(find_range(grid, request, threads, span));
    /* deterministic: the order of axes must not depend on the atoms of a rank */
    const int x = request->deterministic ? 0 : choose_x(grid, span, n);
    rotate(grid->lattice, 3, x);
    rotate(grid->lower, 1, x);
    rotate(span, 1, x);
    for (int d = 0; d < 3; d++) grid->periodic[d] = request->periodic[(d + x) % 3];
    enuf_invert_3x3(grid->lattice, grid->inverse);
    cut(grid, span, n);
    return ENUF_SUCCESS;
}

static void release_atoms(enuf_cells *cells)
{
    enuf_release(&cells->original);
    enuf_release(&cells->x);
    enuf_release(&cells->y);
    enuf_release(&cells->z);
    enuf_release(&cells->charge);
    enuf_release(&cells->along);
    enuf_release(&cells->local);
    enuf_release(&cells->home);
    enuf_release(&cells->place);
    cells->capacity = 0;
}

static enuf_status reserve_atoms(enuf_cells *cells, int64_t n)
{
    if (n <= cells->capacity) return ENUF_SUCCESS;
    release_atoms(cells);
    int64_t padded = n + SIMD_BYTES;
    const char *what = "atoms in cells";
    enuf_status status = enuf_allocate(&cells->original, padded, sizeof(int64_t), what);
    double **real[] = {&cells->x, &cells->y, &cells->z, &cells->charge, &cells->along};
    for (int k = 0; k < 5 && status == ENUF_SUCCESS; k++) {
        status = enuf_allocate(real[k], padded, sizeof(double), what);
        /* vectors read past the end: any finite number serves */
        if (status == ENUF_SUCCESS) memset(*real[k], 0, (size_t)padded * sizeof(double));
    }
    if (status == ENUF_SUCCESS) status = enuf_allocate(&cells->local, 3 * n, sizeof(double), what);
    if (status == ENUF_SUCCESS) status = enuf_allocate(&cells->home, n, sizeof(int64_t), what);
    if (status == ENUF_SUCCESS) status = enuf_allocate(&cells->place, n, sizeof(int64_t), what);
    if (status == ENUF_SUCCESS)
        cells->capacity = n;
    else
        release_atoms(cells);
    return status;
}

static void release_exact(enuf_cells *cells)
{
    for (int d = 0; d < 3; d++) {
        enuf_release(&cells->steps[d]);
        enuf_release(&cells->rest[d]);
    }
    cells->exact_capacity = 0;
}

static enuf_status reserve_exact(enuf_cells *cells, int64_t n)
{
    if (n <= cells->exact_capacity) return ENUF_SUCCESS;
    release_exact(cells);
    const int64_t padded = n + SIMD_BYTES;
    const char *what = "exact places of atoms";
    enuf_status status = ENUF_SUCCESS;
    for (int d = 0; d < 3; d++) {
        if (status == ENUF_SUCCESS)
            status = enuf_allocate(&cells->steps[d], padded, sizeof(int64_t), what);
        if (status == ENUF_SUCCESS)
            status = enuf_allocate(&cells->rest[d], padded, sizeof(double), what);
        if (status != ENUF_SUCCESS) {
            release_exact(cells);
            return status;
        }
        memset(cells->steps[d], 0, (size_t)padded * sizeof(int64_t));
        memset(cells->rest[d], 0, (size_t)padded * sizeof(double));
    }
    cells->exact_capacity = n;
    return ENUF_SUCCESS;
}

static enuf_status reserve_ghosts(enuf_cells *cells, int64_t n)
{
    if (n <= cells->ghost_capacity) return ENUF_SUCCESS;
    enuf_release(&cells->ghost_room);
    cells->ghost_capacity = 0;
    const int64_t padded = n + SIMD_BYTES;
    ENUF_TRY(enuf_allocate(&cells->ghost_room, padded, sizeof(double), "marks of ghosts"));
    memset(cells->ghost_room, 0, (size_t)padded * sizeof(double));
    cells->ghost_capacity = n;
    return ENUF_SUCCESS;
}

static enuf_status reserve_cells(enuf_cells *cells, int64_t n)
{
    if (n <= cells->cell_capacity) return ENUF_SUCCESS;
    enuf_release(&cells->first);
    cells->cell_capacity = 0;
    ENUF_TRY(enuf_allocate(&cells->first, n + 1, sizeof(int64_t), "cells"));
    cells->cell_capacity = n;
    return ENUF_SUCCESS;
}

static int ascending(const void *a, const void *b)
{
    int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    return (i > j) - (i < j);
}

/* Threads put atoms into a cell in any order; sorting by the caller's index makes the result
 * unique. */
static void order_cell(int64_t *atoms, int64_t n)
{
    enum { FEW = 32 };
    if (n > FEW) {
        qsort(atoms, (size_t)n, sizeof *atoms, ascending);
        return;
    }
    for (int64_t k = 1; k < n; k++) {
        int64_t atom = atoms[k], to = k;
        for (; to > 0 && atoms[to - 1] > atom; to--) atoms[to] = atoms[to - 1];
        atoms[to] = atom;
    }
}

/* Atoms of a cell are scattered in the caller's arrays: prefetches the atoms of the next cells. */
static inline void fetch_ahead(const enuf_cells *cells, const enuf_pair_request *request, int64_t a,
                               int64_t last)
{
    enum { AHEAD = 16 };
    const int64_t i = cells->original[a + AHEAD < last ? a + AHEAD : last];
    __builtin_prefetch(cells->local + 3 * i);
    __builtin_prefetch(cells->local + 3 * i + 2);
    __builtin_prefetch(request->charges + i);
}

typedef struct sort_loop {
    enuf_cells *cells;
    const enuf_pair_request *request;
    int skip, threads;
    enuf_fold fold;
    enuf_exact_fold exact_fold;
} sort_loop;

/* Finds the cell of each atom, and its place in the cell. */
static void count_atoms(void *context, int64_t begin, int64_t end, int thread)
{
    const sort_loop *loop = context;
    enuf_cells *cells = loop->cells;
    const enuf_pair_request *request = loop->request;
    int64_t *first = cells->first;
    const int alone = loop->threads == 1;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        if (loop->skip && request->charges[i] == 0) {
            cells->home[i] = -1;
            continue;
        }
        const double *position = request->positions + i * request->stride;
        const int64_t c = enuf_fold_atom(&loop->fold, position, cells->local + 3 * i);
        cells->home[i] = c;
        cells->place[i] = alone ? first[c]++ : __atomic_fetch_add(first + c, 1, __ATOMIC_RELAXED);
    }
}

/* Counts become the place of the first atom of each cell. */
static void prefix_sums(int64_t n_cells, int64_t *first)
{
    int64_t sum = 0;
    for (int64_t c = 0; c <= n_cells; c++) {
        int64_t here = first[c];
        first[c] = sum;
        sum += here;
    }
}

static void place_atoms(void *context, int64_t begin, int64_t end, int thread)
{
    const sort_loop *loop = context;
    const enuf_cells *cells = loop->cells;
    (void)thread;
    for (int64_t i = begin; i < end; i++)
        if (cells->home[i] >= 0)
            cells->original[cells->first[cells->home[i]] + cells->place[i]] = i;
}

static void copy_atoms(void *context, int64_t first_cell, int64_t end_cell, int thread)
{
    const sort_loop *loop = context;
    enuf_cells *cells = loop->cells;
    const enuf_pair_request *request = loop->request;
    const enuf_cell_grid *grid = &cells->grid;
    const int64_t *first = cells->first;
    (void)thread;
    for (int64_t c = first_cell; c < end_cell; c++) {
        const int64_t begin = first[c], end = first[c + 1];
        const double along = (double)(c % grid->count[0]);
        const int64_t index[3] = {c % grid->count[0], c / grid->count[0] % grid->count[1],
                                  c / (grid->count[0] * grid->count[1])};
        double corner[3];
        for (int d = 0; d < 3 && cells->exact; d++)
            corner[d] = (double)index[d] / (double)grid->count[d];
        order_cell(cells->original + begin, end - begin);
        for (int64_t a = begin; a < end; a++) {
            int64_t i = cells->original[a];
            fetch_ahead(cells, request, a, first[end_cell] - 1);
            cells->x[a] = cells->local[3 * i];
            cells->y[a] = cells->local[3 * i + 1];
            cells->z[a] = cells->local[3 * i + 2];
            cells->charge[a] = request->charges[i];
            cells->along[a] = along;
            if (cells->ghost) cells->ghost[a] = i >= request->n - request->n_ghosts;
            if (!cells->exact) continue;
            const enuf_exact_place place =
                enuf_exact_place_of(&loop->exact_fold, request->positions + i * request->stride,
                                    cells->local + 3 * i, corner);
            for (int d = 0; d < 3; d++) {
                cells->steps[d][a] = place.steps[d];
                cells->rest[d][a] = place.rest[d];
            }
        }
    }
}

/* Counting sort. */
static void sort(enuf_cells *cells, const enuf_pair_request *request, int skip, int threads)
{
    const enuf_cell_grid *grid = &cells->grid;
    sort_loop loop = {.cells = cells, .request = request, .skip = skip, .threads = threads};
    enuf_fold_make(grid, &loop.fold);
    if (cells->exact) enuf_exact_fold_make(grid, &loop.exact_fold);
    memset(cells->first, 0, (size_t)(grid->n_cells + 1) * sizeof *cells->first);
    enuf_parallel_for(threads, request->n, 0, count_atoms, &loop);
    prefix_sums(grid->n_cells, cells->first);
    enuf_parallel_for(threads, request->n, 0, place_atoms, &loop);
    enuf_parallel_for(threads, grid->n_cells, 0, copy_atoms, &loop);
}

enuf_status enuf_cells_build(enuf_cells *cells, const enuf_pair_request *request, int threads)
{
    ENUF_TRY(check_finite(request, threads));
    /* an atom without a charge has no force, but a potential and a field */
    int skip = !(request->wanted & (ENUF_WANT_POTENTIAL | ENUF_WANT_FIELD));
    int64_t n = 0;
    for (int64_t i = 0; i < request->n; i++) n += !(skip && request->charges[i] == 0);
    cells->n = 0;
    if (n == 0) return ENUF_SUCCESS;
    ENUF_TRY(make_grid(&cells->grid, request, n, threads));
    ENUF_TRY(reserve_atoms(cells, request->n));
    ENUF_TRY(reserve_cells(cells, cells->grid.n_cells));
    cells->exact = request->deterministic;
    if (cells->exact) ENUF_TRY(reserve_exact(cells, request->n));
    for (int d = 0; d < 3 && cells->exact; d++)
        cells->vector[d] = enuf_exact_vector(&cells->grid, d);
    if (request->n_ghosts > 0) ENUF_TRY(reserve_ghosts(cells, request->n));
    cells->ghost = request->n_ghosts > 0 ? cells->ghost_room : NULL;
    sort(cells, request, skip, threads);
    cells->n = n;
    return ENUF_SUCCESS;
}

int64_t enuf_cells_bytes(const enuf_cells *cells)
{
    return cells->capacity * 11 * 8 + cells->cell_capacity * 8 + cells->exact_capacity * 6 * 8 +
           cells->ghost_capacity * 8;
}

void enuf_cells_release(enuf_cells *cells)
{
    release_atoms(cells);
    release_exact(cells);
    enuf_release(&cells->first);
    enuf_release(&cells->ghost_room);
    cells->ghost = NULL;
    cells->cell_capacity = cells->ghost_capacity = 0;
}
