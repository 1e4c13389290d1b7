/*
 * separate.h - exp(-(i omega + decay) t) as a sum of products of a function of t and one of omega
 * and decay.
 *
 *   exp(-z t) = exp(-z T) exp(-Z (t - T)) exp(-(z - Z) (t - T)),     z = i omega + decay
 *
 * around a mean time T and a mean Z. The last factor is separated, and tabulated at the nodes of
 * two histograms; the others belong to one side each. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_SEPARATE_H
#define ENUF_ENCODING_SEPARATE_H

#include "enuf/encoding.h"
#include "histogram.h"

#include <complex.h>

/** T and Z. */
typedef struct enuf_centre {
    double time, omega, decay;
} enuf_centre;

typedef struct enuf_separated {
    int count;
    double complex *of_times; /* [nodes of times][count] */
    double complex *of_field; /* [nodes of the field][count] */
} enuf_separated;

/**
 * The fewest products whose error, as a share of the Frobenius norm of exp(-z t) over all samples
 * and pixels, is at most the tolerance. Free with enuf_separated_free(), after an error too.
 *
 * SVD       the best there is: singular vectors of the matrix of nodes, weighted with the numbers
 *           of samples and pixels
 * SEGMENTS  exp(-z t_l) at equispaced t_l, weighted for each t by least squares over the pixels.
 *           Source: Sutton, Noll, Fessler, IEEE Trans. Med. Imaging 22 (2003) 178, section III.
 */
enuf_status enuf_separate(enuf_separation method, const enuf_histogram *times,
                          const enuf_histogram *field, const enuf_centre *centre, double tolerance,
                          enuf_separated *made);
void enuf_separated_free(enuf_separated *separated);

#endif
