/*
 * test_nufft_allocations.c - every function of status.h, window.h and the NUFFT's headers returns
 * ENUF_OUT_OF_MEMORY when one of its allocations fails, and the plan works afterwards. 8^3 modes,
 * 40 to 3000 points; complex strengths in double, and real ones in float, deterministic. See
 * allocation_walk.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "allocation_walk.h"

#include "enuf/gram.h"
#include "enuf/nufft_simple.h"
#include "enuf/nufft_stages.h"
#include "enuf/window.h"
#include "error.h"

#include <stdlib.h>
#include <string.h>

enum { N = 40, MANY = 1000, MODES = 8, ALL_MODES = MODES * MODES * MODES, GRID = 16 };
enum { CELLS = GRID * GRID * GRID };

/* All numbers are zeros, which are the same in both precisions: results do not matter here. The
 * longest arrays are values and gradients, complex, of two batches. */
enum { MOST = 4 * ALL_MODES + 16 * MANY };
static double points[3 * MANY], numbers[MOST], results[MOST];
static float points_f32[3 * MANY];
static double cells[2 * CELLS];
static enuf_nufft_options options;
static enuf_gram *gram;
/* stages: a plan without a grid, for enuf_stage_*(); spectral: one of level gram */
static enuf_nufft *plan, *type3, *stages, *spectral;

static const enuf_brick brick = {
    .global = {GRID, GRID, GRID}, .n = {GRID, GRID, GRID}, .stride = {1, GRID, GRID *GRID}};
static const enuf_spectral_box box = {.global_grid = {GRID, GRID, GRID},
                                      .modes = {MODES, MODES, MODES},
                                      .n = {GRID, GRID, GRID},
                                      .axis_order = {2, 1, 0},
                                      .half_axis = -1};

