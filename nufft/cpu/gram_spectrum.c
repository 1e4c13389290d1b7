/*
 * gram_spectrum.c - the spectrum of T, in double.
 *
 * Part p is the transform of T(m) exp(-i pi p m / l), m and m + l at one place. T(-m) is the
 * conjugate of T(m), so that the spectrum is real. SPDX-License-Identifier: BSD-3-Clause
 */
#include "gram_kernels.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

typedef struct number {
    double re, im;
} number;

enum { ROWS, COLUMNS, LINES, DENSE_PASSES };

typedef struct part_loop {
    const enuf_gram *gram;
    const number *kernel;
    int part[3];
    number *ramp[3]; /* [2 n] exp(-i pi p m / l) at m + n */
    number *cells;   /* [l_3][l_2][l_1] */
    enuf_fft_lines *passes;
    double scale;
} part_loop;

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void fill_ramps(part_loop *loop)
{
    for (int d = 0; d < 3; d++) {
        const enuf_gram_axis *axis = &loop->gram->axis[d];
        for (int64_t m = -axis->n; m < axis->n; m++) {
            const double angle =
                -3.14159265358979323846 * (loop->part[d] * (double)m / (double)axis->length);
            loop->ramp[d][m + axis->n] = (number){cos(angle), sin(angle)};
        }
    }
}

/* Modes |m| < n at place r of an axis: at most two. */
static int modes_at(const enuf_gram_axis *axis, int64_t r, int64_t m[2])
{
    int count = 0;
    if (r < axis->n) m[count++] = r;
    if (r > axis->length - axis->n) m[count++] = r - axis->length;
    return count;
}

/* A row of T, the first number at m_1 = 0. */
static const number *row_of(const part_loop *loop, int64_t m2, int64_t m3)
{
    const enuf_gram_axis *axis = loop->gram->axis;
    const int dim = loop->gram->options.dim;
    const int64_t j2 = dim > 1 ? m2 + axis[1].n : 0, j3 = dim > 2 ? m3 + axis[2].n : 0;
    return loop->kernel + (j3 * (dim > 1 ? 2 * axis[1].n : 1) + j2) * axis[0].n;
}

/* Adds the modes m_2, m_3 to the row at their place. */
static void add_row(const part_loop *loop, int64_t m2, int64_t m3, number *row)
{
    const enuf_gram_axis *x = &loop->gram->axis[0];
    const number *above = row_of(loop, m2, m3), *below = row_of(loop, -m2, -m3);
    const number factor =
        times(loop->ramp[1][m2 + loop->gram->axis[1].n], loop->ramp[2][m3 + loop->gram->axis[2].n]);
    for (int64_t m = 1 - x->n; m < x->n; m++) {
        const number value = m < 0 ? (number){below[-m].re, -below[-m].im} : above[m];
        const number product = times(times(factor, loop->ramp[0][m + x->n]), value);
        number *to = row + (m < 0 ? m + x->length : m);
        to->re += product.re;
        to->im += product.im;
    }
}

/* Fills a plane, and transforms its rows and columns. */
static void fill_planes(void *context, int64_t r3, int64_t end, int thread)
{
    const part_loop *loop = context;
    const enuf_gram_axis *axis = loop->gram->axis;
    const int64_t plane = axis[0].length * axis[1].length;
    int64_t m2[2], m3[2];
    for (; r3 < end; r3++) {
        number *cells = loop->cells + r3 * plane;
        memset(cells, 0, (size_t)plane * sizeof *cells);
        const int n3 = modes_at(&axis[2], r3, m3);
        for (int64_t r2 = 0; r2 < axis[1].length; r2++) {
            const int n2 = modes_at(&axis[1], r2, m2);
            for (int a = 0; a < n3; a++)
                for (int b = 0; b < n2; b++)
                    add_row(loop, m2[b], m3[a], cells + r2 * axis[0].length);
        }
        enuf_fft_execute(loop->passes, ROWS, cells, cells, thread);
        if (loop->gram->options.dim > 1)
            enuf_fft_execute(loop->passes, COLUMNS, cells, cells, thread);
    }
}

static void transform_lines(void *context, int64_t r2, int64_t end, int thread)
{
    const part_loop *loop = context;
    for (; r2 < end; r2++) {
        number *cells = loop->cells + r2 * loop->gram->axis[0].length;
        enuf_fft_execute(loop->passes, LINES, cells, cells, thread);
    }
}

