/*
 * modes.c - the modes of a share: structure factors of its rows, and their potential, field and
 * virial. Compiled once for each precision.
 *
 * With w_j = exp(2 pi i (middle s_1 + m2 s_2 + m3 s_3)) and z_j = exp(2 pi i s_1) the modes at d on
 * both sides of a row's middle are sums of the same four products of (Re, Im of q w) and (Re, Im of
 * z^d). Lanes are columns d for the structure factor and atoms for the potentials, so that nothing
 * is summed across lanes. Operations of a vector: 4 for two modes and an atom, then 8.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "precision.h"

#include <stdlib.h>

/* Columns of a row that are weighed together. */
enum { WIDE = 8 };

static const double two_pi = 6.283185307179586476925;

/* Numbers exp(2 pi i m s) as cosines and sines: [m][atom], or of `by_atom` [atom][m]. */
typedef struct phase_table {
    real *c, *s;
} phase_table;

/* Structure factors of one side of a row, [columns], and the factors of their potentials. */
typedef struct row_side {
    double *re, *im, *factor;
} row_side;

/* The scratch of a share. */
typedef struct mode_desk {
    int64_t room, columns; /* of arrays, padded */
    int64_t atoms;         /* in whole vectors */
    phase_table by_atom, along[3];
    real *re, *im;     /* [room] w of the row */
    real *q_re, *q_im; /* [room] q w */
    real *found[4];    /* [room] of the row: potential, then what slopes along s_d sum up */
    double *total[4];  /* [room] of all rows */
    real *sums[4];     /* [columns] uc, vs, us, vc of the row */
    real *plus_re, *plus_im, *minus_re, *minus_im;         /* [columns] A(d) +- A(-d) */
    real *d_plus_re, *d_plus_im, *d_minus_re, *d_minus_im; /* times d */
    row_side up, down;
    double *virial[6]; /* [WIDE] */
    double *falls;     /* [columns] exp(-(d K_1)^2/4 alpha^2) */
    double
        *gaussian; /* [columns] of a side of the row: exp(-k^2/4 alpha^2) over that of its middle */
} mode_desk;

static mode_desk lay_out(const enuf_batch_share *share)
{
    const enuf_batch_system *system = share->system;
    mode_desk desk = {.room = share->room,
                      .columns = enuf_batch_padded(enuf_batch_columns(system))};
    const int64_t counts[3] = {enuf_batch_columns(system), system->modes[1] + 1,
                               system->modes[2] + 1};
    char *at = share->scratch;
    desk.atoms = (system->n + LANES - 1) / LANES * LANES;
    desk.by_atom.c = enuf_batch_carve(&at, desk.room * desk.columns);
    desk.by_atom.s = enuf_batch_carve(&at, desk.room * desk.columns);
    for (int d = 0; d < 3; d++) {
        desk.along[d].c = enuf_batch_carve(&at, desk.room * counts[d]);
        desk.along[d].s = enuf_batch_carve(&at, desk.room * counts[d]);
    }
    real **const rows[] = {&desk.re,       &desk.im,       &desk.q_re,     &desk.q_im,
                           &desk.found[0], &desk.found[1], &desk.found[2], &desk.found[3]};
    for (int k = 0; k < 8; k++) *rows[k] = enuf_batch_carve(&at, desk.room);
    for (int k = 0; k < 4; k++) desk.total[k] = enuf_batch_carve(&at, desk.room);
    real **const columns[] = {&desk.sums[0],   &desk.sums[1],   &desk.sums[2],    &desk.sums[3],
                              &desk.plus_re,   &desk.plus_im,   &desk.minus_re,   &desk.minus_im,
                              &desk.d_plus_re, &desk.d_plus_im, &desk.d_minus_re, &desk.d_minus_im};
    for (int k = 0; k < 12; k++) *columns[k] = enuf_batch_carve(&at, desk.columns);
    double **const sides[] = {&desk.up.re,   &desk.up.im,       &desk.up.factor, &desk.down.re,
                              &desk.down.im, &desk.down.factor, &desk.falls,     &desk.gaussian};
    for (int k = 0; k < 8; k++) *sides[k] = enuf_batch_carve(&at, desk.columns);
    for (int c = 0; c < 6; c++) desk.virial[c] = enuf_batch_carve(&at, WIDE);
    return desk;
}

