/* choice.c - which of the candidates is taken. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning.h"

/* Timings scatter by as much on a machine that does other work too. Of methods that are this near
 * to the fastest what a plan chooses by itself is taken, or else the first by the cost model. */
static enuf_candidate *nearly(enuf_tuning *tuning, enuf_candidate *best)
{
    const int timed = best->timings > 0;
    const double most =
        ENUF_TUNING_SCATTER * (timed ? best->measured_seconds : best->predicted_seconds);
    enuf_candidate *first = NULL;
    for (int i = 0; i < tuning->n; i++) {
        enuf_candidate *c = &tuning->candidate[i];
        const double seconds = timed ? c->measured_seconds : c->predicted_seconds;
        if (c->state != best->state || seconds > most) continue;
        if (enuf_tuning_is_own(tuning, c)) return c;
        if (!first) first = c;
    }
    return first;
}

enuf_candidate *enuf_tuning_fastest(enuf_tune_effort effort, enuf_tuning *tuning)
{
    enuf_candidate *best = NULL, *first = NULL;
    if (tuning->confirmed && tuning->confirmed->state == ENUF_CANDIDATE_SLOWER)
        return tuning->confirmed;
    for (int i = 0; i < tuning->n; i++) {
        enuf_candidate *c = &tuning->candidate[i];
        if (c->state == ENUF_CANDIDATE_SLOWER &&
            (!best || c->measured_seconds < best->measured_seconds))
            best = c;
        if (c->state == ENUF_CANDIDATE_NOT_TIMED && !first) first = c;
    }
    if (!best) best = first;
    return best && effort != ENUF_TUNE_EXHAUSTIVE ? nearly(tuning, best) : best;
}
