/*
 * put_table.h - tables where the backend reads them. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_PUT_TABLE_H
#define ENUF_ENCODING_PUT_TABLE_H

#include "input.h"

#include <complex.h>

enum { ENUF_TABLE_ROOMS = 4 };

/** An array of the host's where the backend works: itself, or a copy on the GPU, which *room gets.
 */
enuf_status enuf_put(enuf_encoding *encoding, const void *from, int64_t bytes, void **room,
                     const void **there);

/** Arrays of interpolators on the cells of a histogram: table [nodes][count]. */
enuf_status enuf_put_table(enuf_encoding *encoding, const enuf_histogram *h,
                           const double complex *table, int count, void *room[ENUF_TABLE_ROOMS],
                           enuf_interpolators *at);

#endif
