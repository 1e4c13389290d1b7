/*
 * type1.c - the direct sum of type 1: modes[m] = sum_j strengths[j] exp(sign 2 pi i m . s_j).
 *
 * Points are taken in blocks. The phases of a block are tabulated axis by axis; then every run of
 * ENUF_LANES modes along axis 1 is summed by one thread, always in the same order.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "accumulate.h"
#include "memory.h"
#include "parallel.h"
#include "phases.h"
#include "kernels.h"

#include <string.h>

enum { BLOCK = 512 };          /* points whose phases are held at a time, */
enum { TABLE_MOST = 1 << 22 }; /* or fewer, so that the tables stay below so many numbers */

/* Phases of a block of points: along axis 1 [point][padded], along axes 2, 3 [point][n] complex. */
typedef struct phase_tables {
    int64_t block;
    int64_t padded; /* n[0] rounded up to a multiple of ENUF_LANES */
    double *re;
    double *im;
    double *across[2];
} phase_tables;

typedef struct type1_sum {
    const enuf_direct_problem *problem;
    phase_tables tables;
    int64_t rows;        /* runs of modes along axis 1 */
    int64_t chunks;      /* of ENUF_LANES modes in a row */
    double *s;           /* [n][dim] */
    double *strengths;   /* [batch][n] complex */
    enuf_totals *totals; /* [batch][rows][chunks] */
} type1_sum;

static void release(type1_sum *sum)
{
    enuf_release(&sum->tables.re);
    enuf_release(&sum->tables.im);
    enuf_release(&sum->tables.across[0]);
    enuf_release(&sum->tables.across[1]);
    enuf_release(&sum->s);
    enuf_release(&sum->strengths);
    enuf_release(&sum->totals);
}

static enuf_status allocate(type1_sum *sum, int64_t n)
{
    const enuf_direct_problem *problem = sum->problem;
    phase_tables *tables = &sum->tables;
    sum->chunks = (problem->n[0] + ENUF_LANES - 1) / ENUF_LANES;
    sum->rows = problem->n[1] * problem->n[2];
    tables->padded = sum->chunks * ENUF_LANES;
    tables->block = BLOCK;
    while (tables->block > 1 && tables->block * tables->padded > TABLE_MOST) tables->block /= 2;
    ENUF_TRY(enuf_allocate(&sum->s, n * problem->dim, sizeof(double), "fractional coordinates"));
    ENUF_TRY(enuf_allocate(&sum->strengths, problem->batch * n, 2 * sizeof(double), "strengths"));
    ENUF_TRY(enuf_allocate(&sum->totals, problem->batch * sum->rows * sum->chunks,
                           sizeof(enuf_totals), "sums of the modes"));
    ENUF_TRY(enuf_allocate(&tables->re, tables->block * tables->padded, sizeof(double), "phases"));
    ENUF_TRY(enuf_allocate(&tables->im, tables->block * tables->padded, sizeof(double), "phases"));
    for (int d = 1; d < 3; ++d)
        ENUF_TRY(enuf_allocate(&tables->across[d - 1], tables->block * problem->n[d],
                               2 * sizeof(double), "phases"));
    return ENUF_SUCCESS;
}

static void tabulate(const type1_sum *sum, int64_t slot, const double *s)
{
    const enuf_direct_problem *problem = sum->problem;
    const phase_tables *tables = &sum->tables;
    double *re = tables->re + slot * tables->padded;
    double *im = tables->im + slot * tables->padded;
    for (int64_t i = 0; i < problem->n[0]; ++i)
        enuf_unit_phase(enuf_direct_mode(problem, 0, i), problem->sign * s[0], &re[i], &im[i]);
    for (int64_t i = problem->n[0]; i < tables->padded; ++i) re[i] = im[i] = 0.0;
    for (int d = 1; d < 3; ++d)
        for (int64_t i = 0; i < problem->n[d]; ++i) {
            double *phase = tables->across[d - 1] + 2 * (slot * problem->n[d] + i);
            double coordinate = d < problem->dim ? s[d] : 0.0;
            enuf_unit_phase(enuf_direct_mode(problem, d, i), problem->sign * coordinate, &phase[0],
                            &phase[1]);
        }
}

