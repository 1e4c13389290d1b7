/* kernels_of_set.h - the kernels that the table of an instruction set names: kernels.h describes
 * them. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_DIRECT_KERNELS_OF_SET_H
#define ENUF_DIRECT_KERNELS_OF_SET_H

#include "kernels.h"

#define ENUF_DECLARE_KERNELS(precision)                                                            \
    enuf_status enuf_lattice_forward_##precision(const enuf_lattice *lattice, const void *image,   \
                                                 void *values, void *slopes);                      \
    enuf_status enuf_lattice_adjoint_##precision(const enuf_lattice *lattice, const void *values,  \
                                                 void *image);                                     \
    void enuf_sum_pairs_##precision(const enuf_pair_sum *sum);
ENUF_DECLARE_KERNELS(f64)
ENUF_DECLARE_KERNELS(f32)

#endif
