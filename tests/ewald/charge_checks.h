/*
 * charge_checks.h - what tests of charges that are set again share. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef TESTS_EWALD_CHARGE_CHECKS_H
#define TESTS_EWALD_CHARGE_CHECKS_H

#include "object/ewald_object.h"
#include "systems.h"

/** Checks that all sums over the charges are equal, bit by bit. */
void check_same_sums(const enuf_charge_set *got, const enuf_charge_set *expected);

/** The same atoms in reverse order. */
void reverse_atoms(charge_system *system);

#endif
