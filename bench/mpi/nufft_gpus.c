/*
 * nufft_gpus.c - weak scaling of the transforms of M-TIP, a reconstruction of molecules from X-ray
 * images: each rank has 1,000 images of its own, and the ranks of a machine take its GPUs in turn.
 * Shih, Wright, Anden, Blaschke, Barnett, cuFINUFFT (IPDPSW 2021), section V and table II:
 *
 *   slicing   type 2, 41^3 modes, 1,024,000 points: 1,000 images of 32^2 pixels
 *   merging   two of type 1, 81^3 modes, 16,384,000 points: 1,000 images of 128^2 pixels
 *
 * in double, to 1e-12, on slices of the Ewald sphere. The two of merging have the same points:
 * enuf and cuFINUFFT sum both in one call. Intensities are real: kind `real` uses that.
 *
 *   mpirun -n P nufft_gpus [--steps slicing,merging] [--tolerance T] [--seconds S]
 *          [--memory device,pinned,host] [--kinds complex,real] [--methods 1,2,3,4] [--no-peer]
 *          [--csv FILE] [--markdown]
 *
 * A time is milliseconds of setting points and one call. It includes the copies to the GPU and back
 * where memory is pinned or host: with cuFINUFFT they are the program's. The best of at least 3 and
 * of S seconds (1). `one`: rank 0 while the others wait; `all`: the slowest rank while all work.
 * Plans are made before. cuFINUFFT has the method that is fastest in the
 * first memory. Errors are relative l2, of 40 results of the first transform; with one rank alone.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gpu_of_rank.h"
#include "nufft_sample.h"
#include "options.h"
#include "peers/cufinufft.h"
#include "slices.h"
#include "stopwatch.h"

#include "enuf/nufft.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_REPEATS = 3 };
typedef enum memory { DEVICE, PINNED, HOST, MEMORIES } memory;

static const char PROGRAM[] = "nufft_gpus";
static const char *const MEMORY_NAMES[MEMORIES] = {"device", "pinned", "host"};
static const char *const KIND_NAMES[2] = {"complex", "real"};
enum { SLICING, MERGING, STEPS };
static const char *const STEP_NAMES[STEPS] = {"slicing", "merging"};

static const bench_column COLUMNS[] = {
    {"ranks", 5},  {"GPUs", 4},        {"step", -8},       {"memory", -6},    {"kind", -7},
    {"modes", 5},  {"points", 9},      {"one ms", 8},      {"all ms", 8},     {"error", 7},
    {"method", 6}, {"peer one ms", 8}, {"peer all ms", 8}, {"peer error", 7}, {"ratio", 6},
};

static int rank, ranks, gpus, no_peer, memories = 7, kinds = 3, asked = 3;
static double enough_seconds = 1, tolerance = 1e-12;
static double methods[BENCH_MOST_VALUES] = {1, 2, 3, 4}; /* of the peer */
static int n_methods = 4;

static void must(enuf_status status)
{
    bench_must(PROGRAM, status);
}

static void cuda(cudaError_t error)
{
    bench_cuda(PROGRAM, error);
}

static void *room(memory where, size_t bytes)
{
    void *at = NULL;
    if (where == DEVICE)
        cuda(cudaMalloc(&at, bytes));
    else if (where == PINNED)
        cuda(cudaMallocHost(&at, bytes));
    else if (!(at = malloc(bytes)))
        bench_die(PROGRAM, "not enough memory for %zu bytes", bytes);
    return at;
}

static void give_back(memory where, void *at)
{
    if (where == DEVICE)
        cuda(cudaFree(at));
    else if (where == PINNED)
        cuda(cudaFreeHost(at));
    else
        free(at);
}

static void copy(void *to, const void *from, size_t bytes)
{
    cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
}

/* One step of M-TIP, complex, in host memory. */
typedef struct step {
    const char *name;
    int type, vectors;
    int64_t modes, images, side, n, n_modes;
    double *x, *values, *spectrum;
    int method;             /* the peer's fastest; 0: not known yet */
    bench_sample sample[2]; /* complex, real ... */
    int sampled[2];         /* ... once made */
} step;

