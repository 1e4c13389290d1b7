/*
 * pairs_slopes.c - the slopes of the pair sums along a direction: blocks of pairs_list.c, kernels,
 * and back to the caller. The order of every sum is the same for any number of threads
 * (pairs_rows.h). Source: docs/theory.md, section 1, "Second derivatives".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_slopes.h"
#include "lattice/tensor.h"
#include "pairs.h"
#include "pairs_columns.h"
#include "pairs_in_double.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* k = 3/r^5 - B of all hits. */
SIMD_INLINE void bend_hits(const kernel_hits *hits, const enuf_pair_bend *bend, double *k)
{
    for (int h = 0; h < hits->n; h += LANES) {
        const vd s = vd_load(hits->s + h), inside = vd_min(s, vd_set(BELOW_ONE));
        const vd piece = (inside * 8 - vd_set(0.5)) + vd_set(ROUNDER);
        const vd t = (s * 16 - vd_set(1)) - (piece - vd_set(ROUNDER)) * 2;
        const vd y = vd_rsqrt(s), y2 = y * y;
        vd b = vd_set(0);
        for (int c = bend->n - 1; c >= 0; c--) b = b * t + vd_lookup(bend->at[c], piece);
        vd_store(k + h, y2 * y2 * y * 3 - b);
    }
}

/* Adds the slopes of the hits of atom i to the sums of the list, and sets those of atom i. */
SIMD_INLINE void add_slopes(enuf_slope_block *s, int i, const kernel_hits *hits, const double *bend,
                            const double strain[9], const int moves, const int strains,
                            const int plain, vd *energy)
{
    const enuf_pair_block *b = &s->block;
    const vd x_i = vd_set(b->x_i[i]), y_i = vd_set(b->y_i[i]), z_i = vd_set(b->z_i[i]),
             q_i = vd_set(b->q_i[i]), w_i = vd_set(s->to_i[RECHARGED][i]);
    vd v_i[3], sum[SLOPE_SUMS];
    for (int a = 0; a < 3; a++) v_i[a] = vd_set(s->to_i[MOVED + a][i]);
    for (int c = 0; c < SLOPE_SUMS; c++) sum[c] = vd_set(0);
    for (int h = 0, packed = 0; h < hits->n_vectors; h++) {
        const int j = hits->vector[h];
        const vd_mask lanes = hits->lanes[h];
        const vd d[3] = {x_i - vd_load(b->x + j), y_i - vd_load(b->y + j), z_i - vd_load(b->z + j)};
        const vd q_j = vd_load(b->q + j), w_j = vd_load(s->to[RECHARGED] + j);
        const vd g = vd_unpack(hits->g + packed, lanes), l = vd_unpack(hits->l + packed, lanes);
        const vd both = q_i * q_j, both_g = both * g, changed = w_i * q_j + q_i * w_j;
        vd along = changed * g, delta[3], l_slope = vd_set(0);
        if (moves) {
            const vd k = vd_unpack(bend + packed, lanes);
            for (int a = 0; a < 3; a++) delta[a] = v_i[a] - vd_load(s->to[MOVED + a] + j);
            for (int a = 0; a < 3 && strains; a++)
                delta[a] += d[0] * strain[a] + d[1] * strain[3 + a] + d[2] * strain[6 + a];
            const vd projected = d[0] * delta[0] + d[1] * delta[1] + d[2] * delta[2];
            along -= both * k * projected;
            l_slope = -g * projected;
        }
        for (int a = 0; a < 3; a++) {
            vd slope = along * d[a];
            if (moves) slope += both_g * delta[a];
            sum[SLOPE_FORCE + a] += slope;
            add_to(s->sum_j[SLOPE_FORCE + a] + j, -slope);
            if (!plain) continue;
            const vd force = both_g * d[a];
            sum[SLOPE_PLAIN + a] += force;
            add_to(s->sum_j[SLOPE_PLAIN + a] + j, -force);
        }
        sum[SLOPE_POTENTIAL] += w_j * l + q_j * l_slope;
        add_to(s->sum_j[SLOPE_POTENTIAL] + j, w_i * l + q_i * l_slope);
        *energy += changed * l + both * l_slope;
        packed += vd_count(lanes);
    }
    for (int c = 0; c < SLOPE_SUMS; c++) s->sum_i[c][i] = vd_sum(sum[c]);
}

