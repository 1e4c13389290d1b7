/*
 * exact_modes_cpu.c - modes of exact sums on the CPU, one mode and one atom at a time.
 *
 * Phases exp(2 pi i m s) come from tables along each axis, made for a block of atoms at a time:
 * each entry has its own sine and cosine of a product reduced in long double; a recurrence would
 * accumulate errors. Structure factors are summed over a block, then over blocks; targets over a
 * row of modes, then over rows.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_cpu.h"
#include "exact_mode_kernels.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692;

ENUF_DEFINE_TABLE_OF(enuf_exact_kernels, enuf_exact_kernels)

static enuf_status find_kernels(const enuf_exact_system *system, const enuf_exact_kernels **kernels)
{
    enuf_isa isa;
    ENUF_TRY(enuf_isa_find(system->isa, &isa));
    *kernels = enuf_exact_kernels_of(isa);
    return ENUF_SUCCESS;
}

/* ---- Phases ---- */

static void release_tables(int n_tables, enuf_exact_phases **tables)
{
    for (int t = 0; *tables && t < n_tables; t++)
        for (int d = 0; d < 3; d++) {
            enuf_release(&(*tables)[t].cosine[d]);
            enuf_release(&(*tables)[t].sine[d]);
        }
    enuf_release(tables);
}

static enuf_status allocate_phases(const enuf_mode_rows *modes, enuf_exact_phases *table)
{
    for (int d = 0; d < 3; d++) {
        int64_t count = (2 * modes->largest[d] + 1) * ENUF_EXACT_BLOCK;
        ENUF_TRY(enuf_allocate(&table->cosine[d], count, sizeof(double), "phases"));
        ENUF_TRY(enuf_allocate(&table->sine[d], count, sizeof(double), "phases"));
    }
    return ENUF_SUCCESS;
}

/* Release them after an error too. */
static enuf_status allocate_tables(const enuf_mode_rows *modes, int n_tables,
                                   enuf_exact_phases **tables)
{
    ENUF_TRY(enuf_allocate(tables, n_tables, sizeof **tables, "phases"));
    memset(*tables, 0, (size_t)n_tables * sizeof **tables);
    for (int t = 0; t < n_tables; t++) ENUF_TRY(allocate_phases(modes, &(*tables)[t]));
    return ENUF_SUCCESS;
}

/* Fills one m >= 0 and -m of one axis for `count` atoms, whose fractions are s[j][3]. */
static void fill_phase(const enuf_mode_rows *modes, int d, int64_t m, int count,
                       const long double *s, enuf_exact_phases *table)
{
    int64_t plus = (modes->largest[d] + m) * ENUF_EXACT_BLOCK,
            minus = (modes->largest[d] - m) * ENUF_EXACT_BLOCK;
    for (int j = 0; j < count; j++) {
        long double turns = m * s[3 * j + d];
        double angle = two_pi * (double)(turns - rintl(turns));
        double c = cos(angle), i = sin(angle);
        table->cosine[d][plus + j] = table->cosine[d][minus + j] = c;
        table->sine[d][plus + j] = i;
        table->sine[d][minus + j] = m == 0 ? i : -i;
    }
}

/* ---- Structure factors ---- */

/* A block of atoms: threads share its tables and each takes rows. */
typedef struct block_loop {
    const enuf_mode_rows *modes;
    enuf_exact_phases *table;
    int count, axis;
    const long double *s;
    const double *charges;
    double *factors;
    const enuf_exact_kernels *kernels;
} block_loop;

static void fill_phases(void *context, int64_t m, int64_t end, int thread)
{
    const block_loop *loop = context;
    (void)thread;
    for (; m < end; m++) fill_phase(loop->modes, loop->axis, m, loop->count, loop->s, loop->table);
}

static void add_rows(void *context, int64_t r, int64_t end, int thread)
{
    const block_loop *loop = context;
    const enuf_mode_rows *modes = loop->modes;
    (void)thread;
    for (; r < end; r++)
        loop->kernels->add_row(modes, &modes->rows[r], loop->count, loop->table, loop->charges,
                               loop->factors);
}

