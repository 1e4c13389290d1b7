/*
 * mode_slopes.c - see mode_slopes.h. With kappa = k.e.k, dk = -e k and the weights of influence.c,
 *
 *     dS   = sum_j (w_j - i k.v_j q_j) e^(-i k.x_j)
 *     dw_0 = -(w_0 tr e + w_1 kappa)      dw_1 = -(w_1 tr e + w_2 kappa)
 *     w_2  = Ghat (D_2 - 6 D + 8) / 2V k^4,   chi_hat D_2 = (k d/dk)^2 chi_hat
 *
 * Source: docs/theory.md, section 1, "Second derivatives". SPDX-License-Identifier: BSD-3-Clause
 */
#include "mode_slopes.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586476925;

typedef struct mode_loop {
    const enuf_ewald *ewald;
    const enuf_motion *motion;
    const enuf_slope_modes *modes;
    int single, axis;
    enuf_mode_slopes *row_sums;
    void *to;
} mode_loop;

static double weight_2(const enuf_ewald *ewald, double k2)
{
    const enuf_method *method = &ewald->method;
    const enuf_splitting *splitting = &method->parameters.splitting;
    const double k = sqrt(k2);
    double chi, chi_d;
    enuf_transform_table_at(&method->transform, splitting, k, &chi, &chi_d);
    const double bend = enuf_transform_table_bend_at(&method->transform, splitting, k);
    return two_pi / ewald->geometry.volume * (bend - 6 * chi_d + 8 * chi) / (k2 * k2 * k2);
}

/* dS of a stored mode. */
static void structure_slope(const mode_loop *loop, int64_t at, const double k[3], double slope[2])
{
    const enuf_slope_modes *modes = loop->modes;
    const int single = loop->single;
    for (int c = 0; c < 2; c++)
        slope[c] = modes->changes ? enuf_number_at(modes->changes, single, 2 * at + c) : 0;
    for (int a = 0; a < 3 && modes->dipoles[0]; a++) {
        slope[0] += k[a] * enuf_number_at(modes->dipoles[a], single, 2 * at + 1);
        slope[1] -= k[a] * enuf_number_at(modes->dipoles[a], single, 2 * at);
    }
}

/* Adds a mode, which stands for `copies`. */
static void add_mode(const mode_loop *loop, int64_t at, const double k[3], double copies,
                     enuf_mode_slopes *sums)
{
    const enuf_ewald *ewald = loop->ewald;
    const enuf_motion *m = loop->motion;
    const void *influence = ewald->method.influence;
    const int single = loop->single;
    const double w0 = enuf_number_at(influence, single, at);
    const double w1 = enuf_number_at(influence, single, ewald->method.n_stored_modes + at);
    double w0_slope = 0, w1_slope = 0, k_slope[3] = {0, 0, 0}, s_slope[2];
    if (w0 == 0) { /* outside the sphere */
        enuf_set_number(loop->to, single, 2 * at, 0);
        enuf_set_number(loop->to, single, 2 * at + 1, 0);
        return;
    }
    if (m->strains) {
        const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) k_slope[a] -= m->strain[3 * a + b] * k[b];
        const double kappa = -(k[0] * k_slope[0] + k[1] * k_slope[1] + k[2] * k_slope[2]);
        w0_slope = -(w0 * m->trace + w1 * kappa);
        w1_slope = -(w1 * m->trace + weight_2(ewald, k2) * kappa);
    }
    structure_slope(loop, at, k, s_slope);
    const double s[2] = {enuf_number_at(loop->modes->charges, single, 2 * at),
                         enuf_number_at(loop->modes->charges, single, 2 * at + 1)};
    for (int c = 0; c < 2; c++)
        enuf_set_number(loop->to, single, 2 * at + c, 2 * (w0_slope * s[c] + w0 * s_slope[c]));
    const double square = copies * (s[0] * s[0] + s[1] * s[1]);
    const double square_slope = 2 * copies * (s[0] * s_slope[0] + s[1] * s_slope[1]);
    const double energy_slope = w0 * square_slope + w0_slope * square;
    const double tensor = w1 * square, tensor_slope = w1 * square_slope + w1_slope * square;
    sums->energy += energy_slope;
    for (int c = 0; c < 6; c++) {
        const int a = enuf_tensor_row[c], b = enuf_tensor_column[c];
        sums->virial[c] += (c < 3 ? w0 * square : 0) + tensor * k[a] * k[b];
        sums->virial_slope[c] += (c < 3 ? energy_slope : 0) + tensor_slope * k[a] * k[b] +
                                 tensor * (k_slope[a] * k[b] + k[a] * k_slope[b]);
    }
}

