/*
 * exclusions.c - subtracts (1 - w) q_i q_j / r of excluded pairs at any distance, at their nearest
 * images. Sums run in integers, so that the bits do not depend on the order of the list, on threads
 * or on ranks. It takes one pass over the list, and one reduction. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "sums/exact_total.h"
#include "sums/invariant_sum.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* The exclusions' sums of one atom. */
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
    double d[3];
    enuf_nearest_image(&x->ewald->lattice, at_i, at_j, d);
    double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    /* at r = 0 one of the two has no charge: the pair sum refuses two charges at one place */
    double potential = r2 > 0 ? -set->removed[p] * set->q[j] / sqrt(r2) : 0;
    double field = r2 > 0 ? potential / r2 : 0;
    terms[POTENTIAL] = potential;
    for (int a = 0; a < 3; a++) terms[FIELD + a] = field * d[a];
    for (int c = 0; c < 6; c++)
        terms[VIRIAL + c] = field * d[enuf_tensor_row[c]] * d[enuf_tensor_column[c]];
}

/* Largest number of partners whose terms are kept between the two passes; beyond it, terms are
 * computed twice. */
enum { KEPT = 16 };

/* Sum of the terms over the partners of atom i; as enuf_invariant_sum(). */
static void atom_terms(const excluded *x, int64_t i, double sums[TERMS])
{
    const enuf_charge_set *set = &x->ewald->charges;
    const int64_t begin = set->first[i], n = set->first[i + 1] - begin;
    double kept[KEPT][TERMS], largest[TERMS] = {0};
    int64_t integers[TERMS] = {0};
    if (n == 1) pair_terms(x, i, begin, sums);
    if (n == 1) return;
    for (int64_t p = 0; p < n; p++) {
        double *terms = kept[n <= KEPT ? p : 0];
        pair_terms(x, i, begin + p, terms);
        for (int t = 0; t < TERMS; t++)
            largest[t] = isfinite(terms[t]) ? fmax(largest[t], fabs(terms[t])) : INFINITY;
    }
    int unit[TERMS];
    for (int t = 0; t < TERMS; t++)
        unit[t] = largest[t] > 0 && isfinite(largest[t]) ? enuf_invariant_unit(n, largest[t]) : 0;
    for (int64_t p = 0; p < n; p++) {
        double *terms = kept[n <= KEPT ? p : 0];
        if (n > KEPT) pair_terms(x, i, begin + p, terms);
        for (int t = 0; t < TERMS; t++)
            if (isfinite(largest[t])) integers[t] += llrint(ldexp(terms[t], -unit[t]));
    }
    for (int t = 0; t < TERMS; t++)
        sums[t] = isfinite(largest[t]) ? ldexp((double)integers[t], unit[t]) : NAN;
}

/* Energy and virial of all. */
enum { TOTALS = 7 };

typedef struct atom_loop {
    excluded x;
    const enuf_atoms *atoms;
    const enuf_ewald_sums *sums;
    int with_totals;
    enuf_total total[TOTALS];
} atom_loop;

static void deliver(const enuf_ewald_sums *sums, int64_t a, double q, const double off[TERMS])
{
    if (sums->potential) sums->potential[a] += off[POTENTIAL];
    if (sums->atom_energy) sums->atom_energy[a] += 0.5 * q * off[POTENTIAL];
    for (int d = 0; d < 3; d++) {
        if (sums->forces) sums->forces[3 * a + d] += q * off[FIELD + d];
        if (sums->field) sums->field[3 * a + d] += off[FIELD + d];
    }
    for (int c = 0; c < 6 && sums->atom_virial; c++)
        sums->atom_virial[6 * a + c] += 0.5 * q * off[VIRIAL + c];
}

static void take_off(void *context, int64_t begin, int64_t end, int thread)
{
    atom_loop *loop = context;
    const enuf_charge_set *set = &loop->x.ewald->charges;
    enuf_total total[TOTALS] = {{{0}}};
    (void)thread;
    for (int64_t a = begin; a < end; a++) {
        const int64_t i = enuf_callers_atom(loop->atoms->original, a);
        if (set->first[i] == set->first[i + 1]) continue;
        double off[TERMS], half = 0.5 * set->q[i];
        atom_terms(&loop->x, i, off);
        deliver(loop->sums, a, set->q[i], off);
        if (!loop->with_totals) continue;
        enuf_total_add(&total[0], half * off[POTENTIAL]);
        for (int c = 0; c < 6; c++) enuf_total_add(&total[1 + c], half * off[VIRIAL + c]);
    }
    if (loop->with_totals) enuf_totals_join(TOTALS, total, loop->total);
}

void enuf_sum_exclusions(const enuf_ewald *ewald, const enuf_evaluation *what,
                         const enuf_atoms *atoms, enuf_ewald_sums *sums)
{
    if (ewald->charges.n_excluded == 0) return;
    const int energy = what->wanted & ENUF_WANT_ENERGY, virial = what->wanted & ENUF_WANT_VIRIAL;
    atom_loop loop = {
        .x = {ewald, what}, .atoms = atoms, .sums = sums, .with_totals = energy || virial};
    enuf_parallel_for(enuf_ewald_threads(ewald), ewald->charges.n, 0, take_off, &loop);
    if (!loop.with_totals) return;
    const enuf_reduction *reduction = ewald->reduction;
    if (reduction)
        reduction->add(reduction->context, TOTALS * ENUF_TOTAL_DIGITS, loop.total[0].digit);
    if (energy) sums->parts.excluded = enuf_total_value(&loop.total[0]);
    for (int c = 0; c < 6 && virial; c++) sums->virial[c] += enuf_total_value(&loop.total[1 + c]);
}
