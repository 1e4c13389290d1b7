/* finding.h - how T is found, and the bytes that this takes. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_GRAM_FINDING_H
#define ENUF_GRAM_FINDING_H

#include "object.h"

/** Points that have passed enuf_check_coordinates(). */
typedef struct enuf_gram_points {
    enuf_coordinates coordinates;
    const void *weights;          /* [n] real, in the options' precision and memory; NULL: 1 */
    const double *frame, *origin; /* as of enuf_nufft_set_frame(); frame NULL: s = x / period */
} enuf_gram_points;

/** Finds T and fills the spectrum. points.c */
enuf_status enuf_gram_find(enuf_gram *gram, const enuf_gram_points *points);

/** Options of the plan of T for n points. points.c */
enuf_nufft_options enuf_gram_plan_options(const enuf_nufft_options *given, int64_t n);

/** The plan of T for n points, in what memory_limit leaves. points.c */
enuf_status enuf_gram_make_plan(const enuf_gram *gram, int64_t n, enuf_nufft **plan);

/** The cheapest length from n on without a prime factor above 7. create.c */
int64_t enuf_gram_length(int64_t n, int dim);

/** Bytes that the object holds. create.c */
int64_t enuf_gram_bytes(const enuf_gram *gram);

/** Numbers of T as it is stored. sizes.c */
int64_t enuf_gram_kernel_numbers(const enuf_gram *gram);
/** Bytes beside the object and the plan of T while T is found: strengths and T. sizes.c */
double enuf_gram_host_bytes(const enuf_gram *gram, int64_t n);
/** Bytes beside the object while the spectrum is filled: the transform of a part, and T if it is in
 * host memory. sizes.c */
double enuf_gram_part_bytes(const enuf_gram *gram);

/** Bytes that level GRAM takes at most besides a plan of these options with its n points: while the
 * spectrum is made. peak.c */
enuf_status enuf_gram_peak(const enuf_nufft_options *options, int64_t n, int64_t *bytes);

#endif
