/* device_charges.c - charges and exclusions of the caller in device memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ewald_object.h"
#include "exclusions_check.h"
#include "memory.h"

#include <string.h>

enuf_status enuf_ewald_find_place(const enuf_ewald *ewald, const void *array, const char *name,
                                  enuf_memory *place)
{
    *place = ENUF_HOST;
    if (!array || !ewald->backend->find_place) return ENUF_SUCCESS;
    if (ewald->options.memory == ENUF_HOST)
        return ewald->backend->check_place(ewald, array, ENUF_HOST, name);
    return ewald->backend->find_place(ewald, array, name, place);
}

enuf_status enuf_ewald_host_array(enuf_ewald *ewald, int64_t n, const char *name,
                                  const void **array, void **copy)
{
    enum { NUMBER = 8 };
    enuf_memory place;
    *copy = NULL;
    if (n <= 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_ewald_find_place(ewald, *array, name, &place));
    if (place == ENUF_HOST) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(copy, n, NUMBER, name));
    const enuf_status status = ewald->backend->to_host(ewald, n, *array, *copy);
    if (status == ENUF_SUCCESS)
        *array = *copy;
    else
        enuf_release(copy);
    return status;
}

enuf_status enuf_host_exclusions_make(enuf_ewald *ewald, int64_t n,
                                      const enuf_exclusions *exclusions, enuf_host_exclusions *made)
{
    *made = (enuf_host_exclusions){.list = {.n = 0}};
    if (!exclusions) return ENUF_SUCCESS;
    ENUF_TRY(enuf_exclusions_check_number(exclusions, n));
    const void *pairs = exclusions->pairs, *weights = exclusions->weights;
    ENUF_TRY(
        enuf_ewald_host_array(ewald, 2 * exclusions->n, "exclusions->pairs", &pairs, &made->pairs));
    ENUF_TRY(enuf_ewald_host_array(ewald, exclusions->n, "exclusions->weights", &weights,
                                   &made->weights));
    made->list = (enuf_exclusions){exclusions->n, pairs, weights};
    return ENUF_SUCCESS;
}

void enuf_host_exclusions_release(enuf_host_exclusions *exclusions)
{
    enuf_release(&exclusions->pairs);
    enuf_release(&exclusions->weights);
}

enuf_status enuf_exclusions_find_place(const enuf_ewald *ewald, int64_t n, const enuf_exclusions *x,
                                       int *are_there)
{
    enuf_memory pairs, weights;
    *are_there = 0;
    if (!x) return ENUF_SUCCESS;
    ENUF_TRY(enuf_exclusions_check_number(x, n));
    if (x->n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_ewald_find_place(ewald, x->pairs, "exclusions->pairs", &pairs));
    ENUF_TRY(enuf_ewald_find_place(ewald, x->weights, "exclusions->weights", &weights));
    *are_there = pairs == ENUF_DEVICE && (!x->weights || weights == ENUF_DEVICE);
    return ENUF_SUCCESS;
}

static double double_of(int64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static enuf_status check_exclusions(const enuf_charge_sums *sums, int64_t n)
{
    if (sums->bad_pair != UINT64_MAX && sums->bad_pair <= sums->bad_weight)
        return enuf_exclusion_check((int64_t)sums->bad_pair, sums->detail[0], sums->detail[1], 0,
                                    n);
    if (sums->bad_weight != UINT64_MAX)
        return enuf_exclusion_check((int64_t)sums->bad_weight, 0, 1, double_of(sums->detail[0]), n);
    if (sums->repeated != UINT64_MAX)
        return enuf_exclusion_repeated((int64_t)(sums->repeated >> 32),
                                       (int64_t)(sums->repeated & UINT32_MAX));
    return ENUF_SUCCESS;
}

/* The sums as doubles. Errors: those of charges and exclusions. */
static enuf_status read_sums(const enuf_charge_sums *sums, enuf_charge_set *set)
{
    const int64_t n = set->n;
    const double square = sums->largest * sums->largest;
    if (sums->bad != UINT64_MAX)
        return enuf_charge_not_finite((int64_t)sums->bad, double_of(sums->detail[0]));
    ENUF_TRY(check_exclusions(sums, n));
    set->n_charged = sums->n_charged;
    set->largest = sums->largest;
    set->sum = enuf_invariant_value(n, sums->largest, sums->sum);
    set->sum_abs = enuf_invariant_value(n, sums->largest, sums->sum_abs);
    set->sum_q2 = enuf_invariant_value(n, square, sums->sum_q2);
    set->concentration = 0;
    if (set->sum_q2 > 0) {
        const double share = square / set->sum_q2;
        set->concentration = enuf_invariant_value(n, share * share, sums->concentration);
    }
    return ENUF_SUCCESS;
}

