/*
 * encoding_kernels.h - the CPU passes over samples and pixels, with the suffixes _f64 and _f32.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CPU_ENCODING_KERNELS_H
#define ENUF_NUFFT_CPU_ENCODING_KERNELS_H

#include "encoding/passes.h"

extern const enuf_encoding_passes enuf_cpu_encoding;

#define ENUF_CPU_ENCODING_FUNCTIONS(SUFFIX)                                                        \
    void enuf_cpu_sample_terms_##SUFFIX(const enuf_nufft *plan, const enuf_sample_terms *terms,    \
                                        void *to);                                                 \
    void enuf_cpu_pixel_terms_##SUFFIX(const enuf_nufft *plan, const enuf_pixel_terms *terms,      \
                                       void *to);                                                  \
    void enuf_cpu_drawn_sample_terms_##SUFFIX(const enuf_nufft *plan,                              \
                                              const enuf_drawn_sample_terms *terms, void *to);     \
    void enuf_cpu_drawn_pixel_terms_##SUFFIX(const enuf_nufft *plan,                               \
                                             const enuf_drawn_pixel_terms *terms, void *to);       \
    void enuf_cpu_multiply_##SUFFIX(const enuf_nufft *plan, const enuf_complex_product *product);  \
    void enuf_cpu_weigh_##SUFFIX(const enuf_nufft *plan, int64_t n, const void *weights,           \
                                 const void *from, void *to);                                      \
    void enuf_cpu_combine_##SUFFIX(const enuf_nufft *plan, int64_t n, double a, const void *x,     \
                                   double b, const void *y, void *to);                             \
    double enuf_cpu_dot_##SUFFIX(const enuf_nufft *plan, int64_t n, const void *x, const void *y);

ENUF_CPU_ENCODING_FUNCTIONS(f64)
ENUF_CPU_ENCODING_FUNCTIONS(f32)

#endif
