/* measure.c - times a plan at the caller's points, with random strengths and modes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "enuf/gram.h"
#include "tuning.h"
#include "wall_clock.h"

#include <math.h>
#include <string.h>

struct enuf_tuning_clock {
    enuf_tuning_points points;
    double *drawn;                      /* [n][3] or NULL */
    double *strengths, *modes, *result; /* room for either precision */
    double type1, type2, gram;
    int64_t gram_peak; /* bytes, at level GRAM */
};

/* A fixed sequence in [-1, 1): splitmix64. */
static double draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ldexp((double)((z ^ (z >> 31)) >> 11), -52) - 1;
}

static void fill(enuf_precision precision, int64_t n, double *numbers, uint64_t *state)
{
    for (int64_t i = 0; i < n; i++)
        if (precision == ENUF_FLOAT)
            ((float *)(void *)numbers)[i] = (float)draw(state);
        else
            numbers[i] = draw(state);
}

static enuf_status make(const enuf_nufft_options *o, enuf_tuning_clock *clock)
{
    enuf_tuning_points *p = &clock->points;
    uint64_t state = 1;
    int64_t modes = 2 * o->batch;
    const int64_t strengths = 2 * o->batch * p->n;
    for (int d = 0; d < o->dim; d++) modes *= o->modes[d];
    const int64_t most = modes > strengths ? modes : strengths;
    if (!p->x) {
        ENUF_TRY(enuf_allocate(&clock->drawn, 3 * p->n, sizeof(double), "points to be timed"));
        for (int64_t i = 0; i < 3 * p->n; i++) clock->drawn[i] = 0.5 * o->period * draw(&state);
        p->x = clock->drawn;
        p->y = clock->drawn + 1;
        p->z = clock->drawn + 2;
        p->stride = 3;
    }
    ENUF_TRY(enuf_allocate(&clock->strengths, strengths, sizeof(double), "strengths to be timed"));
    ENUF_TRY(enuf_allocate(&clock->modes, modes, sizeof(double), "modes to be timed"));
    ENUF_TRY(enuf_allocate(&clock->result, most, sizeof(double), "results to be timed"));
    fill(o->precision, strengths, clock->strengths, &state);
    fill(o->precision, modes, clock->modes, &state);
    return ENUF_SUCCESS;
}

enuf_status enuf_tuning_clock_make(const enuf_nufft_options *options,
                                   const enuf_tuning_request *request,
                                   const enuf_tuning_points *points, const enuf_gram_needs *gram,
                                   enuf_tuning_clock **out)
{
    enuf_tuning_clock *clock;
    *out = NULL;
    ENUF_TRY(enuf_allocate(&clock, 1, sizeof *clock, "a clock"));
    *clock = (enuf_tuning_clock){.points = *points,
                                 .type1 = request->type1,
                                 .type2 = request->type2,
                                 .gram = request->gram,
                                 .gram_peak = gram->bytes};
    const enuf_status status = make(options, clock);
    *out = clock;
    if (status != ENUF_SUCCESS) enuf_tuning_clock_free(out);
    return status;
}

void enuf_tuning_clock_free(enuf_tuning_clock **clock)
{
    if (!*clock) return;
    enuf_release(&(*clock)->drawn);
    enuf_release(&(*clock)->strengths);
    enuf_release(&(*clock)->modes);
    enuf_release(&(*clock)->result);
    enuf_release(clock);
}

/* Seconds of the Gram operator's calls. The first one makes what the others use: the spectrum at
 * level GRAM, the room of the values elsewhere. */
static enuf_status time_gram(const enuf_tuning_clock *clock, enuf_nufft *plan, double *seconds)
{
    const double start = enuf_seconds();
    *seconds = 0;
    if (clock->gram == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_nufft_gram(plan, clock->modes, clock->result));
    const double first = enuf_seconds();
    *seconds = fmin(clock->gram, 1) * (first - start);
    if (clock->gram <= 1) return ENUF_SUCCESS;
    ENUF_TRY(enuf_nufft_gram(plan, clock->modes, clock->result));
    *seconds += (clock->gram - 1) * (enuf_seconds() - first);
    return ENUF_SUCCESS;
}

/* Sets the points, then one call of a type and its inverse: their seconds each. The number of calls
 * does not lengthen the timing: they take the same time. */
static enuf_status round_of(const enuf_tuning_clock *clock, enuf_nufft *plan, double *seconds)
{
    const enuf_tuning_points *p = &clock->points;
    const double start = enuf_seconds();
    ENUF_TRY(enuf_nufft_set_points(plan, p->n, p->x, p->y, p->z, p->stride));
    const double set = enuf_seconds();
    if (clock->type1 > 0) ENUF_TRY(enuf_nufft_type1(plan, clock->strengths, clock->result));
    const double one = enuf_seconds();
    if (clock->type2 > 0) ENUF_TRY(enuf_nufft_type2(plan, clock->modes, clock->result, NULL));
    const double two = enuf_seconds();
    ENUF_TRY(time_gram(clock, plan, seconds));
    *seconds += set - start + clock->type1 * (one - set) + clock->type2 * (two - one);
    return ENUF_SUCCESS;
}

enuf_status enuf_tuning_time(void *context, const enuf_nufft_options *options, double *seconds,
                             int64_t *bytes)
{
    const enuf_tuning_clock *clock = context;
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan;
    ENUF_TRY(enuf_nufft_create(options, &plan));
    enuf_status status = round_of(clock, plan, seconds); /* touches all memory */
    if (status == ENUF_SUCCESS) status = round_of(clock, plan, seconds);
    if (status == ENUF_SUCCESS) status = enuf_nufft_get_report(plan, &report);
    *bytes = report.bytes;
    /* what it held while its spectrum was made, in place of what it holds now */
    if (status == ENUF_SUCCESS && plan->gram && options->level == ENUF_LEVEL_GRAM)
        *bytes += clock->gram_peak - plan->gram->bytes(plan);
    enuf_nufft_destroy(&plan);
    return status;
}
