/*
 * exact_pairs.c - the real part of exact sums, by cell lists with libm's erfc.
 *
 * Bins divide the cell evenly along its axes. A target looks at every bin within the cutoff,
 * counted without folding: a bin met beyond the cell's face is an image of one inside, so a cutoff
 * larger than the cell needs no case of its own.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_sums.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

typedef struct bins {
    int64_t count[3], reach[3]; /* bins along an axis; how many of them the cutoff spans */
    int64_t *start;             /* [bins + 1], into atoms */
    int64_t *atoms;             /* [n charged], by bin */
} bins;

static int64_t bin_along(const bins *list, const long double *fraction, int d)
{
    int64_t b = (int64_t)(fraction[d] * list->count[d]);
    return b < list->count[d] ? b : list->count[d] - 1;
}

static int64_t bin_of(const bins *list, const long double *fraction)
{
    return (bin_along(list, fraction, 2) * list->count[1] + bin_along(list, fraction, 1)) *
               list->count[0] +
           bin_along(list, fraction, 0);
}

static void release_bins(bins *list)
{
    enuf_release(&list->start);
    enuf_release(&list->atoms);
}

/* A target visits each bin of the box around its cutoff: in a compact cell some hundred bins, or a
 * few times as many as there are atoms in them. */
static const double MOST_VISITS = 1e6, MOST_TIMES_THE_ATOMS = 100;

static enuf_status check_visits(const enuf_exact_system *system, const double reach[3])
{
    const double r = system->cutoff;
    const double atoms = 4.19 * r * r * r * (double)system->n / system->volume;
    const double visits = (2 * reach[0] + 1) * (2 * reach[1] + 1) * (2 * reach[2] + 1);
    if (!(visits > MOST_VISITS && visits > MOST_TIMES_THE_ATOMS * (atoms + 1)) && visits < 1e15)
        return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "the cell is too thin or too long for exact sums of %lld charges: %g bins lie "
                     "within the cutoff %g, of a cell %g, %g and %g high",
                     (long long)system->n, visits, r, system->height[0], system->height[1],
                     system->height[2]);
}

/* Bins of about a third of the cutoff, but not more of them than atoms. */
static enuf_status make_bins(const enuf_exact_system *system, bins *list)
{
    double edge = system->cutoff / 3, count[3], reach[3];
    double fewest = cbrt(system->volume / (double)system->n);
    if (edge < fewest) edge = fewest;
    for (int d = 0; d < 3; d++) {
        /* at most as many as atoms along a needle */
        count[d] = fmin(fmax(floor(system->height[d] / edge), 1), (double)system->n);
        reach[d] = ceil(system->cutoff * count[d] / system->height[d] + 1e-9);
    }
    ENUF_TRY(check_visits(system, reach));
    for (int d = 0; d < 3; d++) {
        list->count[d] = (int64_t)count[d];
        list->reach[d] = (int64_t)reach[d];
    }
    int64_t n_bins = list->count[0] * list->count[1] * list->count[2];
    ENUF_TRY(enuf_allocate(&list->start, n_bins + 1, sizeof *list->start, "bins of exact pairs"));
    ENUF_TRY(enuf_allocate(&list->atoms, system->n, sizeof *list->atoms, "atoms of exact pairs"));

    memset(list->start, 0, (size_t)(n_bins + 1) * sizeof *list->start);
    for (int64_t i = 0; i < system->n; i++)
        if (system->charges[i] != 0) list->start[bin_of(list, system->fractions + 3 * i) + 1]++;
    for (int64_t b = 0; b < n_bins; b++) list->start[b + 1] += list->start[b];
    /* placing moves each start to the next one's; going down the atoms puts them back in order */
    for (int64_t i = 0; i < system->n; i++)
        if (system->charges[i] != 0)
            list->atoms[list->start[bin_of(list, system->fractions + 3 * i)]++] = i;
    for (int64_t b = n_bins; b > 0; b--) list->start[b] = list->start[b - 1];
    list->start[0] = 0;
    return ENUF_SUCCESS;
}

enum { POTENTIAL, FIELD, VIRIAL = FIELD + 3, TERMS = VIRIAL + 6 };

/* Sums at a target: in double over a bin, in long double over bins. */
typedef struct target_sums {
    long double sum[TERMS];
} target_sums;

/* Adds a source of charge q at distance vector x (from source to target). */
static void add_pair(double alpha, double q, const double x[3], double r2, double sum[TERMS])
{
    double r = sqrt(r2), u = alpha * r;
    double outside = erfc(u);
    double f = outside + 1.12837916709551257390 * u * exp(-u * u);
    double over_r3 = q * f / (r2 * r);
    sum[POTENTIAL] += q * outside / r;
    for (int a = 0; a < 3; a++) sum[FIELD + a] += over_r3 * x[a];
    sum[VIRIAL] += over_r3 * x[0] * x[0];
    sum[VIRIAL + 1] += over_r3 * x[1] * x[1];
    sum[VIRIAL + 2] += over_r3 * x[2] * x[2];
    sum[VIRIAL + 3] += over_r3 * x[0] * x[1];
    sum[VIRIAL + 4] += over_r3 * x[0] * x[2];
    sum[VIRIAL + 5] += over_r3 * x[1] * x[2];
}

/* Folds a bin index; returns the whole cells it was off. */
static int64_t fold(int64_t b, int64_t count, int64_t *inside)
{
    int64_t cells = b >= 0 ? b / count : -((count - 1 - b) / count);
    *inside = b - cells * count;
    return cells;
}

