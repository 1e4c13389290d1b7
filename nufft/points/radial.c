/* radial.c - spokes: of a star in 2D, of a ball in 3D, of stars in planes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trajectory.h"

#include <math.h>

static const double half_pi = 1.57079632679489662;

/* ceil(pi N^axes' / (2 R)): an arc, or a half sphere, of radius N/2 in Nyquist steps. */
static int64_t spokes_of(const enuf_trajectory_options *o, double n, int on_sphere)
{
    return (int64_t)ceil(half_pi * n * (on_sphere ? n : 1) / o->reduction);
}

/* N samples from one end to the last before the other; one is the centre. */
static void put_spoke(enuf_sample_sink *sink, int64_t n, const double along[3], double z)
{
    for (int64_t i = 0; i < n; i++) {
        const double radius = (double)(i - n / 2) / (double)n;
        enuf_put_sample(sink,
                        (double[3]){radius * along[0], radius * along[1], radius * along[2] + z});
    }
}

static void put_star(enuf_sample_sink *sink, int64_t n, int64_t spokes, double first, double z)
{
    for (int64_t i = 0; i < spokes; i++) {
        const enuf_circle_point p = enuf_turn(0.5 * ((double)i + first) / (double)spokes);
        put_spoke(sink, n, (double[3]){p.x, p.y, 0}, z);
    }
}

/* ---- Radial ---- */

static double full_radial(const enuf_trajectory_options *o)
{
    const double n = (double)enuf_most_modes(o, o->dim);
    return (half_pi * n * (o->dim == 3 ? n : 1) + 1) * n;
}

static enuf_trajectory_size size_radial(const enuf_trajectory_options *o)
{
    const int64_t n = enuf_most_modes(o, o->dim);
    const int64_t spokes = spokes_of(o, (double)n, o->dim == 3);
    return (enuf_trajectory_size){spokes, n * spokes};
}

static void fill_ball(int64_t n, int64_t spokes, enuf_sample_sink *sink)
{
    for (int64_t i = 0; i < spokes; i++) {
        const double height = ((double)i + 0.5) / (double)spokes;
        const double across = sqrt(1 - height * height);
        const enuf_circle_point p = enuf_turn((double)i * ENUF_GOLDEN);
        put_spoke(sink, n, (double[3]){across * p.x, across * p.y, height}, 0);
    }
}

static void fill_radial(const enuf_trajectory_options *o, enuf_sample_sink *sink)
{
    const int64_t n = enuf_most_modes(o, o->dim), spokes = size_radial(o).readouts;
    if (o->dim == 3)
        fill_ball(n, spokes, sink);
    else
        put_star(sink, n, spokes, 0, 0);
}

const enuf_trajectory_functions enuf_radial_trajectory = {1 << 2 | 1 << 3, full_radial, size_radial,
                                                          fill_radial};

/* ---- Stack of stars ---- */

static double full_stack(const enuf_trajectory_options *o)
{
    const double n = (double)enuf_most_modes(o, 2);
    return (half_pi * n + 1) * n * (double)o->modes[2];
}

static enuf_trajectory_size size_stack(const enuf_trajectory_options *o)
{
    const int64_t n = enuf_most_modes(o, 2);
    const int64_t spokes = spokes_of(o, (double)n, 0) * o->modes[2];
    return (enuf_trajectory_size){spokes, n * spokes};
}

static void fill_stack(const enuf_trajectory_options *o, enuf_sample_sink *sink)
{
    const int64_t n = enuf_most_modes(o, 2), planes = o->modes[2];
    const int64_t spokes = spokes_of(o, (double)n, 0);
    for (int64_t p = 0; p < planes; p++) {
        const double turned = (double)p * ENUF_GOLDEN;
        put_star(sink, n, spokes, turned - floor(turned),
                 (double)(p - planes / 2) / (double)planes);
    }
}

const enuf_trajectory_functions enuf_stack_trajectory = {1 << 3, full_stack, size_stack,
                                                         fill_stack};
