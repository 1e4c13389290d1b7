/*
 * units.h - unit systems: the Coulomb constant of each and the names of its units.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_UNITS_H
#define ENUF_UNITS_H

#include "structure.h"

typedef struct enuf_unit_system {
    const char *name;
    double coulomb; /* C in E = C q q / r */
    const char *energy;
    const char *length;
    const char *charge;
    const char *force;
} enuf_unit_system;

/** The unit system; never NULL. */
const enuf_unit_system *enuf_unit_system_of(enuf_units units);

/** Units of a name ("real"); ENUF_BAD_ARGUMENT lists the names. */
enuf_status enuf_units_parse(const char *name, enuf_units *units);

#endif
