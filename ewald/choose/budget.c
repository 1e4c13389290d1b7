/* budget.c - see budget.h. SPDX-License-Identifier: BSD-3-Clause */
#include "budget.h"
#include "sums/fixed_sums.h"
#include "truncation_error.h"

#include <float.h>
#include <math.h>

static const double two_pi = 6.283185307179586476925;

/*
 * Force errors by rounding, in roundings: of the pairs, of F_ref; of the mesh, of a grid value.
 * Measured on salts of 200 to 16000 ions in float: of the pairs (sums of some hundred terms, the
 * nearest of a few F_ref) 7 to 11 roundings of F_ref; of the mesh 3 to 5 roundings of a grid value,
 * of which each passes through the window's factors twice.
 */
static const double PAIR_ROUNDING = 10, MESH_ROUNDING = 4.5;

/* The sum of the parts, as a fraction of the request. */
static const double BUDGET = 0.9;

static const double SPHERE = 4.18879020478639; /* 4 pi/3 */

double enuf_neighbours(double density, double cutoff)
{
    return SPHERE * density * cutoff * cutoff * cutoff;
}

double enuf_cutoff_for(double density, double neighbours)
{
    return cbrt(neighbours / (SPHERE * density));
}

/*
 * A slab's charges fill the given volume, not the extended one. With it the predicted truncation
 * error is 1.2 to 1.3 times the measured one; with the extended volume it would be 1/1.4 of it.
 */
double enuf_accuracy_unit(const enuf_choice_request *request, double cutoff)
{
    return sqrt(cutoff) * pow(enuf_density(request), 1.0 / 6);
}

/* Half the distance of neighbouring numbers at 1, in the arithmetic of pairs and mesh. */
static double unit_rounding(const enuf_choice_request *request)
{
    return request->options->arithmetic == ENUF_ARITHMETIC_MIXED ? 0.5 * FLT_EPSILON
                                                                 : 0.5 * DBL_EPSILON;
}

double enuf_pair_rounding(const enuf_choice_request *request, double cutoff)
{
    const double numbers = PAIR_ROUNDING * unit_rounding(request);
    if (!request->options->deterministic) return numbers;
    const double neighbours = enuf_neighbours(enuf_density(request), cutoff);
    return hypot(numbers, sqrt(3 * neighbours) * enuf_fixed_rounding());
}

/*
 * A rounding of the cutoff in a distance r makes 2 |q_i q_j| eps r_c/r^3 in the force. |q_i q_j| is
 * taken as the root mean fourth power of charges: of two larger ones the force is wrong by more,
 * but there are few.
 */
double enuf_close_distance(const enuf_choice_request *request, double cutoff)
{
    const enuf_ewald_options *o = request->options;
    if (o->arithmetic == ENUF_ARITHMETIC_MIXED || o->deterministic) return 0;
    const double spacing = cbrt(1 / enuf_density(request));
    const double charges = sqrt((double)request->n_charged * request->concentration);
    const double allowed = 0.1 * request->requested;
    const double cube = 2 * charges * unit_rounding(request) * cutoff / spacing / allowed;
    return spacing * fmin(cbrt(cube), 0.25);
}

/*
 * Deterministic sums add integers of the unit 2^-62 of the power of two above sum |q|; each charge
 * is rounded to this unit in P^3 cells. The rounding is relative to the integral of the window's
 * square, about sqrt(pi P/10), as of a Gaussian with the mean square slope 5/P.
 */
double enuf_grid_rounding(const enuf_choice_request *request, int width)
{
    const double numbers = MESH_ROUNDING * unit_rounding(request);
    if (!request->options->deterministic) return numbers;
    int exponent;
    frexp(request->grid_bound, &exponent);
    const double rounding = ldexp(1, exponent - 62) / sqrt(12);
    const double mean_charge = sqrt(request->sum_q2 / (double)request->n_charged);
    return hypot(numbers, rounding / mean_charge * pow(20 / two_pi * width, 0.75));
}

