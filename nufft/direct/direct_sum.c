/* direct_sum.c - the direct sum at any sources and targets, in one call. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "cpu/kernels.h"
#include "error.h"
#include "parallel.h"
#include "enuf/direct.h"

#include <math.h>

/* The arguments but for the results. */
typedef struct sources_and_targets {
    int dim, sign, threads;
    int64_t n, n_targets;
    const double *sources, *strengths, *targets;
} sources_and_targets;

static enuf_status check_finite(const char *what, int64_t n, int components, const double *array)
{
    for (int64_t j = 0; j < n * components; ++j)
        if (!isfinite(array[j]))
            return enuf_fail(ENUF_NOT_FINITE, "enuf_direct_sum: %s %lld is NaN or infinite", what,
                             (long long)(j / components));
    return ENUF_SUCCESS;
}

static enuf_status check(const sources_and_targets *sum, const double *values)
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
    if (sum->n_targets > 0 && !values)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: values is NULL");
    ENUF_TRY(check_finite("source", sum->n, sum->dim, sum->sources));
    ENUF_TRY(check_finite("strength", sum->n, 2, sum->strengths));
    return check_finite("target", sum->n_targets, sum->dim, sum->targets);
}

/* Places [n][dim] as a side of a sum over pairs. */
static enuf_pair_side side_of(int64_t n, int dim, const double *places)
{
    enuf_pair_side side = {.n = n};
    for (int d = 0; d < 3; ++d)
        side.turns[d] = d < dim ? (enuf_pair_numbers){places + d, dim} : enuf_pair_zero;
    return side;
}

enuf_status enuf_direct_sum(int dim, int sign, int threads, int64_t n_sources,
                            const double *sources, const double *strengths, int64_t n_targets,
                            const double *targets, double *values, double *gradients)
{
    const sources_and_targets given = {dim,       sign,    threads,   n_sources,
                                       n_targets, sources, strengths, targets};
    enuf_isa isa;
    ENUF_TRY(check(&given, values));
    ENUF_TRY(enuf_isa_find(ENUF_ISA_AUTO, &isa));
    const enuf_pair_sum sum = {.dim = dim,
                               .sign = sign,
                               .batch = 1,
                               .threads = enuf_thread_count(threads),
                               .to = side_of(n_targets, dim, targets),
                               .from = side_of(n_sources, dim, sources),
                               .input = strengths,
                               .output = values,
                               .slopes = gradients,
                               .unit = {1, 1, 1}};
    enuf_direct_kernels_find(isa)->sum_pairs[ENUF_DOUBLE](&sum);
    return ENUF_SUCCESS;
}
