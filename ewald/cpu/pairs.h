/* pairs.h - the pair sums of the CPU backend. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_CPU_PAIRS_H
#define ENUF_EWALD_CPU_PAIRS_H

#include "object/backend.h"

enuf_status enuf_pairs_create_cpu(enuf_pairs **pairs);
void enuf_pairs_destroy_cpu(enuf_pairs **pairs);
int64_t enuf_pairs_bytes_cpu(const enuf_pairs *pairs);

/** enuf_ewald_backend.pairs_sum; `inverse` of the request is not needed. */
enuf_status enuf_pairs_sum_cpu(enuf_pairs *pairs, const enuf_pair_request *request,
                               enuf_pair_sums *sums);

/** enuf_ewald_backend.pairs_differentiate. */
enuf_status enuf_pairs_differentiate_cpu(enuf_pairs *pairs, const enuf_pair_request *request,
                                         const enuf_pair_direction *direction,
                                         enuf_pair_slopes *slopes);

/** enuf_ewald_backend.matrix_make and .matrix_multiply. pairs_matrix.c */
enuf_status enuf_pairs_matrix_cpu(enuf_pairs *pairs, const enuf_pair_request *request,
                                  const int64_t *extra, int64_t most_bytes,
                                  enuf_pair_matrix *matrix);
void enuf_pairs_multiply_cpu(const enuf_pair_matrix *matrix, int threads, int lanes,
                             const double *charges, double *potentials);

#endif
