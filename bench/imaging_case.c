/* imaging_case.c - see imaging_case.h. SPDX-License-Identifier: BSD-3-Clause */
#include "imaging_case.h"
#include "fail.h"

#include <math.h>
#include <stdlib.h>

static double *random_numbers(int64_t n, uint64_t seed)
{
    double *numbers = allocate(n, sizeof *numbers);
    for (int64_t i = 0; i < n; i++) numbers[i] = (double)(float)(bench_uniform(&seed) - 0.5);
    return numbers;
}

/* pi/2 side^2 samples are a Nyquist step apart: spokes and spirals alike are pi/2 times fewer here.
 * Half a spoke less than `side` gives `side`, whatever the rounding. */
static void make_samples(imaging_case *c)
{
    const double side = (double)c->side;
    const double reduction = 0.5 * M_PI * (c->kind == TRAJECTORY_RADIAL ? side / (side - 0.5) : 1);
    sampling samples = sampling_make(c->kind, c->side, 1, reduction);
    if (sampling_count(&samples) < c->n)
        fail("side %lld: only %lld samples", (long long)c->side,
             (long long)sampling_count(&samples));
    c->on_readout = samples.on_readout;
    for (int d = 0; d < 2; d++) {
        c->k[d] = allocate(c->n, sizeof *c->k[d]);
        c->radians[d] = allocate(c->n, sizeof *c->radians[d]);
        for (int64_t j = 0; j < c->n; j++) {
            c->k[d][j] = samples.k[2 * j + d];
            c->radians[d][j] = 2 * M_PI * c->k[d][j] / side;
        }
    }
    sampling_free(&samples);
}

/* Cosine and sine of the angle from the first readout to each. */
static void find_turns(imaging_case *c)
{
    c->readouts = (c->n + c->on_readout - 1) / c->on_readout;
    c->turn = allocate(2 * c->readouts, sizeof *c->turn);
    for (int64_t r = 0; r < c->readouts; r++) {
        const int64_t begin = r * c->on_readout, left = c->n - begin;
        const int64_t i = (left < c->on_readout ? left : c->on_readout) - 1;
        const double of[2] = {c->k[0][i], c->k[1][i]};
        const double at[2] = {c->k[0][begin + i], c->k[1][begin + i]};
        const double square = of[0] * of[0] + of[1] * of[1];
        c->turn[2 * r] = square > 0 ? (of[0] * at[0] + of[1] * at[1]) / square : 1;
        c->turn[2 * r + 1] = square > 0 ? (of[0] * at[1] - of[1] * at[0]) / square : 0;
    }
}

void imaging_case_samples(const imaging_case *c, double *x, double *y)
{
    for (int64_t r = 0, j = 0; r < c->readouts; r++) {
        const double cosine = c->turn[2 * r], sine = c->turn[2 * r + 1];
        for (int64_t i = 0; i < c->on_readout && j < c->n; i++, j++) {
            x[j] = cosine * c->k[0][i] - sine * c->k[1][i];
            y[j] = sine * c->k[0][i] + cosine * c->k[1][i];
        }
    }
}

imaging_runs imaging_case_runs(const imaging_case *c)
{
    imaging_runs found = {.runs = c->readouts,
                          .lengths = allocate(c->readouts, sizeof *found.lengths),
                          .start = allocate(2 * c->readouts, sizeof *found.start),
                          .step = allocate(2 * c->readouts, sizeof *found.step)};
    for (int64_t r = 0; r < c->readouts; r++) {
        const int64_t begin = r * c->on_readout, left = c->n - begin;
        const int64_t length = left < c->on_readout ? left : c->on_readout;
        found.lengths[r] = length;
        for (int d = 0; d < 2; d++) {
            const double *k = c->k[d] + begin;
            found.start[2 * r + d] = k[0];
            found.step[2 * r + d] = length > 1 ? (k[length - 1] - k[0]) / (double)(length - 1) : 0;
        }
    }
    return found;
}

static bench_transform transform_of(const imaging_case *c, imaging_direction direction)
{
    return (bench_transform){.dim = 2,
                             .type = direction == IMAGING_ADJOINT ? 1 : 2,
                             .m = c->side,
                             .n = c->n,
                             .radians = {c->radians[0], c->radians[1], NULL},
                             .data = imaging_case_input(c, direction)};
}

imaging_case imaging_case_make(trajectory kind, int64_t side)
{
    imaging_case c = {.kind = kind, .side = side, .n = side * side};
    make_samples(&c);
    find_turns(&c);
    c.values = random_numbers(2 * c.n, 11);
    c.image = random_numbers(2 * c.n, 12);
    for (int d = IMAGING_FORWARD; d <= IMAGING_ADJOINT; d++) {
        const bench_transform t = transform_of(&c, (imaging_direction)d);
        bench_sample_make(&t, &c.exact[d]);
    }
    return c;
}

void imaging_case_free(imaging_case *c)
{
    for (int d = 0; d < 2; d++) {
        free(c->k[d]);
        free(c->radians[d]);
    }
    free(c->turn);
    free(c->values);
    free(c->image);
}

const double *imaging_case_input(const imaging_case *c, imaging_direction direction)
{
    return direction == IMAGING_ADJOINT ? c->values : c->image;
}

double imaging_case_error(const imaging_case *c, imaging_direction direction, int single,
                          const void *result)
{
    bench_transform t = transform_of(c, direction);
    t.single = single;
    return bench_sample_error(&t, &c->exact[direction], result);
}