double enuf_k_unit(const enuf_choice_request *request)
{
    return two_pi / cbrt(request->cell->volume);
}

/* The error of 19 of 20 configurations lies within so many standard deviations of the prediction.
 */
static const double DEVIATIONS = 2;

double enuf_room_for_deviation(double scatter)
{
    return 1 / (1 + DEVIATIONS * scatter);
}

double enuf_room_for_scatter(const enuf_choice_request *request, const enuf_splitting *splitting,
                             double k_c)
{
    const double of_few_ions = 1 - 1 / sqrt((double)request->n_charged + 3);
    if (splitting && enuf_few_modes(request->cell, k_c)) {
        double scatter;
        (void)enuf_truncation_error(request->cell, request->structure_factor, splitting, k_c,
                                    &scatter);
        return of_few_ions * enuf_room_for_deviation(scatter);
    }
    double fewest = HUGE_VAL;
    for (int d = 0; d < 3; d++) fewest = fmin(fewest, k_c * request->cell->length[d] / two_pi);
    return of_few_ions / (1 + 0.25 / fmax(fewest, 1));
}

/* The accuracy A that is left for the parts after rounding. */
static double total_budget(const enuf_choice_request *request, double cutoff)
{
    double rounding = fmin(enuf_pair_rounding(request, cutoff) / request->requested, 0.9);
    return BUDGET * request->requested * sqrt(1 - rounding * rounding);
}

/* Number of parts: pairs, truncation, mesh. Prolate pairs make no error. */
static double number_of_parts(const enuf_split_choice *c)
{
    return c->split == ENUF_SPLIT_GAUSSIAN ? 3 : 2;
}

/* Share of every part except the mesh, of a budget of 1. */
static double part_of_others(const enuf_split_choice *c)
{
    return c->others > 0 ? c->others : 1 / sqrt(number_of_parts(c));
}

/*
 * Correlated charges have small force errors, but energy and virial still lack the mean of the
 * pairs beyond the cutoff. This bounds it: alpha is large enough that the pairs of uncorrelated
 * charges would have this part of the requested accuracy as their error. LAMMPS' rule for g_ewald
 * gives parts of 0.30 to 0.87 (pppm in water and salts at 1e-3 to 1e-6). Energy that a crystal of
 * 1,000 ions lacks at 1e-3, kcal/mol: without this bound 238, with 0.4 95, with 0.3 69, pppm 72.
 * The modes of 27,648 atoms of water (one core, November 2026) take 3.1 ms instead of 2.9 at
 * 1e-3, 7.3 instead of 6.5 at 1e-6.
 */
static const double UNCORRELATED_PAIRS = 0.3;

/* The largest allowed error (in eps_F) of pairs beyond the cutoff for uncorrelated charges. */
static double most_of_pairs(const enuf_choice_request *request, double cutoff)
{
    if (request->structure_factor->n == 0) return HUGE_VAL;
    const double requested = request->error_scale * request->requested;
    return UNCORRELATED_PAIRS * requested * enuf_accuracy_unit(request, cutoff);
}

/* Splitting and k_c for a cutoff, such that pairs and truncation make these errors (in eps_F) for
 * uncorrelated charges. */
static void choose_splitting(const enuf_choice_request *request, double pairs, double truncation,
                             enuf_split_choice *c)
{
    const enuf_ewald_options *o = request->options;
    if (c->split == ENUF_SPLIT_GAUSSIAN) {
        pairs = fmin(pairs, most_of_pairs(request, c->cutoff));
        c->alpha = o->alpha > 0 ? o->alpha : enuf_gaussian_alpha_for(pairs, c->cutoff);
        c->k_c = o->kmax > 0 ? o->kmax * enuf_k_unit(request)
                             : enuf_gaussian_band_for(truncation, c->alpha, c->cutoff);
        return;
    }
    c->c = o->c > 0 ? o->c : enuf_prolate_c_for(truncation);
    c->k_c = c->c / c->cutoff;
    if (o->kmax == 0) return;
    double given = o->kmax * enuf_k_unit(request);
    if (o->c > 0) {
        c->k_c = fmin(c->k_c, given);
    } else { /* the band ends at the last mode */
        c->k_c = given;
        c->c = fmin(fmax(given * c->cutoff, 1e-3), 150);
    }
}

