/*
 * closed_forms.h - the terms without pairs and mesh: the self term, the background that neutralises
 * a net charge, the modes left out (mode_tail.h), and the dipole term (boundary dielectric, or
 * slab). Each is E = 1/2 sum q phi of a potential in closed form. Read by C and by CUDA files.
 * Source: docs/theory.md, section 1; slab: Yeh, Berkowitz, J. Chem. Phys. 111 (1999) 3155; charged:
 * Ballenegger, Arnold, Cerda, J. Chem. Phys. 131 (2009) 094107.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CLOSED_FORMS_H
#define ENUF_EWALD_CLOSED_FORMS_H

#include "enuf/ewald.h"

#ifdef __CUDACC__
#define ENUF_CLOSED_INLINE static __host__ __device__ inline
#else
#define ENUF_CLOSED_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** phi_i of all terms, without the Coulomb constant. M = sum q x, second = sum q z^2. */
typedef struct enuf_closed_forms {
    double self;       /* phi_i = -self q_i, the modes left out included */
    double background; /* phi_i = background */
    double sphere;     /* phi_i = 2 sphere M . x_i */
    double slab;       /* phi_i = 2 slab (z_i M_z - (second + charge z_i^2)/2 - level) */
    double charge, level;
    double background_of_unit, level_of_unit; /* background and level of a net charge of 1 */
    /* energies over sum q^2: the self term, the modes left out */
    double self_energy, tail_energy;
    double tail[6]; /* virial of the modes left out: q_i^2 times this is an atom's share */
} enuf_closed_forms;

/** Sets the parts that depend on the net charge. */
ENUF_CLOSED_INLINE void enuf_closed_forms_set_charge(enuf_closed_forms *f, double charge)
{
    f->charge = charge;
    f->background = charge * f->background_of_unit;
    f->level = charge * f->level_of_unit;
}

/** Sets the parts that depend on cell, charges and method. */
enuf_closed_forms enuf_closed_forms_of(const enuf_ewald *ewald);

#ifdef __cplusplus
}
#endif
#endif
