/* draws.h - random numbers of a seed: the same on every machine and for any number of ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MTIP_DRAWS_H
#define MTIP_DRAWS_H

#include <math.h>
#include <stdint.h>

/** A sequence of its own for each seed and number. */
static inline uint64_t draws_begin(int64_t seed, int64_t number)
{
    return (uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15) +
           (uint64_t)number * UINT64_C(0xd1342543de82ef95);
}

/** In (0, 1): splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static inline double draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) / 4503599627370496.0;
}

/** Of variance 1 (Box, Muller, Ann. Math. Stat. 29 (1958) 610). */
static inline double draw_normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(draw(state)));
    return radius * cos(2 * M_PI * draw(state));
}

/** A count of this mean: by its definition, from 50 on by a normal number. */
static inline double draw_poisson(uint64_t *state, double mean)
{
    if (mean >= 50) return fmax(0, round(mean + sqrt(mean) * draw_normal(state)));
    const double least = exp(-mean);
    double count = 0;
    for (double product = draw(state); product > least; product *= draw(state)) count++;
    return count;
}

#endif
