/*
 * test_levels.c - what a plan keeps of its points changes its speed and its bytes, not its results.
 *
 *   - Each level agrees with SORTED to three times the rounding of a transform: both types, their
 *     adjoints, gradients; 1D to 3D; both precisions; real and complex strengths; batches that the
 *     matrix takes in one part and in several; weights of points; windows that cross the ends of
 *     the cell, and points in a cluster, whose sums are long.
 *   - Points can be set again, fewer, more and none; points that are not finite are refused, and
 * the earlier ones stay with what the level keeps of them.
 *   - The rows of the transposed matrix are summed in a fixed order: the grid has the same bits in
 *     two plans, of 2 and 3 threads, without options.deterministic. One thread adds rows of points.
 *   - The bytes are those of the formula in nufft.h, counted by the report; memory_limit is kept to
 *     the byte, and the refusal names them.
 *   - What has no levels refuses them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/nufft_tuning.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int on_gpu(const enuf_nufft_options *o)
{
    return o->backend == ENUF_BACKEND_CUDA;
}

/* 1: a plan has the level. The GPU's always sorts; a Gram operator is of complex strengths. */
static int has(const enuf_nufft_options *o, enuf_level level)
{
    if (level == ENUF_LEVEL_GRAM && o->strengths == ENUF_REAL_STRENGTHS) return 0;
    return !on_gpu(o) || level != ENUF_LEVEL_NONE;
}

/* Rounding of a transform, by the constants of plan/choose.c: 2 epsilon of a transform, 3.2 on a
 * GPU, 0.22 epsilon times the root of their number for sums of n terms of one cell. */
static double rounding(const enuf_nufft_options *o, int64_t terms)
{
    const double epsilon = o->precision == ENUF_FLOAT ? FLT_EPSILON : DBL_EPSILON;
    return epsilon * fmax(on_gpu(o) ? 3.2 : 2, 0.22 * sqrt((double)terms));
}

typedef struct outputs {
    void *modes, *values, *gradients, *adjoint_values, *adjoint_modes;
} outputs;

static outputs run(const transform *t, const weight_set *w, enuf_level level)
{
    const enuf_precision p = t->options.precision;
    enuf_nufft_options o = t->options;
    enuf_nufft_method method = {.struct_size = sizeof method};
    outputs r = {numbers_make(p, t->n_modes), numbers_make(p, t->n_values),
                 numbers_make(p, t->n_gradients), numbers_make(p, t->n_values),
                 numbers_make(p, t->n_modes)};
    o.level = level;
    enuf_nufft *plan = NULL;
    if (!CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS)) return r;
    CHECK_STATUS(enuf_nufft_get_method(plan, &method), ENUF_SUCCESS);
    CHECK(method.level == level);
    /* fewer points, then all: arrays grow */
    CHECK_STATUS(enuf_nufft_set_points(plan, t->n / 3, t->points, t->points + 1, t->points + 2, 3),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, r.modes), ENUF_SUCCESS);
    CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, w->kind, w->sets, w->numbers), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, r.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, r.values, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, NULL, r.gradients), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1_adjoint(plan, t->spectrum, r.adjoint_values), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2_adjoint(plan, t->strengths, r.adjoint_modes), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    return r;
}

static void release(outputs *r)
{
    free(r->modes);
    free(r->values);
    free(r->gradients);
    free(r->adjoint_values);
    free(r->adjoint_modes);
}

