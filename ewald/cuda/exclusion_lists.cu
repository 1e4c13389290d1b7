/*
 * exclusion_lists.cu - the lists of exclusions of each atom, from pairs in device memory. A thread
 * a pair counts them, CUB's scan makes first entries of the counts, a thread a pair fills both
 * lists. A list has no order: sums over it do not depend on one (exclusions.cu). A thread an entry
 * looks for the same partner in its list. SPDX-License-Identifier: BSD-3-Clause
 */
#include "terms.cuh"

#include <cub/device/device_scan.cuh>

namespace
{

__device__ __forceinline__ bool is_pair(const enuf_cuda_exclusion_lists &x, int64_t k)
{
    const int64_t i = x.pairs[2 * k], j = x.pairs[2 * k + 1];
    return i >= 0 && i < x.n && j >= 0 && j < x.n && i != j;
}

__global__ void count(const __grid_constant__ enuf_cuda_exclusion_lists x, enuf_charge_sums *sums)
{
    const int64_t k = this_atom();
    if (k >= x.n_pairs) return;
    if (x.weights && !isfinite(x.weights[k]))
        atomicMin((unsigned long long *)&sums->bad_weight, (unsigned long long)k);
    if (!is_pair(x, k)) {
        atomicMin((unsigned long long *)&sums->bad_pair, (unsigned long long)k);
        return;
    }
    for (int end = 0; end < 2; end++) atomicAdd(&x.count[x.pairs[2 * k + end]], 1ULL);
}

/* The counts fall to 0 while the lists fill from behind. */
__global__ void fill(const __grid_constant__ enuf_cuda_exclusion_lists x)
{
    const int64_t k = this_atom();
    if (k >= x.n_pairs || !is_pair(x, k)) return;
    for (int end = 0; end < 2; end++) {
        const int64_t i = x.pairs[2 * k + end];
        const int64_t at = x.first[i] + (int64_t)atomicAdd(&x.count[i], ~0ULL) - 1;
        x.partner[at] = x.pairs[2 * k + 1 - end];
        x.removed[at] = 1 - (x.weights ? x.weights[k] : 0);
    }
}

__global__ void find_repeated(const __grid_constant__ enuf_cuda_exclusion_lists x,
                              enuf_charge_sums *sums)
{
    const int64_t e = this_atom();
    if (e >= 2 * x.n_pairs || !is_pair(x, e / 2)) return;
    const int64_t i = x.pairs[e], partner = x.pairs[e ^ 1];
    int found = 0;
    for (int64_t p = x.first[i]; p < x.first[i + 1]; p++) found += x.partner[p] == partner;
    if (found > 1)
        atomicMin((unsigned long long *)&sums->repeated, (unsigned long long)(i << 32 | partner));
}

} // namespace

extern "C" enuf_status enuf_cuda_list_scan_bytes(int64_t n, size_t *bytes)
{
    ENUF_CUDA_TRY(cub::DeviceScan::ExclusiveSum(NULL, *bytes, (const unsigned long long *)NULL,
                                                (int64_t *)NULL, (int)(n + 1)),
                  "sizing the scan of exclusions");
    return ENUF_SUCCESS;
}

extern "C" enuf_status enuf_cuda_list_exclusions(const enuf_cuda_exclusion_lists *x,
                                                 enuf_charge_sums *sums, cudaStream_t stream)
{
    const unsigned blocks = atom_blocks(x->n_pairs);
    size_t bytes = x->scan_bytes;
    ENUF_CUDA_TRY(cudaMemsetAsync(x->count, 0, (size_t)(x->n + 1) * sizeof *x->count, stream),
                  "counting exclusions");
    count<<<blocks, atom_threads, 0, stream>>>(*x, sums);
    ENUF_TRY(enuf_cuda_launched("count exclusions"));
    ENUF_CUDA_TRY(cub::DeviceScan::ExclusiveSum(x->scan, bytes,
                                                (const unsigned long long *)x->count, x->first,
                                                (int)(x->n + 1), stream),
                  "scan of exclusions");
    fill<<<blocks, atom_threads, 0, stream>>>(*x);
    find_repeated<<<atom_blocks(2 * x->n_pairs), atom_threads, 0, stream>>>(*x, sums);
    return enuf_cuda_launched("list exclusions");
}
