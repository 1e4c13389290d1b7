/* fold_step.c - see fold_step.h. SPDX-License-Identifier: BSD-3-Clause */
#include "fold_step.h"

#include <math.h>

long double enuf_fold_step(const long double lattice[9], const long double inverse[9],
                           const long double lower[3], long double cutoff, long double reach)
{
    long double bound = reach;
    for (int d = 0; d < 3; d++) {
        const long double *row = lattice + 3 * d, *i = inverse;
        const long double vectors =
            1 + fabsl(lower[d]) +
            reach / cutoff * (fabsl(i[d]) + fabsl(i[3 + d]) + fabsl(i[6 + d]));
        bound += 2 * vectors * cutoff * fmaxl(fabsl(row[0]), fmaxl(fabsl(row[1]), fabsl(row[2])));
    }
    int exponent;
    frexpl(bound, &exponent);
    return ldexpl(1, exponent - 51);
}

double enuf_fold_to_steps(long double step)
{
    return (double)(0x1.8p52L * step);
}

void enuf_fold_split(long double x, long double step, double *high, double *low)
{
    const long double whole = rintl(x / step) * step;
    *high = (double)whole;
    *low = (double)(x - whole);
}
