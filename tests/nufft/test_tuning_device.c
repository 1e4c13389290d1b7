/*
 * test_tuning_device.c - tuning of plans on the GPU, with arrays in either memory:
 *
 * - all levels but none are candidates, each that is timed takes some time, and exhaustive takes
 *   the fastest; types 1 and 2 of the plan found keep the tolerance;
 * - wisdom of a file, which is of this machine, gives the same method; it serves neither the other
 *   memory nor the cpu backend;
 * - a plan found within memory_limit holds no more with its points; a limit that nothing meets is
 *   refused with the least need; a grid beyond the GPU's memory too;
 * - ways of spreading and interpolation are tried with the fastest method, one direction after the
 *   other: the faster is taken if it gains more than 3 %, exhaustive if it gains at all; wisdom
 *   keeps it; a given way stays, and one that no call goes is not timed;
 * - random points serve, and an estimate times nothing;
 * - a timer that fails, and bad points, leave the options as they were.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

#include "enuf/nufft_tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000 };

static enuf_nufft_options problem(int dim, enuf_precision precision, enuf_memory memory)
{
    enuf_nufft_options o = device_options(dim, 24, dim > 1 ? 18 : 0, dim > 2 ? 12 : 0);
    o.precision = precision;
    o.memory = memory;
    o.tolerance = precision == ENUF_FLOAT ? 1e-3 : 1e-8;
    return o;
}

static enuf_tuning_request request_of(enuf_tune_effort effort)
{
    enuf_tuning_request r;
    enuf_tuning_request_init(&r);
    r.effort = effort;
    r.gram = 3;
    r.trials = 1;
    r.any_window = 0;
    return r;
}

/* The transform's points in the options' memory. */
static double *points_of(const enuf_nufft_options *o, const transform *t, double **there)
{
    *there = o->memory == ENUF_DEVICE ? device_make(ENUF_DOUBLE, 3 * t->n, t->points) : NULL;
    return *there ? *there : t->points;
}

static void look_at_candidates(const enuf_tuning *tuning)
{
    unsigned levels = 0;
    double least = HUGE_VAL, chosen = 0;
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        enuf_candidate c = {.struct_size = sizeof c};
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        levels |= 1u << c.method.level;
        CHECK(c.predicted_seconds > 0);
        if (c.timings == 0) continue;
        CHECK(c.measured_seconds > 0 && c.measured_seconds < 1);
        CHECK(c.bytes > 0);
        least = fmin(least, c.measured_seconds);
        if (c.state == ENUF_CANDIDATE_CHOSEN) chosen = c.measured_seconds;
    }
    CHECK(levels == (1u << ENUF_LEVEL_SORTED | 1u << ENUF_LEVEL_WEIGHTS | 1u << ENUF_LEVEL_MATRIX |
                     1u << ENUF_LEVEL_GRAM));
    CHECK(chosen > 0 && chosen <= 2 * least); /* pairs of rounds decide */
}