static void add_block(const enuf_exact_system *system, block_loop *loop)
{
    for (loop->axis = 0; loop->axis < 3; loop->axis++)
        enuf_parallel_for(system->threads, loop->modes->largest[loop->axis] + 1, 0, fill_phases,
                          loop);
    enuf_parallel_for(system->threads, loop->modes->n_rows, 8, add_rows, loop);
}

enuf_status enuf_exact_structure_cpu(const enuf_exact_system *system, const enuf_mode_rows *modes,
                                     double *factors)
{
    enuf_exact_phases *table = NULL;
    block_loop loop = {.modes = modes, .factors = factors};
    enuf_status status = find_kernels(system, &loop.kernels);
    if (status == ENUF_SUCCESS) status = allocate_tables(modes, 1, &table);
    memset(factors, 0, (size_t)modes->n_modes * 2 * sizeof *factors);
    loop.table = table;
    for (int64_t at = 0; at < system->n && status == ENUF_SUCCESS; at += ENUF_EXACT_BLOCK) {
        const int64_t left = system->n - at;
        loop.count = (int)(left < ENUF_EXACT_BLOCK ? left : ENUF_EXACT_BLOCK);
        loop.s = system->fractions + 3 * at;
        loop.charges = system->charges + at;
        add_block(system, &loop);
    }
    release_tables(1, &table);
    return status;
}

/* ---- Sums at targets ---- */

typedef struct gather_loop {
    const enuf_exact_system *system;
    const enuf_mode_rows *modes;
    const enuf_exact_kernels *kernels;
    const double *factors;
    enuf_exact_phases *tables; /* one for each thread */
    int64_t first, last, size; /* targets; of a block */
    double *at;
} gather_loop;

static void gather_block(const gather_loop *loop, int64_t begin, int count,
                         enuf_exact_phases *table)
{
    const enuf_exact_system *system = loop->system;
    const enuf_mode_rows *modes = loop->modes;
    long double s[3 * ENUF_EXACT_BLOCK];
    double one[ENUF_EXACT_BLOCK], *at = loop->at + 4 * (begin - loop->first);
    enuf_exact_block block;
    memset(&block, 0, sizeof block);
    for (int j = 0; j < count; j++) {
        one[j] = 1;
        memcpy(s + 3 * j, system->fractions + 3 * system->targets[begin + j], 3 * sizeof *s);
    }
    for (int d = 0; d < 3; d++)
        for (int64_t m = 0; m <= modes->largest[d]; m++) fill_phase(modes, d, m, count, s, table);
    for (int64_t r = 0; r < modes->n_rows; r++)
        loop->kernels->gather_row(modes, &modes->rows[r], count, table, one, loop->factors, &block);
    for (int j = 0; j < count; j++)
        for (int a = 0; a < 4; a++) at[4 * j + a] = block.sum[a][j];
}

static void gather_blocks(void *context, int64_t k, int64_t end, int thread)
{
    const gather_loop *loop = context;
    for (; k < end; k++) {
        const int64_t begin = loop->first + k * loop->size, left = loop->last - begin;
        gather_block(loop, begin, (int)(left < loop->size ? left : loop->size),
                     &loop->tables[thread]);
    }
}

enuf_status enuf_exact_gather_cpu(const enuf_exact_system *system, const enuf_mode_rows *modes,
                                  const double *factors, int64_t first, int64_t last, double *at)
{
    const int64_t n = last - first, share = (n + system->threads - 1) / system->threads;
    gather_loop loop = {.system = system,
                        .modes = modes,
                        .factors = factors,
                        .first = first,
                        .last = last,
                        .size = share < ENUF_EXACT_BLOCK ? share : ENUF_EXACT_BLOCK,
                        .at = at};
    enuf_status status = find_kernels(system, &loop.kernels);
    if (status == ENUF_SUCCESS) status = allocate_tables(modes, system->threads, &loop.tables);
    if (status == ENUF_SUCCESS)
        enuf_parallel_for(system->threads, (n + loop.size - 1) / loop.size, 1, gather_blocks,
                          &loop);
    release_tables(system->threads, &loop.tables);
    return status;
}
