/* mode_slopes.c - see mode_slopes.h. SPDX-License-Identifier: BSD-3-Clause */
#include "mode_slopes.h"
#include "object/ewald_object.h"
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
    const enuf_ewald_method *method = &ewald->method;
    const enuf_splitting *splitting = &method->parameters.splitting;
    const double k = sqrt(k2);
    double chi, chi_d;
    enuf_transform_table_at(&method->transform, splitting, k, &chi, &chi_d);
    const double bend = enuf_transform_table_bend_at(&method->transform, splitting, k);
    return two_pi / ewald->geometry.volume * enuf_bend_weight(chi, chi_d, bend, k2);
}

/* dS of a stored mode. */
static void structure_slope(const mode_loop *loop, int64_t at, const double k[3], double slope[2])
{
    const enuf_slope_modes *modes = loop->modes;
    const int single = loop->single;
    double dipole[3][2];
    for (int c = 0; c < 2; c++)
        slope[c] = modes->changes ? enuf_number_at(modes->changes, single, 2 * at + c) : 0;
    if (!modes->dipoles[0]) return;
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 2; c++)
            dipole[a][c] = enuf_number_at(modes->dipoles[a], single, 2 * at + c);
    enuf_add_dipole_slope(k, dipole, slope);
}

/* Adds a mode, which stands for `copies`. */
static void add_mode(const mode_loop *loop, int64_t at, const double k[3], double copies,
                     enuf_mode_slopes *sums)
{
    const enuf_ewald *ewald = loop->ewald;
    const void *influence = ewald->method.influence;
    const int single = loop->single;
    double weight[3] = {enuf_number_at(influence, single, at),
                        enuf_number_at(influence, single, ewald->method.n_stored_modes + at), 0};
    double s[2], s_slope[2], to[2] = {0, 0};
    if (weight[0] != 0) { /* else outside the sphere */
        if (loop->motion->strains)
            weight[2] = weight_2(ewald, k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
        structure_slope(loop, at, k, s_slope);
        for (int c = 0; c < 2; c++) s[c] = enuf_number_at(loop->modes->charges, single, 2 * at + c);
        enuf_add_mode_slope(loop->motion, k, copies, weight, s, s_slope, sums, to);
    }
    for (int c = 0; c < 2; c++) enuf_set_number(loop->to, single, 2 * at + c, to[c]);
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
    const enuf_ewald_method *method = &loop->ewald->method;
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
