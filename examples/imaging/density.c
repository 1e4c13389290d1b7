/* density.c - weights from the form of a trajectory. SPDX-License-Identifier: BSD-3-Clause */
#include "density.h"
#include "fail.h"
#include "spiral.h"

#include <math.h>
#include <stdlib.h>

/* The weight of the centre in place of the ramp's 0, in steps of the radius. With the area of the
 * innermost disc, 1/4, the image gets a background. 2 / pi^2 is what the ramp has at frequency 0
 * once its transform is cut to the field of view: 1/4 - (2 / pi^2) sum 1/n^2 over odd n <= side /
 * 2, times side. After Kak, Slaney, Principles of Computerized Tomographic Imaging (1988), section
 * 3.3.3. */
static const double CENTRE = 0.202642367284675543;

/* ---- Spokes ---- */

typedef struct spoke {
    double angle; /* in [0, pi) */
    int64_t number;
} spoke;

static int by_angle(const void *left, const void *right)
{
    const double a = ((const spoke *)left)->angle, b = ((const spoke *)right)->angle;
    return (a > b) - (a < b);
}

/* shares [readouts]: the mean of a spoke's angles to its neighbours, over pi; they sum to 1 */
static void find_shares(const sampling *s, const double *k, double *shares)
{
    const int64_t n = s->readouts;
    spoke *spokes = allocate(n, sizeof *spokes);
    for (int64_t r = 0; r < n; r++) {
        const double *end = k + 2 * r * s->on_readout; /* the first sample is the farthest */
        const double angle = atan2(end[1], end[0]);
        spokes[r] = (spoke){angle < 0 ? angle + M_PI : angle, r};
        if (spokes[r].angle >= M_PI) spokes[r].angle -= M_PI;
    }
    qsort(spokes, (size_t)n, sizeof *spokes, by_angle);
    for (int64_t i = 0; i < n; i++) {
        const double before = i > 0 ? spokes[i - 1].angle : spokes[n - 1].angle - M_PI;
        const double behind = i < n - 1 ? spokes[i + 1].angle : spokes[0].angle + M_PI;
        shares[spokes[i].number] = 0.5 * (behind - before) / M_PI;
    }
    free(spokes);
}

/* The ring from |i| - 1/2 to |i| + 1/2 has the area 2 pi |i|. Two samples of a spoke share what it
 * has of the ring. */
static void weigh_spokes(const sampling *s, const double *k, double *weights)
{
    double *shares = allocate(s->readouts, sizeof *shares);
    find_shares(s, k, shares);
    for (int64_t r = 0; r < s->readouts; r++)
        for (int64_t i = 0; i < s->on_readout; i++) {
            const double radius = fabs((double)(i - s->side / 2));
            weights[r * s->on_readout + i] = shares[r] * M_PI * (radius > 0 ? radius : CENTRE);
        }
    free(shares);
}

/* ---- Spirals ---- */

static void weigh_spirals(const sampling *s, double *weights)
{
    const int even_path = s->kind == TRAJECTORY_SPIRAL_CLV;
    const double n = (double)s->on_readout, farthest = 0.5 * (double)s->side;
    for (int64_t i = 0; i < s->on_readout; i++) {
        const double u = spiral_radius(even_path, s->turns, (double)i / n);
        const double radius = farthest * u;
        const double step = farthest * spiral_slope(even_path, s->turns, u) / n;
        const double ring = 2 * M_PI * step * (i > 0 ? radius : 0.5 * CENTRE * step);
        for (int64_t r = 0; r < s->readouts; r++)
            weights[r * s->on_readout + i] = ring / (double)s->readouts;
    }
}

/* ---- Lines ---- */

/* A line stands for those that a reduction leaves out. */
static void weigh_lines(const sampling *s, double *weights)
{
    for (int64_t i = 0; i < sampling_count(s); i++)
        weights[i] = (double)s->side / (double)s->readouts;
}

void density_of_form(const sampling *samples, double *weights)
{
    const int64_t n = sampling_count(samples);
    for (int64_t f = 0; f < samples->frames; f++, weights += n) {
        if (samples->kind == TRAJECTORY_CARTESIAN)
            weigh_lines(samples, weights);
        else if (samples->kind == TRAJECTORY_RADIAL || samples->kind == TRAJECTORY_GOLDEN)
            weigh_spokes(samples, samples->k + 2 * n * f, weights);
        else
            weigh_spirals(samples, weights);
    }
}
