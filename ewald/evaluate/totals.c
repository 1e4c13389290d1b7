/* totals.c - energies, virial and net force of an evaluation: checked, and handed to the caller.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "object/ewald_object.h"
#include "totals.h"

#include <math.h>

enuf_status enuf_energy_not_finite(double energy)
{
    return enuf_fail(ENUF_NOT_FINITE,
                     "the energy is %g: two charges lie at the same place, or "
                     "numbers are beyond the range of double",
                     energy);
}

enuf_status enuf_total_energy(const enuf_ewald_parts *p, double *energy)
{
    *energy = enuf_sum_of_parts(p);
    return isfinite(*energy) ? ENUF_SUCCESS : enuf_energy_not_finite(*energy);
}

void enuf_deliver_totals(const enuf_evaluation *what, double scale, double energy,
                         const enuf_ewald_parts *p, const double virial[6],
                         const double net_force[3])
{
    enuf_ewald_result *r = what->result;
    if (what->wanted & ENUF_WANT_ENERGY) {
        const double from[7] = {energy,        p->real,    p->reciprocal, p->self,
                                p->background, p->surface, p->excluded};
        double *to[7] = {&r->energy,        &r->parts.real,       &r->parts.reciprocal,
                         &r->parts.self,    &r->parts.background, &r->parts.surface,
                         &r->parts.excluded};
        for (int k = 0; k < 7; k++) enuf_deliver(r->add, scale, 1, &from[k], to[k]);
    }
    if (what->wanted & ENUF_WANT_VIRIAL) enuf_deliver(r->add, scale, 6, virial, r->virial);
    if (what->wanted & ENUF_WANT_FORCES) enuf_deliver(r->add, scale, 3, net_force, r->net_force);
}
