/* exact_cpu.h - the parts of exact sums on the CPU, see exact_backend.h. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_EXACT_CPU_H
#define ENUF_EXACT_CPU_H

#include "exact_backend.h"

/* exact_pairs_cpu.c */
enuf_status enuf_exact_pairs_cpu(const enuf_exact_system *system, const enuf_exact_bins *bins,
                                 enuf_exact_target *found, int64_t clash[2]);

/* exact_modes_cpu.c */
enuf_status enuf_exact_structure_cpu(const enuf_exact_system *system, const enuf_mode_rows *modes,
                                     double *factors);
enuf_status enuf_exact_gather_cpu(const enuf_exact_system *system, const enuf_mode_rows *modes,
                                  const double *factors, int64_t first, int64_t last, double *at);

#endif
