/* exact_pairs.c - the real part of exact sums. SPDX-License-Identifier: BSD-3-Clause */
#include "exact_backend.h"
#include "memory.h"

static long long number_of(const enuf_exact_system *system, int64_t atom)
{
    return system->numbers ? system->numbers[atom] : atom;
}

static enuf_status refuse_clash(const enuf_exact_system *system, const int64_t clash[2])
{
    const int64_t atom = system->targets[clash[0]];
    const double *x = system->positions + atom * system->stride;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "atoms %lld and %lld lie at the same place (%g %g %g): their energy is "
                     "infinite; an excluded pair has to be apart too",
                     number_of(system, atom), number_of(system, clash[1]), x[0], x[1], x[2]);
}

static double charge_of_target(const enuf_exact_system *system, int64_t t)
{
    return system->target_charges ? system->target_charges[t] : system->charges[system->targets[t]];
}

static void add(const enuf_exact_system *system, const enuf_exact_target *found,
                enuf_exact_sums *sums)
{
    long double virial[6] = {0};
    for (int64_t t = 0; t < system->n_targets; t++) {
        const long double *sum = found[t].sum;
        const double half_charge = charge_of_target(system, t) / 2;
        sums->potential[t] += (double)sum[ENUF_EXACT_POTENTIAL];
        for (int a = 0; a < 3; a++) sums->field[3 * t + a] += (double)sum[ENUF_EXACT_FIELD + a];
        for (int a = 0; a < 6; a++) virial[a] += half_charge * sum[ENUF_EXACT_VIRIAL + a];
    }
    for (int a = 0; a < 6; a++) sums->virial[a] = (double)virial[a];
}

enuf_status enuf_exact_pairs(const enuf_exact_system *system, enuf_exact_sums *sums)
{
    enuf_exact_bins bins = {.start = NULL, .atoms = NULL};
    enuf_exact_target *found = NULL;
    int64_t clash[2] = {-1, -1};
    enuf_status status = enuf_exact_bins_make(system, &bins);
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&found, system->n_targets, sizeof *found, "sums of exact pairs");
    if (status == ENUF_SUCCESS) status = system->backend->pairs(system, &bins, found, clash);
    if (status == ENUF_SUCCESS && clash[0] >= 0) status = refuse_clash(system, clash);
    if (status == ENUF_SUCCESS) add(system, found, sums);
    enuf_release(&found);
    enuf_exact_bins_release(&bins);
    return status;
}
