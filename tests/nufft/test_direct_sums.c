/*
 * test_direct_sums.c - forward, its gradient and adjoint of direct sums are the sums of their
 * formula, term by term in long double: relative l2 1e-13 in double, 2e-6 in float. Pixels anywhere
 * and on a grid, 1D to 3D, with each kind of maps, both signs, batches, and pairs of 1000 turns.
 * Samples and pixels that are not a multiple of any vector, and a few.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "scan.h"

#include <stdio.h>
#include <stdlib.h>

static const int KINDS[] = {0,
                            SCAN_VOXEL,
                            SCAN_FIELD,
                            SCAN_DECAY,
                            SCAN_FIELD | SCAN_DECAY,
                            SCAN_GRADIENTS,
                            SCAN_FIELD | SCAN_GRADIENTS,
                            SCAN_FIELD | SCAN_DECAY | SCAN_GRADIENTS,
                            SCAN_FIELD | SCAN_DECAY | SCAN_VOXEL};
enum { N_KINDS = sizeof KINDS / sizeof *KINDS };

static void compare(const scan *s)
{
    const enuf_precision precision = s->options.precision;
    const int dim = s->options.dim;
    const int64_t n = s->options.batch * s->samples, m = s->options.batch * s->pixels;
    const double bound = precision == ENUF_FLOAT ? 2e-6 : 1e-13;
    double *values = numbers_make(ENUF_DOUBLE, 2 * n), *image = numbers_make(ENUF_DOUBLE, 2 * m);
    double *gradients = numbers_make(ENUF_DOUBLE, 2 * dim * n);
    void *found = numbers_make(precision, 2 * dim * n),
         *slopes = numbers_make(precision, 2 * dim * n);
    void *back = numbers_make(precision, 2 * m);
    printf("%dD %s, kind %d, %s, %lld samples, %lld pixels, sign %d, batch %d\n", dim,
           precision == ENUF_FLOAT ? "float" : "double", s->kind,
           s->counts[0] > 0 ? "grid" : "anywhere", (long long)s->samples, (long long)s->pixels,
           s->options.sign, s->options.batch);
    scan_forward(s, values, gradients);
    scan_adjoint(s, image);
    enuf_direct *sums = scan_object(s, &s->options);
    if (sums) {
        CHECK_STATUS(enuf_direct_forward(sums, s->image, found, NULL), ENUF_SUCCESS);
        CHECK_BELOW(scan_error(s, n, found, values), bound, "  values");
        CHECK_STATUS(enuf_direct_forward(sums, s->image, found, slopes), ENUF_SUCCESS);
        CHECK_BELOW(scan_error(s, n, found, values), bound, "  values with gradients");
        CHECK_BELOW(scan_error(s, n * dim, slopes, gradients), bound, "  gradients");
        CHECK_STATUS(enuf_direct_forward(sums, s->image, NULL, found), ENUF_SUCCESS);
        CHECK(numbers_equal(precision, 2 * n * dim, found, slopes));
        CHECK_STATUS(enuf_direct_adjoint(sums, s->values, back), ENUF_SUCCESS);
        CHECK_BELOW(scan_error(s, m, back, image), bound, "  adjoint");
    }
    enuf_direct_destroy(&sums);
    free(values);
    free(image);
    free(gradients);
    free(found);
    free(slopes);
    free(back);
}

static void every_kind(enuf_precision precision)
{
    for (int kind = 0; kind < N_KINDS; ++kind)
        for (int dim = 1; dim <= 3; ++dim)
            for (int grid = 0; grid < 2; ++grid) {
                static const int64_t counts[3][3] = {{59, 1, 1}, {17, 5, 1}, {9, 4, 3}};
                const uint64_t seed = 100 * (uint64_t)(kind + N_KINDS * dim);
                enuf_direct_options options = scan_options(dim, precision);
                options.sign = (kind + dim) % 2 ? -1 : 1;
                options.batch = kind % 3 == 0 ? 5 : 1 + kind % 3;
                scan s = grid ? scan_on_grid(&options, KINDS[kind], 101, counts[dim - 1], seed)
                              : scan_make(&options, KINDS[kind], 101, 77, 20, seed);
                compare(&s);
                scan_free(&s);
            }
}

static void of_size(enuf_precision precision, int kind, int64_t samples, int64_t pixels,
                    double turns)
{
    const enuf_direct_options options = scan_options(2, precision);
    scan s = scan_make(&options, kind, samples, pixels, turns, 7);
    compare(&s);
    scan_free(&s);
}

/* 1000 turns: a phase in radians of that size has an error of 4e-13 in double, of 4e-4 in float. */
static void sizes(enuf_precision precision)
{
    of_size(precision, SCAN_FIELD, 300, 200, 1000);
    of_size(precision, 0, 300, 200, 1000);
    of_size(precision, SCAN_FIELD | SCAN_DECAY | SCAN_GRADIENTS, 300, 200, 1000);
    of_size(precision, SCAN_FIELD, 1, 1, 10);
    of_size(precision, SCAN_FIELD, 3000, 2, 10);
    of_size(precision, SCAN_FIELD, 2, 3000, 10);
    of_size(precision, SCAN_FIELD | SCAN_DECAY, 500, 700, 10);
}

/* Grids wide enough for tiles of places and rows, whole ones and parts. */
static void grids(enuf_precision precision)
{
    static const int64_t counts[][3] = {{67, 35, 1}, {150, 64, 1}, {20, 9, 7}, {64, 8, 8}};
    for (int k = 0; k < 4; ++k)
        for (int voxel = 0; voxel < 2; ++voxel) {
            enuf_direct_options options = scan_options(k < 2 ? 2 : 3, precision);
            options.batch = k == 2 ? 6 : 1;
            scan s = scan_on_grid(&options, voxel ? SCAN_VOXEL : 0, 80 - 5 * k, counts[k],
                                  50 * (uint64_t)k);
            compare(&s);
            scan_free(&s);
        }
}

static void law(void)
{
    for (int single = 0; single < 2; ++single) {
        every_kind(single ? ENUF_FLOAT : ENUF_DOUBLE);
        sizes(single ? ENUF_FLOAT : ENUF_DOUBLE);
        grids(single ? ENUF_FLOAT : ENUF_DOUBLE);
    }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
