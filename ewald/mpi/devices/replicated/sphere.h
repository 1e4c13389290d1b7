/*
 * sphere.h - the modes inside a sphere. C and CUDA files include it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICES_SPHERE_H
#define ENUF_EWALD_MPI_DEVICES_SPHERE_H

#include "device.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Lists the nonzero numbers among n: index [..], ascending, and their count. Modes outside the
 * sphere have weight 0. */
enuf_status enuf_sphere_scan_bytes(int64_t n, int single, size_t *bytes);
enuf_status enuf_sphere_find(int64_t n, int single, const void *weights, int64_t *index,
                             int64_t *count, void *scan, size_t bytes, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
