/* simple.c - transforms in one call: a plan is made, used and freed. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "enuf/nufft_simple.h"
#include "options.h"

/* The arguments that all simple calls have. */
typedef struct simple_call {
    const char *name;
    int dim;
    enuf_precision precision; /* of coordinates and arrays */
    int64_t n;
    const void *x[3];
    int sign;
    double tolerance;
    int64_t modes[3];
    const enuf_nufft_options *options;
    int64_t n_targets; /* of type 3 */
    const void *targets[3];
} simple_call;

static enuf_status read_options(const simple_call *call, int type, enuf_nufft_options *o)
{
    static const double TWO_PI = 6.28318530717958647693;
    enuf_nufft_options_init(o);
    if (call->options) ENUF_TRY(enuf_nufft_read_options("options", call->options, o));
    double modes = 1;
    for (int d = 0; d < call->dim; d++) {
        if (call->modes[d] < 0)
            return enuf_fail(ENUF_BAD_ARGUMENT, "n%d is %lld modes: use 0 or more", d + 1,
                             (long long)call->modes[d]);
        o->modes[d] = call->modes[d];
        modes *= (double)call->modes[d];
    }
    o->dim = call->dim;
    o->type3 = type == 3;
    o->precision = call->precision;
    o->sign = o->type2_sign = call->sign >= 0 ? 1 : -1;
    o->tolerance = call->tolerance;
    o->period = TWO_PI;
    o->density = call->n > 0 && modes > 0 ? (double)call->n / modes : 1;
    return ENUF_SUCCESS;
}

static enuf_status set_points(enuf_nufft *plan, const simple_call *call)
{
    const void *const *x = call->x;
    if (call->precision == ENUF_FLOAT)
        return enuf_nufft_set_points_f32(plan, call->n, x[0], x[1], x[2], 1);
    return enuf_nufft_set_points(plan, call->n, x[0], x[1], x[2], 1);
}

static enuf_status make_plan(const simple_call *call, int type, enuf_nufft **plan)
{
    enuf_nufft_options options;
    *plan = NULL;
    ENUF_TRY(read_options(call, type, &options));
    ENUF_TRY(enuf_nufft_create(&options, plan));
    return set_points(*plan, call);
}

/* Frees the plan; waits, and reports errors of data in device memory, if all went well so far. */
static enuf_status finish(const simple_call *call, enuf_nufft *plan, enuf_status status)
{
    if (status == ENUF_SUCCESS) status = enuf_nufft_check(plan, NULL);
    enuf_nufft_destroy(&plan);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, call->name);
}

static enuf_status type1(const simple_call *call, const void *strengths, void *modes)
{
    enuf_nufft *plan;
    enuf_status status = make_plan(call, 1, &plan);
    if (status == ENUF_SUCCESS) status = enuf_nufft_type1(plan, strengths, modes);
    return finish(call, plan, status);
}

static enuf_status type2(const simple_call *call, const void *modes, void *values)
{
    enuf_nufft *plan;
    enuf_status status = make_plan(call, 2, &plan);
    if (status == ENUF_SUCCESS && !values && call->n > 0)
        status = enuf_fail(ENUF_BAD_ARGUMENT, "values is NULL");
    if (status == ENUF_SUCCESS) status = enuf_nufft_type2(plan, modes, values, NULL);
    return finish(call, plan, status);
}

static enuf_status set_targets(enuf_nufft *plan, const simple_call *call)
{
    const void *const *s = call->targets;
    if (call->precision == ENUF_FLOAT)
        return enuf_nufft_set_targets_f32(plan, call->n_targets, s[0], s[1], s[2], 1);
    return enuf_nufft_set_targets(plan, call->n_targets, s[0], s[1], s[2], 1);
}

static enuf_status type3(const simple_call *call, const void *strengths, void *values)
{
    enuf_nufft *plan;
    enuf_status status = make_plan(call, 3, &plan);
    if (status == ENUF_SUCCESS) status = set_targets(plan, call);
    if (status == ENUF_SUCCESS) status = enuf_nufft_type3(plan, strengths, values);
    return finish(call, plan, status);
}

#define POINTS1(T) const T *x
#define POINTS2(T) const T *x, const T *y
#define POINTS3(T) const T *x, const T *y, const T *z
#define AXES1      x
#define AXES2      x, y
#define AXES3      x, y, z
#define SIZES1     int64_t n1
#define SIZES2     int64_t n1, int64_t n2
#define SIZES3     int64_t n1, int64_t n2, int64_t n3
#define MODES1     n1
#define MODES2     n1, n2
#define MODES3     n1, n2, n3

#define CALL(NAME, DIM, PRECISION)                                                                 \
    &(const simple_call)                                                                           \
    {                                                                                              \
        .name = #NAME, .dim = DIM, .precision = PRECISION, .n = n, .x = {AXES##DIM}, .sign = sign, \
        .tolerance = tolerance, .modes = {MODES##DIM}, .options = options                          \
    }

#define TARGETS1(T) const T *s
#define TARGETS2(T) const T *s, const T *t
#define TARGETS3(T) const T *s, const T *t, const T *u
#define PLACES1     s
#define PLACES2     s, t
#define PLACES3     s, t, u

/* The public functions of a dimension and a precision. */
#define DEFINE(PREFIX, DIM, T, PRECISION)                                                          \
    enuf_status PREFIX##DIM##d1(int64_t n, POINTS##DIM(T), const void *strengths, int sign,        \
                                double tolerance, SIZES##DIM, void *modes,                         \
                                const enuf_nufft_options *options)                                 \
    {                                                                                              \
        return type1(CALL(PREFIX##DIM##d1, DIM, PRECISION), strengths, modes);                     \
    }                                                                                              \
    enuf_status PREFIX##DIM##d2(int64_t n, POINTS##DIM(T), void *values, int sign,                 \
                                double tolerance, SIZES##DIM, const void *modes,                   \
                                const enuf_nufft_options *options)                                 \
    {                                                                                              \
        return type2(CALL(PREFIX##DIM##d2, DIM, PRECISION), modes, values);                        \
    }                                                                                              \
    enuf_status PREFIX##DIM##d3(int64_t n, POINTS##DIM(T), const void *strengths, int sign,        \
                                double tolerance, int64_t n_targets, TARGETS##DIM(T),              \
                                void *values, const enuf_nufft_options *options)                   \
    {                                                                                              \
        const simple_call call = {.name = #PREFIX #DIM "d3",                                       \
                                  .dim = DIM,                                                      \
                                  .precision = PRECISION,                                          \
                                  .n = n,                                                          \
                                  .x = {AXES##DIM},                                                \
                                  .sign = sign,                                                    \
                                  .tolerance = tolerance,                                          \
                                  .options = options,                                              \
                                  .n_targets = n_targets,                                          \
                                  .targets = {PLACES##DIM}};                                       \
        return type3(&call, strengths, values);                                                    \
    }

DEFINE(enuf_nufft, 1, double, ENUF_DOUBLE)
DEFINE(enuf_nufft, 2, double, ENUF_DOUBLE)
DEFINE(enuf_nufft, 3, double, ENUF_DOUBLE)
DEFINE(enuf_nufftf, 1, float, ENUF_FLOAT)
DEFINE(enuf_nufftf, 2, float, ENUF_FLOAT)
DEFINE(enuf_nufftf, 3, float, ENUF_FLOAT)
