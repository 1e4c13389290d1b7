/*
 * options.h - options as a caller gave them. `caller` is the public function, which begins the
 * texts of errors. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_OPTIONS_H
#define ENUF_NUFFT_OPTIONS_H

#include "enuf/nufft.h"
#include "error.h"

/** Copies options. Those of an older caller are a shorter struct: what it lacks has its default. */
enuf_status enuf_nufft_read_options(const char *caller, const enuf_nufft_options *given,
                                    enuf_nufft_options *options);

/** Refuses a problem that makes no sense: what direct sums read of the options, without modes. */
enuf_status enuf_nufft_check_problem(const char *caller, const enuf_nufft_options *options);

/** Refuses a problem or a method that makes no sense. */
enuf_status enuf_nufft_check_options(const enuf_nufft_options *options);

#endif
