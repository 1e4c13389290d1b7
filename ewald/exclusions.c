/*
 * exclusions.c - takes (1 - w) q_i q_j / r off for excluded pairs, whatever their distance: their
 * nearest images. Sums of one atom run in integers, so that the order of the list does not matter.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "ewald_object.h"
#include "invariant_sum.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* What exclusions take off at one atom. */
enum { POTENTIAL, FIELD, VIRIAL = FIELD + 3, TERMS = VIRIAL + 6 };

typedef struct excluded {
    const enuf_ewald *ewald;
    const enuf_evaluation *what;
} excluded;

/* Terms of atom i and its p-th partner. The virial is the pair's, without q_i. */
static void pair_terms(const excluded *x, int64_t i, int64_t p, double terms[TERMS])
{
    const enuf_charge_set *set = &x->ewald->charges;
    int64_t j = set->partner[p];
    const double *at_i = &x->what->positions[i * x->what->stride];
    const double *at_j = &x->what->positions[j * x->what->stride];
    double d[3] = {at_i[0] - at_j[0], at_i[1] - at_j[1], at_i[2] - at_j[2]};
    enuf_nearest_image(&x->ewald->lattice, d);
    double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    /* the pair sum has refused two charges at one place: here one of the two has none */
    double potential = r2 > 0 ? -set->removed[p] * set->q[j] / sqrt(r2) : 0;
    double field = r2 > 0 ? potential / r2 : 0;
    terms[POTENTIAL] = potential;
    for (int a = 0; a < 3; a++) terms[FIELD + a] = field * d[a];
    for (int c = 0; c < 6; c++)
        terms[VIRIAL + c] = field * d[enuf_tensor_row[c]] * d[enuf_tensor_column[c]];
}

/* Sum of the terms over the partners of atom i; as enuf_invariant_sum(). */
static void atom_terms(const excluded *x, int64_t i, double sums[TERMS])
{
    const enuf_charge_set *set = &x->ewald->charges;
    int64_t begin = set->first[i], end = set->first[i + 1];
    double terms[TERMS], largest[TERMS] = {0};
    int64_t integers[TERMS] = {0};
    memset(sums, 0, TERMS * sizeof *sums);
    if (end - begin == 1) pair_terms(x, i, begin, sums);
    if (end - begin < 2) return;
    for (int64_t p = begin; p < end; p++) {
        pair_terms(x, i, p, terms);
        for (int t = 0; t < TERMS; t++)
            largest[t] = isfinite(terms[t]) ? fmax(largest[t], fabs(terms[t])) : INFINITY;
    }
    for (int64_t p = begin; p < end; p++) {
        pair_terms(x, i, p, terms);
        for (int t = 0; t < TERMS; t++)
            if (largest[t] > 0 && isfinite(largest[t]))
                integers[t] +=
                    llrint(ldexp(terms[t], -enuf_invariant_unit(end - begin, largest[t])));
    }
    for (int t = 0; t < TERMS; t++)
        if (largest[t] > 0)
            sums[t] = isfinite(largest[t])
                          ? ldexp((double)integers[t], enuf_invariant_unit(end - begin, largest[t]))
                          : NAN;
}

/* The totals need the largest share of all atoms before they can be added up: shares are formed
 * twice, which is cheaper than to keep them. */
typedef struct total {
    excluded x;
    int term;
} total;

static double share(int64_t i, const void *context)
{
    const total *t = context;
    double sums[TERMS];
    atom_terms(&t->x, i, sums);
    return 0.5 * t->x.ewald->charges.q[i] * sums[t->term];
}

typedef struct atom_loop {
    const excluded *x;
    const enuf_atoms *atoms;
    const enuf_ewald_sums *sums;
} atom_loop;

static void take_off(void *context, int64_t begin, int64_t end, int thread)
{
    const atom_loop *loop = context;
    const enuf_charge_set *set = &loop->x->ewald->charges;
    const enuf_ewald_sums *sums = loop->sums;
    (void)thread;
    for (int64_t a = begin; a < end; a++) {
        int64_t i = enuf_callers_atom(loop->atoms->original, a);
        double off[TERMS], q = set->q[i];
        if (set->first[i] == set->first[i + 1]) continue;
        atom_terms(loop->x, i, off);
        if (sums->potential) sums->potential[a] += off[POTENTIAL];
        if (sums->atom_energy) sums->atom_energy[a] += 0.5 * q * off[POTENTIAL];
        for (int d = 0; d < 3; d++) {
            if (sums->forces) sums->forces[3 * a + d] += q * off[FIELD + d];
            if (sums->field) sums->field[3 * a + d] += off[FIELD + d];
        }
        if (sums->atom_virial)
            for (int c = 0; c < 6; c++) sums->atom_virial[6 * a + c] += 0.5 * q * off[VIRIAL + c];
    }
}

void enuf_sum_exclusions(const enuf_ewald *ewald, const enuf_evaluation *what,
                         const enuf_atoms *atoms, enuf_ewald_sums *sums)
{
    const enuf_charge_set *set = &ewald->charges;
    int threads = enuf_ewald_threads(ewald);
    if (set->n_excluded == 0) return;
    total t = {{ewald, what}, POTENTIAL};
    if (what->wanted & ENUF_WANT_ENERGY)
        sums->parts.excluded = enuf_invariant_sum_with(ewald->others, set->n, share, &t, threads);
    if (what->wanted & ENUF_WANT_VIRIAL)
        for (int c = 0; c < 6; c++) {
            t.term = VIRIAL + c;
            sums->virial[c] += enuf_invariant_sum_with(ewald->others, set->n, share, &t, threads);
        }
    if (!sums->forces && !sums->field && !sums->potential && !sums->atom_energy &&
        !sums->atom_virial)
        return;
    atom_loop loop = {&t.x, atoms, sums};
    enuf_parallel_for(threads, set->n, 0, take_off, &loop);
}
