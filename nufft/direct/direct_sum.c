/* direct_sum.c - the public functions of direct sums: checks, then the kernels of the instruction
 * set. SPDX-License-Identifier: BSD-3-Clause */
#include "error.h"
#include "kernels.h"
#include "parallel.h"

#include <math.h>

ENUF_DEFINE_TABLE_OF(enuf_direct_kernels, enuf_direct_kernels)

enuf_status enuf_direct_type1(const enuf_nufft_options *options, const double T[9],
                              const double origin[3], int64_t n, const double *x, const double *y,
                              const double *z, int64_t stride, const void *strengths, void *modes)
{
    enuf_direct_problem problem;
    enuf_direct_points points = {n, {x, y, z}, stride};
    ENUF_TRY(enuf_direct_read("enuf_direct_type1", options, 1, T, origin, &points, &problem));
    if (n > 0 && !strengths)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_type1: strengths is NULL");
    if (problem.modes == 0) return ENUF_SUCCESS;
    if (!modes) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_type1: modes is NULL");
    return enuf_direct_kernels_of(problem.isa)->type1(&problem, &points, strengths, modes);
}

enuf_status enuf_direct_type2(const enuf_nufft_options *options, const double T[9],
                              const double origin[3], int64_t n, const double *x, const double *y,
                              const double *z, int64_t stride, const void *modes, void *values,
                              void *gradients)
{
    enuf_direct_problem problem;
    enuf_direct_points points = {n, {x, y, z}, stride};
    ENUF_TRY(enuf_direct_read("enuf_direct_type2", options, 2, T, origin, &points, &problem));
    if (problem.modes > 0 && !modes)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_type2: modes is NULL");
    return enuf_direct_kernels_of(problem.isa)->type2(&problem, &points, modes, values, gradients);
}

static enuf_status check_finite(const char *what, int64_t n, int components, const double *array)
{
    for (int64_t j = 0; j < n * components; ++j)
        if (!isfinite(array[j]))
            return enuf_fail(ENUF_NOT_FINITE, "enuf_direct_sum: %s %lld is NaN or infinite", what,
                             (long long)(j / components));
    return ENUF_SUCCESS;
}

static enuf_status check(const enuf_sum_of_sources *sum)
{
    if (sum->dim < 1 || sum->dim > 3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: dim is %d, has to be 1, 2 or 3",
                         sum->dim);
    if (sum->sign != 1 && sum->sign != -1)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: sign is %d, has to be -1 or 1",
                         sum->sign);
    if (sum->threads < 0 || sum->threads > ENUF_MAX_THREADS)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_direct_sum: threads is %d, has to be 1 to %d, or 0 for OpenMP's "
                         "number",
                         sum->threads, ENUF_MAX_THREADS);
    if (sum->n < 0 || sum->n_targets < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_direct_sum: %lld sources, %lld targets: have to be 0 or more",
                         (long long)sum->n, (long long)sum->n_targets);
    if (sum->n > 0 && !sum->sources)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: sources is NULL");
    if (sum->n > 0 && !sum->strengths)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: strengths is NULL");
    if (sum->n_targets > 0 && !sum->targets)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: targets is NULL");
    if (sum->n_targets > 0 && !sum->values)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: values is NULL");
    ENUF_TRY(check_finite("source", sum->n, sum->dim, sum->sources));
    ENUF_TRY(check_finite("strength", sum->n, 2, sum->strengths));
    return check_finite("target", sum->n_targets, sum->dim, sum->targets);
}

enuf_status enuf_direct_sum(int dim, int sign, int threads, int64_t n_sources,
                            const double *sources, const double *strengths, int64_t n_targets,
                            const double *targets, double *values, double *gradients)
{
    enuf_sum_of_sources sum = {.dim = dim,
                               .sign = sign,
                               .threads = threads,
                               .n = n_sources,
                               .n_targets = n_targets,
                               .sources = sources,
                               .strengths = strengths,
                               .targets = targets,
                               .values = values,
                               .gradients = gradients};
    enuf_isa isa;
    ENUF_TRY(check(&sum));
    ENUF_TRY(enuf_isa_find(ENUF_ISA_AUTO, &isa));
    sum.threads = enuf_thread_count(threads);
    enuf_direct_kernels_of(isa)->sources(&sum);
    return ENUF_SUCCESS;
}
