/* coils.c - see coils.h. SPDX-License-Identifier: BSD-3-Clause */
#include "coils.h"

#include <math.h>

static double complex phase(double radians)
{
    return cos(radians) + I * sin(radians);
}

/* 1 + cos pi t = sum_p wave_size[p + 1] exp(pi i p t), p = -1, 0, 1 */
static const double wave_size[3] = {0.5, 1, 0.5};

void coil_maps(int64_t coils, int64_t side, double complex *maps)
{
    for (int64_t c = 0; c < coils; c++) {
        const double angle = 2 * M_PI * (double)c / (double)coils;
        for (int64_t k = 0; k < side * side; k++) {
            const double x = (double)(k % side - side / 2) / (double)side - 0.5 * cos(angle);
            const double y = (double)(k / side - side / 2) / (double)side - 0.5 * sin(angle);
            maps[c * side * side + k] =
                coils == 1 ? 1 : 0.25 * (1 + cos(M_PI * x)) * (1 + cos(M_PI * y)) * phase(angle);
        }
    }
}

void coil_signals(int64_t coils, int n, const ellipse *ellipses, double kx, double ky,
                  double complex *signals)
{
    if (coils == 1) {
        signals[0] = phantom_signal(n, ellipses, kx, ky);
        return;
    }
    for (int64_t c = 0; c < coils; c++) signals[c] = 0;
    for (int p = -1; p <= 1; p++)
        for (int q = -1; q <= 1; q++) {
            const double complex wave = 0.25 * wave_size[p + 1] * wave_size[q + 1] *
                                        phantom_signal(n, ellipses, kx - 0.5 * p, ky - 0.5 * q);
            for (int64_t c = 0; c < coils; c++) {
                const double angle = 2 * M_PI * (double)c / (double)coils;
                signals[c] += wave * phase(angle - M_PI * 0.5 * (p * cos(angle) + q * sin(angle)));
            }
        }
}
