/* encoding_terms.c - interpolators at samples and in pixels. SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_passes.h"
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
    static const double none[3] = {0};
    const sample_loop *loop = context;
    const enuf_sample_terms *terms = loop->terms;
    (void)thread;
    for (; j < end; j++) {
        double value[2], factor[2];
        enuf_value_at(&terms->times, j, none, value);
        enuf_sample_factor(terms, j, value[0], factor);
        put_terms(&terms->at, value, factor, terms->times.n, loop->to + 2 * j);
    }
}

void ENUF_SUFFIXED(enuf_cpu_sample_terms)(const enuf_nufft *plan, const enuf_sample_terms *terms,
                                          void *to)
{
    sample_loop loop = {terms, to};
    enuf_parallel_for(plan->threads, terms->times.n, 0, put_samples, &loop);
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
        double value[2], factor[2];
        enuf_value_at(&terms->maps, k, terms->slope, value);
        enuf_pixel_factor(terms, value, factor);
        put_terms(&terms->at, value, factor, terms->maps.n, loop->to + 2 * k);
    }
}

void ENUF_SUFFIXED(enuf_cpu_pixel_terms)(const enuf_nufft *plan, const enuf_pixel_terms *terms,
                                         void *to)
{
    pixel_loop loop = {terms, to};
    enuf_parallel_for(plan->threads, terms->maps.n, 0, put_pixels, &loop);
}
