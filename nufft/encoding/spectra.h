/*
 * spectra.h - A^H W A by Gram operators: sum_l D_l^H T_l D_l (pairs.h). SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_ENCODING_SPECTRA_H
#define ENUF_ENCODING_SPECTRA_H

#include "object.h"

/** Options of the operators T_l, for a tolerance of A^H W A. */
enuf_nufft_options enuf_spectra_options(const enuf_encoding *encoding);

/** Makes the operators of these weights, unless they are those of the last call. The weights are
 * the caller's; NULL: 1. In device memory they are made anew each time. Waits. */
enuf_status enuf_spectra_make(enuf_encoding *encoding, const void *weights);

/** 1 if they are those of the weights. */
int enuf_spectra_are_made(const enuf_encoding *encoding, const void *weights);

/** to = A^H W A image, of all coils, of the weights of the last make. One image, in the backend's
 * memory. */
enuf_status enuf_spectra_apply(enuf_encoding *encoding, const void *image, void *to);

/** Frees the operators and what they are applied with. */
void enuf_spectra_free(enuf_encoding *encoding);

#endif
