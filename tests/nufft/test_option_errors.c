/*
 * test_option_errors.c - enuf_nufft_create() refuses every invalid option. The status fits the
 * option, the text names the option and its value, and no plan is returned. Gigantic sizes overflow
 * nothing. Names of windows and backends are parsed, and unknown names refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int64_t HUGE_COUNT = INT64_C(1000000000);

static void refused(const enuf_nufft_options *options, enuf_status status, const char *name,
                    const char *value)
{
    enuf_nufft *plan = (enuf_nufft *)(uintptr_t)1;
    CHECK_STATUS(enuf_nufft_create(options, &plan), status);
    CHECK(plan == NULL);
    CHECK_TEXT(name);
    CHECK_TEXT(value);
    if (plan != NULL && plan != (enuf_nufft *)(uintptr_t)1) enuf_nufft_destroy(&plan);
}

static enuf_nufft_options valid_options(void)
{
    return conformance_options(3, 8, 8, 8);
}

#define REFUSED(assignment, status, name, value)                                                   \
    do {                                                                                           \
        enuf_nufft_options options = valid_options();                                              \
        assignment;                                                                                \
        refused(&options, status, name, value);                                                    \
    } while (0)

static void options_of_the_problem(void)
{
    REFUSED(options.struct_size = 3, ENUF_BAD_ARGUMENT, "struct_size", "3");
    REFUSED(options.struct_size = sizeof options + 8, ENUF_BAD_ARGUMENT, "struct_size", "");
    REFUSED(options.dim = 0, ENUF_BAD_ARGUMENT, "dim", "0");
    REFUSED(options.dim = 4, ENUF_BAD_ARGUMENT, "dim", "4");
    REFUSED(options.modes[1] = -3, ENUF_BAD_ARGUMENT, "modes", "-3");
    REFUSED(options.precision = (enuf_precision)5, ENUF_BAD_ARGUMENT, "precision", "5");
    REFUSED(options.strengths = (enuf_strengths)5, ENUF_BAD_ARGUMENT, "strengths", "5");
    REFUSED(options.sign = 0, ENUF_BAD_ARGUMENT, "sign", "0");
    REFUSED(options.sign = 2, ENUF_BAD_ARGUMENT, "sign", "2");
    REFUSED(options.type2_sign = -2, ENUF_BAD_ARGUMENT, "type2_sign", "-2");
    REFUSED(options.batch = 0, ENUF_BAD_ARGUMENT, "batch", "0");
    REFUSED(options.mode_order = (enuf_mode_order)5, ENUF_BAD_ARGUMENT, "mode_order", "5");
    REFUSED(options.period = 0.0, ENUF_BAD_ARGUMENT, "period", "0");
    REFUSED(options.period = -1.0, ENUF_BAD_ARGUMENT, "period", "-1");
    REFUSED(options.period = NAN, ENUF_BAD_ARGUMENT, "period", "nan");
}

static void options_of_the_accuracy(void)
{
    REFUSED(options.window_table = 2, ENUF_BAD_ARGUMENT, "window_table", "2");
    REFUSED(options.tolerance = 1e-16, ENUF_UNREACHABLE_ACCURACY, "tolerance", "1e-16");
    REFUSED((options.precision = ENUF_FLOAT, options.tolerance = 1e-7), ENUF_UNREACHABLE_ACCURACY,
            "float", "1e-07");
    REFUSED(options.tolerance = 0.0, ENUF_BAD_ARGUMENT, "tolerance", "0");
    REFUSED(options.tolerance = NAN, ENUF_BAD_ARGUMENT, "tolerance", "nan");
    REFUSED(options.tolerance = -1e-6, ENUF_BAD_ARGUMENT, "tolerance", "-1e-06");
    REFUSED(options.tolerance = 2.0, ENUF_BAD_ARGUMENT, "tolerance", "2");
    REFUSED((options.tolerance = 1e-12, options.upsampling = 1.25), ENUF_UNREACHABLE_ACCURACY,
            "upsampling", "1e-12");
    REFUSED((options.tolerance = 1e-9, options.width = 4), ENUF_UNREACHABLE_ACCURACY, "width", "4");
}

static void options_of_the_method(void)
{
    REFUSED(options.window = (enuf_window)17, ENUF_BAD_ARGUMENT, "window", "17");
    REFUSED(options.width = 1, ENUF_BAD_ARGUMENT, "width", "1");
    REFUSED(options.width = 33, ENUF_BAD_ARGUMENT, "width", "33");
    REFUSED(options.width = -4, ENUF_BAD_ARGUMENT, "width", "-4");
    REFUSED(options.shape = -1.0, ENUF_BAD_ARGUMENT, "shape", "-1");
    REFUSED(options.shape = NAN, ENUF_BAD_ARGUMENT, "shape", "nan");
    REFUSED((options.shape = 1e6, options.width = 6, options.tolerance = 0.0), ENUF_BAD_ARGUMENT,
            "shape", "1e+06");
    REFUSED(options.upsampling = 0.9, ENUF_BAD_ARGUMENT, "upsampling", "0.9");
    REFUSED(options.upsampling = NAN, ENUF_BAD_ARGUMENT, "upsampling", "nan");
    REFUSED((options.fine_grid[0] = 8, options.fine_grid[1] = options.fine_grid[2] = 16),
            ENUF_BAD_ARGUMENT, "fine_grid", "9");
    REFUSED((options.fine_grid[0] = 16), ENUF_BAD_ARGUMENT, "fine_grid", "");
    REFUSED(options.fine_grid[2] = -16, ENUF_BAD_ARGUMENT, "fine_grid", "-16");
    REFUSED(options.density = -1.0, ENUF_BAD_ARGUMENT, "density", "-1");
    REFUSED(options.spreading = (enuf_strategy)9, ENUF_BAD_ARGUMENT, "spreading", "9");
    REFUSED(options.interpolation = (enuf_strategy)-1, ENUF_BAD_ARGUMENT, "interpolation", "-1");
}

/* Each way between points and cells is refused where the backend does not have it. */
static void ways(void)
{
    enuf_nufft_options of_type3;
    enuf_nufft_options_init(&of_type3);
    of_type3.type3 = 1;
    of_type3.dim = 2;
    of_type3.interpolation = ENUF_STRATEGY_GATHER;
    refused(&of_type3, ENUF_UNSUPPORTED, "type3", "interpolation");
    if (valid_options().backend != ENUF_BACKEND_CUDA) {
        REFUSED(options.spreading = ENUF_STRATEGY_TILES, ENUF_UNSUPPORTED, "spreading tiles",
                "ENUF_BACKEND_CUDA");
        REFUSED(options.interpolation = ENUF_STRATEGY_POINTS, ENUF_UNSUPPORTED,
                "interpolation points", "ENUF_BACKEND_CUDA");
        return;
    }
    REFUSED(options.spreading = ENUF_STRATEGY_GATHER, ENUF_UNSUPPORTED, "spreading gather in 3D",
            "use auto, windows, tiles, slide");
    REFUSED((options.dim = 2, options.spreading = ENUF_STRATEGY_SLIDE), ENUF_UNSUPPORTED,
            "spreading slide in 2D", "use auto, windows, tiles");
    REFUSED(options.interpolation = ENUF_STRATEGY_SLIDE, ENUF_UNSUPPORTED,
            "interpolation slide in 3D", "use auto, windows, tiles, gather, points");
    REFUSED((options.dim = 1, options.interpolation = ENUF_STRATEGY_POINTS), ENUF_UNSUPPORTED,
            "interpolation points in 1D", "use auto, windows, tiles, gather");
}

