/*
 * ordered_systems.h - ions that gather their charge in few modes: walls, layers, shaken lattices.
 * SPDX-License-Identifier: BSD-3-Clause
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
 * Some `edge`^3 ions of charge +-1 in a cell of this shape, unit spacing for a volume of 1 each.
 *
 * amount  WALLS: their distance, as a part of the cell; LAYERS: ions stray from theirs by so many
 *         spacings; the others: every coordinate is shaken by so many spacings, evenly, at most
 */
charge_system make_ordered_ions(ion_order order, uint64_t seed, int edge, cell_shape shape,
                                double amount);

#endif