/* bits of kind: float, real strengths, points in a cluster */
static void agree(int dim, int kind, int batch)
{
    static const int64_t modes[3][3] = {{61, 1, 1}, {24, 17, 1}, {13, 10, 8}};
    enuf_nufft_options o = conformance_options_of(dim, modes[dim - 1]);
    const enuf_precision p = o.precision = kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE;
    o.strengths = kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    o.batch = batch;
    o.gradients = 1;
    o.upsampling = 2;
    o.tolerance = kind & 1 ? 1e-4 : batch == 1 ? 1e-12 : 1e-6; /* wide windows, and narrow ones */
    transform t = transform_make(&o, kind & 4 ? 20000 : 700, 12);
    for (int64_t i = 0; (kind & 4) && i < 3 * t.n; i++) t.points[i] = 0.99 + 0.02 * t.points[i];
    weight_set w = weight_set_make(p, kind & 2 ? ENUF_REAL : ENUF_COMPLEX, batch, t.n, 13);
    outputs sorted = run(&t, &w, ENUF_LEVEL_SORTED);
    const double bound = 3 * rounding(&o, t.n);
    printf("%dD %s %s, batch %d, %lld points\n", dim, kind & 1 ? "float" : "double",
           kind & 2 ? "real" : "complex", batch, (long long)t.n);
    for (int l = 0; enuf_level_name((enuf_level)l); l++) {
        if (!has(&o, (enuf_level)l)) continue;
        outputs r = run(&t, &w, (enuf_level)l);
        printf("  %s\n", enuf_level_name((enuf_level)l));
        CHECK_BELOW(relative_error(p, t.n_modes, r.modes, sorted.modes), bound, "    type 1");
        CHECK_BELOW(relative_error(p, t.n_values, r.values, sorted.values), bound, "    type 2");
        CHECK_BELOW(relative_error(p, t.n_gradients, r.gradients, sorted.gradients), bound,
                    "    gradients");
        CHECK_BELOW(relative_error(p, t.n_values, r.adjoint_values, sorted.adjoint_values), bound,
                    "    adjoint of type 1");
        CHECK_BELOW(relative_error(p, t.n_modes, r.adjoint_modes, sorted.adjoint_modes), bound,
                    "    adjoint of type 2");
        release(&r);
    }
    release(&sorted);
    free(w.numbers);
    transform_free(&t);
}

/* ---- Points that are set again ---- */

/* The first n points of the transform in a plan that has had others: its results and those of a
 * fresh plan of SORTED. */
static void set_again(const transform *t, enuf_nufft *plan, int64_t n)
{
    const enuf_precision p = t->options.precision;
    enuf_nufft_options o = t->options;
    transform some = *t;
    void *modes[2], *values[2];
    enuf_nufft *plans[2] = {plan, NULL};
    some.n = n;
    some.n_values = t->n_values / t->n * n;
    o.level = ENUF_LEVEL_SORTED;
    plans[1] = transform_plan(&some, &o);
    CHECK_STATUS(transform_points(&some, plan), ENUF_SUCCESS);
    for (int k = 0; k < 2; k++) {
        modes[k] = numbers_make(p, t->n_modes);
        values[k] = numbers_make(p, t->n_values);
        CHECK_STATUS(enuf_nufft_type1(plans[k], t->strengths, modes[k]), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plans[k], t->spectrum, values[k], NULL), ENUF_SUCCESS);
    }
    CHECK_BELOW(relative_error(p, t->n_modes, modes[0], modes[1]), 3 * rounding(&o, n),
                "    type 1");
    CHECK_BELOW(relative_error(p, some.n_values, values[0], values[1]), 3 * rounding(&o, n),
                "    type 2");
    enuf_nufft_destroy(&plans[1]);
    for (int k = 0; k < 2; k++) {
        free(modes[k]);
        free(values[k]);
    }
}

static void again(int dim, enuf_precision precision, enuf_level level)
{
    static const int64_t counts[] = {40, 0, 700, 1, 33, 700, 0};
    enuf_nufft_options o = conformance_options(dim, 22, 14, 10);
    o.precision = precision;
    o.tolerance = 1e-4;
    o.upsampling = 2;
    o.level = level;
    o.batch = 2;
    if (!has(&o, level)) return;
    transform t = transform_make(&o, 900, 31);
    double *bad = numbers_make(ENUF_DOUBLE, 3 * t.n);
    enuf_nufft *plan = NULL;
    bad[3 * 500] = (double)NAN;
    printf("%dD %s, level %s, points set again\n", dim,
           precision == ENUF_FLOAT ? "float" : "double", enuf_level_name(level));
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) set_again(&t, plan, counts[k]);
    /* refused points, as many as before and more than there is room for, leave the earlier ones */
    for (int64_t n = 600; n <= 900; n += 300) {
        void *before = numbers_make(precision, t.n_modes),
             *after = numbers_make(precision, t.n_modes);
        set_again(&t, plan, 600);
        CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, before), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_set_points(plan, n, bad, bad + 1, bad + 2, 3), ENUF_NOT_FINITE);
        CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, after), ENUF_SUCCESS);
        CHECK_BELOW(relative_error(precision, t.n_modes, after, before), 3 * rounding(&o, n),
                    "    type 1 after a refused point");
        free(before);
        free(after);
    }
    enuf_nufft_destroy(&plan);
    free(bad);
    transform_free(&t);
}

