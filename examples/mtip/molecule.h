/* molecule.h - atoms at random places, and what they scatter. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef MTIP_MOLECULE_H
#define MTIP_MOLECULE_H

#include "settings.h"

#include <complex.h>

typedef struct molecule {
    int64_t n;
    double *places; /* [n][3] in voxels, about the centre */
} molecule;

molecule molecule_make(const settings *s);
void molecule_free(molecule *m);

/** The transform at q [3], radians a voxel, of Gaussian atoms of standard deviation 0.7. */
double complex molecule_field(const molecule *m, const double *q);

#endif
