/*
 * closed_slopes.c - slopes of the closed forms (closed_forms.h). A slab's normal n turns with a and
 * b: its heights z = n.x grow by v.n + e_zz z, dn = -(e_xz, e_yz, 0). SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "slope_sums.h"
#include "evaluate/closed_forms.h"
#include "parallel.h"

/* Sums over all charges, and their slopes. */
enum {
    DIPOLE = 0,
    DIPOLE_SLOPE = 3,
    SECOND = 6,
    SECOND_SLOPE,
    CHARGE_SLOPE,
    SQUARE_SLOPE,
    MOMENTS
};

typedef struct closed {
    const enuf_motion *motion;
    const enuf_atoms *atoms;
    enuf_closed_forms forms;
    double normal_strain; /* e_zz */
    double moment[MOMENTS];
    enuf_slope_sums *sums;
} closed;

/* How a position changes: v + x e. */
static void displacement(const closed *c, int64_t i, const double x[3], double dx[3])
{
    double strained[3] = {0, 0, 0};
    enuf_motion_moved(c->motion, i, dx);
    if (c->motion->strains) enuf_motion_strain(c->motion, x, strained);
    for (int a = 0; a < 3; a++) dx[a] += strained[a];
}

/* How a height above the slab's middle changes. */
static double height_slope(const closed *c, int64_t i, double z)
{
    double v[3];
    enuf_motion_moved(c->motion, i, v);
    return v[2] + c->normal_strain * z;
}

/* A loop in the order of the atoms, on one thread: it takes a few operations an atom. */
static void find_moments(closed *c)
{
    const enuf_atoms *atoms = c->atoms;
    double *m = c->moment;
    for (int64_t k = 0; k < atoms->n; k++) {
        const int64_t i = enuf_callers_atom(atoms->original, k);
        const double *x = atoms->positions + k * atoms->stride;
        const double q = atoms->q[k], w = enuf_motion_charge(c->motion, i);
        m[CHARGE_SLOPE] += w;
        m[SQUARE_SLOPE] += 2 * q * w;
        if (c->forms.sphere != 0) {
            double dx[3];
            displacement(c, i, x, dx);
            for (int a = 0; a < 3; a++) {
                m[DIPOLE + a] += q * x[a];
                m[DIPOLE_SLOPE + a] += w * x[a] + q * dx[a];
            }
        }
        if (c->forms.slab != 0) {
            const double z = x[2], dz = height_slope(c, i, z);
            m[DIPOLE + 2] += q * z;
            m[DIPOLE_SLOPE + 2] += w * z + q * dz;
            m[SECOND] += q * z * z;
            m[SECOND_SLOPE] += w * z * z + 2 * q * z * dz;
        }
    }
}

/* Terms that depend on no place: self term, modes left out, background. */
static void add_uniform(const closed *c)
{
    const enuf_closed_forms *f = &c->forms;
    const double *m = c->moment, charge = f->charge, unit = f->background_of_unit;
    const double energy = 0.5 * unit * charge * charge;
    const double slope = unit * charge * m[CHARGE_SLOPE] - c->motion->trace * energy;
    const double virial[6] = {energy, energy, energy, 0, 0, 0}, stretch[9] = {0};
    double virial_slope[6] = {slope, slope, slope, 0, 0, 0};
    for (int k = 0; k < 6; k++) virial_slope[k] += f->tail[k] * m[SQUARE_SLOPE];
    c->sums->energy += slope + (f->self_energy + f->tail_energy) * m[SQUARE_SLOPE];
    enuf_slope_sums_add(c->motion, virial, stretch, virial_slope, c->sums);
}

static void add_sphere_totals(const closed *c)
{
    const double *m = c->moment, s = c->forms.sphere, s_slope = -c->motion->trace * s;
    const double *dipole = m + DIPOLE, *slope = m + DIPOLE_SLOPE;
    double virial[6], virial_slope[6], stretch[9] = {0}, square = 0, along = 0;
    for (int a = 0; a < 3; a++) {
        square += dipole[a] * dipole[a];
        along += dipole[a] * slope[a];
    }
    const double energy_slope = s_slope * square + 2 * s * along;
    c->sums->energy += energy_slope;
    for (int k = 0; k < 6; k++) {
        const int a = enuf_tensor_row[k], b = enuf_tensor_column[k];
        virial[k] = (k < 3 ? s * square : 0) - 2 * s * dipole[a] * dipole[b];
        virial_slope[k] = (k < 3 ? energy_slope : 0) - 2 * s_slope * dipole[a] * dipole[b] -
                          2 * s * (slope[a] * dipole[b] + dipole[a] * slope[b]);
    }
    for (int64_t k = 0; k < c->atoms->n; k++) {
        double v[3];
        enuf_motion_moved(c->motion, enuf_callers_atom(c->atoms->original, k), v);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                stretch[3 * a + b] -= 2 * s * c->atoms->q[k] * dipole[a] * v[b];
    }
    enuf_slope_sums_add(c->motion, virial, stretch, virial_slope, c->sums);
}

