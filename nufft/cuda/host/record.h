/*
 * record.h - errors of the data, from the device's record to a status. The plan's device is
 * current. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_RECORD_H
#define ENUF_CUDA_RECORD_H

#include "cuda/cuda.h"

/** A record of no errors, written on the plan's stream. */
enuf_status enuf_cuda_record_clear(enuf_nufft *plan);

/**
 * Waits for the stream, returns the first error of the record and clears all. *first_bad (or NULL)
 * becomes the point of the error; without such a point it does not change. Device memory: results
 * of the bad data count as not set.
 */
enuf_status enuf_cuda_record_report(enuf_nufft *plan, int64_t *first_bad);

enuf_status enuf_cuda_bad_point(int64_t point);

#endif