SIMD_INLINE void slope_kernel(enuf_slope_block *s, const enuf_slope_functions *f, const int moves,
                              const int strains, const int plain)
{
    enuf_pair_block *b = &s->block;
    const kernel_block view = view_of(b);
    const enuf_pair_polynomials *p = f->polynomials;
    kernel_hits hits;
    PAIR_ALIGNED double bend[PAIR_LIST + PAIR_PADDING];
    vd closest = vd_set(1), energy = vd_set(0);
    for (int c = 0; c < (plain ? SLOPE_SUMS : SLOPE_PLAIN); c++)
        memset(s->sum_j[c], 0, (size_t)(b->n_j + PAIR_PADDING) * sizeof(double));
    for (int i = 0; i < b->n_i; i++) {
        find_hits(&view, i, &hits);
        evaluate_hits(&hits, p->n_both, p->force, p->energy, 1, 1, &closest);
        if (moves) bend_hits(&hits, f->bend, bend);
        add_slopes(s, i, &hits, bend, f->strain, moves, strains, plain, &energy);
    }
    s->energy = vd_sum(energy);
    b->closest = vd_least(closest);
}

typedef void (*slope_kernel_of)(enuf_slope_block *s, const enuf_slope_functions *f);

static void charges_alone(enuf_slope_block *s, const enuf_slope_functions *f)
{
    slope_kernel(s, f, 0, 0, 0);
}

static void moves_alone(enuf_slope_block *s, const enuf_slope_functions *f)
{
    slope_kernel(s, f, 1, 0, 0);
}

static void strains_alone(enuf_slope_block *s, const enuf_slope_functions *f)
{
    slope_kernel(s, f, 1, 1, 0);
}

static void with_forces(enuf_slope_block *s, const enuf_slope_functions *f)
{
    slope_kernel(s, f, 1, 1, 1);
}

/* Slopes of a column's totals: energy, U, sum F_a v_b and W. */
typedef struct slope_column {
    double energy, product[9], stretch[9], virial[9];
} slope_column;

typedef struct slope_loop {
    enuf_pairs *pairs;
    const enuf_pair_request *request;
    const enuf_pair_direction *direction;
    enuf_slope_functions functions;
    slope_kernel_of kernel;
    enuf_pair_slopes *slopes;
} slope_loop;

typedef struct column_work {
    const slope_loop *loop;
    enuf_pair_column *column;
    slope_column *totals;
} column_work;

/* The direction of the block's atoms, from sorted order [n][DIRECTIONS]. */
static void fetch_direction(const double *sorted, enuf_slope_block *s)
{
    const enuf_pair_block *b = &s->block;
    for (int k = 0; k < b->n_i; k++)
        for (int c = 0; c < DIRECTIONS; c++)
            s->to_i[c][k] = sorted[DIRECTIONS * (b->first + k) + c];
    for (int k = 0; k < b->n_j; k++)
        for (int c = 0; c < DIRECTIONS; c++) s->to[c][k] = sorted[DIRECTIONS * b->atom[k] + c];
    for (int c = 0; c < DIRECTIONS; c++)
        memset(s->to[c] + b->n_j, 0, PAIR_PADDING * sizeof(double));
}

/* tensor_ab += sum over n atoms of f_a r_b. A sum over pairs of f_a d_b is such a sum, r from the
 * corner of the group's cell, as in pairs.c. */
static void add_tensor(const double *const f[3], const double *const r[3], int n, double tensor[9])
{
    vd sum[9];
    for (int c = 0; c < 9; c++) sum[c] = vd_set(0);
    for (int k = 0; k < n; k += VD_LANES) {
        const vd_mask inside = vd_first(n - k);
        for (int a = 0; a < 3; a++) {
            const vd force = vd_keep(inside, vd_load(f[a] + k));
            for (int b = 0; b < 3; b++)
                sum[3 * a + b] += force * vd_keep(inside, vd_load(r[b] + k));
        }
    }
    for (int c = 0; c < 9; c++) tensor[c] += vd_sum(sum[c]);
}

