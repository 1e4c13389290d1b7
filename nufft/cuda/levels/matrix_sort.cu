/*
 * matrix_sort.cu - the order of the matrix: points by their window's first cell, a stable radix
 * sort (CUB) of the caller's order, so that it does not depend on the order of the records, which
 * atomics have made.
 *
 * Bytes a point: a record read, 8 written at the caller's index, 16 for each pass over 8 bits.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/device_memory.h"
#include "cuda/point.cuh"
#include "cuda/precision.cuh"
#include "matrix.h"

#include <cub/device/device_radix_sort.cuh>

static const int THREADS = 128;

/* Parts of kept.sorting: keys and records, both twice, and what CUB needs. */
struct sorting_room {
    cub::DoubleBuffer<uint32_t> cells, records;
    void *rest;
    size_t rest_bytes;
};

static int64_t aligned(int64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static sorting_room room_of(void *sorting, int64_t capacity, int64_t all)
{
    const int64_t step = aligned(capacity * (int64_t)sizeof(uint32_t));
    char *at = (char *)sorting;
    sorting_room room;
    room.cells = cub::DoubleBuffer<uint32_t>((uint32_t *)at, (uint32_t *)(at + step));
    room.records =
        cub::DoubleBuffer<uint32_t>((uint32_t *)(at + 2 * step), (uint32_t *)(at + 3 * step));
    room.rest = at + 4 * step;
    room.rest_bytes = (size_t)(all - 4 * step);
    return room;
}

/* Bits of a cell's number. */
static int bits_of(const enuf_nufft *plan)
{
    int bits = 1;
    while (bits < 32 && (enuf_cuda_matrix_rows(plan) - 1) >> bits) bits++;
    return bits;
}

extern "C" enuf_status enuf_cuda_matrix_sorting_bytes(const enuf_nufft *plan, int64_t points,
                                                      int64_t *bytes)
{
    const int64_t parts = 4 * aligned(points * (int64_t)sizeof(uint32_t));
    size_t rest = 0;
    cub::DoubleBuffer<uint32_t> none;
    *bytes = parts;
    ENUF_CUDA_TRY(cub::DeviceRadixSort::SortPairs(nullptr, rest, none, none, points, 0,
                                                  bits_of(plan), enuf_cuda_of(plan)->stream),
                  "room to sort the matrix");
    *bytes = parts + aligned((int64_t)rest);
    return ENUF_SUCCESS;
}

struct cell_parameters {
    sorted_view points;
    int dim;
    int64_t pitch;
    uint32_t *cell, *record; /* [n] at the caller's index */
};

/* A block a sub-problem. After a refused sort there are none. */
template <typename real>
__global__ void __launch_bounds__(THREADS) find_cells(const cell_parameters a)
{
    const uint32_t n = subproblems_of(a.points);
    for (uint32_t k = blockIdx.x; k < n; k += gridDim.x) {
        const enuf_cuda_subproblem sub = a.points.list[k];
        int64_t origin[3], first[3] = {0, 0, 0};
        tile_origin(a.points, sub.tile, origin);
        for (uint32_t j = threadIdx.x; j < sub.count; j += THREADS) {
            const uint64_t at = sub.first + j;
            const point_record<real> &r = ((const point_record<real> *)a.points.records)[at];
            for (int d = 0; d < 3; d++)
                if (d < a.dim) first[d] = folded(origin[d] + offset_of(r, d), a.points.grid[d]);
            const int64_t line = first[2] * a.points.grid[1] + first[1];
            a.cell[r.index] = (uint32_t)(line * a.pitch + first[0]);
            a.record[r.index] = (uint32_t)at;
        }
    }
}

template <typename real> static void find(const enuf_nufft *plan, const cell_parameters &a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    find_cells<real><<<(unsigned)cuda->multiprocessors * 16, THREADS, 0, cuda->stream>>>(a);
}

extern "C" enuf_status enuf_cuda_matrix_sort(enuf_nufft *plan, enuf_cuda_matrix_order *order)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    const int64_t bytes = enuf_cuda_allocated(cuda, p->kept.sorting);
    sorting_room room = room_of(p->kept.sorting, p->capacity, bytes);
    const cell_parameters a = {sorted_view_of(plan), plan->options.dim,
                               enuf_cuda_matrix_pitch(plan), room.cells.Current(),
                               room.records.Current()};
    ENUF_CUDA_BY_PRECISION(plan, find, plan, a);
    ENUF_TRY(enuf_cuda_launched("first cells of the points"));
    ENUF_CUDA_TRY(cub::DeviceRadixSort::SortPairs(room.rest, room.rest_bytes, room.cells,
                                                  room.records, p->n, 0, bits_of(plan),
                                                  cuda->stream),
                  "sorting the matrix");
    order->cell = room.cells.Current();
    order->record = room.records.Current();
    return ENUF_SUCCESS;
}
