/*
 * nufft_against_finufft.c - times of transforms of types 1 to 3 in 1D to 3D on the CPU, against
 * FINUFFT in the same run with equal points and tolerance: set points (and targets) + execute, and
 * execute alone, with the error of each result.
 *
 *   nufft_against_finufft [--dim 1,2,3] [--points N] [--density 0.1,1,10] [--threads 1,0]
 *                         [--double 1e-3,1e-6,1e-9] [--float 1e-3] [--type 1,2,3] [--repeats N]
 *                         [--kinds complex,real,gradient] [--csv FILE] [--markdown]
 *
 * Density is points per mode; 0 threads are all processors. Types are 1 and 2 unless told
 * otherwise. Type 3 goes from N points to N targets in the box of the modes: [-m/2, m/2) along each
 * axis, at random. A time is the least of the repeats; the libraries take turns. Ratios are
 * peer/enuf: above 1 enuf is faster. Kind `real`: enuf with real strengths, against the complex
 * transform of the peer, which has no real one. Kind `gradient`: a type 2 with its gradient and
 * real strengths, against 1 + dim type 2 of the peer. If the peer refuses a problem, its columns
 * are empty and `peer status` is the status that it returned. FINUFFT_LIBRARY names the peer's
 * file, FINUFFT_BUILD its version and build (peers/library.h). SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "arguments.h"
#include "nufft_sample.h"
#include "peers/finufft.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/nufft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char PROGRAM[] = "nufft_against_finufft";
static const double TURN = 6.283185307179586;

enum { COMPLEX, REAL, GRADIENT, KINDS, MOST_TURNS = 5 };
static const char *const kinds[KINDS] = {"complex", "real", "gradient"};

typedef struct list {
    int n;
    double value[BENCH_MOST_VALUES];
} list;

typedef struct request {
    list dims, densities, threads, types, tolerances[2]; /* tolerances of double, of float */
    int64_t points;
    int repeats, kinds; /* kinds: bits */
    bench_output output;
} request;

/* Points and data of one dimension, density and precision. */
typedef struct problem {
    bench_transform t;
    double density;
    void *strengths, *spectrum, *result, *gradients;
    bench_sample sample[2][4]; /* by real strengths and type */
} problem;

/* Ratios of one dimension, kind and number of threads. */
typedef struct summary {
    double log_sum, least;
    int rows, lost, refused;
} summary;

typedef struct comparison {
    const request *r;
    bench_table table;
    summary all[4][KINDS][BENCH_MOST_VALUES]; /* by dimension, kind and place in r->threads */
} comparison;

static request read_arguments(int argc, char **argv)
{
    request r = {.dims = {3, {1, 2, 3}},
                 .densities = {3, {0.1, 1, 10}},
                 .threads = {2, {1, 0}},
                 .types = {2, {1, 2}},
                 .tolerances = {{3, {1e-3, 1e-6, 1e-9}}, {1, {1e-3}}},
                 .points = 1000000,
                 .repeats = 3,
                 .kinds = 1 << COMPLEX | 1 << REAL | 1 << GRADIENT,
                 .output = {.program = PROGRAM}};
    const struct {
        const char *name;
        list *to;
    } lists[] = {
        {"--dim", &r.dims},        {"--density", &r.densities},    {"--type", &r.types},
        {"--threads", &r.threads}, {"--double", &r.tolerances[0]}, {"--float", &r.tolerances[1]}};
    const int n_lists = (int)(sizeof lists / sizeof lists[0]);
    for (int i = 1; i < argc; i++) {
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        const char *name = argv[i], *value = argv[++i];
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", name);
        int k = 0;
        while (k < n_lists && strcmp(name, lists[k].name) != 0) k++;
        if (k < n_lists) {
            /* an empty list leaves a precision out */
            lists[k].to->n = *value ? bench_numbers(PROGRAM, value, lists[k].to->value) : 0;
        } else if (strcmp(name, "--points") == 0)
            r.points = (int64_t)strtod(value, NULL);
        else if (strcmp(name, "--repeats") == 0)
            r.repeats = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--kinds") == 0)
            r.kinds = bench_names(PROGRAM, value, kinds, KINDS);
        else
            bench_die(PROGRAM, "%s: unknown argument", name);
    }
    for (int k = 0; k < r.dims.n; k++)
        if (r.dims.value[k] < 1 || r.dims.value[k] > 3)
            bench_die(PROGRAM, "--dim %g: 1, 2 or 3", r.dims.value[k]);
    for (int k = 0; k < r.types.n; k++)
        if (r.types.value[k] < 1 || r.types.value[k] > 3)
            bench_die(PROGRAM, "--type %g: 1, 2 or 3", r.types.value[k]);
    if (r.points < 1 || r.repeats < 1) bench_die(PROGRAM, "--points and --repeats: 1 or more");
    return r;
}

