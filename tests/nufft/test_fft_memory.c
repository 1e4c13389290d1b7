/*
 * test_fft_memory.c - a transform whose FFT lacks memory is ENUF_OUT_OF_MEMORY, and the next one is
 * right. DUCC0 allocates when it executes, for single lines of more than 10,000 numbers that it
 * cannot take as vectors. The linker (--wrap) puts a malloc() that fails on demand in the place of
 * the one that the library calls. SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <stdlib.h>

static int fails, failures;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

/* DUCC0 takes at least two rows of a hundred numbers. */
void *__wrap_malloc(size_t size)
{
    if (!fails || size < 1600) return __real_malloc(size);
    failures++;
    return NULL;
}

static void law(void)
{
    const int64_t modes[2][2] = {{8001, 1}, {8001, 12}};
    for (int dim = 1; dim <= 2; dim++) {
        enuf_nufft_options options =
            conformance_options(dim, modes[dim - 1][0], modes[dim - 1][1], 1);
        options.fft = ENUF_FFT_DUCC0;
        options.tolerance = 1e-6;
        options.fine_grid[0] = 16875; /* odd: DUCC0 cannot take it as vectors */
        options.fine_grid[1] = 24;
        transform t = transform_make(&options, 50, 3);
        transform_sum(&t);
        void *modes_out = numbers_make(ENUF_DOUBLE, t.n_modes);
        void *values = numbers_make(ENUF_DOUBLE, t.n_values);
        enuf_nufft *plan = transform_plan(&t, NULL);
        if (!plan) return;
        CHECK_BELOW(type1_error(&t, plan), options.tolerance, "type 1 before");
        fails = 1;
        failures = 0;
        const enuf_status type1 = enuf_nufft_type1(plan, t.strengths, modes_out);
        fails = 0;
        CHECK(failures > 0);
        CHECK_STATUS(type1, ENUF_OUT_OF_MEMORY);
        CHECK_TEXT("scratch of an FFT");
        fails = 1;
        failures = 0;
        const enuf_status type2 = enuf_nufft_type2(plan, t.spectrum, values, NULL);
        fails = 0;
        CHECK(failures > 0);
        CHECK_STATUS(type2, ENUF_OUT_OF_MEMORY);
        CHECK_TEXT("scratch of an FFT");
        CHECK_BELOW(type1_error(&t, plan), options.tolerance, "type 1 after");
        CHECK_BELOW(type2_error(&t, plan), options.tolerance, "type 2 after");
        enuf_nufft_destroy(&plan);
        free(modes_out);
        free(values);
        transform_free(&t);
    }
}

int main(int argc, char **argv)
{
    const char *detail;
    if (!enuf_fft_usable(ENUF_FFT_DUCC0, &detail)) return check_skip(detail);
    return conformance_main(argc, argv, law);
}
