/* tune.c - finds the fastest method and writes it into the options. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "parallel.h"
#include "tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enuf_status check_request(const enuf_tuning_request *r)
{
    if (r->struct_size != sizeof *r)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_tune: request->struct_size is %zu, this library's is %zu: "
                         "call enuf_tuning_request_init() first",
                         r->struct_size, sizeof *r);
    if (!enuf_tune_effort_name(r->effort))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_tune: effort %d: use one of "
                         "ENUF_TUNE_EFFORTS",
                         (int)r->effort);
    if (!(r->type1 >= 0 && r->type1 <= 1e6 && r->type2 >= 0 && r->type2 <= 1e6 && r->gram >= 0 &&
          r->gram <= 1e6))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_tune: %g calls of type 1, %g of type 2, %g of the Gram "
                         "operator: use 0 to 1e6",
                         r->type1, r->type2, r->gram);
    if (r->trials < 1 || r->trials > 1000)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_tune: trials %d: use 1 to 1000", r->trials);
    if (!(r->time_limit >= 0))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_tune: time_limit %g: use 0 (none) or seconds", r->time_limit);
    if (r->effort == ENUF_TUNE_WISDOM_ONLY && !r->wisdom)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_tune: effort wisdom_only without wisdom");
    return ENUF_SUCCESS;
}

static enuf_status check_problem(const enuf_nufft_options *o, const enuf_tuning_request *r)
{
    enuf_status status = enuf_nufft_check_options(o);
    if (status != ENUF_SUCCESS) return enuf_fail_in(status, "enuf_nufft_tune");
    if (o->tolerance == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_tune: tolerance 0: methods are compared at "
                                            "a tolerance: give one");
    if (o->type3 || o->no_grid || o->point_sets > 1)
        return enuf_fail(ENUF_UNSUPPORTED, "enuf_nufft_tune: %s: tune types 1 and 2 of one set",
                         o->type3     ? "type 3"
                         : o->no_grid ? "no_grid"
                                      : "several point sets");
    if (!r->any_level && o->level == ENUF_LEVEL_GRAM && o->strengths == ENUF_REAL_STRENGTHS)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_tune: level gram with real strengths: use "
                         "ENUF_COMPLEX_STRENGTHS, with all modes, or another level");
    return ENUF_SUCCESS;
}

static const char *text_of(const enuf_nufft_method *m, char text[160])
{
    snprintf(text, 160, "%s window of width %d on %lldx%lldx%lld cells",
             enuf_window_name(m->window), m->width, (long long)m->fine_grid[0],
             (long long)m->fine_grid[1], (long long)m->fine_grid[2]);
    return text;
}

/* No candidate meets the tolerance: what comes nearest, and what would if less were fixed. */
static enuf_status refuse_error(const enuf_nufft_options *options,
                                const enuf_tuning_request *request, const enuf_tuning *tuning,
                                const enuf_tuning_points *points)
{
    char best_text[160], text[160], serves[220] = "nothing that is not fixed serves";
    const enuf_candidate *best = &tuning->candidate[0];
    enuf_tuning *free_list;
    enuf_nufft_options o = *options;
    enuf_tuning_request any = *request;
    for (int i = 1; i < tuning->n; i++)
        if (tuning->candidate[i].error < best->error) best = &tuning->candidate[i];
    ENUF_TRY(enuf_allocate(&free_list, 1, sizeof *free_list, "candidates"));
    /* free the width first, then the shape, the grid, the window: the nearest that fits */
    for (int step = 0, found = 0; step < 4 && !found; step++) {
        if (step == 0) o.width = 0;
        if (step == 1) o.shape = 0;
        if (step == 2) memset(o.fine_grid, 0, sizeof o.fine_grid);
        if (step == 2) o.upsampling = 0;
        if (step == 3) any.any_window = 1;
        memset(free_list, 0, sizeof *free_list);
        free_list->gram = tuning->gram;
        if (enuf_tuning_list(&o, &any, points, free_list) != ENUF_SUCCESS) break;
        for (int i = 0; i < free_list->n && !found; i++) {
            if (free_list->candidate[i].state == ENUF_CANDIDATE_MISSES_TOLERANCE) continue;
            snprintf(serves, sizeof serves, "the %s serves",
                     text_of(&free_list->candidate[i].method, text));
            found = 1;
        }
    }
    enuf_release(&free_list);
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "enuf_nufft_tune: tolerance %.2g: the %s has an error of %.2g; %s",
                     options->tolerance, text_of(&best->method, best_text), best->error, serves);
}

/* What a plan's report leaves out: its arrays end with lines of the cache, FFTs have records. */
enum { ROUNDED_UP = 4096 };

/* Bytes of a candidate's plan with its points: the prediction leaves out what is small. The plan
 * has a grid, which costs nothing while it is not written, and room for one point; on a GPU for all
 * of them, because arrays there are rounded up. */
