/*
 * charge_sets.h - sets of charges at held positions, and the terms of their potentials that need no
 * pairs and no mesh. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CHARGE_SETS_H
#define ENUF_EWALD_CHARGE_SETS_H

#include "evaluate/closed_forms.h"

#include <math.h>

/** Sets that go side by side through the pairs. Arrays have places for `lanes` sets, 1, 2, 4 or 8;
 * charges are 0 behind those used. */
typedef struct enuf_charge_sets {
    int64_t n, first; /* atoms; number of the first set among the caller's */
    int lanes, used;
    const double *charges; /* [used][n] the caller's, like the potentials: options.memory */
    double *potentials;
    enuf_closed_forms forms;
} enuf_charge_sets;

/* Sums over the charges of a set. */
enum {
    SET_CHARGE = 0,
    SET_SIZE, /* sum |q| */
    SET_DIPOLE,
    SET_SECOND = SET_DIPOLE + 3, /* sum q z^2 */
    SET_MOMENTS                  /* their number */
};

/** How many of them the potentials need. */
ENUF_CLOSED_INLINE int enuf_needed_moments(const enuf_closed_forms *f)
{
    return f->sphere == 0 && f->slab == 0 ? SET_DIPOLE : SET_MOMENTS;
}

ENUF_CLOSED_INLINE void enuf_add_set_moments(const enuf_closed_forms *f, double q,
                                             const double x[3], double moment[])
{
    moment[SET_CHARGE] += q;
    moment[SET_SIZE] += fabs(q);
    if (f->sphere == 0 && f->slab == 0) return;
    for (int d = 0; d < 3; d++) moment[SET_DIPOLE + d] += q * x[d];
    moment[SET_SECOND] += q * x[2] * x[2];
}

/** phi of the closed forms, for a charge q of the set. */
ENUF_CLOSED_INLINE double enuf_set_potential(const enuf_closed_forms *f, double q,
                                             const double x[3], const double moment[])
{
    const double sum = moment[SET_CHARGE], *dipole = moment + SET_DIPOLE;
    double potential = f->background_of_unit * sum - f->self * q;
    if (f->sphere != 0)
        potential += 2 * f->sphere * (dipole[0] * x[0] + dipole[1] * x[1] + dipole[2] * x[2]);
    if (f->slab != 0)
        potential += 2 * f->slab *
                     (x[2] * dipole[2] - 0.5 * (moment[SET_SECOND] + sum * x[2] * x[2]) -
                      sum * f->level_of_unit);
    return potential;
}

/** Deterministic: a power of two that takes strengths, of which the sum of the sizes is given, to
 * within the plan's bound; 0: there is none. */
ENUF_CLOSED_INLINE double enuf_set_scale(double bound, double size)
{
    int exponent = 0;
    if (bound == 0 || !(size > 0) || !(size < INFINITY)) return 1;
    frexp(2 * size / bound, &exponent);
    return ldexp(1.0, -exponent);
}

#endif
