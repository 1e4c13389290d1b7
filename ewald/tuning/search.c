/*
 * search.c - which candidates are timed how often: successive halving that keeps ties.
 *
 * All candidates are timed by turns, so that a machine that slows down slows all of them. The
 * slower half is dropped, but for those that may be the fastest and the model's choice, which lucky
 * rounds of others once sent away; the others are timed as often again. The least times of a
 * candidate count: what disturbs a timing lengthens it. SPDX-License-Identifier: BSD-3-Clause
 */
#include "tuned.h"
#include "wall_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ENUF_TUNE_MEASURE times candidates within this factor of the least predicted time ... */
static const double NEAR = 1.5;
/* ... keeps those within this factor of the fastest, whatever the half ... */
static const double TIED = 1.03;
/* ... and drops those beyond this one. Larger than what a busy machine does to both timings. */
static const double HOPELESS = 2;

/* Timings of each before the first halving. */
enum { FIRST = 2 };

typedef struct race {
    enuf_tuning_work *work;
    double spent;
    int n, running[ENUF_MOST_TIMED];
} race;

static int is_over(const race *r)
{
    const double limit = r->work->request.time_limit;
    return limit > 0 && r->spent >= limit;
}

static void log_timing(const enuf_tuning_work *w, const enuf_tuned *c, int number, int of)
{
    const enuf_ewald_options *o = &w->ewald->options;
    char line[240], text[160];
    if (!o->log) return;
    snprintf(line, sizeof line, "timing %d of %d: %s, %.4g ms", number, of,
             enuf_tuning_text(&c->timed.parameters, text), 1e3 * c->timed.measured_seconds);
    o->log(o->log_context, line);
}

/* A machine that others use is now and then as fast as if it were idle. So the one fastest of many
 * timings does not count, but the next. */
static void take_timing(enuf_tuned *c, double seconds)
{
    enum { MANY = 4 };
    const int n = c->timed.timings++;
    if (n == 0 || seconds < c->least[0]) {
        c->least[1] = n == 0 ? HUGE_VAL : c->least[0];
        c->least[0] = seconds;
    } else if (seconds < c->least[1]) {
        c->least[1] = seconds;
    }
    c->timed.measured_seconds = c->least[c->timed.timings >= MANY];
}

static enuf_status time_once(race *r, enuf_tuned *c)
{
    enuf_tuning_work *w = r->work;
    const enuf_ewald_tuning_request *request = &w->request;
    char text[160];
    double seconds = 0;
    int64_t bytes = 0;
    const double start = enuf_seconds();
    const enuf_status status =
        request->timer
            ? request->timer(request->timer_context, &c->timed.parameters, &seconds, &bytes)
            : enuf_tuning_clock(w, &c->parameters, &seconds, &bytes);
    if (status == ENUF_OUT_OF_MEMORY) {
        c->timed.state = ENUF_CANDIDATE_TOO_MUCH_MEMORY;
        return ENUF_SUCCESS;
    }
    if (status != ENUF_SUCCESS && request->timer)
        return enuf_fail(status, "the request's timer failed (%s) at: %s", enuf_status_text(status),
                         enuf_tuning_text(&c->timed.parameters, text));
    ENUF_TRY(status);
    r->spent += request->timer ? seconds : enuf_seconds() - start;
    take_timing(c, seconds);
    c->timed.bytes = bytes;
    c->timed.state = ENUF_CANDIDATE_SLOWER;
    if (request->memory_limit > 0 && bytes > request->memory_limit)
        c->timed.state = ENUF_CANDIDATE_TOO_MUCH_MEMORY;
    return ENUF_SUCCESS;
}

/* Times those that run, once each. Every other turn goes backwards. */
static enuf_status time_each(race *r, int backwards)
{
    enuf_tuning_work *w = r->work;
    for (int k = 0; k < r->n; k++) {
        enuf_tuned *c = &w->candidate[r->running[backwards ? r->n - 1 - k : k]];
        if (is_over(r)) return ENUF_SUCCESS;
        if (c->timed.state == ENUF_CANDIDATE_TOO_MUCH_MEMORY) continue;
        ENUF_TRY(time_once(r, c));
        if (c->timed.timings > 0) log_timing(w, c, k + 1, r->n);
    }
    return ENUF_SUCCESS;
}

/* Leaves out those that need too much memory, and sorts the others by time. */
static void sort(race *r)
{
    const enuf_tuned *of = r->work->candidate;
    int n = 0;
    for (int k = 0; k < r->n; k++) {
        const int i = r->running[k];
        int at = n;
        if (of[i].timed.state != ENUF_CANDIDATE_SLOWER) continue;
        for (;
             at > 0 && of[r->running[at - 1]].timed.measured_seconds > of[i].timed.measured_seconds;
             at--)
            r->running[at] = r->running[at - 1];
        r->running[at] = i;
        n++;
    }
    r->n = n;
}

/* `model`: the candidate that the model finds fastest. It stays, unless it is hopeless. */
static void halve(race *r, int model)
{
    const enuf_tuned *of = r->work->candidate;
    int n = 0, stays = -1;
    for (int k = 0; k < r->n; k++) {
        const double ratio =
            of[r->running[k]].timed.measured_seconds / of[r->running[0]].timed.measured_seconds;
        if (ratio > HOPELESS) break;
        if (k == n && (k < (r->n + 1) / 2 || ratio <= TIED))
            n++;
        else if (r->running[k] == model)
            stays = model;
    }
    if (stays >= 0) r->running[n++] = stays;
    r->n = n;
}

enuf_status enuf_tuning_time_sums(enuf_tuning_work *w)
{
    const int all = w->request.effort == ENUF_TUNE_EXHAUSTIVE, trials = w->request.trials;
    race r = {.work = w};
    for (int i = 0; i < w->n; i++) {
        const enuf_ewald_timed *c = &w->candidate[i].timed;
        if (c->state != ENUF_CANDIDATE_NOT_TIMED) continue;
        const int first = r.n > 0 ? r.running[0] : i;
        if (!all && c->predicted_seconds > NEAR * w->candidate[first].timed.predicted_seconds)
            break;
        r.running[r.n++] = i;
    }
    const int model = r.n > 0 ? r.running[0] : -1;
    /* halves after 2, 4, 8 ... timings of each */
    for (int done = 0, next = FIRST; done < trials && r.n > 0 && !is_over(&r);) {
        ENUF_TRY(time_each(&r, done % 2));
        if (++done < next || all) continue;
        next *= 2;
        sort(&r);
        halve(&r, model);
        if (r.n == 1) break;
    }
    return ENUF_SUCCESS;
}
