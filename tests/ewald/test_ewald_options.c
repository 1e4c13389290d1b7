/*
 * test_ewald_options.c - enuf_ewald_options. The names of splittings and arithmetics are parsed and
 * given back. Defaults are those of the header. enuf_ewald_create() refuses an option outside its
 * range; the error names it. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "enuf/ewald.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void names(void)
{
#define ENUF_X(NAME, name, help)                                                                   \
    {                                                                                              \
        enuf_split split;                                                                          \
        CHECK_STATUS(enuf_split_parse(#name, &split), ENUF_SUCCESS);                               \
        CHECK(split == ENUF_SPLIT_##NAME && strcmp(enuf_split_name(split), #name) == 0);           \
    }
    ENUF_SPLITS(ENUF_X)
#undef ENUF_X
#define ENUF_X(NAME, name, help)                                                                   \
    {                                                                                              \
        enuf_arithmetic arithmetic;                                                                \
        CHECK_STATUS(enuf_arithmetic_parse(#name, &arithmetic), ENUF_SUCCESS);                     \
        CHECK(arithmetic == ENUF_ARITHMETIC_##NAME &&                                              \
              strcmp(enuf_arithmetic_name(arithmetic), #name) == 0);                               \
    }
    ENUF_ARITHMETICS(ENUF_X)
#undef ENUF_X
    enuf_split split = ENUF_SPLIT_PROLATE;
    enuf_arithmetic arithmetic = ENUF_ARITHMETIC_MIXED;
    CHECK_STATUS(enuf_split_parse("erfc", &split), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("'erfc': take one of auto, gaussian, prolate");
    CHECK(split == ENUF_SPLIT_PROLATE);
    CHECK_STATUS(enuf_arithmetic_parse(NULL, &arithmetic), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("take one of auto, double, mixed");
    CHECK_STATUS(enuf_arithmetic_parse("single", &arithmetic), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("'single': take one of auto, double, mixed");
    CHECK_STATUS(enuf_split_parse("auto", NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_arithmetic_parse("mixed", NULL), ENUF_BAD_ARGUMENT);
    CHECK(enuf_split_name((enuf_split)99) == NULL);
    CHECK(enuf_arithmetic_name((enuf_arithmetic)-1) == NULL);
}

static void defaults(void)
{
    enuf_ewald_options o;
    memset(&o, 0xff, sizeof o);
    enuf_ewald_options_init(&o);
    enuf_ewald_options_init(NULL);
    CHECK(o.struct_size == sizeof o && o.accuracy == 1e-6 && o.coulomb == 1 && o.device == -1);
    CHECK(o.split == ENUF_SPLIT_AUTO && o.backend == ENUF_BACKEND_AUTO && o.memory == ENUF_HOST);
    CHECK(o.arithmetic == ENUF_ARITHMETIC_AUTO);
    CHECK(o.cutoff == 0 && o.surroundings == 0 && o.slab == 0 && o.threads == 0 && !o.log);
    enuf_ewald *ewald;
    CHECK_STATUS(enuf_ewald_create(&o, &ewald), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    CHECK(ewald == NULL);
    enuf_ewald_destroy(&ewald);
    enuf_ewald_destroy(NULL);
}

/* Sets one option, or a pair of options, to invalid values. The error contains `text`. */
#define REFUSED(assignment, status, text)                                                          \
    do {                                                                                           \
        enuf_ewald_options options;                                                                \
        enuf_ewald *none = (enuf_ewald *)&options;                                                 \
        enuf_ewald_options_init(&options);                                                         \
        options.assignment;                                                                        \
        CHECK_STATUS(enuf_ewald_create(&options, &none), status);                                  \
        CHECK_TEXT(text);                                                                          \
        CHECK_TEXT("enuf_ewald_create: ");                                                         \
        CHECK(none == NULL);                                                                       \
    } while (0)
#define BAD(assignment, text) REFUSED(assignment, ENUF_BAD_ARGUMENT, text)

static void ranges(void)
{
    BAD(struct_size = 8, "struct_size is 8");
    BAD(accuracy = 1e-14, "accuracy is 1e-14: it has to be 1e-13 ... 0.01");
    BAD(accuracy = 0.5, "accuracy is 0.5: it has to be 1e-13 ... 0.01");
    BAD(accuracy = -1e-6, "accuracy is -1e-06");
    BAD(accuracy = NAN, "accuracy is nan");
    BAD(accuracy = 0, "accuracy, force_error and lammps_accuracy are all 0");
    BAD(force_error = -1, "force_error is -1");
    BAD(lammps_accuracy = INFINITY, "lammps_accuracy is inf");
    BAD(coulomb = 0, "coulomb is 0");
    BAD(coulomb = NAN, "coulomb is nan");
    BAD(split = (enuf_split)7, "split is 7: it has to be 0 ... 2");
    BAD(cutoff = -3, "cutoff is -3");
    BAD(alpha = NAN, "alpha is nan");
    BAD(c = 301, "c is 301: it has to be 0.001 ... 300");
    BAD(alpha = 0.3; options.c = 12, "alpha is 0.3 and c is 12");
    BAD(alpha = 0.3; options.split = ENUF_SPLIT_PROLATE, "the splitting is prolate");
    BAD(c = 12; options.split = ENUF_SPLIT_GAUSSIAN, "the splitting is Gaussian");
    BAD(kmax = -1, "kmax is -1");
    BAD(grid[1] = -5, "grid[1] is -5");
    BAD(window = (enuf_window)99, "window is 99");
    BAD(width = 1, "width is 1: it has to be 2 ... 32");
    BAD(width = 33, "width is 33: it has to be 2 ... 32");
    BAD(shape = -2, "shape is -2");
    BAD(surroundings = 0.5, "surroundings is 0.5: it has to be at least 1");
    BAD(slab = 0.9, "slab is 0.9");
    BAD(slab = 3; options.surroundings = 1, "surroundings is 1 and slab is 3");
    BAD(arithmetic = (enuf_arithmetic)5, "arithmetic is 5");
    BAD(backend = (enuf_backend)9, "backend is 9");
    BAD(memory = (enuf_memory)4, "memory is 4");
    BAD(threads = -1, "threads is -1");
    BAD(fft_effort = (enuf_fft_effort)8, "fft_effort is 8");
    BAD(memory_limit = -1, "memory_limit is -1");
    REFUSED(memory = ENUF_DEVICE; options.backend = ENUF_BACKEND_CPU, ENUF_BAD_MEMORY, "host");
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, NULL))
        REFUSED(backend = ENUF_BACKEND_CUDA, ENUF_NO_BACKEND, "GPU");

    enuf_ewald_options options;
    enuf_ewald *none = (enuf_ewald *)&options;
    enuf_ewald_options_init(&options);
    CHECK_STATUS(enuf_ewald_create(NULL, &none), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("options is NULL");
    CHECK(none == NULL);
    CHECK_STATUS(enuf_ewald_create(&options, NULL), ENUF_BAD_ARGUMENT);
}

int main(void)
{
    names();
    defaults();
    ranges();
    return check_result();
}
