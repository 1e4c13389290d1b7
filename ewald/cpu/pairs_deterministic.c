/*
 * pairs_deterministic.c - pair sums with bits that do not depend on the order of atoms, threads or
 * ranks: they are sums of integers (pairs_fixed.h), whose units and range are those of
 * fixed_sums.h. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_deterministic.h"
#include "pairs_fixed.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

static void sum_block(enuf_pair_block *b, void *context)
{
    enuf_fixed_sum_block(context, b);
}

static void sum_column(enuf_pairs *pairs, int64_t at, int thread, const void *common)
{
    enuf_fixed_work work = *(const enuf_fixed_work *)common;
    enuf_pair_block *block = (enuf_pair_block *)pairs->blocks.at + thread;
    work.block = (enuf_fixed_block *)pairs->fixed_blocks.at + thread;
    work.column = (enuf_pair_column *)pairs->columns.at + at;
    *work.column = (enuf_pair_column){.closest = 1};
    block->closest = 1;
    enuf_pair_column_blocks(&pairs->cells, &pairs->rows, at, block, sum_block, &work);
    work.column->closest = block->closest;
}

static enuf_status check_columns(enuf_pairs *pairs, const enuf_pair_request *request,
                                 const enuf_fixed_scales *scales)
{
    const int64_t *count = pairs->cells.grid.count;
    const enuf_pair_column *columns = pairs->columns.at;
    double closest;
    int overflowed = 0;
    ENUF_TRY(enuf_pairs_check_closest(pairs, request, &closest));
    for (int64_t c = 0; c < count[1] * count[2]; c++) overflowed |= columns[c].overflowed;
    return overflowed ? enuf_fixed_overflowed(scales, closest, request->table->cutoff)
                      : ENUF_SUCCESS;
}

/* The exact sum over all atoms that are not ghosts. */
static enuf_wide total(const enuf_cells *cells, const enuf_fixed_words *words, int c)
{
    enuf_wide sum = 0;
    for (int64_t a = 0; a < cells->n; a++)
        if (!cells->ghost || cells->ghost[a] == 0) sum += enuf_fixed_whole(words, c, a);
    return sum;
}

/* Twice the energy and virial, as where each pair is in the sums of both its atoms. */
static void add_totals(const enuf_cells *cells, const enuf_fixed_words *words, int wanted,
                       double unit, enuf_pair_sums *sums)
{
    enuf_pair_totals *totals = sums->totals;
    for (int e = 0; e < 7; e++) {
        const int mask = e == 0 ? ENUF_WANT_ENERGY : ENUF_WANT_VIRIAL;
        const int sum = e == 0 ? FIXED_ENERGY : FIXED_VIRIAL + e - 1;
        const int times = sum < words->of_both ? 1 : 2;
        const enuf_wide twice = wanted & mask ? times * total(cells, words, sum) : 0;
        double *to = e == 0 ? &sums->energy : &sums->virial[e - 1];
        if (!totals) {
            *to += 0.5 * unit * (double)twice;
            continue;
        }
        totals->low[e] = (uint64_t)twice;
        totals->high[e] = (int64_t)(twice >> 64);
        totals->unit = 0.5 * unit;
    }
}

typedef struct hand_out_loop {
    const enuf_cells *cells;
    const enuf_fixed_words *words;
    int wanted;
    enuf_fixed_units units;
    const enuf_pair_sums *sums;
} hand_out_loop;

static void hand_out_atoms(void *context, int64_t begin, int64_t end, int thread)
{
    const hand_out_loop *loop = context;
    const enuf_fixed_words *words = loop->words;
    const enuf_fixed_units *unit = &loop->units;
    const enuf_pair_sums *sums = loop->sums;
    (void)thread;
    const enuf_cells *cells = loop->cells;
    const int w = loop->wanted;
    for (int64_t a = begin; a < end; a++) {
        const int64_t i = cells->original[a];
        for (int e = 0; e < 3; e++) {
            if ((w & ENUF_WANT_FORCES) && sums->forces)
                sums->forces[3 * i + e] +=
                    unit->force * enuf_fixed_value(words, FIXED_FORCE + e, a);
            if ((w & ENUF_WANT_FIELD) && sums->field)
                sums->field[3 * i + e] += unit->field * enuf_fixed_value(words, FIXED_FIELD + e, a);
        }
        if ((w & ENUF_WANT_ATOM_ENERGY) && sums->atom_energy)
            sums->atom_energy[i] += 0.5 * unit->energy * enuf_fixed_value(words, FIXED_ENERGY, a);
        if ((w & ENUF_WANT_POTENTIAL) && sums->potential)
            sums->potential[i] += unit->potential * enuf_fixed_value(words, FIXED_POTENTIAL, a);
        for (int e = 0; e < 6 && (w & ENUF_WANT_ATOM_VIRIAL) && sums->atom_virial; e++)
            sums->atom_virial[6 * i + e] +=
                0.5 * unit->energy * enuf_fixed_value(words, FIXED_VIRIAL + e, a);
    }
}

static void hand_out(const enuf_pairs *pairs, const enuf_pair_request *request,
                     const enuf_fixed_work *work, int threads, enuf_pair_sums *sums)
{
    const enuf_fixed_units units = enuf_fixed_units_of(&work->scales, request->table->cutoff);
    hand_out_loop loop = {&pairs->cells, &work->words, request->wanted, units, sums};
    enuf_parallel_for(threads, pairs->cells.n, 0, hand_out_atoms, &loop);
    sums->close_forces2 = enuf_pairs_close_forces2(pairs, request->table->cutoff);
    add_totals(&pairs->cells, &work->words, request->wanted, units.energy, sums);
}

static enuf_status check_charges(const enuf_cells *cells, const enuf_pair_request *request)
{
    for (int64_t a = 0; a < cells->n; a++) {
        if (!(fabs(cells->charge[a]) > request->largest_charge)) continue;
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "deterministic: charge %g of atom %lld is above the "
                         "largest charge given, %g",
                         cells->charge[a],
                         (long long)enuf_callers_atom(request->original, cells->original[a]),
                         request->largest_charge);
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_pairs_sum_deterministic(enuf_pairs *pairs, const enuf_pair_request *request,
                                         int threads, enuf_pair_sums *sums)
{
    const enuf_cells *cells = &pairs->cells;
    enuf_fixed_words words = enuf_fixed_words_for(request->wanted, cells->ghost != NULL);
    const size_t bytes = 2 * (size_t)words.count * sizeof(int64_t);
    ENUF_TRY(check_charges(cells, request));
    ENUF_TRY(enuf_array_reserve(&pairs->fixed, cells->n, bytes, "fixed-point sums of atoms"));
    ENUF_TRY(enuf_array_reserve(&pairs->fixed_blocks, threads, sizeof(enuf_fixed_block),
                                "fixed-point sums of a block"));
    memset(pairs->fixed.at, 0, (size_t)cells->n * bytes);
    words.lower = pairs->fixed.at;
    words.upper = words.lower + cells->n * words.count;
    const enuf_fixed_work work = {
        .pairs = pairs,
        .scales = enuf_fixed_scales_for(cells->grid.lattice, request->n_charged, request->sum_q2,
                                        request->largest_charge),
        .words = words};
    enuf_pairs_sum_columns(pairs, threads, sum_column, &work);
    ENUF_TRY(check_columns(pairs, request, &work.scales));
    hand_out(pairs, request, &work, threads, sums);
    return ENUF_SUCCESS;
}
