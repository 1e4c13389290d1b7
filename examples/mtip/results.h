/* results.h - the files of a run. SPDX-License-Identifier: BSD-3-Clause */
#ifndef MTIP_RESULTS_H
#define MTIP_RESULTS_H

#include "comparison.h"
#include "intensity.h"

/** density.npy, autocorrelation.npy, shell_correlation.csv; density.png: above the density along
 * three axes, below the molecule's; slices.png: four images, and slices of the intensity below. */
void results_write(const settings *s, const cube *c, const molecule *m, const images *i,
                   intensity *v, const double complex *density, const shells *found);

#endif
