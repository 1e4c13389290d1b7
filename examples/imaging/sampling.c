/* sampling.c - see sampling.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sampling.h"
#include "fail.h"
#include "spiral.h"

#include <enuf/trajectories.h>

#include <math.h>
#include <stdlib.h>

/* Half a turn over the golden ratio. */
static const double GOLDEN_ANGLE = 1.94161103872546659;

const char *trajectory_name(trajectory kind)
{
    static const char *const names[] = {
#define X(NAME, name, help) name,
        TRAJECTORIES(X)
#undef X
    };
    return names[kind];
}

int64_t sampling_count(const sampling *samples)
{
    return samples->readouts * samples->on_readout;
}

/* The library's trajectory in the first frame; the other frames repeat it. */
static void fill_from_library(sampling *s, double reduction)
{
    enuf_trajectory_options options;
    int64_t n;
    enuf_trajectory_options_init(&options);
    options.kind =
        s->kind == TRAJECTORY_RADIAL ? ENUF_TRAJECTORY_RADIAL : ENUF_TRAJECTORY_CARTESIAN;
    options.dim = 2;
    options.modes[0] = options.modes[1] = s->side;
    options.reduction = reduction;
    check(enuf_trajectory_count(&options, &n, &s->readouts));
    s->on_readout = n / s->readouts;
    s->k = allocate(2 * n * s->frames, sizeof *s->k);
    check(enuf_trajectory_fill(&options, n, s->k, s->k + 1, NULL, 2));
    for (int64_t i = 0; i < 2 * n; i++) s->k[i] *= (double)s->side;
    for (int64_t i = 2 * n; i < 2 * n * s->frames; i++) s->k[i] = s->k[i - 2 * n];
}

static void fill_golden(sampling *s, double reduction)
{
    s->readouts = (int64_t)ceil(0.5 * M_PI * (double)s->side / reduction);
    s->on_readout = s->side;
    s->k = allocate(2 * sampling_count(s) * s->frames, sizeof *s->k);
    double *k = s->k;
    for (int64_t spoke = 0; spoke < s->frames * s->readouts; spoke++) {
        const double angle = fmod((double)spoke * GOLDEN_ANGLE, M_PI);
        for (int64_t i = 0; i < s->on_readout; i++, k += 2) {
            const double radius = (double)(i - s->side / 2);
            k[0] = radius * cos(angle);
            k[1] = radius * sin(angle);
        }
    }
}

static void fill_spirals(sampling *s, double reduction)
{
    const double side = (double)s->side, all = ceil(side / 8);
    s->turns = 0.5 * side / all;
    s->readouts = (int64_t)ceil(all / reduction);
    const int even_path = s->kind == TRAJECTORY_SPIRAL_CLV;
    s->on_readout = spiral_count(even_path, s->side, s->turns);
    s->k = allocate(2 * sampling_count(s) * s->frames, sizeof *s->k);
    double *k = s->k;
    for (int64_t f = 0; f < s->frames; f++) {
        const double frame_turn = (double)f * GOLDEN_ANGLE / M_PI;
        for (int64_t r = 0; r < s->readouts; r++) {
            const double begin = ((double)r + frame_turn - floor(frame_turn)) / (double)s->readouts;
            for (int64_t i = 0; i < s->on_readout; i++, k += 2) {
                const double u =
                    spiral_radius(even_path, s->turns, (double)i / (double)s->on_readout);
                const double angle = 2 * M_PI * (begin + s->turns * u);
                k[0] = 0.5 * side * u * cos(angle);
                k[1] = 0.5 * side * u * sin(angle);
            }
        }
    }
}

sampling sampling_make(trajectory kind, int64_t side, int64_t frames, double reduction)
{
    sampling s = {.kind = kind, .side = side, .frames = frames};
    if (kind == TRAJECTORY_GOLDEN)
        fill_golden(&s, reduction);
    else if (kind == TRAJECTORY_SPIRAL || kind == TRAJECTORY_SPIRAL_CLV)
        fill_spirals(&s, reduction);
    else
        fill_from_library(&s, reduction);
    return s;
}

void sampling_free(sampling *samples)
{
    free(samples->k);
    samples->k = NULL;
}
