/*
 * fold_fixed.cuh - a point's coordinates folded into the fine grid in integers, where double is
 * slow: fractions of the period in units of 2^-64. Instructions in double of a point: none for
 * period 1, one for each axis for other periods and frames without shear, 3 dim else.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_FOLD_FIXED_CUH
#define ENUF_NUFFT_CUDA_FOLD_FIXED_CUH

#include "fold.cuh"
#include "plain_float.cuh"

/** The source of points whose coordinates are of this type and folded in integers. */
template <typename coordinate> struct in_integers {
};

/** As folded_point, with the distance in units of 2^-24, as the records of float plans have it. */
struct fixed_point {
    uint32_t tile[3];
    int in[3];
    uint32_t s[3];
};

template <typename coordinate> struct folded_by<in_integers<coordinate>> {
    typedef fixed_point type;
};
template <typename coordinate> struct coordinate_by<in_integers<coordinate>> {
    typedef coordinate type;
};

enum { SMALL_GRID = 1 << 24 /* cells along an axis, whose products with 2^40/edge have 64 bits */ };

/* place_fraction() in a small grid: half of the instructions. */
__device__ __forceinline__ void place_in_small_grid(const fold_parameters &f, uint64_t fraction,
                                                    int d, fixed_point *p)
{
    const uint32_t grid = (uint32_t)f.cells[d];
    /* u = cell + (rest + part/2^32)/2^32 */
    const uint64_t low = (uint64_t)(uint32_t)fraction * grid;
    const uint64_t high = (fraction >> 32) * grid + (low >> 32);
    const uint32_t part = (uint32_t)low;
    uint32_t rest = (uint32_t)high;
    int cell = (int)(high >> 32) - f.width / 2;
    if (f.width % 2) {
        cell -= !(rest >> 31);
        rest ^= 1u << 31;
    }
    cell += (rest | part) != 0;
    const uint32_t s = ~rest + (part == 0); /* the upper half of -(rest, part) */
    p->s[d] = min((s >> 8) + (s >> 7 & 1), (1u << 24) - 1);
    while (cell < 0) cell += (int)grid;
    while (cell >= (int)grid) cell -= (int)grid;
    const uint32_t tile = (uint32_t)((uint32_t)cell * f.inverse_edge[d] >> 40);
    p->tile[d] = tile;
    p->in[d] = cell - (int)tile * f.tile[d];
}

/** Tile and cell of a point on an axis of the grid, and its distance from the window's edge. */
__device__ __forceinline__ void place_fraction(const fold_parameters &f, uint64_t fraction, int d,
                                               fixed_point *p)
{
    if (f.cells[d] <= SMALL_GRID) {
        place_in_small_grid(f, fraction, d, p);
        return;
    }
    const int64_t grid = f.cells[d];
    /* u = cell + rest/2^64; the window's left edge is u - width/2 */
    uint64_t rest = fraction * (uint64_t)grid;
    int64_t cell = (int64_t)__umul64hi(fraction, (uint64_t)grid) - f.width / 2;
    if (f.width % 2) {
        const uint64_t half = (uint64_t)1 << 63;
        if (rest < half) cell--;
        rest ^= half;
    }
    if (rest > 0) cell++; /* the window's first cell */
    const uint64_t s = (uint64_t)0 - rest;
    const uint32_t below = (1u << 24) - 1, rounded = (uint32_t)((s >> 40) + (s >> 39 & 1));
    p->s[d] = min(rounded, below);
    while (cell < 0) cell += grid;
    while (cell >= grid) cell -= grid;
    const uint64_t edge = (uint64_t)f.tile[d];
    const uint64_t tile =
        (uint64_t)cell >> 32 ? (uint64_t)cell / edge : (uint64_t)((uint32_t)cell / (uint32_t)edge);
    p->tile[d] = (uint32_t)tile;
    p->in[d] = (int)((uint64_t)cell - tile * edge);
}

template <int AXES, typename coordinate>
__device__ __forceinline__ bool fold_point(in_integers<coordinate>, const fold_parameters &f,
                                           const point_coordinates<in_integers<coordinate>> &loaded,
                                           fixed_point *p)
{
    const coordinate *x = loaded.of;
    bool good = true;
    for (int d = 0; d < 3; d++) {
        p->tile[d] = 0;
        p->in[d] = 0;
        p->s[d] = 0;
        if (d >= AXES || d >= f.dim) continue;
        const double *T = f.frame + 3 * d;
        uint64_t fraction;
        bool finite;
        if (f.unit_period) {
            finite = enuf_fraction(x[d], &fraction);
        } else if (!f.sheared) {
            finite = enuf_fraction(fma(T[d], enuf_widened(x[d]), f.shift[d]), &fraction);
        } else {
            double at = f.shift[d];
            for (int e = 0; e < 3; e++) at = fma(T[e], enuf_widened(x[e]), at);
            finite = enuf_fraction(at, &fraction);
        }
        good = good && finite;
        place_fraction(f, fraction, d, p);
    }
    return good;
}

template <typename real>
__device__ __forceinline__ point_record<real> record_of(const fold_parameters &f,
                                                        const fixed_point &p, int64_t j)
{
    typedef point_record<real> record;
    static_assert(record::BITS == 24, "records of float plans");
    record r;
    for (int d = 0; d < 3; d++) r.at[d] = (uint32_t)p.in[d] << record::BITS | p.s[d];
    put_line_cell<real>(f, p, &r);
    r.index = (uint32_t)j;
    return r;
}

#endif
