/*
 * confirm.c - the fastest candidates once more, each in pairs of rounds with the best before it,
 * first with what a plan chooses by itself. A machine that changes its speed between two rounds of
 * the search changes it seldom between those of a pair. SPDX-License-Identifier: BSD-3-Clause
 */
#include "tuning.h"

#include <math.h>

enum { CHALLENGERS = 3, MOST_PAIRS = 9 };

/* Candidates whose least time is this near to the least of all may be the fastest. */
static const double NEAR = 1.1;

static enuf_candidate *own_of(enuf_tuning *tuning)
{
    for (int i = 0; i < tuning->n; i++)
        if (tuning->candidate[i].state == ENUF_CANDIDATE_SLOWER &&
            enuf_tuning_is_own(tuning, &tuning->candidate[i]))
            return &tuning->candidate[i];
    return NULL;
}

/* The fastest but for the plan's own, in ascending time. */
static int find_challengers(enuf_tuning *tuning, const enuf_candidate *own,
                            enuf_candidate *found[CHALLENGERS])
{
    double least = own->measured_seconds;
    int n = 0;
    for (int i = 0; i < tuning->n; i++)
        if (tuning->candidate[i].state == ENUF_CANDIDATE_SLOWER)
            least = fmin(least, tuning->candidate[i].measured_seconds);
    for (int i = 0; i < tuning->n; i++) {
        enuf_candidate *c = &tuning->candidate[i];
        if (c->state != ENUF_CANDIDATE_SLOWER || c == own || c->measured_seconds > NEAR * least)
            continue;
        int at = n < CHALLENGERS ? n++ : CHALLENGERS;
        for (; at > 0 && found[at - 1]->measured_seconds > c->measured_seconds; at--)
            if (at < CHALLENGERS) found[at] = found[at - 1];
        if (at < CHALLENGERS) found[at] = c;
    }
    return n;
}

/* *wins: the challenger takes less time than the champion, in pairs of rounds. Against the own it
 * has to win two thirds of a little more than twice `trials` pairs, and in the median by more than
 * a clock's scatter: of methods as fast as the own, few do by luck. Against another one the median
 * decides. It does not win if there were too few pairs. */
static enuf_status challenge(const enuf_nufft_options *options, const enuf_tuning_request *request,
                             enuf_tuning *tuning, enuf_candidate *champion,
                             enuf_candidate *challenger, int *wins)
{
    const int is_own = enuf_tuning_is_own(tuning, champion);
    const int pairs = 2 * request->trials < MOST_PAIRS ? 2 * request->trials + 1 : MOST_PAIRS;
    const int most_losses = is_own ? (pairs - 1) / 3 : pairs / 2;
    const double gain = is_own && request->effort != ENUF_TUNE_EXHAUSTIVE ? ENUF_TUNING_SCATTER : 1;
    double ratio[MOST_PAIRS] = {0}, mine, other;
    int losses = 0;
    *wins = 0;
    for (int k = 0; k < pairs; k++) {
        ENUF_TRY(enuf_tuning_time_once(options, request, tuning, champion, &mine));
        ENUF_TRY(enuf_tuning_time_once(options, request, tuning, challenger, &other));
        if (mine == 0 || other == 0) return ENUF_SUCCESS;
        losses += !(other < mine);
        if (losses > most_losses) return ENUF_SUCCESS;
        int at = k;
        for (; at > 0 && ratio[at - 1] > other / mine; at--) ratio[at] = ratio[at - 1];
        ratio[at] = other / mine;
    }
    *wins = ratio[pairs / 2] * gain < 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_tuning_confirm(const enuf_nufft_options *options,
                                const enuf_tuning_request *request, enuf_tuning *tuning)
{
    enuf_candidate *own = own_of(tuning), *challengers[CHALLENGERS];
    if (!own) return ENUF_SUCCESS;
    const int n = find_challengers(tuning, own, challengers);
    enuf_candidate *champion = own;
    for (int i = 0; i < n; i++) {
        int wins;
        ENUF_TRY(challenge(options, request, tuning, champion, challengers[i], &wins));
        if (wins) tuning->confirmed = champion = challengers[i];
        if (request->time_limit > 0 && tuning->spent >= request->time_limit) return ENUF_SUCCESS;
    }
    tuning->confirmed = champion;
    return ENUF_SUCCESS;
}
