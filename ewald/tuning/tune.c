/* tune.c - finds the fastest parameters and sets them. SPDX-License-Identifier: BSD-3-Clause */
#include "tuned.h"
#include "evaluate/former_method.h"
#include "memory.h"

#include <stdio.h>
#include <string.h>

/* Parameters must not depend on a clock. */
static enuf_status check_deterministic(const enuf_tuning_work *w, int has_wisdom)
{
    const enuf_tune_effort effort = w->request.effort;
    if (!w->ewald->options.deterministic || has_wisdom || effort == ENUF_TUNE_ESTIMATE ||
        effort == ENUF_TUNE_WISDOM_ONLY)
        return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "effort %s with options.deterministic: parameters of a timing differ from run "
                     "to run. Tune an object without it, with request.uncorrelated, into wisdom, "
                     "and give that here, or use ENUF_TUNE_ESTIMATE",
                     enuf_tune_effort_name(effort));
}

static enuf_status refuse_memory(const enuf_tuning_work *w)
{
    char text[160];
    const enuf_ewald_timed *least = NULL;
    const int64_t given = w->request.memory_limit, own = w->ewald->options.memory_limit;
    char limit[60] = "the memory that is free does not suffice";
    if (given > 0 || own > 0)
        snprintf(limit, sizeof limit, "memory_limit %lld", (long long)(given > 0 ? given : own));
    for (int i = 0; i < w->n; i++) {
        const enuf_ewald_timed *c = &w->candidate[i].timed;
        if (c->state == ENUF_CANDIDATE_TOO_MUCH_MEMORY && (!least || c->bytes < least->bytes))
            least = c;
    }
    return enuf_fail(ENUF_OUT_OF_MEMORY, "%s: the least need is about %lld bytes, of: %s", limit,
                     (long long)least->bytes, enuf_tuning_text(&least->parameters, text));
}

static enuf_status refuse_accuracy(const enuf_tuning_work *w)
{
    char text[160];
    const enuf_ewald_timed *best = &w->candidate[0].timed;
    double least = 0;
    for (int i = 0; i < w->n; i++) {
        const enuf_ewald_timed *c = &w->candidate[i].timed;
        const double error = c->measured_error > 0 ? c->measured_error : c->parameters.predicted;
        if (i > 0 && error >= least) continue;
        least = error;
        best = c;
    }
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "accuracy %.2g: the least error is %.2g, of: %s; leave the choice more, or "
                     "ask for that",
                     w->choice.requested, least, enuf_tuning_text(&best->parameters, text));
}

static enuf_status refuse(const enuf_tuning_work *w)
{
    for (int i = 0; i < w->n; i++)
        if (w->candidate[i].timed.state == ENUF_CANDIDATE_TOO_MUCH_MEMORY) return refuse_memory(w);
    return refuse_accuracy(w);
}

static int is_model(const enuf_tuning_work *w, const enuf_tuned *c)
{
    const enuf_parameters *p = &c->parameters, *q = &w->model;
    return p->splitting.kind == q->splitting.kind && p->splitting.cutoff == q->splitting.cutoff &&
           p->width == q->width && memcmp(p->grid, q->grid, sizeof p->grid) == 0;
}

/* The fastest of those that were timed, or else the model's choice, or the next one that it finds
 * cheap. NULL: none is left. */
static enuf_tuned *best_of(enuf_tuning_work *w)
{
    enuf_tuned *timed = NULL, *model = NULL, *first = NULL;
    for (int i = 0; i < w->n; i++) {
        enuf_tuned *c = &w->candidate[i];
        if (c->timed.state == ENUF_CANDIDATE_SLOWER &&
            (!timed || c->timed.measured_seconds < timed->timed.measured_seconds))
            timed = c;
        if (c->timed.state != ENUF_CANDIDATE_NOT_TIMED) continue;
        if (is_model(w, c)) model = c;
        if (!first) first = c;
    }
    return timed ? timed : model ? model : first;
}

