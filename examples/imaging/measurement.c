/* measurement.c - see measurement.h. SPDX-License-Identifier: BSD-3-Clause */
#include "measurement.h"
#include "coils.h"
#include "density.h"
#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double measurement_time(int64_t frame, int64_t frames)
{
    return ((double)frame + 0.5) / (double)frames;
}

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014), in (0, 1). */
static double draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) / 4503599627370496.0;
}

/* Two normal numbers of variance 1 (Box, Muller, Ann. Math. Stat. 29 (1958) 610). */
static double complex draw_normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(draw(state))), angle = 2 * M_PI * draw(state);
    return radius * (cos(angle) + I * sin(angle));
}

static void add_noise(int64_t n, double noise, uint64_t seed, double complex *data)
{
    double power = 0;
    for (int64_t i = 0; i < n; i++) power += creal(data[i] * conj(data[i])) / (double)n;
    const double size = noise * sqrt(power / 2); /* of real and imaginary part */
    for (int64_t i = 0; i < n; i++) data[i] += size * draw_normal(&seed);
}

static void measure_readout(const measurement *m, const sampling *s, phantom object, int64_t frame,
                            int64_t readout)
{
    const double within = ((double)readout + 0.5) / (double)s->readouts;
    ellipse ellipses[MOST_ELLIPSES];
    const int n = phantom_ellipses(object, ((double)frame + within) / (double)s->frames, ellipses);
    double complex *signals = allocate(m->coils, sizeof *signals);
    for (int64_t i = 0; i < s->on_readout; i++) {
        const int64_t sample = readout * s->on_readout + i;
        const double *k = s->k + 2 * (frame * m->samples + sample);
        coil_signals(m->coils, n, ellipses, k[0], k[1], signals);
        for (int64_t c = 0; c < m->coils; c++)
            m->data[(frame * m->coils + c) * m->samples + sample] = signals[c];
    }
    free(signals);
}

measurement measurement_make(const sampling *samples, phantom object, int64_t coils, double noise,
                             uint64_t seed)
{
    measurement m = {.side = samples->side,
                     .frames = samples->frames,
                     .coils = coils,
                     .trajectories = samples->frames,
                     .samples = sampling_count(samples)};
    const int64_t all = m.frames * m.samples;
    m.k = allocate(2 * all, sizeof *m.k);
    m.weights = allocate(all, sizeof *m.weights);
    m.data = allocate(all * coils, sizeof *m.data);
    m.maps = allocate(coils * m.side * m.side, sizeof *m.maps);
    memcpy(m.k, samples->k, (size_t)(2 * all) * sizeof *m.k);
    density_of_form(samples, m.weights);
    coil_maps(coils, m.side, m.maps);
    for (int64_t f = 0; f < m.frames; f++)
        for (int64_t r = 0; r < samples->readouts; r++) measure_readout(&m, samples, object, f, r);
    if (noise > 0) add_noise(all * coils, noise, seed, m.data);
    return m;
}

void measurement_free(measurement *m)
{
    free(m->k);
    free(m->data);
    free(m->weights);
    free(m->maps);
    *m = (measurement){0};
}
