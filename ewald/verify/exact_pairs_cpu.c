/*
 * exact_pairs_cpu.c - pairs of exact sums on the CPU, with libm's erfc: a target looks at every bin
 * within the cutoff. SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_cpu.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* Adds a source of charge q at distance vector x (from source to target). */
static void add_pair(double alpha, double q, const double x[3], double r2,
                     double sum[ENUF_EXACT_TERMS])
{
    double r = sqrt(r2), u = alpha * r;
    double outside = erfc(u);
    double f = outside + 1.12837916709551257390 * u * exp(-u * u);
    double over_r3 = q * f / (r2 * r);
    double *virial = sum + ENUF_EXACT_VIRIAL;
    sum[ENUF_EXACT_POTENTIAL] += q * outside / r;
    for (int a = 0; a < 3; a++) sum[ENUF_EXACT_FIELD + a] += over_r3 * x[a];
    for (int a = 0; a < 3; a++) virial[a] += over_r3 * x[a] * x[a];
    virial[3] += over_r3 * x[0] * x[1];
    virial[4] += over_r3 * x[0] * x[2];
    virial[5] += over_r3 * x[1] * x[2];
}

/* Folds a bin index; returns the whole cells it was off. */
static int64_t fold(int64_t b, int64_t count, int64_t *inside)
{
    int64_t cells = b >= 0 ? b / count : -((count - 1 - b) / count);
    *inside = b - cells * count;
    return cells;
}

/*
 * Adds the atoms of a bin at a target x, moved to the bin's image: in double over a bin, in long
 * double over bins. `own` is the target's atom if this is its own image, else -1. Returns an atom
 * at the same place, or -1.
 */
static int64_t sum_bin(const enuf_exact_system *system, const enuf_exact_bins *bins, int64_t bin,
                       const long double x[3], int64_t own, enuf_exact_target *sums)
{
    double limit = system->cutoff * system->cutoff, sum[ENUF_EXACT_TERMS] = {0};
    for (int64_t at = bins->start[bin]; at < bins->start[bin + 1]; at++) {
        int64_t j = bins->atoms[at];
        const long double *y = system->folded + 3 * j;
        double d[3] = {(double)(x[0] - y[0]), (double)(x[1] - y[1]), (double)(x[2] - y[2])};
        double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (r2 > limit || j == own) continue;
        if (r2 == 0) return j;
        add_pair(system->alpha, system->charges[j], d, r2, sum);
    }
    for (int term = 0; term < ENUF_EXACT_TERMS; term++) sums->sum[term] += sum[term];
    return -1;
}

/* Sums at one target. Returns an atom at the same place, or -1. */
static int64_t sum_target(const enuf_exact_system *system, const enuf_exact_bins *bins, int64_t i,
                          enuf_exact_target *sums)
{
    const long double *h = system->cell;
    const int64_t *count = bins->count, *reach = bins->reach;
    int64_t home[3], inside[3], cells[3];
    memset(sums, 0, sizeof *sums);
    for (int d = 0; d < 3; d++) home[d] = enuf_exact_bin_along(bins, system->fractions + 3 * i, d);
    for (int64_t b2 = home[2] - reach[2]; b2 <= home[2] + reach[2]; b2++) {
        cells[2] = fold(b2, count[2], &inside[2]);
        for (int64_t b1 = home[1] - reach[1]; b1 <= home[1] + reach[1]; b1++) {
            cells[1] = fold(b1, count[1], &inside[1]);
            for (int64_t b0 = home[0] - reach[0]; b0 <= home[0] + reach[0]; b0++) {
                cells[0] = fold(b0, count[0], &inside[0]);
                int64_t bin = (inside[2] * count[1] + inside[1]) * count[0] + inside[0];
                if (bins->start[bin] == bins->start[bin + 1]) continue; /* most, of a flat cell */
                long double x[3];
                for (int a = 0; a < 3; a++)
                    x[a] = system->folded[3 * i + a] - h[a] * cells[0] - h[3 + a] * cells[1] -
                           h[6 + a] * cells[2];
                int is_home = cells[0] == 0 && cells[1] == 0 && cells[2] == 0;
                int64_t clash = sum_bin(system, bins, bin, x, is_home ? i : -1, sums);
                if (clash >= 0) return clash;
            }
        }
    }
    return -1;
}

typedef struct target_loop {
    const enuf_exact_system *system;
    const enuf_exact_bins *bins;
    enuf_exact_target *found;
    _Atomic int64_t clash; /* a target at the place of another charge */
} target_loop;

static void sum_targets(void *context, int64_t t, int64_t end, int thread)
{
    target_loop *loop = context;
    const enuf_exact_system *system = loop->system;
    (void)thread;
    for (; t < end; t++)
        if (sum_target(system, loop->bins, system->targets[t], &loop->found[t]) >= 0)
            enuf_lower(&loop->clash, t);
}

enuf_status enuf_exact_pairs_cpu(const enuf_exact_system *system, const enuf_exact_bins *bins,
                                 enuf_exact_target *found, int64_t clash[2])
{
    target_loop loop = {system, bins, found, INT64_MAX};
    enuf_parallel_for(system->threads, system->n_targets, 4, sum_targets, &loop);
    clash[0] = loop.clash < INT64_MAX ? loop.clash : -1;
    if (clash[0] >= 0)
        clash[1] = sum_target(system, bins, system->targets[clash[0]], &found[clash[0]]);
    return ENUF_SUCCESS;
}