/* Types 1 and 2 of a plan of the options, against the sums. */
static void keeps_the_tolerance(const enuf_nufft_options *o, const transform *t)
{
    const int device = o->memory == ENUF_DEVICE;
    const enuf_precision p = o->precision;
    device_transform d = device_transform_make(t);
    enuf_nufft *plan = NULL;
    void *modes = device ? d.modes : numbers_make(p, t->n_modes);
    void *values = device ? d.values : numbers_make(p, t->n_values);
    const double *x = device ? d.points : t->points;
    CHECK_STATUS(enuf_nufft_create(o, &plan), ENUF_SUCCESS);
    if (plan) {
        CHECK_STATUS(enuf_nufft_set_points(plan, t->n, x, x + 1, x + 2, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type1(plan, device ? d.strengths : t->strengths, modes),
                     ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plan, device ? d.spectrum : t->spectrum, values, NULL),
                     ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    }
    void *modes_here = device ? device_read(p, t->n_modes, modes) : modes;
    void *values_here = device ? device_read(p, t->n_values, values) : values;
    CHECK_BELOW(relative_error(p, t->n_modes, modes_here, t->modes_expected), o->tolerance,
                "  type 1");
    CHECK_BELOW(relative_error(p, t->n_values, values_here, t->values_expected), o->tolerance,
                "  type 2");
    enuf_nufft_destroy(&plan);
    free(modes_here);
    free(values_here);
    device_transform_free(&d);
}

static enuf_status found_in_wisdom(enuf_nufft_options o, enuf_wisdom *wisdom, const double *x,
                                   enuf_nufft_options *found)
{
    enuf_tuning_request r = request_of(ENUF_TUNE_WISDOM_ONLY);
    r.wisdom = wisdom;
    const enuf_status status = enuf_nufft_tune(&o, &r, N, x, x + 1, x + 2, 3, NULL);
    *found = o;
    return status;
}

static void wisdom_serves(enuf_wisdom *wisdom, enuf_nufft_options o,
                          const enuf_nufft_options *tuned, const double *x, const transform *t)
{
    static const char path[] = "wisdom_of_a_gpu.json";
    enuf_wisdom *loaded = NULL;
    enuf_nufft_options found;
    int64_t skipped = -1;
    remove(path);
    CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_create(&loaded), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_load(loaded, path, &skipped), ENUF_SUCCESS);
    CHECK(skipped == 0 && enuf_wisdom_count(loaded) == 1);
    CHECK_STATUS(found_in_wisdom(o, loaded, x, &found), ENUF_SUCCESS);
    CHECK(found.width == tuned->width && found.level == tuned->level &&
          found.window == tuned->window && found.shape == tuned->shape &&
          found.spreading == tuned->spreading && found.interpolation == tuned->interpolation);
    CHECK(memcmp(found.fine_grid, tuned->fine_grid, sizeof found.fine_grid) == 0);
    o.backend = ENUF_BACKEND_CPU;
    o.memory = ENUF_HOST;
    CHECK_STATUS(found_in_wisdom(o, loaded, t->points, &found), ENUF_UNSUPPORTED);
    enuf_wisdom_destroy(&loaded);
    remove(path);
}

static void finds_the_fastest(int dim, enuf_precision precision, enuf_memory memory)
{
    enuf_nufft_options o = problem(dim, precision, memory);
    const enuf_nufft_options asked = o;
    enuf_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE);
    transform t = transform_make(&o, N, 7);
    enuf_tuning *tuning = NULL;
    double *there, *x = points_of(&o, &t, &there);
    transform_sum(&t);
    printf("%dD, %s, %s memory\n", dim, precision == ENUF_FLOAT ? "float" : "double",
           memory == ENUF_DEVICE ? "device" : "host");
    CHECK_STATUS(enuf_wisdom_create(&r.wisdom), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_tune(&o, &r, N, x, x + 1, x + 2, 3, &tuning), ENUF_SUCCESS);
    if (tuning) look_at_candidates(tuning);
    CHECK(o.width > 0);
    keeps_the_tolerance(&o, &t);
    wisdom_serves(r.wisdom, asked, &o, x, &t);
    enuf_nufft_options other = asked, found;
    other.memory = memory == ENUF_DEVICE ? ENUF_HOST : ENUF_DEVICE;
    if (other.memory == ENUF_HOST)
        CHECK_STATUS(found_in_wisdom(other, r.wisdom, t.points, &found), ENUF_UNSUPPORTED);
    enuf_tuning_destroy(&tuning);
    enuf_wisdom_destroy(&r.wisdom);
    if (there) device_free(there);
    transform_free(&t);
}

