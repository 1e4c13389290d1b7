/* candidates.c - the methods that come into question, by the cost model. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FACTORS[] = {1.25, 1.4, 1.5, 1.6, 1.75, 1.9, 2.0, 2.25, 2.5, 3.0};
enum { N_FACTORS = sizeof FACTORS / sizeof *FACTORS };

/* Bytes of grid, spectrum, points and strengths in order, without the small arrays. */
static int64_t bytes_of(const enuf_nufft_options *o, const enuf_method *method, int64_t n_points)
{
    const double number = o->precision == ENUF_FLOAT ? 4 : 8;
    const double parts = o->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    double cells = parts, modes = 2;
    for (int d = 0; d < o->dim; d++) {
        cells *= (double)method->grid[d];
        modes *= (double)o->modes[d];
    }
    const double integers = o->deterministic ? 8 * cells * o->batch : 0;
    const double points = (double)n_points * (8.0 * o->dim + 8);
    const double bytes = number * o->batch * (cells + modes) + integers + points;
    return bytes < 9e18 ? (int64_t)bytes : INT64_MAX;
}

static double predicted_seconds(const enuf_nufft_options *o, const enuf_tuning_request *request,
                                const enuf_method *method)
{
    const double threads = o->threads > 0 ? o->threads : 1;
    return 1e-9 * (request->type1 + request->type2) * o->batch * enuf_method_cost(o, method) /
           threads;
}

static int is_listed(const enuf_tuning *tuning, const enuf_candidate *candidate)
{
    const enuf_nufft_method *m = &candidate->method;
    for (int i = 0; i < tuning->n; i++) {
        const enuf_nufft_method *other = &tuning->candidate[i].method;
        if (m->window == other->window && m->width == other->width && m->shape == other->shape &&
            memcmp(m->fine_grid, other->fine_grid, sizeof m->fine_grid) == 0)
            return 1;
    }
    return 0;
}

static enuf_status add(const enuf_nufft_options *o, const enuf_tuning_request *request,
                       int64_t n_points, enuf_tuning *tuning)
{
    enuf_method method;
    int met;
    if (tuning->n == ENUF_MAX_CANDIDATES) return ENUF_SUCCESS;
    ENUF_TRY(enuf_choose_grid(o, &method, &met));
    enuf_candidate candidate = {.struct_size = sizeof candidate,
                                .method = enuf_method_record(&method),
                                .state = ENUF_CANDIDATE_NOT_TIMED,
                                .error = method.error,
                                .bytes = bytes_of(o, &method, n_points),
                                .predicted_seconds = predicted_seconds(o, request, &method)};
    candidate.method.level = o->level;
    if (o->gradients) candidate.error = fmax(method.error, method.gradient_error);
    if (!met)
        candidate.state = ENUF_CANDIDATE_MISSES_TOLERANCE;
    else if (o->memory_limit > 0 && candidate.bytes > o->memory_limit)
        candidate.state = ENUF_CANDIDATE_TOO_MUCH_MEMORY;
    if (!is_listed(tuning, &candidate)) tuning->candidate[tuning->n++] = candidate;
    return ENUF_SUCCESS;
}

/* By predicted time, then by error: of equally fast ones the more accurate comes first. */
static int compare(const void *a, const void *b)
{
    const enuf_candidate *first = a, *second = b;
    if (first->predicted_seconds != second->predicted_seconds)
        return first->predicted_seconds < second->predicted_seconds ? -1 : 1;
    if (first->error != second->error) return first->error < second->error ? -1 : 1;
    return (int)first->method.window - (int)second->method.window;
}

enuf_status enuf_tuning_list(const enuf_nufft_options *options, const enuf_tuning_request *request,
                             int64_t n_points, enuf_tuning *tuning)
{
    enuf_nufft_options o = *options;
    double modes = 1;
    for (int d = 0; d < o.dim; d++) modes *= fmax((double)o.modes[d], 1);
    if (n_points > 0) o.density = (double)n_points / modes;
    const int one_grid = o.fine_grid[0] > 0 || o.upsampling > 0;
    for (int w = 0; enuf_window_name((enuf_window)w); w++) {
        if (!request->any_window && (int)options->window != w) continue;
        o.window = (enuf_window)w;
        for (int k = 0; k < (one_grid ? 1 : N_FACTORS); k++) {
            if (!one_grid) o.upsampling = FACTORS[k];
            ENUF_TRY(add(&o, request, n_points, tuning));
        }
    }
    qsort(tuning->candidate, (size_t)tuning->n, sizeof *tuning->candidate, compare);
    return ENUF_SUCCESS;
}