/* Powers of exp(2 pi i s) of an atom along an axis, by products in double. */
static void tabulate(const mode_desk *desk, int d, int64_t j, int64_t counts, double s)
{
    const double c1 = cos(two_pi * s), s1 = sin(two_pi * s);
    double c = 1, sine = 0;
    for (int64_t m = 0; m < counts; m++) {
        desk->along[d].c[m * desk->room + j] = (real)c;
        desk->along[d].s[m * desk->room + j] = (real)sine;
        if (d == 0) {
            desk->by_atom.c[j * desk->columns + m] = (real)c;
            desk->by_atom.s[j * desk->columns + m] = (real)sine;
        }
        const double next = c * c1 - sine * s1;
        sine = sine * c1 + c * s1;
        c = next;
    }
}

static void make_tables(const enuf_batch_share *share, const mode_desk *desk)
{
    const enuf_batch_system *system = share->system;
    const int64_t counts[3] = {enuf_batch_columns(system), system->modes[1] + 1,
                               system->modes[2] + 1};
    double step2 = 0;
    for (int64_t j = 0; j < desk->atoms; j++) {
        for (int64_t m = counts[0]; m < desk->columns; m++)
            desk->by_atom.c[j * desk->columns + m] = desk->by_atom.s[j * desk->columns + m] = 0;
        for (int d = 0; d < 3; d++) {
            double s = 0;
            for (int a = 0; a < 3; a++) s += share->place[a][j] * system->inverse[3 * a + d];
            tabulate(desk, d, j, counts[d], s - rint(s));
        }
    }
    for (int a = 0; a < 3; a++) step2 += pow(enuf_batch_wave(system, 0, a), 2);
    for (int64_t d = 0; d < desk->columns; d++)
        desk->falls[d] = exp(-(double)(d * d) * step2 / (4 * system->alpha * system->alpha));
}

/* w and q w of the row. Numbers of exp(-2 pi i m s) have the sine's other sign. */
static void find_phases(const enuf_batch_share *share, const mode_desk *desk,
                        const enuf_batch_row *row)
{
    const int64_t m[3] = {row->middle, row->m2, row->m3};
    const real *c[3], *s[3];
    REAL sign[3];
    for (int d = 0; d < 3; d++) {
        c[d] = desk->along[d].c + llabs(m[d]) * desk->room;
        s[d] = desk->along[d].s + llabs(m[d]) * desk->room;
        sign[d] = OP(_set)(m[d] < 0 ? -1 : 1);
    }
    for (int64_t j = 0; j < desk->atoms; j += LANES) {
        const REAL c1 = OP(_load)(c[0] + j), s1 = sign[0] * OP(_load)(s[0] + j);
        const REAL c2 = OP(_load)(c[1] + j), s2 = sign[1] * OP(_load)(s[1] + j);
        const REAL c3 = OP(_load)(c[2] + j), s3 = sign[2] * OP(_load)(s[2] + j);
        const REAL re = c1 * c2 - s1 * s2, im = s1 * c2 + c1 * s2;
        OP(_store)(desk->re + j, re * c3 - im * s3);
        OP(_store)(desk->im + j, im * c3 + re * s3);
    }
    for (int64_t j = 0; j < desk->atoms; j++) {
        desk->q_re[j] = (real)share->charge[j] * desk->re[j];
        desk->q_im[j] = (real)share->charge[j] * desk->im[j];
    }
}