static enuf_status step_enuf_status_text(void)
{
    return enuf_status_text(ENUF_SUCCESS) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_last_error(void)
{
    return enuf_last_error() ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_version(void)
{
    return *enuf_version() ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_backend_usable(void)
{
    const char *reason;
    enuf_backend_usable(ENUF_BACKEND_CUDA, &reason);
    return enuf_backend_usable(ENUF_BACKEND_CPU, &reason) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_backend_name(void)
{
    return enuf_backend_name(ENUF_BACKEND_CPU) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_backend_parse(void)
{
    enuf_backend backend;
    return enuf_backend_parse("cpu", &backend);
}

static enuf_status step_enuf_isa_find(void)
{
    enuf_isa isa;
    return enuf_isa_find(ENUF_ISA_AUTO, &isa);
}

static enuf_status step_enuf_isa_name(void)
{
    return enuf_isa_name(ENUF_ISA_X86_64) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_isa_parse(void)
{
    enuf_isa isa;
    return enuf_isa_parse("x86-64-v3", &isa);
}

static enuf_status step_enuf_fft_find(void)
{
    enuf_fft fft;
    return enuf_fft_find(ENUF_FFT_AUTO, &fft);
}

static enuf_status step_enuf_fft_usable(void)
{
    const char *detail;
    enuf_fft fft;
    ENUF_TRY(enuf_fft_find(ENUF_FFT_AUTO, &fft));
    return enuf_fft_usable(fft, &detail) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_fft_name(void)
{
    return enuf_fft_name(ENUF_FFT_MKL) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_fft_parse(void)
{
    enuf_fft fft;
    return enuf_fft_parse("ducc0", &fft);
}

static enuf_status step_enuf_nufft_options_init(void)
{
    enuf_nufft_options defaults;
    enuf_nufft_options_init(&defaults);
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_nufft_create(void)
{
    return enuf_nufft_create(&options, &plan);
}

static enuf_status step_enuf_nufft_get_report(void)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    return enuf_nufft_get_report(plan, &report);
}

static enuf_status step_enuf_nufft_set_frame(void)
{
    static const double frame[9] = {1, 0.1, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0.1, 0.2, 0.3};
    return enuf_nufft_set_frame(plan, frame, origin);
}

static enuf_status step_enuf_nufft_set_points(void)
{
    return enuf_nufft_set_points(plan, N, points, points + 1, points + 2, 3);
}

static enuf_status step_enuf_nufft_set_points_f32(void)
{
    return enuf_nufft_set_points_f32(plan, MANY, points_f32, points_f32 + 1, points_f32 + 2, 3);
}

static enuf_status step_enuf_nufft_set_runs(void)
{
    static const int64_t lengths[2] = {N, MANY - N};
    return enuf_nufft_set_runs(plan, 2, lengths, points, points);
}

/* Reserves more than before, so that points have to be set again. */
static enuf_status step_enuf_nufft_reserve(void)
{
    return enuf_nufft_reserve(plan, 3 * MANY);
}

/* After enuf_nufft_reserve() points up to that number are set without an allocation. */
static enuf_status points_again(void)
{
    return enuf_nufft_set_points(plan, MANY, points, points + 1, points + 2, 3);
}

static enuf_status step_enuf_nufft_type1(void)
{
    return enuf_nufft_type1(plan, numbers, results);
}

static enuf_status step_enuf_nufft_type2(void)
{
    return enuf_nufft_type2(plan, numbers, NULL, results);
}

static enuf_status step_enuf_nufft_set_point_weights(void)
{
    return enuf_nufft_set_point_weights(plan, ENUF_REAL, 2, numbers);
}

static enuf_status step_enuf_nufft_set_mode_weights(void)
{
    return enuf_nufft_set_mode_weights(plan, ENUF_COMPLEX, 1, numbers);
}

static enuf_status step_enuf_nufft_type1_adjoint(void)
{
    return enuf_nufft_type1_adjoint(plan, numbers, results);
}

static enuf_status step_enuf_nufft_type2_adjoint(void)
{
    return enuf_nufft_type2_adjoint(plan, numbers, results);
}

static enuf_status step_enuf_nufft_gram(void)
{
    return enuf_nufft_gram(plan, numbers, results);
}

static enuf_status step_enuf_nufft_spread(void)
{
    return enuf_nufft_spread(plan, numbers);
}

static enuf_status step_enuf_nufft_grid(void)
{
    void *first;
    int64_t count;
    enuf_cell_type type;
    return enuf_nufft_grid(plan, &first, &count, &type);
}

static enuf_status step_enuf_nufft_transform(void)
{
    ENUF_TRY(enuf_nufft_spread(plan, numbers));
    return enuf_nufft_transform(plan);
}

static enuf_status step_enuf_nufft_forward(void)
{
    return enuf_nufft_forward(plan, numbers);
}

static enuf_status step_enuf_nufft_get_spectrum(void)
{
    return enuf_nufft_get_spectrum(plan, 0, NULL, results);
}

static enuf_status step_enuf_nufft_put_spectrum(void)
{
    static const int64_t some[3] = {0, 5, 2};
    return enuf_nufft_put_spectrum(plan, 3, some, numbers);
}

static enuf_status step_enuf_nufft_reduce(void)
{
    return enuf_nufft_reduce(plan, 1, numbers, 1, results);
}

static enuf_status step_enuf_nufft_backward(void)
{
    return enuf_nufft_backward(plan, ENUF_COMPLEX, numbers, results, results + 4 * MANY);
}

static enuf_status step_enuf_nufft_filter(void)
{
    ENUF_TRY(enuf_nufft_spread(plan, numbers));
    return enuf_nufft_filter(plan, numbers, results, results + 4 * MANY);
}

/* Only for plans in device memory: here it has to be refused. */
static enuf_status step_enuf_nufft_first_bad(void)
{
    const uint64_t *first_bad;
    const enuf_status status = enuf_nufft_first_bad(plan, &first_bad);
    return status == ENUF_UNSUPPORTED ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_nufft_check(void)
{
    return enuf_nufft_check(plan, NULL);
}

static enuf_status step_enuf_nufft_set_planner_lock(void)
{
    return enuf_nufft_set_planner_lock(NULL, NULL, NULL);
}

static enuf_status step_enuf_nufft_elapsed(void)
{
    double seconds[ENUF_STAGE_COUNT];
    return enuf_nufft_elapsed(plan, ENUF_STAGE_COUNT, seconds);
}

static enuf_status step_enuf_nufft_destroy(void)
{
    enuf_nufft_destroy(&plan);
    return plan ? ENUF_INTERNAL : ENUF_SUCCESS;
}

static enuf_status step_enuf_level_name(void)
{
    return enuf_level_name(ENUF_LEVEL_MATRIX) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_strategy_name(void)
{
    return enuf_strategy_name(ENUF_STRATEGY_TILES) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_strategy_parse(void)
{
    enuf_strategy strategy;
    return enuf_strategy_parse("gather", &strategy);
}

static enuf_status step_enuf_level_parse(void)
{
    enuf_level level;
    return enuf_level_parse("weights", &level);
}

static enuf_status step_enuf_window_name(void)
{
    return enuf_window_name(ENUF_WINDOW_ES) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_window_parse(void)
{
    enuf_window window;
    return enuf_window_parse("gaussian", &window);
}

static enuf_status step_enuf_window_shape(void)
{
    return enuf_window_shape(ENUF_WINDOW_KAISER_BESSEL, 6, 1.5) > 0 ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_window_aliasing(void)
{
    static const int64_t mode[2] = {0, 3};
    double alias[2];
    const enuf_aliasing out = {.alias = alias};
    return enuf_window_aliasing(ENUF_WINDOW_PROLATE, 6, 0, GRID, 2, mode, &out);
}

static enuf_status step_enuf_fft_size(void)
{
    return enuf_fft_size(17) == 18 ? ENUF_SUCCESS : ENUF_INTERNAL;
}

/* The simple calls: those of a dimension and a precision share all code but their arguments. */
#define COORDS1(p) p
#define COORDS2(p) p, p
#define COORDS3(p) p, p, p
#define SIZES1     MODES
#define SIZES2     MODES, MODES
#define SIZES3     MODES, MODES, MODES
#define SIMPLE_STEPS(PREFIX, DIM, points)                                                          \
    static enuf_status step_##PREFIX##DIM##d1(void)                                                \
    {                                                                                              \
        return PREFIX##DIM##d1(N, COORDS##DIM(points), numbers, 1, 1e-4, SIZES##DIM, results,      \
                               &options);                                                          \
    }                                                                                              \
    static enuf_status step_##PREFIX##DIM##d2(void)                                                \
    {                                                                                              \
        return PREFIX##DIM##d2(N, COORDS##DIM(points), results, 1, 1e-4, SIZES##DIM, numbers,      \
                               &options);                                                          \
    }                                                                                              \
    static enuf_status step_##PREFIX##DIM##d3(void)                                                \
    {                                                                                              \
        enuf_nufft_options of_type3 = options;                                                     \
        of_type3.deterministic = 0;                                                                \
        for (int d = 0; d < 3; d++) of_type3.fine_grid[d] = 0;                                     \
        return PREFIX##DIM##d3(N, COORDS##DIM(points), numbers, 1, 1e-3, N, COORDS##DIM(points),   \
                               results, &of_type3);                                                \
    }
SIMPLE_STEPS(enuf_nufft, 1, points)
SIMPLE_STEPS(enuf_nufft, 2, points)
SIMPLE_STEPS(enuf_nufft, 3, points)
SIMPLE_STEPS(enuf_nufftf, 1, points_f32)
SIMPLE_STEPS(enuf_nufftf, 2, points_f32)
SIMPLE_STEPS(enuf_nufftf, 3, points_f32)

static enuf_status step_enuf_nufft_set_targets(void)
{
    return enuf_nufft_set_targets(type3, N, points, points + 1, points + 2, 3);
}

static enuf_status step_enuf_nufft_set_targets_f32(void)
{
    return enuf_nufft_set_targets_f32(type3, MANY, points_f32, points_f32 + 1, points_f32 + 2, 3);
}

static enuf_status step_enuf_nufft_type3(void)
{
    return enuf_nufft_type3(type3, numbers, results);
}

static enuf_status step_enuf_nufft_type3_adjoint(void)
{
    return enuf_nufft_type3_adjoint(type3, numbers, results);
}

static enuf_status points_of_type3(void)
{
    return enuf_nufft_set_points(type3, N, points, points + 1, points + 2, 3);
}

static enuf_status create_type3(void)
{
    enuf_nufft_options of_type3 = options;
    enuf_nufft_destroy(&type3);
    of_type3.type3 = 1;
    of_type3.deterministic = 0;
    for (int d = 0; d < 3; d++) of_type3.fine_grid[d] = 0;
    return enuf_nufft_create(&of_type3, &type3);
}

static enuf_status step_enuf_stage_spread(void)
{
    return enuf_stage_spread(stages, numbers, NULL, &brick, cells, 0);
}

static enuf_status step_enuf_stage_interpolate(void)
{
    return enuf_stage_interpolate(stages, &brick, cells, NULL, results, results + 2 * N, 0);
}

static enuf_status step_enuf_stage_deconvolve(void)
{
    return enuf_stage_deconvolve(stages, &box, cells);
}

static enuf_status step_enuf_stage_multiply(void)
{
    static double ones[2 * CELLS];
    return enuf_stage_multiply(stages, &box, ENUF_REAL, ones, cells);
}

static enuf_status step_enuf_stage_reduce(void)
{
    static double weights[CELLS];
    return enuf_stage_reduce(stages, &box, 1, weights, 1, cells, results);
}

static enuf_status step_enuf_gram_create(void)
{
    enuf_nufft_options of_gram = options;
    enuf_gram_destroy(&gram);
    of_gram.strengths = ENUF_COMPLEX_STRENGTHS;
    return enuf_gram_create(&of_gram, &gram);
}

static enuf_status step_enuf_gram_set_points(void)
{
    return enuf_gram_set_points(gram, N, points, points + 1, points + 2, 3, NULL);
}

static enuf_status step_enuf_gram_set_points_f32(void)
{
    return enuf_gram_set_points_f32(gram, N, points_f32, points_f32 + 1, points_f32 + 2, 3, NULL);
}

static enuf_status step_enuf_gram_apply(void)
{
    return enuf_gram_apply(gram, numbers, results);
}

static enuf_status step_enuf_gram_check(void)
{
    return enuf_gram_check(gram);
}

static enuf_status step_enuf_gram_get_report(void)
{
    enuf_gram_report report = {.struct_size = sizeof report};
    return enuf_gram_get_report(gram, &report);
}

static enuf_status step_enuf_gram_destroy(void)
{
    enuf_gram_destroy(&gram);
    return gram ? ENUF_INTERNAL : step_enuf_gram_create();
}

static enuf_status create_spectral(void)
{
    enuf_nufft_options of_level = options;
    enuf_nufft_destroy(&spectral);
    of_level.strengths = ENUF_COMPLEX_STRENGTHS;
    of_level.level = ENUF_LEVEL_GRAM;
    return enuf_nufft_create(&of_level, &spectral);
}

static enuf_status points_of_spectral(void)
{
    return enuf_nufft_set_points(spectral, N, points, points + 1, points + 2, 3);
}

/* A set for each vector: two spectra. */
static enuf_status weights_of_spectral(void)
{
    return enuf_nufft_set_point_weights(spectral, ENUF_REAL, options.batch, numbers);
}

static enuf_status gram_of_spectral(void)
{
    return enuf_nufft_gram(spectral, numbers, results);
}

static enuf_status points_of_stages(void)
{
    return enuf_nufft_set_points(stages, N, points, points + 1, points + 2, 3);
}

/* In the order in which a program calls them. */
static const walk_step steps[] = {
    WALK(enuf_status_text, NEVER_ALLOCATES),
    WALK(enuf_last_error, NEVER_ALLOCATES),
    WALK(enuf_version, NEVER_ALLOCATES),
    WALK(enuf_backend_usable, NEVER_ALLOCATES),
    WALK(enuf_backend_name, NEVER_ALLOCATES),
    WALK(enuf_backend_parse, NEVER_ALLOCATES),
    WALK(enuf_isa_find, NEVER_ALLOCATES),
    WALK(enuf_isa_name, NEVER_ALLOCATES),
    WALK(enuf_isa_parse, NEVER_ALLOCATES),
    WALK(enuf_fft_find, NEVER_ALLOCATES),
    WALK(enuf_fft_usable, NEVER_ALLOCATES),
    WALK(enuf_fft_name, NEVER_ALLOCATES),
    WALK(enuf_fft_parse, NEVER_ALLOCATES),
    WALK(enuf_nufft_options_init, NEVER_ALLOCATES),
    WALK(enuf_nufft_create, ALLOCATES),
    WALK(enuf_nufft_get_report, NEVER_ALLOCATES),
    WALK(enuf_nufft_set_frame, NEVER_ALLOCATES),
    WALK(enuf_nufft_set_points, ALLOCATES),
    WALK(enuf_nufft_set_points_f32, ALLOCATES),
    WALK(enuf_nufft_set_runs, ALLOCATES),
    WALK(enuf_nufft_reserve, ALLOCATES),
    {"enuf_nufft_set_points", points_again, NULL, NEVER_ALLOCATES},
    WALK(enuf_nufft_type1, NEVER_ALLOCATES),
    WALK(enuf_nufft_type2, NEVER_ALLOCATES),
    WALK(enuf_nufft_set_point_weights, ALLOCATES),
    WALK(enuf_nufft_set_mode_weights, ALLOCATES),
    WALK(enuf_nufft_type1_adjoint, NEVER_ALLOCATES),
    WALK(enuf_nufft_type2_adjoint, NEVER_ALLOCATES),
    WALK(enuf_nufft_gram, ALLOCATES),
    WALK(enuf_nufft_spread, NEVER_ALLOCATES),
    WALK(enuf_nufft_grid, NEVER_ALLOCATES),
    WALK(enuf_nufft_transform, NEVER_ALLOCATES),
    WALK(enuf_nufft_forward, NEVER_ALLOCATES),
    WALK(enuf_nufft_get_spectrum, NEVER_ALLOCATES),
    WALK(enuf_nufft_put_spectrum, NEVER_ALLOCATES),
    WALK(enuf_nufft_reduce, NEVER_ALLOCATES),
    WALK(enuf_nufft_backward, NEVER_ALLOCATES),
    WALK(enuf_nufft_filter, NEVER_ALLOCATES),
    WALK(enuf_nufft_first_bad, NEVER_ALLOCATES),
    WALK(enuf_nufft_check, NEVER_ALLOCATES),
    WALK(enuf_nufft_elapsed, NEVER_ALLOCATES),
    WALK(enuf_nufft_set_planner_lock, NEVER_ALLOCATES),
    WALK(enuf_nufft_destroy, NEVER_ALLOCATES),
    WALK(enuf_level_name, NEVER_ALLOCATES),
    WALK(enuf_level_parse, NEVER_ALLOCATES),
    WALK(enuf_strategy_name, NEVER_ALLOCATES),
    WALK(enuf_strategy_parse, NEVER_ALLOCATES),
    WALK(enuf_window_name, NEVER_ALLOCATES),
    WALK(enuf_window_parse, NEVER_ALLOCATES),
    WALK(enuf_window_shape, NEVER_ALLOCATES),
    WALK(enuf_window_aliasing, NEVER_ALLOCATES),
    WALK(enuf_fft_size, NEVER_ALLOCATES),
    WALK(enuf_nufft1d1, ALLOCATES),
    WALK(enuf_nufft1d2, ALLOCATES),
    WALK(enuf_nufft1d3, ALLOCATES),
    WALK(enuf_nufft2d1, ALLOCATES),
    WALK(enuf_nufft2d2, ALLOCATES),
    WALK(enuf_nufft2d3, ALLOCATES),
    WALK(enuf_nufft3d1, ALLOCATES),
    WALK(enuf_nufft3d2, ALLOCATES),
    WALK(enuf_nufft3d3, ALLOCATES),
    WALK(enuf_nufftf1d1, ALLOCATES),
    WALK(enuf_nufftf1d2, ALLOCATES),
    WALK(enuf_nufftf1d3, ALLOCATES),
    WALK(enuf_nufftf2d1, ALLOCATES),
    WALK(enuf_nufftf2d2, ALLOCATES),
    WALK(enuf_nufftf2d3, ALLOCATES),
    WALK(enuf_nufftf3d1, ALLOCATES),
    WALK(enuf_nufftf3d2, ALLOCATES),
    WALK(enuf_nufftf3d3, ALLOCATES),
    {"enuf_nufft_create", create_type3, NULL, ALLOCATES},
    {"enuf_nufft_set_points", points_of_type3, NULL, ALLOCATES},
    WALK(enuf_nufft_set_targets, ALLOCATES),
    WALK(enuf_nufft_set_targets_f32, ALLOCATES),
    WALK(enuf_nufft_type3, NEVER_ALLOCATES),
    WALK(enuf_nufft_type3_adjoint, NEVER_ALLOCATES),
    {"enuf_nufft_set_points", points_of_stages, NULL, ALLOCATES},
    WALK(enuf_stage_spread, NEVER_ALLOCATES),
    WALK(enuf_stage_interpolate, NEVER_ALLOCATES),
    WALK(enuf_stage_deconvolve, NEVER_ALLOCATES),
    WALK(enuf_stage_multiply, NEVER_ALLOCATES),
    WALK(enuf_stage_reduce, ALLOCATES),
    WALK(enuf_gram_create, ALLOCATES),
    WALK(enuf_gram_set_points, ALLOCATES),
    WALK(enuf_gram_set_points_f32, ALLOCATES),
    WALK(enuf_gram_apply, NEVER_ALLOCATES),
    WALK(enuf_gram_check, NEVER_ALLOCATES),
    WALK(enuf_gram_get_report, NEVER_ALLOCATES),
    WALK(enuf_gram_destroy, ALLOCATES),
    {"enuf_nufft_create", create_spectral, NULL, ALLOCATES},
    {"enuf_nufft_set_points", points_of_spectral, NULL, ALLOCATES},
    {"enuf_nufft_gram", gram_of_spectral, NULL, ALLOCATES},
    {"enuf_nufft_set_point_weights", weights_of_spectral, NULL, ALLOCATES},
    {"enuf_nufft_gram", gram_of_spectral, NULL, ALLOCATES},
};

enum { N_STEPS = sizeof steps / sizeof *steps };

static void walk_configuration(int real, int *counts)
{
    enuf_nufft_options_init(&options);
    options.dim = 3;
    for (int d = 0; d < 3; ++d) options.modes[d] = MODES;
    for (int d = 0; d < 3; ++d) options.fine_grid[d] = GRID;
    options.precision = real ? ENUF_FLOAT : ENUF_DOUBLE;
    options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.deterministic = real;
    options.batch = 2;
    options.tolerance = 1e-4;
    options.threads = 2;
    enuf_nufft_options without_grid = options;
    without_grid.no_grid = 1;
    without_grid.batch = 1;
    without_grid.strengths = ENUF_COMPLEX_STRENGTHS;
    CHECK_STATUS(enuf_nufft_create(&without_grid, &stages), ENUF_SUCCESS);
    walk_all(steps, N_STEPS, counts);
    enuf_nufft_destroy(&stages);
    enuf_nufft_destroy(&type3);
    enuf_nufft_destroy(&spectral);
    enuf_gram_destroy(&gram);
}

int main(int argc, char **argv)
{
    int counts[N_STEPS] = {0};
    if (walk_list(argc, argv, steps, N_STEPS)) return CHECK_PASSED;
    for (int k = 0; k < 3 * MANY; ++k) {
        points[k] = (double)(k * INT64_C(7919) % 1000) / 1000;
        points_f32[k] = (float)points[k];
    }
    for (int real = 0; real < 2; ++real) walk_configuration(real, counts);
    walk_check(steps, N_STEPS, counts);
    return check_result();
}