static void add_tensors(const enuf_slope_block *s, slope_column *totals)
{
    const enuf_pair_block *b = &s->block;
    const double *const of_i[3] = {b->x_i, b->y_i, b->z_i}, *const of_j[3] = {b->x, b->y, b->z};
    const double *const v_i[3] = {s->to_i[0], s->to_i[1], s->to_i[2]};
    const double *const v_j[3] = {s->to[0], s->to[1], s->to[2]};
    const double *df_i[3], *df_j[3], *f_i[3], *f_j[3];
    for (int a = 0; a < 3; a++) {
        df_i[a] = s->sum_i[SLOPE_FORCE + a];
        df_j[a] = s->sum_j[SLOPE_FORCE + a];
        f_i[a] = s->sum_i[SLOPE_PLAIN + a];
        f_j[a] = s->sum_j[SLOPE_PLAIN + a];
    }
    add_tensor(df_i, of_i, b->n_i, totals->product);
    add_tensor(df_j, of_j, b->n_j, totals->product);
    add_tensor(f_i, v_i, b->n_i, totals->stretch);
    add_tensor(f_j, v_j, b->n_j, totals->stretch);
    add_tensor(f_i, of_i, b->n_i, totals->virial);
    add_tensor(f_j, of_j, b->n_j, totals->virial);
}

static void sum_block(enuf_pair_block *b, void *context)
{
    const column_work *work = context;
    enuf_slope_block *s = (enuf_slope_block *)b; /* its first member */
    double *sums = work->loop->pairs->slopes.at;
    fetch_direction(work->loop->pairs->direction.at, s);
    work->loop->kernel(s, &work->loop->functions);
    work->column->closest = fmin(work->column->closest, b->closest);
    work->totals->energy += s->energy;
    for (int k = 0; k < b->n_i; k++)
        for (int c = 0; c < SLOPE_PLAIN; c++)
            sums[SLOPE_PLAIN * (b->first + k) + c] += s->sum_i[c][k];
    for (int k = 0; k < b->n_j; k++)
        for (int c = 0; c < SLOPE_PLAIN; c++) sums[SLOPE_PLAIN * b->atom[k] + c] += s->sum_j[c][k];
    if (work->loop->direction->with_virial) add_tensors(s, work->totals);
}

static void sum_column(enuf_pairs *pairs, int64_t at, int thread, const void *context)
{
    const slope_loop *loop = context;
    enuf_slope_block *block = (enuf_slope_block *)pairs->slope_blocks.at + thread;
    enuf_pair_column *column = (enuf_pair_column *)pairs->columns.at + at;
    slope_column *totals = (slope_column *)pairs->slope_columns.at + at;
    column_work work = {loop, column, totals};
    memset(totals, 0, sizeof *totals);
    *column = (enuf_pair_column){.closest = 1};
    enuf_pair_column_blocks(&pairs->cells, &pairs->rows, at, &block->block, sum_block, &work);
}

static void sort_some(void *context, int64_t begin, int64_t end, int thread)
{
    const slope_loop *loop = context;
    const enuf_pair_direction *direction = loop->direction;
    const double per_cutoff = 1 / loop->request->table->cutoff;
    double *sorted = loop->pairs->direction.at;
    (void)thread;
    for (int64_t a = begin; a < end; a++) {
        const int64_t i = loop->pairs->cells.original[a];
        double *to = sorted + DIRECTIONS * a;
        for (int d = 0; d < 3; d++)
            to[MOVED + d] = direction->moved ? per_cutoff * direction->moved[3 * i + d] : 0;
        to[RECHARGED] = direction->charges ? direction->charges[i] : 0;
    }
}

static void hand_out_some(void *context, int64_t begin, int64_t end, int thread)
{
    const slope_loop *loop = context;
    const double unit = 1 / loop->request->table->cutoff, force_unit = unit * unit;
    const double *sums = loop->pairs->slopes.at;
    (void)thread;
    for (int64_t a = begin; a < end; a++) {
        const int64_t i = loop->pairs->cells.original[a];
        const double *sum = sums + SLOPE_PLAIN * a;
        for (int d = 0; d < 3; d++)
            loop->slopes->forces[3 * i + d] += force_unit * sum[SLOPE_FORCE + d];
        loop->slopes->potential[i] += unit * sum[SLOPE_POTENTIAL];
    }
}