/* Sets the best one that meets the accuracy at the positions. */
static enuf_status set_best(enuf_tuning_work *w, enuf_tuned **chosen)
{
    for (;;) {
        int fits = 1;
        enuf_tuned *best = best_of(w);
        if (!best) return refuse(w);
        /* the model's choice is in use, with what was measured for it */
        if (w->replaced || best->timed.timings > 0 || !is_model(w, best)) {
            const enuf_status status = enuf_tuning_try(w, best, &fits);
            if (status == ENUF_OUT_OF_MEMORY && best->timed.timings == 0) {
                best->timed.state = ENUF_CANDIDATE_TOO_MUCH_MEMORY;
                continue;
            }
            ENUF_TRY(status);
        }
        best->timed.state = fits ? ENUF_CANDIDATE_CHOSEN : ENUF_CANDIDATE_MISSES_TOLERANCE;
        if (!fits) continue;
        *chosen = best;
        return ENUF_SUCCESS;
    }
}

static enuf_status choose_by_model(enuf_tuning_work *w)
{
    enuf_ewald *ewald = w->ewald;
    int holds;
    if (enuf_tuning_is_uncorrelated(w)) {
        ewald->error_scale = ENUF_NO_ERROR_SCALE;
        ENUF_TRY(enuf_ewald_choose_anew(ewald));
    } else {
        ENUF_TRY(enuf_ewald_find_error_scale(ewald, w->alone.positions, w->stride));
    }
    ENUF_TRY(enuf_ewald_request(ewald, &w->choice));
    if (w->choice.n_charged == 0) return ENUF_SUCCESS;
    w->model = ewald->method.parameters;
    return enuf_tuning_complete(ewald, &w->model, &holds);
}

static enuf_status find(enuf_tuning_work *w)
{
    enuf_tuned *chosen = NULL;
    ENUF_TRY(check_deterministic(w, w->request.wisdom != NULL));
    ENUF_TRY(choose_by_model(w));
    if (w->choice.n_charged == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_tuning_take_wisdom(w));
    if (w->from_wisdom) return ENUF_SUCCESS;
    if (w->request.effort == ENUF_TUNE_WISDOM_ONLY) return enuf_tuning_refuse_wisdom(w);
    ENUF_TRY(check_deterministic(w, 0));
    ENUF_TRY(enuf_tuning_list_sums(w));
    if (w->request.effort != ENUF_TUNE_ESTIMATE) ENUF_TRY(enuf_tuning_time_sums(w));
    ENUF_TRY(set_best(w, &chosen));
    if (!w->request.wisdom || chosen->timed.timings == 0) return ENUF_SUCCESS;
    return enuf_tuning_keep_wisdom(w, chosen);
}

/* What the object has becomes an option while it is tuned. */
static enuf_status keep_fields(enuf_ewald *ewald, int keep)
{
    const enuf_parameters *p = &ewald->method.parameters;
    enuf_ewald_options *o = &ewald->options;
    if (keep == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_ewald_update_method(ewald));
    if (!ewald->method.is_made) return ENUF_SUCCESS; /* no charges */
    if (keep & ENUF_KEEP_SPLIT) o->split = p->splitting.kind;
    if (keep & ENUF_KEEP_CUTOFF) o->cutoff = p->splitting.cutoff;
    if (keep & ENUF_KEEP_GRID) memcpy(o->grid, p->grid, sizeof o->grid);
    if (keep & ENUF_KEEP_WIDTH) o->width = p->width;
    return ENUF_SUCCESS;
}