/* One run of modes, the points of one block. */
static void add_block(const type1_sum *sum, int64_t points, const double *strengths, int64_t row,
                      int64_t chunk, enuf_totals *totals)
{
    const enuf_direct_problem *problem = sum->problem;
    const phase_tables *tables = &sum->tables;
    int64_t n2 = problem->n[1];
    int64_t n3 = problem->n[2];
    double a[2 * BLOCK];
    for (int64_t j = 0; j < points; ++j) {
        const double *e2 = tables->across[0] + 2 * (j * n2 + row % n2);
        const double *e3 = tables->across[1] + 2 * (j * n3 + row / n2);
        double re = e2[0] * e3[0] - e2[1] * e3[1];
        double im = e2[0] * e3[1] + e2[1] * e3[0];
        a[2 * j] = strengths[2 * j] * re - strengths[2 * j + 1] * im;
        a[2 * j + 1] = strengths[2 * j] * im + strengths[2 * j + 1] * re;
    }
    enuf_accumulate(points, a, tables->re + chunk * ENUF_LANES, tables->im + chunk * ENUF_LANES,
                    tables->padded, totals);
}

/* A block of points. */
typedef struct block_loop {
    const type1_sum *sum;
    int64_t n, first, points;
} block_loop;

static void tabulate_points(void *context, int64_t j, int64_t end, int thread)
{
    const block_loop *loop = context;
    (void)thread;
    for (; j < end; ++j)
        tabulate(loop->sum, j, loop->sum->s + (loop->first + j) * loop->sum->problem->dim);
}

static void add_to_runs(void *context, int64_t run, int64_t end, int thread)
{
    const block_loop *loop = context;
    const type1_sum *sum = loop->sum;
    const int64_t runs = sum->rows * sum->chunks;
    (void)thread;
    for (; run < end; ++run) {
        const double *strengths = sum->strengths + 2 * (run / runs * loop->n + loop->first);
        add_block(sum, loop->points, strengths, run % runs / sum->chunks, run % sum->chunks,
                  &sum->totals[run]);
    }
}

static void add_points(const type1_sum *sum, int64_t n)
{
    const enuf_direct_problem *problem = sum->problem;
    const int64_t runs = sum->rows * sum->chunks, block = sum->tables.block;
    for (int64_t first = 0; first < n; first += block) {
        block_loop loop = {sum, n, first, n - first < block ? n - first : block};
        enuf_parallel_for(problem->threads, loop.points, 0, tabulate_points, &loop);
        enuf_parallel_for(problem->threads, problem->batch * runs, 0, add_to_runs, &loop);
    }
}

static void store(const type1_sum *sum, void *modes)
{
    const enuf_direct_problem *problem = sum->problem;
    for (int64_t at = 0; at < problem->batch * problem->modes; ++at) {
        int64_t i = at % problem->n[0];
        const enuf_totals *totals = &sum->totals[at / problem->n[0] * sum->chunks + i / ENUF_LANES];
        int paired = !enuf_direct_unpaired(problem, at % problem->modes);
        double re = enuf_carried_value(totals->re[i % ENUF_LANES]);
        double im = enuf_carried_value(totals->im[i % ENUF_LANES]);
        enuf_direct_store(problem, modes, 2 * at, paired ? re : 0.0);
        enuf_direct_store(problem, modes, 2 * at + 1, paired ? im : 0.0);
    }
}

static enuf_status compute(type1_sum *sum, const enuf_direct_points *points, const void *strengths,
                           void *modes)
{
    const enuf_direct_problem *problem = sum->problem;
    ENUF_TRY(allocate(sum, points->n));
    memset(sum->totals, 0,
           (size_t)(problem->batch * sum->rows * sum->chunks) * sizeof(enuf_totals));
    ENUF_TRY(enuf_direct_fractions(problem, points, sum->s));
    ENUF_TRY(enuf_direct_load(problem, "strengths", strengths, !problem->real, 0,
                              problem->batch * points->n, sum->strengths));
    add_points(sum, points->n);
    store(sum, modes);
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_sum_type1(const enuf_direct_problem *problem,
                                  const enuf_direct_points *points, const void *strengths,
                                  void *modes)
{
    type1_sum sum = {.problem = problem};
    enuf_status status = compute(&sum, points, strengths, modes);
    release(&sum);
    return status;
}
