/* problem.c - see problem.h. SPDX-License-Identifier: BSD-3-Clause */
#include "problem.h"

#include "error.h"
#include "memory.h"
#include "parallel.h"
#include "plan/options.h"

#include <math.h>
#include <string.h>

static enuf_status check_points(const char *caller, int dim, const enuf_direct_points *points)
{
    static const char axis_name[3] = {'x', 'y', 'z'};
    if (points->n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: n is %lld points, has to be 0 or more", caller,
                         (long long)points->n);
    if (points->n == 0) return ENUF_SUCCESS;
    if (points->stride < 1)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: stride is %lld, has to be 1 or more", caller,
                         (long long)points->stride);
    if (!enuf_fits_in_memory(points->n, points->stride, sizeof(double)))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %lld points of stride %lld: no memory is so large",
                         caller, (long long)points->n, (long long)points->stride);
    for (int d = 0; d < dim; ++d)
        if (!points->x[d])
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %c is NULL, dim %d needs it", caller,
                             axis_name[d], dim);
    return ENUF_SUCCESS;
}

static enuf_status read_modes(const char *caller, const enuf_nufft_options *options,
                              enuf_direct_problem *problem)
{
    problem->modes = 1;
    int empty = 0;
    for (int d = 0; d < 3; ++d) {
        int64_t full = d < problem->dim ? options->modes[d] : 1;
        if (full < 0)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: options.modes[%d] is %lld, has to be set to 0 or more", caller, d,
                             (long long)full);
        problem->full[d] = full;
        problem->n[d] = problem->real && d == 0 ? full / 2 + full % 2 : full;
        empty |= full == 0;
    }
    for (int d = 0; d < 3; ++d)
        if (empty)
            problem->modes = 0;
        else if (__builtin_mul_overflow(problem->modes, problem->n[d], &problem->modes) ||
                 problem->modes > INT64_MAX / 64 / problem->batch)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: options.modes %lld x %lld x %lld are more than memory can "
                             "address: ask for fewer",
                             caller, (long long)problem->full[0], (long long)problem->full[1],
                             (long long)problem->full[2]);
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_read(const char *caller, const enuf_nufft_options *given, int type,
                             const double T[9], const double origin[3],
                             const enuf_direct_points *points, enuf_direct_problem *problem)
{
    enuf_nufft_options copy;
    const enuf_nufft_options *options = &copy;
    ENUF_TRY(enuf_nufft_read_options(caller, given, &copy));
    ENUF_TRY(enuf_nufft_check_problem(caller, options));
    ENUF_TRY(check_points(caller, options->dim, points));
    int type2_sign = options->type2_sign ? options->type2_sign : -options->sign;
    *problem = (enuf_direct_problem){
        .dim = options->dim,
        .real = options->strengths == ENUF_REAL_STRENGTHS,
        .in_float = options->precision == ENUF_FLOAT,
        .sign = type == 1 ? options->sign : type2_sign,
        .batch = options->batch,
        .threads = enuf_thread_count(options->threads),
        .order = options->mode_order,
        .period = options->period,
        .framed = T != NULL,
        .caller = caller,
    };
    if (T) memcpy(problem->T, T, sizeof problem->T);
    if (origin) memcpy(problem->origin, origin, sizeof problem->origin);
    ENUF_TRY(enuf_isa_find(options->isa, &problem->isa));
    return read_modes(caller, options, problem);
}

/* Mode number at a position of an axis, as stored. */
static double mode_number(const enuf_direct_problem *problem, int axis, int64_t position)
{
    int64_t full = problem->full[axis];
    if (problem->real && axis == 0) return (double)position;
    if (problem->order == ENUF_CENTRED) return (double)(position - full / 2);
    return (double)(position < full - full / 2 ? position : position - full);
}

int enuf_direct_unpaired(const enuf_direct_problem *problem, int64_t mode)
{
    if (!problem->real) return 0;
    int64_t row = mode / problem->n[0];
    for (int d = 1; d < 3; ++d) {
        int64_t full = problem->full[d];
        double m = mode_number(problem, d, row % problem->n[d]);
        if (full % 2 == 0 && m == -(double)(full / 2)) return 1;
        row /= problem->n[d];
    }
    return 0;
}

static enuf_status fold(const enuf_direct_problem *problem, const enuf_direct_points *points,
                        double *s)
{
    int dim = problem->dim;
    for (int64_t j = 0; j < points->n; ++j) {
        double x[3] = {0.0, 0.0, 0.0};
        for (int d = 0; d < dim; ++d) x[d] = points->x[d][j * points->stride] - problem->origin[d];
        for (int d = 0; d < dim; ++d) {
            double fraction = problem->framed ? 0.0 : x[d] / problem->period;
            if (problem->framed)
                for (int e = 0; e < dim; ++e) fraction += problem->T[3 * d + e] * x[e];
            if (!isfinite(fraction))
                return enuf_fail(
                    ENUF_NOT_FINITE, "%s: point %lld is NaN or infinite (coordinate %d: %g)",
                    problem->caller, (long long)j, d, points->x[d][j * points->stride]);
            s[dim * j + d] = fraction - rint(fraction); /* exact, as fraction - floor() is not */
        }
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_make_lattice(const enuf_direct_problem *problem,
                                     const enuf_direct_points *points, enuf_mode_lattice *made)
{
    const int dim = problem->dim;
    *made = (enuf_mode_lattice){.lattice = {.dim = dim,
                                            .sign = problem->sign,
                                            .batch = problem->batch,
                                            .threads = problem->threads,
                                            .nodes = problem->modes,
                                            .samples = {.n = points->n, .stride = dim}}};
    const int64_t numbers = problem->n[0] + problem->n[1] + problem->n[2];
    ENUF_TRY(enuf_allocate(&made->numbers, numbers, sizeof(double), "mode numbers"));
    ENUF_TRY(enuf_allocate(&made->s, points->n * dim, sizeof(double), "fractional coordinates"));
    double *at = made->numbers;
    for (int d = 0; d < 3; ++d) {
        made->lattice.n[d] = problem->n[d];
        made->lattice.position[d] = at;
        if (d < dim) made->lattice.samples.x[d] = made->s + d;
        for (int64_t i = 0; i < problem->n[d]; ++i) *at++ = mode_number(problem, d, i);
    }
    return fold(problem, points, made->s);
}

void enuf_direct_free_lattice(enuf_mode_lattice *made)
{
    enuf_release(&made->numbers);
    enuf_release(&made->s);
}

static double number(const enuf_direct_problem *problem, const void *array, int64_t at)
{
    return problem->in_float ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

enuf_status enuf_direct_load(const enuf_direct_problem *problem, const char *what,
                             const void *array, int is_complex, int64_t begin, int64_t n,
                             double *loaded)
{
    for (int64_t j = 0; j < n; ++j) {
        int64_t at = begin + j;
        loaded[2 * j] = number(problem, array, is_complex ? 2 * at : at);
        loaded[2 * j + 1] = is_complex ? number(problem, array, 2 * at + 1) : 0.0;
        if (!isfinite(loaded[2 * j]) || !isfinite(loaded[2 * j + 1]))
            return enuf_fail(ENUF_NOT_FINITE, "%s: %s[%lld] is NaN or infinite", problem->caller,
                             what, (long long)at);
    }
    return ENUF_SUCCESS;
}

void enuf_direct_store(const enuf_direct_problem *problem, void *array, int64_t at, double value)
{
    if (problem->in_float)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}