/* ---- A fixed order of sums ---- */

static void fixed_order(int dim)
{
    enuf_nufft_options o = conformance_options(dim, 40, 30, 12);
    o.level = ENUF_LEVEL_MATRIX;
    o.batch = 2;
    transform t = transform_make(&o, 5000, 21);
    void *first = NULL;
    for (o.threads = 2; o.threads <= 3; o.threads++) {
        void *cells = NULL;
        int64_t n = 0;
        enuf_cell_type type;
        enuf_nufft *plan = transform_plan(&t, &o);
        CHECK_STATUS(enuf_nufft_spread(plan, t.strengths), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_grid(plan, &cells, &n, &type), ENUF_SUCCESS);
        if (!first) {
            first = numbers_make(ENUF_DOUBLE, n);
            memcpy(first, cells, (size_t)n * sizeof(double));
        }
        CHECK(numbers_equal(ENUF_DOUBLE, n, first, cells));
        enuf_nufft_destroy(&plan);
    }
    free(first);
    transform_free(&t);
}

/* ---- Bytes ---- */

static int64_t bytes_of(enuf_nufft_options o, enuf_level level, int64_t n, int *width)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan = NULL;
    o.level = level;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reserve(plan, n), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    *width = report.width;
    return report.bytes;
}

/* On a GPU rows have no padding. Sorting the matrix takes 16 bytes a point, and the GPU's library
 * some more; the grid's padding depends on the points by nothing. */
static void bytes_on_gpu(int dim, int width, int64_t s, int64_t numbers, const int64_t point[5])
{
    const int64_t lines = (dim > 1 ? width : 1) * (dim > 2 ? width : 1);
    const int64_t sorted = point[ENUF_LEVEL_SORTED];
    const int64_t matrix = lines * (width * s + 4) + lines * width * (s + 4) + 8 + numbers * s + 16;
    CHECK(point[ENUF_LEVEL_GRAM] == sorted + 8 * dim);
    CHECK(point[ENUF_LEVEL_WEIGHTS] == sorted + s * dim * width);
    CHECK(point[ENUF_LEVEL_MATRIX] >= sorted + matrix);
    CHECK(point[ENUF_LEVEL_MATRIX] < sorted + matrix + 4);
}

static void bytes(int dim, enuf_precision precision)
{
    enum { MANY = 1000 };
    enuf_nufft_options o = conformance_options(dim, 20, 18, 16);
    o.precision = precision;
    o.tolerance = 1e-4;
    o.batch = 3;
    const int64_t s = precision == ENUF_FLOAT ? 4 : 8;
    int64_t point[5] = {0};
    int width = 0;
    for (int l = 0; l < 5; l++) {
        if (!has(&o, (enuf_level)l)) continue;
        point[l] = (bytes_of(o, (enuf_level)l, 2 * MANY, &width) -
                    bytes_of(o, (enuf_level)l, MANY, &width)) /
                   MANY;
    }
    if (on_gpu(&o)) {
        bytes_on_gpu(dim, width, s, 2 * o.batch, point);
        return;
    }
    const int64_t lines = (dim > 1 ? width : 1) * (dim > 2 ? width : 1);
    const int64_t sorted = 8 * (dim + 1) + (dim == 1 ? 8 : 0);
    const int64_t padding = 32 / s; /* a vector, less one number */
    const int64_t fixed = sorted + lines * 4 + lines * width * (s + 4) + 8 + 2 * o.batch * s;
    CHECK(point[ENUF_LEVEL_SORTED] == sorted && point[ENUF_LEVEL_NONE] == sorted);
    CHECK(point[ENUF_LEVEL_GRAM] == sorted + 8 * dim);
    CHECK(point[ENUF_LEVEL_WEIGHTS] >= sorted + s * dim * width);
    CHECK(point[ENUF_LEVEL_WEIGHTS] < sorted + s * dim * (width + padding));
    CHECK(point[ENUF_LEVEL_MATRIX] >= fixed + lines * s * width);
    CHECK(point[ENUF_LEVEL_MATRIX] < fixed + lines * s * (width + padding));
}

