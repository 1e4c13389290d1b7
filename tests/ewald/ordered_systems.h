/*
 * ordered_systems.h - ordered ions, whose charge structure factor is large at a few modes: walls,
 * layers, and lattices with random displacements. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_EWALD_ORDERED_SYSTEMS_H
#define TESTS_EWALD_ORDERED_SYSTEMS_H

#include "systems.h"

/* X(NAME, description) */
#define ION_ORDERS(X)                                                                              \
    X(WALLS, "two walls of opposite charge")                                                       \
    X(LAYERS, "layers of alternating charge")                                                      \
    X(ROCK_SALT, "rock salt, shaken")                                                              \
    X(CAESIUM_CHLORIDE, "caesium chloride, shaken")                                                \
    X(DIPOLES, "parallel dipoles on a shaken lattice")

typedef enum ion_order {
#define ENUF_X(NAME, description) ORDER_##NAME,
    ION_ORDERS(ENUF_X)
#undef ENUF_X
        ION_ORDER_COUNT
} ion_order;

const char *ion_order_name(ion_order order);

/**
 * Ions of charge +-1 in a cell of this shape, in a volume of 1 each: about `edge`^3 of them, or
 * 2 `edge`^3 for CAESIUM_CHLORIDE and DIPOLES.
 *
 * amount  WALLS: the distance of the walls, as a fraction of the cell.
 *         LAYERS: the largest displacement of an ion out of its layer, in spacings.
 *         Others: the largest displacement of each coordinate, in spacings.
 *         Displacements are uniform random numbers.
 */
charge_system make_ordered_ions(ion_order order, uint64_t seed, int edge, cell_shape shape,
                                double amount);

#endif
