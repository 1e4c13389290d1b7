/*
 * sphere.cu - lists the modes inside a sphere: their weights are not 0.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sphere.h"

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace
{

template <class Real> struct is_not_zero {
    const Real *weights;
    __device__ bool operator()(int64_t k) const
    {
        return weights[k] != 0;
    }
};

template <class Real>
cudaError_t find_sphere(int64_t n, const void *weights, int64_t *index, int64_t *count, void *scan,
                        size_t *bytes, cudaStream_t stream)
{
    return cub::DeviceSelect::If(scan, *bytes, thrust::counting_iterator<int64_t>(0), index, count,
                                 n, is_not_zero<Real>{(const Real *)weights}, stream);
}

} // namespace

extern "C" enuf_status enuf_sphere_scan_bytes(int64_t n, int single, size_t *bytes)
{
    *bytes = 0;
    ENUF_CUDA_TRY(single
                      ? find_sphere<float>(n, nullptr, nullptr, nullptr, nullptr, bytes, nullptr)
                      : find_sphere<double>(n, nullptr, nullptr, nullptr, nullptr, bytes, nullptr),
                  "sizing the list of modes");
    return ENUF_SUCCESS;
}

extern "C" enuf_status enuf_sphere_find(int64_t n, int single, const void *weights, int64_t *index,
                                        int64_t *count, void *scan, size_t bytes,
                                        cudaStream_t stream)
{
    ENUF_CUDA_TRY(single ? find_sphere<float>(n, weights, index, count, scan, &bytes, stream)
                         : find_sphere<double>(n, weights, index, count, scan, &bytes, stream),
                  "listing the modes");
    return ENUF_SUCCESS;
}
