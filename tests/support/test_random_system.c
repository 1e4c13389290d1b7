/*
 * test_random_system.c - random_ions() keeps the requested distance between ions and all images of
 * other ions, in cubic, triclinic, left-handed, long and flat cells. Reference: a search over all
 * pairs and images. Charges are +1 and -1. The same seed gives the same system. random_numbers()
 * are uniform: mean and variance within five standard deviations.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1000 };

static const struct system {
    const char *name;
    int64_t n;
    double min_distance;
    int images; /* search this many cells in each direction */
    double cell[9];
} systems[] = {
    {"cube", 500, 1.0, 1, {12, 0, 0, 0, 12, 0, 0, 0, 12}},
    {"triclinic", 500, 1.0, 2, {13, 1, 0, 6, 11, -1, -5, 4, 12}},
    {"left-handed", 500, 1.0, 2, {6, 11, -1, 13, 1, 0, -5, 4, 12}},
    {"needle", 20, 1.0, 2, {1.3, 0, 0, 0.5, 1.2, 0, 0, 3, 60}},
    {"flat", 200, 1.0, 4, {30, 0, 0, 7, 25, 0, 0.2, 0.1, 0.6}},
    {"one ion", 1, 1.0, 1, {3, 0, 0, 0, 3, 0, 0, 0, 3}},
};

/* The least distance over all pairs and images. Images of the same ion do not count, because the
 * cell determines their distance. */
static double nearest(const struct system *system, const double *x)
{
    double least = HUGE_VAL;
    int m = system->images;
    for (int64_t i = 0; i < system->n; i++)
        for (int64_t j = i + 1; j < system->n; j++)
            for (int a = -m; a <= m; a++)
                for (int b = -m; b <= m; b++)
                    for (int c = -m; c <= m; c++) {
                        double r2 = 0;
                        for (int d = 0; d < 3; d++) {
                            double image = a * system->cell[d] + b * system->cell[3 + d] +
                                           c * system->cell[6 + d];
                            double difference = x[3 * i + d] - x[3 * j + d] + image;
                            r2 += difference * difference;
                        }
                        least = fmin(least, r2);
                    }
    return sqrt(least);
}

static void ions_keep_their_distance(const struct system *system)
{
    static double x[3 * MOST], q[MOST];
    random_ions(1, system->n, system->cell, system->min_distance, x, q);
    double least = nearest(system, x), net = 0;
    printf("%s: nearest pair at %.4f, requested %.4f\n", system->name, least, system->min_distance);
    CHECK(least >= system->min_distance * (1 - 1e-14));
    /* ions on a lattice would have no pair near the bound */
    CHECK(system->n < 500 || least < 1.1 * system->min_distance);
    for (int64_t i = 0; i < system->n; i++) {
        CHECK(fabs(q[i]) == 1);
        net += q[i];
    }
    CHECK(net == (double)(system->n % 2));
}

static void same_seed_same_system(void)
{
    static double a[3 * MOST], b[3 * MOST], q[MOST];
    const struct system *system = &systems[1];
    random_ions(7, system->n, system->cell, 1.0, a, q);
    random_ions(7, system->n, system->cell, 1.0, b, q);
    CHECK(memcmp(a, b, (size_t)system->n * 3 * sizeof *a) == 0);
    random_ions(8, system->n, system->cell, 1.0, b, q);
    CHECK(memcmp(a, b, (size_t)system->n * 3 * sizeof *a) != 0);
}

static void numbers_are_uniform(void)
{
    enum { N = 100000 };
    static double x[N];
    random_numbers(3, N, -1, 3, x);
    double sum = 0, squares = 0, lo = 3, hi = -1;
    for (int i = 0; i < N; i++) {
        sum += x[i];
        squares += (x[i] - 1) * (x[i] - 1);
        lo = fmin(lo, x[i]);
        hi = fmax(hi, x[i]);
    }
    CHECK_BELOW(sum / N - 1, 5 * sqrt(16.0 / 12 / N), "mean of U(-1, 3) minus 1, 5 sigma");
    CHECK_BELOW(squares / N - 16.0 / 12, 5 * sqrt(256.0 / 180 / N), "variance minus 4/3, 5 sigma");
    CHECK(lo >= -1 && hi < 3);
}

/* 100000 ions: a search over all pairs would exceed the test's time limit. */
static void large_systems_are_quick(void)
{
    enum { N = 100000 };
    static double x[3 * N], q[N];
    const double cell[9] = {90, 0, 0, 20, 85, 0, -10, 15, 90};
    random_ions(5, N, cell, 1.3, x, q);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += x[3 * i + 2];
    CHECK_BELOW(sum / N / 45 - 1, 5 * sqrt(1.0 / 3 / N), "mean height over half the cell, 5 sigma");
}

int main(void)
{
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        ions_keep_their_distance(&systems[i]);
    same_seed_same_system();
    numbers_are_uniform();
    large_systems_are_quick();
    return check_result();
}
