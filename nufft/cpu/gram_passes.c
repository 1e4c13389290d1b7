/*
 * gram_passes.c - a Gram operator times a vector of modes.
 *
 * The last axis is transformed as a whole, for each of its two parts. Then a slab, what all modes
 * of the other axes have at one frequency, is an operator of one axis less: a thread does it in the
 * cache. SPDX-License-Identifier: BSD-3-Clause
 */
#include "gram_kernels.h"
#include "parallel.h"
#include "real.h"

#include <string.h>

typedef struct number {
    real re, im;
} number;

/* Rows one after the other. */
static enuf_fft_batch row_pass(int64_t length, int64_t rows, number *at, int sign)
{
    enuf_fft_batch pass = enuf_fft_across(length, 1, rows, at, sign);
    pass.in_distance = pass.out_distance = length;
    return pass;
}

enuf_status ENUF_SUFFIXED(enuf_cpu_gram_passes)(enuf_gram *gram)
{
    const enuf_nufft_options *o = &gram->base->options;
    const int dim = gram->options.dim;
    const enuf_gram_axis *axis = gram->axis;
    const int64_t slab = enuf_gram_slab(gram), rest = slab % ENUF_GRAM_COLUMNS;
    const int64_t block = slab < ENUF_GRAM_COLUMNS ? 0 : ENUF_GRAM_COLUMNS;
    const enuf_gram_room room = enuf_gram_room_of(gram);
    const enuf_fft_planning how = {.fft = gram->options.fft,
                                   .isa = o->isa,
                                   .single = sizeof(real) == sizeof(float),
                                   .threads = gram->base->threads,
                                   .effort = (int)o->fft_effort,
                                   .deterministic = o->deterministic};
    number *work = gram->work, *scratch = (number *)(void *)gram->scratch;
    enuf_fft_batch passes[2][ENUF_GRAM_PASSES] = {0};
    for (int back = 0; back < 2; back++) {
        const int sign = back ? 1 : -1;
        enuf_fft_batch *p = passes[back];
        p[ENUF_GRAM_BLOCK] = enuf_fft_across(axis[dim - 1].length, slab, block, work, sign);
        p[ENUF_GRAM_REST] =
            enuf_fft_across(axis[dim - 1].length, slab, rest, work + slab - rest, sign);
        if (dim == 3)
            p[ENUF_GRAM_PLANE] =
                enuf_fft_across(axis[1].length, axis[0].n, axis[0].n, scratch + room.plane, sign);
        if (dim > 1) {
            const int64_t rows = axis[1].length, last = rows % ENUF_GRAM_COLUMNS;
            const int64_t whole = rows < ENUF_GRAM_COLUMNS ? 0 : ENUF_GRAM_COLUMNS;
            p[ENUF_GRAM_ROWS] = row_pass(axis[0].length, whole, scratch + room.rows, sign);
            p[ENUF_GRAM_LAST_ROWS] = row_pass(axis[0].length, last, scratch + room.rows, sign);
        }
    }
    return enuf_fft_make(&how, 2 * ENUF_GRAM_PASSES, passes[0], &gram->passes);
}

typedef struct gram_loop {
    const enuf_gram *gram;
    const number *in;
    number *out;
    int part; /* of the last axis */
    int64_t slab;
    enuf_gram_room room;
    _Atomic int64_t finite; /* 0: a result is not */
} gram_loop;

static void transform(const gram_loop *loop, int pass, int back, number *at, int thread)
{
    enuf_fft_execute(loop->gram->passes, pass + (back ? ENUF_GRAM_PASSES : 0), at, at, thread);
}

/* The ramp at mode i, or its conjugate; 1 in part 0. */
static inline number ramp_at(const enuf_gram_axis *axis, int part, int conjugate, int64_t i)
{
    if (part == 0) return (number){1, 0};
    const number at = ((const number *)axis->ramp)[i];
    return (number){at.re, conjugate ? -at.im : at.im};
}

static inline number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Place of mode i in a line. */
static inline int64_t place_of(const enuf_gram_axis *axis, int64_t i)
{
    return i < axis->low ? i : axis->length - axis->n + i;
}

/* to[k] = factor * from[k] */
static inline void scale(number factor, int64_t n, const number *restrict from, number *restrict to)
{
    for (int64_t k = 0; k < n; k++) to[k] = times(factor, from[k]);
}

static inline void add_scaled(number factor, int64_t n, const number *restrict from,
                              number *restrict to)
{
    for (int64_t k = 0; k < n; k++) {
        to[k].re += factor.re * from[k].re - factor.im * from[k].im;
        to[k].im += factor.re * from[k].im + factor.im * from[k].re;
    }
}

/* to[k] = ramp[k] * from[k] */
static inline void apply_ramp(int64_t n, const number *restrict ramp, const number *restrict from,
                              number *restrict to)
{
    for (int64_t k = 0; k < n; k++) to[k] = times(ramp[k], from[k]);
}

