/*
 * fold.cuh - a point's coordinates folded into the fine grid: its tile, its bin, its record.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_FOLD_CUH
#define ENUF_NUFFT_CUDA_FOLD_CUH

#include "point.cuh"

struct fold_parameters {
    const void *axis[3];
    int64_t stride, n;
    int dim, has_frame, z_first, tile[3], tiles[3];
    int bins, cells_of_bin; /* of a tile; along the last axis */
    double frame[9], origin[3], period, half_width;
    double grid[3], inverse_tile[3];
    /* of fold_fixed.cuh: the grid, the window's width; s = frame x + shift, or, if frame is not
     * sheared, its diagonal times x + shift */
    int64_t cells[3];
    uint64_t inverse_edge[3];        /* 2^40 over a tile's cells, rounded up */
    int width, sheared, unit_period; /* unit_period: no frame, period 1 */
    double shift[3];
};

/* The begin of a point's window: tile, cells from the tile's first, and the distance from the
 * window's left edge to that cell. */
struct folded_point {
    uint32_t tile[3];
    int in[3];
    double s[3];
};

/** What fold() makes of the points of a source: a type of coordinates, or that of fold_fixed.cuh.
 */
template <typename source> struct folded_by {
    typedef folded_point type;
};
template <typename source> using folded_from = typename folded_by<source>::type;

/** The type of the coordinates of a source. */
template <typename source> struct coordinate_by {
    typedef source type;
};

/** A point's coordinates, 0 past dim. */
template <typename source> struct point_coordinates {
    typename coordinate_by<source>::type of[3];
};

/** AXES: 3, or 2 where the caller knows that dim < 3, which saves registers. */
template <int AXES, typename source>
__device__ __forceinline__ point_coordinates<source> load_point(source, const fold_parameters &f,
                                                                int64_t j)
{
    typedef typename coordinate_by<source>::type coordinate;
    point_coordinates<source> x;
    for (int d = 0; d < 3; d++)
        x.of[d] =
            d < AXES && d < f.dim ? ((const coordinate *)f.axis[d])[j * f.stride] : (coordinate)0;
    return x;
}

/** False if the coordinates are not finite. AXES as in load_point(). */
template <int AXES, typename coordinate>
__device__ __forceinline__ bool fold_point(coordinate, const fold_parameters &f,
                                           const point_coordinates<coordinate> &loaded,
                                           folded_point *p)
{
    double x[3];
    bool good = true;
    for (int d = 0; d < 3; d++) x[d] = (double)loaded.of[d];
    for (int d = 0; d < 3; d++) {
        p->tile[d] = 0;
        p->in[d] = 0;
        p->s[d] = 0;
        if (d >= AXES || d >= f.dim) continue;
        const double *T = f.frame + 3 * d;
        double at = f.has_frame     ? fma(T[0], x[0] - f.origin[0],
                                          fma(T[1], x[1] - f.origin[1], T[2] * (x[2] - f.origin[2])))
                    : f.period == 1 ? x[d]
                                    : x[d] / f.period;
        /* __dmul_rn forbids fused operations: both kernels must find the same tile */
        double u = __dmul_rn(at - floor(at), f.grid[d]);
        if (!(u >= 0)) good = false;
        if (!(u < f.grid[d])) u = 0; /* just below an integer rounds up to it */
        double left = u - f.half_width, cell = ceil(left);
        p->s[d] = cell - left;
        while (cell < 0) cell += f.grid[d];
        while (cell >= f.grid[d]) cell -= f.grid[d];
        /* the product may miss a multiple by its rounding */
        uint32_t tile = (uint32_t)(cell * f.inverse_tile[d]);
        int in = (int)(cell - (double)tile * f.tile[d]);
        if (in < 0) {
            tile--;
            in += f.tile[d];
        } else if (in >= f.tile[d]) {
            tile++;
            in -= f.tile[d];
        }
        p->tile[d] = tile;
        p->in[d] = in;
    }
    return good;
}

/** Loads and folds point j. */
template <int AXES, typename source>
__device__ __forceinline__ bool fold(source by, const fold_parameters &f, int64_t j,
                                     folded_from<source> *p)
{
    return fold_point<AXES>(by, f, load_point<AXES>(by, f, j), p);
}

