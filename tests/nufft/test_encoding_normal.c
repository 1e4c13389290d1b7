/*
 * test_encoding_normal.c - A^H W A of an encoding by Gram operators:
 *
 * - it is A^H W A summed term by term, within the error that is predicted: 1D to 3D, odd sizes,
 * both precisions, all kinds of maps, decay, voxels, batches, weights of both signs, a field of
 * many turns; the prediction is at most 1.5 tolerances;
 * - <x, N y> = <N x, y> to rounding, and <x, N x> is positive for weights that are not negative;
 * - with sensitivities it is the sum over coils of conj(S) N S, to rounding;
 * - gradients and wrong arguments are refused, and no samples and no pixels are legal.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_problem.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 2, SAMPLES = 300 };

static void *weights_make(const encoding_problem *p, int kind)
{
    void *weights = numbers_make(p->options.precision, p->n);
    for (int64_t j = 0; j < p->n; j++)
        number_set(p->options.precision, weights, j,
                   kind == 0 ? 0.5 + (double)(j % 7) : cos((double)j) + 0.3);
    return weights;
}

/* A^H W A of the images, summed term by term; the problem's images become these. */
static void *exact_normal(encoding_problem *p, const void *weights)
{
    const enuf_precision q = p->options.precision;
    void *image = numbers_make(q, p->n_image);
    encoding_problem_sum(p);
    for (int64_t i = 0; i < p->n_data; i++)
        number_set(q, p->data, i,
                   number_at(q, p->data_expected, i) *
                       (weights ? number_at(q, weights, i / 2 % p->n) : 1));
    encoding_problem_sum(p);
    memcpy(image, p->image_expected, (size_t)p->n_image * (q == ENUF_FLOAT ? 4 : 8));
    return image;
}

static void check_normal(encoding_problem *p, enuf_encoding *encoding, int kind)
{
    const enuf_precision q = p->options.precision;
    void *weights = kind < 0 ? NULL : weights_make(p, kind);
    void *expected = exact_normal(p, weights), *to = numbers_make(q, p->n_image);
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, p->image, to), ENUF_SUCCESS);
    const enuf_encoding_report r = encoding_report_of(encoding);
    const double rounding = q == ENUF_FLOAT ? 2e-6 : 1e-13;
    CHECK(r.normal == ENUF_NORMAL_GRAM && r.normal_terms > 0);
    CHECK_BELOW(r.normal_error, 1.5 * p->options.tolerance, "  prediction, 1.5 tolerances");
    CHECK_BELOW(relative_error(q, p->n_image, to, expected), 2 * r.normal_error + rounding,
                "  A^H W A against sums, twice the prediction");
    free(weights);
    free(expected);
    free(to);
}

static double complex inner(const encoding_problem *p, const void *a, const void *b)
{
    const enuf_precision q = p->options.precision;
    double complex sum = 0;
    for (int64_t i = 0; i < p->n_image; i += 2)
        sum += (number_at(q, a, i) - I * number_at(q, a, i + 1)) *
               (number_at(q, b, i) + I * number_at(q, b, i + 1));
    return sum;
}

static void hermitian(const encoding_problem *p, enuf_encoding *encoding)
{
    const enuf_precision q = p->options.precision;
    void *y = numbers_random(q, p->n_image, 5), *weights = weights_make(p, 0);
    void *nx = numbers_make(q, p->n_image), *ny = numbers_make(q, p->n_image);
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, p->image, nx), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, y, ny), ENUF_SUCCESS);
    const double size = sqrt(creal(inner(p, nx, nx)) * creal(inner(p, y, y)));
    CHECK_BELOW(cabs(inner(p, p->image, ny) - inner(p, nx, y)) / size,
                q == ENUF_FLOAT ? 1e-6 : 1e-14, "  <x, N y> - <N x, y>, rounding");
    CHECK(creal(inner(p, p->image, nx)) > 0 && creal(inner(p, y, ny)) > 0);
    free(y);
    free(weights);
    free(nx);
    free(ny);
}

typedef struct setting {
    int dim;
    enuf_precision precision;
    map_kind kind;
    double field, decay, tolerance;
    int voxel;
} setting;