/* The four sums over the atoms, of all columns of the row. */
static void sum_structure(const enuf_batch_share *share, const mode_desk *desk,
                          const enuf_batch_row *row)
{
    for (int64_t d = 0; d <= row->reach; d += LANES) {
        const real *c = desk->by_atom.c + d, *s = desk->by_atom.s + d;
        REAL uc = OP(_set)(0), vs = OP(_set)(0), us = OP(_set)(0), vc = OP(_set)(0);
        for (int64_t j = 0; j < share->system->n; j++) {
            const REAL u = OP(_set)(desk->q_re[j]), v = OP(_set)(desk->q_im[j]);
            const REAL cosine = OP(_load)(c + j * desk->columns);
            const REAL sine = OP(_load)(s + j * desk->columns);
            uc += u * cosine;
            vs += v * sine;
            us += u * sine;
            vc += v * cosine;
        }
        OP(_store)(desk->sums[0] + d, uc);
        OP(_store)(desk->sums[1] + d, vs);
        OP(_store)(desk->sums[2] + d, us);
        OP(_store)(desk->sums[3] + d, vc);
    }
}

/* Factors of the potential in 1/cutoff, 2/V 4 pi exp(-k^2/4 alpha^2)/k^2, of the modes on one side
 * of a row, sign +1 or -1; adds their virial. sum q phi of a mode is its factor times |S|^2. */
static void weigh_side(const enuf_batch_system *system, const mode_desk *desk,
                       const enuf_batch_row *row, double sign, const row_side *side)
{
    const double per_alpha2 = 0.25 / (system->alpha * system->alpha), *k = row->k;
    const double cutoff = system->cutoff;
    double *const *virial = desk->virial, *gaussian = desk->gaussian;
    double k2 = 0, along = 0, step[3], ratio = 1;
    for (int a = 0; a < 3; a++) {
        step[a] = sign * enuf_batch_wave(system, 0, a);
        k2 += k[a] * k[a];
        along += k[a] * step[a];
    }
    const double weight = row->m2 == 0 && row->m3 == 0 ? 0.5 : 1;
    const double scale = weight * 4 * two_pi / system->volume * exp(-k2 * per_alpha2);
    const double fall = exp(-2 * along * per_alpha2);
    for (int32_t d = 0; d <= row->reach; d++, ratio *= fall) gaussian[d] = desk->falls[d] * ratio;
    for (int32_t d = row->reach + 1; d % WIDE != 0; d++) gaussian[d] = 0;
    for (int32_t first = 0; first <= row->reach; first += WIDE) {
#pragma omp simd
        for (int32_t lane = 0; lane < WIDE; lane++) {
            const int32_t d = first + lane;
            const double x = k[0] + d * step[0], y = k[1] + d * step[1], z = k[2] + d * step[2];
            const double square = x * x + y * y + z * z, inverse = square > 0 ? 1 / square : 0;
            const double factor = scale * gaussian[d] * inverse;
            const double energy =
                0.5 * factor * (side->re[d] * side->re[d] + side->im[d] * side->im[d]);
            const double slope = energy * (2 * inverse + 2 * per_alpha2);
            side->factor[d] = factor * cutoff;
            virial[0][lane] += energy - slope * x * x;
            virial[1][lane] += energy - slope * y * y;
            virial[2][lane] += energy - slope * z * z;
            virial[3][lane] -= slope * x * y;
            virial[4][lane] -= slope * x * z;
            virial[5][lane] -= slope * y * z;
        }
    }
}

/* A(d) = factor conj(S): sums and differences of both sides. The middle is on one side alone. */
static void weigh(const enuf_batch_system *system, const mode_desk *desk, const enuf_batch_row *row)
{
    const row_side *up = &desk->up, *down = &desk->down;
    const int32_t columns = (row->reach / WIDE + 1) * WIDE;
    for (int k = 0; k < 4; k++)
        for (int32_t d = row->reach + 1; d < columns; d++) desk->sums[k][d] = 0;
    for (int32_t d = 0; d < columns; d++) {
        const double uc = desk->sums[0][d], vs = desk->sums[1][d], us = desk->sums[2][d],
                     vc = desk->sums[3][d];
        up->re[d] = uc - vs;
        up->im[d] = us + vc;
        down->re[d] = uc + vs;
        down->im[d] = vc - us;
    }
    down->re[0] = down->im[0] = 0;
    weigh_side(system, desk, row, 1, up);
    weigh_side(system, desk, row, -1, down);
    for (int32_t d = 0; d < columns; d++) {
        const double above_re = up->factor[d] * up->re[d], above_im = up->factor[d] * up->im[d];
        const double below_re = down->factor[d] * down->re[d],
                     below_im = down->factor[d] * down->im[d];
        desk->plus_re[d] = (real)(above_re + below_re);
        desk->plus_im[d] = (real) - (above_im + below_im);
        desk->minus_re[d] = (real)(above_re - below_re);
        desk->minus_im[d] = (real) - (above_im - below_im);
        desk->d_plus_re[d] = (real)d * desk->plus_re[d];
        desk->d_plus_im[d] = (real)d * desk->plus_im[d];
        desk->d_minus_re[d] = (real)d * desk->minus_re[d];
        desk->d_minus_im[d] = (real)d * desk->minus_im[d];
    }
}

