/*
 * phasing.h - a density whose transform has given amplitudes: hybrid input-output with a shrinking
 * support.
 *
 * Sources: Fienup, Appl. Opt. 21 (1982) 2758; Marchesini et al., Phys. Rev. B 68 (2003) 140101.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MTIP_PHASING_H
#define MTIP_PHASING_H

#include "cube.h"
#include "settings.h"

/** Amplitudes [voxels] of the transform; known [voxels]: 1 where they were measured. */
typedef struct amplitudes {
    double *size;
    unsigned char *known;
} amplitudes;

/** The roots of the transform of an autocorrelation, known up to the largest q. */
amplitudes amplitudes_of(const settings *s, const cube *c, const double complex *autocorrelation);
void amplitudes_free(amplitudes *a);

/** density [voxels] from a random one of number `start`. Returns how far its amplitudes are from
 * those known, relative. */
double phase_density(const settings *s, const cube *c, const amplitudes *a, int64_t start,
                     double complex *density);

#endif
