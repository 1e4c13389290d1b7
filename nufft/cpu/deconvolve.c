/*
 * deconvolve.c - between the transform of the fine grid and the modes: division by the window's
 * transform, both ways, and the spectrum that stays in the plan.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"
#include "real.h"
#include "weigh.h"

#include <string.h>

/* First number of the row (y, z) of frequencies of a batch; a row has axis[0].n_frequency of them.
 */
static inline real *frequency_row(const enuf_nufft *plan, int64_t batch, int64_t y, int64_t z)
{
    const enuf_cpu *cpu = plan->workspace;
    return (real *)cpu->grid + batch * cpu->batch_cells + z * cpu->plane + y * cpu->row;
}

/* Modes of a row that are done at once: rows of 1D are long. */
static const int64_t PIECE = 8192;

static int64_t pieces_of(int64_t n)
{
    return (n + PIECE - 1) / PIECE;
}

/* Numbers [x, end) of a row. */
typedef struct row_piece {
    int64_t row, x, end;
} row_piece;

static inline row_piece piece_of(int64_t item, int64_t n)
{
    const int64_t x = item % pieces_of(n) * PIECE;
    return (row_piece){item / pieces_of(n), x, n - x < PIECE ? n : x + PIECE};
}

/* Place of a frequency of x; fold is NULL, known to the compiler, where rows are in their order. */
static inline __attribute__((always_inline)) int64_t place_of(const enuf_fft_fold *fold,
                                                              int64_t frequency)
{
    return fold ? enuf_fft_place(fold, frequency) : frequency;
}

/* Weights of the modes of a vector. */
static inline enuf_weighting weighting_of(const enuf_nufft *plan, int64_t batch)
{
    return (enuf_weighting){.numbers = enuf_weights_of(plan, &plan->mode_weights, batch),
                            .is_complex = plan->mode_weights.kind == ENUF_COMPLEX,
                            .conjugate_weights = plan->adjoint};
}

typedef struct deconvolve_loop {
    const enuf_nufft *plan;
    real *out;
} deconvolve_loop;

static inline __attribute__((always_inline)) void
deconvolve_piece(const deconvolve_loop *loop, const enuf_fft_fold *fold, row_piece piece)
{
    const enuf_nufft *plan = loop->plan;
    const enuf_mode_axis *ax = &plan->axis[0], *ay = &plan->axis[1], *az = &plan->axis[2];
    /* the transform has sign -1 if it is real-to-complex, else that of the options; the other sign
     * is its conjugate */
    const int sign = plan->real ? -1 : plan->options.sign;
    const real imaginary = plan->forward_sign == sign ? 1 : -1;
    const int64_t rows = ay->n * az->n, r = piece.row;
    const enuf_weighting weighting = weighting_of(plan, r / rows);
    const int64_t y = r % rows % ay->n, z = r % rows / ay->n;
    const real *from = frequency_row(plan, r / rows, ay->frequency[y], az->frequency[z]);
    const double factor = ay->inverse[y] * az->inverse[z];
    real *to = loop->out + 2 * r * ax->n;
    for (int64_t x = piece.x; x < piece.end; x++) {
        const int64_t at = 2 * place_of(fold, ax->frequency[x]);
        const real scale = (real)(factor * ax->inverse[x]);
        to[2 * x] = from[at] * scale;
        to[2 * x + 1] = from[at + 1] * scale * imaginary;
    }
    for (int64_t x = piece.x; weighting.numbers && x < piece.end; x++)
        weigh(&weighting, r % rows * ax->n + x, 2, to + 2 * x);
}

static void deconvolve_pieces(void *context, int64_t item, int64_t end, int thread)
{
    const deconvolve_loop *loop = context;
    const enuf_fft_fold *fold = &((const enuf_cpu *)loop->plan->workspace)->fft.fold;
    (void)thread;
    for (; item < end; item++) {
        const row_piece piece = piece_of(item, loop->plan->axis[0].n);
        if (fold->rows > 0)
            deconvolve_piece(loop, fold, piece);
        else
            deconvolve_piece(loop, NULL, piece);
    }
}

