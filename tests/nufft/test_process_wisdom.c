/*
 * test_process_wisdom.c - a deterministic plan ignores the wisdom that the program has gathered: it
 * gives the same bits before and after the program has planned its transforms with FFTW_MEASURE. A
 * plan with FFTW_ESTIMATE would take that wisdom. The library leaves the wisdom as it is. Double,
 * 1D to 3D, both kinds of strengths.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Type 1, then type 2, in one array. */
static double *run(const transform *t, int64_t grid[3])
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    double *results = numbers_make(ENUF_DOUBLE, t->n_modes + t->n_values);
    enuf_nufft *plan = transform_plan(t, NULL);
    if (!plan) exit(check_result());
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    memcpy(grid, report.fine_grid, sizeof report.fine_grid);
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, results), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, results + t->n_modes, NULL), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    return results;
}

/* Leaves the wisdom of the transforms of this grid in the process. */
static void measure(int dim, const int64_t grid[3])
{
    int size[3];
    size_t cells = 1;
    for (int d = 0; d < dim; d++) {
        size[d] = (int)grid[dim - 1 - d];
        cells *= (size_t)size[d];
    }
    fftw_complex *at = fftw_malloc(sizeof *at * cells);
    fftw_plan plans[4] = {fftw_plan_dft(dim, size, at, at, FFTW_FORWARD, FFTW_MEASURE),
                          fftw_plan_dft(dim, size, at, at, FFTW_BACKWARD, FFTW_MEASURE),
                          fftw_plan_dft_r2c(dim, size, (double *)at, at, FFTW_MEASURE),
                          fftw_plan_dft_c2r(dim, size, at, (double *)at, FFTW_MEASURE)};
    for (int k = 0; k < 4; k++) fftw_destroy_plan(plans[k]);
    fftw_free(at);
}

static void law_of(int dim, enuf_strengths strengths)
{
    enuf_nufft_options options = conformance_options(dim, 30, 28, 14);
    options.strengths = strengths;
    options.deterministic = 1;
    options.fft = ENUF_FFT_FFTW;
    transform t = transform_make(&options, 700, 3);
    int64_t grid[3];
    double *first = run(&t, grid);
    measure(dim, grid);
    char *before = fftw_export_wisdom_to_string();
    double *second = run(&t, grid);
    char *after = fftw_export_wisdom_to_string();
    printf("%dD %s: wisdom of %zu characters\n", dim,
           strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", strlen(before));
    CHECK(numbers_equal(ENUF_DOUBLE, t.n_modes + t.n_values, first, second));
    CHECK(strlen(before) == strlen(after)); /* the order of its entries may change */
    free(before);
    free(after);
    free(first);
    free(second);
    transform_free(&t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++) {
        law_of(dim, ENUF_COMPLEX_STRENGTHS);
        law_of(dim, ENUF_REAL_STRENGTHS);
    }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
