/* result.c - the list of candidates, for the caller to read. SPDX-License-Identifier: BSD-3-Clause
 */
#include "tuned.h"
#include "memory.h"

int enuf_ewald_tuning_count(const enuf_ewald_tuning *tuning)
{
    return tuning ? tuning->n : 0;
}

int enuf_ewald_tuning_from_wisdom(const enuf_ewald_tuning *tuning)
{
    return tuning ? tuning->from_wisdom : 0;
}

enuf_status enuf_ewald_tuning_get(const enuf_ewald_tuning *tuning, int i,
                                  enuf_ewald_timed *candidate)
{
    if (!tuning || !candidate)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_ewald_tuning_get: NULL tuning or candidate");
    if (candidate->struct_size != sizeof *candidate)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_ewald_tuning_get: candidate->struct_size is %zu, not "
                         "sizeof(enuf_ewald_timed), %zu",
                         candidate->struct_size, sizeof *candidate);
    if (i < 0 || i >= tuning->n)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_ewald_tuning_get: candidate %d of %d", i,
                         tuning->n);
    *candidate = tuning->candidate[i];
    return ENUF_SUCCESS;
}

void enuf_ewald_tuning_destroy(enuf_ewald_tuning **tuning)
{
    if (tuning) enuf_release(tuning);
}