/* Factors of the two errors by the charge structure factor. */
static void error_factors(const enuf_choice_request *request, const enuf_split_choice *c,
                          double *pairs, double *truncation)
{
    enuf_splitting splitting;
    *pairs = *truncation = 1;
    if (request->structure_factor->n == 0 || enuf_make_splitting(c, &splitting) != ENUF_SUCCESS)
        return;
    *pairs = enuf_pair_error_factor(request->structure_factor, &splitting);
    *truncation = enuf_truncation_error_factor(request->structure_factor, &splitting, c->k_c);
}

/* The same if all parts together may make the error `target`. The factors by the structure factor
 * depend on the splitting, and the splitting on them: after some turns errors only decrease, until
 * they fit. (Beyond the next peak of a crystal's structure factor there may be another.) */
static void share_among_others(const enuf_choice_request *request, double target,
                               enuf_split_choice *c)
{
    enum { FREE_TURNS = 2, TURNS = 10 };
    const double near_enough = 1.005;
    const double part = target * part_of_others(c);
    double pairs = part, truncation = part;
    choose_splitting(request, pairs, truncation, c);
    for (int turn = 0; request->structure_factor->n > 0 && turn < TURNS; turn++) {
        double of_pairs, of_truncation;
        error_factors(request, c, &of_pairs, &of_truncation);
        const int fit = of_pairs * pairs <= near_enough * part &&
                        of_truncation * truncation <= near_enough * part;
        if (turn >= FREE_TURNS && fit) return;
        pairs = turn < FREE_TURNS ? part / of_pairs : fmin(part / of_pairs, pairs);
        truncation =
            turn < FREE_TURNS ? part / of_truncation : fmin(part / of_truncation, truncation);
        choose_splitting(request, pairs, truncation, c);
    }
}

/* The budget that pairs and truncation leave to the mesh, for the present splitting and k_c; at
 * least an equal share. */
static double rest_for_mesh(const enuf_choice_request *request, double target,
                            const enuf_split_choice *c)
{
    const double equal = target / sqrt(number_of_parts(c));
    enuf_splitting splitting;
    if (c->others == 0 || enuf_make_splitting(c, &splitting) != ENUF_SUCCESS) return equal;
    double factor_of_pairs, factor_of_truncation;
    error_factors(request, c, &factor_of_pairs, &factor_of_truncation);
    const double pairs = factor_of_pairs * enuf_splitting_real_error(&splitting);
    const double truncation =
        factor_of_truncation * enuf_splitting_truncation_error(&splitting, c->k_c);
    const double rest = target * target - pairs * pairs - truncation * truncation;
    return rest > equal * equal ? sqrt(rest) : equal;
}

static void share(const enuf_choice_request *request, double target, enuf_split_choice *c)
{
    target *= enuf_accuracy_unit(request, c->cutoff);
    share_among_others(request, target, c);
    c->mesh_budget = rest_for_mesh(request, target, c);
}

/* The share of truncation of `target` (in A), with room for the scatter of few modes. */
static enuf_status truncation_fits(const enuf_choice_request *request, double target,
                                   const enuf_split_choice *c, double *excess)
{
    enuf_splitting splitting;
    double scatter;
    ENUF_TRY(enuf_make_splitting(c, &splitting));
    double error = enuf_truncation_error(request->cell, request->structure_factor, &splitting,
                                         c->k_c, &scatter);
    double room = enuf_room_for_scatter(request, &splitting, c->k_c);
    *excess = error / (target * room * enuf_accuracy_unit(request, c->cutoff) * part_of_others(c));
    return ENUF_SUCCESS;
}

