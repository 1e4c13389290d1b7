/*
 * lattice_forward.c - the sum over the nodes of a lattice at samples: values[j] = sum_p image[p]
 * exp(sign 2 pi i p . s_j), and its slopes. One thread sums all nodes for ENUF_LANES samples, row
 * by row along axis 1.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "accumulate.h"
#include "kernels_of_set.h"
#include "memory.h"
#include "parallel.h"
#include "phases.h"

#include <string.h>

enum { WITH_SLOPES = 4 }; /* sums: value, and with slopes sum p_d image[p] exp(...) */

typedef struct forward_sum {
    const enuf_lattice *lattice;
    int sums; /* 1 or WITH_SLOPES */
    const real *image;
    real *sloped;  /* [batch][nodes] complex, image times p_1; with slopes */
    int64_t lanes; /* ENUF_LANES numbers in a thread's tables: n[0] + n[1] + n[2] */
    real *tables;  /* [threads][2][lanes][ENUF_LANES]: phases of the samples, axis by axis */
    real *values;  /* the caller's arrays */
    real *slopes;
} forward_sum;

static void release(forward_sum *sum)
{
    enuf_release(&sum->sloped);
    enuf_release(&sum->tables);
}

static enuf_status allocate(forward_sum *sum)
{
    const enuf_lattice *lattice = sum->lattice;
    int64_t sloped = sum->slopes ? lattice->batch * lattice->nodes : 0;
    sum->lanes = lattice->n[0] + lattice->n[1] + lattice->n[2];
    ENUF_TRY(enuf_allocate(&sum->sloped, sloped, 2 * sizeof(real), "an image's slope"));
    for (int64_t at = 0; at < 2 * sloped; ++at)
        sum->sloped[at] =
            (real)(lattice->position[0][at / 2 % lattice->n[0]] * (double)sum->image[at]);
    return enuf_allocate(&sum->tables, lattice->threads * sum->lanes, 2 * ENUF_LANES * sizeof(real),
                         "phases");
}

/* Phases of samples first, first + 1, ...; lanes past the last sample repeat it. */
static void tabulate(const forward_sum *sum, int64_t first, real *re, real *im)
{
    const enuf_lattice *lattice = sum->lattice;
    const enuf_direct_points *samples = &lattice->samples;
    for (int d = 0; d < 3; ++d) {
        double s[ENUF_LANES], c[ENUF_LANES], i[ENUF_LANES];
        for (int k = 0; k < ENUF_LANES; ++k) {
            const int64_t j = first + k < samples->n ? first + k : samples->n - 1;
            s[k] = d < lattice->dim ? lattice->sign * samples->x[d][j * samples->stride] : 0;
        }
        for (int64_t node = 0; node < lattice->n[d]; ++node, re += ENUF_LANES, im += ENUF_LANES) {
            enuf_unit_phases(ENUF_LANES, s, lattice->position[d][node], c, i);
            for (int k = 0; k < ENUF_LANES; ++k) {
                re[k] = (real)c[k];
                im[k] = (real)i[k];
            }
        }
    }
}

/* totals += row times the phases of axes 2 and 3, times a position. */
static void carry_row(enuf_totals *totals, const enuf_totals *row, double factor,
                      const double *across)
{
    double turned_re[ENUF_LANES], turned_im[ENUF_LANES];
    for (int k = 0; k < ENUF_LANES; ++k) {
        const double re = factor * (row->re[k] + row->lost_re[k]);
        const double im = factor * (row->im[k] + row->lost_im[k]);
        turned_re[k] = re * across[k] - im * across[ENUF_LANES + k];
        turned_im[k] = re * across[ENUF_LANES + k] + im * across[k];
    }
    enuf_carry(totals, turned_re, turned_im);
}

/* Adds up one batch for ENUF_LANES samples: totals [sums]. */
static void add_nodes(const forward_sum *sum, int64_t batch, const real *re, const real *im,
                      enuf_totals *totals)
{
    const enuf_lattice *lattice = sum->lattice;
    int64_t n1 = lattice->n[0];
    int64_t n2 = lattice->n[1];
    memset(totals, 0, (size_t)sum->sums * sizeof *totals);
    for (int64_t r = 0; r < n2 * lattice->n[2]; ++r) {
        int64_t at = batch * lattice->nodes + r * n1;
        int64_t at2 = (n1 + r % n2) * ENUF_LANES;
        int64_t at3 = (n1 + n2 + r / n2) * ENUF_LANES;
        double across[2 * ENUF_LANES];
        for (int k = 0; k < ENUF_LANES; ++k) {
            const double c2 = (double)re[at2 + k], s2 = (double)im[at2 + k];
            const double c3 = (double)re[at3 + k], s3 = (double)im[at3 + k];
            across[k] = c2 * c3 - s2 * s3;
            across[ENUF_LANES + k] = c2 * s3 + s2 * c3;
        }
        enuf_totals row = {0};
        enuf_accumulate(n1, sum->image + 2 * at, re, im, ENUF_LANES, &row);
        carry_row(&totals[0], &row, 1.0, across);
        if (sum->sums == 1) continue;
        carry_row(&totals[2], &row, lattice->position[1][r % n2], across);
        carry_row(&totals[3], &row, lattice->position[2][r / n2], across);
        memset(&row, 0, sizeof row);
        enuf_accumulate(n1, sum->sloped + 2 * at, re, im, ENUF_LANES, &row);
        carry_row(&totals[1], &row, 1.0, across);
    }
}

static void sum_groups(void *context, int64_t begin, int64_t end, int thread)
{
    const forward_sum *sum = context;
    const enuf_lattice *lattice = sum->lattice;
    const int64_t samples = lattice->samples.n;
    real *re = sum->tables + thread * sum->lanes * 2 * ENUF_LANES;
    real *im = re + sum->lanes * ENUF_LANES;
    for (int64_t first = begin * ENUF_LANES; first < end * ENUF_LANES; first += ENUF_LANES) {
        tabulate(sum, first, re, im);
        for (int64_t b = 0; b < lattice->batch; ++b) {
            enuf_totals totals[WITH_SLOPES];
            add_nodes(sum, b, re, im, totals);
            for (int k = 0; k < ENUF_LANES && first + k < samples; ++k) {
                int64_t at = b * samples + first + k;
                if (sum->values) enuf_put_total(totals, k, sum->values, at);
                for (int d = 0; sum->slopes && d < lattice->dim; ++d)
                    enuf_put_total(&totals[1 + d], k, sum->slopes, at * lattice->dim + d);
            }
        }
    }
}

enuf_status ENUF_SUFFIXED(enuf_lattice_forward)(const enuf_lattice *lattice, const void *image,
                                                void *values, void *slopes)
{
    forward_sum sum = {.lattice = lattice,
                       .sums = slopes ? WITH_SLOPES : 1,
                       .image = image,
                       .values = values,
                       .slopes = slopes};
    const int64_t groups = (lattice->samples.n + ENUF_LANES - 1) / ENUF_LANES;
    enuf_status status = allocate(&sum);
    if (status == ENUF_SUCCESS) enuf_parallel_for(lattice->threads, groups, 1, sum_groups, &sum);
    release(&sum);
    return status;
}
