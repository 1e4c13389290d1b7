/* box.c - random points, and the lines of the grid. SPDX-License-Identifier: BSD-3-Clause */
#include "trajectory.h"

#include <math.h>

static double full_box(const enuf_trajectory_options *o)
{
    double n = 1;
    for (int d = 0; d < o->dim; d++) n *= (double)o->modes[d];
    return n;
}

/* ---- Random ---- */

static enuf_trajectory_size size_random(const enuf_trajectory_options *o)
{
    const int64_t n = (int64_t)ceil(full_box(o) / o->reduction);
    return (enuf_trajectory_size){n, n};
}

/* splitmix64: Steele, Lea, Flood, OOPSLA 2014, https://doi.org/10.1145/2660193.2660195 */
static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* In [-1/2, 1/2). */
static double draw(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return (double)(mixed(*state) >> 11) / 9007199254740992.0 - 0.5;
}

static void fill_uniform(const enuf_trajectory_options *o, const double edge[3],
                         enuf_sample_sink *sink)
{
    /* mixed: the streams of two seeds do not overlap */
    uint64_t state = mixed(o->seed + UINT64_C(0x9e3779b97f4a7c15));
    const int64_t n = size_random(o).samples;
    for (int64_t j = 0; j < n; j++) {
        double s[3] = {0};
        for (int d = 0; d < o->dim; d++) s[d] = edge[d] * draw(&state);
        enuf_put_sample(sink, s);
    }
}

static void fill_random(const enuf_trajectory_options *o, enuf_sample_sink *sink)
{
    fill_uniform(o, (double[3]){1, 1, 1}, sink);
}

static void fill_cluster(const enuf_trajectory_options *o, enuf_sample_sink *sink)
{
    double edge[3] = {1, 1, 1};
    for (int d = 0; d < o->dim; d++) edge[d] = fmin(1, 4 / (double)o->modes[d]);
    fill_uniform(o, edge, sink);
}

enum { ANY_DIM = 1 << 1 | 1 << 2 | 1 << 3 };

const enuf_trajectory_functions enuf_random_trajectory = {ANY_DIM, full_box, size_random,
                                                          fill_random};
const enuf_trajectory_functions enuf_cluster_trajectory = {ANY_DIM, full_box, size_random,
                                                           fill_cluster};

/* ---- Cartesian ---- */

static int64_t lines_of(const enuf_trajectory_options *o)
{
    return (o->dim > 1 ? o->modes[1] : 1) * (o->dim > 2 ? o->modes[2] : 1);
}

static enuf_trajectory_size size_cartesian(const enuf_trajectory_options *o)
{
    const int64_t lines = (int64_t)ceil((double)lines_of(o) / o->reduction);
    return (enuf_trajectory_size){lines, lines * o->modes[0]};
}

static double place(int64_t i, int64_t n)
{
    return (double)(i - n / 2) / (double)n;
}

static void fill_cartesian(const enuf_trajectory_options *o, enuf_sample_sink *sink)
{
    const int64_t *n = o->modes, lines = size_cartesian(o).readouts;
    enuf_kept line = enuf_kept_first(lines_of(o), lines);
    for (int64_t k = 0; k < lines; k++, enuf_kept_next(&line)) {
        double s[3] = {0};
        if (o->dim > 1) s[1] = place(line.at % n[1], n[1]);
        if (o->dim > 2) s[2] = place(line.at / n[1], n[2]);
        for (int64_t i = 0; i < n[0]; i++) {
            s[0] = place(i, n[0]);
            enuf_put_sample(sink, s);
        }
    }
}

const enuf_trajectory_functions enuf_cartesian_trajectory = {ANY_DIM, full_box, size_cartesian,
                                                             fill_cartesian};
