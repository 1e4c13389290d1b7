/* slices.h - points on slices of the Ewald sphere. SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_SLICES_H
#define BENCH_SLICES_H

#include <stdint.h>

/**
 * Images of side x side pixels of a molecule in random orientations, as examples/mtip has them: the
 * wave number is four times the largest one, which is pi. x [3][n] in radians, n = images side^2.
 */
void bench_slices(int64_t images, int64_t side, int64_t number, double *x);

#endif