/* to[k] += conjugate of ramp[k] * from[k] */
static inline void add_unramped(int64_t n, const number *restrict ramp, const number *restrict from,
                                number *restrict to)
{
    for (int64_t k = 0; k < n; k++) {
        to[k].re += ramp[k].re * from[k].re + ramp[k].im * from[k].im;
        to[k].im += ramp[k].re * from[k].im - ramp[k].im * from[k].re;
    }
}

/* Zeros at the places of a line that have no mode; lines are `n` numbers wide, `stride` apart. */
static void clear_gap(const enuf_gram_axis *axis, int64_t n, int64_t stride, number *line)
{
    const int64_t end = axis->length - (axis->n - axis->low);
    for (int64_t k = axis->low; k < end; k++)
        memset(line + k * stride, 0, (size_t)n * sizeof *line);
}

static void multiply(int64_t n, const real *restrict spectrum, number *restrict at)
{
    for (int64_t k = 0; k < n; k++) {
        at[k].re *= spectrum[k];
        at[k].im *= spectrum[k];
    }
}

/* The modes of a row to their places in a line: the first `low` ones, then the others. */
static void to_line(const enuf_gram_axis *axis, int part, const number *row, number *line)
{
    const number *ramp = axis->ramp;
    const int64_t low = axis->low, high = axis->n - low, at = axis->length - high;
    if (part == 0) {
        memcpy(line, row, (size_t)low * sizeof *row);
        memcpy(line + at, row + low, (size_t)high * sizeof *row);
    } else {
        apply_ramp(low, ramp, row, line);
        apply_ramp(high, ramp + low, row + low, line + at);
    }
    clear_gap(axis, 1, 1, line);
}

static void from_line(const enuf_gram_axis *axis, int part, const number *line, number *row)
{
    const number *ramp = axis->ramp;
    const int64_t low = axis->low, high = axis->n - low, at = axis->length - high;
    if (part == 0) {
        memcpy(row, line, (size_t)low * sizeof *row);
        memcpy(row + low, line + at, (size_t)high * sizeof *row);
    } else {
        add_unramped(low, ramp, line, row);
        add_unramped(high, ramp + low, line + at, row + low);
    }
}

/* The modes of n rows, one after the other, each at one frequency of the other axes. */
static void apply_rows(const gram_loop *loop, const real *spectrum, int64_t n, number *rows,
                       int thread)
{
    const enuf_gram_axis *axis = &loop->gram->axis[0];
    const int64_t length = axis->length;
    const int pass = n == ENUF_GRAM_COLUMNS ? ENUF_GRAM_ROWS : ENUF_GRAM_LAST_ROWS;
    number *room = (number *)(void *)(loop->gram->scratch + thread * loop->gram->scratch_step);
    number *lines = room + loop->room.rows, *sums = room + loop->room.sum_of_rows;
    for (int part = 0; part < 2; part++) {
        for (int64_t r = 0; r < n; r++) to_line(axis, part, rows + r * axis->n, lines + r * length);
        transform(loop, pass, 0, lines, thread);
        for (int64_t r = 0; r < n; r++)
            multiply(length, spectrum + (2 * r + part) * length, lines + r * length);
        transform(loop, pass, 1, lines, thread);
        for (int64_t r = 0; r < n; r++)
            from_line(axis, part, lines + r * length, sums + r * axis->n);
    }
    memcpy(rows, sums, (size_t)(n * axis->n) * sizeof *rows);
}

/* All rows of a plane of l_2, in blocks. */
static void apply_blocks(const gram_loop *loop, const real *spectrum, int64_t rows, number *at,
                         int thread)
{
    const enuf_gram_axis *axis = &loop->gram->axis[0];
    for (int64_t r = 0; r < rows; r += ENUF_GRAM_COLUMNS) {
        const int64_t left = rows - r, n = left < ENUF_GRAM_COLUMNS ? left : ENUF_GRAM_COLUMNS;
        apply_rows(loop, spectrum + 2 * r * axis->length, n, at + r * axis->n, thread);
    }
}

/* The modes of a plane, one frequency of the third axis. */
static void apply_plane(const gram_loop *loop, const real *spectrum, number *plane, int thread)
{
    const enuf_gram_axis *axis = &loop->gram->axis[1];
    const int64_t n = loop->gram->axis[0].n;
    const int64_t part_spectrum = axis->length * 2 * loop->gram->axis[0].length;
    number *room = (number *)(void *)(loop->gram->scratch + thread * loop->gram->scratch_step);
    number *rows = room + loop->room.plane, *sum = room + loop->room.sum;
    for (int part = 0; part < 2; part++, spectrum += part_spectrum) {
        for (int64_t i = 0; i < axis->n; i++)
            scale(ramp_at(axis, part, 0, i), n, plane + i * n, rows + place_of(axis, i) * n);
        clear_gap(axis, n, n, rows);
        transform(loop, ENUF_GRAM_PLANE, 0, rows, thread);
        apply_blocks(loop, spectrum, axis->length, rows, thread);
        transform(loop, ENUF_GRAM_PLANE, 1, rows, thread);
        for (int64_t i = 0; i < axis->n; i++)
            (part == 0 ? scale : add_scaled)(ramp_at(axis, part, 1, i), n,
                                             rows + place_of(axis, i) * n, sum + i * n);
    }
    memcpy(plane, sum, (size_t)(axis->n * n) * sizeof *plane);
}

