/*
 * test_encoding_errors.c - every wrong argument of an encoding is refused with its status and a
 * text that names it, and the object works afterwards. SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFUSED(call, status, text)                                                                \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        CHECK_TEXT(text);                                                                          \
    } while (0)

enum { N = 90, PIXELS = 10 * 9 };

static enuf_encoding_options good(void)
{
    enuf_encoding_options options = encoding_options(2, 10, 9, 1);
    options.tolerance = 1e-6;
    return options;
}

static void refuse_option(enuf_encoding_options options, enuf_status status, const char *text)
{
    enuf_encoding *encoding = (enuf_encoding *)&options;
    REFUSED(enuf_encoding_create(&options, &encoding), status, text);
    CHECK(encoding == NULL);
}

static void options(void)
{
    enuf_encoding *encoding;
    enuf_encoding_options o = good();
    REFUSED(enuf_encoding_create(NULL, &encoding), ENUF_BAD_ARGUMENT, "options is NULL");
    REFUSED(enuf_encoding_create(&o, NULL), ENUF_BAD_ARGUMENT, "encoding is NULL");
#define WITH(field, value, status, text)                                                           \
    do {                                                                                           \
        enuf_encoding_options bad = good();                                                        \
        bad.field = value;                                                                         \
        refuse_option(bad, status, text);                                                          \
    } while (0)
    WITH(struct_size, 4, ENUF_BAD_ARGUMENT, "struct_size is 4");
    WITH(dim, 4, ENUF_BAD_ARGUMENT, "dim is 4");
    WITH(pixels[1], -1, ENUF_BAD_ARGUMENT, "pixels[1] is -1");
    WITH(pixels[0], INT64_C(1) << 60, ENUF_OUT_OF_MEMORY, "no memory holds");
    WITH(precision, (enuf_precision)2, ENUF_BAD_ARGUMENT, "precision is 2");
    WITH(sign, 0, ENUF_BAD_ARGUMENT, "sign is 0");
    WITH(batch, 0, ENUF_BAD_ARGUMENT, "batch is 0");
    WITH(mode_order, (enuf_mode_order)2, ENUF_BAD_ARGUMENT, "mode_order is 2");
    WITH(tolerance, 0, ENUF_BAD_ARGUMENT, "tolerance 0");
    WITH(tolerance, 0.5, ENUF_BAD_ARGUMENT, "tolerance 0.5");
    WITH(tolerance, 1e-15, ENUF_UNREACHABLE_ACCURACY, "double precision serves");
    WITH(separation, (enuf_separation)7, ENUF_BAD_ARGUMENT, "separation is 7");
    WITH(threads, -1, ENUF_BAD_ARGUMENT, "threads is -1");
    WITH(memory_limit, -1, ENUF_BAD_ARGUMENT, "memory_limit is -1");
    WITH(memory, (enuf_memory)2, ENUF_BAD_ARGUMENT, "memory is 2");
    WITH(backend, (enuf_backend)9, ENUF_BAD_ARGUMENT, "backend is 9");
    o.precision = ENUF_FLOAT;
    o.tolerance = 1e-6;
    refuse_option(o, ENUF_UNREACHABLE_ACCURACY, "float precision serves");
    o = good();
    o.backend = ENUF_BACKEND_CPU;
    o.memory = ENUF_DEVICE;
    refuse_option(o, ENUF_BAD_MEMORY, "ENUF_DEVICE");
    enuf_separation separation;
    REFUSED(enuf_separation_parse("fourier", &separation), ENUF_BAD_ARGUMENT, "segments");
    CHECK_STATUS(enuf_separation_parse("segments", &separation), ENUF_SUCCESS);
    CHECK(separation == ENUF_SEPARATION_SEGMENTS && !enuf_separation_name((enuf_separation)7));
}

static void order_of_calls(enuf_encoding *e, const encoding_problem *p)
{
    enuf_encoding_report report = {.struct_size = sizeof report};
    double image[2 * PIXELS], data[2 * N];
    REFUSED(enuf_encoding_set_field(e, PIXELS, p->omega, NULL, NULL, NULL), ENUF_NO_POINTS_SET,
            "set_samples");
    REFUSED(enuf_encoding_forward(e, image, data), ENUF_NO_POINTS_SET, "set_samples");
    CHECK_STATUS(enuf_encoding_check(e), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_set_samples(e, N, p->places, p->places + 1, NULL, 3, p->times),
                 ENUF_SUCCESS);
    REFUSED(enuf_encoding_forward(e, image, data), ENUF_NO_POINTS_SET, "set_field");
    REFUSED(enuf_encoding_adjoint(e, data, image), ENUF_NO_POINTS_SET, "set_field");
    REFUSED(enuf_encoding_normal(e, NULL, image, image), ENUF_NO_POINTS_SET, "set_field");
    REFUSED(enuf_encoding_solve(e, data, NULL, NULL, image, NULL), ENUF_NO_POINTS_SET, "set_field");
    REFUSED(enuf_encoding_get_report(e, &report), ENUF_NO_POINTS_SET, "set_field");
}

static void samples(enuf_encoding *e, const encoding_problem *p)
{
    double *x = p->places, *t = p->times;
    const double kept = x[3 * 17 + 1], time = t[29];
#define SET(n, x, y, stride, t) enuf_encoding_set_samples(e, n, x, y, NULL, stride, t)
    REFUSED(enuf_encoding_set_samples(NULL, N, x, x + 1, NULL, 3, t), ENUF_BAD_ARGUMENT, "NULL");
    REFUSED(SET(-1, x, x + 1, 3, t), ENUF_BAD_ARGUMENT, "-1 points");
    REFUSED(SET(N, x, x + 1, 0, t), ENUF_BAD_ARGUMENT, "stride 0");
    REFUSED(SET(N, x, NULL, 3, t), ENUF_BAD_ARGUMENT, "y is NULL");
    REFUSED(SET(INT64_MAX / 8, x, x + 1, 3, t), ENUF_BAD_ARGUMENT, "no memory");
    x[3 * 17 + 1] = (double)NAN;
    REFUSED(SET(N, x, x + 1, 3, t), ENUF_NOT_FINITE, "of sample 17");
    x[3 * 17 + 1] = kept;
    t[29] = (double)INFINITY;
    REFUSED(SET(N, x, x + 1, 3, t), ENUF_NOT_FINITE, "the time of sample 29");
    t[29] = time;
#undef SET
    CHECK_BELOW(forward_error(p, e), 4e-6, "after the errors: forward, 4 tolerances");
}

static void field(enuf_encoding *e, const encoding_problem *p)
{
    const double *const gradient[2] = {p->omega, NULL};
    const double voxel[2] = {0.1, -1}, nowhere[2] = {0.1, NAN};
    double map[PIXELS];
    memcpy(map, p->omega, sizeof map);
    REFUSED(enuf_encoding_set_field(NULL, PIXELS, map, NULL, NULL, NULL), ENUF_BAD_ARGUMENT,
            "NULL");
    REFUSED(enuf_encoding_set_field(e, PIXELS - 1, map, NULL, NULL, NULL), ENUF_BAD_ARGUMENT,
            "maps of 89 pixels, the image has 90");
    REFUSED(enuf_encoding_set_field(e, PIXELS, map, NULL, gradient, NULL), ENUF_BAD_ARGUMENT,
            "without a voxel");
    REFUSED(enuf_encoding_set_field(e, PIXELS, map, NULL, NULL, voxel), ENUF_BAD_ARGUMENT,
            "voxel[1] is -1");
    REFUSED(enuf_encoding_set_field(e, PIXELS, map, NULL, NULL, nowhere), ENUF_BAD_ARGUMENT,
            "voxel[1]");
    map[43] = (double)NAN;
    REFUSED(enuf_encoding_set_field(e, PIXELS, map, NULL, NULL, NULL), ENUF_NOT_FINITE,
            "omega[43]");
    REFUSED(enuf_encoding_set_field(e, PIXELS, NULL, map, NULL, NULL), ENUF_NOT_FINITE,
            "decay[43]");
    const double *const bad[2] = {NULL, map};
    const double edges[2] = {0.1, 0.1};
    REFUSED(enuf_encoding_set_field(e, PIXELS, NULL, NULL, bad, edges), ENUF_NOT_FINITE,
            "gradient[1][43]");
    map[43] = 1e9;
    REFUSED(enuf_encoding_set_field(e, PIXELS, NULL, map, NULL, NULL), ENUF_BAD_ARGUMENT,
            "decay[43] is 1e+09");
    map[44] = -1e9;
    REFUSED(enuf_encoding_set_field(e, PIXELS, map, NULL, NULL, NULL), ENUF_UNREACHABLE_ACCURACY,
            "enuf/direct.h");
    CHECK_BELOW(forward_error(p, e), 4e-6, "after the errors: forward, 4 tolerances");
    /* without times a field is an error, a voxel is not */
    CHECK_STATUS(enuf_encoding_set_samples(e, N, p->places, p->places + 1, NULL, 3, NULL),
                 ENUF_SUCCESS);
    REFUSED(enuf_encoding_set_field(e, PIXELS, p->omega, NULL, NULL, NULL), ENUF_BAD_ARGUMENT,
            "times");
    CHECK_STATUS(enuf_encoding_set_field(e, 0, NULL, NULL, NULL, edges), ENUF_SUCCESS);
    CHECK_STATUS(encoding_problem_set(p, e), ENUF_SUCCESS);
}

