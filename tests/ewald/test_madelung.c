/*
 * test_madelung.c - NaCl, CsCl and fluorite, 2 x 2 x 2 cells, have their Madelung constants, where
 * the energy of a formula unit is minus the constant over its length d. Both splittings at
 * A = 1e-13. Bounds: 20 A for the constants, A F_ref for the forces, which are zero by symmetry,
 * 60 A for the trace of the virial. Source: docs/theory.md, "Reference values".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

typedef struct ion {
    double q, s[3]; /* charge, fraction of the cubic cell of edge 1 */
} ion;

typedef struct structure {
    const char *name;
    double constant, d; /* the Madelung constant and its length */
    double units;       /* formula units in a cell */
    int n;
    ion ions[12];
} structure;

static const structure structures[] = {
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
};

enum { CELLS = 2 };

static int64_t repeat(const structure *crystal, double *x, double *q)
{
    int64_t n = 0;
    for (int cell = 0; cell < CELLS * CELLS * CELLS; cell++)
        for (int k = 0; k < crystal->n; k++, n++) {
            const int at[3] = {cell % CELLS, cell / CELLS % CELLS, cell / CELLS / CELLS};
            for (int d = 0; d < 3; d++) x[3 * n + d] = at[d] + crystal->ions[k].s[d];
            q[n] = crystal->ions[k].q;
        }
    return n;
}

int main(void)
{
    const double accuracy = 1e-13;
    double x[3 * 96], q[96];
    for (int k = 0; k < 3; k++)
        for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
            charge_system s = {.x = x, .q = q, .cell = {CELLS, 0, 0, 0, CELLS, 0, 0, 0, CELLS}};
            s.n = repeat(&structures[k], x, q);
            enuf_ewald_options options = options_for(accuracy, (enuf_split)split);
            enuf_ewald_result r = evaluate(&options, &s, NULL, WANT_SUMS);
            double found =
                -r.energy / (CELLS * CELLS * CELLS * structures[k].units) * structures[k].d;
            printf("%s, %s: %.15f\n", structures[k].name, enuf_split_name(options.split), found);
            CHECK_CLOSE(found, structures[k].constant, 20 * accuracy, "Madelung constant, 20 A");
            CHECK_BELOW(rms_difference(s.n, r.forces, NULL) / reference_force(&s), accuracy,
                        "RMS force / F_ref, A");
            /* Coulomb energy is homogeneous of degree -1: the trace of the virial is the energy */
            CHECK_CLOSE(r.virial[0] + r.virial[1] + r.virial[2], r.energy, 60 * accuracy,
                        "trace of the virial, 3 x 20 A");
            free_result(&r);
        }
    return check_result();
}