/* n numbers, uniform in [-size/2, size/2). */
static void *random_numbers(int64_t n, int single, double size, uint64_t seed)
{
    void *array = malloc((size_t)n * (single ? sizeof(float) : sizeof(double)));
    if (!array) bench_die(PROGRAM, "not enough memory");
    for (int64_t i = 0; i < n; i++) {
        const double x = size * (bench_uniform(&seed) - 0.5);
        if (single)
            ((float *)array)[i] = (float)x;
        else
            ((double *)array)[i] = x;
    }
    return array;
}

static int64_t modes_of(const problem *p)
{
    int64_t modes = 1;
    for (int d = 0; d < p->t.dim; d++) modes *= p->t.m;
    return modes;
}

static problem make_problem(const request *r, int dim, double density, int single)
{
    const double edge = pow((double)r->points / density, 1.0 / dim);
    problem p = {.t = {.dim = dim, .single = single, .n = r->points}};
    p.t.m = 2 * (int64_t)fmax(1, 0.5 * edge + 0.5);
    const int64_t modes = modes_of(&p);
    p.density = (double)p.t.n / (double)modes;
    for (int d = 0; d < dim; d++) {
        p.t.radians[d] = random_numbers(p.t.n, single, TURN, 3 + (uint64_t)d);
        p.t.targets[d] = random_numbers(p.t.n, single, (double)p.t.m, 6 + (uint64_t)d);
    }
    p.strengths = random_numbers(2 * p.t.n, single, 1, 11);
    p.spectrum = random_numbers(2 * modes, single, 1, 12);
    p.result = random_numbers(2 * (modes > p.t.n ? modes : p.t.n), single, 1, 13);
    p.gradients = random_numbers(3 * p.t.n, single, 1, 14);
    return p;
}

static void free_problem(problem *p)
{
    for (int d = 0; d < p->t.dim; d++) {
        free((void *)(uintptr_t)p->t.radians[d]);
        free((void *)(uintptr_t)p->t.targets[d]);
    }
    free(p->strengths);
    free(p->spectrum);
    free(p->result);
    free(p->gradients);
}

typedef struct our_times {
    double seconds, execute, error, upsampling;
    int width;
} our_times;