/*
 * Adds the atoms of a bin at a target x, moved to the bin's image. `own` is the target's atom if
 * this is its own image, else -1. Returns an atom at the same place, or -1.
 */
static int64_t sum_bin(const enuf_exact_system *system, const bins *list, int64_t bin,
                       const long double x[3], int64_t own, target_sums *sums)
{
    double limit = system->cutoff * system->cutoff, sum[TERMS] = {0};
    for (int64_t at = list->start[bin]; at < list->start[bin + 1]; at++) {
        int64_t j = list->atoms[at];
        const long double *y = system->folded + 3 * j;
        double d[3] = {(double)(x[0] - y[0]), (double)(x[1] - y[1]), (double)(x[2] - y[2])};
        double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (r2 > limit || j == own) continue;
        if (r2 == 0) return j;
        add_pair(system->alpha, system->charges[j], d, r2, sum);
    }
    for (int term = 0; term < TERMS; term++) sums->sum[term] += sum[term];
    return -1;
}

/* Sums at one target. Returns an atom at the same place, or -1. */
static int64_t sum_target(const enuf_exact_system *system, const bins *list, int64_t i,
                          target_sums *sums)
{
    const long double *h = system->cell;
    const int64_t *count = list->count, *reach = list->reach;
    int64_t home[3], inside[3], cells[3];
    for (int d = 0; d < 3; d++) home[d] = bin_along(list, system->fractions + 3 * i, d);
    for (int64_t b2 = home[2] - reach[2]; b2 <= home[2] + reach[2]; b2++) {
        cells[2] = fold(b2, count[2], &inside[2]);
        for (int64_t b1 = home[1] - reach[1]; b1 <= home[1] + reach[1]; b1++) {
            cells[1] = fold(b1, count[1], &inside[1]);
            for (int64_t b0 = home[0] - reach[0]; b0 <= home[0] + reach[0]; b0++) {
                cells[0] = fold(b0, count[0], &inside[0]);
                int64_t bin = (inside[2] * count[1] + inside[1]) * count[0] + inside[0];
                if (list->start[bin] == list->start[bin + 1]) continue; /* most, of a flat cell */
                long double x[3];
                for (int a = 0; a < 3; a++)
                    x[a] = system->folded[3 * i + a] - h[a] * cells[0] - h[3 + a] * cells[1] -
                           h[6 + a] * cells[2];
                int is_home = cells[0] == 0 && cells[1] == 0 && cells[2] == 0;
                int64_t clash = sum_bin(system, list, bin, x, is_home ? i : -1, sums);
                if (clash >= 0) return clash;
            }
        }
    }
    return -1;
}

static long long number_of(const enuf_exact_system *system, int64_t atom)
{
    return system->numbers ? system->numbers[atom] : atom;
}

typedef struct target_loop {
    const enuf_exact_system *system;
    const bins *list;
    target_sums *found;
    _Atomic int64_t clash; /* a target at the place of another charge */
} target_loop;

static void sum_targets(void *context, int64_t t, int64_t end, int thread)
{
    target_loop *loop = context;
    const enuf_exact_system *system = loop->system;
    (void)thread;
    for (; t < end; t++) {
        memset(&loop->found[t], 0, sizeof loop->found[t]);
        if (sum_target(system, loop->list, system->targets[t], &loop->found[t]) >= 0)
            enuf_lower(&loop->clash, t);
    }
}

static enuf_status sum_all_targets(const enuf_exact_system *system, const bins *list,
                                   target_sums *found, enuf_exact_sums *sums)
{
    target_loop loop = {system, list, found, INT64_MAX};
    enuf_parallel_for(system->threads, system->n_targets, 4, sum_targets, &loop);
    if (loop.clash < INT64_MAX) {
        const int64_t clash_of = system->targets[loop.clash];
        const int64_t clash_with = sum_target(system, list, clash_of, &found[loop.clash]);
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "atoms %lld and %lld lie at the same place (%g %g %g): their energy is "
                         "infinite; an excluded pair has to be apart too",
                         number_of(system, clash_of), number_of(system, clash_with),
                         system->positions[clash_of * system->stride],
                         system->positions[clash_of * system->stride + 1],
                         system->positions[clash_of * system->stride + 2]);
    }

    long double virial[6] = {0};
    for (int64_t t = 0; t < system->n_targets; t++) {
        sums->potential[t] += (double)found[t].sum[POTENTIAL];
        for (int a = 0; a < 3; a++) sums->field[3 * t + a] += (double)found[t].sum[FIELD + a];
        const double half_charge = (system->target_charges ? system->target_charges[t]
                                                           : system->charges[system->targets[t]]) /
                                   2;
        for (int a = 0; a < 6; a++) virial[a] += half_charge * found[t].sum[VIRIAL + a];
    }
    for (int a = 0; a < 6; a++) sums->virial[a] = (double)virial[a];
    return ENUF_SUCCESS;
}

enuf_status enuf_exact_pairs(const enuf_exact_system *system, enuf_exact_sums *sums)
{
    bins list = {.start = NULL, .atoms = NULL};
    target_sums *found = NULL;
    enuf_status status = make_bins(system, &list);
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&found, system->n_targets, sizeof *found, "sums of exact pairs");
    if (status == ENUF_SUCCESS) status = sum_all_targets(system, &list, found, sums);
    enuf_release(&found);
    release_bins(&list);
    return status;
}