static void of(const setting *s)
{
    enuf_encoding_options options = encoding_options(s->dim, s->dim == 1 ? 61 : 15, 9, 5);
    options.precision = s->precision;
    options.tolerance = s->tolerance;
    options.normal = ENUF_NORMAL_GRAM;
    options.batch = BATCH;
    options.sign = s->dim == 2 ? 1 : -1;
    options.mode_order = s->dim == 2 ? ENUF_FFT_ORDER : ENUF_CENTRED;
    encoding_problem p = encoding_problem_make(&options, SAMPLES, 0.02, 71);
    encoding_problem_maps(&p, s->kind, s->field, s->decay, 0, 3);
    p.with_voxel = s->voxel;
    printf("%dD, %s, %s %g Hz, decay %g, voxel %d, tolerance %.0e\n", s->dim,
           s->precision == ENUF_FLOAT ? "float" : "double", map_kind_name(s->kind), s->field,
           s->decay, s->voxel, s->tolerance);
    enuf_encoding *encoding = encoding_of(&p);
    if (encoding) {
        const enuf_encoding_report r = encoding_report_of(encoding);
        printf("  %d interpolators, %d operators\n", r.interpolators, r.normal_terms);
        for (int kind = -1; kind < 2; kind++) check_normal(&p, encoding, kind);
        hermitian(&p, encoding);
    }
    enuf_encoding_destroy(&encoding);
    encoding_problem_free(&p);
}

/* Sum over coils of conj(S) N S. */
static void coils(void)
{
    enuf_encoding_options options = encoding_options(2, 12, 11, 1);
    options.batch = BATCH;
    options.normal = ENUF_NORMAL_GRAM;
    encoding_problem p = encoding_problem_make(&options, SAMPLES, 0.02, 72);
    const int64_t one = p.n_image / BATCH;
    double *maps = numbers_random(ENUF_DOUBLE, p.n_image, 8);
    double *of_coils = numbers_make(ENUF_DOUBLE, p.n_image);
    double *each = numbers_make(ENUF_DOUBLE, p.n_image), *to = numbers_make(ENUF_DOUBLE, one);
    double *sum = numbers_make(ENUF_DOUBLE, one);
    const double complex *s = (const double complex *)maps;
    for (int with_maps = 0; with_maps < 2; with_maps++) {
        encoding_problem_maps(&p, with_maps ? SMOOTH : NO_MAP, 90, 0, 0, 4);
        enuf_encoding *encoding = encoding_of(&p);
        if (!encoding) break;
        for (int64_t i = 0; i < p.n_image / 2; i++)
            ((double complex *)of_coils)[i] =
                s[i] * ((const double complex *)p.image)[i % p.pixels];
        CHECK_STATUS(enuf_encoding_normal(encoding, NULL, of_coils, each), ENUF_SUCCESS);
        for (int64_t i = 0; i < p.pixels; i++) ((double complex *)sum)[i] = 0;
        for (int64_t i = 0; i < p.n_image / 2; i++)
            ((double complex *)sum)[i % p.pixels] += conj(s[i]) * ((double complex *)each)[i];
        CHECK_STATUS(enuf_encoding_set_sensitivities(encoding, maps), ENUF_SUCCESS);
        CHECK_STATUS(enuf_encoding_normal(encoding, NULL, p.image, to), ENUF_SUCCESS);
        CHECK_BELOW(relative_error(ENUF_DOUBLE, one, to, sum), 1e-14,
                    "coils: against their sum, rounding");
        enuf_encoding_destroy(&encoding);
    }
    void *arrays[] = {maps, of_coils, each, to, sum};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
    encoding_problem_free(&p);
}

