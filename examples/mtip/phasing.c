/* phasing.c - see phasing.h. SPDX-License-Identifier: BSD-3-Clause */
#include "phasing.h"
#include "draws.h"
#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FEEDBACK = 0.9;
/* Every 50 iterations 9 are without feedback, and then the support shrinks to the voxels where the
 * density, blurred, is above this share of its largest value. */
enum { PERIOD = 50, CALM = 9 };
static const double THRESHOLD = 0.08;

typedef struct phasing {
    const cube *c;
    const amplitudes *a;
    double complex *density, *found, *there; /* [voxels] */
    double *blur;                            /* [voxels] of the transform */
    unsigned char *support;
} phasing;

amplitudes amplitudes_of(const settings *s, const cube *c, const double complex *autocorrelation)
{
    amplitudes a = {allocate(c->voxels, sizeof *a.size), allocate(c->voxels, sizeof *a.known)};
    double complex *there = allocate(c->voxels, sizeof *there);
    cube_forward(c, autocorrelation, there);
    for (int64_t k = 0; k < c->voxels; k++) {
        double q[3];
        cube_q(c, k, q);
        a.size[k] = sqrt(fmax(creal(there[k]), 0));
        a.known[k] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] <= s->q * s->q;
    }
    free(there);
    return a;
}

void amplitudes_free(amplitudes *a)
{
    free(a->size);
    free(a->known);
}

/* found = the density with the known amplitudes */
static void project(phasing *p)
{
    cube_forward(p->c, p->density, p->there);
    for (int64_t k = 0; k < p->c->voxels; k++) {
        const double size = cabs(p->there[k]);
        if (p->a->known[k] && size > 0) p->there[k] *= p->a->size[k] / size;
    }
    cube_backward(p->c, p->there, p->found);
}

static void shrink(phasing *p)
{
    double most = 0;
    for (int64_t k = 0; k < p->c->voxels; k++)
        p->density[k] = p->support[k] ? fmax(creal(p->found[k]), 0) : 0;
    cube_forward(p->c, p->density, p->there);
    for (int64_t k = 0; k < p->c->voxels; k++) p->there[k] *= p->blur[k];
    cube_backward(p->c, p->there, p->found);
    for (int64_t k = 0; k < p->c->voxels; k++) most = fmax(most, creal(p->found[k]));
    for (int64_t k = 0; k < p->c->voxels; k++)
        p->support[k] = creal(p->found[k]) > THRESHOLD * most;
}

static void iterate(phasing *p, int feedback)
{
    project(p);
    for (int64_t k = 0; k < p->c->voxels; k++) {
        const double found = creal(p->found[k]);
        if (p->support[k] && found > 0)
            p->density[k] = found;
        else
            p->density[k] = feedback ? creal(p->density[k]) - FEEDBACK * found : 0;
    }
}

/* A random density in a ball; the blur is a Gaussian of standard deviation sqrt(2) voxels. */
static void begin(const settings *s, int64_t start, phasing *p)
{
    uint64_t state = draws_begin(s->seed, -2 - start);
    const double unit = (double)p->c->side / (2 * M_PI); /* voxels from cube_q() */
    for (int64_t k = 0; k < p->c->voxels; k++) {
        double q[3];
        cube_q(p->c, k, q);
        const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
        p->density[k] = draw(&state);
        p->support[k] = square * unit * unit <= (double)(s->half * s->half);
        p->blur[k] = exp(-square);
    }
}

static double distance(phasing *p)
{
    double missed = 0, size = 0;
    cube_forward(p->c, p->density, p->there);
    for (int64_t k = 0; k < p->c->voxels; k++) {
        const double difference = cabs(p->there[k]) - p->a->size[k];
        if (!p->a->known[k]) continue;
        missed += difference * difference;
        size += p->a->size[k] * p->a->size[k];
    }
    return sqrt(missed / size);
}

double phase_density(const settings *s, const cube *c, const amplitudes *a, int64_t start,
                     double complex *density)
{
    phasing p = {.c = c,
                 .a = a,
                 .density = density,
                 .found = allocate(c->voxels, sizeof *p.found),
                 .there = allocate(c->voxels, sizeof *p.there),
                 .blur = allocate(c->voxels, sizeof *p.blur),
                 .support = allocate(c->voxels, sizeof *p.support)};
    begin(s, start, &p);
    for (int64_t k = 0; k < s->phasing; k++) {
        const int calm = k % PERIOD >= PERIOD - CALM || k >= s->phasing - s->phasing / 5;
        iterate(&p, !calm);
        if (k % PERIOD == PERIOD - 1 && k + 1 < s->phasing) shrink(&p);
    }
    const double far = distance(&p);
    free(p.found);
    free(p.there);
    free(p.blur);
    free(p.support);
    return far;
}
