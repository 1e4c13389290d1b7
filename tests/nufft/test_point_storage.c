/*
 * test_point_storage.c - packed and indexed points on the GPU.
 *
 *   - The bytes of each storage are those of the formula below.
 *   - `auto` indexes points where memory_limit has no room to pack them.
 *   - Both storages give the same results: equal bits if deterministic, else relative l2 1e-13, in
 *     float 1e-5 (1e-4 if the points are crowded).
 *   - A caller who changes the coordinates of indexed points too early gets wrong results. Only
 *     coordinates and results that are not finite are reported. New points give correct results
 *     again.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static enuf_nufft_report report_of(const enuf_nufft *plan)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    return report;
}

static enuf_nufft *make(const enuf_nufft_options *options)
{
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(options, &plan), ENUF_SUCCESS);
    return plan;
}

static enuf_nufft_options options_of(enuf_precision precision, enuf_point_storage storage)
{
    enuf_nufft_options options = device_options(3, 32, 32, 32);
    options.precision = precision;
    options.strengths = ENUF_REAL_STRENGTHS;
    options.tolerance = 1e-5;
    options.upsampling = 2; /* 64^3 cells: few tiles, whose sub-problems take a few kB */
    options.point_storage = storage;
    return options;
}

/* Bytes that reserve() takes for n points. */
static double bytes_for(enuf_precision precision, enuf_point_storage storage, int64_t n)
{
    const enuf_nufft_options options = options_of(precision, storage);
    enuf_nufft *plan = make(&options);
    if (!plan) return NAN;
    CHECK(report_of(plan).point_storage == storage);
    const int64_t before = report_of(plan).bytes;
    CHECK_STATUS(enuf_nufft_reserve(plan, n), ENUF_SUCCESS);
    CHECK(report_of(plan).point_storage == storage);
    const double bytes = (double)(report_of(plan).bytes - before);
    enuf_nufft_destroy(&plan);
    return bytes;
}

/* Packed: a record and its place for each point, and the tile of every 32nd record; a second record
 * and its bin. With more than 2^24 points, places are kept of 2^24 only; the second records lie in
 * parts of 4096, up to 1024 of which are not full; buckets count their points and list their parts.
 * Indexed: the order of the points; records and tiles only for a part of the points, a quarter of
 * them or 96 MiB. Both: 16 bytes a sub-problem; there are no more sub-problems than tiles and full
 * sub-problems together. */
static void bytes_are_those_of_the_formula(enuf_precision precision, int64_t n)
{
    const double record = precision == ENUF_FLOAT ? 16 : 32, points = (double)n;
    const double part = floor(fmin(points / 4, (96 << 20) / record));
    const double few = fmin(points, 1 << 24), parts = points / 4096;
    const int many = n > 1 << 24;
    const double packed =
        points * (2 * record + 4 + 4.0 / 32) + few * 4 + (many ? 4 * 1024 * 32 : 0);
    const double buckets = many ? 1024 * (4096 * (record + 4) + 4 * (parts + 8)) : 0;
    const double indexed = points * 4 + part * (record + 4.0 / 32);
    /* tiles have at most 11^3 of 64^3 cells; a sub-problem has 1024 points, or there are 32 for
     * each of 132 multiprocessors; a sub-problem of a part has 64 points; the last terms are 8
     * bytes a tile and the alignment of allocations */
    const double tiles = 8 * 16 * 16;
    const double lists =
        16 * (tiles + points / 1024 + 4224) + 16 * (tiles + part / 64) + 8 * tiles + 8192;
    const double as_packed = bytes_for(precision, ENUF_POINTS_PACKED, n);
    const double as_indexed = bytes_for(precision, ENUF_POINTS_INDEXED, n);
    printf("precision %d, %lld points: packed %.0f bytes, indexed %.0f\n", (int)precision,
           (long long)n, as_packed, as_indexed);
    CHECK(as_packed >= packed && as_packed <= packed + buckets + lists);
    CHECK(as_indexed >= indexed && as_indexed <= indexed + lists);
}

