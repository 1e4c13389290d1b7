/*
 * ways.c - on a GPU: the ways of the fastest method between points and cells, spreading first, then
 * interpolation. A plan chooses them by rules that were measured on one GPU, for points that are
 * evenly spread; here they are timed at the caller's points. SPDX-License-Identifier: BSD-3-Clause
 */
#include "plan/options.h"
#include "tuning.h"

/* 1: the request has calls that go this way. Levels WEIGHTS and MATRIX have ways of their own. */
static int is_called(const enuf_tuning_request *request, const enuf_nufft_method *m, int spreads)
{
    const double calls = spreads ? request->type1 : request->type2;
    if (m->level == ENUF_LEVEL_GRAM) return calls > 0;
    return m->level == ENUF_LEVEL_SORTED && calls + request->gram > 0;
}

/* Appends the candidate with each other way of a direction. */
static void append(const enuf_nufft_options *o, int spreads, const enuf_candidate *from,
                   enuf_tuning *tuning)
{
    for (int k = 1; enuf_strategy_name((enuf_strategy)k); k++) {
        const enuf_strategy way = (enuf_strategy)k;
        if (!enuf_nufft_has_strategy(o->dim, spreads, way)) continue;
        if (o->window_table && !enuf_nufft_reads_table(o->dim, way)) continue;
        if (tuning->n == ENUF_MAX_CANDIDATES) return;
        enuf_candidate *c = &tuning->candidate[tuning->n++];
        *c = *from;
        c->state = ENUF_CANDIDATE_NOT_TIMED;
        c->measured_seconds = c->timings = 0;
        *(spreads ? &c->method.spreading : &c->method.interpolation) = way;
    }
}

/* A way that takes so much longer than the best in its first round has no further one, unless all
 * candidates have. */
static const double FURTHER = 1.2;

/* Times the ways of a direction in turns with *best; *best: the fastest then. AUTO is left for a
 * gain alone. */
static enuf_status try_direction(const enuf_nufft_options *options,
                                 const enuf_tuning_request *request, int spreads,
                                 enuf_tuning *tuning, enuf_candidate **best)
{
    const int all = request->effort == ENUF_TUNE_EXHAUSTIVE;
    const double gain = all ? 1 : ENUF_TUNING_SCATTER;
    const int first = tuning->n;
    append(options, spreads, *best, tuning);
    for (int trial = 0; trial < request->trials; trial++) {
        ENUF_TRY(enuf_tuning_time_once(options, request, tuning, *best, NULL));
        for (int i = first; i < tuning->n; i++) {
            enuf_candidate *c = &tuning->candidate[i];
            if (!all && c->measured_seconds > FURTHER * (*best)->measured_seconds) continue;
            ENUF_TRY(enuf_tuning_time_once(options, request, tuning, c, NULL));
        }
    }
    double least = (*best)->measured_seconds / gain;
    for (int i = first; i < tuning->n; i++) {
        enuf_candidate *c = &tuning->candidate[i];
        if (c->state != ENUF_CANDIDATE_SLOWER || c->measured_seconds >= least) continue;
        least = c->measured_seconds;
        *best = c;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_tuning_try_ways(const enuf_nufft_options *options,
                                 const enuf_tuning_request *request, enuf_tuning *tuning)
{
    if (!enuf_tuning_on_gpu(options)) return ENUF_SUCCESS;
    enuf_candidate *best = enuf_tuning_fastest(request->effort, tuning);
    if (!best || best->timings == 0) return ENUF_SUCCESS;
    for (int spreads = 1; spreads >= 0; spreads--) {
        const int fixed = spreads ? options->spreading : options->interpolation;
        if (fixed || !is_called(request, &best->method, spreads)) continue;
        ENUF_TRY(try_direction(options, request, spreads, tuning, &best));
    }
    return ENUF_SUCCESS;
}
