/* turns.c - see turns.h. SPDX-License-Identifier: BSD-3-Clause */
#include "turns.h"
#include "draws.h"

static void of_quaternion(const double p[4], double turn[9])
{
    const double w = p[0], x = p[1], y = p[2], z = p[3];
    const double rows[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),
                            2 * (x * z + w * y),           2 * (x * y + w * z),
                            w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                            2 * (x * z - w * y),           2 * (y * z + w * x),
                            w * w - x * x - y * y + z * z};
    for (int k = 0; k < 9; k++) turn[k] = rows[k];
}

void turn_about(const double axis[3], double turn[9])
{
    const double angle = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double part = angle > 0 ? sin(0.5 * angle) / angle : 0;
    const double p[4] = {cos(0.5 * angle), part * axis[0], part * axis[1], part * axis[2]};
    of_quaternion(p, turn);
}

void turn_at_random(uint64_t *state, double turn[9])
{
    double p[4], square = 0;
    for (int k = 0; k < 4; k++) {
        p[k] = draw_normal(state);
        square += p[k] * p[k];
    }
    for (int k = 0; k < 4; k++) p[k] /= sqrt(square);
    of_quaternion(p, turn);
}

void turn_product(const double a[9], const double b[9], double ab[9])
{
    for (int k = 0; k < 9; k++)
        ab[k] = a[k / 3 * 3] * b[k % 3] + a[k / 3 * 3 + 1] * b[3 + k % 3] +
                a[k / 3 * 3 + 2] * b[6 + k % 3];
}

void turn_apply(const double turn[9], const double v[3], double turned[3])
{
    for (int k = 0; k < 3; k++)
        turned[k] = turn[3 * k] * v[0] + turn[3 * k + 1] * v[1] + turn[3 * k + 2] * v[2];
}

double turn_distance(const double a[9], const double b[9])
{
    double trace = 0;
    for (int k = 0; k < 9; k++) trace += a[k] * b[k];
    return acos(fmin(fmax(0.5 * (trace - 1), -1), 1)) * 180 / M_PI;
}
