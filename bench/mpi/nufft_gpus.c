/*
 * nufft_gpus.c - weak scaling of independent transforms, one rank for each GPU, each with points of
 * its own. The sizes are those of Shih, Wright, Anden, Blaschke, Barnett, cuFINUFFT (IPDPSW 2021),
 * section V: type 2 with 41^3 modes and 1.02e6 points, type 1 with 81^3 modes and 1.64e7 points,
 * complex, double, tolerance 1e-12.
 *
 *   mpirun -n P nufft_gpus [--tolerance T] [--seconds S] [--csv FILE] [--markdown]
 *
 * A time is milliseconds of setting points and one transform, all data in device memory, the best
 * of at least 3 and of S seconds (1). `one`: rank 0 while the others wait; `all`: the slowest rank
 * while all work.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gpu_of_rank.h"
#include "stopwatch.h"
#include "options.h"

#include "enuf/nufft.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_REPEATS = 3 };

static const char PROGRAM[] = "nufft_gpus";

static const bench_column COLUMNS[] = {
    {"ranks", 5},  {"GPUs", 4},   {"type", 4},   {"modes", 6},
    {"points", 9}, {"one ms", 8}, {"all ms", 8}, {"ratio", 6},
};

static int rank, ranks, gpus, alone;
static double enough_seconds = 1, tolerance = 1e-12;

static void must(enuf_status status)
{
    bench_must(PROGRAM, status);
}

static void cuda(cudaError_t error)
{
    bench_cuda(PROGRAM, error);
}

/* Numbers in [-1/2, 1/2) on the device, different on each rank. */
static double *random_numbers(int64_t n)
{
    double *host = malloc((size_t)n * sizeof *host);
    void *device = NULL;
    uint64_t state = 88172645463325252u + 977u * (uint64_t)rank;
    if (!host) bench_die(PROGRAM, "not enough memory for %lld numbers", (long long)n);
    for (int64_t k = 0; k < n; k++) {
        state ^= state << 13; /* xorshift64, Marsaglia 2003 */
        state ^= state >> 7;
        state ^= state << 17;
        host[k] = (double)(int64_t)state * 0x1p-64;
    }
    cuda(cudaMalloc(&device, (size_t)n * sizeof *host));
    cuda(cudaMemcpy(device, host, (size_t)n * sizeof *host, cudaMemcpyHostToDevice));
    free(host);
    return device;
}

typedef struct task {
    int type;
    int64_t n, modes;
    enuf_nufft *plan;
    double *x, *values, *spectrum;
} task;

static task make_task(int type, int64_t modes, int64_t n)
{
    task t = {.type = type, .n = n, .modes = modes};
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    for (int d = 0; d < 3; d++) options.modes[d] = modes;
    options.tolerance = tolerance;
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = ENUF_DEVICE;
    options.density = (double)n / pow((double)modes, 3);
    must(enuf_nufft_create(&options, &t.plan));
    must(enuf_nufft_reserve(t.plan, n));
    t.x = random_numbers(3 * n);
    t.values = random_numbers(2 * n);
    t.spectrum = random_numbers(2 * modes * modes * modes);
    return t;
}

static void free_task(task *t)
{
    enuf_nufft_destroy(&t->plan);
    cuda(cudaFree(t->x));
    cuda(cudaFree(t->values));
    cuda(cudaFree(t->spectrum));
}

static double time_once(const task *t)
{
    const double start = bench_seconds();
    must(enuf_nufft_set_points(t->plan, t->n, t->x, t->x + t->n, t->x + 2 * t->n, 1));
    if (t->type == 1)
        must(enuf_nufft_type1(t->plan, t->values, t->spectrum));
    else
        must(enuf_nufft_type2(t->plan, t->spectrum, t->values, NULL));
    must(enuf_nufft_check(t->plan, NULL)); /* waits for the GPU */
    return bench_seconds() - start;
}

/* The best time in milliseconds. all 1: of the slowest rank while all work; 0: of rank 0 alone. */
static double best(const task *t, int all)
{
    double least = INFINITY, spent = 0;
    for (int k = 0; k < LEAST_REPEATS || spent < enough_seconds; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double seconds = all || rank == 0 ? time_once(t) : 0;
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        spent += seconds;
        least = fmin(least, seconds);
    }
    return 1e3 * least;
}

static void run(bench_table *table, int type, int64_t modes, int64_t n)
{
    task t = make_task(type, modes, n);
    const double one = best(&t, 0), all = best(&t, 1);
    free_task(&t);
    if (rank > 0) return;
    bench_number(table, "%.0f", ranks);
    bench_number(table, "%.0f", ranks < gpus ? ranks : gpus);
    bench_number(table, "%.0f", type);
    bench_number(table, "%.0f", (double)modes);
    bench_number(table, "%.0f", (double)n);
    bench_number(table, "%.3f", one);
    bench_number(table, "%.3f", all);
    bench_number(table, "%.3f", all / one);
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    const bench_option known[] = {BENCH_REAL("--seconds", &enough_seconds),
                                  BENCH_REAL("--tolerance", &tolerance)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    int threads_allowed;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads_allowed);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    gpus = bench_take_gpu(PROGRAM, &alone);
    bench_table table;
    if (rank == 0)
        bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    run(&table, 2, 41, 1020000);
    run(&table, 1, 81, 16400000);
    if (rank == 0) bench_table_end(&table);
    MPI_Finalize();
    return 0;
}
