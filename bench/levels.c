/*
 * levels.c - what the levels of a plan (options.level) cost and save: setting the points, type 1,
 * type 2, bytes of a point, and from how many rounds on each level is the fastest.
 *
 *   levels [--backend cpu] [--rounds N] [--dim 2,3] [--sides N,N] [--threads 1,2] [--density 0.5,2]
 * [--batch 1,8]
 *          [--tolerance 1e-2,1e-3,1e-6] [--precision float,double] [--order random,lines]
 *          [--gigabytes N] [--seconds N] [--csv FILE] [--markdown]
 *
 * sides[0] modes in 1D, sides[1]^2 in 2D, sides[2]^3 in 3D (65536, 256, 64), complex. Points are at
 * random, in random order, or on lines through the centre, as samples of magnetic resonance
 * imaging, in the order of the lines. A round sets the points once, then calls type 1 and type 2 r
 * times each. A level is the fastest for r in [from, to]; `from` is empty if it is for none, `to`
 * if there is no end. Times are wall time, the least of the rounds; those of a call are of the
 * whole batch. All levels of a problem have the method that enuf chooses. A level has empty cells
 * where it takes more than --gigabytes, or where a round would take more than --seconds, going by
 * the batch before. A problem whose tolerance the precision does not reach is left out.
 *
 * --backend cuda: all arrays are in device memory; a time ends when enuf_nufft_check() has waited
 * for the GPU, which adds some 10 us. The GPU has no level none.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "direct_device.h"
#include "nufft_sample.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/nufft_tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "levels";
/* In the order of what they keep. */
static const enuf_level levels[] = {ENUF_LEVEL_NONE, ENUF_LEVEL_SORTED, ENUF_LEVEL_WEIGHTS,
                                    ENUF_LEVEL_MATRIX};
enum { N_LEVELS = sizeof levels / sizeof *levels };
static const char *const precisions[] = {"float", "double"};
static const char *const orders[] = {"random", "lines"};

typedef struct list {
    int n;
    double value[BENCH_MOST_VALUES];
} list;

typedef struct request {
    enuf_backend backend;
    int rounds, precisions, orders; /* precisions, orders: bits */
    double gigabytes, seconds;
    list dims, sides, threads, densities, batches, tolerances;
    bench_output output;
} request;

typedef struct problem {
    enuf_nufft_options options;
    int order;
    int64_t n, modes;
    double *points;                   /* [n][3] in periods */
    void *strengths, *in, *out, *got; /* complex */
} problem;

/* Seconds; NaN: it does not fit. */
typedef struct timing {
    double set, type1, type2;
    int64_t bytes; /* of the plan with its points */
} timing;

