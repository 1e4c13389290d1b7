/*
 * exact_exclusions.c - subtracts excluded pairs from the exact sums, at their nearest images.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_sums.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/*
 * The shortest of the images of x: rounding to the nearest cell first, then trying every cell
 * vector that could still be shorter.
 */
static void shortest_image(const enuf_exact_system *system, const long double x[3], double out[3])
{
    const long double *h = system->cell;
    const long double *g = system->inverse;
    long double near[3] = {x[0], x[1], x[2]};
    for (int d = 0; d < 3; d++) {
        long double whole = rintl(x[0] * g[d] + x[1] * g[3 + d] + x[2] * g[6 + d]);
        for (int a = 0; a < 3; a++) near[a] -= whole * h[3 * d + a];
    }
    long double least = near[0] * near[0] + near[1] * near[1] + near[2] * near[2];
    int64_t reach[3];
    /* along short vectors of the lattice the nearest image is one step off at most */
    for (int d = 0; d < 3; d++)
        reach[d] = (int64_t)fminl(sqrtl(least) / system->height[d] + 0.5L + 1e-9L, 2);
    for (int a = 0; a < 3; a++) out[a] = (double)near[a];
    for (int64_t m0 = -reach[0]; m0 <= reach[0]; m0++) {
        for (int64_t m1 = -reach[1]; m1 <= reach[1]; m1++) {
            for (int64_t m2 = -reach[2]; m2 <= reach[2]; m2++) {
                long double y[3], y2 = 0;
                for (int a = 0; a < 3; a++) {
                    y[a] = near[a] + m0 * h[a] + m1 * h[3 + a] + m2 * h[6 + a];
                    y2 += y[a] * y[a];
                }
                if (y2 >= least) continue;
                least = y2;
                for (int a = 0; a < 3; a++) out[a] = (double)y[a];
            }
        }
    }
}

void enuf_exact_remove(const enuf_exact_system *system, int64_t i, int64_t t, int64_t j,
                       double removed, enuf_exact_sums *sums)
{
    const long double *at_i = system->folded + 3 * i, *at_j = system->folded + 3 * j;
    long double apart[3] = {at_i[0] - at_j[0], at_i[1] - at_j[1], at_i[2] - at_j[2]};
    double x[3];
    shortest_image(system, apart, x);
    double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (r2 == 0) return; /* atoms without charge; the pair sum refuses charged ones */
    double potential = removed * system->charges[j] / sqrt(r2);
    sums->potential[t] -= potential;
    for (int a = 0; a < 3; a++) sums->field[3 * t + a] -= potential / r2 * x[a];
    double weight = system->charges[i] / 2 * potential / r2;
    for (int a = 0; a < 3; a++) sums->virial[a] -= weight * x[a] * x[a];
    sums->virial[3] -= weight * x[0] * x[1];
    sums->virial[4] -= weight * x[0] * x[2];
    sums->virial[5] -= weight * x[1] * x[2];
}

/* Place of each atom among the targets: place [n]; -1: no target. */
static enuf_status find_places(const enuf_exact_system *system, int64_t *place)
{
    for (int64_t i = 0; i < system->n; i++) place[i] = -1;
    for (int64_t t = 0; t < system->n_targets; t++) {
        int64_t i = system->targets[t];
        if (place[i] >= 0)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "atom %lld is listed twice among the targets (at %lld and %lld)",
                             (long long)i, (long long)place[i], (long long)t);
        place[i] = t;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_exact_exclusions(const enuf_exact_system *system,
                                  const enuf_exclusions *exclusions, enuf_exact_sums *sums)
{
    memset(sums->virial, 0, 6 * sizeof *sums->virial);
    int64_t *place;
    ENUF_TRY(enuf_allocate(&place, system->n, sizeof *place, "places of targets"));
    enuf_status status = find_places(system, place);
    for (int64_t e = 0; status == ENUF_SUCCESS && exclusions && e < exclusions->n; e++) {
        int64_t i = exclusions->pairs[2 * e], j = exclusions->pairs[2 * e + 1];
        double removed = 1 - (exclusions->weights ? exclusions->weights[e] : 0);
        if (place[i] >= 0) enuf_exact_remove(system, i, place[i], j, removed, sums);
        if (place[j] >= 0) enuf_exact_remove(system, j, place[j], i, removed, sums);
    }
    enuf_release(&place);
    return status;
}
