/* kernel_table.c - the table of one instruction set. SPDX-License-Identifier: BSD-3-Clause */
#include "kernels.h"

const enuf_direct_kernels ENUF_OF_SET(enuf_direct_kernels) = {
    enuf_direct_sum_type1,
    enuf_direct_sum_type2,
    enuf_direct_sum_sources,
};
