/*
 * test_subproblems.c - the list of sub-problems is long enough for any points: tiles with a point
 * each, and the others' points in full sub-problems. 1D, 2D and 3D, GPUs of 1 to 200
 * multiprocessors, 1 to a million tiles, narrow and wide windows; as many points as the list is
 * made for, and fewer, which may have smaller sub-problems. Also of slices. Needs no GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "cuda/sort/subproblems.h"

static const int64_t counts[] = {1,       2,       31,      32,       33,       1000,
                                 5000,    16895,   16896,   33791,    50000,    67583,
                                 67584,   135168,  270336,  400000,   1000000,  4325376,
                                 5000000, 1 << 23, 1 << 24, 40000000, 170000000};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* The most that n points can take. */
static int64_t worst(const enuf_cuda *cuda, int64_t n, int64_t most)
{
    const int64_t tiles = (int64_t)cuda->points.n_tiles, used = tiles < n ? tiles : n;
    return used + (n - used) / most;
}

static void long_enough(const enuf_cuda *cuda, int64_t n)
{
    const int64_t room = enuf_cuda_subproblems(cuda, n);
    for (int k = 0; k < COUNTS && counts[k] <= n; k++) {
        const int64_t most = enuf_cuda_subproblem_points(cuda, counts[k]);
        CHECK(most >= 32 && most <= 2048 && most % 32 == 0);
        /* a slice has room for four of n points, so for two of fewer */
        CHECK(most <= 2 * (int64_t)enuf_cuda_subproblem_points(cuda, n));
        CHECK(worst(cuda, counts[k], most) <= room);
        CHECK(worst(cuda, counts[k], most) <= enuf_cuda_subproblems_of_slice(cuda, counts[k]));
    }
}

int main(void)
{
    static const int multiprocessors[] = {1, 20, 82, 108, 132, 200};
    static const uint32_t tiles[] = {1, 7, 64, 500, 528, 1849, 20000, 1000000};
    for (int m = 0; m < 6; m++)
        for (int t = 0; t < 8; t++)
            for (int width = 6; width <= 12; width += 6)
                for (int edge = 1; edge <= 8; edge += 7) { /* 1 in 1D and 2D */
                    enuf_cuda cuda = {.multiprocessors = multiprocessors[m], .window.width = width};
                    cuda.points.n_tiles = tiles[t];
                    cuda.points.tile[2] = edge;
                    for (int k = 0; k < COUNTS; k++) long_enough(&cuda, counts[k]);
                }
    return check_result();
}
