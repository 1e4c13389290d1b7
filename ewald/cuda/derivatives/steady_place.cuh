/*
 * steady_place.cuh - the sort leaves the atoms of a cell in any order. In the caller's order all
 * sums have the same bits in every run. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_STEADY_PLACE_CUH
#define ENUF_EWALD_CUDA_STEADY_PLACE_CUH

#include "cuda/pair_sums.h"

/** The place of the sorted atom `at` if the atoms of its cell are in the caller's order. */
static __device__ __forceinline__ int steady_place(const enuf_cuda_pair_arguments &a, int at)
{
    const int *__restrict__ first = a.cells.first, *__restrict__ original = a.cells.original;
    int cell = 0, behind = a.grid.n_cells; /* first[cell] <= at < first[behind] */
    while (behind - cell > 1) {
        const int middle = cell + (behind - cell) / 2;
        if (first[middle] <= at)
            cell = middle;
        else
            behind = middle;
    }
    int place = first[cell];
    for (int k = first[cell]; k < first[behind]; k++) place += original[k] < original[at];
    return place;
}

#endif