/* Potential and slopes of the row at all atoms. */
static void gather(const mode_desk *desk, const enuf_batch_row *row)
{
    const REAL middle = OP(_set)((real)row->middle), m2 = OP(_set)((real)row->m2),
               m3 = OP(_set)((real)row->m3);
    for (int64_t j = 0; j < desk->atoms; j += LANES) {
        REAL value_re = OP(_set)(0), value_im = value_re, slope_re = value_re, slope_im = value_re;
        for (int64_t d = 0; d <= row->reach; d++) {
            const REAL c = OP(_load)(desk->along[0].c + d * desk->room + j);
            const REAL s = OP(_load)(desk->along[0].s + d * desk->room + j);
            value_re += desk->plus_re[d] * c - desk->minus_im[d] * s;
            value_im += desk->minus_re[d] * s + desk->plus_im[d] * c;
            slope_re += desk->d_minus_re[d] * c - desk->d_plus_im[d] * s;
            slope_im += desk->d_plus_re[d] * s + desk->d_minus_im[d] * c;
        }
        const REAL re = OP(_load)(desk->re + j), im = OP(_load)(desk->im + j);
        const REAL turned = value_re * im + value_im * re;
        OP(_store)(desk->found[0] + j, value_re * re - value_im * im);
        OP(_store)(desk->found[1] + j, middle * turned + (slope_re * im + slope_im * re));
        OP(_store)(desk->found[2] + j, m2 * turned);
        OP(_store)(desk->found[3] + j, m3 * turned);
    }
    for (int k = 0; k < 4; k++)
        for (int64_t j = 0; j < desk->atoms; j++) desk->total[k][j] += desk->found[k][j];
}

/* phi, and the field -dphi/dx = 2 pi sum_d inverse[.][d] (sum of m_d Im). */
static void deliver(enuf_batch_share *share, const mode_desk *desk)
{
    const enuf_batch_system *system = share->system;
    const double per_cutoff = 1 / system->cutoff;
    for (int c = 0; c < 6; c++)
        for (int lane = 0; lane < WIDE; lane++) share->virial[c] += desk->virial[c][lane];
    for (int64_t j = 0; j < system->n; j++) {
        share->sums[0][j] += per_cutoff * desk->total[0][j];
        for (int a = 0; a < 3; a++)
            for (int d = 0; d < 3; d++)
                share->sums[1 + a][j] +=
                    per_cutoff * enuf_batch_wave(system, d, a) * desk->total[1 + d][j];
    }
}

void ENUF_SUFFIXED(enuf_batch_modes)(enuf_batch_share *share)
{
    const enuf_batch_system *system = share->system;
    const mode_desk desk = lay_out(share);
    const int64_t rows = enuf_batch_rows(system);
    make_tables(share, &desk);
    for (int k = 0; k < 4; k++) memset(desk.total[k], 0, (size_t)desk.room * sizeof(double));
    for (int c = 0; c < 6; c++) memset(desk.virial[c], 0, WIDE * sizeof(double));
    for (int64_t r = share->part; r < rows; r += system->parts) {
        const enuf_batch_row row = enuf_batch_row_at(system, r);
        if (row.reach < 0) continue;
        find_phases(share, &desk, &row);
        sum_structure(share, &desk, &row);
        weigh(system, &desk, &row);
        gather(&desk, &row);
    }
    deliver(share, &desk);
}