/* Nearly as many operators as samples. */
static void too_many(void)
{
    enuf_encoding_options options = encoding_options(2, 15, 9, 1);
    options.normal = ENUF_NORMAL_GRAM;
    options.tolerance = 1e-2;
    encoding_problem p = encoding_problem_make(&options, SAMPLES, 0.02, 71);
    encoding_problem_maps(&p, ROUGH, 3000, 0, 0, 3);
    enuf_encoding *encoding = NULL;
    CHECK_STATUS(enuf_encoding_create(&options, &encoding), ENUF_SUCCESS);
    CHECK_STATUS(encoding_problem_set(&p, encoding), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("ENUF_NORMAL_TRANSFORMS");
    enuf_encoding_destroy(&encoding);
    encoding_problem_free(&p);
}

static void errors(void)
{
    enuf_encoding_options options = encoding_options(2, 10, 9, 1);
    options.normal = ENUF_NORMAL_GRAM;
    encoding_problem p = encoding_problem_make(&options, 100, 0.02, 75);
    encoding_problem_maps(&p, SMOOTH, 60, 0, 10, 4);
    double image[180], weights[100];
    enuf_normal normal;
    enuf_encoding *encoding;
    if (!CHECK_STATUS(enuf_encoding_create(&options, &encoding), ENUF_SUCCESS)) return;
    CHECK_STATUS(encoding_problem_set(&p, encoding), ENUF_UNSUPPORTED);
    CHECK_TEXT("ENUF_NORMAL_TRANSFORMS");
    CHECK_STATUS(enuf_encoding_normal(encoding, NULL, p.image, image), ENUF_NO_POINTS_SET);
    CHECK_STATUS(enuf_encoding_set_field(encoding, p.pixels, p.omega, NULL, NULL, NULL),
                 ENUF_SUCCESS);
    for (int j = 0; j < 100; j++) weights[j] = j == 43 ? NAN : 1;
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, p.image, image), ENUF_NOT_FINITE);
    CHECK_TEXT("weights[43]");
    CHECK_STATUS(enuf_encoding_normal(encoding, NULL, p.image, image), ENUF_SUCCESS);
    ((double *)p.image)[7] = NAN;
    CHECK_STATUS(enuf_encoding_normal(encoding, NULL, p.image, image), ENUF_NOT_FINITE);
    enuf_encoding_destroy(&encoding);
    options.normal = (enuf_normal)9;
    CHECK_STATUS(enuf_encoding_create(&options, &encoding), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("normal is 9");
    CHECK_STATUS(enuf_normal_parse("toeplitz", &normal), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("transforms");
    CHECK_STATUS(enuf_normal_parse("gram", &normal), ENUF_SUCCESS);
    CHECK(normal == ENUF_NORMAL_GRAM && !enuf_normal_name((enuf_normal)9));
    encoding_problem_free(&p);
}

/* No samples, no pixels. */
static void degenerate(void)
{
    enuf_encoding_options options = encoding_options(2, 8, 6, 1);
    double image[96];
    options.normal = ENUF_NORMAL_GRAM;
    encoding_problem p = encoding_problem_make(&options, 0, 0.02, 76);
    enuf_encoding *encoding = encoding_of(&p);
    memset(image, -1, sizeof image);
    CHECK_STATUS(enuf_encoding_normal(encoding, NULL, p.image, image), ENUF_SUCCESS);
    for (int i = 0; i < 96; i++) CHECK(image[i] == 0);
    enuf_encoding_destroy(&encoding);
    encoding_problem_free(&p);
    options.pixels[1] = 0;
    p = encoding_problem_make(&options, 30, 0.02, 77);
    encoding = encoding_of(&p);
    CHECK_STATUS(enuf_encoding_normal(encoding, NULL, NULL, NULL), ENUF_SUCCESS);
    enuf_encoding_destroy(&encoding);
    encoding_problem_free(&p);
}

static void law(void)
{
    static const setting settings[] = {
        {1, ENUF_DOUBLE, ROUGH, 100, 0, 1e-4, 0},  {1, ENUF_DOUBLE, SMOOTH, 2000, 0, 1e-6, 1},
        {1, ENUF_FLOAT, LINEAR, 100, 60, 1e-5, 0}, {1, ENUF_DOUBLE, NO_MAP, 0, 200, 1e-8, 0},
        {1, ENUF_DOUBLE, NO_MAP, 0, 0, 1e-10, 0},  {2, ENUF_DOUBLE, SMOOTH, 120, 40, 1e-10, 1},
        {2, ENUF_FLOAT, SMOOTH, 300, 0, 1e-3, 1},  {2, ENUF_DOUBLE, TWO_VALUES, 80, 0, 1e-12, 0},
        {2, ENUF_DOUBLE, NO_MAP, 0, 0, 1e-4, 1},   {3, ENUF_DOUBLE, SMOOTH, 100, 1000, 1e-6, 0},
        {3, ENUF_FLOAT, ROUGH, 50, 10, 1e-2, 1},   {3, ENUF_DOUBLE, ZERO_MAP, 0, 0, 0.1, 0}};
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) of(&settings[k]);
    coils();
    too_many();
    errors();
    degenerate();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