static void options_of_the_machine(void)
{
    REFUSED(options.backend = (enuf_backend)9, ENUF_BAD_ARGUMENT, "backend", "9");
    REFUSED(options.memory = (enuf_memory)9, ENUF_BAD_ARGUMENT, "memory", "9");
    REFUSED(options.threads = -1, ENUF_BAD_ARGUMENT, "threads", "-1");
    REFUSED(options.threads = ENUF_MAX_THREADS + 1, ENUF_BAD_ARGUMENT, "threads", "4097");
    REFUSED(options.strength_bound = -1.0, ENUF_BAD_ARGUMENT, "strength_bound", "-1");
    REFUSED(options.strength_bound = INFINITY, ENUF_BAD_ARGUMENT, "strength_bound", "inf");
    REFUSED(options.fft_effort = (enuf_fft_effort)9, ENUF_BAD_ARGUMENT, "fft_effort", "9");
    REFUSED(options.memory_limit = -1, ENUF_BAD_ARGUMENT, "memory_limit", "-1");
    REFUSED(options.point_storage = (enuf_point_storage)3, ENUF_BAD_ARGUMENT, "point_storage", "3");
    REFUSED((options.memory_limit = 1000, options.modes[0] = 100), ENUF_OUT_OF_MEMORY,
            "memory_limit", "GB");
    enuf_nufft_options options = valid_options();
    if (options.backend == ENUF_BACKEND_CPU) {
        options.memory = ENUF_DEVICE;
        refused(&options, ENUF_BAD_MEMORY, "memory", "ENUF_HOST");
        options = valid_options();
        options.point_storage = ENUF_POINTS_INDEXED;
        refused(&options, ENUF_UNSUPPORTED, "point_storage", "ENUF_POINTS_PACKED");
    }
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, NULL)) {
        options = valid_options();
        options.backend = ENUF_BACKEND_CUDA;
        refused(&options, ENUF_NO_BACKEND, "GPU", "");
    }
}

