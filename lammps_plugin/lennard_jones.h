/* lennard_jones.h - the Lennard-Jones term of two types. SPDX-License-Identifier: GPL-2.0-only */
#ifndef ENUF_LENNARD_JONES_H
#define ENUF_LENNARD_JONES_H

#include "pair_function.h"

namespace enuf
{

/** 4 epsilon [(sigma/r)^12 - (sigma/r)^6] - offset; all 0: none. */
struct LennardJonesTerm {
    double cutsq, force12, force6, energy12, energy6, offset;

    /** Force times r, and the energy, at r^2 < cutsq. */
    ENUF_ON_DEVICE double force(double r2inv, double *energy) const
    {
        const double r6inv = r2inv * r2inv * r2inv;
        *energy = r6inv * (energy12 * r6inv - energy6) - offset;
        return r6inv * (force12 * r6inv - force6);
    }
};

} // namespace enuf
#endif
