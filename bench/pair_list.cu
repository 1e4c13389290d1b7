/* pair_list.cu - see pair_list.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_list.h"

#include <math.h>
#include <stdlib.h>

enum { TABLE = 4096, THREADS = 128 };

/* Atoms of the salt by cubes of the cell: those of cube c are atom[first[c]] ... */
typedef struct cubes {
    int along; /* an axis */
    double edge;
    int *first, *atom;
} cubes;

static __device__ double nearest(double d, double edge)
{
    return d - edge * rint(d / edge);
}

static __global__ void find_neighbours(bench_pair_list list, cubes in, const double *x,
                                       double range2)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), along = in.along;
    if (i >= list.n) return;
    const double *at = x + 3 * (int64_t)i;
    int cube[3], count = 0;
    for (int d = 0; d < 3; d++) cube[d] = min(along - 1, (int)(at[d] / in.edge));
    for (int k = 0; k < 27; k++) {
        const int of[3] = {(cube[0] + k % 3 + along - 1) % along,
                           (cube[1] + k / 3 % 3 + along - 1) % along,
                           (cube[2] + k / 9 + along - 1) % along};
        const int c = (of[2] * along + of[1]) * along + of[0];
        for (int a = in.first[c]; a < in.first[c + 1]; a++) {
            const int j = in.atom[a];
            double r2 = 0;
            for (int d = 0; d < 3; d++) {
                const double part = nearest(at[d] - x[3 * (int64_t)j + d], list.edge);
                r2 += part * part;
            }
            if (j == i || r2 >= range2) continue;
            if (count < list.most) list.neighbour[(int64_t)count * list.n + i] = j;
            count++;
        }
    }
    list.count[i] = count;
}

static __global__ void add_forces(bench_pair_list list, const double *__restrict__ x,
                                  const double *__restrict__ q)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= list.n) return;
    const double *at = x + 3 * (int64_t)i;
    const double charge = q[i], cutoff2 = list.cutoff * list.cutoff;
    double f[3] = {0, 0, 0};
    const int count = list.count[i];
    for (int k = 0; k < count; k++) {
        const int j = list.neighbour[(int64_t)k * list.n + i];
        double d[3], r2 = 0;
        for (int e = 0; e < 3; e++) {
            d[e] = nearest(at[e] - x[3 * (int64_t)j + e], list.edge);
            r2 += d[e] * d[e];
        }
        if (r2 >= cutoff2) continue;
        const double inverse = 1 / r2, sixth = inverse * inverse * inverse;
        const unsigned row = __float_as_uint((float)r2) >> 11 & (TABLE - 1);
        const double part = (r2 - list.table[row]) * list.table[TABLE + row];
        const double electric =
            charge * q[j] * (list.table[2 * TABLE + row] + part * list.table[3 * TABLE + row]);
        const double force = (sixth * (3 * sixth - 2) + electric) * inverse;
        for (int e = 0; e < 3; e++) f[e] += force * d[e];
    }
    for (int e = 0; e < 3; e++) list.forces[3 * (int64_t)i + e] += f[e];
}

static int room(void **at, size_t bytes)
{
    return cudaMalloc(at, bytes) == cudaSuccess && cudaMemset(*at, 0, bytes) == cudaSuccess;
}

/* The atoms of each cube, counted and placed on the host. */
static int fill_cubes(const bench_salt *salt, double range, cubes *made)
{
    const int n = (int)salt->n, along = (int)(salt->edge / range), count = along * along * along;
    int *first = (int *)calloc((size_t)count + 2, sizeof *first);
    int *atom = (int *)malloc((size_t)n * sizeof *atom),
        *cube = (int *)malloc((size_t)n * sizeof *cube);
    made->along = along;
    made->edge = salt->edge / along;
    int served = along >= 3 && first && atom && cube;
    for (int i = 0; served && i < n; i++) {
        cube[i] = 0;
        for (int d = 2; d >= 0; d--) {
            const int at = (int)(salt->x[3 * (int64_t)i + d] / made->edge);
            cube[i] = cube[i] * along + (at < along ? at : along - 1);
        }
        first[cube[i] + 2]++;
    }
    for (int c = 2; served && c < count + 2; c++) first[c] += first[c - 1];
    for (int i = 0; served && i < n; i++) atom[first[cube[i] + 1]++] = i;
    const size_t firsts = ((size_t)count + 1) * sizeof *first, atoms = (size_t)n * sizeof *atom;
    served = served && room((void **)&made->first, firsts) && room((void **)&made->atom, atoms) &&
             cudaMemcpy(made->first, first, firsts, cudaMemcpyHostToDevice) == cudaSuccess &&
             cudaMemcpy(made->atom, atom, atoms, cudaMemcpyHostToDevice) == cudaSuccess;
    free(first);
    free(atom);
    free(cube);
    return served;
}

/* Whether no atom has more neighbours than there are rows. Waits for the GPU. */
static int holds_all(const bench_pair_list *list)
{
    const size_t bytes = (size_t)list->n * sizeof(int);
    int *count = (int *)malloc(bytes), most = 0;
    int served =
        count && cudaMemcpy(count, list->count, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
    for (int i = 0; served && i < list->n; i++)
        if (count[i] > most) most = count[i];
    free(count);
    return served && most <= list->most;
}

int bench_pair_list_make(const bench_salt *salt, const double *x, double cutoff, double skin,
                         bench_pair_list *list)
{
    const double range = cutoff + skin;
    const size_t n = (size_t)salt->n;
    cubes in = {};
    *list = bench_pair_list{};
    list->n = (int)n;
    list->edge = salt->edge;
    list->cutoff = cutoff;
    list->most = (int)(1.3 * 4.19 * 0.1 * range * range * range);
    int served = fill_cubes(salt, range, &in) && room((void **)&list->count, n * sizeof(int)) &&
                 room((void **)&list->neighbour, n * (size_t)list->most * sizeof(int)) &&
                 room((void **)&list->table, 4 * TABLE * sizeof(double)) &&
                 room((void **)&list->forces, 3 * n * sizeof(double));
    if (served) {
        find_neighbours<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(*list, in, x,
                                                                              range * range);
        served = cudaGetLastError() == cudaSuccess && holds_all(list);
    }
    cudaFree(in.first);
    cudaFree(in.atom);
    return served;
}

void bench_pair_list_free(bench_pair_list *list)
{
    cudaFree(list->count);
    cudaFree(list->neighbour);
    cudaFree(list->table);
    cudaFree(list->forces);
}

cudaError_t bench_pair_list_run(const bench_pair_list *list, const double *x, const double *q,
                                cudaStream_t stream)
{
    add_forces<<<(unsigned)((list->n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(*list, x, q);
    return cudaGetLastError();
}
