/*
 * cufinufft.c - see cufinufft.h. Calls and options as in the documented C interface of
 * cuFINUFFT 2.5 and 2.6.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cufinufft.h"
#include "device_memory.h"
#include "library.h"
#include "symbol.h"

#include <cuda_runtime_api.h>
#include <string.h>

/* The first fields of the options in the documented order. */
typedef struct peer_options {
    double upsampfac;
    int gpu_method;
    int gpu_sort, gpu_binsize[3], gpu_obinsize[3], gpu_maxsubprobsize, gpu_kerevalmeth,
        gpu_spreadinterponly, gpu_maxbatchsize;
    int gpu_device_id;
    char rest[512];
} peer_options;

typedef void (*default_function)(peer_options *);
typedef int (*make_function)(int, int, const int64_t *, int, int, double, void **,
                             const peer_options *);
typedef int (*make_function_f)(int, int, const int64_t *, int, int, float, void **,
                               const peer_options *);
typedef int (*points_function)(void *, int64_t, const void *, const void *, const void *, int,
                               const void *, const void *, const void *);
typedef int (*execute_function)(void *, void *, void *);
typedef int (*destroy_function)(void *);

static struct {
    default_function defaults;
    make_function make;
    make_function_f make_f;
    points_function points[2];
    execute_function execute[2];
    destroy_function destroy[2];
    char description[512];
} peer;

const char *cufinufft_open(void)
{
    void *library = peer_library_open("cufinufft");
    if (!library)
        return "cuFINUFFT is not installed: pip install cufinufft (CUDA 12), or build it, then set "
               "CUFINUFFT_LIBRARY to its libcufinufft.so";
    peer_library_describe(library, "cufinufft", peer.description, sizeof peer.description);
    int found = peer_symbol(library, "cufinufft_default_opts", &peer.defaults) &&
                peer_symbol(library, "cufinufft_makeplan", &peer.make) &&
                peer_symbol(library, "cufinufftf_makeplan", &peer.make_f) &&
                peer_symbol(library, "cufinufft_setpts", &peer.points[0]) &&
                peer_symbol(library, "cufinufftf_setpts", &peer.points[1]) &&
                peer_symbol(library, "cufinufft_execute", &peer.execute[0]) &&
                peer_symbol(library, "cufinufftf_execute", &peer.execute[1]) &&
                peer_symbol(library, "cufinufft_destroy", &peer.destroy[0]) &&
                peer_symbol(library, "cufinufftf_destroy", &peer.destroy[1]);
    return found ? NULL : "this libcufinufft.so lacks the plan interface";
}

const char *cufinufft_description(void)
{
    return peer.description;
}

/* The status if it is an error, else 0; status 1 is a warning. */
static int error_of(int status)
{
    return status > 1 || status < 0 ? status : 0;
}

void *cufinufft_make(const cufinufft_problem *p, int method, int *status)
{
    const int sign = p->type == 2 ? 1 : -1, vectors = p->vectors > 0 ? p->vectors : 1;
    peer_options options;
    void *plan = NULL;
    memset(&options, 0, sizeof options);
    peer.defaults(&options);
    options.gpu_method = method;
    if (p->unsorted) options.gpu_sort = 0;
    options.gpu_spreadinterponly = p->alone;
    cudaGetDevice(&options.gpu_device_id);
    *status = error_of(p->single ? peer.make_f(p->type, p->dim, p->modes, sign, vectors,
                                               (float)p->tolerance, &plan, &options)
                                 : peer.make(p->type, p->dim, p->modes, sign, vectors, p->tolerance,
                                             &plan, &options));
    if (*status == 0 && plan) return plan;
    cudaGetLastError(); /* a refused plan must not be destroyed */
    return NULL;
}

int cufinufft_set(const cufinufft_problem *p, void *plan)
{
    return error_of(peer.points[p->single](plan, p->n, p->radians[0], p->radians[1], p->radians[2],
                                           p->type == 3 ? (int)p->n : 0, p->targets[0],
                                           p->targets[1], p->targets[2]));
}

int cufinufft_execute(const cufinufft_problem *p, void *plan)
{
    return error_of(peer.execute[p->single](plan, p->strengths, p->spectrum));
}

void cufinufft_destroy(const cufinufft_problem *p, void *plan)
{
    peer.destroy[p->single](plan);
}

/* Times of one method; 0 if it refuses. */
static int time_method(const cufinufft_problem *p, int method, int repeats, cudaEvent_t event[3],
                       cufinufft_times *best)
{
    const bench_device_memory memory = bench_device_memory_start();
    void *plan = cufinufft_make(p, method, &best->status);
    if (!plan) return 0;
    const int times = p->in_a_row > 0 ? p->in_a_row : 1;
    double seconds = 1e30, execute = 1e30, bytes = 0;
    int failed = 0;
    for (int k = 0; !failed && k <= repeats; k++) { /* the first to warm up */
        float first = 0, second = 0;
        cudaEventRecord(event[0], NULL);
        failed = cufinufft_set(p, plan);
        cudaEventRecord(event[1], NULL);
        for (int i = 0; i < times && !failed; i++) failed = cufinufft_execute(p, plan);
        cudaEventRecord(event[2], NULL);
        if (cudaEventSynchronize(event[2]) != cudaSuccess && !failed) failed = -1;
        cudaEventElapsedTime(&first, event[0], event[1]);
        cudaEventElapsedTime(&second, event[1], event[2]);
        second /= (float)times;
        if (k == 0) bytes = bench_device_memory_peak(&memory);
        if (failed || k == 0) continue;
        if (1e-3 * (double)(first + second) < seconds) seconds = 1e-3 * (double)(first + second);
        if (1e-3 * (double)second < execute) execute = 1e-3 * (double)second;
    }
    cufinufft_destroy(p, plan);
    if (failed) {
        cudaGetLastError();
        best->status = failed;
        return 0;
    }
    if (best->method == 0 || seconds < best->seconds)
        *best = (cufinufft_times){
            .seconds = seconds, .execute = execute, .bytes = bytes, .method = method};
    best->status = 0;
    return 1;
}

cufinufft_times cufinufft_time(const cufinufft_problem *p, int repeats)
{
    cufinufft_times best = {0};
    cudaEvent_t event[3];
    for (int k = 0; k < 3; k++)
        if (cudaEventCreate(&event[k]) != cudaSuccess) return best;
    for (int method = 1; method <= 4; method++)
        if (p->methods & 1 << method) time_method(p, method, repeats, event, &best);
    for (int k = 0; k < 3; k++) cudaEventDestroy(event[k]);
    return best;
}
