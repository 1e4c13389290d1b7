/* systems.c - see systems.h. SPDX-License-Identifier: BSD-3-Clause */
#include "systems.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cell_shape_name(cell_shape shape)
{
    static const char *const names[] = {
#define ENUF_X(NAME, description) description,
        CELL_SHAPES(ENUF_X)
#undef ENUF_X
    };
    return names[shape];
}

void make_cell(cell_shape shape, double volume, double cell[9])
{
    static const double shapes[CELL_SHAPE_COUNT][9] = {
        [CELL_CUBIC] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
        [CELL_THIN] = {1, 0, 0, 0, 2, 0, 0, 0, 4},
        [CELL_TRICLINIC] = {1, 0, 0, 0.4, 0.9, 0, -0.3, 0.5, 1.1},
        [CELL_LEFT_HANDED] = {0.3, 0.9, -0.2, 1.1, -0.1, 0.3, 0.2, 0.4, 0.8},
    };
    const double *s = shapes[shape];
    double determinant = s[0] * (s[4] * s[8] - s[5] * s[7]) - s[1] * (s[3] * s[8] - s[5] * s[6]) +
                         s[2] * (s[3] * s[7] - s[4] * s[6]);
    double scale = cbrt(volume / fabs(determinant));
    for (int k = 0; k < 9; k++) cell[k] = scale * s[k];
}

static double *numbers(int64_t n)
{
    double *x = calloc((size_t)(n > 0 ? n : 1), sizeof *x);
    if (!x) abort();
    return x;
}

static charge_system make_system(int64_t n)
{
    return (charge_system){.n = n, .x = numbers(3 * n), .q = numbers(n)};
}

charge_system make_ions(uint64_t seed, int64_t n, cell_shape shape, double net)
{
    charge_system s = make_system(n);
    double sum = 0;
    make_cell(shape, (double)n / 0.1, s.cell);
    random_ions(seed, n, s.cell, 1.3, s.x, s.q);
    for (int64_t i = 0; i < n; i++) sum += s.q[i];
    s.q[n - 1] += net - sum;
    return s;
}

/* SPC/E: Berendsen, Grigera, Straatsma, J. Phys. Chem. 91 (1987) 6269. Molecules of diameter 2.4
 * at random places, 0.02 per cubic Angstrom: less dense than liquid water. */
charge_system make_water(uint64_t seed, int64_t n_molecules, int64_t *pairs)
{
    const double bond = 1.0, half_angle = 0.5 * 109.47 * acos(-1.0) / 180, charge = 0.4238;
    charge_system s = make_system(3 * n_molecules);
    double *centre = numbers(3 * n_molecules), *unused = numbers(n_molecules);
    double *turn = numbers(4 * n_molecules);
    make_cell(CELL_CUBIC, (double)n_molecules / 0.02, s.cell);
    random_ions(seed, n_molecules, s.cell, 2.4, centre, unused);
    random_numbers(seed + 1, 4 * n_molecules, -1, 1, turn);
    for (int64_t k = 0; k < n_molecules; k++) {
        /* a rotation from a random quaternion */
        double *t = &turn[4 * k],
               norm = 1 / sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] + t[3] * t[3]);
        double w = t[0] * norm, x = t[1] * norm, y = t[2] * norm, z = t[3] * norm;
        double along[3] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)};
        double across[3] = {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)};
        for (int atom = 0; atom < 3; atom++) {
            double a = atom == 0 ? 0 : bond * cos(half_angle);
            double b = atom == 0 ? 0 : (atom == 1 ? 1 : -1) * bond * sin(half_angle);
            for (int d = 0; d < 3; d++)
                s.x[3 * (3 * k + atom) + d] = centre[3 * k + d] + a * along[d] + b * across[d];
            s.q[3 * k + atom] = atom == 0 ? -2 * charge : charge;
        }
        const int64_t bonded[6] = {0, 1, 0, 2, 1, 2};
        for (int p = 0; p < 6 && pairs; p++) pairs[6 * k + p] = 3 * k + bonded[p];
    }
    free(centre);
    free(unused);
    free(turn);
    return s;
}

charge_system copy_system(const charge_system *system)
{
    charge_system copy = make_system(system->n);
    memcpy(copy.cell, system->cell, sizeof copy.cell);
    memcpy(copy.x, system->x, 3 * (size_t)system->n * sizeof *copy.x);
    memcpy(copy.q, system->q, (size_t)system->n * sizeof *copy.q);
    return copy;
}

/* Replaces the cell by another one of its lattice: a product of shears. Each shear adds up to
 * `most` times one vector to another one. A slab keeps its c. */
static void shear(uint64_t seed, int most, int is_slab, double cell[9])
{
    enum { SHEARS = 6 };
    double by[SHEARS];
    random_numbers(seed, SHEARS, -most - 0.5, most + 0.5, by);
    const int rows[SHEARS][2] = {{1, 0}, {2, 0}, {2, 1}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < SHEARS; k++) {
        const int to = rows[k][0], from = rows[k][1];
        if (is_slab && (to == 2 || from == 2)) continue;
        /* the last three shears are small, because the tilts of two shears multiply */
        const double times = rint(k < 3 ? by[k] : by[k] / most);
        for (int e = 0; e < 3; e++) cell[3 * to + e] += times * cell[3 * from + e];
    }
}