/* Sizes up to INT64_MAX are refused before their product is used. */
static void gigantic_sizes(void)
{
    REFUSED((options.modes[0] = options.modes[1] = options.modes[2] = HUGE_COUNT),
            ENUF_OUT_OF_MEMORY, "modes", "ask for fewer");
    REFUSED((options.modes[0] = options.modes[1] = options.modes[2] = INT64_MAX),
            ENUF_OUT_OF_MEMORY, "modes", "ask for fewer");
    REFUSED((options.dim = 1, options.modes[0] = INT64_MAX), ENUF_OUT_OF_MEMORY, "", "");
    REFUSED((options.fine_grid[0] = options.fine_grid[1] = options.fine_grid[2] = HUGE_COUNT,
             options.tolerance = 0.0, options.width = 4),
            ENUF_OUT_OF_MEMORY, "", "");
    /* 2^33 cells: more than memory_limit, even if the machine has the memory */
    REFUSED((options.modes[0] = options.modes[1] = options.modes[2] = 1024,
             options.upsampling = 2.0, options.memory_limit = INT64_C(60000000000)),
            ENUF_OUT_OF_MEMORY, "2048x2048x2048", "ask for fewer modes or cells");
    REFUSED((options.dim = 2, options.modes[0] = options.modes[1] = 3000000), ENUF_OUT_OF_MEMORY,
            "", "");
    REFUSED((options.modes[0] = options.modes[1] = options.modes[2] = 10000, options.batch = 1000),
            ENUF_OUT_OF_MEMORY, "", "");
    REFUSED((options.modes[0] = options.modes[1] = options.modes[2] = 90000,
             options.upsampling = 64.0, options.batch = INT32_MAX),
            ENUF_OUT_OF_MEMORY, "fine grids", "2147483647");
    REFUSED((options.dim = 1, options.modes[0] = INT64_C(100000000000000)), ENUF_OUT_OF_MEMORY, "",
            ""); /* must return soon: a good grid size is found without trying all */
    REFUSED((options.dim = 1, options.modes[0] = INT64_MAX, options.fine_grid[0] = 5),
            ENUF_OUT_OF_MEMORY, "modes", "");
}

/* The number of modes has no default: the caller must set it. 0 is legal. */
static void modes_have_no_default(void)
{
    for (int dim = 1; dim <= 3; ++dim) {
        enuf_nufft_options options;
        enuf_nufft *plan;
        enuf_nufft_options_init(&options);
        options.backend = valid_options().backend;
        options.dim = dim;
        for (int d = 0; d + 1 < dim; ++d) options.modes[d] = 4;
        refused(&options, ENUF_BAD_ARGUMENT, "set the number of modes", "-1");
        options.modes[dim - 1] = 0;
        CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
        enuf_nufft_destroy(&plan);
    }
}

static void null_pointers(void)
{
    enuf_nufft_options options = valid_options();
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(NULL, &plan), ENUF_BAD_ARGUMENT);
    CHECK(plan == NULL);
    CHECK_TEXT("options");
    CHECK_STATUS(enuf_nufft_create(&options, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("plan");
    enuf_nufft_options_init(NULL); /* NULL is ignored */
    enuf_nufft_destroy(NULL);
}

static void struct_of_an_older_caller(void)
{
    enuf_nufft_options options = valid_options();
    enuf_nufft *plan;
    options.struct_size = offsetof(enuf_nufft_options, density);
    options.threads = -7; /* beyond the end of the older struct: ignored */
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
}

static void names(void)
{
    enuf_window window = ENUF_WINDOW_PROLATE;
    enuf_backend backend = ENUF_BACKEND_AUTO;
    for (int w = ENUF_WINDOW_PROLATE; w <= ENUF_WINDOW_SINC_POWER; ++w) {
        CHECK_STATUS(enuf_window_parse(enuf_window_name((enuf_window)w), &window), ENUF_SUCCESS);
        CHECK((int)window == w);
    }
    CHECK(strcmp(enuf_window_name(ENUF_WINDOW_KAISER_BESSEL), "kaiser_bessel") == 0);
    CHECK(enuf_window_name((enuf_window)99) == NULL);
    CHECK_STATUS(enuf_window_parse("hann", &window), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("hann");
    CHECK_TEXT("prolate");
    CHECK_STATUS(enuf_window_parse(NULL, &window), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_backend_parse("cuda", &backend), ENUF_SUCCESS);
    CHECK(backend == ENUF_BACKEND_CUDA);
    CHECK_STATUS(enuf_backend_parse("abacus", &backend), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("abacus");
    CHECK_TEXT("cpu");
    CHECK(enuf_backend_name((enuf_backend)99) == NULL);
    CHECK(enuf_backend_usable(ENUF_BACKEND_CPU, NULL) == 1);
    CHECK(enuf_backend_usable((enuf_backend)99, NULL) == 0);
}

static void law(void)
{
    options_of_the_problem();
    options_of_the_accuracy();
    options_of_the_method();
    ways();
    options_of_the_machine();
    gigantic_sizes();
    modes_have_no_default();
    null_pointers();
    struct_of_an_older_caller();
    names();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
