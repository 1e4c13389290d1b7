/* sums_table.c - see sums_table.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sums_table.h"

#include <string.h>

static double random_of(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

double seconds_of(const sums_table *t, const enuf_ewald_candidate *c)
{
    uint64_t z = t->seed * 0x9e3779b97f4a7c15u + (uint64_t)c->grid[0] * 0xbf58476d1ce4e5b9u;
    z += (uint64_t)c->width * 0x94d049bb133111ebu + (uint64_t)c->split * 0xd6e8feb86659fd93u;
    const double number = random_of(z);
    return t->error > 0 ? (c->seconds_real + c->seconds_reciprocal) * (1 + t->error * number)
                        : 1 + number;
}

static enuf_status look_up(void *context, const enuf_ewald_candidate *c, double *seconds,
                           int64_t *bytes)
{
    sums_table *t = context;
    if (++t->calls == t->fail_at) return t->failure;
    const double noise = random_of((uint64_t)t->calls * 0x9e3779b97f4a7c15u + t->seed);
    *seconds = seconds_of(t, c) * (1 + t->scatter * noise);
    if (t->calls == 1) t->first = seconds_of(t, c);
    if (seconds_of(t, c) == t->first && t->unlucky-- > 0) *seconds *= 1.5;
    *bytes = t->bytes * c->grid[0] * c->grid[1] * c->grid[2];
    return ENUF_SUCCESS;
}

enuf_ewald_tuning_request request_of(enuf_tune_effort effort, sums_table *t)
{
    enuf_ewald_tuning_request r;
    enuf_ewald_tuning_request_init(&r);
    r.effort = effort;
    if (t) r.timer = look_up;
    r.timer_context = t;
    return r;
}

enuf_ewald_options options_of(double accuracy)
{
    enuf_ewald_options o = options_for(accuracy, ENUF_SPLIT_AUTO);
    o.threads = 1;
    return o;
}

enuf_ewald_timed candidate_at(const enuf_ewald_tuning *tuning, int i)
{
    enuf_ewald_timed c = {.struct_size = sizeof c};
    CHECK_STATUS(enuf_ewald_tuning_get(tuning, i, &c), ENUF_SUCCESS);
    return c;
}

enuf_ewald_timed chosen_of(const enuf_ewald_tuning *tuning)
{
    int n = 0, at = 0;
    for (int i = 0; i < enuf_ewald_tuning_count(tuning); i++)
        if (candidate_at(tuning, i).state == ENUF_CANDIDATE_CHOSEN) {
            at = i;
            n++;
        }
    CHECK(n == 1);
    return candidate_at(tuning, at);
}

enuf_ewald_report report_of(const enuf_ewald *ewald)
{
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    return report;
}

int has_parameters(const enuf_ewald_report *r, const enuf_ewald_candidate *c)
{
    return r->split == c->split && r->cutoff == c->cutoff && r->alpha == c->alpha && r->c == c->c &&
           r->kmax == c->kmax && r->width == c->width && r->shape == c->shape &&
           r->window == c->window && memcmp(r->grid, c->grid, sizeof c->grid) == 0;
}

enuf_ewald_result results_of(enuf_ewald *ewald, const charge_system *s)
{
    enuf_ewald_result result = make_result(s->n);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    return result;
}

int same_bits(const enuf_ewald_result *a, const enuf_ewald_result *b, int64_t n)
{
    return a->energy == b->energy && memcmp(a->virial, b->virial, sizeof a->virial) == 0 &&
           memcmp(a->forces, b->forces, 3 * (size_t)n * sizeof *a->forces) == 0;
}