/* Adds the modes of all vectors to one. */
static void add_terms(void *context, int64_t item, int64_t end, int thread)
{
    const deconvolve_loop *loop = context;
    const enuf_nufft *plan = loop->plan;
    const enuf_fft_fold *fold = &((const enuf_cpu *)plan->workspace)->fft.fold;
    const enuf_mode_axis *ax = &plan->axis[0], *ay = &plan->axis[1], *az = &plan->axis[2];
    const real imaginary = plan->forward_sign == plan->options.sign ? 1 : -1;
    (void)thread;
    for (; item < end; item++) {
        const row_piece piece = piece_of(item, ax->n);
        const int64_t y = piece.row % ay->n, z = piece.row / ay->n;
        const double factor = ay->inverse[y] * az->inverse[z];
        real *to = loop->out + 2 * piece.row * ax->n;
        for (int64_t b = 0; b < plan->options.batch; b++) {
            const enuf_weighting weighting = weighting_of(plan, b);
            const real *from = frequency_row(plan, b, ay->frequency[y], az->frequency[z]);
            for (int64_t x = piece.x; x < piece.end; x++) {
                const int64_t frequency = ax->frequency[x];
                const int64_t at = 2 * place_of(fold->rows > 0 ? fold : NULL, frequency);
                const real scale = (real)(factor * ax->inverse[x]);
                real term[2] = {from[at] * scale, from[at + 1] * scale * imaginary};
                weigh(&weighting, piece.row * ax->n + x, 2, term);
                to[2 * x] += term[0];
                to[2 * x + 1] += term[1];
            }
        }
    }
}

void ENUF_SUFFIXED(enuf_cpu_deconvolve)(enuf_nufft *plan, void *modes)
{
    const enuf_cpu *cpu = plan->workspace;
    deconvolve_loop loop = {plan, modes ? modes : cpu->spectrum};
    const int64_t rows = plan->axis[1].n * plan->axis[2].n, pieces = pieces_of(plan->axis[0].n);
    const int64_t vectors = plan->terms ? 1 : plan->options.batch;
    enuf_parallel_for(plan->threads, rows * vectors * pieces, 0,
                      plan->terms ? add_terms : deconvolve_pieces, &loop);
}

typedef struct amplify_loop {
    const enuf_nufft *plan;
    const real *source, *multiplier;
    enuf_multiplier kind;
} amplify_loop;

/* Mode m of the source's vector times the multiplier and the weight at its place. */
static inline void multiplied(const amplify_loop *loop, const enuf_weighting *weighting,
                              const real *modes, int64_t m, real out[2])
{
    const real *multiplier = loop->multiplier;
    const real re = modes[2 * m], im = modes[2 * m + 1];
    if (!multiplier) {
        out[0] = re;
        out[1] = im;
    } else if (loop->kind == ENUF_REAL) {
        out[0] = re * multiplier[m];
        out[1] = im * multiplier[m];
    } else {
        out[0] = re * multiplier[2 * m] - im * multiplier[2 * m + 1];
        out[1] = re * multiplier[2 * m + 1] + im * multiplier[2 * m];
    }
    weigh(weighting, m, 2, out);
}

/* Modes into a row of frequencies, which is zero. */
static inline __attribute__((always_inline)) void
amplify_piece(const amplify_loop *loop, const enuf_fft_fold *fold, row_piece piece)
{
    const enuf_nufft *plan = loop->plan;
    const enuf_mode_axis *ax = &plan->axis[0], *ay = &plan->axis[1], *az = &plan->axis[2];
    const int64_t rows = ay->n_frequency * az->n_frequency, r = piece.row, batch = r / rows;
    const int64_t fy = r % rows % ay->n_frequency, fz = r % rows / ay->n_frequency;
    const int64_t y = ay->stored[fy], z = az->stored[fz];
    const real *source = loop->source + (plan->terms ? 0 : 2 * batch * plan->n_modes);
    const enuf_weighting weighting = weighting_of(plan, batch);
    /* the transform has sign +1 if it is complex-to-real, else that of the options; the other sign
     * is its conjugate */
    const int sign = plan->real ? 1 : plan->type2_sign;
    const real imaginary = plan->backward_sign == sign ? 1 : -1;
    if (y < 0 || z < 0) return;
    real *to = frequency_row(plan, batch, fy, fz);
    const double factor = ay->inverse[y] * az->inverse[z];
    const int64_t m0 = (z * ay->n + y) * ax->n;
    for (int64_t x = piece.x; x < piece.end; x++) {
        real value[2], scale = (real)(factor * ax->inverse[x]);
        if (scale == 0) continue; /* unpaired: any value there is ignored, a NaN too */
        multiplied(loop, &weighting, source, m0 + x, value);
        if (plan->real && x == 0) {
            /* the Hermitian part: (c(m) + conj c(-m))/2 */
            int64_t opposite = (az->opposite[z] * ay->n + ay->opposite[y]) * ax->n;
            real other[2];
            multiplied(loop, &weighting, source, opposite, other);
            value[0] = (value[0] + other[0]) / 2;
            value[1] = (value[1] - other[1]) / 2;
        }
        const int64_t at = 2 * place_of(fold, ax->frequency[x]);
        to[at] = value[0] * scale;
        to[at + 1] = value[1] * scale * imaginary;
    }
}