template <class point>
__device__ __forceinline__ uint32_t tile_of(const fold_parameters &f, const point &p)
{
    if (f.z_first)
        return (p.tile[1] * (uint32_t)f.tiles[0] + p.tile[0]) * (uint32_t)f.tiles[2] + p.tile[2];
    return (p.tile[2] * (uint32_t)f.tiles[1] + p.tile[1]) * (uint32_t)f.tiles[0] + p.tile[0];
}

template <class point>
__device__ __forceinline__ uint32_t bin_of(const fold_parameters &f, const point &p)
{
    const int last = f.dim == 3 ? p.in[2] : f.dim == 2 ? p.in[1] : p.in[0];
    return tile_of(f, p) * (uint32_t)f.bins +
           (uint32_t)(f.cells_of_bin == 1 ? last : last / f.cells_of_bin);
}

/** A line has room for the window's first cell in the grid: whoever reads records needs no tile. */
template <typename real, class point>
__device__ __forceinline__ void put_line_cell(const fold_parameters &f, const point &p,
                                              point_record<real> *r)
{
    typedef typename point_record<real>::fixed fixed;
    if (f.dim == 1) r->at[1] = (fixed)p.tile[0] * (fixed)f.tile[0] + (fixed)p.in[0];
}

template <typename real>
__device__ __forceinline__ point_record<real> record_of(const fold_parameters &f,
                                                        const folded_point &p, int64_t j)
{
    typedef point_record<real> record;
    typedef typename record::fixed fixed;
    const fixed one = 1, below = (one << record::BITS) - 1;
    record r;
    for (int d = 0; d < 3; d++) {
        const double scaled = p.s[d] * (double)(one << record::BITS);
        const fixed at =
            sizeof(fixed) == 4 ? (fixed)__double2uint_rn(scaled) : (fixed)__double2ull_rn(scaled);
        r.at[d] = (fixed)p.in[d] << record::BITS | (at < below ? at : below);
    }
    put_line_cell<real>(f, p, &r);
    r.index = (fixed)j;
    return r;
}

template <typename real>
__device__ __forceinline__ void write_record(const point_record<real> &r, point_record<real> *to)
{
    const uint4 *words = (const uint4 *)&r;
    for (unsigned k = 0; k < sizeof r / sizeof(uint4); k++) ((uint4 *)to)[k] = words[k];
}

static inline fold_parameters fold_of(const enuf_nufft *plan, const enuf_coordinates *c)
{
    const enuf_cuda_points *p = &enuf_cuda_of(plan)->points;
    fold_parameters f;
    f.stride = c->stride;
    f.n = c->n;
    f.dim = plan->options.dim;
    f.has_frame = plan->has_frame;
    f.bins = (int)p->bins;
    f.cells_of_bin = p->cells_of_bin;
    f.period = plan->options.period;
    f.half_width = 0.5 * plan->method.fit.width;
    f.width = plan->method.fit.width;
    f.z_first = p->z_first;
    f.sheared = 0;
    f.unit_period = !f.has_frame && f.period == 1;
    for (int k = 0; k < 9; k++) {
        f.frame[k] = plan->has_frame ? plan->frame[k] : k % 4 == 0 ? 1 / f.period : 0;
        if (f.frame[k] != 0 && k % 4 != 0) f.sheared = 1;
    }
    for (int d = 0; d < 3; d++) {
        f.axis[d] = c->axis[d];
        f.origin[d] = plan->origin[d];
        f.tile[d] = p->tile[d];
        f.tiles[d] = p->tiles[d];
        f.grid[d] = (double)plan->method.grid[d];
        f.inverse_tile[d] = 1.0 / p->tile[d];
        f.cells[d] = plan->method.grid[d];
        f.inverse_edge[d] = (((uint64_t)1 << 40) + (uint64_t)p->tile[d] - 1) / (uint64_t)p->tile[d];
        f.shift[d] = 0;
        for (int e = 0; e < 3 && f.has_frame; e++)
            f.shift[d] -= f.frame[3 * d + e] * plan->origin[e];
    }
    return f;
}

#endif
