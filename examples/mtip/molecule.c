/* molecule.c - see molecule.h. SPDX-License-Identifier: BSD-3-Clause */
#include "molecule.h"
#include "draws.h"
#include "fail.h"

#include <math.h>
#include <stdlib.h>

molecule molecule_make(const settings *s)
{
    static const double shape[3] = {0.42, 0.26, 0.2}; /* no symmetry */
    const double half = (double)s->half;
    molecule m = {.places = allocate(3 * s->atoms, sizeof *m.places)};
    uint64_t state = draws_begin(s->seed, -1);
    while (m.n < s->atoms) {
        double *place = m.places + 3 * m.n, square = 0;
        for (int d = 0; d < 3; d++) {
            place[d] = shape[d] * half * draw_normal(&state);
            square += place[d] * place[d];
        }
        if (square < 0.64 * half * half) m.n++;
    }
    return m;
}

void molecule_free(molecule *m)
{
    free(m->places);
    m->places = NULL;
}

double complex molecule_field(const molecule *m, const double *q)
{
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    double complex sum = 0;
    for (int64_t i = 0; i < m->n; i++) {
        const double *r = m->places + 3 * i;
        const double phase = q[0] * r[0] + q[1] * r[1] + q[2] * r[2];
        sum += cos(phase) + I * sin(phase);
    }
    return sum * exp(-0.245 * square);
}