/* Whole rows: zeros first, then the modes. */
static void amplify_rows(void *context, int64_t r, int64_t end, int thread)
{
    const amplify_loop *loop = context;
    const enuf_mode_axis *ax = &loop->plan->axis[0], *ay = &loop->plan->axis[1];
    const int64_t rows = ay->n_frequency * loop->plan->axis[2].n_frequency;
    (void)thread;
    for (; r < end; r++) {
        const int64_t fy = r % rows % ay->n_frequency, fz = r % rows / ay->n_frequency;
        memset(frequency_row(loop->plan, r / rows, fy, fz), 0,
               (size_t)(2 * ax->n_frequency) * sizeof(real));
        amplify_piece(loop, NULL, (row_piece){r, 0, ax->n});
    }
}

/* Long rows of 1D, one for each batch, in pieces: zeros. */
static void zero_pieces(void *context, int64_t item, int64_t end, int thread)
{
    const amplify_loop *loop = context;
    (void)thread;
    for (; item < end; item++) {
        const row_piece piece = piece_of(item, loop->plan->axis[0].n_frequency);
        memset(frequency_row(loop->plan, piece.row, 0, 0) + 2 * piece.x, 0,
               (size_t)(2 * (piece.end - piece.x)) * sizeof(real));
    }
}

static void amplify_pieces(void *context, int64_t item, int64_t end, int thread)
{
    const amplify_loop *loop = context;
    const enuf_fft_fold *fold = &((const enuf_cpu *)loop->plan->workspace)->fft.fold;
    (void)thread;
    for (; item < end; item++) {
        const row_piece piece = piece_of(item, loop->plan->axis[0].n);
        if (fold->rows > 0)
            amplify_piece(loop, fold, piece);
        else
            amplify_piece(loop, NULL, piece);
    }
}

void ENUF_SUFFIXED(enuf_cpu_amplify)(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                                     const void *multiplier)
{
    const enuf_cpu *cpu = plan->workspace;
    amplify_loop loop = {plan, modes ? modes : cpu->spectrum, multiplier, kind};
    const int64_t rows = plan->axis[1].n_frequency * plan->axis[2].n_frequency;
    const int64_t batch = plan->options.batch, n = plan->axis[0].n_frequency;
    if (plan->options.dim > 1) {
        enuf_parallel_for(plan->threads, rows * batch, 0, amplify_rows, &loop);
        return;
    }
    enuf_parallel_for(plan->threads, batch * pieces_of(n), 0, zero_pieces, &loop);
    enuf_parallel_for(plan->threads, batch * pieces_of(plan->axis[0].n), 0, amplify_pieces, &loop);
}

void ENUF_SUFFIXED(enuf_cpu_get_spectrum)(enuf_nufft *plan, int64_t n, const int64_t *index,
                                          void *packed)
{
    const enuf_cpu *cpu = plan->workspace;
    const real *spectrum = cpu->spectrum;
    real *out = packed;
    if (!index) n = plan->n_modes;
    for (int64_t b = 0; b < plan->options.batch; b++)
        for (int64_t k = 0; k < n; k++) {
            int64_t m = b * plan->n_modes + (index ? index[k] : k);
            out[2 * (b * n + k)] = spectrum[2 * m];
            out[2 * (b * n + k) + 1] = spectrum[2 * m + 1];
        }
}

/* 0 at the unpaired modes of real strengths, which take no part. */
static inline int takes_part(const enuf_nufft *plan, int64_t m)
{
    int64_t nx = plan->axis[0].n, ny = plan->axis[1].n;
    return plan->axis[1].inverse[m / nx % ny] != 0 && plan->axis[2].inverse[m / nx / ny] != 0;
}

void ENUF_SUFFIXED(enuf_cpu_put_spectrum)(enuf_nufft *plan, int64_t n, const int64_t *index,
                                          const void *packed)
{
    const enuf_cpu *cpu = plan->workspace;
    real *spectrum = cpu->spectrum;
    const real *in = packed;
    if (!index) n = plan->n_modes;
    memset(spectrum, 0, (size_t)(2 * plan->n_modes * plan->options.batch) * sizeof(real));
    for (int64_t b = 0; b < plan->options.batch; b++)
        for (int64_t k = 0; k < n; k++) {
            int64_t mode = index ? index[k] : k, m = b * plan->n_modes + mode;
            if (!takes_part(plan, mode)) continue;
            spectrum[2 * m] = in[2 * (b * n + k)];
            spectrum[2 * m + 1] = in[2 * (b * n + k) + 1];
        }
}
