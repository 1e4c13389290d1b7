/*
 * closed_slopes.h - slopes of the closed forms (closed_forms.h), of one atom and of all. A slab's
 * normal n turns with a and b: its heights z = n.x grow by v.n + e_zz z, dn = -(e_xz, e_yz, 0).
 * Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CLOSED_SLOPES_H
#define ENUF_EWALD_CLOSED_SLOPES_H

#include "evaluate/closed_forms.h"
#include "motion.h"

/* Sums over all charges, and their slopes. */
enum {
    DIPOLE = 0,
    DIPOLE_SLOPE = 3,
    SECOND = 6,
    SECOND_SLOPE,
    CHARGE_SLOPE,
    SQUARE_SLOPE,
    MOVED_DIPOLE,                     /* sum q v */
    MOVED_SECOND = MOVED_DIPOLE + 3,  /* sum q z v */
    CLOSED_MOMENTS = MOVED_SECOND + 3 /* their number */
};

/** How a place changes: v + x e. */
ENUF_SLOPE_INLINE void enuf_place_slope(const enuf_motion *m, const enuf_moving_charge *a,
                                        double dx[3])
{
    double strained[3] = {0, 0, 0};
    if (m->strains) enuf_motion_strain(m, a->x, strained);
    for (int d = 0; d < 3; d++) dx[d] = a->v[d] + strained[d];
}

/** How a height above the slab's middle changes. */
ENUF_SLOPE_INLINE double enuf_height_slope(const enuf_motion *m, const enuf_moving_charge *a)
{
    return a->v[2] + m->strain[8] * a->x[2];
}

/** Adds an atom's moments. */
ENUF_SLOPE_INLINE void enuf_add_closed_moments(const enuf_closed_forms *f, const enuf_motion *m,
                                               const enuf_moving_charge *a, double moment[])
{
    const double q = a->q, w = a->w;
    moment[CHARGE_SLOPE] += w;
    moment[SQUARE_SLOPE] += 2 * q * w;
    for (int b = 0; b < 3; b++) moment[MOVED_DIPOLE + b] += q * a->v[b];
    if (f->sphere != 0) {
        double dx[3];
        enuf_place_slope(m, a, dx);
        for (int d = 0; d < 3; d++) {
            moment[DIPOLE + d] += q * a->x[d];
            moment[DIPOLE_SLOPE + d] += w * a->x[d] + q * dx[d];
        }
    }
    if (f->slab != 0) {
        const double z = a->x[2], dz = enuf_height_slope(m, a);
        moment[DIPOLE + 2] += q * z;
        moment[DIPOLE_SLOPE + 2] += w * z + q * dz;
        moment[SECOND] += q * z * z;
        moment[SECOND_SLOPE] += w * z * z + 2 * q * z * dz;
        for (int b = 0; b < 3; b++) moment[MOVED_SECOND + b] += q * z * a->v[b];
    }
}

ENUF_SLOPE_INLINE void enuf_add_sphere_share(const enuf_closed_forms *f, const enuf_motion *m,
                                             const double moment[], const enuf_moving_charge *a,
                                             double *potential, double force[3])
{
    const double s = f->sphere, s_slope = -m->trace * s;
    double dx[3];
    enuf_place_slope(m, a, dx);
    for (int d = 0; d < 3; d++) {
        const double field = s_slope * moment[DIPOLE + d] + s * moment[DIPOLE_SLOPE + d];
        *potential += 2 * (field * a->x[d] + s * moment[DIPOLE + d] * dx[d]);
        force[d] -= 2 * (a->q * field + a->w * s * moment[DIPOLE + d]);
    }
}

ENUF_SLOPE_INLINE void enuf_add_slab_share(const enuf_closed_forms *f, const enuf_motion *m,
                                           const double moment[], const enuf_moving_charge *a,
                                           double *potential, double force[3])
{
    const double *e = m->strain, trace = m->trace, q = a->q, w = a->w, z = a->x[2];
    const double charge = f->charge, level = f->level_of_unit, dz = enuf_height_slope(m, a);
    const double field = -2 * f->slab * (moment[DIPOLE + 2] - charge * z);
    const double field_slope =
        -trace * field -
        2 * f->slab * (moment[DIPOLE_SLOPE + 2] - moment[CHARGE_SLOPE] * z - charge * dz);
    const double inner =
        z * moment[DIPOLE + 2] - 0.5 * (moment[SECOND] + charge * z * z) - charge * level;
    const double inner_slope =
        dz * moment[DIPOLE + 2] + z * moment[DIPOLE_SLOPE + 2] -
        0.5 * (moment[SECOND_SLOPE] + moment[CHARGE_SLOPE] * z * z + 2 * charge * z * dz) -
        (moment[CHARGE_SLOPE] + 2 * charge * e[8]) * level;
    *potential += 2 * f->slab * (inner_slope - trace * inner);
    force[2] += w * field + q * field_slope;
    force[0] -= q * field * e[2];
    force[1] -= q * field * e[5];
}

/** Adds the slopes of an atom's potential and force. */
ENUF_SLOPE_INLINE void enuf_add_closed_share(const enuf_closed_forms *f, const enuf_motion *m,
                                             const double moment[], const enuf_moving_charge *a,
                                             double *potential, double force[3])
{
    *potential +=
        f->background_of_unit * (moment[CHARGE_SLOPE] - m->trace * f->charge) - f->self * a->w;
    if (f->sphere != 0) enuf_add_sphere_share(f, m, moment, a, potential, force);
    if (f->slab != 0) enuf_add_slab_share(f, m, moment, a, potential, force);
}

#endif
