/* encoding_terms.c - interpolators at samples and in pixels. SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_kernels.h"
#include "parallel.h"
#include "real.h"

/* Interpolators that are summed at once: their sums stay in registers and the first cache. */
enum { CHUNK = 16 };

/* All interpolators at a value, times a factor, to to[l n]. */
static void put_terms(const enuf_interpolators *at, const double value[2], const double factor[2],
                      int64_t n, real *to)
{
    double w0[ENUF_MOST_NODES], w1[ENUF_MOST_NODES];
    const enuf_cell *cell = enuf_cell_of(at, value);
    enuf_node_weights(at, cell, 0, value, w0);
    enuf_node_weights(at, cell, 1, value, w1);
    for (int first = 0; first < at->count; first += CHUNK) {
        const int count = at->count - first < CHUNK ? at->count - first : CHUNK;
        const double *table = at->table + 2 * ((int64_t)cell->first * at->count + first);
        double sum[2 * CHUNK] = {0};
        for (int b = 0; b < cell->nodes[1]; b++)
            for (int a = 0; a < cell->nodes[0]; a++, table += 2 * at->count) {
                const double weight = w0[a] * w1[b];
                for (int k = 0; k < 2 * count; k++) sum[k] += weight * table[k];
            }
        for (int k = 0; k < count; k++) {
            const double re = sum[2 * k], im = sum[2 * k + 1];
            to[2 * (first + k) * n] = (real)(re * factor[0] - im * factor[1]);
            to[2 * (first + k) * n + 1] = (real)(re * factor[1] + im * factor[0]);
        }
    }
}

typedef struct sample_loop {
    const enuf_sample_terms *terms;
    real *to;
} sample_loop;

static void put_samples(void *context, int64_t j, int64_t end, int thread)
{
    const sample_loop *loop = context;
    const enuf_sample_terms *terms = loop->terms;
    (void)thread;
    for (; j < end; j++) {
        const enuf_sample sample = enuf_sample_at(&terms->samples, j);
        const double value[2] = {sample.time, 0};
        double factor[2];
        enuf_sample_factor(terms, &sample, factor);
        put_terms(&terms->at, value, factor, terms->samples.n, loop->to + 2 * j);
    }
}

void ENUF_SUFFIXED(enuf_cpu_sample_terms)(const enuf_nufft *plan, const enuf_sample_terms *terms,
                                          void *to)
{
    sample_loop loop = {terms, to};
    enuf_parallel_for(plan->threads, terms->samples.n, 0, put_samples, &loop);
}

typedef struct pixel_loop {
    const enuf_pixel_terms *terms;
    real *to;
} pixel_loop;

static void put_pixels(void *context, int64_t k, int64_t end, int thread)
{
    const pixel_loop *loop = context;
    const enuf_pixel_terms *terms = loop->terms;
    (void)thread;
    for (; k < end; k++) {
        const enuf_pixel pixel = enuf_pixel_at(&terms->maps, k);
        const double value[2] = {pixel.omega, pixel.decay};
        double factor[2];
        enuf_pixel_factor(terms, &pixel, factor);
        put_terms(&terms->at, value, factor, terms->maps.n, loop->to + 2 * k);
    }
}

void ENUF_SUFFIXED(enuf_cpu_pixel_terms)(const enuf_nufft *plan, const enuf_pixel_terms *terms,
                                         void *to)
{
    pixel_loop loop = {terms, to};
    enuf_parallel_for(plan->threads, terms->maps.n, 0, put_pixels, &loop);
}

/* ---- Combinations of drawn elements ---- */

/* sum += element times a row of the matrix: real parts, imaginary parts. */
static void add_row(int count, const double element[2], const double *row, double *sum)
{
    const double re = element[0], im = element[1];
    for (int l = 0; l < count; l++) {
        sum[l] += re * row[l] - im * row[count + l];
        sum[count + l] += re * row[count + l] + im * row[l];
    }
}

static void put_sums(int count, const double *sum, int64_t n, real *to)
{
    for (int l = 0; l < count; l++) {
        to[2 * l * n] = (real)sum[l];
        to[2 * l * n + 1] = (real)sum[count + l];
    }
}

typedef struct drawn_sample_loop {
    const enuf_drawn_sample_terms *terms;
    real *to;
} drawn_sample_loop;

static void put_drawn_samples(void *context, int64_t j, int64_t end, int thread)
{
    const drawn_sample_loop *loop = context;
    const enuf_drawn_sample_terms *terms = loop->terms;
    const int count = terms->count;
    (void)thread;
    for (; j < end; j++) {
        const enuf_sample sample = enuf_sample_at(&terms->samples, j);
        double sum[2 * ENUF_MOST_DRAWN_TERMS] = {0}, element[2];
        for (int p = 0; p < terms->n; p++) {
            enuf_element(terms->samples.dim, &sample, &terms->pixels[p], element);
            add_row(count, element, terms->matrix + 2 * (int64_t)p * count, sum);
        }
        put_sums(count, sum, terms->samples.n, loop->to + 2 * j);
    }
}

void ENUF_SUFFIXED(enuf_cpu_drawn_sample_terms)(const enuf_nufft *plan,
                                                const enuf_drawn_sample_terms *terms, void *to)
{
    drawn_sample_loop loop = {terms, to};
    enuf_parallel_for(plan->threads, terms->samples.n, 0, put_drawn_samples, &loop);
}

typedef struct drawn_pixel_loop {
    const enuf_drawn_pixel_terms *terms;
    real *to;
} drawn_pixel_loop;

static void put_drawn_pixels(void *context, int64_t k, int64_t end, int thread)
{
    const drawn_pixel_loop *loop = context;
    const enuf_drawn_pixel_terms *terms = loop->terms;
    const int count = terms->count;
    (void)thread;
    for (; k < end; k++) {
        const enuf_pixel pixel = enuf_pixel_at(&terms->maps, k);
        double sum[2 * ENUF_MOST_DRAWN_TERMS] = {0}, element[2];
        for (int q = 0; q < terms->n; q++) {
            enuf_element(terms->dim, &terms->samples[q], &pixel, element);
            add_row(count, element, terms->matrix + 2 * (int64_t)q * count, sum);
        }
        put_sums(count, sum, terms->maps.n, loop->to + 2 * k);
    }
}

void ENUF_SUFFIXED(enuf_cpu_drawn_pixel_terms)(const enuf_nufft *plan,
                                               const enuf_drawn_pixel_terms *terms, void *to)
{
    drawn_pixel_loop loop = {terms, to};
    enuf_parallel_for(plan->threads, terms->maps.n, 0, put_drawn_pixels, &loop);
}