static void transforms(enuf_encoding *e, const encoding_problem *p)
{
    double image[2 * PIXELS], data[2 * N], weights[N];
    enuf_encoding_report report = {.struct_size = 3};
    enuf_encoding_solution solution = {.struct_size = 3};
    enuf_encoding_solve_options o;
    REFUSED(enuf_encoding_forward(NULL, image, data), ENUF_BAD_ARGUMENT, "encoding is NULL");
    REFUSED(enuf_encoding_forward(e, NULL, data), ENUF_BAD_ARGUMENT, "image is NULL");
    REFUSED(enuf_encoding_forward(e, image, NULL), ENUF_BAD_ARGUMENT, "data is NULL");
    REFUSED(enuf_encoding_adjoint(e, NULL, image), ENUF_BAD_ARGUMENT, "data is NULL");
    REFUSED(enuf_encoding_adjoint(e, data, NULL), ENUF_BAD_ARGUMENT, "image is NULL");
    REFUSED(enuf_encoding_normal(e, NULL, NULL, image), ENUF_BAD_ARGUMENT, "image is NULL");
    REFUSED(enuf_encoding_normal(e, NULL, image, NULL), ENUF_BAD_ARGUMENT, "to is NULL");
    REFUSED(enuf_encoding_get_report(e, &report), ENUF_BAD_ARGUMENT, "struct_size");
    REFUSED(enuf_encoding_get_report(e, NULL), ENUF_BAD_ARGUMENT, "NULL");
    REFUSED(enuf_encoding_check(NULL), ENUF_BAD_ARGUMENT, "NULL");
    REFUSED(enuf_encoding_set_sensitivities(NULL, image), ENUF_BAD_ARGUMENT, "NULL");
    memcpy(image, p->image, sizeof image);
    memcpy(data, p->data, sizeof data);
    image[2 * 31] = (double)NAN;
    CHECK_STATUS(enuf_encoding_forward(e, image, data), ENUF_NOT_FINITE);
    REFUSED(enuf_encoding_set_sensitivities(e, image), ENUF_NOT_FINITE, "sensitivities[31]");
    memcpy(data, p->data, sizeof data);
    data[2 * 31 + 1] = (double)NAN;
    CHECK_STATUS(enuf_encoding_adjoint(e, data, image), ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_encoding_solve(e, data, NULL, NULL, image, NULL), ENUF_NOT_FINITE);
    memcpy(data, p->data, sizeof data);
    REFUSED(enuf_encoding_solve(e, NULL, NULL, NULL, image, NULL), ENUF_BAD_ARGUMENT, "data");
    REFUSED(enuf_encoding_solve(e, data, NULL, NULL, NULL, NULL), ENUF_BAD_ARGUMENT, "image");
    REFUSED(enuf_encoding_solve(e, data, NULL, NULL, image, &solution), ENUF_BAD_ARGUMENT,
            "struct_size");
#define SOLVE_WITH(field, value, text)                                                             \
    do {                                                                                           \
        enuf_encoding_solve_options_init(&o);                                                      \
        o.field = value;                                                                           \
        REFUSED(enuf_encoding_solve(e, data, NULL, &o, image, NULL), ENUF_BAD_ARGUMENT, text);     \
    } while (0)
    SOLVE_WITH(struct_size, 2, "struct_size");
    SOLVE_WITH(lambda, -1, "lambda is -1");
    SOLVE_WITH(iterations, -1, "iterations is -1");
    SOLVE_WITH(tolerance, 1, "tolerance is 1");
    for (int j = 0; j < N; j++) weights[j] = 1;
    weights[12] = -0.5;
    REFUSED(enuf_encoding_solve(e, data, weights, NULL, image, NULL), ENUF_BAD_ARGUMENT,
            "weights[12] is -0.5");
    weights[12] = (double)NAN;
    REFUSED(enuf_encoding_solve(e, data, weights, NULL, image, NULL), ENUF_NOT_FINITE,
            "weights[12]");
    CHECK_BELOW(forward_error(p, e), 4e-6, "after the errors: forward, 4 tolerances");
    CHECK_BELOW(adjoint_error(p, e), 4e-6, "after the errors: adjoint, 4 tolerances");
}

static void law(void)
{
    const enuf_encoding_options o = good();
    encoding_problem p = encoding_problem_make(&o, N, 0.03, 61);
    enuf_encoding *e = NULL;
    encoding_problem_maps(&p, ROUGH, 70, 0, 0, 2);
    encoding_problem_sum(&p);
    options();
    if (!CHECK_STATUS(enuf_encoding_create(&o, &e), ENUF_SUCCESS)) return;
    order_of_calls(e, &p);
    CHECK_STATUS(encoding_problem_set(&p, e), ENUF_SUCCESS);
    samples(e, &p);
    field(e, &p);
    transforms(e, &p);
    enuf_encoding_destroy(&e);
    enuf_encoding_destroy(&e); /* NULL is legal */
    enuf_encoding_destroy(NULL);
    encoding_problem_free(&p);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
