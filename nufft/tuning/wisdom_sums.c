/* wisdom_sums.c - entries of Ewald sums. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning.h"

#include <stdio.h>
#include <string.h>

enuf_status enuf_wisdom_name_machine(const enuf_nufft_options *plan, char *name)
{
    return enuf_wisdom_machine(plan, name);
}

enuf_status enuf_wisdom_find_sums(const enuf_wisdom *wisdom, const enuf_nufft_options *plan,
                                  const char *problem, enuf_wisdom_sums *sums, int *found)
{
    char machine[ENUF_WISDOM_MACHINE];
    *found = 0;
    ENUF_TRY(enuf_wisdom_machine(plan, machine));
    const enuf_wisdom_entry *entry = enuf_wisdom_find(wisdom, machine, problem);
    if (!entry || !entry->split[0]) return ENUF_SUCCESS;
    *sums = (enuf_wisdom_sums){.parameter = entry->parameter,
                               .cutoff = entry->cutoff,
                               .band = entry->band,
                               .mesh = entry->method,
                               .effort = (enuf_tune_effort)entry->effort,
                               .error = entry->error,
                               .seconds = entry->seconds,
                               .bytes = entry->bytes};
    memcpy(sums->split, entry->split, sizeof sums->split);
    *found = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_wisdom_add_sums(enuf_wisdom *wisdom, const enuf_nufft_options *plan,
                                 const char *problem, const enuf_wisdom_sums *sums)
{
    enuf_wisdom_entry entry = {.effort = (int)sums->effort,
                               .method = sums->mesh,
                               .error = sums->error,
                               .seconds = sums->seconds,
                               .bytes = sums->bytes,
                               .parameter = sums->parameter,
                               .cutoff = sums->cutoff,
                               .band = sums->band};
    ENUF_TRY(enuf_wisdom_machine(plan, entry.machine));
    snprintf(entry.problem, sizeof entry.problem, "%s", problem);
    memcpy(entry.split, sums->split, sizeof entry.split);
    return enuf_wisdom_add(wisdom, &entry);
}
