/* turn.c - sine and cosine with the same bits on every machine, which those of the mathematical
 * library do not have. SPDX-License-Identifier: BSD-3-Clause */
#include "trajectory.h"

#include <math.h>

/* Taylor's series, exact to 1e-19 up to an eighth of a turn: coefficients of angle^(2 k + 1) and
 * angle^(2 k). */
enum { TERMS = 10 };
static const double sine_of[TERMS] = {1,
                                      -1 / 6.0,
                                      1 / 120.0,
                                      -1 / 5040.0,
                                      1 / 362880.0,
                                      -1 / 39916800.0,
                                      1 / 6227020800.0,
                                      -1 / 1307674368000.0,
                                      1 / 355687428096000.0,
                                      -1 / 121645100408832000.0};
static const double cosine_of[TERMS] = {1,
                                        -1 / 2.0,
                                        1 / 24.0,
                                        -1 / 720.0,
                                        1 / 40320.0,
                                        -1 / 3628800.0,
                                        1 / 479001600.0,
                                        -1 / 87178291200.0,
                                        1 / 20922789888000.0,
                                        -1 / 6402373705728000.0};

static double polynomial(const double coefficients[TERMS], double u)
{
    double sum = coefficients[TERMS - 1];
    for (int k = TERMS - 2; k >= 0; k--) sum = sum * u + coefficients[k];
    return sum;
}

enuf_circle_point enuf_turn(double turns)
{
    const double part = turns - rint(turns), quarter = rint(4 * part);
    const double angle = 6.283185307179586477 * (part - 0.25 * quarter);
    const double c = polynomial(cosine_of, angle * angle);
    const double s = angle * polynomial(sine_of, angle * angle);
    switch (((int)quarter + 4) % 4) {
    case 0:
        return (enuf_circle_point){c, s};
    case 1:
        return (enuf_circle_point){-s, c};
    case 2:
        return (enuf_circle_point){-c, -s};
    default:
        return (enuf_circle_point){s, -c};
    }
}
