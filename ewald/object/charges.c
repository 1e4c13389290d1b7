/* charges.c - sets the charges and exclusions of an Ewald object. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "ewald_object.h"
#include "exclusions_check.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* Part of the charges that may come or go while the modes left out stay. */
static const double FEW_ATOMS = 0.1;

/* Another number of charges is another system. Its error scale is unknown. The |S|^2 of each mode
 * over sum q^2 stays while few atoms come or go, because energies before and after are compared
 * then: a difference must not contain the whole tail. */
static void forget_error_scale(enuf_error_scale *known, int64_t n_charged)
{
    const double change = fabs((double)(n_charged - known->charges_of_shells));
    known->ratio = 1;
    memset(&known->structure_factor, 0, sizeof known->structure_factor);
    if (change > FEW_ATOMS * (double)known->charges_of_shells) known->shells.n = 0;
}

static void replace_sums(enuf_ewald *ewald, const enuf_charge_set *set)
{
    if (set->n_charged != ewald->charges.n_charged) {
        forget_error_scale(&ewald->error_scale, set->n_charged);
        ewald->method.made_for.n_charged = -1;
    }
    ewald->charges = *set;
    ewald->stale = 1;
}

void enuf_charge_set_apply(enuf_ewald *ewald, const enuf_charge_set *set)
{
    enuf_charge_set_release(&ewald->charges);
    replace_sums(ewald, set);
    ewald->charge_changes++;
    ewald->has_charges = 1;
    ewald->sums_pending = 0;
}

enuf_status enuf_ewald_settle_charges(enuf_ewald *ewald)
{
    if (!ewald->sums_pending) return ENUF_SUCCESS;
    enuf_charge_set set = ewald->charges;
    const enuf_status status = enuf_device_charges_read(ewald, &set);
    ewald->sums_pending = 0;
    if (status == ENUF_SUCCESS) {
        replace_sums(ewald, &set);
        return ENUF_SUCCESS;
    }
    /* the sums stay: as many charges again are the same system */
    enuf_charge_set *none = &ewald->charges;
    enuf_charge_set_release(none);
    none->n = none->n_all = none->n_excluded = none->on_device = none->lists_on_device = 0;
    ewald->has_charges = 0;
    ewald->stale = 1;
    ewald->refused += ewald->assumed;
    ewald->assumed = 0;
    return status;
}

enuf_status enuf_ewald_host_charges(enuf_ewald *ewald)
{
    ENUF_TRY(enuf_ewald_settle_charges(ewald));
    enuf_charge_set *set = &ewald->charges;
    ENUF_TRY(enuf_device_exclusions_fetch(ewald, set));
    if (!set->on_device || set->q) return ENUF_SUCCESS;
    double *q = NULL;
    ENUF_TRY(enuf_allocate(&q, set->n, sizeof *q, "charges"));
    const enuf_status status = ewald->backend->charges_to_host(ewald, set->n, q);
    if (status == ENUF_SUCCESS)
        set->q = q;
    else
        enuf_release(&q);
    return status;
}

/* Exclusions of the host, or copied to it. */
static enuf_status list_exclusions(enuf_ewald *ewald, const enuf_exclusions *exclusions,
                                   enuf_charge_set *set)
{
    enuf_host_exclusions x;
    enuf_status status = enuf_host_exclusions_make(ewald, set->n, exclusions, &x);
    if (status == ENUF_SUCCESS) status = enuf_exclusions_check(&x.list, set->n);
    if (status == ENUF_SUCCESS && x.list.n > 0) status = enuf_charge_set_exclude(&x.list, set);
    enuf_host_exclusions_release(&x);
    return status;
}

static enuf_status take_from_device(enuf_ewald *ewald, const double *charges,
                                    const enuf_exclusions *exclusions, enuf_charge_set *set,
                                    int *pending)
{
    int lists_there;
    ENUF_TRY(enuf_exclusions_find_place(ewald, set->n, exclusions, &lists_there));
    /* on the host before: after an error the backend keeps the former charges */
    if (!lists_there) ENUF_TRY(list_exclusions(ewald, exclusions, set));
    return enuf_device_charges_take(ewald, set->n, charges, lists_there ? exclusions : NULL, set,
                                    pending);
}

static enuf_status take_from_host(enuf_ewald *ewald, const double *charges,
                                  const enuf_exclusions *exclusions, enuf_charge_set *set)
{
    ENUF_TRY(enuf_charge_set_copy(ewald, set->n, set->n, charges, set));
    ENUF_TRY(enuf_charge_set_sum(ewald, set));
    return list_exclusions(ewald, exclusions, set);
}

static enuf_status take(enuf_ewald *ewald, enuf_memory place, int64_t n, const double *charges,
                        const enuf_exclusions *exclusions)
{
    enuf_charge_set set = {.n = n};
    int pending = 0;
    const enuf_status status = place == ENUF_DEVICE
                                   ? take_from_device(ewald, charges, exclusions, &set, &pending)
                                   : take_from_host(ewald, charges, exclusions, &set);
    if (status != ENUF_SUCCESS) {
        enuf_charge_set_release(&set);
        return status;
    }
    enuf_charge_set_apply(ewald, &set);
    ewald->sums_pending = pending;
    return ENUF_SUCCESS;
}

enuf_status enuf_charges_set(enuf_ewald *ewald, int64_t n, const double *charges,
                             const enuf_exclusions *exclusions)
{
    enuf_memory place;
    if (n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "n is %lld: it has to be at least 0", (long long)n);
    if (n > 0 && !charges)
        return enuf_fail(ENUF_BAD_ARGUMENT, "charges is NULL, but n is %lld", (long long)n);
    ENUF_TRY(enuf_ewald_find_place(ewald, n > 0 ? charges : NULL, "charges", &place));
    return take(ewald, place, n, charges, exclusions);
}

enuf_status enuf_charges_share(enuf_ewald *from, enuf_ewald *to)
{
    const enuf_charge_set *set = &from->charges;
    const int there = from->backend->resident_charges != NULL && set->n > 0;
    const double *charges;
    if (there) {
        ENUF_TRY(enuf_ewald_settle_charges(from));
        ENUF_TRY(enuf_device_exclusions_fetch(from, &from->charges));
        ENUF_TRY(from->backend->resident_charges(from, &charges));
    } else {
        ENUF_TRY(enuf_ewald_host_charges(from));
        charges = set->q;
    }
    const enuf_exclusions exclusions = {set->n_excluded, set->pairs, set->weights};
    return take(to, there ? ENUF_DEVICE : ENUF_HOST, set->n, charges, &exclusions);
}
