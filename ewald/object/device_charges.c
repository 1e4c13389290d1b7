/* device_charges.c - charges and exclusions of the caller in device memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ewald_object.h"
#include "exclusions_check.h"
#include "memory.h"

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

/* The sums as doubles. Errors: ENUF_NOT_FINITE. */
static enuf_status read_sums(const enuf_charge_sums *sums, enuf_charge_set *set)
{
    const int64_t n = set->n;
    const double square = sums->largest * sums->largest;
    if (sums->bad != UINT64_MAX)
        return enuf_charge_not_finite((int64_t)sums->bad, sums->bad_charge);
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
                                     enuf_charge_set *set, int *pending)
{
    set->n = set->n_all = n;
    set->on_device = 1;
    *pending = may_assume_sums(ewald, n);
    ENUF_TRY(ewald->backend->sum_charges(ewald, n, charges));
    if (*pending)
        assume_sums(&ewald->charges, set);
    else
        ENUF_TRY(enuf_device_charges_read(ewald, set));
    return ewald->backend->keep_charges(ewald, n, charges);
}