/* Real parts of a part into the spectrum. */
static void store(const part_loop *loop)
{
    const enuf_gram *gram = loop->gram;
    const int single = gram->options.precision == ENUF_FLOAT;
    const int64_t l1 = gram->axis[0].length, l2 = gram->axis[1].length, l3 = gram->axis[2].length;
    const int64_t parts1 = 2, parts2 = gram->options.dim > 1 ? 2 : 1;
    for (int64_t k3 = 0; k3 < l3; k3++)
        for (int64_t k2 = 0; k2 < l2; k2++) {
            const number *from = loop->cells + (k3 * l2 + k2) * l1;
            int64_t to = loop->part[2] * l3 + k3;
            to = (to * parts2 + loop->part[1]) * l2 + k2;
            to = (to * parts1 + loop->part[0]) * l1;
            for (int64_t k = 0; k < l1; k++) {
                const double value = loop->scale * from[k].re;
                if (single)
                    ((float *)gram->spectrum)[to + k] = (float)value;
                else
                    ((double *)gram->spectrum)[to + k] = value;
            }
        }
}

static enuf_status fill_part(part_loop *loop)
{
    const enuf_gram *gram = loop->gram;
    const int threads = gram->base->threads;
    fill_ramps(loop);
    enuf_parallel_for(threads, gram->axis[2].length, 0, fill_planes, loop);
    if (gram->options.dim > 2)
        enuf_parallel_for(threads, gram->axis[1].length, 0, transform_lines, loop);
    ENUF_TRY(enuf_fft_check(loop->passes));
    store(loop);
    return ENUF_SUCCESS;
}

static enuf_status fill_parts(part_loop *loop)
{
    const int dim = loop->gram->options.dim;
    for (int parts = 0; parts < 1 << dim; parts++) {
        for (int d = 0; d < 3; d++) loop->part[d] = parts >> d & 1;
        ENUF_TRY(fill_part(loop));
    }
    return ENUF_SUCCESS;
}

static enuf_status make_passes(part_loop *loop)
{
    const enuf_nufft_options *o = &loop->gram->base->options;
    const enuf_gram_axis *axis = loop->gram->axis;
    const int64_t l1 = axis[0].length, l2 = axis[1].length, l3 = axis[2].length;
    const enuf_fft_planning how = {.fft = loop->gram->options.fft,
                                   .isa = o->isa,
                                   .threads = loop->gram->base->threads,
                                   .deterministic = o->deterministic};
    enuf_fft_batch passes[DENSE_PASSES] = {0};
    passes[ROWS] = enuf_fft_across(l1, 1, l2, loop->cells, -1);
    passes[ROWS].in_distance = passes[ROWS].out_distance = l1;
    if (loop->gram->options.dim > 1) passes[COLUMNS] = enuf_fft_across(l2, l1, l1, loop->cells, -1);
    if (loop->gram->options.dim > 2)
        passes[LINES] = enuf_fft_across(l3, l1 * l2, l1, loop->cells, -1);
    return enuf_fft_make(&how, DENSE_PASSES, passes, &loop->passes);
}

enuf_status enuf_cpu_gram_fill(enuf_gram *gram, const enuf_gram_kernel *kernel)
{
    part_loop loop = {.gram = gram, .kernel = (const number *)kernel->numbers, .scale = 1};
    int64_t cells = 1;
    enuf_status status = ENUF_SUCCESS;
    for (int d = 0; d < 3; d++) {
        cells *= gram->axis[d].length;
        if (d < gram->options.dim) loop.scale /= 2 * (double)gram->axis[d].length;
        if (status == ENUF_SUCCESS)
            status =
                enuf_allocate(&loop.ramp[d], 2 * gram->axis[d].n, sizeof(number), "ramps of T");
    }
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&loop.cells, cells, sizeof(number), "a part of T's transform");
    if (status == ENUF_SUCCESS) status = make_passes(&loop);
    if (status == ENUF_SUCCESS) status = fill_parts(&loop);
    enuf_fft_destroy(&loop.passes);
    enuf_release(&loop.cells);
    for (int d = 0; d < 3; d++) enuf_release(&loop.ramp[d]);
    return status;
}
