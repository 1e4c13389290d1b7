/*
 * direction_average.c - structure factors averaged over all directions, see structure_factors.h.
 *
 * |S(q n)|^2 is a sum of waves exp(i q n.r) over pairs of ions. In spherical harmonics of the
 * direction n such a wave has degrees up to about q r; beyond, coefficients are spherical Bessel
 * functions, which vanish faster than exponentially. A product of Gauss-Legendre nodes in cos theta
 * and equidistant phi integrates all degrees below twice the number of nodes (Abramowitz and Stegun
 * 25.4.29). One half of the sphere does, because |S(-q)| = |S(q)|. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "structure_factors.h"

#include "factor_sums.h"

#include "memory.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { MOST_NODES = 64, MOST_DIRECTIONS = MOST_NODES * MOST_NODES }; /* nodes are even */

typedef struct direction_sums {
    double *places; /* [ions][3] */
    cli_factor_sums sums;
    double extent; /* bound of the distances of ions */
    double targets[3 * MOST_DIRECTIONS], weights[MOST_DIRECTIONS], values[2 * MOST_DIRECTIONS];
} direction_sums;

/* Node k of n, with its weight, by Newton's method from an estimate of Abramowitz and Stegun
 * 22.16.6. */
static void legendre_node(int n, int k, double *x, double *weight)
{
    *x = cos(pi * (k + 0.75) / (n + 0.5));
    double slope = 1;
    for (int round = 0; round < 10; ++round) {
        double p = 1, before = 0;
        for (int j = 1; j <= n; ++j) {
            const double next = ((2 * j - 1) * *x * p - (j - 1) * before) / j;
            before = p;
            p = next;
        }
        slope = n * (*x * p - before) / (*x * *x - 1);
        *x -= p / slope;
    }
    *weight = 2 / ((1 - *x * *x) * slope * slope);
}

/* Nodes for which degrees up to q r and some more are exact. */
static int nodes_for(double qr)
{
    const double degree = qr + 8 * cbrt(qr) + 12, nodes = 2 * ceil((degree + 1) / 4);
    return nodes < MOST_NODES ? (int)nodes : MOST_NODES;
}

/* Targets of a half sphere, in turns; their weights sum to 1. Returns how many. */
static int64_t make_directions(double q, direction_sums *sums)
{
    const int n = nodes_for(q * sums->extent);
    int64_t count = 0;
    for (int k = 0; k < n / 2; ++k) { /* the positive nodes */
        double z, weight;
        legendre_node(n, k, &z, &weight);
        for (int j = 0; j < 2 * n; ++j, ++count) {
            const double phi = pi * j / n, across = sqrt(1 - z * z);
            const double direction[3] = {across * cos(phi), across * sin(phi), z};
            for (int d = 0; d < 3; ++d) sums->targets[3 * count + d] = q * direction[d] / (2 * pi);
            sums->weights[count] = weight / (2 * n);
        }
    }
    return count;
}

static enuf_status average(const cli_factor_request *request, double q, direction_sums *sums,
                           cli_q_shell *shell)
{
    const int64_t count = make_directions(q, sums);
    ENUF_TRY(cli_factor_sums_at(&sums->sums, count, sums->targets, sums->values));
    *shell = (cli_q_shell){.q = q, .count = 2 * count};
    for (int64_t k = 0; k < count; ++k) {
        const double *s = sums->values + 2 * k;
        shell->s += sums->weights[k] * (s[0] * s[0] + s[1] * s[1]) / request->squares;
    }
    return ENUF_SUCCESS;
}

/* Distances are counted from the centre, so that phases are small. */
static void fill_places(const cli_factor_request *request, direction_sums *sums)
{
    const enuf_structure *structure = request->structure;
    double centre[3] = {0}, farthest = 0;
    for (int64_t k = 0; k < 3 * structure->n; ++k)
        centre[k % 3] += structure->positions[k] / (double)structure->n;
    for (int64_t i = 0; i < structure->n; ++i) {
        double *x = sums->places + 3 * i, r2 = 0;
        for (int d = 0; d < 3; ++d) {
            x[d] = structure->positions[3 * i + d] - centre[d];
            r2 += x[d] * x[d];
        }
        farthest = fmax(farthest, r2);
    }
    sums->extent = 2 * sqrt(farthest);
}

static enuf_status average_shells(const cli_factor_request *request, const cli_sphere *sphere,
                                  cli_progress *progress, direction_sums *sums, cli_q_shell *shells)
{
    const int64_t n = request->structure->n;
    ENUF_TRY(enuf_allocate(&sums->places, 3 * n, sizeof(double), "positions"));
    fill_places(request, sums);
    ENUF_TRY(cli_factor_sums_make(request, sums->places, &sums->sums));
    for (int64_t i = 0; i < sphere->shells; ++i) {
        const double q = sphere->largest * (double)(i + 1) / (double)sphere->shells;
        cli_progress_step(progress, "directions");
        ENUF_TRY(average(request, q, sums, &shells[i]));
    }
    return ENUF_SUCCESS;
}

enuf_status cli_factors_of_directions(const cli_factor_request *request, const cli_sphere *sphere,
                                      cli_progress *progress, cli_q_shell *shells)
{
    direction_sums *sums;
    ENUF_TRY(enuf_allocate(&sums, 1, sizeof *sums, "directions"));
    sums->places = NULL;
    sums->sums = (cli_factor_sums){0};
    const enuf_status status = average_shells(request, sphere, progress, sums, shells);
    cli_factor_sums_free(&sums->sums);
    enuf_release(&sums->places);
    enuf_release(&sums);
    return status;
}
