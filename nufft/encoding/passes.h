/*
 * passes.h - passes over samples and pixels: a table that each backend fills. Arrays are in the
 * memory that the backend works in, numbers in the plan's precision. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_ENCODING_PASSES_H
#define ENUF_ENCODING_PASSES_H

#include "plan/plan.h"
#include "terms.h"

/** to = factors * from, complex numbers. */
typedef struct enuf_complex_product {
    int64_t n;
    const void *factors, *from;
    int conjugate; /* 1: takes the conjugate of the factors */
    int add;       /* 1: adds to `to`, 0: overwrites it */
    void *to;
} enuf_complex_product;

typedef struct enuf_encoding_passes {
    /* from the host, to it, and where it is; the first two wait */
    enuf_status (*upload)(enuf_nufft *plan, void *to, const void *from, int64_t bytes);
    enuf_status (*download)(enuf_nufft *plan, void *to, const void *from, int64_t bytes);
    enuf_status (*copy)(enuf_nufft *plan, int64_t bytes, const void *from, void *to);
    /* all interpolators: [count][n] complex */
    enuf_status (*sample_terms)(enuf_nufft *plan, const enuf_sample_terms *terms, void *to);
    enuf_status (*pixel_terms)(enuf_nufft *plan, const enuf_pixel_terms *terms, void *to);
    enuf_status (*drawn_sample_terms)(enuf_nufft *plan, const enuf_drawn_sample_terms *terms,
                                      void *to);
    enuf_status (*drawn_pixel_terms)(enuf_nufft *plan, const enuf_drawn_pixel_terms *terms,
                                     void *to);
    enuf_status (*clear)(enuf_nufft *plan, int64_t bytes, void *to);
    enuf_status (*multiply)(enuf_nufft *plan, const enuf_complex_product *product);
    /* n complex numbers times real weights [n] */
    enuf_status (*weigh)(enuf_nufft *plan, int64_t n, const void *weights, const void *from,
                         void *to);
    /* to = a x + b y of n real numbers; `to` may be x or y */
    enuf_status (*combine)(enuf_nufft *plan, int64_t n, double a, const void *x, double b,
                           const void *y, void *to);
    /* sum of x y over n real numbers, added up in double; waits */
    enuf_status (*dot)(enuf_nufft *plan, int64_t n, const void *x, const void *y, double *sum);
} enuf_encoding_passes;

#endif
