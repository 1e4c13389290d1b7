/*
 * test_wide_band.c - the estimated truncation error where the sum ends far inside a prolate band of
 * 144000 or 1300000 modes. The estimate sums the first of the modes left out one by one, and
 * integrates over the rest. Reference: the sum over all of them. Bound: 1e-4.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "choose/truncation_error.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* sqrt(16 pi^2 r_c/V sum chi_hat^2/k^2) of all modes of the band beyond k_c. */
static double sum_of_all(const enuf_cell_geometry *cell, const enuf_splitting *splitting,
                         double k_c)
{
    const double step = 2 * PI / cell->length[0], band = enuf_splitting_band(splitting);
    const int most = (int)(band / step);
    double sum = 0;
    for (int x = -most; x <= most; x++)
        for (int y = -most; y <= most; y++)
            for (int z = -most; z <= most; z++) {
                const double k = step * sqrt((double)(x * x + y * y + z * z));
                if (k <= k_c || k > band) continue;
                double chi, slope;
                enuf_splitting_transform(splitting, k, &chi, &slope);
                sum += chi * chi / (k * k);
            }
    return sqrt(16 * PI * PI * splitting->cutoff / cell->volume * sum);
}

static void compare(double edge, double modes_to)
{
    const double rows[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    const double k_c = modes_to * 2 * PI / edge;
    enuf_cell_geometry cell;
    enuf_splitting splitting;
    double scatter;
    const enuf_structure_factor random = {.n = 0};
    CHECK_STATUS(enuf_cell_geometry_make(rows, &cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_splitting_prolate(34, 2, &splitting), ENUF_SUCCESS);
    /* beyond a band of c = 34 the tail is 1e-14; the integral over shells is accurate to 3e-5 */
    CHECK_CLOSE(enuf_truncation_error(&cell, &random, &splitting, k_c, &scatter),
                sum_of_all(&cell, &splitting, k_c), 1e-4, "estimate, sum of all modes");
}

int main(void)
{
    compare(12, 1.42); /* 144,000 modes in the band */
    compare(12, 4.5);
    compare(25, 1.01); /* 1,300,000 */
    compare(25, 6.2);
    return check_result();
}