/* After an error the object has its former method and options. */
static enuf_status tune(enuf_tuning_work *w)
{
    enuf_ewald *ewald = w->ewald;
    const enuf_ewald_options options = ewald->options;
    enuf_former_method *former = NULL;
    enuf_status status = keep_fields(ewald, w->request.keep);
    if (status == ENUF_SUCCESS) status = enuf_method_set_aside(ewald, &former);
    if (status == ENUF_SUCCESS) {
        ewald->is_choosing = 1;
        status = find(w);
        ewald->is_choosing = 0;
    }
    enuf_sample_release(&w->alone.sample);
    enuf_release(&w->forces);
    const enuf_arithmetic chosen = ewald->options.arithmetic;
    ewald->options = options;
    if (former && status == ENUF_SUCCESS) {
        ewald->options.arithmetic = chosen;
        enuf_former_method_release(&former);
    } else if (former) {
        enuf_method_put_back(ewald, &former);
    }
    return status;
}

static void fill_tuning(const enuf_tuning_work *w, enuf_ewald_tuning *tuning)
{
    tuning->n = w->n;
    tuning->from_wisdom = w->from_wisdom;
    for (int i = 0; i < w->n; i++) {
        tuning->candidate[i] = w->candidate[i].timed;
        tuning->candidate[i].parameters.chosen =
            tuning->candidate[i].state == ENUF_CANDIDATE_CHOSEN;
    }
}

/* With the positions on the host too. */
static enuf_status tune_at(enuf_tuning_work *w, enuf_ewald_tuning *tuning)
{
    enuf_ewald *ewald = w->ewald;
    double *copy = NULL;
    const double *on_host = w->positions;
    enuf_status status =
        enuf_ewald_host_positions(ewald, ewald->options.memory, &on_host, w->stride, &copy);
    if (status == ENUF_SUCCESS) status = enuf_ewald_check_positions(ewald, on_host, w->stride);
    if (status == ENUF_SUCCESS) status = enuf_ewald_host_charges(ewald);
    w->alone = (enuf_error_scale_alone){.ewald = ewald, .positions = on_host, .stride = w->stride};
    if (status == ENUF_SUCCESS) status = tune(w);
    if (status == ENUF_SUCCESS) fill_tuning(w, tuning);
    enuf_release(&copy);
    return status;
}

static enuf_status check_object(const enuf_ewald *ewald)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    if (ewald->on_ranks)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "ranks of MPI are not tuned by time: use enuf_ewald_tune()");
    if (!ewald->has_cell || !ewald->has_charges) {
        enuf_choice_request request;
        return enuf_ewald_request(ewald, &request);
    }
    return ENUF_SUCCESS;
}

static enuf_status tune_with(enuf_ewald *ewald, const enuf_ewald_tuning_request *request,
                             const double *positions, int64_t stride, enuf_ewald_tuning **out)
{
    enuf_tuning_work *work = NULL;
    enuf_ewald_tuning *tuning = NULL;
    ENUF_TRY(enuf_tuning_check_request(request));
    ENUF_TRY(check_object(ewald));
    ENUF_TRY(enuf_check_positions_argument(ewald->charges.n, positions, stride));
    ENUF_TRY(enuf_ewald_judge_enqueued(ewald));
    enuf_ewald_keep_errors(ewald);
    enuf_status status = enuf_allocate(&work, 1, sizeof *work, "a tuning");
    if (status == ENUF_SUCCESS) status = enuf_allocate(&tuning, 1, sizeof *tuning, "candidates");
    if (status == ENUF_SUCCESS) {
        memset(work, 0, sizeof *work);
        memset(tuning, 0, sizeof *tuning);
        work->ewald = ewald;
        work->request = *request;
        work->positions = positions;
        work->stride = stride;
        status = tune_at(work, tuning);
    }
    enuf_release(&work);
    if (status == ENUF_SUCCESS && out)
        *out = tuning;
    else
        enuf_release(&tuning);
    return status;
}

enuf_status enuf_ewald_tune_with(enuf_ewald *ewald, const enuf_ewald_tuning_request *request,
                                 const double *positions, int64_t stride, enuf_ewald_tuning **out)
{
    enuf_ewald_tuning_request r;
    enuf_ewald_tuning_request_init(&r);
    if (out) *out = NULL;
    if (request) r = *request;
    return enuf_named(tune_with(ewald, &r, positions, stride, out), __func__);
}
