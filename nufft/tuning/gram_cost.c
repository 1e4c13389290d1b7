/*
 * gram_cost.c - what calls of the Gram operator take: time and bytes.
 *
 * Constants are nanoseconds of one core (Xeon, Sapphire Rapids class, shared with other work, 28
 * November 2026): fitted to lengths of 64 to 262144 in 1D, 32 to 500 in 2D, 12 to 96 in 3D, both
 * precisions, 0.25 and 4 points a mode. RMS deviation of a call 40 % in 1D and 2D, a factor of 2.5
 * at most: lengths with a factor of 3, and small ones in 1D, take longer than the others. In 3D 15
 * % for lengths of 40 to 128, of which fft_cost.c knows the factors. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "gram/finding.h"
#include "tuning.h"

#include <math.h>

/* A number of the circulant's spectrum and a radix-2 pass of its transforms, forward and back, by
 * dimension: of any precision, and more for each byte. */
static const double PASS[3] = {1.4, 0.3, 0.66}, PASS_BYTE[3] = {0.13, 0.11, 0.05};
/* Making it: the plan of T; a number and a pass of its transform, in double; a point that is
 * copied, sorted and weighted. */
static const double PLAN = 6.5e5, FILL_PASS = 3, FILL_POINT = 60;

/* Numbers of the circulant's spectrum, lengths and radix-2 passes of its transforms. */
static double numbers_of(const enuf_nufft_options *o, int64_t length[3], double *passes)
{
    double numbers = 1;
    *passes = 0;
    for (int d = 0; d < o->dim; d++) {
        length[d] = enuf_gram_length(o->modes[d], o->dim);
        numbers *= 2 * (double)length[d];
        *passes += log2((double)length[d]);
    }
    return numbers;
}

static double modes_of(const enuf_nufft_options *o)
{
    double modes = 1;
    for (int d = 0; d < o->dim; d++) modes *= (double)o->modes[d];
    return modes;
}

/* Bytes of the plan of T with its points. */
static enuf_status plan_bytes(const enuf_nufft_options *of_kernel, int64_t n_points, double *bytes)
{
    enuf_method method;
    int met;
    ENUF_TRY(enuf_choose_grid(of_kernel, &method, &met));
    *bytes = (double)enuf_tuning_bytes(of_kernel, &method, n_points);
    return ENUF_SUCCESS;
}

/* Exact, by the objects themselves, unless the spectrum, T and the strengths alone are beyond the
 * limit, or half of the machine's memory. */
static enuf_status find_bytes(const enuf_nufft_options *given, const enuf_nufft_options *of_kernel,
                              int64_t n_points, double spectrum, int64_t *bytes)
{
    enuf_nufft_options o = *given;
    double of_plan, kernel = sizeof(double);
    o.level = ENUF_LEVEL_GRAM;
    for (int d = 0; d < o.dim; d++) kernel *= (double)of_kernel->modes[d];
    const double least = spectrum + kernel + (double)n_points * sizeof(double);
    const double limit = (double)enuf_level_limit(&o, 1);
    o.memory_limit = 0;
    if (least <= limit) return enuf_gram_peak(&o, n_points, bytes);
    ENUF_TRY(plan_bytes(of_kernel, n_points, &of_plan));
    *bytes = least + of_plan < 9e18 ? (int64_t)(least + of_plan) : INT64_MAX;
    return ENUF_SUCCESS;
}

enuf_status enuf_gram_find_needs(const enuf_nufft_options *o, int64_t n_points,
                                 enuf_gram_needs *needs)
{
    const double bytes = o->precision == ENUF_FLOAT ? 4 : 8;
    double passes;
    int64_t length[3] = {1, 1, 1};
    if (modes_of(o) == 0) return ENUF_SUCCESS;
    const double numbers = numbers_of(o, length, &passes);
    const enuf_nufft_options of_kernel = enuf_gram_plan_options(o, n_points);
    const double pass = PASS[o->dim - 1] + PASS_BYTE[o->dim - 1] * bytes;
    needs->apply = o->batch * numbers * passes * pass * enuf_fft_length_factor(o, length);
    needs->spectrum = PLAN + numbers * passes * FILL_PASS + (double)n_points * FILL_POINT;
    if (enuf_tuning_on_gpu(o)) enuf_gpu_gram_cost(o, numbers, &needs->apply, &needs->spectrum);
    needs->spectrum += enuf_expected_cost(&of_kernel);
    return find_bytes(o, &of_kernel, n_points, numbers * bytes, &needs->bytes);
}

enuf_status enuf_gram_needs_of(const enuf_nufft_options *o, const enuf_tuning_request *request,
                               int64_t n_points, enuf_gram_needs *needs)
{
    const int real = o->strengths == ENUF_REAL_STRENGTHS;
    const double number = (o->precision == ENUF_FLOAT ? 4 : 8) * (real ? 1 : 2);
    const double values = (double)n_points * o->batch * number;
    *needs = (enuf_gram_needs){0};
    if (request->gram == 0) return ENUF_SUCCESS;
    needs->values = values < 9e18 ? (int64_t)values : INT64_MAX;
    if (real || (!request->any_level && o->level != ENUF_LEVEL_GRAM)) return ENUF_SUCCESS;
    const enuf_status status = enuf_gram_find_needs(o, n_points, needs);
    needs->served = status == ENUF_SUCCESS;
    if (request->any_level && (status == ENUF_UNREACHABLE_ACCURACY || status == ENUF_OUT_OF_MEMORY))
        return ENUF_SUCCESS;
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, "enuf_nufft_tune: level gram");
}

int64_t enuf_gram_bytes_at(const enuf_nufft_options *o, const enuf_gram_needs *needs)
{
    return o->level == ENUF_LEVEL_GRAM ? needs->bytes : needs->values;
}
