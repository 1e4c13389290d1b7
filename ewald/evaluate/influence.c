/*
 * influence.c - the factors of the modes. With Ghat = 4 pi chi_hat / k^2 and
 * D = d ln chi_hat / d ln k,
 *
 *     weight 0   Ghat / 2V               energy = sum w |S|^2; half the potential = type 2 of w S
 *     weight 1   Ghat (D - 2) / 2V k^2   virial_ab = sum (weight 0 delta_ab + weight 1 k_a k_b)
 * |S|^2
 *
 * zero for m = 0 and outside the sphere |k| <= k_c. Source: docs/theory.md, section 1.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "totals.h"
#include "parallel.h"

#include <math.h>

static const double two_pi = 6.283185307179586476925;

/* Row of the half-space array and its modes m_2, m_3; m_1 runs from 0. */
static void modes_of_row(const int64_t modes[3], int64_t row, double m[3])
{
    m[1] = (double)(row % modes[1] - modes[1] / 2);
    m[2] = (double)(row / modes[1] - modes[2] / 2);
}

void enuf_influence_of_mode(const enuf_ewald_method *method, const enuf_cell_geometry *cell,
                            const double m[3], double weight[2])
{
    double chi, chi_d, k[3], scale = two_pi / cell->volume;
    weight[0] = weight[1] = 0;
    enuf_cell_wavevector(cell, m, k);
    double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    if (k2 == 0 || !enuf_in_sphere(k2, method->parameters.k_c)) return;
    enuf_transform_table_at(&method->transform, &method->parameters.splitting, sqrt(k2), &chi,
                            &chi_d);
    weight[0] = scale * chi / k2;
    weight[1] = scale * (chi_d - 2 * chi) / (k2 * k2);
}

/* Rows of modes, m_1 fastest. */
typedef struct row_loop {
    const enuf_ewald_method *method;
    const enuf_cell_geometry *cell;
    const int64_t *modes;
    int single;
    const void *weights;
    void *to; /* weights, or a multiplier */
    int a, b; /* of the virial */
} row_loop;

static void fill_rows(void *context, int64_t row, int64_t end, int thread)
{
    const row_loop *loop = context;
    const int64_t *modes = loop->modes, h1 = (modes[0] + 1) / 2, count = h1 * modes[1] * modes[2];
    (void)thread;
    for (; row < end; row++) {
        double m[3];
        modes_of_row(modes, row, m);
        for (int64_t m1 = 0; m1 < h1; m1++) {
            double weight[2];
            m[0] = (double)m1;
            enuf_influence_of_mode(loop->method, loop->cell, m, weight);
            enuf_set_number(loop->to, loop->single, row * h1 + m1, weight[0]);
            enuf_set_number(loop->to, loop->single, count + row * h1 + m1, weight[1]);
        }
    }
}

void enuf_influence_fill(const enuf_ewald_method *method, const enuf_cell_geometry *cell,
                         const int64_t modes[3], int single, int threads, void *weights)
{
    row_loop loop = {
        .method = method, .cell = cell, .modes = modes, .single = single, .to = weights};
    enuf_parallel_for(threads, modes[1] * modes[2], 0, fill_rows, &loop);
}

static void multiply_rows(void *context, int64_t row, int64_t end, int thread)
{
    const row_loop *loop = context;
    const int64_t *modes = loop->modes, h1 = (modes[0] + 1) / 2, count = h1 * modes[1] * modes[2];
    const int a = loop->a, b = loop->b, single = loop->single;
    (void)thread;
    for (; row < end; row++) {
        double m[3], k[3];
        modes_of_row(modes, row, m);
        for (int64_t m1 = 0; m1 < h1; m1++) {
            m[0] = (double)m1;
            enuf_cell_wavevector(loop->cell, m, k);
            int64_t at = row * h1 + m1;
            double energy = a == b ? enuf_number_at(loop->weights, single, at) : 0;
            enuf_set_number(loop->to, single, at,
                            energy +
                                enuf_number_at(loop->weights, single, count + at) * k[a] * k[b]);
        }
    }
}

void enuf_influence_virial(const enuf_cell_geometry *cell, const int64_t modes[3], int single,
                           int threads, const void *weights, int a, int b, void *multiplier)
{
    row_loop loop = {.cell = cell,
                     .modes = modes,
                     .single = single,
                     .weights = weights,
                     .to = multiplier,
                     .a = a,
                     .b = b};
    enuf_parallel_for(threads, modes[1] * modes[2], 0, multiply_rows, &loop);
}

enuf_status enuf_sum_modes(enuf_nufft *plan, const void *influence, const double inverse[9],
                           int with_virial, double *energy, double virial[6])
{
    double reduced[2][7] = {{0}};
    ENUF_TRY(enuf_nufft_reduce(plan, with_virial ? 2 : 1, influence, with_virial, &reduced[0][0]));
    if (with_virial) enuf_add_mode_virial(inverse, reduced[0][0], &reduced[1][1], virial);
    *energy = reduced[0][0];
    return ENUF_SUCCESS;
}
