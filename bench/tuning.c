/*
 * tuning.c - what tuning a plan gives (enuf/nufft_tuning.h), for images of side^3 modes.
 *
 *   tuning [--sweep | --gram] [--modes 62] [--patterns radial,stack_of_stars,cones,random]
 *          [--reductions 1,4,16] [--precision float,double] [--tolerance N,...] [--repeats N]
 *          [--trials N] [--turns N] [--windows one|all] [--gigabytes N] [--seconds N] [--threads N]
 *          [--backend cpu|cuda] [--csv FILE] [--markdown]
 *
 * The grid of problems is that of T. Ou, UCB/EECS-2017-90: float at 1e-2 and 1e-3, and here double
 * at 1e-5 and 1e-9. --tolerance holds for every precision that reaches it. A round sets the points
 * once, then calls type 1 and type 2 --repeats times each; a call is timed once.
 *
 * The first table has what a plan chooses by itself (untuned; it knows the density of the points),
 * and what each effort of enuf_nufft_tune() chooses; then the methods that were chosen are timed
 * again in --turns, by the same clock. --windows one leaves the windows other than the prolate one
 * out. --seconds ends an exhaustive search when its rounds add up to so many, 0 never; the slowest
 * candidates by the model are then not timed. --gigabytes limits a plan.
 *
 * --sweep: time against upsampling at each level; a width is the least whose aliasing amplitude is
 * within the tolerance. --gram: the Gram operator beside two transforms.
 *
 * One thread is timed by its processor time, several, and a GPU, by wall time. --backend cuda
 * serves the first table: all arrays are in device memory, and eight calls share a wait for the
 * GPU. SPDX-License-Identifier: BSD-3-Clause
 */
#include "direct_device.h"
#include "options.h"
#include "tuning_tables.h"

static const char PROGRAM[] = "tuning";
static const char *const precisions[] = {"float", "double"};
static const char *const backends[] = {"cpu", "cuda"};

typedef struct list {
    int n;
    double value[BENCH_MOST_VALUES];
} list;

typedef struct arguments {
    tuning_request request;
    const tuning_table *table;
    int patterns, precisions, threads, cuda; /* patterns, precisions: bits */
    double gigabytes;
    list modes, reductions, tolerances[2]; /* by precision */
    bench_output output;
} arguments;

void tuning_problem_cells(bench_table *table, const tuning_case *c)
{
    bench_text(table, enuf_trajectory_kind_name(c->kind));
    bench_number(table, "%.0f", (double)c->side);
    bench_number(table, "%g", c->reduction);
    bench_number(table, "%.0f", (double)c->n);
    bench_text(table, precisions[c->options.precision == ENUF_DOUBLE]);
    bench_number(table, "%.0e", c->options.tolerance);
}

/* Returns how many. */
static int pattern_names(const char *names[16])
{
    int n = 0;
    while ((names[n] = enuf_trajectory_kind_name((enuf_trajectory_kind)n))) n++;
    return n;
}

static void check_arguments(const arguments *a)
{
    if (!(a->request.repeats > 0)) bench_die(PROGRAM, "--repeats: more than 0");
    if (a->request.trials < 1 || a->request.trials > 100) bench_die(PROGRAM, "--trials: 1 to 100");
    if (a->request.turns < 1 || a->request.turns > TUNING_MOST_TURNS)
        bench_die(PROGRAM, "--turns: 1 to %d", TUNING_MOST_TURNS);
    if (!(a->gigabytes > 0)) bench_die(PROGRAM, "--gigabytes: more than 0");
    if (!(a->request.seconds >= 0)) bench_die(PROGRAM, "--seconds: 0 (no limit) or more");
    if (a->threads < 1) bench_die(PROGRAM, "--threads: 1 or more");
    for (int k = 0; k < a->modes.n; k++)
        if (!(a->modes.value[k] >= 4 && a->modes.value[k] <= 1024))
            bench_die(PROGRAM, "--modes %g: 4 to 1024", a->modes.value[k]);
}