static void check(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static void *numbers(enuf_precision precision, int64_t n, uint64_t *seed)
{
    void *array = calloc((size_t)n, precision == ENUF_FLOAT ? sizeof(float) : sizeof(double));
    if (!array) bench_die(PROGRAM, "not enough memory");
    for (int64_t i = 0; seed && i < n; i++) {
        const double value = bench_uniform(seed) - 0.5;
        if (precision == ENUF_FLOAT)
            ((float *)array)[i] = (float)value;
        else
            ((double *)array)[i] = value;
    }
    return array;
}

/* Lines of 2 modes[0] samples through the centre, in random directions. */
static void draw_lines(const problem *p, uint64_t *seed)
{
    const int64_t on_line = 2 * p->options.modes[0];
    double along[3] = {0.5, 0, 0};
    for (int64_t j = 0; j < p->n; j++) {
        double square = 0;
        for (int d = 0; j % on_line == 0 && d < p->options.dim; d++) {
            along[d] = bench_uniform(seed) - 0.5;
            square += along[d] * along[d];
        }
        for (int d = 0; square > 0 && d < p->options.dim; d++) along[d] /= sqrt(square);
        const double radius = ((double)(j % on_line) + 0.5) / (double)on_line - 0.5;
        for (int d = 0; d < 3; d++) p->points[3 * j + d] = radius * along[d];
    }
}

/* Moves an array to the GPU. */
static void *moved(void *array, size_t bytes)
{
    void *there = bench_device_array(bytes, array);
    if (!there) bench_die(PROGRAM, "not enough memory on the GPU");
    free(array);
    return there;
}

static void move_to_gpu(problem *p)
{
    const size_t number = p->options.precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    const size_t points = (size_t)p->n, vectors = 2 * (size_t)p->options.batch * number;
    p->points = moved(p->points, 3 * points * sizeof(double));
    p->strengths = moved(p->strengths, points * vectors);
    p->got = moved(p->got, points * vectors);
    p->in = moved(p->in, (size_t)p->modes * vectors);
    p->out = moved(p->out, (size_t)p->modes * vectors);
}

static problem make_problem(enuf_nufft_options options, double density, int order)
{
    problem p = {.options = options, .order = order, .modes = 1};
    const enuf_precision precision = options.precision;
    uint64_t seed = 7;
    for (int d = 0; d < options.dim; d++) p.modes *= options.modes[d];
    p.n = (int64_t)(density * (double)p.modes);
    p.options.density = density;
    p.points = numbers(ENUF_DOUBLE, 3 * p.n, &seed);
    if (order == 1) draw_lines(&p, &seed);
    p.strengths = numbers(precision, 2 * p.n * options.batch, &seed);
    p.in = numbers(precision, 2 * p.modes * options.batch, &seed);
    p.out = numbers(precision, 2 * p.modes * options.batch, NULL);
    p.got = numbers(precision, 2 * p.n * options.batch, NULL);
    if (options.backend == ENUF_BACKEND_CUDA) move_to_gpu(&p);
    return p;
}

static void free_problem(problem *p)
{
    void (*release)(void *) = p->options.backend == ENUF_BACKEND_CUDA ? bench_device_free : free;
    release(p->points);
    release(p->strengths);
    release(p->in);
    release(p->out);
    release(p->got);
}

static void lower(double *least, double seconds)
{
    if (!(*least <= seconds)) *least = seconds;
}

/* The time when all work of the plan is done. */
static double done(enuf_nufft *plan)
{
    check(enuf_nufft_check(plan, NULL));
    return bench_seconds();
}

static int has(const enuf_nufft_options *o, enuf_level level)
{
    return o->backend == ENUF_BACKEND_CPU || level != ENUF_LEVEL_NONE;
}

static timing time_level(const request *r, const problem *p, enuf_level level)
{
    enuf_nufft_options o = p->options;
    enuf_nufft_report report = {.struct_size = sizeof report};
    const double *x = p->points;
    timing t = {NAN, NAN, NAN, 0};
    enuf_nufft *plan;
    o.level = level;
    o.memory_limit = (int64_t)(r->gigabytes * 1e9);
    check(enuf_nufft_create(&o, &plan));
    if (enuf_nufft_reserve(plan, p->n) == ENUF_OUT_OF_MEMORY) {
        enuf_nufft_destroy(&plan);
        return t;
    }
    for (int k = 0; k <= r->rounds; k++) {
        const double start = done(plan);
        check(enuf_nufft_set_points(plan, p->n, x, x + 1, x + 2, 3));
        const double set = done(plan);
        check(enuf_nufft_type1(plan, p->strengths, p->out));
        const double one = done(plan);
        check(enuf_nufft_type2(plan, p->in, p->got, NULL));
        const double two = done(plan);
        if (k == 0) continue; /* touches all memory */
        lower(&t.set, set - start);
        lower(&t.type1, one - set);
        lower(&t.type2, two - one);
    }
    check(enuf_nufft_get_report(plan, &report));
    t.bytes = report.bytes;
    enuf_nufft_destroy(&plan);
    return t;
}

/* The repeats for which a level is the fastest; from NaN: none, to NaN: without end. */
static void fastest(const timing *t, int level, double *from, double *to)
{
    const double call = t[level].type1 + t[level].type2;
    double low = 1, high = HUGE_VAL;
    for (int k = 0; k < N_LEVELS; k++) {
        const double other = t[k].type1 + t[k].type2;
        if (k == level || isnan(other)) continue;
        const double equal = (t[level].set - t[k].set) / (other - call);
        if (call < other)
            low = fmax(low, ceil(equal));
        else if (call > other)
            high = fmin(high, ceil(equal) - 1);
        else if (t[level].set > t[k].set)
            high = 0;
    }
    *from = isnan(call) || low > high ? NAN : low;
    *to = isnan(*from) || isinf(high) ? NAN : high;
}

/* expected: seconds of a round of one vector, 0: not known. */
static void rows(const request *r, bench_table *table, const problem *p, double expected[N_LEVELS])
{
    const enuf_nufft_options *o = &p->options;
    timing t[N_LEVELS];
    for (int k = 0; k < N_LEVELS; k++) {
        t[k] = (timing){NAN, NAN, NAN, 0};
        if (has(o, levels[k]) && expected[k] * o->batch < r->seconds)
            t[k] = time_level(r, p, levels[k]);
        if (!isnan(t[k].set)) expected[k] = (t[k].set + t[k].type1 + t[k].type2) / o->batch;
    }
    for (int k = 0; k < N_LEVELS; k++) {
        double from, to;
        if (!has(o, levels[k])) continue;
        fastest(t, k, &from, &to);
        bench_number(table, "%.0f", o->dim);
        bench_text(table, precisions[o->precision == ENUF_DOUBLE]);
        bench_number(table, "%.0e", o->tolerance);
        bench_text(table, orders[p->order]);
        bench_number(table, "%.1f", o->density);
        bench_number(table, "%.0f", o->batch);
        bench_number(table, "%.0f", o->threads);
        bench_number(table, "%.0f", o->width);
        bench_number(table, "%.0f", (double)o->fine_grid[0]);
        bench_text(table, enuf_level_name(levels[k]));
        /* beside those of `sorted`: the cells of the matrix too */
        bench_number(table, "%.0f",
                     isnan(t[k].set) ? NAN : (double)(t[k].bytes - t[1].bytes) / (double)p->n);
        bench_number(table, "%.2f", 1e3 * t[k].set);
        bench_number(table, "%.2f", 1e3 * t[k].type1);
        bench_number(table, "%.2f", 1e3 * t[k].type2);
        bench_number(table, "%.0f", from);
        bench_number(table, "%.0f", to);
    }
}

/* Writes the method that enuf chooses into the options; 0: the precision does not reach it. */
static int choose(enuf_nufft_options *o, double density)
{
    enuf_nufft_method method = {.struct_size = sizeof method};
    enuf_nufft *plan;
    o->density = density;
    const enuf_status status = enuf_nufft_create(o, &plan);
    if (status == ENUF_UNREACHABLE_ACCURACY) return 0;
    check(status);
    check(enuf_nufft_get_method(plan, &method));
    enuf_nufft_destroy(&plan);
    check(enuf_nufft_set_method(o, &method));
    return 1;
}

static void problems(const request *r, bench_table *table, enuf_nufft_options options, int order)
{
    for (int d = 0; d < r->densities.n; d++)
        for (int k = 0; k < r->threads.n; k++) {
            double expected[N_LEVELS] = {0};
            for (int b = 0; b < r->batches.n; b++) {
                enuf_nufft_options o = options;
                o.batch = (int)r->batches.value[b];
                if (!choose(&o, r->densities.value[d])) continue;
                o.threads = (int)r->threads.value[k];
                problem p = make_problem(o, r->densities.value[d], order);
                rows(r, table, &p, expected);
                free_problem(&p);
            }
        }
}

static list read_list(const char *text)
{
    list l;
    l.n = bench_numbers(PROGRAM, text, l.value);
    return l;
}

static request read_arguments(int argc, char **argv)
{
    request r = {.backend = ENUF_BACKEND_CPU,
                 .rounds = 3,
                 .precisions = 3,
                 .orders = 3,
                 .gigabytes = 2,
                 .seconds = 2,
                 .dims = {2, {2, 3}},
                 .sides = {3, {65536, 256, 64}},
                 .threads = {1, {1}},
                 .densities = {2, {0.5, 2}},
                 .batches = {2, {1, 8}},
                 .tolerances = {3, {1e-2, 1e-3, 1e-6}},
                 .output = {.program = PROGRAM}};
    for (int i = 1; i < argc; i++) {
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        const char *name = argv[i], *value = argv[++i];
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", name);
        if (strcmp(name, "--backend") == 0)
            check(enuf_backend_parse(value, &r.backend));
        else if (strcmp(name, "--rounds") == 0)
            r.rounds = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--gigabytes") == 0)
            r.gigabytes = strtod(value, NULL);
        else if (strcmp(name, "--seconds") == 0)
            r.seconds = strtod(value, NULL);
        else if (strcmp(name, "--order") == 0)
            r.orders = bench_names(PROGRAM, value, orders, 2);
        else if (strcmp(name, "--dim") == 0)
            r.dims = read_list(value);
        else if (strcmp(name, "--sides") == 0)
            r.sides = read_list(value);
        else if (strcmp(name, "--threads") == 0)
            r.threads = read_list(value);
        else if (strcmp(name, "--density") == 0)
            r.densities = read_list(value);
        else if (strcmp(name, "--batch") == 0)
            r.batches = read_list(value);
        else if (strcmp(name, "--tolerance") == 0)
            r.tolerances = read_list(value);
        else if (strcmp(name, "--precision") == 0)
            r.precisions = bench_names(PROGRAM, value, precisions, 2);
        else
            bench_die(PROGRAM, "%s: unknown argument", name);
    }
    if (r.backend == ENUF_BACKEND_CUDA && !bench_device_built())
        bench_die(PROGRAM, "--backend cuda: this program was built without CUDA");
    if (r.rounds < 1) bench_die(PROGRAM, "--rounds: 1 or more");
    if (!(r.gigabytes > 0)) bench_die(PROGRAM, "--gigabytes: more than 0");
    if (r.sides.n != 3) bench_die(PROGRAM, "--sides: those of 1D, 2D and 3D");
    return r;
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {{"dim", 3},
                                           {"precision", -9},
                                           {"tolerance", 9},
                                           {"order", -6},
                                           {"density", 7},
                                           {"batch", 5},
                                           {"threads", 7},
                                           {"width", 5},
                                           {"grid", 5},
                                           {"level", -7},
                                           {"more bytes a point", 18},
                                           {"set ms", 9},
                                           {"type1 ms", 9},
                                           {"type2 ms", 9},
                                           {"from", 6},
                                           {"to", 6}};
    const request r = read_arguments(argc, argv);
    bench_table table;
    bench_table_begin(&table, &r.output, NULL, columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < r.dims.n; i++)
        for (int single = 1; single >= 0; single--)
            for (int k = 0; k < r.tolerances.n; k++)
                for (int order = 0; order < 2; order++) {
                    enuf_nufft_options o;
                    if (!(r.precisions & (single ? 1 : 2)) || !(r.orders & (1 << order))) continue;
                    enuf_nufft_options_init(&o);
                    o.backend = r.backend;
                    if (o.backend == ENUF_BACKEND_CUDA) o.memory = ENUF_DEVICE;
                    o.dim = (int)r.dims.value[i];
                    if (o.dim < 1 || o.dim > 3) bench_die(PROGRAM, "--dim: 1, 2, 3");
                    for (int d = 0; d < o.dim; d++) o.modes[d] = (int64_t)r.sides.value[o.dim - 1];
                    o.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
                    o.tolerance = r.tolerances.value[k];
                    problems(&r, &table, o, order);
                }
    bench_remark(&table, "more bytes a point: of the plan, beside those of `sorted`");
    bench_remark(&table, "from, to: repeats of type 1 and type 2 for which the level is fastest");
    bench_table_end(&table);
    return 0;
}
