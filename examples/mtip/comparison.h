/* comparison.h - how far a density agrees with the molecule. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MTIP_COMPARISON_H
#define MTIP_COMPARISON_H

#include "cube.h"
#include "molecule.h"

typedef struct shells {
    int64_t n;
    double unit;         /* q of shell 1 */
    double *correlation; /* [n] */
} shells;

/** Correlation of the Fourier shells of a density and of the molecule. Amplitudes tell neither the
 * place of the density nor which of a pair of mirror images it is: it is shifted, and inverted, so
 * that it agrees best. */
shells shells_make(const cube *c, const molecule *m, double complex *density);
void shells_free(shells *s);

#endif
