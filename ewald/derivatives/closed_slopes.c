/* closed_slopes.c - see closed_slopes.h. SPDX-License-Identifier: BSD-3-Clause */
#include "closed_slopes.h"
#include "slope_sums.h"
#include "parallel.h"

/* Terms that depend on no place: self term, modes left out, background. */
static void add_uniform(const enuf_closed_forms *f, const enuf_motion *motion, const double *moment,
                        enuf_slope_sums *sums)
{
    const double charge = f->charge, unit = f->background_of_unit;
    const double energy = 0.5 * unit * charge * charge;
    const double slope = unit * charge * moment[CHARGE_SLOPE] - motion->trace * energy;
    const double virial[6] = {energy, energy, energy, 0, 0, 0}, stretch[9] = {0};
    double virial_slope[6] = {slope, slope, slope, 0, 0, 0};
    for (int k = 0; k < 6; k++) virial_slope[k] += f->tail[k] * moment[SQUARE_SLOPE];
    sums->energy += slope + (f->self_energy + f->tail_energy) * moment[SQUARE_SLOPE];
    enuf_slope_sums_add(motion, virial, stretch, virial_slope, sums);
}

static void add_sphere(const enuf_closed_forms *f, const enuf_motion *motion, const double *moment,
                       enuf_slope_sums *sums)
{
    const double s = f->sphere, s_slope = -motion->trace * s;
    const double *dipole = moment + DIPOLE, *slope = moment + DIPOLE_SLOPE;
    double virial[6], virial_slope[6], stretch[9], square = 0, along = 0;
    for (int a = 0; a < 3; a++) {
        square += dipole[a] * dipole[a];
        along += dipole[a] * slope[a];
    }
    const double energy_slope = s_slope * square + 2 * s * along;
    sums->energy += energy_slope;
    for (int k = 0; k < 6; k++) {
        const int a = enuf_tensor_row[k], b = enuf_tensor_column[k];
        virial[k] = (k < 3 ? s * square : 0) - 2 * s * dipole[a] * dipole[b];
        virial_slope[k] = (k < 3 ? energy_slope : 0) - 2 * s_slope * dipole[a] * dipole[b] -
                          2 * s * (slope[a] * dipole[b] + dipole[a] * slope[b]);
    }
    for (int k = 0; k < 9; k++) stretch[k] = -2 * s * dipole[k / 3] * moment[MOVED_DIPOLE + k % 3];
    enuf_slope_sums_add(motion, virial, stretch, virial_slope, sums);
}

static void add_slab(const enuf_closed_forms *f, const enuf_motion *motion, const double *moment,
                     enuf_slope_sums *sums)
{
    const double *m = moment, *e = motion->strain;
    const double charge = f->charge, level = f->level_of_unit, z = m[DIPOLE + 2];
    const double inner = z * z - charge * m[SECOND] - charge * charge * level;
    const double inner_slope = 2 * z * m[DIPOLE_SLOPE + 2] - m[CHARGE_SLOPE] * m[SECOND] -
                               charge * m[SECOND_SLOPE] - 2 * charge * m[CHARGE_SLOPE] * level -
                               2 * charge * charge * e[8] * level;
    const double energy = f->slab * inner;
    const double slope = f->slab * inner_slope - motion->trace * energy;
    const double virial[6] = {energy, energy, -energy, 0, 0, 0};
    const double virial_slope[6] = {slope, slope, -slope, 0, 2 * energy * e[2], 2 * energy * e[5]};
    double stretch[9] = {0};
    /* the force along the normal is -2 slab q (M_z - charge z) */
    for (int b = 0; b < 3; b++)
        stretch[6 + b] = -2 * f->slab * (z * m[MOVED_DIPOLE + b] - charge * m[MOVED_SECOND + b]);
    sums->energy += slope;
    enuf_slope_sums_add(motion, virial, stretch, virial_slope, sums);
}

void enuf_add_closed_totals(const enuf_closed_forms *forms, const enuf_motion *motion,
                            const double *moment, enuf_slope_sums *sums)
{
    add_uniform(forms, motion, moment, sums);
    if (forms->sphere != 0) add_sphere(forms, motion, moment, sums);
    if (forms->slab != 0) add_slab(forms, motion, moment, sums);
}

typedef struct closed {
    const enuf_motion *motion;
    const enuf_atoms *atoms;
    enuf_closed_forms forms;
    double moment[CLOSED_MOMENTS];
    enuf_slope_sums *sums;
} closed;

static enuf_moving_charge atom_of(const closed *c, int64_t k)
{
    return enuf_motion_atom(c->motion, enuf_callers_atom(c->atoms->original, k), c->atoms->q[k]);
}

static void add_shares(void *context, int64_t k, int64_t end, int thread)
{
    const closed *c = context;
    (void)thread;
    for (; k < end; k++) {
        const enuf_moving_charge a = atom_of(c, k);
        enuf_add_closed_share(&c->forms, c->motion, c->moment, &a, &c->sums->potential[k],
                              &c->sums->forces[3 * k]);
    }
}

void enuf_add_closed_slopes(const enuf_ewald *ewald, const enuf_motion *motion,
                            const enuf_atoms *atoms, enuf_slope_sums *sums)
{
    closed c = {
        .motion = motion, .atoms = atoms, .forms = enuf_closed_forms_of(ewald), .sums = sums};
    /* in the order of the atoms, on one thread: it takes a few operations an atom */
    for (int64_t k = 0; k < atoms->n; k++) {
        const enuf_moving_charge a = atom_of(&c, k);
        enuf_add_closed_moments(&c.forms, motion, &a, c.moment);
    }
    enuf_add_closed_totals(&c.forms, motion, c.moment, sums);
    enuf_parallel_for(enuf_ewald_threads(ewald), atoms->n, 0, add_shares, &c);
}
