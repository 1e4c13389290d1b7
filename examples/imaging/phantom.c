/* phantom.c - see phantom.h. SPDX-License-Identifier: BSD-3-Clause */
#include "phantom.h"

#include <math.h>
#include <string.h>

/* Centre, half axes, turn in degrees, value; lengths in half fields of view.
 * Source: Shepp, Logan, IEEE Trans. Nucl. Sci. 21 (1974) 21; values of P. Toft, The Radon transform
 * (thesis, Technical University of Denmark 1996), p. 199. */
static const double head[10][6] = {
    {0, 0, 0.69, 0.92, 0, 1},          {0, -0.0184, 0.6624, 0.874, 0, -0.8},
    {0.22, 0, 0.11, 0.31, -18, -0.2},  {-0.22, 0, 0.16, 0.41, 18, -0.2},
    {0, 0.35, 0.21, 0.25, 0, 0.1},     {0, 0.1, 0.046, 0.046, 0, 0.1},
    {0, -0.1, 0.046, 0.046, 0, 0.1},   {-0.08, -0.605, 0.046, 0.023, 0, 0.1},
    {0, -0.606, 0.023, 0.023, 0, 0.1}, {0.06, -0.605, 0.023, 0.046, 0, 0.1},
};

static const double degree = 3.14159265358979324 / 180;

static int shepp_logan(ellipse out[MOST_ELLIPSES])
{
    for (int i = 0; i < 10; i++) {
        const double *e = head[i];
        out[i] = (ellipse){e[0] / 2, e[1] / 2, e[2] / 2, e[3] / 2, e[4] * degree, e[5]};
    }
    return 10;
}

/* A section through the chest. The blood of the left ventricle shrinks to 0.6 of its half axes, and
 * the muscle around it keeps its area. */
static int heart(double beats, ellipse out[MOST_ELLIPSES])
{
    const double pressed = sin(3.14159265358979324 * beats), part = 1 - 0.4 * pressed * pressed;
    const double blood_a = 0.075 * part, blood_b = 0.09 * part;
    const double wall = 0.11 * 0.125 - 0.075 * 0.09; /* area of the muscle over pi */
    const double grown = sqrt((wall + blood_a * blood_b) / (0.11 * 0.125));
    const double x = 0.07, y = 0.02 + 0.015 * pressed * pressed, turn = 0.5;
    const ellipse all[] = {
        {0, 0, 0.44, 0.33, 0, 0.5},                       /* chest */
        {0, 0, 0.41, 0.3, 0, -0.2},                       /* under the skin */
        {-0.24, 0.02, 0.13, 0.22, 0.1, -0.25},            /* right lung */
        {0.29, 0.02, 0.09, 0.2, -0.1, -0.25},             /* left lung */
        {0, -0.25, 0.045, 0.035, 0, 0.45},                /* spine */
        {0.02, -0.17, 0.022, 0.022, 0, 0.6},              /* aorta */
        {-0.06, 0.05, 0.06 * part, 0.1 * part, 0.3, 0.5}, /* blood, right ventricle */
        {x, y, 0.11 * grown, 0.125 * grown, turn, 0.25},  /* left ventricle */
        {x, y, blood_a, blood_b, turn, 0.45},             /* its blood */
        {x - 0.5 * blood_a, y, 0.012, 0.016, turn, -0.4}, /* papillary muscles */
        {x + 0.5 * blood_a, y + 0.02, 0.012, 0.016, turn, -0.4},
    };
    memcpy(out, all, sizeof all);
    return sizeof all / sizeof *all;
}

const char *phantom_name(phantom kind)
{
    static const char *const names[] = {
#define X(NAME, name, help) name,
        PHANTOMS(X)
#undef X
    };
    return names[kind];
}

int phantom_ellipses(phantom kind, double beats, ellipse out[MOST_ELLIPSES])
{
    return kind == PHANTOM_HEART ? heart(beats, out) : shepp_logan(out);
}

/* J_1(2 pi q) / q. At q = 0 the limit is pi; near it the next term of the series is below 1e-16. */
static double disc(double q)
{
    return q < 1e-9 ? M_PI : j1(2 * M_PI * q) / q;
}

double complex phantom_signal(int n, const ellipse *ellipses, double kx, double ky)
{
    double complex sum = 0;
    for (int i = 0; i < n; i++) {
        const ellipse *e = &ellipses[i];
        const double c = cos(e->turn), s = sin(e->turn);
        const double q = hypot(e->a * (c * kx + s * ky), e->b * (c * ky - s * kx));
        const double phase = -2 * M_PI * (kx * e->x + ky * e->y);
        sum += e->value * e->a * e->b * disc(q) * (cos(phase) + I * sin(phase));
    }
    return sum;
}

static double value_at(int n, const ellipse *ellipses, double x, double y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const ellipse *e = &ellipses[i];
        const double c = cos(e->turn), s = sin(e->turn), dx = x - e->x, dy = y - e->y;
        if (hypot((c * dx + s * dy) / e->a, (c * dy - s * dx) / e->b) <= 1) sum += e->value;
    }
    return sum;
}

void phantom_pixels(int n, const ellipse *ellipses, int64_t side, double *image)
{
    enum { PLACES = 8 };
    const double step = 1 / (double)side;
    for (int64_t p = 0; p < side * side; p++) {
        const double x = (double)(p % side - side / 2) * step;
        const double y = (double)(p / side - side / 2) * step;
        double sum = 0;
        for (int i = 0; i < PLACES * PLACES; i++)
            sum += value_at(n, ellipses, x + step * ((i % PLACES + 0.5) / PLACES - 0.5),
                            y + step * ((i / PLACES + 0.5) / PLACES - 0.5));
        image[p] = sum / (PLACES * PLACES);
    }
}
