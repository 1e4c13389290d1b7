/* reciprocal_lattice.c - see reciprocal_lattice.h. SPDX-License-Identifier: BSD-3-Clause */
#include "reciprocal_lattice.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692;

cli_reciprocal cli_reciprocal_of(const double cell[9])
{
    cli_reciprocal lattice;
    memcpy(lattice.cell, cell, sizeof lattice.cell);
    for (int d = 0; d < 3; ++d) {
        const double *u = cell + 3 * ((d + 1) % 3), *v = cell + 3 * ((d + 2) % 3);
        double *star = lattice.star + 3 * d, volume = 0;
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            star[a] = u[b] * v[c] - u[c] * v[b];
            volume += cell[3 * d + a] * star[a];
        }
        for (int a = 0; a < 3; ++a) star[a] /= volume;
    }
    return lattice;
}

double cli_wave_vector(const cli_reciprocal *lattice, const double hkl[3], double q[3])
{
    const double *s = lattice->star;
    for (int a = 0; a < 3; ++a)
        q[a] = two_pi * (hkl[0] * s[a] + hkl[1] * s[3 + a] + hkl[2] * s[6 + a]);
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
}

void cli_largest_indices(const cli_reciprocal *lattice, double q_max, double largest[3])
{
    for (int d = 0; d < 3; ++d) {
        const double *a = lattice->cell + 3 * d;
        const double edge = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        largest[d] = floor(q_max * edge / two_pi * (1 + 1e-12));
    }
}
