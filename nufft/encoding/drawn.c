/* drawn.c - see drawn.h. SPDX-License-Identifier: BSD-3-Clause */
#include "drawn.h"
#include "low_rank.h"
#include "memory.h"
#include "terms.h"

#include <string.h>

/* Numbers of samples and pixels that are drawn: so many for each term, or their terms fit the drawn
 * better than the others. The largest takes 10 s for 500 terms. */
enum { FEWEST = 256, MOST = 4 * ENUF_MOST_DRAWN_TERMS, DRAWN_A_TERM = 4 };

/* ---- Draws ---- */

/* Uniform in [0, 1) (Knuth's MMIX generator). */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static enuf_status allocate_draw(int n, enuf_draw *draw)
{
    *draw = (enuf_draw){0};
    ENUF_TRY(enuf_allocate(&draw->index, n, sizeof *draw->index, "drawn places"));
    return enuf_allocate(&draw->weight, n, sizeof *draw->weight, "drawn places");
}

void enuf_draw_free(enuf_draw *draw)
{
    enuf_release(&draw->index);
    enuf_release(&draw->weight);
}

/* One of each of n equal parts of `all`. */
static void draw_evenly(int64_t all, int n, uint64_t *state, int64_t *index)
{
    for (int i = 0; i < n; i++)
        index[i] = (int64_t)(((double)i + uniform(state)) / n * (double)all);
}

static double square_of(const enuf_maps *maps, int64_t k)
{
    double sum = 0;
    for (int d = 0; d < 3; d++)
        if (maps->gradient[d]) sum += maps->gradient[d][k] * maps->gradient[d][k];
    return sum;
}

/* The same by parts of the sum of squared gradients. */
static void draw_by_squares(const enuf_maps *maps, double sum, int n, uint64_t *state,
                            int64_t *index)
{
    double before = 0;
    int i = 0;
    double next = uniform(state) / n * sum;
    for (int64_t k = 0; k < maps->n && i < n; k++) {
        before += square_of(maps, k);
        while (i < n && (next < before || k == maps->n - 1)) {
            index[i++] = k;
            next = ((double)i + uniform(state)) / n * sum;
        }
    }
}

enuf_status enuf_draw_samples(const enuf_field_problem *problem, int n, uint64_t seed,
                              enuf_draw *draw)
{
    ENUF_TRY(allocate_draw(n, draw));
    draw_evenly(problem->samples.n, n, &seed, draw->index);
    for (int i = 0; i < n; i++) draw->weight[i] = (double)problem->samples.n / n;
    return ENUF_SUCCESS;
}

enuf_status enuf_draw_pixels(const enuf_field_problem *problem, int n, uint64_t seed,
                             enuf_draw *draw)
{
    const enuf_maps *maps = &problem->maps;
    double sum = 0;
    ENUF_TRY(allocate_draw(n, draw));
    for (int64_t k = 0; k < maps->n; k++) sum += square_of(maps, k);
    const int even = sum > 0 ? n / 2 : n;
    draw_evenly(maps->n, even, &seed, draw->index);
    draw_by_squares(maps, sum, n - even, &seed, draw->index + even);
    for (int i = 0; i < n; i++) {
        double expected = (double)even / (double)maps->n; /* how often a pixel is drawn */
        if (sum > 0) expected += (n - even) * square_of(maps, draw->index[i]) / sum;
        draw->weight[i] = 1 / expected;
    }
    return ENUF_SUCCESS;
}

/* ---- Terms ---- */

static enuf_status take_drawn(const enuf_field_problem *problem, const enuf_draw *samples,
                              const enuf_draw *pixels, enuf_drawn *made)
{
    ENUF_TRY(enuf_allocate(&made->samples, made->n, sizeof *made->samples, "drawn samples"));
    ENUF_TRY(enuf_allocate(&made->pixels, made->n, sizeof *made->pixels, "drawn pixels"));
    for (int i = 0; i < made->n; i++) {
        made->samples[i] = enuf_sample_at(&problem->samples, samples->index[i]);
        made->pixels[i] = enuf_pixel_at(&problem->maps, pixels->index[i]);
    }
    return ENUF_SUCCESS;
}

