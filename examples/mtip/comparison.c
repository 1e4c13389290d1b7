/* comparison.c - see comparison.h. SPDX-License-Identifier: BSD-3-Clause */
#include "comparison.h"
#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* sum Re found exp(-i q . shift) conj(true) */
static double agreement(const cube *c, const double complex *product, const double shift[3])
{
    double sum = 0;
    for (int64_t k = 0; k < c->voxels; k++) {
        double q[3];
        cube_q(c, k, q);
        const double phase = -(q[0] * shift[0] + q[1] * shift[1] + q[2] * shift[2]);
        sum += creal(product[k]) * cos(phase) - cimag(product[k]) * sin(phase);
    }
    return sum;
}

/* The voxel where the correlation is largest, then steps along the axes. */
static double find_shift(const cube *c, const double complex *found, const double complex *right,
                         double shift[3])
{
    static const double steps[] = {0.5, 0.25, 0.12, 0.06};
    double complex *product = allocate(c->voxels, sizeof *product);
    double complex *here = allocate(c->voxels, sizeof *here);
    int64_t best = 0;
    for (int64_t k = 0; k < c->voxels; k++) product[k] = found[k] * conj(right[k]);
    cube_backward(c, product, here);
    for (int64_t k = 0; k < c->voxels; k++)
        if (creal(here[k]) > creal(here[best])) best = k;
    cube_q(c, best, shift);
    for (int d = 0; d < 3; d++) shift[d] *= (double)c->side / (2 * M_PI);
    for (int d = 0; d < 3; d++) shift[d] = -shift[d];
    /* product(q) = sum here(r) exp(-i q r) peaks at r: exp(-i q shift) must undo exp(-i q r) */
    double most = agreement(c, product, shift);
    for (int k = 0; k < 8 * 3; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double tried[3];
            memcpy(tried, shift, sizeof tried);
            tried[k % 3] += sign * steps[k / 6];
            const double value = agreement(c, product, tried);
            if (value <= most) continue;
            most = value;
            memcpy(shift, tried, sizeof tried);
        }
    free(product);
    free(here);
    return most;
}

static void turn_phases(const cube *c, const double shift[3], double complex *there)
{
    for (int64_t k = 0; k < c->voxels; k++) {
        double q[3];
        cube_q(c, k, q);
        const double phase = -(q[0] * shift[0] + q[1] * shift[1] + q[2] * shift[2]);
        there[k] *= cos(phase) + I * sin(phase);
    }
}

/* The transform of the density, shifted and perhaps inverted. */
static void bring_near(const cube *c, const double complex *right, double complex *there)
{
    double complex *inverse = allocate(c->voxels, sizeof *inverse);
    double shift[3], of_inverse[3];
    for (int64_t k = 0; k < c->voxels; k++) inverse[k] = conj(there[k]);
    const double as_it_is = find_shift(c, there, right, shift);
    if (find_shift(c, inverse, right, of_inverse) > as_it_is) {
        memcpy(there, inverse, (size_t)c->voxels * sizeof *there);
        memcpy(shift, of_inverse, sizeof shift);
    }
    turn_phases(c, shift, there);
    free(inverse);
}

static void correlate(const cube *c, const double complex *a, const double complex *b, shells *s)
{
    double *sums = allocate(2 * s->n, sizeof *sums);
    for (int64_t k = 0; k < c->voxels; k++) {
        double q[3];
        cube_q(c, k, q);
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        const int64_t shell = llround(length / s->unit);
        if (shell >= s->n) continue;
        s->correlation[shell] += creal(a[k] * conj(b[k]));
        sums[2 * shell] += creal(a[k] * conj(a[k]));
        sums[2 * shell + 1] += creal(b[k] * conj(b[k]));
    }
    for (int64_t i = 0; i < s->n; i++) s->correlation[i] /= sqrt(sums[2 * i] * sums[2 * i + 1]);
    free(sums);
}

shells shells_make(const cube *c, const molecule *m, double complex *density)
{
    shells s = {.n = c->side / 2 + 1, .unit = 2 * M_PI / (double)c->side};
    double complex *there = allocate(c->voxels, sizeof *there);
    double complex *right = allocate(c->voxels, sizeof *right);
    s.correlation = allocate(s.n, sizeof *s.correlation);
    for (int64_t k = 0; k < c->voxels; k++) {
        double q[3];
        cube_q(c, k, q);
        right[k] = conj(molecule_field(m, q)); /* of cube.h's sign */
    }
    cube_forward(c, density, there);
    bring_near(c, right, there);
    correlate(c, there, right, &s);
    cube_backward(c, there, density);
    free(there);
    free(right);
    return s;
}

void shells_free(shells *s)
{
    free(s->correlation);
}
