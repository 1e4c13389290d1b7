/*
 * exact_modes.c - the reciprocal part of exact sums, one mode and one atom at a time.
 *
 * Phases exp(2 pi i m s) come from tables along each axis, made for a block of atoms at a time:
 * each entry has its own sine and cosine of a product reduced in long double; a recurrence would
 * accumulate errors. Structure factors are summed over a block, then over blocks; targets over a
 * row of modes, then over rows.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_mode_kernels.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692;

ENUF_DEFINE_TABLE_OF(enuf_exact_kernels, enuf_exact_kernels)

static void release_phases(enuf_exact_phases *table)
{
    for (int d = 0; d < 3; d++) {
        enuf_release(&table->cosine[d]);
        enuf_release(&table->sine[d]);
    }
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

/* A block of atoms: threads share its tables and each takes rows. */
typedef struct block_loop {
    const enuf_mode_rows *modes;
    enuf_exact_phases *table;
    int count, axis;
    const long double *s;
    const double *charges;
    double *structure;
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
                               loop->structure);
}

/* The charged atoms go by in blocks. */
static void structure_factors(const enuf_exact_system *system, const enuf_mode_rows *modes,
                              const enuf_exact_kernels *kernels, enuf_exact_phases *table,
                              double *structure)
{
    memset(structure, 0, (size_t)modes->n_modes * 2 * sizeof *structure);
    for (int64_t first = 0; first < system->n; first += ENUF_EXACT_BLOCK) {
        block_loop loop = {.modes = modes,
                           .table = table,
                           .count = (int)(system->n - first < ENUF_EXACT_BLOCK ? system->n - first
                                                                               : ENUF_EXACT_BLOCK),
                           .s = system->fractions + 3 * first,
                           .charges = system->charges + first,
                           .structure = structure,
                           .kernels = kernels};
        for (loop.axis = 0; loop.axis < 3; loop.axis++)
            enuf_parallel_for(system->threads, modes->largest[loop.axis] + 1, 0, fill_phases,
                              &loop);
        enuf_parallel_for(system->threads, modes->n_rows, 8, add_rows, &loop);
    }
}

/*
 * Multiplies by 2/V 4 pi exp(-k^2/4 alpha^2)/k^2, 2 for the other half space, and gives the virial
 * sum_k (energy of the mode) (delta - k k (2/k^2 + 1/2 alpha^2)).
 */
static void apply_influence(const enuf_exact_system *system, const enuf_mode_rows *modes,
                            double *structure, double *virial)
{
    long double total[6] = {0};
    double over_4_alpha2 = 1 / (4 * system->alpha * system->alpha);
    for (int64_t r = 0; r < modes->n_rows; r++) {
        const enuf_mode_row *row = &modes->rows[r];
        double sum[6] = {0};
        for (int64_t i = 0; i < row->count; i++) {
            double k[3], *mode = structure + 2 * (row->offset + i);
            enuf_exact_wave_vector(system, row->m1 + i, row->m2, row->m3, k);
            double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
            double influence = 4 * two_pi / system->volume * exp(-k2 * over_4_alpha2) / k2;
            double energy = influence / 2 * (mode[0] * mode[0] + mode[1] * mode[1]);
            double slope = energy * (2 / k2 + 2 * over_4_alpha2);
            for (int a = 0; a < 3; a++) sum[a] += energy - slope * k[a] * k[a];
            sum[3] -= slope * k[0] * k[1];
            sum[4] -= slope * k[0] * k[2];
            sum[5] -= slope * k[1] * k[2];
            mode[0] *= influence;
            mode[1] *= influence;
        }
        for (int a = 0; a < 6; a++) total[a] += sum[a];
    }
    for (int a = 0; a < 6; a++) virial[a] = (double)total[a];
}

/* Targets [first, first + count): potential sum G Re S exp(2 pi i m.s), field -inverse d/ds. */
static void gather_block(const enuf_exact_system *system, const enuf_mode_rows *modes,
                         const enuf_exact_kernels *kernels, int64_t first, int count,
                         enuf_exact_phases *table, const double *structure, enuf_exact_sums *sums)
{
    long double s[3 * ENUF_EXACT_BLOCK];
    double one[ENUF_EXACT_BLOCK];
    enuf_exact_block block;
    memset(&block, 0, sizeof block);
    for (int j = 0; j < count; j++) {
        one[j] = 1;
        memcpy(s + 3 * j, system->fractions + 3 * system->targets[first + j], 3 * sizeof *s);
    }
    for (int d = 0; d < 3; d++)
        for (int64_t m = 0; m <= modes->largest[d]; m++) fill_phase(modes, d, m, count, s, table);
    for (int64_t r = 0; r < modes->n_rows; r++)
        kernels->gather_row(modes, &modes->rows[r], count, table, one, structure, &block);
    for (int j = 0; j < count; j++) {
        sums->potential[first + j] += block.sum[0][j];
        for (int a = 0; a < 3; a++) {
            const long double *g = system->inverse + 3 * a;
            sums->field[3 * (first + j) + a] -=
                two_pi *
                (double)(g[0] * block.sum[1][j] + g[1] * block.sum[2][j] + g[2] * block.sum[3][j]);
        }
    }
}

