/* kernel_table.c - the table of one instruction set. SPDX-License-Identifier: BSD-3-Clause */
#include "kernels_of_set.h"

const enuf_batch_kernels ENUF_OF_SET(enuf_batch_kernels) = {
    {enuf_batch_modes_f64, enuf_batch_modes_f32},
    {enuf_batch_pairs_f64, enuf_batch_pairs_f32},
};
