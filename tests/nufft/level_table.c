/* level_table.c - see level_table.h. SPDX-License-Identifier: BSD-3-Clause */
#include "level_table.h"

const enuf_level level_ascending[LEVELS] = {ENUF_LEVEL_NONE, ENUF_LEVEL_SORTED, ENUF_LEVEL_WEIGHTS,
                                            ENUF_LEVEL_MATRIX, ENUF_LEVEL_GRAM};

/* The lines of time cross after 2, 10 and 80 repeats. */
static const double set_seconds[LEVELS] = {0, 10, 40, 200, 900},
                    call_seconds[LEVELS] = {20, 15, 12, 10, 14};
const int64_t level_bytes[LEVELS] = {1000, 1100, 2000, 9000, 5000};
/* A Gram operator by types 2 and 1, and by its spectrum. Lines of none, matrix and gram cross after
 * 7.52 and 10 calls; the others are nowhere below. */
static const double gram_seconds[LEVELS] = {120, 119.5, 117, 93.4, 23.4};

int level_place(enuf_level level)
{
    int k = 0;
    while (level_ascending[k] != level) k++;
    return k;
}

/* Wider grids and windows take longer, by less than any level does. */
enuf_status level_look_up(void *context, const enuf_nufft_options *o, double *seconds,
                          int64_t *bytes)
{
    level_table *t = context;
    const int k = level_place(o->level);
    t->calls++;
    *seconds = set_seconds[k] + t->repeats * call_seconds[k] + t->gram * gram_seconds[k];
    *seconds *= 1 + 1e-7 * (double)(o->fine_grid[0] + o->width);
    *bytes = t->bytes_over && o->level == ENUF_LEVEL_MATRIX ? INT64_MAX : level_bytes[k];
    return ENUF_SUCCESS;
}

enuf_nufft_options level_problem(void)
{
    enuf_nufft_options o = conformance_options(2, 60, 48, 0);
    o.tolerance = 1e-3;
    o.threads = 1;
    return o;
}

enuf_tuning_request level_request(enuf_tune_effort effort, double repeats, level_table *t)
{
    enuf_tuning_request r;
    enuf_tuning_request_init(&r);
    r.effort = effort;
    r.trials = 1;
    r.type1 = r.type2 = repeats;
    if (t) r.timer = level_look_up;
    r.timer_context = t;
    return r;
}
