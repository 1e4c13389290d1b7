/* fixed_sums.c - see fixed_sums.h. SPDX-License-Identifier: BSD-3-Clause */
#include "fixed_sums.h"
#include "error.h"
#include "lattice/cell_geometry.h"

#include <float.h>
#include <math.h>

/* Far pairs of mean charges are farther apart than this part of their mean spacing. */
static const double FAR = 1.0 / 8;

/* The power of two that takes `bound` to at most 2^ENUF_FIXED_BITS. */
static double scale_for(double bound)
{
    int exponent;
    const double mantissa = frexp(bound, &exponent);
    return ldexp(1, ENUF_FIXED_BITS - (mantissa > 0.5 ? exponent : exponent - 1));
}

enuf_fixed_scales enuf_fixed_scales_for(const long double lattice[9], int64_t n, double sum_q2,
                                        double largest_charge)
{
    long double inverse[9];
    const double volume = fabs((double)enuf_invert_3x3(lattice, inverse));
    const double square = n > 0 && sum_q2 > 0 ? sum_q2 / (double)n : 1;
    const double r = FAR * cbrt(volume / (n > 0 ? (double)n : 1));
    const double near = r * r / square, charge = sqrt(square);
    return (enuf_fixed_scales){
        .charge = charge,
        .near_per_charges = near,
        .reach = near * pow(fmax(largest_charge, charge), 2),
        .of_square = scale_for(square / (r * r)),
        .of_charge = scale_for(charge / (r * r)),
    };
}

enuf_status enuf_fixed_overflowed(const enuf_fixed_scales *scales, double closest, double cutoff)
{
    const double least = sqrt(ldexp(scales->reach, -ENUF_FIXED_NEAR_BITS));
    return enuf_fail(ENUF_OVERFLOWED,
                     "deterministic: two atoms are %g apart; fixed-point sums take pairs of the "
                     "largest charge, %g, that are %g apart or more",
                     sqrt(closest) * cutoff, sqrt(scales->reach / scales->near_per_charges),
                     least * cutoff);
}

double enuf_fixed_rounding(void)
{
    const double unit = ldexp(1, 1 - ENUF_FIXED_BITS) / (FAR * FAR);
    return unit / sqrt(12);
}

double enuf_fixed_fraction_rounding(const double lattice[9], double unit, enuf_backend backend)
{
    double longest2 = 0;
    for (const double *row = lattice; row < lattice + 9; row += 3)
        longest2 = fmax(longest2, row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
    return unit * sqrt(longest2) / enuf_own_rounding(backend);
}

/* Measured on pairs 0.001 to 0.02 spacings apart: 2.6e-16 to 7.2e-16 of the force. On GPUs, whose
 * products are fused with sums, 1.2e-16 to 7.6e-16, most with the polynomials of the tightest
 * accuracies, for which room is kept. */
double enuf_own_rounding(enuf_backend backend)
{
    return (backend == ENUF_BACKEND_CUDA ? 2.6 : 2.2) * DBL_EPSILON;
}
