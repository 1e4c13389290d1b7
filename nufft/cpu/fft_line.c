/*
 * fft_line.c - the FFT of a long grid of 1D, by all threads.
 *
 * The N = R C numbers are a matrix x[a][b], n = a C + b, of R rows and C columns. With w_N =
 * exp(+-2 pi i/N) and f = k + R l,
 *
 *   X(k + R l) = sum_b w_C^(b l) w_N^(b k) sum_a w_R^(a k) x[a][b]:
 *
 * the columns are transformed, each number times its root of unity, then the rows. X(k + R l)
 * stands in row k, column l (enuf_fft_place). The inverse takes the steps in reverse and needs no
 * transposition either (the four-step method: Bailey 1990, J. Supercomputing 4, 23).
 *
 * Real numbers are taken as N/2 complex ones, z(j) = x(2j) + i x(2j+1); X follows from Z(f) and
 * Z(N/2 - f), as in Press et al., Numerical Recipes, 12.3.2.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"
#include "real.h"

#include <math.h>

/* Shorter grids are one transform; so are grids without a fold that has as many rows and
 * columns as this. So is every grid on one thread: a transform of 1,000,000 modes takes a third
 * more time there if it is folded (complex, 0.1 and 1 point a mode; EPYC, November 2026).
 * `deterministic` must not depend on the number of threads. */
static const int64_t SHORTEST = 16384, LEAST_SIDE = 32;

static const double two_pi = 6.283185307179586476925;

/* The divisor of n next to its root, such that the other one is even: rows then begin at addresses
 * that suit vectors. 0: none. */
static int64_t divisor(int64_t n)
{
    for (int64_t d = (int64_t)sqrt((double)n); d >= LEAST_SIDE; d--)
        if (n % d == 0 && n / d % 2 == 0) return d;
    return 0;
}

/* Roots exp(2 pi i k step/period). */
static enuf_status make_roots(int64_t n, double step, int64_t period, double **roots)
{
    ENUF_TRY(enuf_allocate(roots, 2 * n, sizeof(double), "roots of unity"));
    for (int64_t k = 0; k < n; k++) {
        const double angle = two_pi * ((double)k * step / (double)period);
        (*roots)[2 * k] = cos(angle);
        (*roots)[2 * k + 1] = sin(angle);
    }
    return ENUF_SUCCESS;
}

enuf_status ENUF_SUFFIXED(enuf_cpu_line_fold)(const enuf_nufft *plan, enuf_fft_fold *fold)
{
    const int64_t grid = plan->method.grid[0], n = plan->real ? grid / 2 : grid;
    if (plan->options.dim > 1 || grid < SHORTEST || (plan->real && grid % 2)) return ENUF_SUCCESS;
    if (plan->threads == 1 || plan->options.deterministic) return ENUF_SUCCESS;
    fold->rows = divisor(n);
    if (fold->rows == 0) return ENUF_SUCCESS;
    fold->columns = n / fold->rows;
    fold->period = grid;
    while (((int64_t)1 << 2 * fold->fine_log2) < grid) fold->fine_log2++;
    const int64_t fine = (int64_t)1 << fold->fine_log2;
    ENUF_TRY(make_roots(fine, 1, grid, &fold->fine));
    return make_roots(grid / fine + 1, (double)fine, grid, &fold->coarse);
}

void ENUF_SUFFIXED(enuf_cpu_line_passes)(const enuf_nufft *plan, const enuf_fft_fold *fold,
                                         int sign, enuf_fft_batch passes[ENUF_PASSES])
{
    const enuf_cpu *cpu = plan->workspace;
    const int64_t columns = fold->columns;
    const enuf_fft_batch row = {.kind = ENUF_FFT_COMPLEX,
                                .sign = sign,
                                .n = columns,
                                .lines = 1,
                                .in_stride = 1,
                                .out_stride = 1,
                                .in_distance = columns,
                                .out_distance = columns,
                                .in = cpu->grid,
                                .out = cpu->grid};
    enuf_fft_batch down = row;
    down.n = fold->rows;
    down.in_stride = down.out_stride = columns;
    down.in_distance = down.out_distance = 1;
    passes[ENUF_PASS_ROWS] = row;
    down.lines = ENUF_FFT_COLUMNS;
    passes[ENUF_PASS_COLUMNS] = down;
    down.lines = columns % ENUF_FFT_COLUMNS;
    passes[ENUF_PASS_REST] = down;
}

/* exp(2 pi i e/period), 0 <= e < period. */
static inline void root(const enuf_fft_fold *fold, int64_t e, double w[2])
{
    const double *a = fold->coarse + 2 * (e >> fold->fine_log2);
    const double *b = fold->fine + 2 * (e & (((int64_t)1 << fold->fine_log2) - 1));
    w[0] = a[0] * b[0] - a[1] * b[1];
    w[1] = a[0] * b[1] + a[1] * b[0];
}

typedef struct line_loop {
    const enuf_nufft *plan;
    const enuf_fft_fold *fold;
    const enuf_fft_lines *passes;
    real *cells;
    int sign, backward;
} line_loop;

/* Columns [from, from + n) times the roots w_N^(b k). */
static void multiply_by_roots(const line_loop *loop, int64_t from, int64_t n)
{
    const enuf_fft_fold *fold = loop->fold;
    const int64_t step = fold->period / (fold->rows * fold->columns);
    for (int64_t k = 1; k < fold->rows; k++) {
        real *row = loop->cells + 2 * k * fold->columns;
        for (int64_t b = from; b < from + n; b++) {
            double w[2];
            root(fold, b * k * step, w);
            const double re = (double)row[2 * b], im = (double)row[2 * b + 1];
            const double sine = loop->sign * w[1];
            row[2 * b] = (real)(re * w[0] - im * sine);
            row[2 * b + 1] = (real)(re * sine + im * w[0]);
        }
    }
}

