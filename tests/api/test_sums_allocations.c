/*
 * test_sums_allocations.c - every function of direct.h and encoding.h returns ENUF_OUT_OF_MEMORY
 * when one of its allocations fails, and the object works afterwards; those of trajectories.h
 * allocate nothing. 8^3 pixels, 40 samples; double with singular vectors, and float with segments.
 * See allocation_walk.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "allocation_walk.h"

#include "enuf/direct.h"
#include "enuf/encoding.h"
#include "enuf/trajectories.h"
#include "error.h"

enum { N = 40, MANY = 1000, MODES = 8, ALL_MODES = MODES * MODES * MODES };

/* Numbers are zeros, which are the same in both precisions. */
enum { MOST = 4 * ALL_MODES + 16 * MANY };
static double points[3 * MANY], numbers[MOST], results[MOST];
static enuf_nufft_options options;
static enuf_direct *direct;
static enuf_encoding *encoding;

/* ---- Direct sums ---- */

static enuf_status step_enuf_direct_type1(void)
{
    return enuf_direct_type1(&options, NULL, NULL, N, points, points + 1, points + 2, 3, numbers,
                             results);
}

static enuf_status step_enuf_direct_type2(void)
{
    return enuf_direct_type2(&options, NULL, NULL, N, points, points + 1, points + 2, 3, numbers,
                             results, results + 4 * N);
}

static enuf_status step_enuf_direct_sum(void)
{
    return enuf_direct_sum(3, 1, 2, N, points, numbers, N, points, results, results + 2 * N);
}

