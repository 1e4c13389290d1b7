/* merging.c - the autocorrelation from images: see intensity.h. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "intensity.h"
#include "fail.h"
#include "transforms.h"

#include <enuf/gram.h>

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Sums over the ranks. */
static void add_up(int64_t n, double complex *numbers)
{
    MPI_Allreduce(MPI_IN_PLACE, numbers, (int)(2 * n), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static enuf_gram *make_gram(const settings *s, int64_t n, const double *points,
                            const double *weights)
{
    enuf_nufft_options options = transform_options(s);
    enuf_gram *gram;
    options.period = 2 * M_PI;
    options.tolerance = 1e-6;
    check(enuf_gram_create(&options, &gram));
    check(enuf_gram_set_points(gram, n, points, points + 1, points + 2, 3, weights));
    return gram;
}

/* All modes of real strengths, of those stored: that of -m is the conjugate. */
static void make_whole(const intensity *v, double complex *whole)
{
    const int64_t side = v->side, middle = side / 2, stored = middle + 1, last = side * side - 1;
    for (int64_t row = 0; row <= last; row++)
        for (int64_t x = 0; x < side; x++)
            whole[row * side + x] = x >= middle ? v->half[row * stored + x - middle]
                                                : conj(v->half[(last - row) * stored + middle - x]);
}

static void apply(enuf_gram *gram, int64_t n, const double complex *in, double complex *out)
{
    check(enuf_gram_apply(gram, in, out));
    add_up(n, out);
}

static double product(int64_t n, const double complex *a, const double complex *b)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++) sum += creal(conj(a[k]) * b[k]);
    return sum;
}

/* residual = right side - operator of A; room [voxels] */
static void begin(const intensity *v, enuf_gram *gram, double complex *residual,
                  double complex *room)
{
    make_whole(v, residual);
    add_up(v->voxels, residual);
    apply(gram, v->voxels, v->a, room);
    for (int64_t k = 0; k < v->voxels; k++) residual[k] -= room[k];
}

static void solve(const settings *s, intensity *v, enuf_gram *gram)
{
    const int64_t n = v->voxels;
    double complex *residual = allocate(n, sizeof *residual), *room = allocate(n, sizeof *room);
    double complex *direction = allocate(n, sizeof *direction);
    begin(v, gram, residual, room);
    memcpy(direction, residual, (size_t)n * sizeof *direction);
    double square = product(n, residual, residual);
    for (int64_t k = 0; k < s->iterations && square > 0; k++) {
        apply(gram, n, direction, room);
        const double step = square / product(n, direction, room), before = square;
        for (int64_t i = 0; i < n; i++) {
            v->a[i] += step * direction[i];
            residual[i] -= step * room[i];
        }
        square = product(n, residual, residual);
        for (int64_t i = 0; i < n; i++) direction[i] = residual[i] + square / before * direction[i];
    }
    for (int64_t i = 0; i < n; i++) v->a[i] = creal(v->a[i]); /* densities are real */
    free(residual);
    free(room);
    free(direction);
}

void intensity_merge(const settings *s, const images *i, intensity *v)
{
    const int64_t n = i->n * i->pixels;
    double *points = allocate(3 * n, sizeof *points), *weights = allocate(n, sizeof *weights);
    double *weighted = allocate(n, sizeof *weighted);
    images_points(i, i->n, (const double(*)[9])i->turn, points);
    for (int64_t k = 0; k < n; k++) {
        const double *q = points + 3 * k;
        weights[k] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
        weighted[k] = weights[k] * i->values[k];
    }
    enuf_gram *gram = make_gram(s, n, points, weights);
    check(enuf_nufft_set_points(v->plan, n, points, points + 1, points + 2, 3));
    check(enuf_nufft_type1(v->plan, weighted, v->half));
    solve(s, v, gram);
    enuf_gram_destroy(&gram);
    free(points);
    free(weights);
    free(weighted);
}
