/*
 * The nearest image of a distance, in cells of any tilt, against all images within reach; and of -d
 * exactly the negative. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "nearest_image.h"
#include "random_system.h"

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

int main(void)
{
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
            double d[3], minus[3], start[3];
            for (int a = 0; a < 3; a++) {
                /* some exactly half-way between images */
                double s0 = k % 4 ? x[3 * k] : 0.5, s1 = k % 8 ? x[3 * k + 1] : -0.5;
                d[a] = start[a] =
                    s0 * cells[c][a] + s1 * cells[c][3 + a] + x[3 * k + 2] * cells[c][6 + a];
                minus[a] = -d[a];
            }
            enuf_nearest_image(&lattice, d);
            enuf_nearest_image(&lattice, minus);
            for (int a = 0; a < 3; a++) mirrored += d[a] == -minus[a];
            worst = fmax(worst, length(d) - nearest_of_many(cells[c], start));
            /* what was taken off is a lattice vector: whole numbers in the reduced basis */
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
    }
    return check_result();
}
