/* pair_reference.c - see pair_reference.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_reference.h"

#include "lattice/cell_geometry.h"
#include "random_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *zeros(int64_t n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    if (!x) abort();
    return x;
}

pair_reference *pair_reference_empty(int64_t n)
{
    pair_reference *r = calloc(1, sizeof *r);
    if (!r) abort();
    r->n = n;
    r->forces = zeros(3 * n);
    r->field = zeros(3 * n);
    r->atom_energy = zeros(n);
    r->potential = zeros(n);
    r->atom_virial = zeros(6 * n);
    return r;
}

void pair_reference_free(pair_reference *r)
{
    free(r->forces);
    free(r->field);
    free(r->atom_energy);
    free(r->potential);
    free(r->atom_virial);
    free(r);
}

/* l = (1 - Phi(r))/r, the pair's energy for unit charges; f = -l'(r)/r, and f d is its force. */
static void pair_function(const enuf_splitting *splitting, long double r, long double *l,
                          long double *f)
{
    const long double cutoff = splitting->cutoff;
    if (splitting->kind == ENUF_SPLIT_GAUSSIAN) {
        const long double pi = 3.141592653589793238462643383L, alpha = splitting->alpha;
        *l = erfcl(alpha * r) / r;
        *f = (*l + 2 * alpha / sqrtl(pi) * expl(-alpha * alpha * r * r)) / (r * r);
    } else {
        const double s = (double)(r * r / (cutoff * cutoff));
        *l = 1 / r - (long double)enuf_splitting_q(s, splitting) / cutoff;
        *f = 1 / (r * r * r) -
             (long double)enuf_splitting_r(s, splitting) / (cutoff * cutoff * cutoff);
    }
}

typedef struct atom_sums {
    long double potential, field[3], tensor[6];
    int64_t neighbours;
} atom_sums;

