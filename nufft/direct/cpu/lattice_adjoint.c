/*
 * lattice_adjoint.c - the sum over samples at the nodes of a lattice: image[p] = sum_j values[j]
 * exp(sign 2 pi i p . s_j).
 *
 * Samples are taken in blocks. The phases of a block are tabulated axis by axis; then every run of
 * ENUF_LANES nodes along axis 1 is summed by one thread, always in the same order.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "accumulate.h"
#include "kernels_of_set.h"
#include "memory.h"
#include "parallel.h"
#include "phases.h"

#include <string.h>

enum { BLOCK = 512 };          /* samples whose phases are held at a time, */
enum { TABLE_MOST = 1 << 22 }; /* or fewer, so that the tables stay below so many numbers */

/* Phases of a block of samples: along axis 1 [sample][padded], along axes 2, 3 [sample][n] complex.
 */
typedef struct phase_tables {
    int64_t block;
    int64_t padded; /* n[0] rounded up to a multiple of ENUF_LANES */
    real *re;
    real *im;
    real *across[2];
} phase_tables;

typedef struct adjoint_sum {
    const enuf_lattice *lattice;
    const real *values;
    real *image;
    phase_tables tables;
    int64_t rows;        /* runs of nodes along axis 1 */
    int64_t chunks;      /* of ENUF_LANES nodes in a row */
    enuf_totals *totals; /* [batch][rows][chunks] */
} adjoint_sum;

static void release(adjoint_sum *sum)
{
    enuf_release(&sum->tables.re);
    enuf_release(&sum->tables.im);
    enuf_release(&sum->tables.across[0]);
    enuf_release(&sum->tables.across[1]);
    enuf_release(&sum->totals);
}

static enuf_status allocate(adjoint_sum *sum)
{
    const enuf_lattice *lattice = sum->lattice;
    phase_tables *tables = &sum->tables;
    sum->chunks = (lattice->n[0] + ENUF_LANES - 1) / ENUF_LANES;
    sum->rows = lattice->n[1] * lattice->n[2];
    tables->padded = sum->chunks * ENUF_LANES;
    tables->block = BLOCK;
    while (tables->block > 1 && tables->block * tables->padded > TABLE_MOST) tables->block /= 2;
    ENUF_TRY(enuf_allocate(&sum->totals, lattice->batch * sum->rows * sum->chunks,
                           sizeof(enuf_totals), "sums of the nodes"));
    ENUF_TRY(enuf_allocate(&tables->re, tables->block * tables->padded, sizeof(real), "phases"));
    ENUF_TRY(enuf_allocate(&tables->im, tables->block * tables->padded, sizeof(real), "phases"));
    for (int d = 1; d < 3; ++d)
        ENUF_TRY(enuf_allocate(&tables->across[d - 1], tables->block * lattice->n[d],
                               2 * sizeof(real), "phases"));
    return ENUF_SUCCESS;
}

/* Phases of a sample along an axis, so many at a time. */
enum { AT_ONCE = 64 };

static void tabulate(const adjoint_sum *sum, int64_t slot, int64_t j)
{
    const enuf_lattice *lattice = sum->lattice;
    const phase_tables *tables = &sum->tables;
    const enuf_direct_points *samples = &lattice->samples;
    real *re = tables->re + slot * tables->padded;
    real *im = tables->im + slot * tables->padded;
    for (int d = 0; d < 3; ++d) {
        const int64_t n = lattice->n[d];
        const double s = d < lattice->dim ? lattice->sign * samples->x[d][j * samples->stride] : 0;
        real *across = d > 0 ? tables->across[d - 1] + 2 * slot * n : NULL;
        double c[AT_ONCE], i[AT_ONCE];
        for (int64_t first = 0; first < n; first += AT_ONCE) {
            const int64_t count = n - first < AT_ONCE ? n - first : AT_ONCE;
            enuf_unit_phases(count, lattice->position[d] + first, s, c, i);
            for (int64_t k = 0; k < count; ++k) {
                *(across ? across + 2 * (first + k) : re + first + k) = (real)c[k];
                *(across ? across + 2 * (first + k) + 1 : im + first + k) = (real)i[k];
            }
        }
    }
    for (int64_t i = lattice->n[0]; i < tables->padded; ++i) re[i] = im[i] = 0;
}