static enuf_nufft *make_plan(const problem *p, double tolerance, int threads)
{
    enuf_nufft_options o;
    enuf_nufft *plan;
    enuf_nufft_options_init(&o);
    o.dim = p->t.dim;
    for (int d = 0; d < p->t.dim; d++) o.modes[d] = p->t.m;
    o.period = TURN;
    o.type3 = p->t.type == 3;
    o.precision = p->t.single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.strengths = p->t.real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    o.tolerance = tolerance;
    o.threads = threads;
    o.density = p->density;
    o.backend = ENUF_BACKEND_CPU;
    if (enuf_nufft_create(&o, &plan) != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
    return plan;
}

static enuf_status set_coordinates(const bench_transform *t, enuf_nufft *plan)
{
    const void *const *x = t->radians, *const *s = t->targets;
    const enuf_status status = t->single
                                   ? enuf_nufft_set_points_f32(plan, t->n, x[0], x[1], x[2], 1)
                                   : enuf_nufft_set_points(plan, t->n, x[0], x[1], x[2], 1);
    if (status != ENUF_SUCCESS || t->type != 3) return status;
    return t->single ? enuf_nufft_set_targets_f32(plan, t->n, s[0], s[1], s[2], 1)
                     : enuf_nufft_set_targets(plan, t->n, s[0], s[1], s[2], 1);
}

static enuf_status execute(const problem *p, enuf_nufft *plan, int kind)
{
    if (p->t.type == 1) return enuf_nufft_type1(plan, p->t.data, p->result);
    if (p->t.type == 3) return enuf_nufft_type3(plan, p->t.data, p->result);
    return enuf_nufft_type2(plan, p->t.data, p->result, kind == GRADIENT ? p->gradients : NULL);
}

/* The least of some rounds and of those before, in `times`. */
static void time_ours(problem *p, double tolerance, int threads, int kind, int rounds,
                      our_times *times)
{
    const bench_transform *t = &p->t;
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan = make_plan(p, tolerance, threads);
    for (int k = 0; k < rounds; k++) {
        const double start = bench_seconds();
        enuf_status status = set_coordinates(t, plan);
        const double between = bench_seconds();
        if (status == ENUF_SUCCESS) status = execute(p, plan, kind);
        const double end = bench_seconds();
        if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
        times->seconds = fmin(times->seconds, end - start);
        times->execute = fmin(times->execute, end - between);
    }
    if (enuf_nufft_get_report(plan, &report) != ENUF_SUCCESS)
        bench_die(PROGRAM, "%s", enuf_last_error());
    times->width = report.width;
    times->upsampling = report.upsampling;
    enuf_nufft_destroy(&plan);
    times->error = bench_sample_error(t, &p->sample[t->real][t->type], p->result);
}

static void add_up(summary *all, double ratio)
{
    if (isnan(ratio)) {
        all->refused++;
        return;
    }
    all->least = all->rows++ ? fmin(all->least, ratio) : ratio;
    all->log_sum += log(ratio);
    all->lost += ratio < 1;
}

static void row(bench_table *t, const problem *p, double tolerance, int threads, int kind,
                const our_times *ours, const finufft_times *peer, double peer_error, summary *all)
{
    const int refused = peer->seconds < 0, dim = p->t.dim;
    const double calls = kind == GRADIENT ? 1 + dim : 1;
    const double ratio = refused ? NAN : calls * peer->seconds / ours->seconds;
    bench_number(t, "%.0f", dim);
    bench_number(t, "%.0f", threads);
    bench_text(t, p->t.single ? "float" : "double");
    bench_text(t, kinds[kind]);
    bench_number(t, "%.0f", p->t.type);
    bench_number(t, "%.0f", (double)p->t.m);
    bench_number(t, "%.2g", p->density);
    bench_number(t, "%.0e", tolerance);
    bench_number(t, "%.4f", ours->seconds);
    bench_number(t, "%.4f", ours->execute);
    bench_number(t, "%.1e", ours->error);
    bench_number(t, "%.0f", ours->width);
    bench_number(t, "%.2f", ours->upsampling);
    bench_number(t, "%.4f", refused ? NAN : calls * peer->seconds);
    bench_number(t, "%.4f", refused ? NAN : calls * peer->execute);
    bench_number(t, "%.1e", peer_error);
    bench_number(t, "%.0f", peer->status);
    bench_number(t, "%.2f", ratio);
    bench_number(t, "%.2f", refused ? NAN : calls * peer->execute / ours->execute);
    add_up(all, ratio);
}

/* The number of threads at a place in the request. */
static int threads_at(const request *r, int place)
{
    const int threads = (int)r->threads.value[place];
    return threads > 0 ? threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Both libraries take turns, since a machine may be slow for a while: some rounds each. */
static int turns_of(const request *r)
{
    return r->repeats < MOST_TURNS ? r->repeats : MOST_TURNS;
}

static int rounds_of(const request *r, int turn)
{
    const int turns = turns_of(r);
    return r->repeats * (turn + 1) / turns - r->repeats * turn / turns;
}

static finufft_times faster(const finufft_times *a, const finufft_times *b)
{
    finufft_times least = *b;
    least.seconds = fmin(a->seconds, b->seconds);
    least.execute = fmin(a->execute, b->execute);
    return least;
}

static void compare_type(comparison *c, problem *p, double tolerance, int place)
{
    const int threads = threads_at(c->r, place);
    bench_transform *t = &p->t;
    finufft_problem q = {.dim = t->dim,
                         .single = t->single,
                         .type = t->type,
                         .modes = {t->m, t->dim > 1 ? t->m : 1, t->dim > 2 ? t->m : 1},
                         .tolerance = tolerance,
                         .threads = threads,
                         .n = t->n,
                         .radians = {t->radians[0], t->radians[1], t->radians[2]},
                         .targets = {t->targets[0], t->targets[1], t->targets[2]}};
    our_times ours[KINDS];
    finufft_times peer = {0};
    double peer_error = NAN;
    for (int kind = 0; kind < KINDS; kind++)
        ours[kind] = (our_times){.seconds = HUGE_VAL, .execute = HUGE_VAL};
    for (int turn = 0; turn < turns_of(c->r); turn++) {
        t->real = 0;
        const finufft_times now = finufft_time(&q, t->data, p->result, rounds_of(c->r, turn));
        peer_error =
            now.seconds < 0 ? NAN : bench_sample_error(t, &p->sample[0][t->type], p->result);
        peer = turn == 0 ? now : faster(&peer, &now);
        for (int kind = 0; kind < (t->type == 2 ? KINDS : GRADIENT); kind++) {
            if (!(c->r->kinds >> kind & 1)) continue;
            t->real = kind != COMPLEX;
            time_ours(p, tolerance, threads, kind, rounds_of(c->r, turn), &ours[kind]);
        }
    }
    for (int kind = 0; kind < (t->type == 2 ? KINDS : GRADIENT); kind++) {
        if (!(c->r->kinds >> kind & 1)) continue;
        t->real = kind != COMPLEX;
        row(&c->table, p, tolerance, threads, kind, &ours[kind], &peer, peer_error,
            &c->all[t->dim][kind][place]);
    }
}

static void take_type(problem *p, int type)
{
    p->t.type = type;
    p->t.data = type == 2 ? p->spectrum : p->strengths;
}

static void compare_problem(comparison *c, problem *p)
{
    const request *r = c->r;
    for (int k = 0; k < r->types.n; k++) {
        take_type(p, (int)r->types.value[k]);
        for (p->t.real = 0; p->t.real < 2; p->t.real++)
            bench_sample_make(&p->t, &p->sample[p->t.real][p->t.type]);
    }
    const list *tolerances = &r->tolerances[p->t.single];
    for (int a = 0; a < tolerances->n; a++)
        for (int b = 0; b < r->threads.n; b++)
            for (int k = 0; k < r->types.n; k++) {
                take_type(p, (int)r->types.value[k]);
                compare_type(c, p, tolerances->value[a], b);
            }
}

static void compare_all(comparison *c)
{
    const request *r = c->r;
    for (int a = 0; a < r->dims.n; a++)
        for (int b = 0; b < r->densities.n; b++)
            for (int single = 0; single < 2; single++) {
                if (r->tolerances[single].n == 0) continue;
                problem p = make_problem(r, (int)r->dims.value[a], r->densities.value[b], single);
                compare_problem(c, &p);
                free_problem(&p);
            }
}

static void print_means(comparison *c)
{
    for (int dim = 1; dim <= 3; dim++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int place = 0; place < c->r->threads.n; place++) {
                const summary *all = &c->all[dim][kind][place];
                if (all->rows + all->refused == 0) continue;
                bench_remark(&c->table,
                             "%dD, %s, %d threads: ratio %.2f (geometric mean of %d rows), lowest "
                             "%.2f; %d rows below 1, %d refused by the peer",
                             dim, kinds[kind], threads_at(c->r, place),
                             all->rows ? exp(all->log_sum / all->rows) : NAN, all->rows, all->least,
                             all->lost, all->refused);
            }
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {
        {"dim", 3},         {"threads", 3},   {"precision", -9},     {"kind", -8},
        {"type", 4},        {"modes", 8},     {"density", 7},        {"tol", 5},
        {"s", 8},           {"execute s", 8}, {"error", 7},          {"width", 5},
        {"upsampling", 4},  {"peer s", 8},    {"peer execute s", 8}, {"peer error", 7},
        {"peer status", 2}, {"ratio", 6},     {"execute ratio", 6}};
    const request r = read_arguments(argc, argv);
    const char *missing = finufft_open();
    if (missing) {
        fprintf(stderr, "skipped: %s\n", missing);
        return 77;
    }
    comparison c = {.r = &r};
    bench_table_begin(&c.table, &r.output, finufft_description(), columns,
                      (int)(sizeof columns / sizeof columns[0]));
    bench_remark(&c.table, "the peer: %s", finufft_description());
    compare_all(&c);
    print_means(&c);
    bench_table_end(&c.table);
    return 0;
}