static void execute(const line_loop *loop, enuf_fft_pass pass, void *at, int thread)
{
    const int k = (int)pass + (loop->backward ? ENUF_PASSES : 0);
    enuf_fft_execute(loop->passes, k, at, at, thread);
}

static void transform_columns(void *context, int64_t block, int64_t end, int thread)
{
    const line_loop *loop = context;
    const int64_t columns = loop->fold->columns;
    for (; block < end; block++) {
        const int64_t from = block * ENUF_FFT_COLUMNS, left = columns - from;
        const int is_rest = left < ENUF_FFT_COLUMNS;
        if (loop->backward) multiply_by_roots(loop, from, is_rest ? left : ENUF_FFT_COLUMNS);
        execute(loop, is_rest ? ENUF_PASS_REST : ENUF_PASS_COLUMNS, loop->cells + 2 * from, thread);
        if (!loop->backward) multiply_by_roots(loop, from, is_rest ? left : ENUF_FFT_COLUMNS);
    }
}

static void transform_rows(void *context, int64_t k, int64_t end, int thread)
{
    const line_loop *loop = context;
    for (; k < end; k++)
        execute(loop, ENUF_PASS_ROWS, loop->cells + 2 * k * loop->fold->columns, thread);
}

/* Z(f) and Z(M - f), M = N/2, become X(f) and X(M - f), or the other way. */
static inline void join(real *at, real *mirror, const double w[2], int backward)
{
    const double even[2] = {(double)at[0] + (double)mirror[0], (double)at[1] - (double)mirror[1]};
    const double odd[2] = {(double)at[0] - (double)mirror[0], (double)at[1] + (double)mirror[1]};
    /* forward -i exp(-2 pi i f/N) odd, backward i exp(2 pi i f/N) odd */
    double turned[2] = {odd[1] * w[0] - odd[0] * w[1], -(odd[0] * w[0] + odd[1] * w[1])};
    if (backward) {
        turned[0] = -(odd[0] * w[1] + odd[1] * w[0]);
        turned[1] = odd[0] * w[0] - odd[1] * w[1];
    }
    const double part = backward ? 1 : 0.5;
    at[0] = (real)(part * (even[0] + turned[0]));
    at[1] = (real)(part * (even[1] + turned[1]));
    mirror[0] = (real)(part * (even[0] - turned[0]));
    mirror[1] = (real)(part * (turned[1] - even[1]));
}

/* Rows k and R - k hold the frequencies f and M - f; row 0 holds both. */
static void join_rows(void *context, int64_t k, int64_t end, int thread)
{
    const line_loop *loop = context;
    const enuf_fft_fold *fold = loop->fold;
    const int64_t rows = fold->rows, columns = fold->columns;
    (void)thread;
    for (; k < end; k++) {
        const int64_t mirror = k == 0 ? 0 : rows - k;
        const int64_t l_end = k == mirror || k == 0 ? (columns + (k != 0)) / 2 : columns;
        real *row = loop->cells + 2 * k * columns, *other = loop->cells + 2 * mirror * columns;
        for (int64_t l = k == 0; l < l_end + (k == 0); l++) {
            const int64_t opposite = k == 0 ? columns - l : columns - 1 - l;
            double w[2];
            root(fold, k + rows * l, w);
            join(row + 2 * l, other + 2 * opposite, w, loop->backward);
        }
    }
}

/* Frequencies 0 and M. Forward: Z(0) holds both. */
static void join_ends(const line_loop *loop)
{
    const int64_t n = loop->fold->rows * loop->fold->columns;
    real *first = loop->cells, *last = loop->cells + 2 * n;
    const real a = first[0], b = loop->backward ? last[0] : first[1];
    first[0] = a + b;
    first[1] = loop->backward ? a - b : 0;
    if (loop->backward) return;
    last[0] = a - b;
    last[1] = 0;
}

void ENUF_SUFFIXED(enuf_cpu_line_transform)(const enuf_nufft *plan, int backward, void *cells)
{
    const enuf_cpu *cpu = plan->workspace;
    const enuf_fft_fold *fold = &cpu->fft.fold;
    /* real: forward has the sign -1, backward +1 */
    const int sign =
        plan->real ? (backward ? 1 : -1) : (backward ? plan->type2_sign : plan->options.sign);
    line_loop loop = {.plan = plan,
                      .fold = fold,
                      .passes = cpu->fft.passes,
                      .cells = cells,
                      .sign = sign,
                      .backward = backward};
    const int64_t blocks = (fold->columns + ENUF_FFT_COLUMNS - 1) / ENUF_FFT_COLUMNS;
    const int64_t pairs = fold->rows / 2 + 1;
    if (backward) {
        if (plan->real) {
            join_ends(&loop);
            enuf_parallel_for(plan->threads, pairs, 0, join_rows, &loop);
        }
        enuf_parallel_for(plan->threads, fold->rows, 0, transform_rows, &loop);
        enuf_parallel_for(plan->threads, blocks, 0, transform_columns, &loop);
        return;
    }
    enuf_parallel_for(plan->threads, blocks, 0, transform_columns, &loop);
    enuf_parallel_for(plan->threads, fold->rows, 0, transform_rows, &loop);
    if (!plan->real) return;
    enuf_parallel_for(plan->threads, pairs, 0, join_rows, &loop);
    join_ends(&loop);
}
