/*
 * test_pairs_bits.c - the number of threads, 1 to 7, changes no bit of the CPU's pair sums, in
 * double, mixed and deterministic mode. In deterministic mode the order of atoms, the grid of cells
 * and the wanted results change no bit either, and forces add up to zero. Random ions in a box, a
 * left-handed cell, a cell smaller than the cutoff, with an open direction, with close pairs and a
 * cluster, thousands of cells away, and a few ions in a cell of a hundred cutoffs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "pair_reference.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same(const double *a, const double *b, int64_t n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static void check_same(const pair_reference *a, const pair_reference *b)
{
    CHECK(a->energy == b->energy);
    CHECK(same(a->virial, b->virial, 6));
    CHECK(same(a->forces, b->forces, 3 * a->n));
    CHECK(same(a->field, b->field, 3 * a->n));
    CHECK(same(a->potential, b->potential, a->n));
    CHECK(same(a->atom_energy, b->atom_energy, a->n));
    CHECK(same(a->atom_virial, b->atom_virial, 6 * a->n));
}

static void threads_change_nothing(const pair_system *s)
{
    for (int mode = 0; mode < 3; mode++) {
        pair_mode settings = {.threads = 1, .wanted = PAIR_ALL, .deterministic = mode == 2};
        settings.arithmetic = mode == 1 ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
        pair_reference *one = pair_reference_empty(s->n);
        CHECK_STATUS(pair_system_sum(s, settings, one), ENUF_SUCCESS);
        for (settings.threads = 2; settings.threads <= 7;
             settings.threads += settings.threads == 2 ? 1 : 4) {
            pair_reference *many = pair_reference_empty(s->n);
            CHECK_STATUS(pair_system_sum(s, settings, many), ENUF_SUCCESS);
            check_same(one, many);
            pair_reference_free(many);
        }
        pair_reference_free(one);
    }
}

/* The new index of atom i, a i + b mod n, where a and n have no common factor. */
static int64_t shuffled(int64_t i, int64_t n)
{
    return (i * 7919 + 13) % n;
}

static pair_system *shuffle(const pair_system *s, double spread)
{
    pair_system *other = pair_system_make(s->name, s->cell, s->splitting.cutoff, s->n, 0.01);
    memcpy(other->periodic, s->periodic, sizeof s->periodic);
    for (int64_t i = 0; i < s->n; i++) {
        const int64_t to = shuffled(i, s->n);
        other->charges[to] = s->charges[i];
        for (int e = 0; e < 3; e++)
            other->positions[3 * to + e] = s->positions[3 * i + e] * (1 + spread);
    }
    return other;
}

static void order_of_atoms_changes_nothing(const pair_system *s)
{
    const pair_mode settings = {.threads = 2, .wanted = PAIR_ALL, .deterministic = 1};
    const int64_t n = s->n;
    pair_system *other = shuffle(s, 0);
    pair_reference *a = pair_reference_empty(n), *b = pair_reference_empty(n);
    CHECK_STATUS(pair_system_sum(s, settings, a), ENUF_SUCCESS);
    CHECK_STATUS(pair_system_sum(other, settings, b), ENUF_SUCCESS);
    pair_reference *back = pair_reference_empty(n);
    for (int64_t i = 0; i < n; i++) {
        const int64_t j = shuffled(i, n);
        memcpy(back->forces + 3 * i, b->forces + 3 * j, 3 * sizeof(double));
        memcpy(back->field + 3 * i, b->field + 3 * j, 3 * sizeof(double));
        memcpy(back->atom_virial + 6 * i, b->atom_virial + 6 * j, 6 * sizeof(double));
        back->potential[i] = b->potential[j];
        back->atom_energy[i] = b->atom_energy[j];
    }
    back->energy = b->energy;
    memcpy(back->virial, b->virial, sizeof b->virial);
    check_same(a, back);
    CHECK(a->energy != 0);
    pair_reference_free(a);
    pair_reference_free(b);
    pair_reference_free(back);
    pair_system_free(other);
}

/* Additional atoms without charge change the grid of cells, and so the order and sides of the
 * pairs, but no bit of the charged atoms' sums. */
static void grid_changes_nothing(const pair_system *s)
{
    const pair_mode settings = {.threads = 2, .wanted = PAIR_ALL, .deterministic = 1};
    const int64_t n = s->n;
    pair_system *more = pair_system_make(s->name, s->cell, s->splitting.cutoff, 5 * n, 0.01);
    memcpy(more->periodic, s->periodic, sizeof s->periodic);
    for (int64_t i = 0; i < 5 * n; i++) {
        /* ions are 1 apart: none of these is closer than 0.2 to another */
        for (int e = 0; e < 3; e++)
            more->positions[3 * i + e] =
                s->positions[3 * (i % n) + e] + (e == 0 ? 0.2 * (double)(i / n) : 0);
        more->charges[i] = i < n ? s->charges[i] : 0;
    }
    pair_reference *a = pair_reference_empty(n), *b = pair_reference_empty(5 * n);
    CHECK_STATUS(pair_system_sum(s, settings, a), ENUF_SUCCESS);
    CHECK_STATUS(pair_system_sum(more, settings, b), ENUF_SUCCESS);
    b->n = n;
    check_same(a, b);
    pair_reference_free(a);
    pair_reference_free(b);
    pair_system_free(more);
}