static enuf_status weigh(const enuf_nufft_options *options, const enuf_gram_needs *gram,
                         int64_t n_points, enuf_candidate *c)
{
    enuf_nufft_options o = *options;
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan;
    ENUF_TRY(enuf_nufft_set_method(&o, &c->method));
    o.memory_limit = 0;
    ENUF_TRY(enuf_nufft_create(&o, &plan));
    enuf_status status = enuf_nufft_get_report(plan, &report);
    const int64_t empty = report.bytes;
    const int64_t some = enuf_tuning_on_gpu(&o) && n_points > 0 ? n_points : 1;
    if (status == ENUF_SUCCESS) status = enuf_nufft_reserve(plan, some);
    if (status == ENUF_SUCCESS) status = enuf_nufft_get_report(plan, &report);
    enuf_nufft_destroy(&plan);
    const double bytes = (double)empty + ROUNDED_UP +
                         (double)n_points / (double)some * (double)(report.bytes - empty) +
                         (double)enuf_gram_bytes_at(&o, gram);
    if (status == ENUF_SUCCESS) c->bytes = bytes < 9e18 ? (int64_t)bytes : INT64_MAX;
    return status;
}

/* The true need where the prediction was within the limit but the plan was not. */
static enuf_status refuse_memory(const enuf_nufft_options *o, int64_t n_points, enuf_tuning *tuning)
{
    char text[160];
    enuf_candidate *least = NULL;
    for (int i = 0; i < tuning->n; i++) {
        enuf_candidate *c = &tuning->candidate[i];
        if (c->state != ENUF_CANDIDATE_TOO_MUCH_MEMORY) continue;
        if (o->memory_limit > 0 && c->bytes <= o->memory_limit)
            ENUF_TRY(weigh(o, &tuning->gram, n_points, c));
        if (!least || c->bytes < least->bytes) least = c;
    }
    if (o->memory_limit == 0)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "enuf_nufft_tune: the GPU has no memory for any method: the least need is "
                         "about %lld bytes, of the %s, level %s",
                         (long long)least->bytes, text_of(&least->method, text),
                         enuf_level_name(least->method.level));
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "enuf_nufft_tune: memory_limit %lld: the least need is about %lld bytes, of "
                     "the %s, level %s",
                     (long long)o->memory_limit, (long long)least->bytes,
                     text_of(&least->method, text), enuf_level_name(least->method.level));
}

typedef struct tuning_names {
    char machine[ENUF_WISDOM_MACHINE], problem[ENUF_WISDOM_KEY];
} tuning_names;

/* 1: wisdom has a method of enough effort that fits the memory. */
static int take_wisdom(const enuf_nufft_options *o, const enuf_tuning_request *r,
                       const tuning_names *names, enuf_tuning *tuning)
{
    const enuf_wisdom_entry *entry =
        r->wisdom ? enuf_wisdom_find(r->wisdom, names->machine, names->problem) : NULL;
    if (!entry || entry->split[0] ||
        (r->effort != ENUF_TUNE_WISDOM_ONLY && entry->effort < (int)r->effort))
        return 0;
    if (o->memory_limit > 0 && entry->bytes > o->memory_limit) return 0;
    /* an entry from before files kept the level */
    if (!r->any_level && entry->method.level != o->level) return 0;
    tuning->n = tuning->from_wisdom = 1;
    tuning->candidate[0] = (enuf_candidate){.struct_size = sizeof(enuf_candidate),
                                            .method = entry->method,
                                            .state = ENUF_CANDIDATE_CHOSEN,
                                            .error = entry->error,
                                            .bytes = entry->bytes,
                                            .measured_seconds = entry->seconds};
    return 1;
}

/* Chooses; with a limit of memory, and on a GPU, the plan of the choice is known to fit. */
static enuf_status choose_within(const enuf_nufft_options *o, enuf_tune_effort effort,
                                 int64_t n_points, enuf_tuning *tuning, const enuf_candidate **best)
{
    for (;;) {
        enuf_candidate *c = enuf_tuning_fastest(effort, tuning);
        *best = c;
        if (c) c->state = ENUF_CANDIDATE_CHOSEN;
        if (!c || c->timings > 0 || (o->memory_limit == 0 && !enuf_tuning_on_gpu(o)))
            return ENUF_SUCCESS;
        const enuf_status status = weigh(o, &tuning->gram, n_points, c);
        const int fits = status == ENUF_SUCCESS;
        if (!fits && !(enuf_tuning_on_gpu(o) && status == ENUF_OUT_OF_MEMORY)) return status;
        if (fits && (o->memory_limit == 0 || c->bytes <= o->memory_limit)) return ENUF_SUCCESS;
        c->state = ENUF_CANDIDATE_TOO_MUCH_MEMORY;
    }
}

static enuf_status time_candidates(const enuf_nufft_options *o, const enuf_tuning_request *request,
                                   const enuf_tuning_points *points, enuf_tuning *tuning)
{
    enuf_tuning_request r = *request;
    enuf_tuning_clock *clock = NULL;
    if (!r.timer) {
        ENUF_TRY(enuf_tuning_clock_make(o, &r, points, &tuning->gram, &clock));
        r.timer = enuf_tuning_time;
        r.timer_context = clock;
    }
    enuf_status status = enuf_tuning_search(o, &r, tuning);
    if (status == ENUF_SUCCESS) status = enuf_tuning_try_ways(o, &r, tuning);
    if (status == ENUF_SUCCESS) status = enuf_tuning_confirm(o, &r, tuning);
    if (clock) enuf_tuning_clock_free(&clock);
    return status;
}

