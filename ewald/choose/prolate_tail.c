/*
 * prolate_tail.c - see prolate_tail.h.
 *
 * Beyond 1 psi continues by its own differential equation, (u^2 - 1) psi'' + 2 u psi' + (c^2 u^2 -
 * lambda) psi = 0 (DLMF 30.2.1), of which it is the solution that is regular at 1. With u = cosh w
 *
 *   psi_ww + coth(w) psi_w + (c^2 cosh^2 w - lambda) psi = 0,   psi = 1 - (c^2 - lambda) w^2/4 +
 * ...
 *
 * The Legendre series would lose all digits there: psi(1) is some exp(-c) of psi(0). For the same
 * reason the size is taken from the integral of the whole tail.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "prolate_tail.h"

#include <math.h>

static const double LAST = 2.5; /* u; beyond it the modes are taken for a continuum */

/* First row of the eigenvalue problem that prolate_function.c solves. */
static double eigenvalue(const enuf_prolate *psi)
{
    double v0 = psi->beta[0] / sqrt(0.5), v1 = psi->beta[1] / sqrt(2.5);
    return psi->c * psi->c * (1.0 / 3 + 2 / (3 * sqrt(5)) * v1 / v0);
}

typedef struct slope {
    double value, derivative;
} slope;

static slope slope_at(double w, slope at, double c2, double lambda)
{
    double u = cosh(w);
    return (slope){at.derivative, -at.derivative * u / sinh(w) - (c2 * u * u - lambda) * at.value};
}

/* One step of the classical Runge-Kutta method. */
static slope advance(double w, double h, slope y, double c2, double lambda)
{
    slope a = slope_at(w, y, c2, lambda);
    slope b =
        slope_at(w + h / 2, (slope){y.value + h / 2 * a.value, y.derivative + h / 2 * a.derivative},
                 c2, lambda);
    slope c =
        slope_at(w + h / 2, (slope){y.value + h / 2 * b.value, y.derivative + h / 2 * b.derivative},
                 c2, lambda);
    slope d = slope_at(w + h, (slope){y.value + h * c.value, y.derivative + h * c.derivative}, c2,
                       lambda);
    return (slope){y.value + h / 6 * (a.value + 2 * b.value + 2 * c.value + d.value),
                   y.derivative +
                       h / 6 * (a.derivative + 2 * b.derivative + 2 * c.derivative + d.derivative)};
}

void enuf_prolate_tail_make(const enuf_prolate *psi, double total, enuf_prolate_tail *tail)
{
    const double c2 = psi->c * psi->c, lambda = eigenvalue(psi);
    const double h = acosh(LAST) / ENUF_TAIL_STEPS;
    tail->step = h;
    tail->last = LAST;
    tail->square[0] = 1;
    slope y = {1 - (c2 - lambda) * h * h / 4, -(c2 - lambda) * h / 2};
    double sum = 0, crest = 0;
    for (int i = 1; i <= ENUF_TAIL_STEPS; i++) {
        double w = i * h, u = cosh(w);
        tail->square[i] = y.value * y.value;
        sum += h * sinh(w) * tail->square[i] * (i == ENUF_TAIL_STEPS ? 0.5 : 1);
        /* psi ~ A cos(c u + ...)/u: A^2 from value and derivative together */
        double rate = y.derivative / (psi->c * sinh(w));
        crest = u * u * (y.value * y.value + rate * rate);
        y = advance(w, h, y, c2, lambda);
    }
    double beyond = crest / (2 * LAST);
    double scale = total / (psi->c * (sum + beyond));
    for (int i = 0; i <= ENUF_TAIL_STEPS; i++) tail->square[i] *= scale;
    tail->c = psi->c;
    tail->rest = psi->c * beyond * scale;
}

double enuf_prolate_tail_at(const enuf_prolate_tail *tail, double u)
{
    double at = fmin(acosh(fmax(u, 1)) / tail->step, ENUF_TAIL_STEPS);
    int i = (int)fmin(at, ENUF_TAIL_STEPS - 1);
    return tail->square[i] + (at - i) * (tail->square[i + 1] - tail->square[i]);
}

double enuf_prolate_tail_beyond(const enuf_prolate_tail *tail, double u)
{
    int from = (int)ceil(acosh(fmax(u, 1)) / tail->step);
    double sum = 0;
    for (int i = from; i < ENUF_TAIL_STEPS; i++)
        sum +=
            tail->step * sinh((i + 0.5) * tail->step) * (tail->square[i] + tail->square[i + 1]) / 2;
    return tail->c * sum + tail->rest;
}
