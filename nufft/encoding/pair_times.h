/*
 * pair_times.h - times whose exponentials serve all pairs of pixels. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_ENCODING_PAIR_TIMES_H
#define ENUF_ENCODING_PAIR_TIMES_H

#include "pairs.h"

/** Chooses times among the nodes of made->times, so that the error at all nodes is at most the
 * tolerance, as a share of the Frobenius norm; sets count, time, table and gain. `pairs` are
 * differences of frequencies and sums of decays. */
enuf_status enuf_pair_times_choose(const enuf_histogram *pairs, double tolerance, enuf_pairs *made);

#endif
