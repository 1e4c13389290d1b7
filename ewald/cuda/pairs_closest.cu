/*
 * pairs_closest.cu - the two closest atoms. The search runs only if sums are suspicious: two
 * charges may be at one place. The first pass finds the least distance, the second the pair that
 * has it; of several pairs the one with the lowest indices. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pair_walk.cuh"

namespace
{

template <class Real_> struct indexed_entry {
    Real_ x, y, z;
    int atom; /* in the caller's order */
};

template <class Real_> struct closest_search {
    typedef Real_ Real;
    typedef indexed_entry<Real> Entry;
    enum { HALF = 0, GHOSTS = 1, PLAIN = 0, BLOCKS = 1, LIST = 128 };
    static constexpr double SLACK = sizeof(Real) == 4 ? 4e-6 : 1e-12;
    static constexpr double BEYOND = 1 + 2 * SLACK;

    real4<Real> at;
    int atom;
    unsigned long long found = ~0ULL;

    __device__ closest_search(const enuf_cuda_pair_arguments &a, const real4<Real> &place,
                              int index)
        : at(place), atom(a.cells.original[index])
    {
    }

    static __device__ Entry entry(const enuf_cuda_pair_arguments &a, const real4<Real> &place, Real,
                                  int index)
    {
        return {place.x, place.y, place.z, a.cells.original[index]};
    }

    static __device__ Entry far()
    {
        return {(Real)nowhere, (Real)nowhere, (Real)nowhere, 0};
    }

    __device__ __forceinline__ void pair(const enuf_cuda_pair_arguments &a, const Entry &j,
                                         bool allowed)
    {
        const Real dx = at.x - j.x, dy = at.y - j.y, dz = at.z - j.z;
        const double s = (double)(dx * dx + dy * dy + dz * dz);
        if (!allowed || !(s <= 1)) return;
        const unsigned long long bits = (unsigned long long)__double_as_longlong(s);
        if (a.pass == 0) {
            found = min(found, bits);
        } else if (bits == a.closest_pair[0]) {
            const unsigned long long low = (unsigned)min(atom, j.atom),
                                     high = (unsigned)max(atom, j.atom);
            found = min(found, low << 32 | high);
        }
    }

    __device__ void flush(const enuf_cuda_pair_arguments &)
    {
    }

    __device__ void finish(const enuf_cuda_pair_arguments &a, int, bool mine, int)
    {
        if (mine && found != ~0ULL) atomicMin(a.closest_pair + a.pass, found);
    }
};

} // namespace

extern "C" enuf_status enuf_cuda_pairs_closest(enuf_cuda_pair_arguments *a, int single,
                                               int64_t most, cudaStream_t stream)
{
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS), threads = PAIR_WARPS * 32;
    ENUF_CUDA_TRY(cudaMemsetAsync(a->closest_pair, 0xff, 2 * sizeof *a->closest_pair, stream),
                  "clearing the closest pair");
    for (a->pass = 0; a->pass < 2; a->pass++) {
        if (single)
            walk_pairs<closest_search<float>><<<blocks, threads, 0, stream>>>(*a);
        else
            walk_pairs<closest_search<double>><<<blocks, threads, 0, stream>>>(*a);
        ENUF_TRY(enuf_cuda_launched("closest pair"));
    }
    return ENUF_SUCCESS;
}
