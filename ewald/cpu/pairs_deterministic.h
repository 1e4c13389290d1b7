/* pairs_deterministic.h - the pair sums in integers. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_CPU_PAIRS_DETERMINISTIC_H
#define ENUF_EWALD_CPU_PAIRS_DETERMINISTIC_H

#include "object/backend.h"

/** enuf_pairs_sum_cpu() in integers, after the cells are built. */
enuf_status enuf_pairs_sum_deterministic(enuf_pairs *pairs, const enuf_pair_request *request,
                                         int threads, enuf_pair_sums *sums);

#endif