/* m_2 and m_3 of a row of the half-space array. */
static void modes_of_row(const int64_t modes[3], int64_t row, double m[3])
{
    m[1] = (double)(row % modes[1] - modes[1] / 2);
    m[2] = (double)(row / modes[1] - modes[2] / 2);
}

static void sum_rows(void *context, int64_t row, int64_t end, int thread)
{
    const mode_loop *loop = context;
    const int64_t *modes = loop->ewald->method.plan_modes, h1 = (modes[0] + 1) / 2;
    (void)thread;
    for (; row < end; row++) {
        double m[3], k[3];
        enuf_mode_slopes sums = {0};
        modes_of_row(modes, row, m);
        for (int64_t m1 = 0; m1 < h1; m1++) {
            m[0] = (double)m1;
            enuf_cell_wavevector(&loop->ewald->geometry, m, k);
            add_mode(loop, row * h1 + m1, k, m1 == 0 ? 1 : 2, &sums);
        }
        loop->row_sums[row] = sums;
    }
}

enuf_mode_slopes enuf_sum_mode_slopes(const enuf_ewald *ewald, const enuf_motion *motion,
                                      const enuf_slope_modes *modes, enuf_mode_slopes *row_sums,
                                      void *potential_slope)
{
    const int64_t rows = ewald->method.plan_modes[1] * ewald->method.plan_modes[2];
    mode_loop loop = {.ewald = ewald,
                      .motion = motion,
                      .modes = modes,
                      .single = enuf_ewald_single_mesh(ewald),
                      .row_sums = row_sums,
                      .to = potential_slope};
    enuf_mode_slopes sums = {0};
    enuf_parallel_for(enuf_ewald_threads(ewald), rows, 0, sum_rows, &loop);
    for (int64_t row = 0; row < rows; row++) {
        sums.energy += row_sums[row].energy;
        for (int c = 0; c < 6; c++) {
            sums.virial[c] += row_sums[row].virial[c];
            sums.virial_slope[c] += row_sums[row].virial_slope[c];
        }
    }
    return sums;
}

static void fill_rows(void *context, int64_t row, int64_t end, int thread)
{
    const mode_loop *loop = context;
    const enuf_method *method = &loop->ewald->method;
    const int64_t *modes = method->plan_modes, h1 = (modes[0] + 1) / 2;
    const int axis = loop->axis, single = loop->single;
    (void)thread;
    for (; row < end; row++) {
        double m[3], k[3];
        modes_of_row(modes, row, m);
        for (int64_t m1 = 0; m1 < h1; m1++) {
            const int64_t at = row * h1 + m1;
            const double w0 = 2 * enuf_number_at(method->influence, single, at);
            const double re = w0 * enuf_number_at(loop->modes->charges, single, 2 * at);
            const double im = w0 * enuf_number_at(loop->modes->charges, single, 2 * at + 1);
            m[0] = (double)m1;
            enuf_cell_wavevector(&loop->ewald->geometry, m, k);
            enuf_set_number(loop->to, single, 2 * at, axis < 0 ? re : -k[axis] * im);
            enuf_set_number(loop->to, single, 2 * at + 1, axis < 0 ? im : k[axis] * re);
        }
    }
}

void enuf_fill_field_modes(const enuf_ewald *ewald, const void *charges, int axis, void *field)
{
    const int64_t rows = ewald->method.plan_modes[1] * ewald->method.plan_modes[2];
    const enuf_slope_modes modes = {.charges = charges};
    mode_loop loop = {.ewald = ewald,
                      .modes = &modes,
                      .single = enuf_ewald_single_mesh(ewald),
                      .axis = axis,
                      .to = field};
    enuf_parallel_for(enuf_ewald_threads(ewald), rows, 0, fill_rows, &loop);
}