/* Arrays of one kind in one memory; `result` is values or spectrum. */
typedef struct task {
    step *s;
    memory where;
    int real;
    int64_t n_values, n_spectrum; /* numbers of one vector */
    double *x, *values, *spectrum, *result;
    size_t result_bytes;
    enuf_nufft *plan;
    cufinufft_problem peer; /* arrays in device memory */
    void *peer_plan;
} task;

static void make_step(step *s)
{
    uint64_t state = 88172645463325252u + 977u * (uint64_t)rank;
    s->n = s->images * s->side * s->side;
    s->n_modes = s->modes * s->modes * s->modes;
    s->x = bench_room(PROGRAM, 3 * s->n);
    s->values = bench_room(PROGRAM, 2 * s->vectors * s->n);
    s->spectrum = bench_room(PROGRAM, 2 * s->vectors * s->n_modes);
    bench_slices(s->images, s->side, rank, s->x);
    /* intensities, then a weight of 1 */
    for (int64_t j = 0; j < s->vectors * s->n; j++) {
        s->values[2 * j] = j < s->n ? bench_uniform(&state) : 1;
        s->values[2 * j + 1] = 0;
    }
    for (int64_t k = 0; k < 2 * s->vectors * s->n_modes; k++)
        s->spectrum[k] = bench_uniform(&state) - 0.5;
}

static task make_arrays(step *s, memory where, int real)
{
    task t = {.s = s, .where = where, .real = real};
    const int64_t half = (s->modes + 1) / 2 * s->modes * s->modes;
    t.n_values = real ? s->n : 2 * s->n;
    t.n_spectrum = real ? 2 * half : 2 * s->n_modes;
    const size_t points = 3 * (size_t)s->n * sizeof(double);
    const size_t values = (size_t)(s->vectors * t.n_values) * sizeof(double);
    const size_t spectrum = (size_t)(s->vectors * t.n_spectrum) * sizeof(double);
    t.x = room(where, points);
    t.values = room(where, values);
    t.spectrum = room(where, spectrum);
    t.result = s->type == 1 ? t.spectrum : t.values;
    t.result_bytes = s->type == 1 ? spectrum : values;
    double *parts = bench_room(PROGRAM, s->vectors * t.n_values);
    for (int64_t j = 0; j < s->vectors * t.n_values; j++)
        parts[j] = real ? s->values[2 * j] : s->values[j];
    copy(t.x, s->x, points);
    copy(t.values, parts, values);
    copy(t.spectrum, s->spectrum, spectrum);
    free(parts);
    return t;
}

static void free_arrays(task *t)
{
    give_back(t->where, t->x);
    give_back(t->where, t->values);
    give_back(t->where, t->spectrum);
}

static void make_plan(task *t)
{
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    for (int d = 0; d < 3; d++) options.modes[d] = t->s->modes;
    options.period = 2 * M_PI;
    options.strengths = t->real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.tolerance = tolerance;
    options.batch = t->s->vectors;
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = t->where == DEVICE ? ENUF_DEVICE : ENUF_HOST;
    options.density = (double)t->s->n / (double)t->s->n_modes;
    must(enuf_nufft_create(&options, &t->plan));
    must(enuf_nufft_reserve(t->plan, t->s->n));
}

static double time_ours(const task *t)
{
    const int64_t n = t->s->n;
    const double start = bench_seconds();
    must(enuf_nufft_set_points(t->plan, n, t->x, t->x + n, t->x + 2 * n, 1));
    if (t->s->type == 1)
        must(enuf_nufft_type1(t->plan, t->values, t->spectrum));
    else
        must(enuf_nufft_type2(t->plan, t->spectrum, t->values, NULL));
    must(enuf_nufft_check(t->plan, NULL)); /* waits for the GPU */
    return bench_seconds() - start;
}

static void peer_must(int status)
{
    if (status != 0) bench_die(PROGRAM, "cuFINUFFT: status %d", status);
}

