/*
 * test_example_data.c - the structures in examples/data have the number of ions, units and shortest
 * distance expected of them, and no net charge; the same water in two formats agrees to 1e-10; the
 * slab is open along z and polar.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "read.h"

#include <math.h>
#include <stdio.h>

static int read_example(const char *name, enuf_structure *s)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", EXAMPLE_DATA, name);
    return CHECK_STATUS(enuf_read_structure(path, NULL, NULL, 0, s), ENUF_SUCCESS);
}

static double net_charge(const enuf_structure *s)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->n; ++i) sum += s->charges[i];
    return sum;
}

/* The shortest distance of two ions, images included; the cells are orthogonal. */
static double nearest(const enuf_structure *s)
{
    double least = INFINITY;
    for (int64_t j = 1; j < s->n; ++j) {
        for (int64_t i = 0; i < j; ++i) {
            double r2 = 0.0;
            for (int d = 0; d < 3; ++d) {
                double x = s->positions[3 * j + d] - s->positions[3 * i + d], edge = s->cell[4 * d];
                if (s->periodic[d]) x -= edge * round(x / edge);
                r2 += x * x;
            }
            least = fmin(least, sqrt(r2));
        }
    }
    return least;
}

static void each_is_neutral_and_no_ions_overlap(void)
{
    static const struct {
        const char *name;
        int64_t n;
        double distance;
        enuf_units units;
    } examples[] = {
        {"spce_nist1.xyz", 300, 0.999, ENUF_UNITS_REAL},
        {"water.data", 300, 0.999, ENUF_UNITS_REAL},
        {"nacl.data", 64, 2.2, ENUF_UNITS_METAL},
        {"molten_salt.xyz", 216, 2.2, ENUF_UNITS_METAL},
        {"molten_nacl.xyz", 1000, 1.9, ENUF_UNITS_METAL},
        {"spce_liquid.xyz", 1200, 0.999, ENUF_UNITS_REAL},
        {"slab.xyz", 120, 2.2, ENUF_UNITS_METAL},
    };
    for (size_t e = 0; e < sizeof examples / sizeof *examples; ++e) {
        enuf_structure s;
        if (!read_example(examples[e].name, &s)) continue;
        CHECK(s.n == examples[e].n);
        CHECK(s.units == examples[e].units && s.units_given);
        CHECK_BELOW(net_charge(&s), 1e-12, "net charge");
        CHECK(nearest(&s) >= examples[e].distance);
        enuf_structure_free(&s);
    }
}

/* The same water through both formats; image flags undo the wrapping. */
static void both_waters_are_equal(void)
{
    enuf_structure a, b;
    if (!read_example("spce_nist1.xyz", &a)) return;
    if (read_example("water.data", &b)) {
        double worst = 0.0;
        for (int64_t k = 0; k < 3 * a.n; ++k)
            worst = fmax(worst, fabs(a.positions[k] - b.positions[k]));
        CHECK_BELOW(worst, 1e-10, "distance of the two waters"); /* 12 digits of numbers up to 10 */
        for (int64_t i = 0; i < a.n; ++i) {
            CHECK(a.charges[i] == b.charges[i]);
            CHECK(a.molecules[i] == b.molecules[i]);
        }
        CHECK(b.n_bonds == 200);
        for (int64_t k = 0; k < b.n_bonds; ++k)
            CHECK(b.molecules[b.bonds[2 * k]] == b.molecules[b.bonds[2 * k + 1]]);
        enuf_structure_free(&b);
    }
    enuf_structure_free(&a);
}

static void slab_is_open_along_z_and_polar(void)
{
    enuf_structure s;
    if (!read_example("slab.xyz", &s)) return;
    double dipole = 0.0;
    for (int64_t i = 0; i < s.n; ++i) dipole += s.charges[i] * s.positions[3 * i + 2];
    CHECK(s.periodic[0] && s.periodic[1] && !s.periodic[2]);
    CHECK(dipole > 1.0);
    enuf_structure_free(&s);
}

int main(void)
{
    each_is_neutral_and_no_ions_overlap();
    both_waters_are_equal();
    slab_is_open_along_z_and_polar();
    return check_result();
}
