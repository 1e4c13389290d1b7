/* search.c - which candidates are timed, and when to stop. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning.h"
#include "wall_clock.h"

#include <string.h>

/* ENUF_TUNE_MEASURE looks at candidates within this factor of the least predicted time ... */
static const double NEAR = 1.5;
/* ... gives a second round to those that take at most so much longer than the best, further ones to
 * fewer: a timing scatters, and other work may come in between ... */
static const double SECOND = 1.2, FURTHER = 1.08;
/* ... and passes over a level after so many of it in a row that are no faster: between levels the
 * model errs more than between grids. It does not pass over those that the model cannot tell from
 * the least one. */
enum { PATIENCE = 2, LEVELS = ENUF_LEVEL_GRAM + 1 };
static const double ALIKE = 1.25;

/* A candidate before it with the same width, grid and level takes the same time, and has less
 * error. At level GRAM width and grid do not matter to the Gram operator. */
static int has_a_twin(const enuf_tuning_request *request, const enuf_tuning *tuning, int i)
{
    const enuf_nufft_method *m = &tuning->candidate[i].method;
    const int gram_alone =
        m->level == ENUF_LEVEL_GRAM && request->type1 == 0 && request->type2 == 0;
    for (int k = 0; k < i; k++) {
        const enuf_nufft_method *other = &tuning->candidate[k].method;
        if (tuning->candidate[k].timings == 0 || m->level != other->level) continue;
        if (gram_alone || (m->width == other->width &&
                           memcmp(m->fine_grid, other->fine_grid, sizeof m->fine_grid) == 0))
            return 1;
    }
    return 0;
}

enuf_status enuf_tuning_time_once(const enuf_nufft_options *options,
                                  const enuf_tuning_request *request, enuf_tuning *tuning,
                                  enuf_candidate *candidate, double *taken)
{
    enuf_nufft_options o = *options;
    double seconds = 0;
    int64_t bytes = 0;
    if (taken) *taken = 0;
    if (request->time_limit > 0 && tuning->spent >= request->time_limit) return ENUF_SUCCESS;
    ENUF_TRY(enuf_nufft_set_method(&o, &candidate->method));
    const double start = enuf_seconds();
    const enuf_status status = request->timer(request->timer_context, &o, &seconds, &bytes);
    if (status == ENUF_OUT_OF_MEMORY) candidate->state = ENUF_CANDIDATE_TOO_MUCH_MEMORY;
    if (status == ENUF_UNREACHABLE_ACCURACY) candidate->state = ENUF_CANDIDATE_MISSES_TOLERANCE;
    if (status == ENUF_OUT_OF_MEMORY || status == ENUF_UNREACHABLE_ACCURACY) return ENUF_SUCCESS;
    if (status != ENUF_SUCCESS) return status;
    tuning->spent += request->timer == enuf_tuning_time ? enuf_seconds() - start : seconds;
    if (candidate->timings == 0 || seconds < candidate->measured_seconds)
        candidate->measured_seconds = seconds;
    candidate->timings++;
    candidate->bytes = bytes;
    const int too_much = options->memory_limit > 0 && bytes > options->memory_limit;
    candidate->state = too_much ? ENUF_CANDIDATE_TOO_MUCH_MEMORY : ENUF_CANDIDATE_SLOWER;
    if (taken && !too_much) *taken = seconds;
    return ENUF_SUCCESS;
}

/* The first round of each candidate that is looked at; *best: the least time. */
static enuf_status first_rounds(const enuf_nufft_options *options,
                                const enuf_tuning_request *request, enuf_tuning *tuning,
                                double *best)
{
    const int all = request->effort == ENUF_TUNE_EXHAUSTIVE;
    double least = 0;
    int since[LEVELS] = {0};
    for (int i = 0; i < tuning->n; i++) {
        enuf_candidate *candidate = &tuning->candidate[i];
        if (candidate->state != ENUF_CANDIDATE_NOT_TIMED) continue;
        if (least == 0) least = candidate->predicted_seconds;
        int *at_level = &since[candidate->method.level];
        const int looked_at = all || enuf_tuning_is_own(tuning, candidate);
        if (!looked_at && *best > 0 && candidate->predicted_seconds > NEAR * least) continue;
        const int passed_over =
            *at_level >= PATIENCE && candidate->predicted_seconds > ALIKE * least;
        if (!looked_at && (passed_over || has_a_twin(request, tuning, i))) continue;
        ENUF_TRY(enuf_tuning_time_once(options, request, tuning, candidate, NULL));
        if (candidate->state != ENUF_CANDIDATE_SLOWER) continue;
        const int faster = *best == 0 || candidate->measured_seconds < *best;
        *at_level = faster ? 0 : *at_level + 1;
        if (faster) *best = candidate->measured_seconds;
    }
    return ENUF_SUCCESS;
}

/* Rounds of a candidate do not follow each other: what slows the machine for a while slows one of
 * them. What a plan chooses by itself has all rounds: it is left for a gain alone, and as the first
 * one to be timed it meets a cold machine. */
enuf_status enuf_tuning_search(const enuf_nufft_options *options,
                               const enuf_tuning_request *request, enuf_tuning *tuning)
{
    const int all = request->effort == ENUF_TUNE_EXHAUSTIVE;
    double best = 0;
    ENUF_TRY(first_rounds(options, request, tuning, &best));
    for (int trial = 1; trial < request->trials; trial++) {
        const double most = (trial == 1 ? SECOND : FURTHER) * best;
        for (int i = 0; i < tuning->n; i++) {
            enuf_candidate *candidate = &tuning->candidate[i];
            if (candidate->state != ENUF_CANDIDATE_SLOWER) continue;
            const int stays = all || enuf_tuning_is_own(tuning, candidate);
            if (!stays && candidate->measured_seconds > most) continue;
            ENUF_TRY(enuf_tuning_time_once(options, request, tuning, candidate, NULL));
            if (candidate->state == ENUF_CANDIDATE_SLOWER && candidate->measured_seconds < best)
                best = candidate->measured_seconds;
        }
    }
    return ENUF_SUCCESS;
}