/* Numbers of the spectrum that one frequency of the last axis has. */
static int64_t spectrum_of_slab(const enuf_gram *gram)
{
    int64_t numbers = 1;
    for (int d = 0; d < gram->options.dim - 1; d++) numbers *= 2 * gram->axis[d].length;
    return numbers;
}

/* Blocks of slabs; a slab is what has one frequency of the last axis. */
static void apply_slabs(void *context, int64_t block, int64_t end, int thread)
{
    const gram_loop *loop = context;
    const enuf_gram *gram = loop->gram;
    const int dim = gram->options.dim;
    const int64_t step = spectrum_of_slab(gram), length = gram->axis[dim - 1].length;
    const real *spectrum = (const real *)gram->spectrum + loop->part * length * step;
    const int64_t slabs = dim == 3 ? 1 : ENUF_GRAM_COLUMNS;
    for (; block < end; block++) {
        const int64_t k = block * slabs, n = length - k < slabs ? length - k : slabs;
        number *slab = (number *)gram->work + k * loop->slab;
        if (dim == 3)
            apply_plane(loop, spectrum + k * step, slab, thread);
        else if (dim == 2)
            apply_rows(loop, spectrum + k * step, n, slab, thread);
        else
            multiply(n, spectrum + k, slab);
    }
}

typedef struct column_block {
    int64_t first, n;
    int pass;
} column_block;

static int64_t blocks_of(int64_t n)
{
    return (n + ENUF_GRAM_COLUMNS - 1) / ENUF_GRAM_COLUMNS;
}

static column_block block_at(const gram_loop *loop, int64_t block)
{
    const int64_t first = block * ENUF_GRAM_COLUMNS, left = loop->slab - first;
    const int whole = left >= ENUF_GRAM_COLUMNS;
    return (column_block){first, whole ? ENUF_GRAM_COLUMNS : left,
                          whole ? ENUF_GRAM_BLOCK : ENUF_GRAM_REST};
}

static void to_frequencies(void *context, int64_t block, int64_t end, int thread)
{
    const gram_loop *loop = context;
    const enuf_gram_axis *axis = &loop->gram->axis[loop->gram->options.dim - 1];
    const int64_t slab = loop->slab;
    for (; block < end; block++) {
        const column_block c = block_at(loop, block);
        number *columns = (number *)loop->gram->work + c.first;
        for (int64_t i = 0; i < axis->n; i++)
            scale(ramp_at(axis, loop->part, 0, i), c.n, loop->in + c.first + i * slab,
                  columns + place_of(axis, i) * slab);
        clear_gap(axis, c.n, slab, columns);
        transform(loop, c.pass, 0, columns, thread);
    }
}

/* A number that is not finite, times 0, is NaN. */
static int all_finite(int64_t n, const number *at)
{
    real sum = 0;
    for (int64_t k = 0; k < n; k++) sum += at[k].re * 0 + at[k].im * 0;
    return sum == 0;
}

static void from_frequencies(void *context, int64_t block, int64_t end, int thread)
{
    gram_loop *loop = context;
    const enuf_gram_axis *axis = &loop->gram->axis[loop->gram->options.dim - 1];
    const int64_t slab = loop->slab;
    for (; block < end; block++) {
        const column_block c = block_at(loop, block);
        number *columns = (number *)loop->gram->work + c.first;
        transform(loop, c.pass, 1, columns, thread);
        for (int64_t i = 0; i < axis->n; i++) {
            number *to = loop->out + c.first + i * slab;
            (loop->part == 0 ? scale : add_scaled)(ramp_at(axis, loop->part, 1, i), c.n,
                                                   columns + place_of(axis, i) * slab, to);
            if (loop->part == 1 && !all_finite(c.n, to)) atomic_store(&loop->finite, 0);
        }
    }
}

int ENUF_SUFFIXED(enuf_cpu_gram_apply)(enuf_gram *gram, const void *in, void *out)
{
    gram_loop loop = {.gram = gram,
                      .in = in,
                      .out = out,
                      .slab = enuf_gram_slab(gram),
                      .room = enuf_gram_room_of(gram),
                      .finite = 1};
    const int threads = gram->base->threads;
    const int64_t blocks = blocks_of(loop.slab);
    const int64_t length = gram->axis[gram->options.dim - 1].length;
    const int64_t slabs = gram->options.dim == 3 ? length : blocks_of(length);
    for (; loop.part < 2; loop.part++) {
        enuf_parallel_for(threads, blocks, 1, to_frequencies, &loop);
        enuf_parallel_for(threads, slabs, 0, apply_slabs, &loop);
        enuf_parallel_for(threads, blocks, 1, from_frequencies, &loop);
    }
    return (int)loop.finite;
}
