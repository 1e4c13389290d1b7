/* gram_parts.cu - modes to the cells of parts and back: see gram.h. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "cuda/precision.cuh"
#include "gram_axis.cuh"
#include "gram_rows.cuh"

enum { THREADS = 256 };

template <class T>
static __device__ __forceinline__ enuf_complex<T> times(enuf_complex<T> a, enuf_complex<T> b)
{
    return enuf_make_complex<T>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* The product of the ramps of a part at a mode. */
template <class T>
static __device__ __forceinline__ enuf_complex<T> ramp_of(const enuf_cuda_gram_cells &gram,
                                                          int part, int x, int y, int z)
{
    const int mode[3] = {x, y, z};
    enuf_complex<T> ramp = enuf_make_complex<T>(1, 0);
    for (int d = 0; d < 3; d++)
        if (part >> d & 1)
            ramp = times<T>(ramp, ((const enuf_complex<T> *)gram.axis[d].ramp)[mode[d]]);
    return ramp;
}

template <class T>
__global__ void scatter_kernel(const __grid_constant__ enuf_cuda_gram_cells gram, int pieces,
                               int first, const enuf_complex<T> *modes)
{
    const enuf_cuda_gram_axis *axis = gram.axis;
    const gram_place at = gram_place_of(pieces, axis[1].length);
    if (at.x >= axis[0].length) return;
    const int x = mode_at(axis[0], at.x), y = mode_at(axis[1], at.y), z = mode_at(axis[2], at.z);
    enuf_complex<T> value = enuf_make_complex<T>(0, 0);
    if (x >= 0 && y >= 0 && z >= 0)
        value = times<T>(modes[((int64_t)z * axis[1].n + y) * axis[0].n + x],
                         ramp_of<T>(gram, first + (int)blockIdx.y, x, y, z));
    enuf_complex<T> *cells = (enuf_complex<T> *)gram.work + blockIdx.y * gram.cells;
    cells[((int64_t)at.z * axis[1].length + at.y) * axis[0].length + at.x] = value;
}

template <class T>
static void scatter(const enuf_nufft *base, const enuf_cuda_gram_cells *gram, int first, int count,
                    const void *modes)
{
    const enuf_cuda_gram_axis *axis = gram->axis;
    const gram_rows rows = gram_rows_of(axis[0].length, (int64_t)axis[1].length * axis[2].length);
    scatter_kernel<T><<<gram_grid_of(rows, count), rows.threads, 0, enuf_cuda_of(base)->stream>>>(
        *gram, rows.pieces, first, (const enuf_complex<T> *)modes);
}

enuf_status enuf_cuda_gram_scatter(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int first,
                                   int count, const void *modes)
{
    ENUF_CUDA_BY_PRECISION(base, scatter, base, gram, first, count, modes);
    return enuf_cuda_launched("modes to cells");
}

template <class T>
__global__ void multiply_kernel(int64_t n, const T *spectrum, enuf_complex<T> *cells)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step) {
        const enuf_complex<T> cell = cells[i];
        const T s = spectrum[i];
        cells[i] = enuf_make_complex<T>(cell.x * s, cell.y * s);
    }
}

template <class T>
static void multiply(const enuf_nufft *base, const enuf_cuda_gram_cells *gram, int first, int count)
{
    const int64_t n = count * gram->cells;
    multiply_kernel<T>
        <<<enuf_cuda_blocks(base, n, THREADS), THREADS, 0, enuf_cuda_of(base)->stream>>>(
            n, (const T *)gram->spectrum + first * gram->cells, (enuf_complex<T> *)gram->work);
}

enuf_status enuf_cuda_gram_multiply(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int first,
                                    int count)
{
    ENUF_CUDA_BY_PRECISION(base, multiply, base, gram, first, count);
    return enuf_cuda_launched("cells times a spectrum");
}

template <class T>
__global__ void gather_kernel(const __grid_constant__ enuf_cuda_gram_cells gram, int pieces,
                              int first, int count, enuf_complex<T> *result)
{
    const enuf_cuda_gram_axis *axis = gram.axis;
    const gram_place at = gram_place_of(pieces, axis[1].n);
    if (at.x >= axis[0].n) return;
    const int64_t i = ((int64_t)at.z * axis[1].n + at.y) * axis[0].n + at.x;
    const int64_t place =
        ((int64_t)place_of(axis[2], at.z) * axis[1].length + place_of(axis[1], at.y)) *
            axis[0].length +
        place_of(axis[0], at.x);
    enuf_complex<T> sum = enuf_make_complex<T>(0, 0);
    if (first > 0) sum = result[i];
    for (int k = 0; k < count; k++) {
        enuf_complex<T> ramp = ramp_of<T>(gram, first + k, at.x, at.y, at.z);
        ramp.y = -ramp.y;
        const enuf_complex<T> term =
            times<T>(((const enuf_complex<T> *)gram.work)[k * gram.cells + place], ramp);
        sum.x += term.x;
        sum.y += term.y;
    }
    result[i] = sum;
    const int last = first + count == gram.parts;
    if (last && !(isfinite(sum.x) && isfinite(sum.y))) *gram.bad_result = 1;
}

template <class T>
static void gather(const enuf_nufft *base, const enuf_cuda_gram_cells *gram, int first, int count,
                   void *result)
{
    const enuf_cuda_gram_axis *axis = gram->axis;
    const gram_rows rows = gram_rows_of(axis[0].n, (int64_t)axis[1].n * axis[2].n);
    gather_kernel<T><<<gram_grid_of(rows, 1), rows.threads, 0, enuf_cuda_of(base)->stream>>>(
        *gram, rows.pieces, first, count, (enuf_complex<T> *)result);
}

enuf_status enuf_cuda_gram_gather(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int first,
                                  int count, void *result)
{
    ENUF_CUDA_BY_PRECISION(base, gather, base, gram, first, count, result);
    return enuf_cuda_launched("cells to modes");
}
