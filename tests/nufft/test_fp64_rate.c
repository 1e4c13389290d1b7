/*
 * test_fp64_rate.c - ENUF_FP64 chooses the kernels of float plans on a GPU. slow and full give
 * results that agree as two roundings of one sum do, 1e-5, and differ in bits, because other
 * kernels run; plans in double agree to 1e-13. Coordinates far outside the period, and a frame with
 * shear, go through the same folding in integers. Other values are refused, by Ewald sums too.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

#include "enuf/ewald.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000 };
static const double FRAME[9] = {0.5, 0.1, -0.05, 0, 0.4, 0.2, 0, 0, 0.7}, ORIGIN[3] = {3, -40, 7};

/* The modes of a type 1, values and gradients of a type 2. */
static void run(const transform *t, const enuf_nufft_options *options, int framed, const char *rate,
                void *results[3])
{
    enuf_nufft *plan = NULL;
    double far[3 * N];
    const double *x[3] = {NULL, NULL, NULL};
    setenv("ENUF_FP64", rate, 1);
    CHECK_STATUS(enuf_nufft_create(options, &plan), ENUF_SUCCESS);
    unsetenv("ENUF_FP64");
    for (int d = 0; d < options->dim; d++) {
        x[d] = far + d * N;
        for (int j = 0; j < N; j++) far[d * N + j] = 9.7 * ((double)(j * (d + 3) % 997) / 997) - 5;
    }
    if (framed) CHECK_STATUS(enuf_nufft_set_frame(plan, FRAME, ORIGIN), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N, x[0], x[1], x[2], 1), ENUF_SUCCESS);
    results[0] = numbers_make(options->precision, t->n_modes);
    results[1] = numbers_make(options->precision, t->n_values);
    results[2] = numbers_make(options->precision, t->n_gradients);
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, results[0]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, results[1], results[2]), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
}

static void compare(int dim, enuf_precision precision, int framed)
{
    static const char *const names[3] = {"modes", "values", "gradients"};
    enuf_nufft_options options = device_options(dim, 20, 18, 22);
    options.memory = ENUF_HOST;
    options.precision = precision;
    options.tolerance = 1e-5;
    options.gradients = 1;
    transform t = transform_make(&options, N, 7);
    const int64_t sizes[3] = {t.n_modes, t.n_values, t.n_gradients};
    void *full[3], *slow[3];
    run(&t, &options, framed, "full", full);
    run(&t, &options, framed, "slow", slow);
    for (int k = 0; k < 3; k++) {
        const double difference = relative_error(precision, sizes[k], slow[k], full[k]);
        printf("%dD %s%s, %s\n", dim, precision == ENUF_FLOAT ? "float" : "double",
               framed ? ", framed" : "", names[k]);
        CHECK_BELOW(difference, precision == ENUF_FLOAT ? 1e-5 : 1e-13, "slow against full");
        if (precision == ENUF_FLOAT) CHECK(difference > 0);
        free(full[k]);
        free(slow[k]);
    }
    transform_free(&t);
}

static void refused(void)
{
    enuf_nufft_options options = device_options(1, 16, 1, 1);
    enuf_ewald_options of_ewald;
    enuf_nufft *plan = NULL;
    enuf_ewald *ewald = NULL;
    enuf_ewald_options_init(&of_ewald);
    of_ewald.backend = ENUF_BACKEND_CUDA;
    setenv("ENUF_FP64", "quick", 1);
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("ENUF_FP64 is 'quick': it has to be slow or full");
    CHECK_STATUS(enuf_ewald_create(&of_ewald, &ewald), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("ENUF_FP64 is 'quick': it has to be slow or full");
    setenv("ENUF_FP64", "", 1); /* as if it were not set */
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    unsetenv("ENUF_FP64");
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++) {
        compare(dim, ENUF_FLOAT, 0);
        compare(dim, ENUF_DOUBLE, 0);
    }
    compare(3, ENUF_FLOAT, 1);
    refused();
}

int main(void)
{
    return device_main(law);
}
