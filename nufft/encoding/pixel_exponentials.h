/*
 * pixel_exponentials.h - what pixels have of A^H W A: D_l of pairs.h. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_ENCODING_PIXEL_EXPONENTIALS_H
#define ENUF_ENCODING_PIXEL_EXPONENTIALS_H

#include "input.h"

/** Makes and fills spectra.of_pixels of the maps, on the host and where the backend works. */
enuf_status enuf_fill_pixel_exponentials(enuf_encoding *encoding, const enuf_maps *here,
                                         const enuf_maps *there);

#endif
