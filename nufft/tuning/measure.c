/*
 * measure.c - times a plan at the caller's points, with random strengths and modes, which are in
 * the memory where the plan's arrays are. SPDX-License-Identifier: BSD-3-Clause
 */
#include "enuf/gram.h"
#include "tuning.h"
#include "wall_clock.h"

#include <math.h>
#include <string.h>

/* Calls between two waits for a GPU, so that a wait is a small part of them, where a round takes
 * less than LONG seconds. */
enum { GPU_CALLS = 8 };
static const double LONG = 5e-3;

struct enuf_tuning_clock {
    enuf_tuning_points points;
    enuf_nufft *owner;                  /* of arrays in device memory; NULL: they are on the host */
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

/* Random numbers in [-scale, scale). */
static void fill(enuf_precision precision, int64_t n, double scale, double *numbers,
                 uint64_t *state)
{
    for (int64_t i = 0; i < n; i++)
        if (precision == ENUF_FLOAT)
            ((float *)(void *)numbers)[i] = (float)(scale * draw(state));
        else
            numbers[i] = scale * draw(state);
}

/* ---- Memory: the host's, or that of a plan on the GPU whose caller's arrays are on the host ----
 */

static enuf_status make_owner(const enuf_nufft_options *options, enuf_nufft **owner)
{
    enuf_nufft_options o;
    enuf_nufft_options_init(&o);
    o.dim = 1;
    o.modes[0] = 2;
    o.tolerance = 1e-2;
    o.backend = options->backend;
    o.device = options->device;
    o.stream = options->stream;
    return enuf_nufft_create(&o, owner);
}

static enuf_status make_array(enuf_tuning_clock *clock, double **array, int64_t count,
                              const char *what)
{
    if (!clock->owner) return enuf_allocate(array, count, sizeof(double), what);
    return clock->owner->backend->type3->allocate(clock->owner, array, count, sizeof(double), what);
}

/* An array of random numbers. */
static enuf_status make_filled(enuf_tuning_clock *clock, enuf_precision precision, int64_t count,
                               double scale, uint64_t *state, double **array, const char *what)
{
    double *here;
    const void *taken;
    ENUF_TRY(make_array(clock, array, count, what));
    if (!clock->owner) {
        fill(precision, count, scale, *array, state);
        return ENUF_SUCCESS;
    }
    ENUF_TRY(enuf_allocate(&here, count, sizeof(double), what));
    fill(precision, count, scale, here, state);
    enuf_status status = clock->owner->backend->type3->take(
        clock->owner, what, here, count * (int64_t)sizeof(double), *array, &taken);
    if (status == ENUF_SUCCESS) status = enuf_nufft_check(clock->owner, NULL); /* waits */
    enuf_release(&here);
    return status;
}

static enuf_status make(const enuf_nufft_options *o, enuf_tuning_clock *clock)
{
    enuf_tuning_points *p = &clock->points;
    uint64_t state = 1;
    int64_t modes = 2 * o->batch;
    const int64_t strengths = 2 * o->batch * p->n;
    for (int d = 0; d < o->dim; d++) modes *= o->modes[d];
    const int64_t most = modes > strengths ? modes : strengths;
    if (o->memory == ENUF_DEVICE) ENUF_TRY(make_owner(o, &clock->owner));
    if (!p->x) {
        ENUF_TRY(make_filled(clock, ENUF_DOUBLE, 3 * p->n, 0.5 * o->period, &state, &clock->drawn,
                             "points to be timed"));
        p->x = clock->drawn;
        p->y = clock->drawn + 1;
        p->z = clock->drawn + 2;
        p->stride = 3;
    }
    ENUF_TRY(make_filled(clock, o->precision, strengths, 1, &state, &clock->strengths,
                         "strengths to be timed"));
    ENUF_TRY(
        make_filled(clock, o->precision, modes, 1, &state, &clock->modes, "modes to be timed"));
    return make_array(clock, &clock->result, most, "results to be timed");
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
    if (!(*clock)->owner) {
        enuf_release(&(*clock)->drawn);
        enuf_release(&(*clock)->strengths);
        enuf_release(&(*clock)->modes);
        enuf_release(&(*clock)->result);
    }
    enuf_nufft_destroy(&(*clock)->owner); /* with its arrays */
    enuf_release(clock);
}

/* ---- Timing ---- */

typedef enum timed_call { SET_POINTS, TYPE1, TYPE2, GRAM } timed_call;

static enuf_status call_once(const enuf_tuning_clock *clock, enuf_nufft *plan, timed_call call)
{
    const enuf_tuning_points *p = &clock->points;
    switch (call) {
    case SET_POINTS:
        return enuf_nufft_set_points(plan, p->n, p->x, p->y, p->z, p->stride);
    case TYPE1:
        return enuf_nufft_type1(plan, clock->strengths, clock->result);
    case TYPE2:
        return enuf_nufft_type2(plan, clock->modes, clock->result, NULL);
    default:
        return enuf_nufft_gram(plan, clock->modes, clock->result);
    }
}

/* Seconds of one of `calls` equal calls, with the wait for a GPU. */
static enuf_status time_calls(const enuf_tuning_clock *clock, enuf_nufft *plan, timed_call call,
                              int calls, double *seconds)
{
    const double start = enuf_seconds();
    for (int k = 0; k < calls; k++) ENUF_TRY(call_once(clock, plan, call));
    if (plan->backend->kind == ENUF_BACKEND_CUDA) ENUF_TRY(enuf_nufft_check(plan, NULL));
    *seconds = (enuf_seconds() - start) / calls;
    return ENUF_SUCCESS;
}

/* Seconds of the Gram operator's calls. The first one makes what the others use: the spectrum at
 * level GRAM, the room of the values elsewhere. */
static enuf_status time_gram(const enuf_tuning_clock *clock, enuf_nufft *plan, int calls,
                             double *seconds)
{
    double first, further = 0;
    *seconds = 0;
    if (clock->gram == 0) return ENUF_SUCCESS;
    ENUF_TRY(time_calls(clock, plan, GRAM, 1, &first));
    if (clock->gram > 1) ENUF_TRY(time_calls(clock, plan, GRAM, calls, &further));
    *seconds = fmin(clock->gram, 1) * first + fmax(clock->gram - 1, 0) * further;
    return ENUF_SUCCESS;
}

/* Sets the points, then one call of a type and its inverse: their seconds each. The number of calls
 * does not lengthen the timing: they take the same time. */
static enuf_status round_of(const enuf_tuning_clock *clock, enuf_nufft *plan, int calls,
                            double *seconds)
{
    double set, one = 0, two = 0, gram;
    ENUF_TRY(time_calls(clock, plan, SET_POINTS, calls, &set));
    if (clock->type1 > 0) ENUF_TRY(time_calls(clock, plan, TYPE1, calls, &one));
    if (clock->type2 > 0) ENUF_TRY(time_calls(clock, plan, TYPE2, calls, &two));
    ENUF_TRY(time_gram(clock, plan, calls, &gram));
    *seconds = set + clock->type1 * one + clock->type2 * two + gram;
    return ENUF_SUCCESS;
}

enuf_status enuf_tuning_time(void *context, const enuf_nufft_options *options, double *seconds,
                             int64_t *bytes)
{
    const enuf_tuning_clock *clock = context;
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan;
    ENUF_TRY(enuf_nufft_create(options, &plan));
    enuf_status status = round_of(clock, plan, 1, seconds); /* touches all memory */
    const int calls = enuf_tuning_on_gpu(options) && *seconds < LONG ? GPU_CALLS : 1;
    if (status == ENUF_SUCCESS) status = round_of(clock, plan, calls, seconds);
    if (status == ENUF_SUCCESS) status = enuf_nufft_get_report(plan, &report);
    *bytes = report.bytes;
    /* what it held while its spectrum was made, in place of what it holds now */
    if (status == ENUF_SUCCESS && plan->gram && options->level == ENUF_LEVEL_GRAM)
        *bytes += clock->gram_peak - plan->gram->bytes(plan);
    enuf_nufft_destroy(&plan);
    return status;
}