static enuf_status step_enuf_direct_options_init(void)
{
    enuf_direct_options defaults;
    enuf_direct_options_init(&defaults);
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_direct_create(void)
{
    enuf_direct_options of_direct;
    enuf_direct_options_init(&of_direct);
    of_direct.dim = 3;
    of_direct.precision = options.precision;
    of_direct.batch = options.batch;
    of_direct.threads = options.threads;
    enuf_direct_destroy(&direct);
    return enuf_direct_create(&of_direct, &direct);
}

static enuf_status step_enuf_direct_set_samples(void)
{
    return enuf_direct_set_samples(direct, N, points, points + 1, points + 2, 3, numbers);
}

static enuf_status step_enuf_direct_set_pixels(void)
{
    return enuf_direct_set_pixels(direct, N, points, points + 1, points + 2, 3);
}

static enuf_status step_enuf_direct_set_pixel_grid(void)
{
    static const int64_t counts[3] = {MODES, MODES, MODES};
    return enuf_direct_set_pixel_grid(direct, counts, NULL, NULL);
}

/* Pixels on a grid with all maps are pairs, whose arrays the next sums allocate. */
static enuf_status step_enuf_direct_set_field(void)
{
    static const double *const gradient[3] = {numbers, numbers, numbers};
    static const double voxel[3] = {0.1, 0.1, 0.1};
    return enuf_direct_set_field(direct, ALL_MODES, numbers, numbers, gradient, voxel);
}

static enuf_status step_enuf_direct_forward(void)
{
    return enuf_direct_forward(direct, numbers, results, results + 4 * N);
}

static enuf_status step_enuf_direct_adjoint(void)
{
    return enuf_direct_adjoint(direct, numbers, results);
}

static enuf_status step_enuf_direct_check(void)
{
    return enuf_direct_check(direct, NULL);
}

static enuf_status step_enuf_direct_destroy(void)
{
    enuf_direct_destroy(&direct);
    return ENUF_SUCCESS;
}

/* ---- Encodings ---- */

static enuf_status step_enuf_separation_name(void)
{
    return enuf_separation_name(ENUF_SEPARATION_SVD) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_separation_parse(void)
{
    enuf_separation separation;
    return enuf_separation_parse("segments", &separation);
}

static enuf_status step_enuf_normal_name(void)
{
    return enuf_normal_name(ENUF_NORMAL_GRAM) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_normal_parse(void)
{
    enuf_normal normal;
    return enuf_normal_parse("gram", &normal);
}

static enuf_status step_enuf_encoding_options_init(void)
{
    enuf_encoding_options defaults;
    enuf_encoding_options_init(&defaults);
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_encoding_create(void)
{
    enuf_encoding_options o;
    enuf_encoding_options_init(&o);
    o.dim = 3;
    for (int d = 0; d < 3; d++) o.pixels[d] = MODES;
    o.precision = options.precision;
    o.separation = options.deterministic ? ENUF_SEPARATION_SEGMENTS : ENUF_SEPARATION_SVD;
    o.batch = 2;
    o.threads = 2;
    return enuf_encoding_create(&o, &encoding);
}

static enuf_status step_enuf_encoding_set_samples(void)
{
    return enuf_encoding_set_samples(encoding, N, points, points + 1, points + 2, 3, points + N);
}

/* A field of some hundred rad/s, decays, and voxels with gradients along x. */
static enuf_status step_enuf_encoding_set_field(void)
{
    static double omega[ALL_MODES], slope[ALL_MODES];
    const double *const gradient[3] = {slope, NULL, NULL}, voxel[3] = {0.1, 0.1, 0.1};
    for (int k = 0; k < ALL_MODES; k++) omega[k] = 7 * points[k];
    for (int k = 0; k < ALL_MODES; k++) slope[k] = 0.2 * points[2 * k];
    return enuf_encoding_set_field(encoding, ALL_MODES, omega, points + 9, gradient, voxel);
}

static enuf_status step_enuf_encoding_set_sensitivities(void)
{
    return enuf_encoding_set_sensitivities(encoding, numbers);
}

static enuf_status step_enuf_encoding_forward(void)
{
    return enuf_encoding_forward(encoding, numbers, results);
}

static enuf_status step_enuf_encoding_adjoint(void)
{
    return enuf_encoding_adjoint(encoding, numbers, results);
}

static enuf_status step_enuf_encoding_normal(void)
{
    return enuf_encoding_normal(encoding, NULL, numbers, results);
}

static enuf_status step_enuf_encoding_solve_options_init(void)
{
    enuf_encoding_solve_options defaults;
    enuf_encoding_solve_options_init(&defaults);
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_encoding_solve(void)
{
    return enuf_encoding_solve(encoding, numbers, NULL, NULL, results, NULL);
}

/* Gram operators: no gradients, other calls allocate. */
static enuf_status step_create_gram(void)
{
    enuf_encoding_options o;
    enuf_encoding_options_init(&o);
    o.dim = 3;
    for (int d = 0; d < 3; d++) o.pixels[d] = MODES;
    o.precision = options.precision;
    o.normal = ENUF_NORMAL_GRAM;
    o.threads = 2;
    return enuf_encoding_create(&o, &encoding);
}

static enuf_status step_set_field_gram(void)
{
    static double omega[ALL_MODES];
    const double voxel[3] = {0.1, 0.1, 0.1};
    for (int k = 0; k < ALL_MODES; k++) omega[k] = 7 * points[k];
    return enuf_encoding_set_field(encoding, ALL_MODES, omega, points + 9, NULL, voxel);
}

static enuf_status step_normal_gram(void)
{
    return enuf_encoding_normal(encoding, points, numbers, results);
}

static enuf_status step_enuf_encoding_get_report(void)
{
    enuf_encoding_report report = {.struct_size = sizeof report};
    return enuf_encoding_get_report(encoding, &report);
}

static enuf_status step_enuf_encoding_check(void)
{
    return enuf_encoding_check(encoding);
}

static enuf_status step_enuf_encoding_destroy(void)
{
    enuf_encoding_destroy(&encoding);
    return encoding ? ENUF_INTERNAL : ENUF_SUCCESS;
}

/* ---- Trajectories ---- */

static enuf_trajectory_options trajectory;
static int64_t samples;

static enuf_status step_enuf_trajectory_kind_name(void)
{
    return enuf_trajectory_kind_name(ENUF_TRAJECTORY_CONES) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_trajectory_kind_parse(void)
{
    enuf_trajectory_kind kind;
    return enuf_trajectory_kind_parse("radial", &kind);
}

static enuf_status step_enuf_trajectory_options_init(void)
{
    enuf_trajectory_options_init(&trajectory);
    trajectory.modes[0] = trajectory.modes[1] = MODES;
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_trajectory_count(void)
{
    return enuf_trajectory_count(&trajectory, &samples, NULL);
}

static enuf_status step_enuf_trajectory_fill(void)
{
    return enuf_trajectory_fill(&trajectory, samples, results, results + samples, NULL, 1);
}

/* In the order in which a program calls them. */
static const walk_step steps[] = {
    WALK(enuf_direct_type1, ALLOCATES),
    WALK(enuf_direct_type2, ALLOCATES),
    WALK(enuf_direct_sum, NEVER_ALLOCATES),
    WALK(enuf_direct_options_init, NEVER_ALLOCATES),
    WALK(enuf_direct_create, ALLOCATES),
    WALK(enuf_direct_set_samples, ALLOCATES),
    WALK(enuf_direct_set_pixels, ALLOCATES),
    {"enuf_direct_forward", step_enuf_direct_forward, NULL, MAY_ALLOCATE},
    WALK(enuf_direct_set_pixel_grid, ALLOCATES),
    {"enuf_direct_adjoint", step_enuf_direct_adjoint, NULL, ALLOCATES},
    WALK(enuf_direct_forward, ALLOCATES),
    WALK(enuf_direct_set_field, ALLOCATES),
    WALK(enuf_direct_adjoint, ALLOCATES),
    {"enuf_direct_forward", step_enuf_direct_forward, NULL, MAY_ALLOCATE},
    WALK(enuf_direct_check, NEVER_ALLOCATES),
    WALK(enuf_direct_destroy, NEVER_ALLOCATES),
    WALK(enuf_separation_name, NEVER_ALLOCATES),
    WALK(enuf_separation_parse, NEVER_ALLOCATES),
    WALK(enuf_normal_name, NEVER_ALLOCATES),
    WALK(enuf_normal_parse, NEVER_ALLOCATES),
    WALK(enuf_encoding_options_init, NEVER_ALLOCATES),
    WALK(enuf_encoding_create, ALLOCATES),
    WALK(enuf_encoding_set_samples, ALLOCATES),
    WALK(enuf_encoding_set_field, ALLOCATES),
    WALK(enuf_encoding_set_sensitivities, ALLOCATES),
    WALK(enuf_encoding_forward, NEVER_ALLOCATES),
    WALK(enuf_encoding_adjoint, NEVER_ALLOCATES),
    WALK(enuf_encoding_normal, NEVER_ALLOCATES),
    WALK(enuf_encoding_solve_options_init, NEVER_ALLOCATES),
    WALK(enuf_encoding_solve, ALLOCATES),
    WALK(enuf_encoding_get_report, NEVER_ALLOCATES),
    WALK(enuf_encoding_check, NEVER_ALLOCATES),
    WALK(enuf_encoding_destroy, NEVER_ALLOCATES),
    {"enuf_encoding_create", step_create_gram, NULL, ALLOCATES},
    WALK(enuf_encoding_set_samples, ALLOCATES),
    {"enuf_encoding_set_field", step_set_field_gram, NULL, ALLOCATES},
    {"enuf_encoding_normal", step_normal_gram, NULL, ALLOCATES},
    WALK(enuf_encoding_solve, ALLOCATES),
    WALK(enuf_encoding_destroy, NEVER_ALLOCATES),
    WALK(enuf_trajectory_kind_name, NEVER_ALLOCATES),
    WALK(enuf_trajectory_kind_parse, NEVER_ALLOCATES),
    WALK(enuf_trajectory_options_init, NEVER_ALLOCATES),
    WALK(enuf_trajectory_count, NEVER_ALLOCATES),
    WALK(enuf_trajectory_fill, NEVER_ALLOCATES),
};

enum { N_STEPS = sizeof steps / sizeof *steps };

static void walk_configuration(int single, int *counts)
{
    enuf_nufft_options_init(&options);
    options.dim = 3;
    for (int d = 0; d < 3; ++d) options.modes[d] = MODES;
    options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
    options.strengths = single ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.deterministic = single;
    options.batch = 2;
    options.tolerance = 1e-4;
    options.threads = 2;
    walk_all(steps, N_STEPS, counts);
}

int main(int argc, char **argv)
{
    int counts[N_STEPS] = {0};
    if (walk_list(argc, argv, steps, N_STEPS)) return CHECK_PASSED;
    for (int k = 0; k < 3 * MANY; ++k) points[k] = (double)(k * INT64_C(7919) % 1000) / 1000;
    for (int single = 0; single < 2; ++single) walk_configuration(single, counts);
    walk_check(steps, N_STEPS, counts);
    return check_result();
}
