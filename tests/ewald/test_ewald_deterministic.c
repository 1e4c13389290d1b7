/*
 * test_ewald_deterministic.c - the option `deterministic` gives the same bits in all results: in a
 * fresh object, with 1, 3 and 5 threads, for another order of atoms and exclusions, and in forces
 * with energy or virial. 300 random ions with a net charge, with a boundary dielectric and as a
 * slab; 100 water molecules with exclusions; both splittings, double and mixed arithmetic.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct order {
    int64_t n;
    int64_t *at; /* atom i has the index at[i] in this order */
} order;

/* Counts the sums and per-atom results that differ between a and b, whose atoms have order o. */
static int64_t count_differences(const order *o, const enuf_ewald_result *a,
                                 const enuf_ewald_result *b)
{
    int64_t count = memcmp(&a->energy, &b->energy, sizeof a->energy) != 0;
    count += memcmp(&a->parts, &b->parts, sizeof a->parts) != 0;
    count += memcmp(a->virial, b->virial, sizeof a->virial) != 0;
    count += memcmp(a->net_force, b->net_force, sizeof a->net_force) != 0;
    for (int64_t i = 0; i < o->n; i++) {
        int64_t j = o->at[i];
        count += memcmp(&a->forces[3 * i], &b->forces[3 * j], 3 * sizeof(double)) != 0;
        count += memcmp(&a->field[3 * i], &b->field[3 * j], 3 * sizeof(double)) != 0;
        count += memcmp(&a->atom_virial[6 * i], &b->atom_virial[6 * j], 6 * sizeof(double)) != 0;
        count += a->atom_energy[i] != b->atom_energy[j];
        count += a->potential[i] != b->potential[j];
    }
    return count;
}

/* Atoms whose forces get other bits if energy or virial is wanted with them. */
static int64_t count_other_forces(const enuf_ewald_options *options, const charge_system *s,
                                  const enuf_exclusions *exclusions)
{
    static const int more[] = {ENUF_WANT_ENERGY, ENUF_WANT_VIRIAL};
    enuf_ewald_result alone = evaluate(options, s, exclusions, ENUF_WANT_FORCES);
    int64_t count = 0;
    for (int k = 0; k < 2; k++) {
        enuf_ewald_result r = evaluate(options, s, exclusions, ENUF_WANT_FORCES | more[k]);
        for (int64_t i = 0; i < 3 * s->n; i++)
            count += memcmp(&alone.forces[i], &r.forces[i], sizeof(double)) != 0;
        free_result(&r);
    }
    free_result(&alone);
    return count;
}

static void check(const enuf_ewald_options *given, const charge_system *s,
                  const enuf_exclusions *exclusions)
{
    enuf_ewald_options options = *given;
    order same = {s->n, malloc((size_t)s->n * sizeof *same.at)};
    order shuffled = {s->n, malloc((size_t)s->n * sizeof *shuffled.at)};
    int64_t n_pairs = exclusions ? exclusions->n : 0;
    int64_t *pairs = malloc((size_t)(2 * n_pairs + 1) * sizeof *pairs);
    if (!same.at || !shuffled.at || !pairs) abort();
    charge_system t = copy_system(s);
    for (int64_t i = 0; i < s->n; i++) {
        int64_t j = shuffled.at[i] = (11 * i + 5) % s->n; /* 11 does not divide n */
        same.at[i] = i;
        t.q[j] = s->q[i];
        memcpy(&t.x[3 * j], &s->x[3 * i], 3 * sizeof *t.x);
    }
    for (int64_t k = 0; k < 2 * n_pairs; k++) /* in reverse order, and each pair swapped */
        pairs[k] = shuffled.at[exclusions->pairs[2 * n_pairs - 1 - k]];
    const enuf_exclusions moved = {n_pairs, pairs, NULL};

    options.threads = 1;
    enuf_ewald_result first = evaluate(&options, s, exclusions, WANT_ALL);
    CHECK(first.energy != 0);
    for (int threads = 1; threads <= 5; threads += 2) {
        options.threads = threads;
        enuf_ewald_result again = evaluate(&options, s, exclusions, WANT_ALL);
        enuf_ewald_result other = evaluate(&options, &t, exclusions ? &moved : NULL, WANT_ALL);
        CHECK_BELOW((double)count_differences(&same, &first, &again), 0,
                    "numbers that differ, same order");
        CHECK_BELOW((double)count_differences(&shuffled, &first, &other), 0,
                    "numbers that differ, other order");
        free_result(&again);
        free_result(&other);
    }
    CHECK_BELOW((double)count_other_forces(&options, s, exclusions), 0,
                "forces that differ where energy or virial is wanted");
    free_result(&first);
    free_system(&t);
    free(same.at);
    free(shuffled.at);
    free(pairs);
}

int main(void)
{
    for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++)
        for (int arithmetic = ENUF_ARITHMETIC_DOUBLE; arithmetic <= ENUF_ARITHMETIC_MIXED;
             arithmetic++) {
            enuf_ewald_options options =
                options_for(arithmetic == ENUF_ARITHMETIC_DOUBLE ? 1e-8 : 1e-4, (enuf_split)split);
            options.deterministic = 1;
            options.arithmetic = (enuf_arithmetic)arithmetic;
            printf("%s, %s\n", enuf_split_name(options.split),
                   enuf_arithmetic_name(options.arithmetic));
            charge_system ions = make_ions(121, 300, CELL_TRICLINIC, 2.3);
            check(&options, &ions, NULL);
            free_system(&ions);

            ions = make_ions(122, 300, CELL_CUBIC, 0);
            options.surroundings = 1;
            check(&options, &ions, NULL);
            options.surroundings = 0;
            options.slab = 3;
            check(&options, &ions, NULL);
            options.slab = 0;
            free_system(&ions);

            int64_t pairs[6 * 100];
            charge_system water = make_water(123, 100, pairs);
            const enuf_exclusions exclusions = {300, pairs, NULL};
            check(&options, &water, &exclusions);
            free_system(&water);
        }
    return check_result();
}
