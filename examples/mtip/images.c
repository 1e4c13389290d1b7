/* images.c - see images.h. SPDX-License-Identifier: BSD-3-Clause */
#include "images.h"
#include "draws.h"
#include "fail.h"
#include "turns.h"

#include <math.h>
#include <stdlib.h>

/* A square of pixels, cut to a circle. The wave number is 4 times the largest q. */
static void make_detector(const settings *s, images *i)
{
    const double wave = 4 * s->q, step = 2 * s->q / (double)(s->pixels - 1);
    i->detector = allocate(3 * s->pixels * s->pixels, sizeof *i->detector);
    for (int64_t p = 0; p < s->pixels * s->pixels; p++) {
        const double x = step * (double)(p % s->pixels) - s->q;
        const double y = step * (double)(p / s->pixels) - s->q;
        if (x * x + y * y > s->q * s->q) continue;
        double *q = i->detector + 3 * i->pixels++;
        q[0] = x;
        q[1] = y;
        q[2] = wave - sqrt(wave * wave - x * x - y * y);
    }
}

static void make_image(const settings *s, const molecule *m, int64_t number, int64_t at, images *i)
{
    uint64_t state = draws_begin(s->seed, number);
    double axis[3], error[9], length = 0;
    turn_at_random(&state, i->right[at]);
    for (int d = 0; d < 3; d++) {
        axis[d] = draw_normal(&state);
        length += axis[d] * axis[d];
    }
    const double angle = s->wrong * M_PI / 180 * draw(&state);
    for (int d = 0; d < 3; d++) axis[d] *= angle / sqrt(length);
    turn_about(axis, error);
    turn_product(i->right[at], error, i->turn[at]);
    for (int64_t p = 0; p < i->pixels; p++) {
        double q[3];
        turn_apply(i->right[at], i->detector + 3 * p, q);
        const double complex f = molecule_field(m, q);
        const double photons = s->photons * creal(f * conj(f));
        i->values[at * i->pixels + p] = draw_poisson(&state, photons) / s->photons;
    }
}

images images_make(const settings *s, const molecule *m, int rank, int ranks)
{
    images i = {.n = (s->images - rank + ranks - 1) / ranks};
    make_detector(s, &i);
    i.right = allocate(i.n, sizeof *i.right);
    i.turn = allocate(i.n, sizeof *i.turn);
    i.values = allocate(i.n * i.pixels, sizeof *i.values);
    for (int64_t k = 0; k < i.n; k++) make_image(s, m, rank + k * ranks, k, &i);
    return i;
}

void images_free(images *i)
{
    free(i->detector);
    free(i->right);
    free(i->turn);
    free(i->values);
    *i = (images){0};
}

void images_points(const images *i, int64_t n, const double (*turn)[9], double *points)
{
    for (int64_t k = 0; k < n; k++)
        for (int64_t p = 0; p < i->pixels; p++)
            turn_apply(turn[k], i->detector + 3 * p, points + 3 * (k * i->pixels + p));
}