static void add_totals(const slope_loop *loop)
{
    static const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    const double unit = 1 / loop->request->table->cutoff, *strain = loop->functions.strain;
    const int64_t *count = loop->pairs->cells.grid.count;
    const slope_column *columns = loop->pairs->slope_columns.at;
    slope_column all = {0};
    for (int64_t c = 0; c < count[1] * count[2]; c++) {
        all.energy += columns[c].energy;
        for (int k = 0; k < 9; k++) {
            all.product[k] += columns[c].product[k];
            all.stretch[k] += columns[c].stretch[k];
            all.virial[k] += columns[c].virial[k];
        }
    }
    loop->slopes->energy += unit * all.energy;
    for (int k = 0; k < 9; k++) loop->slopes->product[k] += unit * all.product[k];
    for (int c = 0; c < 6; c++) {
        const int a = row[c], b = column[c];
        double stretched = all.stretch[3 * a + b];
        for (int d = 0; d < 3; d++) stretched += all.virial[3 * a + d] * strain[3 * d + b];
        loop->slopes->virial[c] += unit * (all.product[3 * a + b] + stretched);
    }
}

static enuf_status reserve(enuf_pairs *pairs, int threads)
{
    const int64_t n = pairs->cells.n, *count = pairs->cells.grid.count;
    const size_t sums = SLOPE_PLAIN * sizeof(double);
    ENUF_TRY(enuf_array_reserve(&pairs->columns, count[1] * count[2], sizeof(enuf_pair_column),
                                "sums of columns"));
    ENUF_TRY(enuf_array_reserve(&pairs->slope_columns, count[1] * count[2], sizeof(slope_column),
                                "slopes of columns"));
    ENUF_TRY(enuf_array_reserve(&pairs->slope_blocks, threads, sizeof(enuf_slope_block),
                                "lists of neighbours"));
    ENUF_TRY(enuf_array_reserve(&pairs->blocks, threads, sizeof(enuf_pair_block),
                                "lists of neighbours"));
    ENUF_TRY(enuf_array_reserve(&pairs->direction, n, DIRECTIONS * sizeof(double), "a direction"));
    ENUF_TRY(enuf_array_reserve(&pairs->slopes, n, sums, "slopes of atoms"));
    memset(pairs->slopes.at, 0, (size_t)n * sums);
    return ENUF_SUCCESS;
}

static slope_kernel_of kernel_for(const enuf_pair_direction *direction)
{
    if (direction->with_virial) return with_forces;
    if (!direction->moved) return charges_alone;
    return direction->strain ? strains_alone : moves_alone;
}

enuf_status enuf_pairs_differentiate_cpu(enuf_pairs *pairs, const enuf_pair_request *request,
                                         const enuf_pair_direction *direction,
                                         enuf_pair_slopes *slopes)
{
    const int threads = enuf_pairs_threads(request);
    enuf_pair_request plain = *request;
    plain.deterministic = 0;
    ENUF_TRY(enuf_cells_build(&pairs->cells, &plain, threads));
    if (pairs->cells.n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_pair_rows_make(&pairs->rows, &pairs->cells.grid));
    ENUF_TRY(reserve(pairs, threads));
    enuf_pairs_make_polynomials(request->table, &pairs->polynomials);
    slope_loop loop = {.pairs = pairs,
                       .request = request,
                       .direction = direction,
                       .functions = {.polynomials = &pairs->polynomials, .bend = direction->bend},
                       .kernel = kernel_for(direction),
                       .slopes = slopes};
    for (int k = 0; k < 9 && direction->strain; k++)
        loop.functions.strain[k] = direction->strain[k];
    enuf_parallel_for(threads, pairs->cells.n, 0, sort_some, &loop);
    enuf_pairs_sum_columns(pairs, threads, sum_column, &loop);
    double closest;
    ENUF_TRY(enuf_pairs_check_closest(pairs, request, &closest));
    enuf_parallel_for(threads, pairs->cells.n, 0, hand_out_some, &loop);
    add_totals(&loop);
    return ENUF_SUCCESS;
}