/* Sums are assumed where others are likely to serve the same parameters. Deterministic parameters
 * and results follow from the charges alone. */
static int may_assume_sums(const enuf_ewald *ewald, int64_t n)
{
    return ewald->has_charges && ewald->method.is_made && ewald->charges.n == n &&
           ewald->charges.n_charged > 0 && !ewald->options.deterministic;
}

static void assume_sums(const enuf_charge_set *before, enuf_charge_set *set)
{
    set->n_charged = before->n_charged;
    set->largest = before->largest;
    set->sum = before->sum;
    set->sum_abs = before->sum_abs;
    set->sum_q2 = before->sum_q2;
    set->concentration = before->concentration;
}

enuf_status enuf_device_charges_read(enuf_ewald *ewald, enuf_charge_set *set)
{
    enuf_charge_sums sums;
    ENUF_TRY(ewald->backend->read_charge_sums(ewald, &sums));
    ENUF_TRY(read_sums(&sums, set));
    return enuf_charge_set_check(ewald, set);
}

enuf_status enuf_device_charges_take(enuf_ewald *ewald, int64_t n, const double *charges,
                                     const enuf_exclusions *exclusions, enuf_charge_set *set,
                                     int *pending)
{
    set->n = set->n_all = n;
    set->on_device = 1;
    if (exclusions) {
        set->n_excluded = exclusions->n;
        set->lists_on_device = 1;
    }
    *pending = may_assume_sums(ewald, n);
    ENUF_TRY(ewald->backend->sum_charges(ewald, n, charges, exclusions));
    if (*pending)
        assume_sums(&ewald->charges, set);
    else
        ENUF_TRY(enuf_device_charges_read(ewald, set));
    return ewald->backend->keep_charges(ewald, n, charges, set->lists_on_device);
}

/* Each pair once, from the lists of both its atoms. */
static void pairs_of_lists(enuf_charge_set *set)
{
    int64_t k = 0;
    for (int64_t i = 0; i < set->n; i++)
        for (int64_t p = set->first[i]; p < set->first[i + 1]; p++) {
            if (set->partner[p] < i) continue;
            set->pairs[2 * k] = i;
            set->pairs[2 * k + 1] = set->partner[p];
            set->weights[k++] = 1 - set->removed[p];
        }
}

static enuf_status fetch(enuf_ewald *ewald, enuf_charge_set *set)
{
    const int64_t n = set->n, n_excluded = set->n_excluded;
    ENUF_TRY(enuf_charge_set_reserve_lists(n_excluded, set));
    ENUF_TRY(ewald->backend->lists_to_host(ewald, n, n_excluded, set->first, set->partner,
                                           set->removed));
    pairs_of_lists(set);
    return ENUF_SUCCESS;
}

enuf_status enuf_device_exclusions_fetch(enuf_ewald *ewald, enuf_charge_set *set)
{
    if (!set->lists_on_device || set->pairs) return ENUF_SUCCESS;
    enuf_charge_set made = {.n = set->n, .n_excluded = set->n_excluded};
    const enuf_status status = fetch(ewald, &made);
    if (status != ENUF_SUCCESS) {
        enuf_charge_set_release(&made);
        return status;
    }
    set->pairs = made.pairs;
    set->weights = made.weights;
    set->first = made.first;
    set->partner = made.partner;
    set->removed = made.removed;
    return ENUF_SUCCESS;
}
