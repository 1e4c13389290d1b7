/* slices.c - see slices.h. SPDX-License-Identifier: BSD-3-Clause */
#include "slices.h"
#include "draws.h"
#include "turns.h"

#include <math.h>

void bench_slices(int64_t images, int64_t side, int64_t number, double *x)
{
    const int64_t n = images * side * side;
    const double wave = 4 * M_PI;
    /* a corner at distance r from the beam has |q|^2 = 2 wave (wave - sqrt(wave^2 - r^2)): pi^2 */
    const double half = wave * sqrt((1 - 31.0 / 32 * (31.0 / 32)) / 2);
    uint64_t state = draws_begin(1, number);
    for (int64_t j = 0, image = 0; image < images; image++) {
        double turn[9];
        turn_at_random(&state, turn);
        for (int64_t pixel = 0; pixel < side * side; pixel++, j++) {
            const double u = half * (2 * ((double)(pixel % side) + 0.5) / (double)side - 1);
            const double v = half * (2 * ((double)(pixel / side) + 0.5) / (double)side - 1);
            const double flat[3] = {u, v, wave - sqrt(wave * wave - u * u - v * v)};
            double q[3];
            turn_apply(turn, flat, q);
            for (int d = 0; d < 3; d++) x[d * n + j] = q[d];
        }
    }
}
