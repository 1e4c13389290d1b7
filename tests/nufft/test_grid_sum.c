/*
 * test_grid_sum.c - fine grids of several plans can be summed, as ranks with replicated modes do in
 * deterministic sums. Three plans hold a share of the points each. The sum of their grids, cell by
 * cell, transforms into the spectrum of all points: the same bits where cells are integers
 * (deterministic), else 2e-15 (float 1e-6) relative l2. Against direct sums: 4 tolerances of 1e-10
 * (float 1e-5). 1D to 3D, both kinds of strengths.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 301, SHARES = 3 };

static void add_cells(enuf_cell_type type, int64_t count, void *sum, const void *cells)
{
    for (int64_t i = 0; i < count; ++i)
        if (type == ENUF_CELL_DOUBLE)
            ((double *)sum)[i] += ((const double *)cells)[i];
        else if (type == ENUF_CELL_FLOAT)
            ((float *)sum)[i] += ((const float *)cells)[i];
        else
            ((int64_t *)sum)[i] += ((const int64_t *)cells)[i];
}

static enuf_nufft *spread_share(const transform *t, int64_t begin, int64_t end)
{
    int parts = t->options.strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    const double *p = t->points + 3 * begin;
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&t->options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, end - begin, p, p + 1, p + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(
        enuf_nufft_spread(plan, numbers_from(t->options.precision, t->strengths, parts * begin)),
        ENUF_SUCCESS);
    return plan;
}

static void shares_sum_to_the_whole(int dim, enuf_precision precision, enuf_strengths strengths,
                                    int deterministic)
{
    enuf_nufft_options options = conformance_options(dim, 15, 14, 12);
    options.precision = precision;
    options.strengths = strengths;
    options.deterministic = deterministic;
    options.strength_bound = deterministic ? 2.0 * N : 0.0;
    options.tolerance = precision == ENUF_FLOAT ? 1e-5 : 1e-10;
    options.upsampling = 2.0;
    transform t = transform_make(&options, N, 3);
    enuf_nufft *whole = spread_share(&t, 0, N);
    enuf_nufft *share[SHARES];
    void *modes = numbers_make(precision, t.n_modes);
    void *expected = numbers_make(precision, t.n_modes);
    CHECK_STATUS(enuf_nufft_transform(whole), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(whole, 0, NULL, expected), ENUF_SUCCESS);
    void *sum = NULL;
    int64_t count = 0;
    enuf_cell_type type = ENUF_CELL_DOUBLE;
    for (int k = 0; k < SHARES; ++k) {
        void *cells;
        share[k] = spread_share(&t, k * N / SHARES, (k + 1) * N / SHARES);
        CHECK_STATUS(enuf_nufft_grid(share[k], &cells, &count, &type), ENUF_SUCCESS);
        CHECK(type == (deterministic             ? ENUF_CELL_INT64
                       : precision == ENUF_FLOAT ? ENUF_CELL_FLOAT
                                                 : ENUF_CELL_DOUBLE));
        if (k == 0)
            sum = cells;
        else
            add_cells(type, count, sum, cells);
    }
    CHECK_STATUS(enuf_nufft_transform(share[0]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(share[0], 0, NULL, modes), ENUF_SUCCESS);
    printf("%dD %s %s%s, %lld cells\n", dim, precision == ENUF_FLOAT ? "float" : "double",
           strengths == ENUF_REAL_STRENGTHS ? "real" : "complex",
           deterministic ? " deterministic" : "", (long long)count);
    if (deterministic)
        CHECK(numbers_equal(precision, t.n_modes, modes, expected));
    else
        CHECK_BELOW(relative_error(precision, t.n_modes, modes, expected),
                    precision == ENUF_FLOAT ? 1e-6 : 2e-15, "  sum of the shares, rounding");
    transform_sum(&t);
    CHECK_BELOW(relative_error(precision, t.n_modes, modes, t.modes_expected),
                4.0 * options.tolerance, "  against the direct sum");
    for (int k = 0; k < SHARES; ++k) enuf_nufft_destroy(&share[k]);
    enuf_nufft_destroy(&whole);
    free(modes);
    free(expected);
    transform_free(&t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; ++dim)
        for (int kind = 0; kind < 8; ++kind)
            shares_sum_to_the_whole(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
                                    kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS,
                                    (kind & 4) != 0);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