/* With copies between the task's arrays and the peer's, unless these are the same. */
static double time_peer(const task *t)
{
    const cufinufft_problem *p = &t->peer;
    const size_t points = (size_t)t->s->n * sizeof(double), vectors = (size_t)t->s->vectors;
    const size_t values = vectors * (size_t)t->n_values * sizeof(double);
    const size_t spectrum = vectors * (size_t)t->n_spectrum * sizeof(double);
    const int outside = t->where != DEVICE, type1 = t->s->type == 1;
    const double start = bench_seconds();
    for (int d = 0; d < 3 && outside; d++) copy((void *)p->radians[d], t->x + d * t->s->n, points);
    peer_must(cufinufft_set(p, t->peer_plan));
    if (outside && type1) copy(p->strengths, t->values, values);
    if (outside && !type1) copy(p->spectrum, t->spectrum, spectrum);
    peer_must(cufinufft_execute(p, t->peer_plan));
    if (outside && type1) copy(t->spectrum, p->spectrum, spectrum);
    if (outside && !type1) copy(t->values, p->strengths, values);
    cuda(cudaDeviceSynchronize());
    return bench_seconds() - start;
}

/* The best time in milliseconds. all 1: of the slowest rank while all work; 0: of rank 0 alone. */
static double best(const task *t, double (*time_once)(const task *), int all)
{
    double least = INFINITY, spent = 0;
    for (int k = 0; k < LEAST_REPEATS || spent < enough_seconds; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double mine = all || rank == 0 ? time_once(t) : 0;
        const double seconds = bench_over_ranks(mine, MPI_MAX);
        spent += seconds;
        least = fmin(least, seconds);
    }
    return 1e3 * least;
}

/* Relative l2 error of the first transform; NaN with several ranks. */
static double error_of(const task *t)
{
    step *s = t->s;
    if (ranks > 1) return NAN;
    double *result = bench_room(PROGRAM, (int64_t)(t->result_bytes / sizeof *result));
    double *data = bench_room(PROGRAM, t->n_values);
    copy(result, t->result, t->result_bytes);
    for (int64_t j = 0; j < t->n_values; j++) data[j] = s->values[t->real ? 2 * j : j];
    const bench_transform transform = {.dim = 3,
                                       .real = t->real,
                                       .type = s->type,
                                       .m = s->modes,
                                       .n = s->n,
                                       .radians = {s->x, s->x + s->n, s->x + 2 * s->n},
                                       .data = s->type == 1 ? data : s->spectrum};
    bench_sample *sample = &s->sample[t->real];
    if (!s->sampled[t->real]) bench_sample_make(&transform, sample);
    s->sampled[t->real] = 1;
    const double error = bench_sample_error(&transform, sample, result);
    free(result);
    free(data);
    return error;
}

typedef struct times {
    int method; /* of the peer; 0: there is none */
    double one, all, error;
} times;

static times measure_peer(task *t)
{
    step *s = t->s;
    times fastest = {.one = NAN, .all = NAN, .error = NAN};
    double *const device[3] = {
        t->where == DEVICE ? t->x : room(DEVICE, 3 * (size_t)s->n * sizeof(double)),
        t->where == DEVICE ? t->values
                           : room(DEVICE, (size_t)(s->vectors * t->n_values) * sizeof(double)),
        t->where == DEVICE ? t->spectrum
                           : room(DEVICE, (size_t)(s->vectors * t->n_spectrum) * sizeof(double))};
    t->peer = (cufinufft_problem){.dim = 3,
                                  .type = s->type,
                                  .modes = {s->modes, s->modes, s->modes},
                                  .tolerance = tolerance,
                                  .n = s->n,
                                  .strengths = device[1],
                                  .spectrum = device[2],
                                  .vectors = s->vectors};
    for (int d = 0; d < 3; d++) t->peer.radians[d] = device[0] + d * s->n;
    for (int k = 0; k < n_methods; k++) {
        const int method = (int)methods[k];
        int status;
        if (s->method != 0 && method != s->method) continue;
        t->peer_plan = cufinufft_make(&t->peer, method, &status);
        if (bench_over_ranks(t->peer_plan != NULL, MPI_MIN) < 1) {
            if (t->peer_plan) cufinufft_destroy(&t->peer, t->peer_plan);
            continue;
        }
        const int works = cufinufft_set(&t->peer, t->peer_plan) == 0 &&
                          cufinufft_execute(&t->peer, t->peer_plan) == 0; /* or refuse here */
        if (bench_over_ranks(works, MPI_MIN) > 0) {
            const double one = best(t, time_peer, 0);
            if (fastest.method == 0 || one < fastest.one)
                fastest = (times){method, one, best(t, time_peer, 1), error_of(t)};
        }
        cufinufft_destroy(&t->peer, t->peer_plan);
    }
    for (int k = 0; k < 3 && t->where != DEVICE; k++) give_back(DEVICE, device[k]);
    s->method = fastest.method;
    return fastest;
}

