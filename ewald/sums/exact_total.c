/*
 * exact_total.c - see exact_total.h. Source: U. Kulisch, Computer Arithmetic and Validity (2008),
 * chapter 8: a fixed-point number that is as long as the range of double. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "exact_total.h"

#include <math.h>

enum {
    MANTISSA = 53,
    LOWEST = 1074 + MANTISSA, /* the least double is 2^-1074; its mantissa begins so far below 1 */
    BAD = ENUF_TOTAL_DIGITS - 1,
};

__extension__ typedef unsigned __int128 wide;

void enuf_total_add(enuf_total *total, double term)
{
    int exponent;
    if (term == 0) return;
    if (!isfinite(term)) {
        total->digit[BAD]++;
        return;
    }
    const int64_t mantissa = (int64_t)ldexp(frexp(fabs(term), &exponent), MANTISSA);
    const int place = exponent - MANTISSA + LOWEST, sign = term < 0 ? -1 : 1;
    const wide shifted = (wide)(uint64_t)mantissa << place % 32;
    int64_t *digit = total->digit + place / 32;
    digit[0] += sign * (int64_t)(shifted & UINT32_MAX);
    digit[1] += sign * (int64_t)(shifted >> 32 & UINT32_MAX);
    digit[2] += sign * (int64_t)(shifted >> 64);
}

void enuf_totals_join(int n, const enuf_total *totals, enuf_total *to)
{
    for (int t = 0; t < n; t++)
        for (int k = 0; k < ENUF_TOTAL_DIGITS; k++)
            if (totals[t].digit[k] != 0)
                __atomic_fetch_add(&to[t].digit[k], totals[t].digit[k], __ATOMIC_RELAXED);
}

double enuf_total_value(const enuf_total *total)
{
    int64_t digit[BAD], carry = 0;
    if (total->digit[BAD] > 0) return NAN;
    /* digits from 0 to 2^32 - 1, but the highest, which has the sign */
    for (int k = 0; k < BAD - 1; k++) {
        const int64_t sum = total->digit[k] + carry;
        digit[k] = sum & UINT32_MAX;
        carry = (sum - digit[k]) / ((int64_t)UINT32_MAX + 1);
    }
    digit[BAD - 1] = total->digit[BAD - 1] + carry;
    if (digit[BAD - 1] < 0) { /* of the negative of the sum: leading digits are not 2^32 - 1 then */
        enuf_total negative;
        for (int k = 0; k < ENUF_TOTAL_DIGITS; k++) negative.digit[k] = -total->digit[k];
        return -enuf_total_value(&negative);
    }
    long double value = 0;
    int highest = BAD - 1, used = 0;
    while (highest >= 0 && digit[highest] == 0) highest--;
    for (int k = highest; k >= 0 && used < 4; k--, used++)
        value += ldexpl((long double)digit[k], 32 * k - LOWEST);
    return (double)value;
}
