/* kernels_find.c - see kernels.h. SPDX-License-Identifier: BSD-3-Clause */
#include "kernels.h"

ENUF_DEFINE_TABLE_OF(enuf_direct_kernels, enuf_direct_kernels)

const enuf_direct_kernels *enuf_direct_kernels_find(enuf_isa isa)
{
    return enuf_direct_kernels_of(isa);
}

static const double zero = 0; /* a zero in float and an empty enuf_split too */
const enuf_pair_numbers enuf_pair_zero = {&zero, 0};