/* The limit is kept to the byte; what is refused is named. */
static void limit(enuf_level level)
{
    enum { MANY = 3000 };
    enuf_nufft_options o = conformance_options(2, 20, 18, 0);
    char expected[40];
    int width;
    o.threads = 1;
    /* of sorted points the GPU's backend names the array that does not fit */
    const int of_array = level != ENUF_LEVEL_WEIGHTS && level != ENUF_LEVEL_MATRIX;
    if (on_gpu(&o) && of_array) return;
    transform t = transform_make(&o, MANY, 5);
    const int64_t need = bytes_of(o, level, MANY, &width);
    enuf_nufft *plan = NULL;
    o.level = level;
    o.memory_limit = need - 1;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(transform_points(&t, plan), ENUF_OUT_OF_MEMORY);
    snprintf(expected, sizeof expected, "%lld bytes in all", (long long)need);
    CHECK_TEXT(expected);
    CHECK_TEXT(enuf_level_name(level));
    enuf_nufft_destroy(&plan);
    o.memory_limit = need;
    plan = transform_plan(&t, &o);
    transform_sum(&t);
    CHECK_BELOW(type1_error(&t, plan), o.tolerance, "within the limit: type 1");
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* ---- Refusals ---- */

static void refused(enuf_nufft_options o, enuf_status status, const char *text)
{
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), status);
    CHECK_TEXT(text);
    CHECK(plan == NULL);
    enuf_nufft_destroy(&plan);
}

static void refusals(void)
{
    enuf_nufft_options o = conformance_options(2, 20, 18, 0);
    o.level = (enuf_level)9;
    refused(o, ENUF_BAD_ARGUMENT, "level is 9: use one of ENUF_LEVELS");
    o.level = ENUF_LEVEL_MATRIX;
    o.no_grid = 1;
    refused(o, ENUF_UNSUPPORTED, "level matrix with no_grid");
    o.no_grid = 0;
    const enuf_backend tested = o.backend;
    o.backend = ENUF_BACKEND_CUDA;
    o.level = ENUF_LEVEL_NONE;
    refused(o, ENUF_UNSUPPORTED, "level none: the cuda backend always sorts");
    o.level = ENUF_LEVEL_MATRIX;
    o.point_storage = ENUF_POINTS_INDEXED;
    refused(o, ENUF_UNSUPPORTED, "level matrix with point_storage ENUF_POINTS_INDEXED");
    o.point_storage = ENUF_POINTS_PACKED;
    o.backend = tested;
    o.type3 = 1;
    refused(o, ENUF_UNSUPPORTED, "type3 with a level");
    o.type3 = 0;
    /* a mode that is not finite makes the values so */
    transform t = transform_make(&o, 50, 3);
    double *values = numbers_make(ENUF_DOUBLE, t.n_values);
    ((double *)t.spectrum)[7] = (double)INFINITY;
    enuf_nufft *plan = transform_plan(&t, &o);
    CHECK_STATUS(enuf_nufft_type2(plan, t.spectrum, values, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("is NaN or infinite: so is a mode");
    enuf_nufft_destroy(&plan);
    free(values);
    transform_free(&t);
    enuf_level level;
    CHECK_STATUS(enuf_level_parse("weights", &level), ENUF_SUCCESS);
    CHECK(level == ENUF_LEVEL_WEIGHTS && enuf_level_name((enuf_level)9) == NULL);
    CHECK_STATUS(enuf_level_parse("all", &level), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("matrix");
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++) {
        for (int kind = 0; kind < 8; kind++) agree(dim, kind, kind & 4 ? 1 : 3);
        agree(dim, 0, 1);
        agree(dim, 3, 9);
        fixed_order(dim);
        bytes(dim, ENUF_DOUBLE);
        bytes(dim, ENUF_FLOAT);
        for (int l = 0; enuf_level_name((enuf_level)l); l++) {
            again(dim, ENUF_DOUBLE, (enuf_level)l);
            again(dim, ENUF_FLOAT, (enuf_level)l);
        }
    }
    for (int l = 0; enuf_level_name((enuf_level)l); l++) limit((enuf_level)l);
    refusals();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
