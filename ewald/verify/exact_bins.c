/* exact_bins.c - bins of the charged atoms, see exact_backend.h. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "exact_backend.h"
#include "memory.h"

#include <math.h>
#include <string.h>

int64_t enuf_exact_bin_along(const enuf_exact_bins *bins, const long double *fraction, int d)
{
    int64_t b = (int64_t)(fraction[d] * bins->count[d]);
    return b < bins->count[d] ? b : bins->count[d] - 1;
}

static int64_t bin_of(const enuf_exact_bins *bins, const long double *fraction)
{
    int64_t along[3];
    for (int d = 0; d < 3; d++) along[d] = enuf_exact_bin_along(bins, fraction, d);
    return (along[2] * bins->count[1] + along[1]) * bins->count[0] + along[0];
}

void enuf_exact_bins_release(enuf_exact_bins *bins)
{
    enuf_release(&bins->start);
    enuf_release(&bins->atoms);
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

/* Sorts the charged atoms by bin. */
static void place(const enuf_exact_system *system, int64_t n_bins, enuf_exact_bins *bins)
{
    int64_t *start = bins->start;
    memset(start, 0, (size_t)(n_bins + 1) * sizeof *start);
    for (int64_t i = 0; i < system->n; i++)
        if (system->charges[i] != 0) start[bin_of(bins, system->fractions + 3 * i) + 1]++;
    for (int64_t b = 0; b < n_bins; b++) start[b + 1] += start[b];
    bins->n_charged = start[n_bins];
    /* placing an atom moves the start of its bin on, at last to the start of the next bin */
    for (int64_t i = 0; i < system->n; i++)
        if (system->charges[i] != 0)
            bins->atoms[start[bin_of(bins, system->fractions + 3 * i)]++] = i;
    for (int64_t b = n_bins; b > 0; b--) start[b] = start[b - 1];
    start[0] = 0;
}

enuf_status enuf_exact_bins_make(const enuf_exact_system *system, enuf_exact_bins *bins)
{
    double edge = system->cutoff / 3, count[3], reach[3];
    double fewest = cbrt(system->volume / (double)system->n);
    if (edge < fewest) edge = fewest; /* not more bins than atoms */
    for (int d = 0; d < 3; d++) {
        /* at most as many as atoms along a needle */
        count[d] = fmin(fmax(floor(system->height[d] / edge), 1), (double)system->n);
        reach[d] = ceil(system->cutoff * count[d] / system->height[d] + 1e-9);
    }
    ENUF_TRY(check_visits(system, reach));
    for (int d = 0; d < 3; d++) {
        bins->count[d] = (int64_t)count[d];
        bins->reach[d] = (int64_t)reach[d];
    }
    const int64_t n_bins = bins->count[0] * bins->count[1] * bins->count[2];
    ENUF_TRY(enuf_allocate(&bins->start, n_bins + 1, sizeof *bins->start, "bins of exact pairs"));
    ENUF_TRY(enuf_allocate(&bins->atoms, system->n, sizeof *bins->atoms, "atoms of exact pairs"));
    place(system, n_bins, bins);
    return ENUF_SUCCESS;
}
