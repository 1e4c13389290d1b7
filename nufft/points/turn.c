/* turn.c - sine and cosine with the same bits on every machine, which those of the mathematical
 * library do not have. SPDX-License-Identifier: BSD-3-Clause */
#include "trajectory.h"

#include <math.h>

/* Taylor's series, exact to 1e-19 up to an eighth of a turn. */
static double sine(double angle)
{
    const double u = angle * angle;
    double sum = 1;
    for (int k = 18; k > 0; k -= 2) sum = 1 - sum * u / (k * (k + 1));
    return angle * sum;
}

static double cosine(double angle)
{
    const double u = angle * angle;
    double sum = 1;
    for (int k = 19; k > 0; k -= 2) sum = 1 - sum * u / (k * (k + 1));
    return sum;
}

enuf_circle_point enuf_turn(double turns)
{
    const double part = turns - rint(turns), quarter = rint(4 * part);
    const double angle = 6.283185307179586477 * (part - 0.25 * quarter);
    const double c = cosine(angle), s = sine(angle);
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
