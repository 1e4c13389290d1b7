/*
 * test_cif_pymatgen.c - CIF files of pymatgen's CifWriter, with and without symmetry, are read with
 * the right number of ions, volume (1e-7) and shortest distance (3e-6), which pymatgen's
 * get_distance() gave. Their formula counts the whole cell, although they give Z.
 *
 * Files in pymatgen/: CifWriter(structure, symprec=0.01) of pymatgen 2026.10.24, *_p1 without
 * symprec, *_primitive with refine_struct=False.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "read.h"

#include <math.h>
#include <stdio.h>

/* The shortest distance of ions of opposite sign, over the 27 nearest cells, which is enough here.
 */
static double shortest_distance(const enuf_structure *s)
{
    double least = INFINITY;
    for (int64_t i = 0; i < s->n; ++i) {
        for (int64_t j = 0; j < s->n; ++j) {
            if (s->charges[i] * s->charges[j] >= 0.0) continue;
            for (int cell = 0; cell < 27; ++cell) {
                const int shift[3] = {cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
                double r2 = 0.0;
                for (int k = 0; k < 3; ++k) {
                    double d = s->positions[3 * j + k] - s->positions[3 * i + k];
                    for (int v = 0; v < 3; ++v) d += shift[v] * s->cell[3 * v + k];
                    r2 += d * d;
                }
                least = fmin(least, sqrt(r2));
            }
        }
    }
    return least;
}

/* The crystal of each file; distances by pymatgen's get_distance(). */
static const struct {
    const char *name;
    const char *charges[2]; /* NULL: the file gives them */
    int64_t n;
    double volume, distance; /* volume of an ion; shortest distance of opposite ions; Angstrom */
} crystals[] = {
    {"salt_p1", {NULL, NULL}, 8, 5.6402 * 5.6402 * 5.6402 / 8, 5.6402 / 2},
    {"salt_primitive", {NULL, NULL}, 2, 5.6402 * 5.6402 * 5.6402 / 8, 5.6402 / 2},
    {"fluorite", {NULL, NULL}, 12, 5.4626 * 5.4626 * 5.4626 / 12, 2.36537518801},
    {"wurtzite", {NULL, NULL}, 4, 3.25 * 3.25 * 0.866025403784 * 5.207 / 4, 1.952625},
    {"rutile", {NULL, NULL}, 6, 4.594 * 4.594 * 2.959 / 6, 1.94780466880},
    {"rutile_p1", {"Ti=4", "O=-2"}, 6, 4.594 * 4.594 * 2.959 / 6, 1.94780466880},
    {"quartz", {NULL, NULL}, 9, 4.916 * 4.916 * 0.866025403784 * 5.4054 / 9, 1.60595891246},
    {"corundum_primitive",
     {NULL, NULL},
     10,
     4.759 * 4.759 * 0.866025403784 * 12.991 / 30,
     1.85407537071},
};

static void layout_gives_the_crystal(size_t c)
{
    char path[400];
    enuf_charge_rule rules[2];
    enuf_structure s;
    int n_rules = 0;
    double net = 0.0;
    for (; n_rules < 2 && crystals[c].charges[n_rules]; ++n_rules)
        CHECK_STATUS(enuf_charge_rule_parse(crystals[c].charges[n_rules], &rules[n_rules]),
                     ENUF_SUCCESS);
    snprintf(path, sizeof path, PYMATGEN "/%s.cif", crystals[c].name);
    if (!CHECK_STATUS(enuf_read_structure(path, NULL, rules, n_rules, &s), ENUF_SUCCESS)) return;
    for (int64_t i = 0; i < s.n; ++i) net += s.charges[i];
    CHECK(s.n == crystals[c].n);
    CHECK_BELOW(net, 1e-12, "net charge: whole numbers");
    /* the files have 8 decimals in fractions and in lengths around 5 */
    CHECK_CLOSE(enuf_structure_volume(&s) / (double)s.n, crystals[c].volume, 1e-7, "volume");
    CHECK_CLOSE(shortest_distance(&s), crystals[c].distance, 3e-6, crystals[c].name);
    enuf_structure_free(&s);
}

int main(void)
{
    for (size_t c = 0; c < sizeof crystals / sizeof *crystals; ++c) layout_gives_the_crystal(c);
    return check_result();
}
