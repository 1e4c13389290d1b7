/* separate_pairs.c - see separate_pairs.h. SPDX-License-Identifier: BSD-3-Clause */
#include "separate_pairs.h"
#include "memory.h"
#include "pair_times.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Of the tolerance: what separation leaves out, what it may be found to miss, nodes. */
static const double SEPARATION_SHARE = 0.8, ACCEPTED = 0.86, NODE_SHARE = 0.02;

/* Pairs that are drawn for the histogram, of which a quarter are a pixel with itself: those add up
 * over all samples, whatever the samples' places are. */
enum { DRAWN = 1 << 14, COMPARED = 192 };

/* Uniform in [0, n) (Knuth's MMIX generator). */
static int64_t draw(uint64_t *state, int64_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((double)(*state >> 11) * 0x1p-53 * (double)n);
}

/* ---- Pairs ---- */

static void draw_pairs(const enuf_field_problem *problem, double *difference, double *sum)
{
    const enuf_maps *maps = &problem->maps;
    uint64_t seed = 21;
    for (int i = 0; i < DRAWN; i++) {
        const int64_t k = draw(&seed, maps->n), other = draw(&seed, maps->n);
        const enuf_pixel a = enuf_pixel_at(maps, k);
        const enuf_pixel b = enuf_pixel_at(maps, i % 4 == 0 ? k : other);
        difference[i] = fabs(b.omega - a.omega);
        sum[i] = a.decay + b.decay;
    }
}

static enuf_status make_pairs(const enuf_field_problem *problem, double half_time, double tolerance,
                              enuf_histogram *made)
{
    double *difference = NULL, *sum = NULL;
    enuf_status status = enuf_allocate(&difference, DRAWN, sizeof *difference, "pairs of pixels");
    if (status == ENUF_SUCCESS) status = enuf_allocate(&sum, DRAWN, sizeof *sum, "pairs of pixels");
    if (status == ENUF_SUCCESS) {
        const enuf_values values = {DRAWN, 1, difference, sum};
        const double rate[2] = {half_time, half_time};
        draw_pairs(problem, difference, sum);
        const enuf_range range = enuf_range_of(&values);
        status = enuf_histogram_make(&values, &range, rate, tolerance, made);
    }
    enuf_release(&difference);
    enuf_release(&sum);
    return status;
}

/* ---- The error, at samples and pairs drawn anew ---- */

/* A pair that is compared, and its exponentials at the times of the sum. */
typedef struct compared {
    double omega, decay;
    double complex *at_times; /* [count] */
} compared;

static void set_compared(const enuf_pairs *pairs, const enuf_pixel *a, const enuf_pixel *b,
                         compared *to)
{
    to->omega = b->omega - a->omega;
    to->decay = a->decay + b->decay;
    for (int l = 0; l < pairs->count; l++)
        to->at_times[l] = exp(-to->decay * pairs->time[l]) * cexp(-I * to->omega * pairs->time[l]);
}

/* Relative l2 error over all samples and pairs. */
static double error_of(const enuf_field_problem *problem, const enuf_pairs *pairs,
                       const enuf_draw *samples, const compared *with, double *weights)
{
    double rules[(ENUF_MOST_NODES + 1) * 2 * ENUF_MOST_NODES];
    double missed = 0, all = 0;
    enuf_fill_rules(rules);
    for (int j = 0; j < COMPARED; j++) {
        const double time = enuf_sample_at(&problem->samples, samples->index[j]).time;
        enuf_pair_place place;
        enuf_pair_place_at(pairs, rules, time, &place);
        for (int l = 0; l < pairs->count; l++) weights[l] = enuf_pair_weight(pairs, &place, l);
        for (int i = 0; i < COMPARED; i++) {
            const double size = exp(-with[i].decay * time);
            double complex rest = size * cexp(-I * with[i].omega * time);
            for (int l = 0; l < pairs->count; l++) rest -= weights[l] * with[i].at_times[l];
            missed += creal(rest * conj(rest));
            all += size * size;
        }
    }
    return all > 0 ? sqrt(missed / all) : 0;
}