static int64_t bytes_with_points(const enuf_nufft_options *o, const double *x)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(o, &plan), ENUF_SUCCESS);
    if (!plan) return INT64_MAX;
    CHECK_STATUS(enuf_nufft_set_points(plan, N, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    return report.bytes;
}

static void memory_limits(enuf_tune_effort effort)
{
    enuf_nufft_options o = problem(3, ENUF_FLOAT, ENUF_DEVICE);
    enuf_tuning_request r = request_of(effort);
    transform t = transform_make(&o, N, 7);
    double *there, *x = points_of(&o, &t, &there);
    r.gram = 0;
    const int64_t sorted = bytes_with_points(&o, x);
    o.memory_limit = sorted + (64 << 10);
    CHECK_STATUS(enuf_nufft_tune(&o, &r, N, x, x + 1, x + 2, 3, NULL), ENUF_SUCCESS);
    CHECK_BELOW((double)bytes_with_points(&o, x) / (double)o.memory_limit, 1,
                "bytes over memory_limit");
    o = problem(3, ENUF_FLOAT, ENUF_DEVICE);
    o.memory_limit = 20000;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, N, x, x + 1, x + 2, 3, NULL), ENUF_OUT_OF_MEMORY);
    CHECK(strstr(enuf_last_error(), "least need") != NULL);
    CHECK(o.width == 0);
    device_free(there);
    transform_free(&t);
}

static void beyond_the_gpu(void)
{
    enuf_nufft_options o = device_options(3, 4000, 4000, 4000); /* from 1 TB on */
    enuf_tuning_request r = request_of(ENUF_TUNE_ESTIMATE);
    r.gram = 0;
    o.tolerance = 1e-6;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, N, NULL, NULL, NULL, 1, NULL), ENUF_OUT_OF_MEMORY);
    CHECK(strstr(enuf_last_error(), "least need") != NULL);
    CHECK(o.width == 0);
}

static void random_points(enuf_memory memory)
{
    enuf_nufft_options o = problem(2, ENUF_DOUBLE, memory);
    enuf_tuning_request r = request_of(ENUF_TUNE_MEASURE);
    CHECK_STATUS(enuf_nufft_tune(&o, &r, N, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.width > 0);
    o = problem(2, ENUF_DOUBLE, memory);
    r.effort = ENUF_TUNE_ESTIMATE;
    enuf_tuning *tuning = NULL;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, N, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        enuf_candidate c = {.struct_size = sizeof c};
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        CHECK(c.timings == 0);
    }
    enuf_tuning_destroy(&tuning);
}

/* Seconds of a way, for a second of what the plan chooses by itself. */
typedef struct ways_table {
    double of_spreading[6], of_interpolation[6];
    unsigned seen; /* bits: spreading; above them interpolation */
} ways_table;

static enuf_status by_ways(void *context, const enuf_nufft_options *o, double *seconds,
                           int64_t *bytes)
{
    ways_table *t = context;
    *seconds = t->of_spreading[o->spreading] * t->of_interpolation[o->interpolation];
    *bytes = 1000;
    if (o->level == ENUF_LEVEL_SORTED)
        t->seen |= 1u << o->spreading | 256u << o->interpolation;
    else
        *seconds *= 4; /* so that level SORTED is the fastest */
    return ENUF_SUCCESS;
}