/* Adds modes if few modes leave more error than a continuum. */
static void mend_few_modes(const enuf_choice_request *request, double target, enuf_split_choice *c)
{
    const enuf_ewald_options *o = request->options;
    if (o->kmax > 0 || (c->split == ENUF_SPLIT_PROLATE && o->c > 0)) return;
    for (int step = 0; step < 40 && enuf_few_modes(request->cell, c->k_c); step++) {
        double excess;
        if (truncation_fits(request, target, c, &excess) != ENUF_SUCCESS || excess <= 1) return;
        /* ln error falls with a slope of -1 in c, of -k/(2 alpha^2) in k; a little more, to get
         * across the next shell in the end */
        if (c->split == ENUF_SPLIT_PROLATE) {
            c->c += log(excess) + 0.02;
            c->k_c = c->c / c->cutoff;
        } else {
            c->k_c += 2 * c->alpha * c->alpha / c->k_c * log(excess) + 0.002 * c->k_c;
        }
    }
}

void enuf_share_budget(const enuf_choice_request *request, enuf_split_choice *c)
{
    double target = total_budget(request, c->cutoff);
    share(request, target * enuf_room_for_scatter(request, NULL, HUGE_VAL), c);
    share(request, target * enuf_room_for_scatter(request, NULL, c->k_c), c);
    mend_few_modes(request, target, c);
}

/* The alpha at which pairs beyond the cutoff and modes beyond k_c make equal errors. With alpha the
 * first falls and the second grows. */
static double balanced_alpha(double cutoff, double k_c)
{
    double low = 1e-3 / cutoff, high = 30 / cutoff;
    for (int step = 0; step < 60; step++) {
        const double alpha = sqrt(low * high);
        enuf_splitting splitting;
        if (enuf_splitting_gaussian(alpha, cutoff, &splitting) != ENUF_SUCCESS) break;
        const int more_in_modes = enuf_splitting_truncation_error(&splitting, k_c) >
                                  enuf_splitting_real_error(&splitting);
        *(more_in_modes ? &high : &low) = alpha;
    }
    return low;
}

void enuf_share_few_modes(const enuf_choice_request *request, double k_c, enuf_split_choice *c)
{
    const enuf_ewald_options *o = request->options;
    enuf_splitting splitting;
    c->k_c = fmin(c->k_c, k_c);
    if (c->split == ENUF_SPLIT_PROLATE && o->c == 0)
        c->c = fmin(fmax(c->k_c * c->cutoff, 1e-3), 150);
    if (c->split == ENUF_SPLIT_GAUSSIAN && o->alpha == 0)
        c->alpha = balanced_alpha(c->cutoff, c->k_c);
    if (enuf_make_splitting(c, &splitting) != ENUF_SUCCESS) return;
    /* the mesh need not be better than the rest */
    const double rest = 0.3 * hypot(enuf_splitting_real_error(&splitting),
                                    enuf_splitting_truncation_error(&splitting, c->k_c));
    c->mesh_budget = fmax(c->mesh_budget, rest);
}

double enuf_cutoff_for_alpha(const enuf_choice_request *request, double alpha)
{
    double cutoff = 3 / alpha;
    for (int k = 0; k < 40; k++) {
        double part = total_budget(request, cutoff) / sqrt(3) * enuf_accuracy_unit(request, cutoff);
        part = fmin(part, most_of_pairs(request, cutoff));
        cutoff = enuf_gaussian_alpha_for(part, 1.0) / alpha;
    }
    return cutoff;
}

enuf_status enuf_make_splitting(const enuf_split_choice *c, enuf_splitting *splitting)
{
    return c->split == ENUF_SPLIT_GAUSSIAN ? enuf_splitting_gaussian(c->alpha, c->cutoff, splitting)
                                           : enuf_splitting_prolate(c->c, c->cutoff, splitting);
}