/* The larger error of two kinds of pairs: different pixels, and a pixel with itself. */
static void compare(const enuf_field_problem *problem, const enuf_draw *samples,
                    const enuf_draw *pixels, compared *with, double *weights, enuf_pairs *pairs)
{
    pairs->error = 0;
    for (int same = 0; same < 2; same++) {
        for (int i = 0; i < COMPARED; i++) {
            const int other = same ? i : (101 * i + 37) % COMPARED;
            const enuf_pixel a = enuf_pixel_at(&problem->maps, pixels->index[i]);
            const enuf_pixel b = enuf_pixel_at(&problem->maps, pixels->index[other]);
            set_compared(pairs, &a, &b, &with[i]);
        }
        pairs->error = fmax(pairs->error, error_of(problem, pairs, samples, with, weights));
    }
}

static enuf_status measure(const enuf_field_problem *problem, enuf_pairs *pairs)
{
    const int count = pairs->count;
    enuf_draw samples, pixels = {0};
    compared with[COMPARED];
    double complex *exponentials = NULL;
    double *weights = NULL;
    enuf_status status = enuf_draw_samples(problem, COMPARED, 31, &samples);
    if (status == ENUF_SUCCESS) status = enuf_draw_pixels(problem, COMPARED, 32, &pixels);
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&exponentials, (int64_t)COMPARED * count, sizeof *exponentials,
                               "exponentials of some pairs");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&weights, count, sizeof *weights, "weights of a sample");
    if (status == ENUF_SUCCESS) {
        for (int i = 0; i < COMPARED; i++) with[i].at_times = exponentials + (size_t)i * count;
        compare(problem, &samples, &pixels, with, weights, pairs);
    }
    enuf_draw_free(&samples);
    enuf_draw_free(&pixels);
    enuf_release(&exponentials);
    enuf_release(&weights);
    return status;
}

/* ---- All ---- */

static enuf_status make(const enuf_field_problem *problem, double tolerance, enuf_pairs *made)
{
    const enuf_values times = {problem->samples.n, 1, problem->samples.times, NULL};
    const enuf_values field = {problem->maps.n, problem->maps.turn, problem->maps.omega,
                               problem->maps.decay};
    const enuf_range of_times = enuf_range_of(&times), of_field = enuf_range_of(&field);
    const double half_time = 0.5 * (of_times.high[0] - of_times.low[0]);
    const double rate[2] = {
        hypot(of_field.high[0] - of_field.low[0], of_field.high[1] - of_field.low[1]), 0};
    const double nodes = fmax(NODE_SHARE * tolerance, 1e-16);
    enuf_histogram pairs = {0};
    made->middle = of_times.low[0] + half_time;
    made->decay = of_field.low[1] + of_field.high[1];
    enuf_status status = enuf_histogram_make(&times, &of_times, rate, nodes, &made->times);
    if (status == ENUF_SUCCESS) status = make_pairs(problem, half_time, nodes, &pairs);
    if (status == ENUF_SUCCESS) status = enuf_pair_times_choose(&pairs, tolerance, made);
    enuf_histogram_free(&pairs);
    return status == ENUF_SUCCESS ? measure(problem, made) : status;
}

enuf_status enuf_pairs_separate(const enuf_field_problem *problem, enuf_pairs *made)
{
    double tolerance = SEPARATION_SHARE * problem->tolerance;
    memset(made, 0, sizeof *made);
    /* errors of other samples and pairs may be larger than those that the choice has seen */
    for (int attempt = 0; attempt < 6; attempt++, tolerance *= 0.7) {
        enuf_pairs_free(made);
        ENUF_TRY(make(problem, tolerance, made));
        if (2 * (int64_t)made->count > problem->samples.n && made->count > 1)
            return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                             "%d Gram operators for %lld samples would take more time than "
                             "transforms, and their error is not predicted: use "
                             "ENUF_NORMAL_TRANSFORMS",
                             made->count, (long long)problem->samples.n);
        if (made->error <= ACCEPTED * problem->tolerance) return ENUF_SUCCESS;
    }
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "tolerance %.2g: %d Gram operators reach %.2g for these samples and maps; ask "
                     "for that, or use ENUF_NORMAL_TRANSFORMS",
                     problem->tolerance, made->count, made->error);
}
