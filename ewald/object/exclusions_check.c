/* exclusions_check.c - see exclusions_check.h. SPDX-License-Identifier: BSD-3-Clause */
#include "exclusions_check.h"

#include "error.h"

#include <math.h>

enuf_status enuf_exclusion_check(int64_t k, int64_t i, int64_t j, double weight, int64_t n)
{
    if (i < 0 || i >= n || j < 0 || j >= n)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "exclusion %lld is the pair (%lld, %lld): atoms are 0 ... %lld",
                         (long long)k, (long long)i, (long long)j, (long long)(n - 1));
    if (i == j)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "exclusion %lld is the pair (%lld, %lld): an atom with itself",
                         (long long)k, (long long)i, (long long)j);
    if (!isfinite(weight))
        return enuf_fail(ENUF_NOT_FINITE, "the weight of exclusion %lld is %g", (long long)k,
                         weight);
    return ENUF_SUCCESS;
}

enuf_status enuf_exclusion_repeated(int64_t i, int64_t j)
{
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "the pair (%lld, %lld) is excluded twice: list each pair once", (long long)i,
                     (long long)j);
}

enuf_status enuf_exclusions_check_number(const enuf_exclusions *x, int64_t n)
{
    if (x->n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "exclusions->n is %lld: it has to be at least 0",
                         (long long)x->n);
    if (x->n > 0 && !x->pairs)
        return enuf_fail(ENUF_BAD_ARGUMENT, "exclusions->pairs is NULL, but exclusions->n is %lld",
                         (long long)x->n);
    /* all pairs in both orders: a longer list is wrong */
    const double pairs = n > 1 ? (double)n * (double)(n - 1) : 0;
    if ((double)x->n > pairs)
        return enuf_fail(ENUF_BAD_ARGUMENT, "exclusions->n is %lld: %lld atoms have %.0f pairs",
                         (long long)x->n, (long long)n, 0.5 * pairs);
    return ENUF_SUCCESS;
}

enuf_status enuf_exclusions_check(const enuf_exclusions *x, int64_t n)
{
    if (!x) return ENUF_SUCCESS;
    ENUF_TRY(enuf_exclusions_check_number(x, n));
    for (int64_t k = 0; k < x->n; k++)
        ENUF_TRY(enuf_exclusion_check(k, x->pairs[2 * k], x->pairs[2 * k + 1],
                                      x->weights ? x->weights[k] : 0, n));
    return ENUF_SUCCESS;
}
