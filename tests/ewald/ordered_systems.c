/* ordered_systems.c - see ordered_systems.h. SPDX-License-Identifier: BSD-3-Clause */
#include "ordered_systems.h"
#include "random_system.h"

#include <math.h>
#include <stdlib.h>

const char *ion_order_name(ion_order order)
{
    static const char *const names[] = {
#define ENUF_X(NAME, description) description,
        ION_ORDERS(ENUF_X)
#undef ENUF_X
    };
    return names[order];
}

static charge_system make_empty(int64_t n, cell_shape shape, double volume)
{
    charge_system s = {
        .n = n, .x = calloc((size_t)(3 * n), sizeof *s.x), .q = calloc((size_t)n, sizeof *s.q)};
    if (!s.x || !s.q) abort();
    make_cell(shape, volume, s.cell);
    return s;
}

/* Replaces fractional by Cartesian coordinates. */
static void to_cartesian(charge_system *s)
{
    for (int64_t i = 0; i < s->n; i++) {
        double x[3] = {0, 0, 0};
        for (int d = 0; d < 3; d++)
            for (int e = 0; e < 3; e++) x[e] += s->x[3 * i + d] * s->cell[3 * d + e];
        for (int d = 0; d < 3; d++) s->x[3 * i + d] = x[d];
    }
}

/* Sheets along a and b, of alternating sign. The across^2 ions of a sheet are on a square lattice,
 * with random displacements. Sheet k is at the fraction at[k] of c; `strays` is the largest
 * displacement along c, in spacings of the square lattice. */
static charge_system make_sheets(uint64_t seed, int sheets, int across, cell_shape shape,
                                 const double *at, double strays)
{
    const int64_t n = (int64_t)sheets * across * across;
    charge_system s = make_empty(n, shape, (double)n);
    double *off = calloc((size_t)(3 * n), sizeof *off);
    if (!off) abort();
    random_numbers(seed, 3 * n, -1, 1, off);
    for (int64_t i = 0; i < n; i++) {
        const int64_t sheet = i / (across * across), y = i / across % across, x = i % across;
        s.q[i] = sheet % 2 ? -1 : 1;
        s.x[3 * i] = ((double)x + 0.3 * off[3 * i]) / across;
        s.x[3 * i + 1] = ((double)y + 0.3 * off[3 * i + 1]) / across;
        s.x[3 * i + 2] = at[sheet] + strays * off[3 * i + 2] / across;
    }
    to_cartesian(&s);
    free(off);
    return s;
}

static charge_system make_walls(uint64_t seed, int edge, cell_shape shape, double distance)
{
    const double at[2] = {0.1, 0.1 + distance};
    return make_sheets(seed, 2, (int)lrint(sqrt(0.5 * edge * edge * edge)), shape, at, 0);
}

static charge_system make_layers(uint64_t seed, int edge, cell_shape shape, double strays)
{
    double *at = calloc((size_t)edge, sizeof *at);
    if (!at) abort();
    for (int k = 0; k < edge; k++) at[k] = (double)k / edge;
    charge_system s = make_sheets(seed, edge, edge, shape, at, strays);
    free(at);
    return s;
}

/* Ions 2 i and 2 i + 1 are neighbours. */
static charge_system make_lattice(ion_order order, uint64_t seed, int edge, cell_shape shape,
                                  double shaken)
{
    const int64_t cells = (int64_t)edge * edge * edge;
    const int64_t n = order == ORDER_ROCK_SALT ? cells : 2 * cells;
    charge_system s = make_empty(n, shape, (double)n);
    double *off = calloc((size_t)(3 * n), sizeof *off);
    if (!off) abort();
    random_numbers(seed, 3 * n, -1, 1, off);
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = order == ORDER_ROCK_SALT ? i : i / 2;
        const int64_t m[3] = {at % edge, at / edge % edge, at / edge / edge};
        const int second =
            order == ORDER_ROCK_SALT ? (int)((m[0] + m[1] + m[2]) % 2) : (int)(i % 2);
        /* of the second ion: to the centre of the lattice cell, or a third of its edge along c */
        const double shift[3] = {order == ORDER_CAESIUM_CHLORIDE ? 0.5 : 0,
                                 order == ORDER_CAESIUM_CHLORIDE ? 0.5 : 0,
                                 order == ORDER_CAESIUM_CHLORIDE ? 0.5 : 1.0 / 3};
        s.q[i] = second ? -1 : 1;
        for (int d = 0; d < 3; d++)
            s.x[3 * i + d] = ((double)m[d] + shaken * off[3 * i + d] +
                              (order != ORDER_ROCK_SALT && second ? shift[d] : 0)) /
                             edge;
    }
    to_cartesian(&s);
    free(off);
    return s;
}

charge_system make_ordered_ions(ion_order order, uint64_t seed, int edge, cell_shape shape,
                                double amount)
{
    switch (order) {
    case ORDER_WALLS:
        return make_walls(seed, edge, shape, amount);
    case ORDER_LAYERS:
        return make_layers(seed, edge, shape, amount);
    default:
        return make_lattice(order, seed, edge, shape, amount);
    }
}