/* A candidate meets the tolerance. */
static int meets(const enuf_tuning *tuning)
{
    for (int i = 0; i < tuning->n; i++)
        if (tuning->candidate[i].state != ENUF_CANDIDATE_MISSES_TOLERANCE) return 1;
    return 0;
}

/* Finds the method; what it was measured to be goes into `learnt`, whose effort is 0 otherwise. */
static enuf_status find(const enuf_nufft_options *o, const enuf_tuning_request *r,
                        const enuf_tuning_points *points, enuf_tuning *tuning,
                        enuf_wisdom_entry *learnt)
{
    tuning_names names;
    ENUF_TRY(enuf_wisdom_machine(o, names.machine));
    enuf_wisdom_problem(o, r, points, names.problem);
    if (take_wisdom(o, r, &names, tuning)) return ENUF_SUCCESS;
    if (r->effort == ENUF_TUNE_WISDOM_ONLY)
        return enuf_fail(ENUF_UNSUPPORTED, "enuf_nufft_tune: wisdom has no entry for %s on %s",
                         names.problem, names.machine);
    ENUF_TRY(enuf_gram_needs_of(o, r, points->n, &tuning->gram));
    ENUF_TRY(enuf_tuning_list(o, r, points, tuning));
    if (tuning->n == 0)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_tune: level %s does not serve %lld points: its indices have "
                         "32 bits: use another level",
                         enuf_level_name(o->level), (long long)points->n);
    if (!meets(tuning)) return refuse_error(o, r, tuning, points);
    if (r->effort != ENUF_TUNE_ESTIMATE) ENUF_TRY(time_candidates(o, r, points, tuning));
    const enuf_candidate *best;
    ENUF_TRY(choose_within(o, r->effort, points->n, tuning, &best));
    if (!best && !meets(tuning)) return refuse_error(o, r, tuning, points);
    if (!best) return refuse_memory(o, points->n, tuning);
    if (best->timings == 0) return ENUF_SUCCESS;
    *learnt = (enuf_wisdom_entry){.effort = (int)r->effort,
                                  .method = best->method,
                                  .error = best->error,
                                  .seconds = best->measured_seconds,
                                  .bytes = best->bytes};
    memcpy(learnt->machine, names.machine, sizeof names.machine);
    memcpy(learnt->problem, names.problem, sizeof names.problem);
    return ENUF_SUCCESS;
}

static enuf_status tune(enuf_nufft_options *options, enuf_nufft_options *o,
                        const enuf_tuning_request *r, enuf_tuning_points points,
                        enuf_tuning *tuning)
{
    enuf_wisdom_entry learnt = {.effort = 0};
    o->threads = enuf_thread_count(o->threads);
    if (points.n == 0) {
        double n = o->density;
        for (int d = 0; d < o->dim; d++) n *= (double)o->modes[d];
        points = (enuf_tuning_points){.n = (int64_t)fmin(fmax(n, 1), 1e15), .stride = 1};
    }
    ENUF_TRY(find(o, r, &points, tuning, &learnt));
    for (int i = 0; i < tuning->n; i++) {
        if (tuning->candidate[i].state != ENUF_CANDIDATE_CHOSEN) continue;
        enuf_nufft_options changed = *options;
        ENUF_TRY(enuf_nufft_set_method(&changed, &tuning->candidate[i].method));
        if (r->wisdom && learnt.effort > 0) ENUF_TRY(enuf_wisdom_add(r->wisdom, &learnt));
        *options = changed;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_tune(enuf_nufft_options *options, const enuf_tuning_request *request,
                            int64_t n, const double *x, const double *y, const double *z,
                            int64_t stride, enuf_tuning **out)
{
    enuf_tuning_request r;
    enuf_nufft_options o;
    enuf_tuning *tuning;
    enuf_tuning_request_init(&r);
    if (out) *out = NULL;
    if (request) r = *request;
    ENUF_TRY(check_request(&r));
    ENUF_TRY(enuf_nufft_read_options("enuf_nufft_tune", options, &o));
    ENUF_TRY(check_problem(&o, &r));
    if (options->struct_size != sizeof *options)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_tune: options of an older library");
    if (n < 0 || (n > 0 && x && (stride < 1 || (o.dim > 1 && !y) || (o.dim > 2 && !z))))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_tune: %lld points of stride %lld: give %d coordinates",
                         (long long)n, (long long)stride, o.dim);
    ENUF_TRY(enuf_allocate(&tuning, 1, sizeof *tuning, "candidates"));
    memset(tuning, 0, sizeof *tuning);
    const enuf_tuning_points points = {n, stride, n > 0 ? x : NULL, y, z};
    const enuf_status status = tune(options, &o, &r, points, tuning);
    if (status != ENUF_SUCCESS || !out)
        enuf_release(&tuning);
    else
        *out = tuning;
    return status;
}