/* The field along the normal at height z. */
static double slab_field(const closed *c, double z)
{
    return -2 * c->forms.slab * (c->moment[DIPOLE + 2] - c->forms.charge * z);
}

static void add_slab_totals(const closed *c)
{
    const enuf_closed_forms *f = &c->forms;
    const double *m = c->moment, *e = c->motion->strain;
    const double charge = f->charge, level = f->level_of_unit, z = m[DIPOLE + 2];
    const double inner = z * z - charge * m[SECOND] - charge * charge * level;
    const double inner_slope = 2 * z * m[DIPOLE_SLOPE + 2] - m[CHARGE_SLOPE] * m[SECOND] -
                               charge * m[SECOND_SLOPE] - 2 * charge * m[CHARGE_SLOPE] * level -
                               2 * charge * charge * c->normal_strain * level;
    const double energy = f->slab * inner;
    const double slope = f->slab * inner_slope - c->motion->trace * energy;
    const double virial[6] = {energy, energy, -energy, 0, 0, 0};
    const double virial_slope[6] = {slope, slope, -slope, 0, 2 * energy * e[2], 2 * energy * e[5]};
    double stretch[9] = {0};
    for (int64_t k = 0; k < c->atoms->n; k++) {
        double v[3];
        const double force =
            c->atoms->q[k] * slab_field(c, c->atoms->positions[k * c->atoms->stride + 2]);
        enuf_motion_moved(c->motion, enuf_callers_atom(c->atoms->original, k), v);
        for (int b = 0; b < 3; b++) stretch[6 + b] += force * v[b];
    }
    c->sums->energy += slope;
    enuf_slope_sums_add(c->motion, virial, stretch, virial_slope, c->sums);
}

static void add_sphere(const closed *c, int64_t k, double w, const double x[3])
{
    const double *m = c->moment, s = c->forms.sphere, s_slope = -c->motion->trace * s;
    const double q = c->atoms->q[k];
    double dx[3], potential = 0;
    displacement(c, enuf_callers_atom(c->atoms->original, k), x, dx);
    for (int a = 0; a < 3; a++) {
        const double field = s_slope * m[DIPOLE + a] + s * m[DIPOLE_SLOPE + a];
        potential += 2 * (field * x[a] + s * m[DIPOLE + a] * dx[a]);
        c->sums->forces[3 * k + a] -= 2 * (q * field + w * s * m[DIPOLE + a]);
    }
    c->sums->potential[k] += potential;
}

static void add_slab(const closed *c, int64_t k, double w, double z)
{
    const enuf_closed_forms *f = &c->forms;
    const double *m = c->moment, *e = c->motion->strain, trace = c->motion->trace;
    const double q = c->atoms->q[k], charge = f->charge, level = f->level_of_unit;
    const double dz = height_slope(c, enuf_callers_atom(c->atoms->original, k), z);
    const double field = slab_field(c, z);
    const double field_slope =
        -trace * field - 2 * f->slab * (m[DIPOLE_SLOPE + 2] - m[CHARGE_SLOPE] * z - charge * dz);
    const double inner = z * m[DIPOLE + 2] - 0.5 * (m[SECOND] + charge * z * z) - charge * level;
    const double inner_slope =
        dz * m[DIPOLE + 2] + z * m[DIPOLE_SLOPE + 2] -
        0.5 * (m[SECOND_SLOPE] + m[CHARGE_SLOPE] * z * z + 2 * charge * z * dz) -
        (m[CHARGE_SLOPE] + 2 * charge * c->normal_strain) * level;
    c->sums->potential[k] += 2 * f->slab * (inner_slope - trace * inner);
    c->sums->forces[3 * k + 2] += w * field + q * field_slope;
    c->sums->forces[3 * k] -= q * field * e[2];
    c->sums->forces[3 * k + 1] -= q * field * e[5];
}

static void add_shares(void *context, int64_t k, int64_t end, int thread)
{
    const closed *c = context;
    const enuf_closed_forms *f = &c->forms;
    const double background =
        f->background_of_unit * (c->moment[CHARGE_SLOPE] - c->motion->trace * f->charge);
    (void)thread;
    for (; k < end; k++) {
        const double *x = c->atoms->positions + k * c->atoms->stride;
        const double w = enuf_motion_charge(c->motion, enuf_callers_atom(c->atoms->original, k));
        c->sums->potential[k] += background - f->self * w;
        if (f->sphere != 0) add_sphere(c, k, w, x);
        if (f->slab != 0) add_slab(c, k, w, x[2]);
    }
}

void enuf_add_closed_slopes(const enuf_ewald *ewald, const enuf_motion *motion,
                            const enuf_atoms *atoms, enuf_slope_sums *sums)
{
    closed c = {.motion = motion,
                .atoms = atoms,
                .forms = enuf_closed_forms_of(ewald),
                .normal_strain = motion->strain[8],
                .sums = sums};
    find_moments(&c);
    add_uniform(&c);
    if (c.forms.sphere != 0) add_sphere_totals(&c);
    if (c.forms.slab != 0) add_slab_totals(&c);
    enuf_parallel_for(enuf_ewald_threads(ewald), atoms->n, 0, add_shares, &c);
}
