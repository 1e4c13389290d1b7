/* candidates.c - the methods that come into question, by the cost model. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FACTORS[] = {1.25, 1.4, 1.5, 1.6, 1.75, 1.9, 2.0, 2.25, 2.5, 3.0};
enum { N_FACTORS = sizeof FACTORS / sizeof *FACTORS };

/* What all candidates of a list share. */
typedef struct listing {
    const enuf_tuning_request *request;
    int64_t n_points;
    enuf_point_runs runs;
    enuf_tuning *tuning;
} listing;

static double predicted_seconds(const enuf_nufft_options *o, const listing *l,
                                const enuf_method *method)
{
    const double threads = o->threads > 0 && !enuf_tuning_on_gpu(o) ? o->threads : 1;
    const enuf_level_cost cost = enuf_level_cost_of(o, method, &l->runs);
    double all = cost.set + l->request->type1 * cost.type1 + l->request->type2 * cost.type2;
    if (o->level == ENUF_LEVEL_GRAM)
        all += l->tuning->gram.spectrum + l->request->gram * l->tuning->gram.apply;
    else
        all += l->request->gram * (cost.type1 + cost.type2);
    return 1e-9 * all / threads;
}

static int is_listed(const enuf_tuning *tuning, const enuf_candidate *candidate)
{
    const enuf_nufft_method *m = &candidate->method;
    for (int i = 0; i < tuning->n; i++)
        if (enuf_methods_equal(m, &tuning->candidate[i].method)) return 1;
    return 0;
}

/* The method at the options' level, by their ways. */
static enuf_nufft_method record_of(const enuf_nufft_options *o, const enuf_method *method)
{
    enuf_nufft_method record = enuf_method_record(method);
    record.level = o->level;
    record.spreading = o->spreading;
    record.interpolation = o->interpolation;
    return record;
}

static void add_level(const enuf_nufft_options *o, const enuf_method *method, int met, listing *l)
{
    enuf_tuning *tuning = l->tuning;
    enuf_candidate candidate = {.struct_size = sizeof candidate,
                                .method = record_of(o, method),
                                .state = ENUF_CANDIDATE_NOT_TIMED,
                                .error = method->error,
                                .bytes = enuf_tuning_bytes(o, method, l->n_points),
                                .predicted_seconds = predicted_seconds(o, l, method)};
    const int64_t of_gram = enuf_gram_bytes_at(o, &tuning->gram);
    candidate.bytes = candidate.bytes < INT64_MAX - of_gram ? candidate.bytes + of_gram : INT64_MAX;
    if (o->gradients) candidate.error = fmax(method->error, method->gradient_error);
    if (!met)
        candidate.state = ENUF_CANDIDATE_MISSES_TOLERANCE;
    else if (candidate.bytes > enuf_level_limit(o, l->request->any_level))
        candidate.state = ENUF_CANDIDATE_TOO_MUCH_MEMORY;
    if (tuning->n < ENUF_MAX_CANDIDATES && !is_listed(tuning, &candidate))
        tuning->candidate[tuning->n++] = candidate;
}

/* The method of a window and an upsampling, at every level. */
static enuf_status add(const enuf_nufft_options *options, listing *l)
{
    enuf_nufft_options o = *options;
    enuf_method method;
    int met;
    ENUF_TRY(enuf_choose_grid(&o, &method, &met));
    for (int k = 0; enuf_level_name((enuf_level)k); k++) {
        if (!l->request->any_level && (int)options->level != k) continue;
        if (l->request->any_level && k == ENUF_LEVEL_GRAM && !l->tuning->gram.served) continue;
        o.level = (enuf_level)k;
        if (enuf_level_serves(&o, &method, l->n_points)) add_level(&o, &method, met, l);
    }
    return ENUF_SUCCESS;
}

/* What a plan chooses by itself is among the candidates. */
static enuf_status add_own(const enuf_nufft_options *o, listing *l)
{
    enuf_method method;
    int met;
    ENUF_TRY(enuf_choose_grid(o, &method, &met));
    l->tuning->own = record_of(o, &method);
    return add(o, l);
}

/* By predicted time, then by error and bytes: of equally fast ones the more accurate comes first.
 * At level GRAM grids are equally fast if types 1 and 2 are not called, because level_cost.c has no
 * grid in the time that it takes to set: the smallest plan comes first. */
static int compare(const void *a, const void *b)
{
    const enuf_candidate *first = a, *second = b;
    if (first->predicted_seconds != second->predicted_seconds)
        return first->predicted_seconds < second->predicted_seconds ? -1 : 1;
    const int gram[2] = {first->method.level == ENUF_LEVEL_GRAM,
                         second->method.level == ENUF_LEVEL_GRAM};
    if (gram[0] != gram[1]) return gram[0] - gram[1];
    if (gram[0] && first->bytes != second->bytes) return first->bytes < second->bytes ? -1 : 1;
    if (first->error != second->error) return first->error < second->error ? -1 : 1;
    if (first->method.window != second->method.window)
        return (int)first->method.window - (int)second->method.window;
    if (first->bytes != second->bytes) return first->bytes < second->bytes ? -1 : 1;
    return (int)first->method.level - (int)second->method.level;
}

enuf_status enuf_tuning_list(const enuf_nufft_options *options, const enuf_tuning_request *request,
                             const enuf_tuning_points *points, enuf_tuning *tuning)
{
    enuf_nufft_options o = *options;
    listing l = {.request = request, .n_points = points->n, .tuning = tuning};
    double modes = 1;
    for (int d = 0; d < o.dim; d++) modes *= fmax((double)o.modes[d], 1);
    if (points->n > 0) o.density = (double)points->n / modes;
    enuf_point_runs_of(&o, points, &l.runs);
    const int one_grid = o.fine_grid[0] > 0 || o.upsampling > 0;
    ENUF_TRY(add_own(&o, &l));
    for (int w = 0; enuf_window_name((enuf_window)w); w++) {
        if (!request->any_window && (int)options->window != w) continue;
        o.window = (enuf_window)w;
        for (int k = 0; k < (one_grid ? 1 : N_FACTORS); k++) {
            if (!one_grid) o.upsampling = FACTORS[k];
            ENUF_TRY(add(&o, &l));
        }
    }
    qsort(tuning->candidate, (size_t)tuning->n, sizeof *tuning->candidate, compare);
    return ENUF_SUCCESS;
}