/* The ways found, spreading in the tens. */
static int ways_found(enuf_nufft_options *o, enuf_tune_effort effort, double type2, ways_table *t,
                      enuf_wisdom *wisdom)
{
    enuf_tuning_request r = request_of(effort);
    r.gram = 0;
    r.type2 = type2;
    r.timer = by_ways;
    r.timer_context = t;
    r.wisdom = wisdom;
    t->seen = 0;
    CHECK_STATUS(enuf_nufft_tune(o, &r, N, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    return 10 * (int)o->spreading + (int)o->interpolation;
}

static void ways(void)
{
    enum { AUTO, WINDOWS, TILES, SLIDE, POINTS, GATHER };
    static const char path[] = "wisdom_of_ways.json";
    ways_table t = {{1, 3, 0.8, 0.98, 0, 0}, {1, 3, 0.9, 0, 0.99, 0.7}, 0};
    const enuf_nufft_options asked = problem(3, ENUF_FLOAT, ENUF_DEVICE);
    enuf_nufft_options o = asked;
    enuf_wisdom *wisdom = NULL, *loaded = NULL;
    CHECK_STATUS(enuf_wisdom_create(&wisdom), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_create(&loaded), ENUF_SUCCESS);
    CHECK(ways_found(&o, ENUF_TUNE_MEASURE, 1, &t, wisdom) == 10 * TILES + GATHER);
    CHECK(t.seen == (1u << AUTO | 1u << WINDOWS | 1u << TILES | 1u << SLIDE | 256u << AUTO |
                     256u << WINDOWS | 256u << TILES | 256u << POINTS | 256u << GATHER));
    CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_load(loaded, path, NULL), ENUF_SUCCESS);
    o = asked;
    CHECK(ways_found(&o, ENUF_TUNE_WISDOM_ONLY, 1, &t, loaded) == 10 * TILES + GATHER);
    CHECK(t.seen == 0);
    remove(path);
    /* without calls of type 2 */
    o = asked;
    CHECK(ways_found(&o, ENUF_TUNE_MEASURE, 0, &t, NULL) == 10 * TILES + AUTO);
    CHECK(t.seen >> 8 == 1u << AUTO);
    /* given ways stay, and are another problem of wisdom */
    o = asked;
    o.spreading = ENUF_STRATEGY_WINDOWS;
    CHECK(ways_found(&o, ENUF_TUNE_MEASURE, 1, &t, loaded) == 10 * WINDOWS + GATHER);
    CHECK((t.seen & 255) == 1u << WINDOWS);
    /* small gains */
    t = (ways_table){{1, 3, 2, 0.98, 0, 0}, {1, 3, 0.99, 0, 0.98, 2}, 0};
    o = asked;
    CHECK(ways_found(&o, ENUF_TUNE_MEASURE, 1, &t, NULL) == AUTO);
    o = asked;
    CHECK(ways_found(&o, ENUF_TUNE_EXHAUSTIVE, 1, &t, NULL) == 10 * SLIDE + POINTS);
    /* 2D has fewer */
    o = problem(2, ENUF_FLOAT, ENUF_DEVICE);
    CHECK(ways_found(&o, ENUF_TUNE_EXHAUSTIVE, 1, &t, NULL) == 10 * AUTO + TILES);
    CHECK(t.seen == (1u << AUTO | 1u << WINDOWS | 1u << TILES | 256u << AUTO | 256u << WINDOWS |
                     256u << TILES | 256u << GATHER));
    enuf_wisdom_destroy(&wisdom);
    enuf_wisdom_destroy(&loaded);
}

static enuf_status failing(void *context, const enuf_nufft_options *options, double *seconds,
                           int64_t *bytes)
{
    (void)context, (void)options;
    *seconds = 1;
    *bytes = 1;
    return ENUF_NOT_FINITE;
}

static void failures(void)
{
    enuf_nufft_options o = problem(1, ENUF_DOUBLE, ENUF_DEVICE);
    enuf_tuning_request r = request_of(ENUF_TUNE_MEASURE);
    transform t = transform_make(&o, N, 7);
    r.timer = failing;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, N, NULL, NULL, NULL, 1, NULL), ENUF_NOT_FINITE);
    CHECK(o.width == 0);
    t.points[3 * 17] = NAN;
    double *there, *x = points_of(&o, &t, &there);
    r.timer = NULL;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, N, x, x + 1, x + 2, 3, NULL), ENUF_NOT_FINITE);
    CHECK(strstr(enuf_last_error(), "point 17") != NULL);
    CHECK(o.width == 0);
    /* points of the host where those of the device are expected */
    CHECK_STATUS(enuf_nufft_tune(&o, &r, N, t.points, t.points + 1, t.points + 2, 3, NULL),
                 ENUF_BAD_MEMORY);
    CHECK(o.width == 0);
    device_free(there);
    transform_free(&t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++)
        finds_the_fastest(dim, dim == 2 ? ENUF_FLOAT : ENUF_DOUBLE, ENUF_DEVICE);
    finds_the_fastest(3, ENUF_FLOAT, ENUF_HOST);
    memory_limits(ENUF_TUNE_ESTIMATE);
    memory_limits(ENUF_TUNE_MEASURE);
    beyond_the_gpu();
    ways();
    random_points(ENUF_DEVICE);
    random_points(ENUF_HOST);
    failures();
}

int main(void)
{
    return device_main(law);
}
