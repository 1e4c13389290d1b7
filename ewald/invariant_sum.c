/* invariant_sum.c - see invariant_sum.h. SPDX-License-Identifier: BSD-3-Clause */
#include "invariant_sum.h"

#include <math.h>

int enuf_invariant_unit(int64_t n, double largest)
{
    int exponent;
    frexp((double)n * largest, &exponent); /* n largest < 2^exponent */
    return exponent - 62;                  /* the sum stays below 2^62 units, roundings included */
}

double enuf_invariant_sum(int64_t n, enuf_term term, const void *context, int threads)
{
    double largest = 0;
    int finite = 1;
#pragma omp parallel for num_threads(threads) reduction(max : largest) reduction(&& : finite)
    for (int64_t i = 0; i < n; i++) {
        double t = fabs(term(i, context));
        finite = finite && isfinite(t);
        if (t > largest) largest = t;
    }
    if (!finite || !isfinite((double)n * largest)) return NAN;
    if (largest == 0) return 0;
    int unit = enuf_invariant_unit(n, largest);
    int64_t sum = 0;
    /* a power of two in two factors, each in range, rounds no more than one */
    const double half = ldexp(1, -unit / 2), other_half = ldexp(1, -unit - -unit / 2);
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int64_t i = 0; i < n; i++) sum += llrint(term(i, context) * half * other_half);
    return ldexp((double)sum, unit);
}
