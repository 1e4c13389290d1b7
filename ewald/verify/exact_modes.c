/* exact_modes.c - the reciprocal part of exact sums. SPDX-License-Identifier: BSD-3-Clause */
#include "exact_backend.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692;

struct enuf_exact_structure {
    enuf_mode_rows modes;
    double *factors; /* [modes][2] */
};

/* Rows that one thread takes at a time; virials are summed over these, then in their order. */
enum { ROWS = 32 };

typedef struct influence_loop {
    const enuf_exact_system *system;
    const enuf_mode_rows *modes;
    double *factors;
    double (*virial)[6]; /* [blocks of rows] */
} influence_loop;

/*
 * Multiplies a row by 2/V 4 pi exp(-k^2/4 alpha^2)/k^2, 2 for the other half space, and adds to the
 * virial sum_k (energy of the mode) (delta - k k (2/k^2 + 1/2 alpha^2)).
 */
static void weight_row(const enuf_exact_system *system, const enuf_mode_row *row, double *factors,
                       double sum[6])
{
    const double over_4_alpha2 = 1 / (4 * system->alpha * system->alpha);
    for (int64_t i = 0; i < row->count; i++) {
        double k[3], *mode = factors + 2 * (row->offset + i);
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
}

static void weight_rows(void *context, int64_t block, int64_t end, int thread)
{
    const influence_loop *loop = context;
    (void)thread;
    for (; block < end; block++) {
        const int64_t first = block * ROWS, left = loop->modes->n_rows - first;
        memset(loop->virial[block], 0, sizeof loop->virial[block]);
        for (int64_t r = first; r < first + (left < ROWS ? left : ROWS); r++)
            weight_row(loop->system, &loop->modes->rows[r], loop->factors, loop->virial[block]);
    }
}

static enuf_status apply_influence(const enuf_exact_system *system, const enuf_mode_rows *modes,
                                   double *factors, double virial[6])
{
    const int64_t blocks = (modes->n_rows + ROWS - 1) / ROWS;
    influence_loop loop = {.system = system, .modes = modes, .factors = factors};
    long double total[6] = {0};
    ENUF_TRY(enuf_allocate(&loop.virial, blocks, sizeof *loop.virial, "virials of exact modes"));
    enuf_parallel_for(system->threads, blocks, 1, weight_rows, &loop);
    for (int64_t b = 0; b < blocks; b++)
        for (int a = 0; a < 6; a++) total[a] += loop.virial[b][a];
    for (int a = 0; a < 6; a++) virial[a] = (double)total[a];
    enuf_release(&loop.virial);
    return ENUF_SUCCESS;
}

enuf_status enuf_exact_modes_begin(const enuf_exact_system *system,
                                   enuf_exact_structure **structure)
{
    static const char what[] = "structure factors of exact modes";
    ENUF_TRY(enuf_allocate(structure, 1, sizeof **structure, what));
    enuf_exact_structure *s = *structure;
    memset(s, 0, sizeof *s);
    ENUF_TRY(enuf_mode_rows_make(system, &s->modes));
    ENUF_TRY(enuf_allocate(&s->factors, 2 * s->modes.n_modes, sizeof *s->factors, what));
    return system->backend->structure(system, &s->modes, s->factors);
}

double *enuf_exact_structure_factors(const enuf_exact_structure *structure, int64_t *n_numbers)
{
    *n_numbers = 2 * structure->modes.n_modes;
    return structure->factors;
}

/* The field is -(derivatives by s) inverse. */
static void add(const enuf_exact_system *system, int64_t first, int64_t last, const double *at,
                enuf_exact_sums *sums)
{
    for (int64_t t = first; t < last; t++, at += 4) {
        sums->potential[t] += at[0];
        for (int a = 0; a < 3; a++) {
            const long double *g = system->inverse + 3 * a;
            sums->field[3 * t + a] -= two_pi * (double)(g[0] * at[1] + g[1] * at[2] + g[2] * at[3]);
        }
    }
}

enuf_status enuf_exact_modes_finish(const enuf_exact_system *system,
                                    enuf_exact_structure *structure, int64_t first, int64_t last,
                                    enuf_exact_sums *sums)
{
    double *at = NULL;
    ENUF_TRY(apply_influence(system, &structure->modes, structure->factors, sums->virial));
    if (last <= first) return ENUF_SUCCESS;
    enuf_status status =
        enuf_allocate(&at, 4 * (last - first), sizeof *at, "sums of exact modes at targets");
    if (status == ENUF_SUCCESS)
        status =
            system->backend->gather(system, &structure->modes, structure->factors, first, last, at);
    if (status == ENUF_SUCCESS) add(system, first, last, at, sums);
    enuf_release(&at);
    return status;
}

void enuf_exact_structure_release(enuf_exact_structure **structure)
{
    enuf_exact_structure *s = *structure;
    if (!s) return;
    enuf_release(&s->factors);
    enuf_mode_rows_release(&s->modes);
    enuf_release(structure);
}

enuf_status enuf_exact_modes(const enuf_exact_system *system, enuf_exact_sums *sums)
{
    enuf_exact_structure *structure = NULL;
    enuf_status status = enuf_exact_modes_begin(system, &structure);
    if (status == ENUF_SUCCESS)
        status = enuf_exact_modes_finish(system, structure, 0, system->n_targets, sums);
    enuf_exact_structure_release(&structure);
    return status;
}
