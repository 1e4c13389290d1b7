/* result.c - requests, names, and the list of candidates. SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"
#include "tuning.h"

#include <string.h>

void enuf_tuning_request_init(enuf_tuning_request *request)
{
    if (!request) return;
    *request = (enuf_tuning_request){.struct_size = sizeof *request,
                                     .type1 = 1,
                                     .type2 = 1,
                                     .trials = 3,
                                     .any_window = 1,
                                     .any_level = 1};
}

const char *enuf_candidate_state_text(enuf_candidate_state state)
{
    static const char *const text[] = {
#define ENUF_X(NAME, text) text,
        ENUF_CANDIDATE_STATES(ENUF_X)
#undef ENUF_X
    };
    const size_t i = (size_t)state;
    return i < sizeof text / sizeof *text ? text[i] : NULL;
}

int enuf_tuning_count(const enuf_tuning *tuning)
{
    return tuning ? tuning->n : 0;
}

int enuf_tuning_from_wisdom(const enuf_tuning *tuning)
{
    return tuning ? tuning->from_wisdom : 0;
}

enuf_status enuf_tuning_get(const enuf_tuning *tuning, int i, enuf_candidate *candidate)
{
    if (!tuning || !candidate)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_tuning_get: NULL tuning or candidate");
    if (candidate->struct_size != sizeof *candidate)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_tuning_get: candidate->struct_size is %zu, not "
                         "sizeof(enuf_candidate), %zu",
                         candidate->struct_size, sizeof *candidate);
    if (i < 0 || i >= tuning->n)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_tuning_get: candidate %d of %d", i, tuning->n);
    *candidate = tuning->candidate[i];
    return ENUF_SUCCESS;
}

void enuf_tuning_destroy(enuf_tuning **tuning)
{
    if (tuning) enuf_release(tuning);
}

ENUF_DEFINE_NAMES(enuf_tune_effort, ENUF_TUNE_EFFORTS, "effort")
