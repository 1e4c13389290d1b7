/*
 * record.h - what the data did wrong, from the device's record to a status. The plan's device is
 * current. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_RECORD_H
#define ENUF_CUDA_RECORD_H

#include "cuda/cuda.h"

/** A record of no errors, written on the plan's stream. */
enuf_status enuf_cuda_record_clear(enuf_nufft *plan);

/**
 * Waits for the stream, tells the first of the record's errors and clears them all. *first_bad,
 * which may be NULL, becomes the point that the error is about; without one it stays as it is.
 * Device memory: what the bad data has gone into is no longer held to be set.
 */
enuf_status enuf_cuda_record_tell(enuf_nufft *plan, int64_t *first_bad);

enuf_status enuf_cuda_bad_point(int64_t point);

#endif
