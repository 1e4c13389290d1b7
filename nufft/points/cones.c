/* cones.c - readouts that wind around cones from the centre to the edge. Lengths are in radii of
 * the ball. SPDX-License-Identifier: BSD-3-Clause */
#include "trajectory.h"

#include <math.h>

static const double pi = 3.14159265358979324;

/* Turns of a readout. */
static const double TURNS = 2;

/* One cone. A readout has the angle 2 pi TURNS r, so that its path has the length
 * integral sqrt(1 + (winding r)^2) dr. */
typedef struct cone {
    double height, across; /* cosine and sine of the polar angle */
    double winding;        /* 2 pi TURNS across */
    int64_t readouts, samples;
    double step;  /* length of the path from sample to sample */
    double first; /* readout, in parts of the angle between them */
} cone;

static double stretch(double winding, double radius)
{
    const double angle = winding * radius;
    return sqrt(1 + angle * angle);
}

/* Simpson's rule, right to 1e-6. */
static double path_length(double winding)
{
    enum { PANELS = 32 };
    double sum = 1 + stretch(winding, 1);
    for (int i = 1; i < 2 * PANELS; i++)
        sum += (i % 2 ? 4 : 2) * stretch(winding, (double)i / (2 * PANELS));
    return sum / (6 * PANELS);
}

static int64_t cones_of(const enuf_trajectory_options *o)
{
    return (int64_t)ceil(0.5 * pi * (double)enuf_most_modes(o, 3));
}

static cone cone_at(const enuf_trajectory_options *o, int64_t number)
{
    const double n = (double)enuf_most_modes(o, 3), turned = (double)number * ENUF_GOLDEN;
    const enuf_circle_point polar = enuf_turn(0.5 * ((double)number + 0.5) / (double)cones_of(o));
    cone c = {.height = polar.x, .across = polar.y, .first = turned - floor(turned)};
    c.winding = 2 * pi * TURNS * c.across;
    const double length = path_length(c.winding);
    c.readouts = (int64_t)ceil(pi * n * c.across / stretch(c.winding, 1));
    c.samples = (int64_t)ceil(0.5 * n * length);
    c.step = length / (double)c.samples;
    return c;
}

static double full(const enuf_trajectory_options *o)
{
    const double n = (double)enuf_most_modes(o, 3);
    return 0.5 * pi * (n + 1) * (n + 1) * (n + 1);
}

/* One step along the path: dr/dl = 1/sqrt(1 + (winding r)^2), by the classical Runge-Kutta rule. */
static double farther(const cone *c, double radius)
{
    const double k1 = 1 / stretch(c->winding, radius);
    const double k2 = 1 / stretch(c->winding, radius + 0.5 * c->step * k1);
    const double k3 = 1 / stretch(c->winding, radius + 0.5 * c->step * k2);
    const double k4 = 1 / stretch(c->winding, radius + c->step * k3);
    return fmin(1, radius + c->step * (k1 + 2 * k2 + 2 * k3 + k4) / 6);
}

static void put_readout(const cone *c, int64_t number, enuf_sample_sink *sink)
{
    const double begin = ((double)number + c->first) / (double)c->readouts;
    double radius = 0;
    for (int64_t i = 0; i < c->samples; i++, radius = farther(c, radius)) {
        const enuf_circle_point p = enuf_turn(begin + TURNS * radius);
        const double across = 0.5 * radius * c->across;
        enuf_put_sample(sink, (double[3]){across * p.x, across * p.y, 0.5 * radius * c->height});
    }
}

/* Walks over the readouts that are kept; without a sink it only counts. */
static enuf_trajectory_size walk(const enuf_trajectory_options *o, enuf_sample_sink *sink)
{
    int64_t all = 0, before = 0;
    for (int64_t i = 0; i < cones_of(o); i++) all += cone_at(o, i).readouts;
    enuf_trajectory_size size = {(int64_t)ceil((double)all / o->reduction), 0};
    enuf_kept kept = enuf_kept_first(all, size.readouts);
    for (int64_t i = 0; i < cones_of(o); i++) {
        const cone c = cone_at(o, i);
        for (; kept.at < before + c.readouts; enuf_kept_next(&kept)) {
            size.samples += c.samples;
            if (sink) put_readout(&c, kept.at - before, sink);
        }
        before += c.readouts;
    }
    return size;
}

static enuf_trajectory_size size(const enuf_trajectory_options *o)
{
    return walk(o, NULL);
}

static void fill(const enuf_trajectory_options *o, enuf_sample_sink *sink)
{
    (void)walk(o, sink);
}

const enuf_trajectory_functions enuf_cone_trajectory = {1 << 3, full, size, fill};