static void add_image(pair_reference *reference, const enuf_splitting *splitting,
                      const long double d[3], double q_i, double q_j, atom_sums *sums)
{
    const long double r = sqrtl(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (r > (long double)splitting->cutoff) return;
    long double l, f;
    pair_function(splitting, r, &l, &f);
    sums->neighbours++;
    sums->potential += q_j * l;
    for (int e = 0; e < 3; e++) sums->field[e] += q_j * f * d[e];
    const int a[6] = {0, 1, 2, 0, 0, 1}, b[6] = {0, 1, 2, 1, 2, 2};
    for (int c = 0; c < 6; c++) sums->tensor[c] += q_j * f * d[a[c]] * d[b[c]];
    reference->largest_force = fmax(reference->largest_force, (double)fabsl(q_i * q_j / (r * r)));
    reference->largest_energy = fmax(reference->largest_energy, (double)fabsl(q_i * q_j / r));
}

pair_reference *pair_reference_make(const pair_system *system)
{
    const enuf_splitting *splitting = &system->splitting;
    const double *cell = system->cell, *positions = system->positions, *charges = system->charges;
    const int *periodic = system->periodic;
    const int64_t n = system->n;
    pair_reference *reference = pair_reference_empty(n);
    enuf_cell_geometry geometry;
    if (enuf_cell_geometry_make(cell, &geometry) != ENUF_SUCCESS) abort();
    long double rows[9], inverse[9];
    for (int k = 0; k < 9; k++) rows[k] = cell[k];
    enuf_invert_3x3(rows, inverse);
    int64_t reach[3];
    for (int d = 0; d < 3; d++)
        reach[d] = periodic[d] ? (int64_t)(splitting->cutoff / geometry.height[d]) + 2 : 0;

    long double *folded = calloc(3 * (size_t)n + 1, sizeof *folded);
    if (!folded) abort();
    for (int64_t i = 0; i < n; i++) {
        const double *p = positions + 3 * i;
        long double *x = folded + 3 * i;
        for (int e = 0; e < 3; e++) x[e] = p[e];
        for (int d = 0; d < 3; d++) {
            long double s = p[0] * inverse[d] + p[1] * inverse[3 + d] + p[2] * inverse[6 + d];
            for (int e = 0; e < 3 && periodic[d]; e++) x[e] -= floorl(s) * rows[3 * d + e];
        }
    }
    long double energy = 0, virial[6] = {0};
    for (int64_t i = 0; i < n; i++) {
        atom_sums sums = {0};
        for (int64_t j = 0; j < n; j++) {
            for (int64_t c = -reach[2]; c <= reach[2]; c++) {
                for (int64_t b = -reach[1]; b <= reach[1]; b++) {
                    for (int64_t a = -reach[0]; a <= reach[0]; a++) {
                        if (i == j && a == 0 && b == 0 && c == 0) continue;
                        long double d[3];
                        for (int e = 0; e < 3; e++)
                            d[e] = folded[3 * i + e] - folded[3 * j + e] -
                                   (long double)a * rows[e] - (long double)b * rows[3 + e] -
                                   (long double)c * rows[6 + e];
                        add_image(reference, splitting, d, charges[i], charges[j], &sums);
                    }
                }
            }
        }
        const long double q = charges[i];
        reference->potential[i] = (double)sums.potential;
        reference->atom_energy[i] = (double)(q * sums.potential / 2);
        energy += q * sums.potential / 2;
        for (int e = 0; e < 3; e++) {
            reference->field[3 * i + e] = (double)sums.field[e];
            reference->forces[3 * i + e] = (double)(q * sums.field[e]);
        }
        for (int c = 0; c < 6; c++) {
            reference->atom_virial[6 * i + c] = (double)(q * sums.tensor[c] / 2);
            virial[c] += q * sums.tensor[c] / 2;
        }
        reference->pairs += sums.neighbours;
        if (sums.neighbours > reference->most_neighbours)
            reference->most_neighbours = sums.neighbours;
    }
    reference->pairs /= 2;
    reference->energy = (double)energy;
    for (int c = 0; c < 6; c++) reference->virial[c] = (double)virial[c];
    free(folded);
    return reference;
}

pair_system *pair_system_make(const char *name, const double cell[9], double cutoff, int64_t n,
                              double min_distance)
{
    pair_system *s = calloc(1, sizeof *s);
    if (!s) abort();
    s->name = name;
    s->n = n;
    memcpy(s->cell, cell, sizeof s->cell);
    for (int d = 0; d < 3; d++) s->periodic[d] = 1;
    s->positions = zeros(3 * n);
    s->charges = zeros(n);
    random_ions(42, n, cell, min_distance, s->positions, s->charges);
    s->splitting.cutoff = cutoff;
    pair_system_split(s, ENUF_SPLIT_GAUSSIAN);
    return s;
}

void pair_system_free(pair_system *system)
{
    free(system->positions);
    free(system->charges);
    free(system);
}

void pair_system_split(pair_system *system, enuf_split split)
{
    const double cutoff = system->splitting.cutoff;
    enuf_status status = split == ENUF_SPLIT_GAUSSIAN
                             ? enuf_splitting_gaussian(4.4 / cutoff, cutoff, &system->splitting)
                             : enuf_splitting_prolate(20, cutoff, &system->splitting);
    if (status != ENUF_SUCCESS) abort();
    if (enuf_pair_table_make(&system->splitting, 0, &system->table) != ENUF_SUCCESS) abort();
}

enuf_status pair_system_sum(const pair_system *s, pair_mode mode, pair_reference *out)
{
    enuf_pair_request request = {
        .cell = s->cell,
        .periodic = {s->periodic[0], s->periodic[1], s->periodic[2]},
        .n = s->n,
        .positions = s->positions,
        .stride = 3,
        .charges = s->charges,
        .table = &s->table,
        .arithmetic = mode.arithmetic,
        .threads = mode.threads,
        .deterministic = mode.deterministic,
        .wanted = mode.wanted,
    };
    for (int64_t i = 0; i < s->n; i++) {
        request.n_charged += s->charges[i] != 0;
        request.sum_q2 += s->charges[i] * s->charges[i];
        request.largest_charge = fmax(request.largest_charge, fabs(s->charges[i]));
    }
    enuf_pair_sums sums = {
        .forces = out->forces,
        .atom_energy = out->atom_energy,
        .atom_virial = out->atom_virial,
        .potential = out->potential,
        .field = out->field,
    };
    const enuf_ewald_backend *cpu;
    enuf_pairs *pairs = NULL;
    ENUF_TRY(enuf_ewald_backend_find(ENUF_BACKEND_CPU, ENUF_ISA_AUTO, &cpu));
    ENUF_TRY(cpu->pairs_create(&pairs));
    const enuf_status status = cpu->pairs_sum(pairs, &request, &sums);
    cpu->pairs_destroy(&pairs);
    out->energy = sums.energy;
    memcpy(out->virial, sums.virial, sizeof sums.virial);
    return status;
}

double largest_difference(const double *a, const double *b, int64_t n)
{
    double worst = 0;
    for (int64_t k = 0; k < n; k++) {
        double difference = fabs(a[k] - b[k]);
        worst = difference <= worst ? worst : difference;
        if (isnan(difference)) return INFINITY;
    }
    return worst;
}