/* One run of nodes, the samples of one block. */
static void add_block(const adjoint_sum *sum, int64_t samples, const real *values, int64_t row,
                      int64_t chunk, enuf_totals *totals)
{
    const phase_tables *tables = &sum->tables;
    int64_t n2 = sum->lattice->n[1];
    int64_t n3 = sum->lattice->n[2];
    real a[2 * BLOCK];
    for (int64_t j = 0; j < samples; ++j) {
        const real *e2 = tables->across[0] + 2 * (j * n2 + row % n2);
        const real *e3 = tables->across[1] + 2 * (j * n3 + row / n2);
        real re = e2[0] * e3[0] - e2[1] * e3[1];
        real im = e2[0] * e3[1] + e2[1] * e3[0];
        a[2 * j] = values[2 * j] * re - values[2 * j + 1] * im;
        a[2 * j + 1] = values[2 * j] * im + values[2 * j + 1] * re;
    }
    enuf_accumulate(samples, a, tables->re + chunk * ENUF_LANES, tables->im + chunk * ENUF_LANES,
                    tables->padded, totals);
}

/* A block of samples. */
typedef struct block_loop {
    const adjoint_sum *sum;
    int64_t first, samples;
} block_loop;

static void tabulate_samples(void *context, int64_t j, int64_t end, int thread)
{
    const block_loop *loop = context;
    (void)thread;
    for (; j < end; ++j) tabulate(loop->sum, j, loop->first + j);
}

static void add_to_runs(void *context, int64_t run, int64_t end, int thread)
{
    const block_loop *loop = context;
    const adjoint_sum *sum = loop->sum;
    const int64_t runs = sum->rows * sum->chunks, n = sum->lattice->samples.n;
    (void)thread;
    for (; run < end; ++run) {
        const real *values = sum->values + 2 * (run / runs * n + loop->first);
        add_block(sum, loop->samples, values, run % runs / sum->chunks, run % sum->chunks,
                  &sum->totals[run]);
    }
}

static void add_samples(const adjoint_sum *sum)
{
    const enuf_lattice *lattice = sum->lattice;
    const int64_t runs = sum->rows * sum->chunks, block = sum->tables.block;
    const int64_t n = lattice->samples.n;
    for (int64_t first = 0; first < n; first += block) {
        block_loop loop = {sum, first, n - first < block ? n - first : block};
        enuf_parallel_for(lattice->threads, loop.samples, 0, tabulate_samples, &loop);
        enuf_parallel_for(lattice->threads, lattice->batch * runs, 0, add_to_runs, &loop);
    }
}

static void store(const adjoint_sum *sum)
{
    const enuf_lattice *lattice = sum->lattice;
    for (int64_t at = 0; at < lattice->batch * lattice->nodes; ++at) {
        int64_t i = at % lattice->n[0];
        const enuf_totals *totals = &sum->totals[at / lattice->n[0] * sum->chunks + i / ENUF_LANES];
        enuf_put_total(totals, (int)(i % ENUF_LANES), sum->image, at);
    }
}

enuf_status ENUF_SUFFIXED(enuf_lattice_adjoint)(const enuf_lattice *lattice, const void *values,
                                                void *image)
{
    adjoint_sum sum = {.lattice = lattice, .values = values, .image = image};
    enuf_status status = allocate(&sum);
    if (status == ENUF_SUCCESS) {
        memset(sum.totals, 0,
               (size_t)(lattice->batch * sum.rows * sum.chunks) * sizeof(enuf_totals));
        add_samples(&sum);
        store(&sum);
    }
    release(&sum);
    return status;
}