/* Sums that only some results need are left out: of both atoms, or of one of them. */
static void other_results_change_nothing(const pair_system *s)
{
    pair_mode settings = {.threads = 2, .wanted = PAIR_ALL, .deterministic = 1};
    pair_reference *all = pair_reference_empty(s->n);
    CHECK_STATUS(pair_system_sum(s, settings, all), ENUF_SUCCESS);
    const int less[] = {ENUF_WANT_FORCES, ENUF_WANT_FORCES | ENUF_WANT_ENERGY,
                        ENUF_WANT_FORCES | ENUF_WANT_ENERGY | ENUF_WANT_VIRIAL,
                        ENUF_WANT_FORCES | ENUF_WANT_ENERGY | ENUF_WANT_ATOM_ENERGY,
                        ENUF_WANT_FORCES | ENUF_WANT_VIRIAL | ENUF_WANT_ATOM_VIRIAL};
    for (size_t k = 0; k < sizeof less / sizeof *less; k++) {
        settings.wanted = less[k];
        pair_reference *some = pair_reference_empty(s->n);
        CHECK_STATUS(pair_system_sum(s, settings, some), ENUF_SUCCESS);
        CHECK(same(some->forces, all->forces, 3 * s->n));
        if (less[k] & ENUF_WANT_ENERGY) CHECK(some->energy == all->energy);
        if (less[k] & ENUF_WANT_VIRIAL) CHECK(same(some->virial, all->virial, 6));
        if (less[k] & ENUF_WANT_ATOM_ENERGY) CHECK(same(some->atom_energy, all->atom_energy, s->n));
        if (less[k] & ENUF_WANT_ATOM_VIRIAL)
            CHECK(same(some->atom_virial, all->atom_virial, 6 * s->n));
        pair_reference_free(some);
    }
    pair_reference_free(all);
}

/* f_ij = -f_ji exactly, so the integer forces add up to zero. Each is rounded once to a double. */
static void forces_balance(const pair_system *s)
{
    const pair_mode settings = {.threads = 2, .wanted = ENUF_WANT_FORCES, .deterministic = 1};
    pair_reference *sums = pair_reference_empty(s->n);
    CHECK_STATUS(pair_system_sum(s, settings, sums), ENUF_SUCCESS);
    long double net = 0, largest = 0;
    for (int64_t i = 0; i < s->n; i++) {
        net += (long double)sums->forces[3 * i];
        largest = fmaxl(largest, fabsl((long double)sums->forces[3 * i]));
    }
    char name[160];
    snprintf(name, sizeof name, "%s: net force over largest force", s->name);
    CHECK_BELOW((double)(fabsl(net) / largest), 3 * 0x1p-54 * sqrt((double)s->n), name);
    pair_reference_free(sums);
}

int main(void)
{
    const double box[9] = {31, 0, 0, 0, 30, 0, 0, 0, 29};
    const double tilted[9] = {22, 3, 0, -9, 24, 1, 6, 7, -26};
    const double tiny[9] = {2, 0, 0, 0.3, 2.1, 0, -0.2, 0.4, 1.9};
    const double huge[9] = {210, 3, 0, -9, 190, 1, 6, 7, -200};
    pair_system *systems[] = {
        pair_system_make("box", box, 6, 1500, 1),
        pair_system_make("left-handed", tilted, 5, 1000, 1),
        pair_system_make("smaller than the cutoff", tiny, 5, 5, 0.4),
        pair_system_make("open along z", box, 6, 1200, 1),
        pair_system_make("far from the origin", box, 6, 600, 1),
        pair_system_make("a hundred cutoffs wide", huge, 2, 60, 1),
        pair_system_make("close pairs, a large charge, a cluster of like ones", box, 6, 1200, 1),
    };
    enum { SYSTEMS = sizeof systems / sizeof systems[0] };
    systems[3]->periodic[2] = 0;
    /* atoms on the faces of the cell, where fractions are 0, 1 - 2^-64 and the like */
    for (int k = 0; k < 12; k++) systems[0]->positions[3 * k + k % 3] = k < 6 ? 0 : -1e-18;
    /* near and beyond the cells that are folded in double */
    for (int64_t i = 0; i < systems[4]->n; i++)
        systems[4]->positions[3 * i + i % 3] += box[4 * (i % 3)] * (i % 2 ? 900 : -5000);
    /* neighbours in a row across a face, each half a cutoff from the next */
    for (int64_t i = 0; i < 60; i++)
        for (int e = 0; e < 3; e++)
            systems[5]->positions[3 * i + e] = huge[e] * (0.9 + 0.005 * (double)i) + 0.01 * e;
    /* forces so large that their sums need two words: pairs at 0.4 to 4e-6, 60 ions within 0.2 */
    pair_system *near = systems[SYSTEMS - 1];
    for (int64_t k = 0; k < 12; k++)
        for (int e = 0; e < 3; e++)
            near->positions[3 * (2 * k + 1) + e] =
                near->positions[6 * k + e] + 0.1 * (e + 1) * pow(10, -(double)(k / 2));
    for (int64_t k = 0; k < 60; k++) {
        const double cluster[3] = {(double)(k % 4), (double)(k / 4 % 4), (double)(k / 16)};
        for (int e = 0; e < 3; e++)
            near->positions[3 * (100 + k) + e] =
                near->positions[3 * 99 + e] + 0.03 * cluster[e] + 0.01;
        near->charges[100 + k] = 1;
    }
    near->charges[90] *= 1000;
    for (int k = 0; k < SYSTEMS; k++) {
        threads_change_nothing(systems[k]);
        order_of_atoms_changes_nothing(systems[k]);
        if (k != 2) grid_changes_nothing(systems[k]);
        other_results_change_nothing(systems[k]);
        forces_balance(systems[k]);
        pair_system_free(systems[k]);
    }
    return check_result();
}
