/* kernel_table.c - the table of one instruction set. SPDX-License-Identifier: BSD-3-Clause */
#include "kernels_of_set.h"

const enuf_direct_kernels ENUF_OF_SET(enuf_direct_kernels) = {
    {enuf_lattice_forward_f64, enuf_lattice_forward_f32},
    {enuf_lattice_adjoint_f64, enuf_lattice_adjoint_f32},
    {enuf_sum_pairs_f64, enuf_sum_pairs_f32},
};