static void memory_limit_decides_auto(enuf_precision precision)
{
    enum { N = 1000000 };
    enuf_nufft_options options = options_of(precision, ENUF_POINTS_AUTO);
    enuf_nufft *plan = make(&options);
    if (!plan) return;
    const double bare = (double)report_of(plan).bytes;
    CHECK(report_of(plan).point_storage == ENUF_POINTS_AUTO); /* no points yet */
    CHECK_STATUS(enuf_nufft_reserve(plan, N), ENUF_SUCCESS);
    CHECK(report_of(plan).point_storage == ENUF_POINTS_PACKED);
    enuf_nufft_destroy(&plan);

    const double indexed = bytes_for(precision, ENUF_POINTS_INDEXED, N);
    options.memory_limit = (int64_t)(bare + indexed) + 1;
    plan = make(&options);
    if (!plan) return;
    CHECK_STATUS(enuf_nufft_reserve(plan, N / 100), ENUF_SUCCESS);
    CHECK(report_of(plan).point_storage == ENUF_POINTS_PACKED);
    CHECK_STATUS(enuf_nufft_reserve(plan, N), ENUF_SUCCESS);
    CHECK(report_of(plan).point_storage == ENUF_POINTS_INDEXED);
    CHECK((double)report_of(plan).bytes <= bare + indexed + 1);
    CHECK_STATUS(enuf_nufft_reserve(plan, 2 * N), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("memory_limit");
    CHECK(report_of(plan).point_storage == ENUF_POINTS_INDEXED); /* unchanged */
    enuf_nufft_destroy(&plan);

    /* a storage that the caller requests is never changed */
    options.point_storage = ENUF_POINTS_PACKED;
    plan = make(&options);
    if (!plan) return;
    CHECK_STATUS(enuf_nufft_reserve(plan, N), ENUF_OUT_OF_MEMORY);
    enuf_nufft_destroy(&plan);
    options.point_storage = ENUF_POINTS_AUTO; /* auto packs points from host arrays */
    options.memory = ENUF_HOST;
    options.memory_limit = 0;
    plan = make(&options);
    if (!plan) return;
    CHECK_STATUS(enuf_nufft_reserve(plan, N / 100), ENUF_SUCCESS);
    CHECK(report_of(plan).point_storage == ENUF_POINTS_PACKED);
    enuf_nufft_destroy(&plan);
}

typedef struct outcome {
    void *modes, *values, *gradients;
} outcome;

static outcome run(const transform *t, const device_transform *d, enuf_point_storage storage)
{
    const enuf_precision precision = t->options.precision;
    enuf_nufft_options options = t->options;
    options.point_storage = storage;
    enuf_nufft *plan = make(&options);
    device_spoil(precision, t->n_modes, d->modes);
    device_spoil(precision, t->n_values, d->values);
    device_spoil(precision, t->n_gradients, d->gradients);
    if (plan) {
        CHECK_STATUS(device_transform_points(t, d, plan), ENUF_SUCCESS);
        CHECK(report_of(plan).point_storage == storage);
        CHECK_STATUS(enuf_nufft_type1(plan, d->strengths, d->modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plan, d->spectrum, d->values, d->gradients), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    }
    enuf_nufft_destroy(&plan);
    return (outcome){device_read(precision, t->n_modes, d->modes),
                     device_read(precision, t->n_values, d->values),
                     device_read(precision, t->n_gradients, d->gradients)};
}

static void release(outcome *o)
{
    free(o->modes);
    free(o->values);
    free(o->gradients);
}

/* Compares both storages: random points in a frame, or all points in a corner, where most tiles are
 * empty and many slices share some. */
static void storages_agree(const enuf_nufft_options *options, int64_t n, double size)
{
    static const double T[9] = {0.9, 0.1, 0, 0, 1.1, 0.2, 0, 0, 0.8}, origin[3] = {0.1, 0.2, 0.3};
    transform t = transform_make(options, n, 21);
    if (size < 1)
        for (int64_t i = 0; i < 3 * n; i++) t.points[i] = 0.99 + size * t.points[i];
    else
        transform_frame(&t, T, origin, 0.6, 22);
    device_transform d = device_transform_make(&t);
    outcome packed = run(&t, &d, ENUF_POINTS_PACKED);
    outcome indexed = run(&t, &d, ENUF_POINTS_INDEXED);
    const enuf_precision p = options->precision;
    const double bound = p == ENUF_DOUBLE ? 1e-13 : size < 1 ? 1e-4 : 1e-5;
    if (options->deterministic) {
        CHECK(numbers_equal(p, t.n_modes, packed.modes, indexed.modes));
        CHECK(numbers_equal(p, t.n_values, packed.values, indexed.values));
        CHECK(numbers_equal(p, t.n_gradients, packed.gradients, indexed.gradients));
    } else {
        CHECK_BELOW(relative_error(p, t.n_modes, indexed.modes, packed.modes), bound, "type 1");
        CHECK_BELOW(relative_error(p, t.n_values, indexed.values, packed.values), bound, "type 2");
        CHECK_BELOW(relative_error(p, t.n_gradients, indexed.gradients, packed.gradients), bound,
                    "gradients");
    }
    release(&packed);
    release(&indexed);
    device_transform_free(&d);
    transform_free(&t);
}

/* Indexed points: the caller changes the coordinates before the transforms, to other points or to
 * NaN. */
static void changed_coordinates(int to_nan)
{
    enum { N = 30000 };
    enuf_nufft_options options = options_of(ENUF_DOUBLE, ENUF_POINTS_INDEXED);
    transform t = transform_make(&options, N, 31), other = transform_make(&options, N, 32);
    transform_sum(&t);
    device_transform d = device_transform_make(&t);
    enuf_nufft *plan = make(&options);
    if (plan) {
        int64_t bad = 0;
        CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
        CHECK_CUDA(to_device(d.points, other.points, 3 * N * sizeof(double)));
        if (to_nan) device_spoil(ENUF_DOUBLE, 3 * N, d.points);
        CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plan, d.spectrum, d.values, d.gradients), ENUF_SUCCESS);
        const enuf_status status = enuf_nufft_check(plan, &bad); /* wrong values may be NaN */
        CHECK(status == ENUF_NOT_FINITE || (!to_nan && status == ENUF_SUCCESS));
        CHECK(bad == (to_nan ? 0 : -1));
        void *wrong = device_read(ENUF_DOUBLE, t.n_modes, d.modes);
        CHECK(relative_error(ENUF_DOUBLE, t.n_modes, wrong, t.modes_expected) > 0.1);
        free(wrong);
        CHECK_CUDA(to_device(d.points, t.points, 3 * N * sizeof(double)));
        CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_check(plan, &bad), ENUF_SUCCESS);
        void *right = device_read(ENUF_DOUBLE, t.n_modes, d.modes);
        CHECK_BELOW(relative_error(ENUF_DOUBLE, t.n_modes, right, t.modes_expected), 1e-5,
                    "type 1, points set again");
        free(right);
    }
    enuf_nufft_destroy(&plan);
    device_transform_free(&d);
    transform_free(&t);
    transform_free(&other);
}

static void law(void)
{
    for (int single = 0; single < 2; single++) {
        const enuf_precision precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
        bytes_are_those_of_the_formula(precision, 1000000);
        bytes_are_those_of_the_formula(precision, 60000000);
        memory_limit_decides_auto(precision);
        for (int kind = 0; kind < 16; kind++) {
            const int dim = kind % 4 < 3 ? kind % 4 + 1 : 3, corner = kind % 4 == 3;
            enuf_nufft_options options = device_options(dim, 40, 36, 30);
            options.precision = precision;
            options.strengths = kind / 4 % 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
            options.deterministic = kind / 8;
            options.batch = dim == 3 && !corner ? 2 : 1;
            options.tolerance = single ? 1e-4 : 1e-9;
            options.upsampling = 2; /* 2 does not amplify rounding */
            printf("%dD, precision %d, %s, deterministic %d%s\n", dim, (int)precision,
                   kind / 4 % 2 ? "real" : "complex", options.deterministic,
                   corner ? ", in a corner" : "");
            storages_agree(&options, 50000, corner ? 0.02 : 1);
        }
    }
    changed_coordinates(0);
    changed_coordinates(1);
}

int main(void)
{
    return device_main(law);
}
