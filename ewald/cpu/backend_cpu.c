/* backend_cpu.c - the table of the CPU backend. SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"

const enuf_ewald_backend enuf_ewald_backend_cpu = {
    .name = "cpu",
    .kind = ENUF_BACKEND_CPU,
    .pairs_create = enuf_pairs_create_cpu,
    .pairs_destroy = enuf_pairs_destroy_cpu,
    .pairs_sum = enuf_pairs_sum_cpu,
    .pairs_bytes = enuf_pairs_bytes_cpu,
};