/* Moves each ion to its image in the cell, as a host does that wraps its atoms. */
static void wrap(charge_system *s)
{
    const double *h = s->cell;
    double g[9];
    for (int d = 0; d < 3; d++) {
        const double *u = h + 3 * ((d + 1) % 3), *v = h + 3 * ((d + 2) % 3);
        for (int e = 0; e < 3; e++) {
            const int f = (e + 1) % 3, k = (e + 2) % 3;
            g[3 * d + e] = u[f] * v[k] - u[k] * v[f];
        }
    }
    const double volume = h[0] * g[0] + h[1] * g[1] + h[2] * g[2];
    for (int64_t i = 0; i < s->n; i++) {
        double *x = s->x + 3 * i, whole[3];
        for (int d = 0; d < 3; d++)
            whole[d] =
                floor((x[0] * g[3 * d] + x[1] * g[3 * d + 1] + x[2] * g[3 * d + 2]) / volume);
        for (int e = 0; e < 3; e++) {
            long double at = x[e]; /* rounded once, at the end */
            for (int d = 0; d < 3; d++) at -= (long double)whole[d] * h[3 * d + e];
            x[e] = (double)at;
        }
    }
}

charge_system another_description(const charge_system *system, uint64_t seed, int most, int is_slab)
{
    charge_system other = copy_system(system);
    shear(seed, most, is_slab, other.cell);
    wrap(&other);
    return other;
}

void free_system(charge_system *system)
{
    free(system->x);
    free(system->q);
    *system = (charge_system){0};
}

double reference_force(const charge_system *system)
{
    const double *c = system->cell;
    double volume = fabs(c[0] * (c[4] * c[8] - c[5] * c[7]) - c[1] * (c[3] * c[8] - c[5] * c[6]) +
                         c[2] * (c[3] * c[7] - c[4] * c[6]));
    double n = 0, sum = 0;
    for (int64_t i = 0; i < system->n; i++) {
        n += system->q[i] != 0;
        sum += system->q[i] * system->q[i];
    }
    return sum / n * pow(n / volume, 2.0 / 3);
}

enuf_ewald_result make_result(int64_t n)
{
    return (enuf_ewald_result){
        .struct_size = sizeof(enuf_ewald_result),
        .forces = numbers(3 * n),
        .atom_energy = numbers(n),
        .atom_virial = numbers(6 * n),
        .potential = numbers(n),
        .field = numbers(3 * n),
    };
}

void free_result(enuf_ewald_result *result)
{
    free(result->forces);
    free(result->atom_energy);
    free(result->atom_virial);
    free(result->potential);
    free(result->field);
    memset(result, 0, sizeof *result);
}

enuf_backend tested_backend(void)
{
    enum { SKIPPED = 77 };
    const char *name = getenv("ENUF_TEST_BACKEND"), *reason = "";
    enuf_backend backend = ENUF_BACKEND_AUTO;
    if (!name) return backend;
    if (enuf_backend_parse(name, &backend) != ENUF_SUCCESS) {
        printf("ENUF_TEST_BACKEND: %s\n", enuf_last_error());
        exit(1);
    }
    if (!enuf_backend_usable(backend, &reason)) {
        printf("skipped: backend %s: %s\n", name, reason);
        exit(SKIPPED);
    }
    return backend;
}

enuf_ewald_options options_for(double accuracy, enuf_split split)
{
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = accuracy;
    options.split = split;
    options.backend = tested_backend();
    options.arithmetic = ENUF_ARITHMETIC_DOUBLE; /* then the bounds of all backends are the same */
    return options;
}

enuf_ewald *make_ewald(const enuf_ewald_options *options, const charge_system *system,
                       const enuf_exclusions *exclusions)
{
    enuf_ewald *ewald = NULL;
    if (CHECK_STATUS(enuf_ewald_create(options, &ewald), ENUF_SUCCESS) &&
        CHECK_STATUS(enuf_ewald_set_cell(ewald, system->cell), ENUF_SUCCESS) &&
        CHECK_STATUS(enuf_ewald_set_charges(ewald, system->n, system->q, exclusions), ENUF_SUCCESS))
        return ewald;
    enuf_ewald_destroy(&ewald);
    return NULL;
}

enuf_ewald_result evaluate(const enuf_ewald_options *options, const charge_system *system,
                           const enuf_exclusions *exclusions, int wanted)
{
    enuf_ewald_result result = make_result(system->n);
    enuf_ewald *ewald = make_ewald(options, system, exclusions);
    if (ewald) CHECK_STATUS(enuf_ewald_compute(ewald, system->x, 3, wanted, &result), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    return result;
}

enuf_ewald_result evaluate_exactly(const enuf_ewald_options *options, const charge_system *system,
                                   const enuf_exclusions *exclusions)
{
    enuf_ewald_result result = make_result(system->n);
    enuf_exact_options exact;
    enuf_exact_options_init(&exact);
    exact.coulomb = options->coulomb;
    exact.surroundings = options->surroundings;
    exact.slab = options->slab;
    enuf_exact_result sums = {.forces = result.forces, .potential = result.potential};
    CHECK_STATUS(enuf_exact_ewald(&exact, system->cell, system->n, system->x, 3, system->q,
                                  exclusions, system->n, NULL, &sums),
                 ENUF_SUCCESS);
    result.energy = sums.energy;
    result.parts = sums.parts;
    memcpy(result.virial, sums.virial, sizeof result.virial);
    return result;
}

double rms_difference(int64_t n, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t k = 0; k < 3 * n; k++) {
        double difference = a[k] - (b ? b[k] : 0);
        sum += difference * difference;
    }
    return n > 0 ? sqrt(sum / (double)n) : 0;
}

double largest_difference(int64_t n, const double *a, const double *b)
{
    double largest = 0;
    for (int64_t k = 0; k < n; k++) {
        double difference = fabs(a[k] - b[k]);
        if (isnan(difference)) return difference;
        largest = fmax(largest, difference);
    }
    return largest;
}
