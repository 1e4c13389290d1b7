/*
 * test_nearest_image.c - enuf_nearest_image() gives the shortest of all images of a distance, to
 * 1e-14, against a search over 29^3 images, in cubic, hexagonal, strongly tilted and fcc cells. The
 * image of -d is the exact negative. The error of two close images is half a rounding of their
 * distance. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "lattice/nearest_image.h"
#include "random_system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static double length(const double d[3])
{
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double nearest_of_many(const double cell[9], const double d[3])
{
    enum { REACH = 14 };
    double best = INFINITY;
    for (int i = -REACH; i <= REACH; i++)
        for (int j = -REACH; j <= REACH; j++)
            for (int k = -REACH; k <= REACH; k++) {
                double image[3];
                for (int a = 0; a < 3; a++)
                    image[a] = d[a] + i * cell[a] + j * cell[3 + a] + k * cell[6 + a];
                best = fmin(best, length(image));
            }
    return best;
}

/* Two places 1e-3 to 1e-9 apart, of which the second is moved by lattice vectors. */
static void close_images(const double cell[9])
{
    enuf_lattice lattice;
    double worst = 0, x[600];
    enuf_lattice_make(cell, &lattice);
    random_numbers(77, 600, -1, 1, x);
    for (int k = 0; k < 100; k++) {
        double to[3], from[3], d[3];
        const double apart = pow(10, -3 - k % 7);
        long double exact[3], r2 = 0, error2 = 0;
        for (int a = 0; a < 3; a++) {
            const int n[3] = {k % 3 - 1, k % 5 - 2, k % 2};
            const long double vector = (long double)n[0] * cell[a] +
                                       (long double)n[1] * cell[3 + a] +
                                       (long double)n[2] * cell[6 + a];
            to[a] = x[6 * k + a];
            from[a] = (double)(to[a] + apart * x[6 * k + 3 + a] + vector);
            exact[a] = (long double)to[a] - from[a] + vector;
        }
        enuf_nearest_image(&lattice, to, from, d);
        for (int a = 0; a < 3; a++) {
            r2 += exact[a] * exact[a];
            error2 += (d[a] - exact[a]) * (d[a] - exact[a]);
        }
        worst = fmax(worst, (double)sqrtl(error2 / r2));
    }
    CHECK_BELOW(worst, 0.5 * DBL_EPSILON,
                "close images: error relative to their distance, half a rounding");
}

int main(void)
{
    static const double origin[3] = {0, 0, 0};
    static const double cells[][9] = {
        {1, 0, 0, 0, 1, 0, 0, 0, 1},          {1, 0, 0, 0.5, 0.8660254037844386, 0, 0, 0, 3},
        {1, 0, 0, 2.4, 0.9, 0, -1.7, 3.6, 1}, {0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0},
        {0, 1, 0, 1, 0.2, 0, 3, 0.4, 0.3},
    };
    for (int c = 0; c < 5; c++) {
        enuf_lattice lattice;
        double worst = 0, x[300];
        int mirrored = 0, lattice_vectors = 1;
        enuf_lattice_make(cells[c], &lattice);
        random_numbers(c + 1, 300, -1, 1, x);
        for (int k = 0; k < 100; k++) {
            double d[3], minus[3], start[3], opposite[3];
            for (int a = 0; a < 3; a++) {
                /* some exactly half-way between images */
                double s0 = k % 4 ? x[3 * k] : 0.5, s1 = k % 8 ? x[3 * k + 1] : -0.5;
                start[a] = s0 * cells[c][a] + s1 * cells[c][3 + a] + x[3 * k + 2] * cells[c][6 + a];
                opposite[a] = -start[a];
            }
            enuf_nearest_image(&lattice, start, origin, d);
            enuf_nearest_image(&lattice, opposite, origin, minus);
            for (int a = 0; a < 3; a++) mirrored += d[a] == -minus[a];
            worst = fmax(worst, length(d) - nearest_of_many(cells[c], start));
            /* the difference is a lattice vector: whole numbers in the reduced basis */
            for (int b = 0; b < 3; b++) {
                double n = 0;
                for (int a = 0; a < 3; a++) n += (start[a] - d[a]) * lattice.inverse[3 * a + b];
                lattice_vectors = lattice_vectors && fabs(n - rint(n)) < 1e-12;
            }
        }
        printf("cell %d\n", c);
        CHECK_BELOW(worst, 1e-14, "longer than the nearest of 29^3 images, rounding");
        CHECK(mirrored == 300);
        CHECK(lattice_vectors);
        close_images(cells[c]);
    }
    return check_result();
}