struct enuf_exact_structure {
    const enuf_exact_kernels *kernels;
    enuf_mode_rows modes;
    enuf_exact_phases *tables; /* [n_tables] one for each thread */
    int n_tables;
    double *factors; /* [modes][2] */
};

typedef struct gather_loop {
    const enuf_exact_system *system;
    const enuf_exact_structure *structure;
    int64_t from, to, size;
    enuf_exact_sums *sums;
} gather_loop;

static void gather_blocks(void *context, int64_t begin, int64_t end, int thread)
{
    const gather_loop *loop = context;
    const enuf_exact_structure *s = loop->structure;
    for (int64_t k = begin; k < end; k++) {
        const int64_t first = loop->from + k * loop->size, left = loop->to - first;
        gather_block(loop->system, &s->modes, s->kernels, first,
                     (int)(left < loop->size ? left : loop->size), &s->tables[thread], s->factors,
                     loop->sums);
    }
}

static void gather(const enuf_exact_system *system, const enuf_exact_structure *s, int64_t from,
                   int64_t to, enuf_exact_sums *sums)
{
    const int64_t share = (to - from + system->threads - 1) / system->threads;
    gather_loop loop = {system, s, from, to, share < ENUF_EXACT_BLOCK ? share : ENUF_EXACT_BLOCK,
                        sums};
    const int64_t blocks = (to - from + loop.size - 1) / loop.size;
    enuf_parallel_for(system->threads, blocks, 1, gather_blocks, &loop);
}

static enuf_status allocate(const enuf_exact_system *system, enuf_exact_structure *s)
{
    ENUF_TRY(enuf_mode_rows_make(system, &s->modes));
    ENUF_TRY(enuf_allocate(&s->factors, 2 * s->modes.n_modes, sizeof *s->factors,
                           "structure factors of exact modes"));
    ENUF_TRY(enuf_allocate(&s->tables, system->threads, sizeof *s->tables, "phases"));
    while (s->n_tables < system->threads) {
        enuf_exact_phases *table = &s->tables[s->n_tables++];
        memset(table, 0, sizeof *table);
        ENUF_TRY(allocate_phases(&s->modes, table));
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_exact_modes_begin(const enuf_exact_system *system,
                                   enuf_exact_structure **structure)
{
    ENUF_TRY(enuf_allocate(structure, 1, sizeof **structure, "structure factors of exact modes"));
    enuf_exact_structure *s = *structure;
    enuf_isa isa;
    memset(s, 0, sizeof *s);
    ENUF_TRY(enuf_isa_find(system->isa, &isa));
    s->kernels = enuf_exact_kernels_of(isa);
    ENUF_TRY(allocate(system, s));
    structure_factors(system, &s->modes, s->kernels, &s->tables[0], s->factors);
    return ENUF_SUCCESS;
}

double *enuf_exact_structure_factors(const enuf_exact_structure *structure, int64_t *n_numbers)
{
    *n_numbers = 2 * structure->modes.n_modes;
    return structure->factors;
}

void enuf_exact_modes_finish(const enuf_exact_system *system, enuf_exact_structure *structure,
                             int64_t first, int64_t last, enuf_exact_sums *sums)
{
    apply_influence(system, &structure->modes, structure->factors, sums->virial);
    if (last > first) gather(system, structure, first, last, sums);
}

void enuf_exact_structure_release(enuf_exact_structure **structure)
{
    enuf_exact_structure *s = *structure;
    if (!s) return;
    for (int t = 0; t < s->n_tables; t++) release_phases(&s->tables[t]);
    enuf_release(&s->tables);
    enuf_release(&s->factors);
    enuf_mode_rows_release(&s->modes);
    enuf_release(structure);
}

enuf_status enuf_exact_modes(const enuf_exact_system *system, enuf_exact_sums *sums)
{
    enuf_exact_structure *structure = NULL;
    enuf_status status = enuf_exact_modes_begin(system, &structure);
    if (status == ENUF_SUCCESS)
        enuf_exact_modes_finish(system, structure, 0, system->n_targets, sums);
    enuf_exact_structure_release(&structure);
    return status;
}
