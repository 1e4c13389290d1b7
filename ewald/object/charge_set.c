/* charge_set.c - a set of charges of the host, its sums and exclusions. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "ewald_object.h"
#include "exclusions_check.h"
#include "sums/invariant_sum.h"
#include "memory.h"

#include <math.h>
#include <string.h>

enuf_status enuf_charge_not_finite(int64_t i, double charge)
{
    return enuf_fail(ENUF_NOT_FINITE, "charges[%lld] is %g: charges have to be finite",
                     (long long)i, charge);
}

void enuf_charge_set_release(enuf_charge_set *set)
{
    enuf_release(&set->q);
    enuf_release(&set->q_single);
    enuf_release(&set->pairs);
    enuf_release(&set->weights);
    enuf_release(&set->first);
    enuf_release(&set->partner);
    enuf_release(&set->removed);
}

static double charge(int64_t i, const void *q)
{
    return ((const double *)q)[i];
}

static double magnitude(int64_t i, const void *q)
{
    return fabs(((const double *)q)[i]);
}

static double square(int64_t i, const void *q)
{
    return ((const double *)q)[i] * ((const double *)q)[i];
}

typedef struct charge_shares {
    const double *q;
    double sum_q2;
} charge_shares;

static double square_of_share(int64_t i, const void *context)
{
    const charge_shares *of = context;
    const double share = of->q[i] * of->q[i] / of->sum_q2;
    return share * share;
}

enuf_status enuf_charge_set_copy(const enuf_ewald *ewald, int64_t n, int64_t n_room,
                                 const double *charges, enuf_charge_set *set)
{
    set->n = n;
    ENUF_TRY(enuf_allocate(&set->q, n_room, sizeof *set->q, "charges"));
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(charges[i])) return enuf_charge_not_finite(i, charges[i]);
        set->q[i] = charges[i];
        set->n_charged += charges[i] != 0;
        set->largest = fmax(set->largest, fabs(charges[i]));
    }
    if (enuf_ewald_single_mesh(ewald) || ewald->chooses_arithmetic) {
        ENUF_TRY(enuf_allocate(&set->q_single, n, sizeof *set->q_single, "charges in float"));
        for (int64_t i = 0; i < n; i++) set->q_single[i] = (float)charges[i];
    }
    return ENUF_SUCCESS;
}

static void sum_charges(const enuf_ewald *ewald, enuf_charge_set *set)
{
    const enuf_reduction *reduction = ewald->reduction;
    const int threads = enuf_ewald_threads(ewald);
    const int64_t n = set->n;
    set->n_all = n;
    if (reduction) {
        set->n_all = reduction->n;
        reduction->add(reduction->context, 1, &set->n_charged);
        reduction->largest(reduction->context, 1, &set->largest);
    }
    set->sum = enuf_invariant_sum(reduction, n, charge, set->q, threads);
    set->sum_abs = enuf_invariant_sum(reduction, n, magnitude, set->q, threads);
    set->sum_q2 = enuf_invariant_sum(reduction, n, square, set->q, threads);
    const charge_shares shares = {set->q, set->sum_q2};
    if (set->sum_q2 > 0)
        set->concentration = enuf_invariant_sum(reduction, n, square_of_share, &shares, threads);
}

static enuf_status check_repeated(const enuf_charge_set *set)
{
    for (int64_t i = 0; i < set->n; i++)
        for (int64_t p = set->first[i]; p < set->first[i + 1]; p++)
            for (int64_t earlier = set->first[i]; earlier < p; earlier++)
                if (set->partner[earlier] == set->partner[p])
                    return enuf_exclusion_repeated(i, set->partner[p]);
    return ENUF_SUCCESS;
}

enuf_status enuf_charge_set_reserve_lists(int64_t n_excluded, enuf_charge_set *set)
{
    const char *what = "exclusions";
    ENUF_TRY(enuf_allocate(&set->pairs, 2 * n_excluded, sizeof *set->pairs, what));
    ENUF_TRY(enuf_allocate(&set->weights, n_excluded, sizeof *set->weights, what));
    ENUF_TRY(enuf_allocate(&set->first, set->n + 2, sizeof *set->first, what));
    ENUF_TRY(enuf_allocate(&set->partner, 2 * n_excluded, sizeof *set->partner, what));
    return enuf_allocate(&set->removed, 2 * n_excluded, sizeof *set->removed, what);
}

enuf_status enuf_charge_set_exclude(const enuf_exclusions *x, enuf_charge_set *set)
{
    int64_t n = set->n;
    ENUF_TRY(enuf_charge_set_reserve_lists(x->n, set));
    set->n_excluded = x->n;
    memcpy(set->pairs, x->pairs, 2 * (size_t)x->n * sizeof *set->pairs);
    for (int64_t k = 0; k < x->n; k++) set->weights[k] = x->weights ? x->weights[k] : 0;
    /* next[i] begins where the list of atom i starts; when the list is full, it is first[i+1] */
    int64_t *next = set->first + 1;
    memset(set->first, 0, (size_t)(n + 2) * sizeof *set->first);
    for (int64_t e = 0; e < 2 * x->n; e++) next[x->pairs[e] + 1]++;
    for (int64_t i = 0; i < n; i++) next[i + 1] += next[i];
    for (int64_t e = 0; e < 2 * x->n; e++) {
        int64_t at = next[x->pairs[e]]++;
        set->partner[at] = x->pairs[e ^ 1];
        set->removed[at] = 1 - set->weights[e / 2];
    }
    return check_repeated(set);
}

enuf_status enuf_charge_set_check(const enuf_ewald *ewald, const enuf_charge_set *set)
{
    const enuf_ewald_options *options = &ewald->options;
    if (!isfinite(set->sum_q2))
        return enuf_fail(ENUF_NOT_FINITE, "charges of up to %g: the sum of their squares overflows",
                         set->largest);
    /* the dipole moment of a net charge depends on the origin */
    if (options->surroundings != 0 && fabs(set->sum) > 1e-9 * set->sum_abs)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "the net charge is %g and surroundings is %g: the dipole of a charged "
                         "cell has no origin; use tinfoil (0) or neutral charges",
                         set->sum, options->surroundings);
    return ENUF_SUCCESS;
}

enuf_status enuf_charge_set_sum(const enuf_ewald *ewald, enuf_charge_set *set)
{
    sum_charges(ewald, set);
    return enuf_charge_set_check(ewald, set);
}
