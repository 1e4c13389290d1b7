/* workspace.h - making and freeing the CUDA backend's workspace. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_CUDA_WORKSPACE_H
#define ENUF_CUDA_WORKSPACE_H

#include "cuda/cuda.h"

/** Everything that does not depend on the points. After a failure enuf_cuda_workspace_free() cleans
 * up. The plan's device is current. */
enuf_status enuf_cuda_workspace_make(enuf_nufft *plan);

/** The plan's axes, copied to the device. */
enuf_status enuf_cuda_workspace_axes(enuf_nufft *plan);

void enuf_cuda_workspace_free(enuf_nufft *plan);

/** Room for max_points; a failure leaves what was there. Where more is made, points set before are
 * gone. */
enuf_status enuf_cuda_workspace_reserve(enuf_nufft *plan, int64_t max_points);

/** The arrays whose sizes go with the number of points. */
typedef struct enuf_cuda_room {
    enuf_cuda_points points;
    void *staged_points, *staged_coordinates;
    int64_t staged_coordinates_bytes;
} enuf_cuda_room;

/** Room for max_points. Where there was less the plan has new arrays, *former the old ones, with
 * the points that stand in them: to be freed, or put back. *grown tells. */
enuf_status enuf_cuda_workspace_grow(enuf_nufft *plan, int64_t max_points, enuf_cuda_room *former,
                                     int *grown);
void enuf_cuda_workspace_free_room(enuf_nufft *plan, enuf_cuda_room *room);
void enuf_cuda_workspace_put_back(enuf_nufft *plan, enuf_cuda_room *former);

/** Bytes on the device and, of staging, on the host. */
int64_t enuf_cuda_workspace_bytes(const enuf_nufft *plan);

#endif
