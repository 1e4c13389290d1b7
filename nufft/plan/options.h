/*
 * options.h - options as a caller gave them. `caller` is the public function, which begins the
 * texts of errors. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_OPTIONS_H
#define ENUF_NUFFT_OPTIONS_H

#include "enuf/nufft.h"
#include "error.h"

/** Copies options. The struct of an older caller is shorter; missing fields get their defaults. */
enuf_status enuf_nufft_read_options(const char *caller, const enuf_nufft_options *given,
                                    enuf_nufft_options *options);

/** Refuses a problem that makes no sense. Checks the options that direct sums use, but for modes.
 */
enuf_status enuf_nufft_check_problem(const char *caller, const enuf_nufft_options *options);

/** Refuses a problem or a method that makes no sense. */
enuf_status enuf_nufft_check_options(const enuf_nufft_options *options);

/** 1: a GPU has this way of spreading, or else of interpolation, in so many dimensions. */
int enuf_nufft_has_strategy(int dim, int spreads, enuf_strategy strategy);

/** 1: in so many dimensions this way of a GPU can read the window from a table. */
int enuf_nufft_reads_table(int dim, enuf_strategy strategy);

#endif
