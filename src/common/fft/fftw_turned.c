/*
 * fftw_turned.c - long lines side by side for FFTW: a few lines at a time are copied one behind the
 * other, transformed and copied back.
 *
 * FFTW_ESTIMATE transforms such lines where they stand, in several passes over the whole array, and
 * rows some pages apart share their places in the caches. ns a number, in place and turned: 480
 * numbers 4.6 and 4.2 (double), 1250 8.0 and 6.6, 4000 17 and 9; float 480 2.8 and 3.0, 1250 7.2
 * and 4.3, 4000 15 and 5 (FFTW of Debian; Xeon, Sapphire Rapids class, 23 November 2026).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "fftw_turned.h"

#include <string.h>

enum { LINES = 8 };                   /* copied at a time */
static const int64_t SHORTEST = 6400; /* bytes of a line; shorter ones are not turned */

static int64_t bytes_of_number(const enuf_fft_lines *lines)
{
    return lines->single ? 8 : 16;
}

/* From a copied line to the next, in numbers: whole cache lines, and no power of two. */
static int64_t distance_of(const enuf_fft_batch *b)
{
    return b->n / 8 * 8 + 8;
}

static int lines_at_once(const enuf_fft_batch *b)
{
    return b->lines < LINES ? (int)b->lines : LINES;
}

int enuf_fftw_is_turned(const enuf_fft_lines *lines, const enuf_fft_batch *b)
{
    return lines->turns && b->kind == ENUF_FFT_COMPLEX && b->lines > 1 && b->in_distance == 1 &&
           b->out_distance == 1 && b->n * bytes_of_number(lines) >= SHORTEST;
}

int64_t enuf_fftw_turned_bytes(const enuf_fft_lines *lines, const enuf_fft_batch *b)
{
    return lines_at_once(b) * distance_of(b) * bytes_of_number(lines);
}

enuf_fft_batch enuf_fftw_turned(const enuf_fft_batch *b, void *scratch)
{
    enuf_fft_batch turned = *b;
    turned.lines = lines_at_once(b);
    turned.in_stride = turned.out_stride = 1;
    turned.in_distance = turned.out_distance = distance_of(b);
    turned.in = turned.out = scratch;
    return turned;
}

/* Number i of n lines stands at array + i stride bytes, and at block + i numbers of each line.
 * Callers pass `count` and `size` as constants. */
static inline __attribute__((always_inline)) void turn(int into_block, int count, size_t size,
                                                       int64_t n, char *array, int64_t stride,
                                                       char *block, int64_t distance)
{
    for (int64_t i = 0; i < n; i++, array += stride, block += size)
        for (int k = 0; k < count; k++) {
            char *here = array + k * (int64_t)size, *there = block + k * distance;
            memcpy(into_block ? there : here, into_block ? here : there, size);
        }
}

static void turn_lines(int into_block, int count, size_t size, int64_t n, char *array,
                       int64_t stride, char *block, int64_t distance)
{
    if (count < LINES)
        turn(into_block, count, size, n, array, stride, block, distance);
    else if (size == 8 && into_block)
        turn(1, LINES, 8, n, array, stride, block, distance);
    else if (size == 8)
        turn(0, LINES, 8, n, array, stride, block, distance);
    else if (into_block)
        turn(1, LINES, 16, n, array, stride, block, distance);
    else
        turn(0, LINES, 16, n, array, stride, block, distance);
}

void enuf_fftw_execute_turned(const enuf_fftw_functions *f, const enuf_fft_lines *lines,
                              const enuf_fft_line *line, void *in, void *out, int thread)
{
    const enuf_fft_batch *b = &line->batch;
    const int64_t size = bytes_of_number(lines), distance = distance_of(b) * size;
    char *block = (char *)lines->scratch + thread * lines->scratch_bytes;
    for (int64_t k = 0; k < b->lines; k += LINES) {
        const int count = b->lines - k < LINES ? (int)(b->lines - k) : LINES;
        turn_lines(1, count, (size_t)size, b->n, (char *)in + k * size, b->in_stride * size, block,
                   distance);
        /* the last lines may be fewer than the plan's: old numbers are transformed with them */
        f->execute_dft(line->plan, block, block);
        turn_lines(0, count, (size_t)size, b->n, (char *)out + k * size, b->out_stride * size,
                   block, distance);
    }
}
