/* workspace.h - making and freeing the CUDA backend's workspace. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_CUDA_WORKSPACE_H
#define ENUF_CUDA_WORKSPACE_H

#include "cuda/cuda.h"

/** Makes all arrays that do not depend on the points. After a failure enuf_cuda_workspace_free()
 * cleans up. The plan's device is current. */
enuf_status enuf_cuda_workspace_make(enuf_nufft *plan);

/** The plan's axes, copied to the device. */
enuf_status enuf_cuda_workspace_axes(enuf_nufft *plan);

void enuf_cuda_workspace_free(enuf_nufft *plan);

/** Makes room for max_points. A failure leaves the old arrays. New arrays lose the points set
 * before. */
enuf_status enuf_cuda_workspace_reserve(enuf_nufft *plan, int64_t max_points);

/** The arrays with sizes that depend on the number of points. */
typedef struct enuf_cuda_room {
    enuf_cuda_points points;
    void *copied_points, *copied_coordinates;
    int64_t copied_coordinates_bytes;
} enuf_cuda_room;

/** Makes room for max_points. If the arrays are too small, *grown becomes 1, the plan gets new
 * arrays, and *former gets the old ones with their points, to be freed or put back. */
enuf_status enuf_cuda_workspace_grow(enuf_nufft *plan, int64_t max_points, enuf_cuda_room *former,
                                     int *grown);
void enuf_cuda_workspace_free_room(enuf_nufft *plan, enuf_cuda_room *room);
void enuf_cuda_workspace_put_back(enuf_nufft *plan, enuf_cuda_room *former);

/** Bytes on the device, and of copies on the host. */
int64_t enuf_cuda_workspace_bytes(const enuf_nufft *plan);

#endif
