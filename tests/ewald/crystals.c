/* crystals.c - see crystals.h. SPDX-License-Identifier: BSD-3-Clause */
#include "crystals.h"

#include <stdlib.h>

const crystal crystals[CRYSTALS] = {
    {"NaCl",
     1.747564594633182191,
     0.5,
     4,
     8,
     {{1, {0, 0, 0}},
      {1, {0, .5, .5}},
      {1, {.5, 0, .5}},
      {1, {.5, .5, 0}},
      {-1, {.5, .5, .5}},
      {-1, {.5, 0, 0}},
      {-1, {0, .5, 0}},
      {-1, {0, 0, .5}}}},
    {"CsCl",
     1.762674773070988398,
     0.86602540378443864676,
     1,
     2,
     {{1, {0, 0, 0}}, {-1, {.5, .5, .5}}}},
    {"fluorite",
     5.038784879848567245,
     0.43301270189221932338,
     4,
     12,
     {{2, {0, 0, 0}},
      {2, {0, .5, .5}},
      {2, {.5, 0, .5}},
      {2, {.5, .5, 0}},
      {-1, {.25, .25, .25}},
      {-1, {.25, .25, .75}},
      {-1, {.25, .75, .25}},
      {-1, {.25, .75, .75}},
      {-1, {.75, .25, .25}},
      {-1, {.75, .25, .75}},
      {-1, {.75, .75, .25}},
      {-1, {.75, .75, .75}}}},
    {"zincblende",
     1.638055053388789424,
     0.43301270189221932338,
     4,
     8,
     {{1, {0, 0, 0}},
      {1, {0, .5, .5}},
      {1, {.5, 0, .5}},
      {1, {.5, .5, 0}},
      {-1, {.25, .25, .25}},
      {-1, {.25, .75, .75}},
      {-1, {.75, .25, .75}},
      {-1, {.75, .75, .25}}}},
};

charge_system make_crystal(const crystal *of, int cells)
{
    charge_system s = {.cell = {cells, 0, 0, 0, cells, 0, 0, 0, cells}};
    const int repeats = cells * cells * cells;
    s.x = calloc((size_t)(3 * repeats * of->n), sizeof *s.x);
    s.q = calloc((size_t)(repeats * of->n), sizeof *s.q);
    if (!s.x || !s.q) abort();
    for (int cell = 0; cell < repeats; cell++)
        for (int k = 0; k < of->n; k++, s.n++) {
            const int at[3] = {cell % cells, cell / cells % cells, cell / cells / cells};
            for (int d = 0; d < 3; d++) s.x[3 * s.n + d] = at[d] + of->ions[k].s[d];
            s.q[s.n] = of->ions[k].q;
        }
    return s;
}
