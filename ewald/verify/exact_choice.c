/*
 * exact_choice.c - chooses alpha, cutoff and last mode of exact sums unless the caller gives them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_backend.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/*
 * alpha r_c and k_c/(2 alpha): exp(-6.3^2) = 6e-18. Both remainders stay below the rounding of the
 * force between neighbours, even if they add up coherently, as in a crystal.
 */
static const double steepness = 6.3;

/*
 * Pairs cost targets * density * cutoff^3, modes (atoms + targets) * volume * k_c^3: with
 * u = alpha^3 that is A/u + B u, least where u^2 = A/B.
 */
static double cheapest_alpha(const enuf_exact_system *system)
{
    const enuf_exact_backend *on = system->backend;
    double cube = steepness * steepness * steepness, targets = (double)system->n_targets;
    double neighbours = 4 * pi / 3 * (double)system->n / system->volume * cube;
    double modes = system->volume * 8 * cube / (12 * pi * pi);
    double pairs = targets * neighbours * on->pair_time;
    double reciprocal =
        ((double)system->n * on->structure_time + targets * on->gather_time) * modes;
    return cbrt(sqrt(pairs / reciprocal));
}

enuf_status enuf_exact_choose(const enuf_exact_options *options, enuf_exact_system *system)
{
    const double given[3] = {options->alpha, options->cutoff, options->kmax};
    const char *const names[3] = {"alpha", "cutoff", "kmax"};
    for (int i = 0; i < 3; i++)
        if (!(given[i] >= 0) || !isfinite(given[i]))
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s = %g: has to be positive, or 0 (chosen)",
                             names[i], given[i]);
    double alpha = options->alpha, cutoff = options->cutoff;
    double k_c = 2 * pi * options->kmax / cbrt(system->volume);
    if (alpha == 0) {
        if (cutoff > 0 && k_c > 0)
            alpha = sqrt(k_c / (2 * cutoff));
        else if (cutoff > 0)
            alpha = steepness / cutoff;
        else if (k_c > 0)
            alpha = k_c / (2 * steepness);
        else
            alpha = cheapest_alpha(system);
    }
    system->alpha = alpha;
    system->cutoff = cutoff > 0 ? cutoff : steepness / alpha;
    system->k_c = k_c > 0 ? k_c : 2 * steepness * alpha;
    return ENUF_SUCCESS;
}
