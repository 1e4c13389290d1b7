/*
 * test_invariant_sum.c - the bits of enuf_invariant_sum() depend neither on the order of its terms
 * nor on the number of threads, 1 to 5. The sum is exact for terms of few digits, as charges are,
 * else accurate to a few tens of units of 2^-61 n max|x|, against long double, for terms of 1e-300
 * to 1e290. Terms or sums that are not finite give NaN. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "sums/invariant_sum.h"
#include "random_system.h"

#include <math.h>

static double term(int64_t i, const void *x)
{
    return ((const double *)x)[i];
}

static double backwards(int64_t i, const void *x)
{
    return ((const double *)x)[999 - i];
}

int main(void)
{
    double x[1000] = {0};
    CHECK(enuf_invariant_sum(NULL, 0, term, x, 1) == 0);

    for (int i = 0; i < 999; i++) x[i] = i % 3 == 0 ? -0.8476 : 0.4238;
    CHECK(enuf_invariant_sum(NULL, 999, term, x, 2) == 0); /* the charges of water */
    for (int i = 0; i < 1000; i++) x[i] = 0;
    CHECK(enuf_invariant_sum(NULL, 1000, term, x, 2) == 0);

    for (int scale = -300; scale <= 290; scale += 59) {
        long double exact = 0, largest = 0;
        random_numbers(5, 1000, -1, 1, x);
        for (int i = 0; i < 1000; i++) {
            x[i] *= pow(10, scale);
            exact += (long double)x[i];
            largest = fmaxl(largest, fabsl((long double)x[i]));
        }
        double sum = enuf_invariant_sum(NULL, 1000, term, x, 1);
        /* a random walk of 1000 roundings to 2^-61 n max|x|, and the rounding of the result */
        double unit = 1000 * (double)largest * 0x1p-61;
        CHECK_BELOW((sum - (double)exact) / unit,
                    4 * 0.3 * sqrt(1000) + (double)fabsl(exact) * 0x1p-53 / unit,
                    "error in units of 2^-61 n max|x|");
        for (int threads = 1; threads < 6; threads++)
            CHECK(enuf_invariant_sum(NULL, 1000, backwards, x, threads) == sum);
    }
    x[7] = NAN;
    CHECK(isnan(enuf_invariant_sum(NULL, 1000, term, x, 2)));
    x[7] = INFINITY;
    CHECK(isnan(enuf_invariant_sum(NULL, 1000, term, x, 2)));
    for (int i = 0; i < 1000; i++) x[i] = 1e306; /* the sum is beyond double */
    CHECK(isnan(enuf_invariant_sum(NULL, 1000, term, x, 2)));
    return check_result();
}