/* Columns are pixels; weighted. */
static void fill_matrix(const enuf_field_problem *problem, const enuf_drawn *drawn,
                        const enuf_draw *samples, const enuf_draw *pixels, double complex *matrix)
{
    for (int k = 0; k < drawn->n; k++)
        for (int j = 0; j < drawn->n; j++) {
            const double weight = sqrt(samples->weight[j] * pixels->weight[k]);
            double e[2];
            enuf_element(problem->samples.dim, &drawn->samples[j], &drawn->pixels[k], e);
            matrix[(size_t)k * drawn->n + j] = weight * (e[0] + e[1] * I);
        }
}

/* Singular vectors, unweighted, as factors of the elements. */
static enuf_status fill_factors(const enuf_low_rank *low, const enuf_draw *samples,
                                const enuf_draw *pixels, enuf_drawn *made)
{
    const int n = made->n, count = made->count = low->rank;
    ENUF_TRY(enuf_allocate(&made->of_samples, 2 * (int64_t)n * count, sizeof(double),
                           "interpolators of samples"));
    ENUF_TRY(enuf_allocate(&made->of_pixels, 2 * (int64_t)n * count, sizeof(double),
                           "interpolators of pixels"));
    for (int i = 0; i < n; i++)
        for (int l = 0; l < count; l++) {
            const double complex right = low->right[(size_t)l * n + i];
            const double complex left = low->vector[(size_t)l * n + i];
            const double of_pixel = sqrt(pixels->weight[i]) / low->value[l];
            const double of_sample = sqrt(samples->weight[i]);
            double *a = made->of_samples + 2 * (size_t)i * count + l;
            double *b = made->of_pixels + 2 * (size_t)i * count + l;
            a[0] = creal(right) * of_pixel;
            a[count] = cimag(right) * of_pixel;
            b[0] = creal(left) * of_sample;
            b[count] = -cimag(left) * of_sample;
        }
    return ENUF_SUCCESS;
}

static enuf_status with_draws(const enuf_field_problem *problem, double tolerance,
                              const enuf_draw *samples, const enuf_draw *pixels, enuf_drawn *made)
{
    double complex *matrix;
    enuf_low_rank low = {0};
    ENUF_TRY(take_drawn(problem, samples, pixels, made));
    ENUF_TRY(enuf_allocate(&matrix, (int64_t)made->n * made->n, sizeof *matrix, "drawn elements"));
    fill_matrix(problem, made, samples, pixels, matrix);
    enuf_status status = enuf_low_rank_make(made->n, made->n, matrix, tolerance, &low);
    if (status == ENUF_SUCCESS) status = fill_factors(&low, samples, pixels, made);
    enuf_low_rank_free(&low);
    enuf_release(&matrix);
    return status;
}

static enuf_status make(const enuf_field_problem *problem, double tolerance, int n,
                        enuf_drawn *made)
{
    enuf_draw samples, pixels = {0};
    *made = (enuf_drawn){.n = n};
    enuf_status status = enuf_draw_samples(problem, n, 11, &samples);
    if (status == ENUF_SUCCESS) status = enuf_draw_pixels(problem, n, 12, &pixels);
    if (status == ENUF_SUCCESS) status = with_draws(problem, tolerance, &samples, &pixels, made);
    enuf_draw_free(&samples);
    enuf_draw_free(&pixels);
    return status;
}

enuf_status enuf_drawn_make(const enuf_field_problem *problem, double tolerance, enuf_drawn *made)
{
    for (int n = FEWEST; n <= MOST; n *= 2) {
        ENUF_TRY(make(problem, tolerance, n, made));
        if (DRAWN_A_TERM * made->count <= n || made->count >= problem->maps.n ||
            made->count >= problem->samples.n)
            return ENUF_SUCCESS;
        if (2 * n <= MOST) enuf_drawn_free(made);
    }
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "the field in the voxels takes more than %d interpolators: ask for a larger "
                     "tolerance, or use the sums of enuf/direct.h",
                     MOST / DRAWN_A_TERM);
}

void enuf_drawn_free(enuf_drawn *drawn)
{
    enuf_release(&drawn->samples);
    enuf_release(&drawn->pixels);
    enuf_release(&drawn->of_samples);
    enuf_release(&drawn->of_pixels);
}