static void row(bench_table *table, const task *t, const times *ours, const times *peer)
{
    if (rank > 0) return;
    bench_number(table, "%.0f", ranks);
    bench_number(table, "%.0f", ranks < gpus ? ranks : gpus);
    bench_text(table, t->s->name);
    bench_text(table, MEMORY_NAMES[t->where]);
    bench_text(table, KIND_NAMES[t->real]);
    bench_number(table, "%.0f", (double)t->s->modes);
    bench_number(table, "%.0f", (double)t->s->n);
    bench_number(table, "%.3f", ours->one);
    bench_number(table, "%.3f", ours->all);
    bench_number(table, "%.1e", ours->error);
    bench_number(table, "%.0f", peer->method ? (double)peer->method : NAN);
    bench_number(table, "%.3f", peer->one);
    bench_number(table, "%.3f", peer->all);
    bench_number(table, "%.1e", peer->error);
    bench_number(table, "%.2f", peer->all / ours->all);
}

static times measure_ours(task *t)
{
    make_plan(t);
    const times ours = {0, best(t, time_ours, 0), best(t, time_ours, 1), error_of(t)};
    enuf_nufft_destroy(&t->plan);
    return ours;
}

static void measure(bench_table *table, step *s, memory where)
{
    times peer = {.one = NAN, .all = NAN, .error = NAN};
    for (int real = 0; real < 2; real++) {
        if (!(kinds >> real & 1) && (real || no_peer)) continue;
        task t = make_arrays(s, where, real);
        if (!real && !no_peer) peer = measure_peer(&t);
        if (kinds >> real & 1) {
            const times ours = measure_ours(&t);
            row(table, &t, &ours, &peer);
        }
        free_arrays(&t);
    }
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    const bench_option known[] = {BENCH_NAMES("--steps", &asked, STEP_NAMES, STEPS),
                                  BENCH_REAL("--seconds", &enough_seconds),
                                  BENCH_REAL("--tolerance", &tolerance),
                                  BENCH_NAMES("--memory", &memories, MEMORY_NAMES, MEMORIES),
                                  BENCH_NAMES("--kinds", &kinds, KIND_NAMES, 2),
                                  BENCH_LIST("--methods", methods, &n_methods),
                                  BENCH_FLAG("--no-peer", &no_peer)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    int threads_allowed;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads_allowed);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int alone;
    gpus = bench_take_gpu(PROGRAM, &alone);
    const char *missing = no_peer ? "not requested" : cufinufft_open();
    no_peer = bench_over_ranks(missing != NULL, MPI_MAX) > 0;
    bench_table table;
    if (rank == 0)
        bench_table_begin(&table, &output, no_peer ? missing : cufinufft_description(), COLUMNS,
                          sizeof COLUMNS / sizeof *COLUMNS);
    step steps[STEPS] = {
        [SLICING] = {.type = 2, .vectors = 1, .modes = 41, .images = 1000, .side = 32},
        [MERGING] = {.type = 1, .vectors = 2, .modes = 81, .images = 1000, .side = 128}};
    for (int k = 0; k < STEPS; k++) {
        if (!(asked >> k & 1)) continue;
        steps[k].name = STEP_NAMES[k];
        make_step(&steps[k]);
        for (int where = 0; where < MEMORIES; where++)
            if (memories >> where & 1) measure(&table, &steps[k], (memory)where);
        free(steps[k].x);
        free(steps[k].values);
        free(steps[k].spectrum);
    }
    if (rank == 0) bench_table_end(&table);
    MPI_Finalize();
    return 0;
}
