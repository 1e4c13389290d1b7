/*
 * held_points.h - points whose weights are held while the planes of a tile take their turn, for
 * windows in 3D that fill the first cache: else each point would fetch its window's cells from the
 * second one. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_HELD_POINTS_H
#define ENUF_NUFFT_HELD_POINTS_H

#include "point.h"

#if SIMD_AVX512

/** Points held at a time: they stay in the first cache beside a plane. */
enum { HELD = 32 };

typedef struct held_points {
    vline x[HELD][MOST_LINES]; /* weights as the lines of a row take them */
    _Alignas(64) real y[HELD][ENUF_WIDEST_IN_LINES], z[HELD][ENUF_WIDEST_IN_LINES];
    int64_t corner[HELD]; /* numbers from the tile's begin to the line of the window's first cell */
    int plane[HELD];      /* of the first cell */
    int lines[HELD];      /* that a row touches */
    int n, first, end;    /* points; planes */
} held_points;

/** Holds located points [begin, end). Plane: numbers of a plane of the tile. */
INLINE void hold_points(held_points *h, const enuf_kernel_window *window, int64_t plane, int width,
                        int lines, int complex, int kept, const located *l, int begin, int end)
{
    const int across = (width + LANES - 1) / LANES, terms = window->n_coefficients;
    const real *c = window->coefficients;
    h->n = end - begin;
    h->first = INT32_MAX;
    h->end = 0;
    for (int i = begin; i < end; i++) {
        const int64_t shift = l->corner[i] % LINE;
        const int k = i - begin;
        vreal w[ENUF_WIDEST_IN_LINES / LANES] = {0};
        h->corner[k] = l->corner[i] - shift;
        h->lines[k] = lines - spares_line(width, complex, lines, shift);
        h->plane[k] = (int)(l->corner[i] / plane);
        if (h->plane[k] < h->first) h->first = h->plane[k];
        if (h->plane[k] + width > h->end) h->end = h->plane[k] + width;
        weights_of(l, kept, 3, 0, i, across, c, terms, w);
        lines_of(lines, complex, w, shift, h->x[k]);
        weights_of(l, kept, 3, 1, i, across, c, terms, w);
        for (int v = 0; v < across; v++) vstore(h->y[k] + v * LANES, w[v]);
        weights_of(l, kept, 3, 2, i, across, c, terms, w);
        for (int v = 0; v < across; v++) vstore(h->z[k] + v * LANES, w[v]);
    }
}

#endif
#endif
