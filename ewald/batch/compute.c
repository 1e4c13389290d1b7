/* compute.c - compute, check, errors of the data. SPDX-License-Identifier: BSD-3-Clause */
#include "batch.h"
#include "memory.h"

#include <stddef.h>
#include <string.h>

/* The last system whose number at `offset` is not above the value. */
static int64_t find(const enuf_batch_systems *systems, size_t offset, int64_t value)
{
    int64_t low = 0, high = systems->n;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        int64_t number;
        memcpy(&number, (const char *)&systems->at[middle] + offset, sizeof number);
        if (number <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t enuf_batch_system_of(const enuf_batch_systems *systems, int64_t atom)
{
    return find(systems, offsetof(enuf_batch_system, first), atom);
}

int64_t enuf_batch_owner_of(const enuf_batch_systems *systems, int64_t slot)
{
    return find(systems, offsetof(enuf_batch_system, slot), slot);
}

enuf_status enuf_batch_refuse(const enuf_ewald_batch *batch, const char *function,
                              const enuf_batch_fault *fault)
{
    const int64_t first = batch->systems.at[fault->system].first;
    const long long system = fault->system, atom = fault->atom - first;
    switch (fault->kind) {
    case ENUF_BATCH_POSITION:
        return enuf_fail(ENUF_NOT_FINITE,
                         "%s: system %lld, atom %lld: a coordinate is NaN or infinite, "
                         "positions[%lld]",
                         function, system, atom, (long long)fault->atom);
    case ENUF_BATCH_CHARGE:
        return enuf_fail(ENUF_NOT_FINITE,
                         "%s: system %lld, atom %lld: charges[%lld] is NaN or infinite", function,
                         system, atom, (long long)fault->atom);
    case ENUF_BATCH_CLASH:
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: system %lld: atoms %lld and %lld lie at the same place, or at images "
                         "of it: their energy is infinite",
                         function, system, atom, (long long)(fault->other - first));
    default:
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: system %lld has a net charge, and surroundings is %g: the dipole of "
                         "a charged cell has no origin; use tinfoil (0) or neutral charges",
                         function, system, batch->options.surroundings);
    }
}

enuf_status enuf_ewald_batch_compute(enuf_ewald_batch *batch, const void *positions, int64_t stride,
                                     const void *charges, void *energies, void *forces,
                                     void *potentials, void *virials)
{
    static const char function[] = "enuf_ewald_batch_compute";
    const enuf_batch_arrays arrays = {positions, stride,     charges, energies,
                                      forces,    potentials, virials};
    if (!batch) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: batch is NULL", function);
    if (batch->systems.n < 0)
        return enuf_fail(ENUF_NO_POINTS_SET,
                         "%s: set the systems first, by enuf_ewald_batch_set_systems()", function);
    if (stride < 3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: stride is %lld: use 3 or more", function,
                         (long long)stride);
    if (!enuf_fits_in_memory(batch->systems.atoms, stride, sizeof(double)))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: stride is %lld: no memory holds %lld positions so far apart",
                         function, (long long)stride, (long long)batch->systems.atoms);
    if (batch->systems.n == 0) return ENUF_SUCCESS;
    if (!positions || !charges)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is NULL", function,
                         positions ? "charges" : "positions");
    return batch->engine->compute(batch, &arrays);
}

enuf_status enuf_ewald_batch_check(enuf_ewald_batch *batch, int64_t *system)
{
    if (system) *system = -1;
    if (!batch) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_ewald_batch_check: batch is NULL");
    return batch->engine->check(batch, system);
}