static arguments read_arguments(int argc, char **argv)
{
    arguments a = {.request = {.repeats = 20, .trials = 3, .turns = 7, .seconds = 60},
                   .table = &tuning_efforts,
                   .patterns = 1 << ENUF_TRAJECTORY_RADIAL | 1 << ENUF_TRAJECTORY_STACK_OF_STARS |
                               1 << ENUF_TRAJECTORY_CONES | 1 << ENUF_TRAJECTORY_RANDOM,
                   .precisions = 3,
                   .threads = 1,
                   .gigabytes = 2,
                   .modes = {1, {62}},
                   .reductions = {3, {1, 4, 16}},
                   .tolerances = {{2, {1e-2, 1e-3}}, {2, {1e-5, 1e-9}}},
                   .output = {.program = PROGRAM}};
    static const char *const window_names[] = {"one", "all"};
    const char *patterns[16];
    const int n_patterns = pattern_names(patterns);
    int sweep = 0, gram = 0, windows = 1 << a.request.all_windows, backend = 1;
    list given = {0, {0}};
    const bench_option known[] = {
        BENCH_FLAG("--sweep", &sweep),
        BENCH_FLAG("--gram", &gram),
        BENCH_LIST("--modes", a.modes.value, &a.modes.n),
        BENCH_NAMES("--patterns", &a.patterns, patterns, n_patterns),
        BENCH_LIST("--reductions", a.reductions.value, &a.reductions.n),
        BENCH_NAMES("--precision", &a.precisions, precisions, 2),
        BENCH_LIST("--tolerance", given.value, &given.n),
        BENCH_REAL("--repeats", &a.request.repeats),
        BENCH_INTEGER("--trials", &a.request.trials),
        BENCH_INTEGER("--turns", &a.request.turns),
        BENCH_NAMES("--windows", &windows, window_names, 2),
        BENCH_REAL("--gigabytes", &a.gigabytes),
        BENCH_REAL("--seconds", &a.request.seconds),
        BENCH_INTEGER("--threads", &a.threads),
        BENCH_NAMES("--backend", &backend, backends, 2),
    };
    bench_read_options(&a.output, argc, argv, known, sizeof known / sizeof *known);
    if (sweep && gram) bench_die(PROGRAM, "--sweep and --gram: give one of the two");
    if (windows == 3) bench_die(PROGRAM, "--windows: one or all");
    a.cuda = backend == 2;
    if (backend == 3) bench_die(PROGRAM, "--backend: cpu or cuda");
    if (a.cuda && (sweep || gram)) bench_die(PROGRAM, "--backend cuda: without --sweep and --gram");
    if (a.cuda && !bench_device_built())
        bench_die(PROGRAM, "--backend cuda: this program is built without it");
    if (sweep) a.table = &tuning_sweep;
    if (gram) a.table = &tuning_gram;
    if (given.n > 0) a.tolerances[0] = a.tolerances[1] = given;
    a.request.all_windows = windows == 2;
    check_arguments(&a);
    return a;
}

/* 1: the precision reaches the tolerance. */
static int reaches(const enuf_nufft_options *options)
{
    enuf_nufft *plan;
    enuf_nufft_options o = *options;
    for (int d = 0; d < o.dim; d++) o.modes[d] = 8;
    const enuf_status status = enuf_nufft_create(&o, &plan);
    if (status == ENUF_SUCCESS)
        enuf_nufft_destroy(&plan);
    else if (status != ENUF_UNREACHABLE_ACCURACY)
        tuning_check(status);
    return status == ENUF_SUCCESS;
}

/* The problems of a trajectory, a side and a reduction. */
static void problems(const arguments *a, bench_table *table, tuning_case c)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < a->tolerances[k].n && (a->precisions >> k & 1); i++) {
            enuf_nufft_options_init(&c.options);
            c.options.dim = 3;
            c.options.backend = a->cuda ? ENUF_BACKEND_CUDA : ENUF_BACKEND_CPU;
            c.options.memory = a->cuda ? ENUF_DEVICE : ENUF_HOST;
            c.options.precision = k == 0 ? ENUF_FLOAT : ENUF_DOUBLE;
            c.options.tolerance = a->tolerances[k].value[i];
            c.options.threads = a->threads;
            c.options.memory_limit = (int64_t)(a->gigabytes * 1e9);
            if (!reaches(&c.options)) continue;
            tuning_case_fill(&c);
            bench_progress("%s %.0f^3, R %g, %s %.0e", enuf_trajectory_kind_name(c.kind),
                           (double)c.side, c.reduction, precisions[k], c.options.tolerance);
            a->table->rows(table, &a->request, &c);
            tuning_case_free(&c);
        }
}

int main(int argc, char **argv)
{
    const arguments a = read_arguments(argc, argv);
    bench_table table;
    bench_table_begin(&table, &a.output, NULL, a.table->columns, a.table->n_columns);
    for (int m = 0; m < a.modes.n; m++)
        for (int r = a.reductions.n - 1; r >= 0; r--) /* the shortest first, if 16 is the last */
            for (int k = 0; enuf_trajectory_kind_name((enuf_trajectory_kind)k); k++)
                if (a.patterns >> k & 1)
                    problems(&a, &table,
                             (tuning_case){.kind = (enuf_trajectory_kind)k,
                                           .side = (int64_t)a.modes.value[m],
                                           .reduction = a.reductions.value[r]});
    bench_remark(&table, "%s", a.table->remark);
    bench_table_end(&table);
    return 0;
}
