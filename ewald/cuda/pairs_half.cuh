/*
 * pairs_half.cuh - forces, and energy and virial of all pairs if wanted. Each pair is met once.
 *
 * A lane owns an entry of the list and meets the 8 atoms of the warp's cluster, which all lanes
 * read at once from shared memory. The forces on the entry go to the atom's sums in global memory,
 * in double (three atomic additions an entry; entries are mostly neighbours in memory). The forces
 * on the cluster stay in 24 registers; the warp adds them up at the end.
 *
 * Instructions of 32 pairs, n coefficients, forces alone: a load, 3 differences, 3 for s, the root,
 * n + 4 for g = 1/r^3 - R, 2 for the mask, 2 products with charges, 6 for the sums: 22 + n, where
 * pairs that are met twice take 2 (17 + n). The energy costs n + 3 more, the virial 9.
 *
 * H100, 21 November 2026, 1,000,000 ions at 0.1 per cubic Angstrom, cutoff 10: forces in float with
 * 8 coefficients 1.04 ms (7.7e8 instructions of warps, 71 % of the issue slots, 8.6e7 sectors of
 * additions: 68 % of the second cache's rate), without the cells; with the energy a third more.
 *
 * Sums of a cluster over its list (a few hundred neighbours, shared by 32 lanes) run in Real, those
 * of an atom in double. The sums are fields: delivery multiplies them by the atom's charge.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_PAIRS_HALF_CUH
#define ENUF_EWALD_CUDA_PAIRS_HALF_CUH

#include "pair_kernel.cuh"

template <class Real> struct alignas(16) half_entry {
    Real x, y, z, q;
    int index;  /* in sorted order */
    float half; /* 1/2; 0 for a ghost; only if GHOSTS */
};

template <class Real_, int N, bool ENERGY, bool TENSOR, bool WITH_GHOSTS, bool WITHOUT_FP64>
struct half_sums {
    typedef Real_ Real;
    typedef half_entry<Real> Entry;
    typedef typename wide_sum<WITHOUT_FP64>::type Wide;
    enum {
        HALF = 1,
        GHOSTS = WITH_GHOSTS,
        PLAIN = WITHOUT_FP64,
        OWN = ENUF_CUDA_CLUSTER, /* entries at the list's beginning: the cluster itself */
        LIST = OWN + 32 + 32 * PAIR_WINDOWS,
        MOST_BATCHES = 32, /* after so many batches of 32 entries the cluster's sums go to memory */
        /* blocks of a multiprocessor: bounds the registers */
        BLOCKS = sizeof(Real) == 8  ? 2
                 : ENERGY || TENSOR ? 4
                                    : 5,
    };
    static constexpr double SLACK = sizeof(Real) == 4 ? 4e-6 : 1e-12;
    static constexpr double BEYOND = 1 + 2 * SLACK;

    const Entry *own;
    float own_half = 0.5f; /* `half` of all own atoms; below 0: they differ */
    int batches = 0;
    float largest_root = 0; /* in double: of all pairs met */
    Real field[3][OWN];
    Wide energy = {}, tensor[6] = {};

    __device__ half_sums(const enuf_cuda_pair_arguments &, const real4<Real> &, int)
    {
        clear();
    }

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < OWN; i++) field[0][i] = field[1][i] = field[2][i] = 0;
    }

    static __device__ Entry entry(const enuf_cuda_pair_arguments &, const real4<Real> &place,
                                  Real q, int index)
    {
        return {place.x, place.y, place.z, q, index, (float)place.w};
    }

    /* An entry that is far from every atom, and from the places of atoms that the cluster lacks. */
    static __device__ Entry far()
    {
        return {(Real)-nowhere, (Real)-nowhere, (Real)-nowhere, (Real)0, -1, 0};
    }

    __device__ __forceinline__ int start(Entry *list, const Entry &at, int lane, bool valid)
    {
        own = list;
        if (lane < OWN) {
            const Real away = (Real)nowhere * (Real)(lane + 1);
            const Entry none = {away, away, away, (Real)0, -1, 0};
            list[lane] = valid ? at : none;
        }
        __syncwarp();
        if (GHOSTS) {
            const unsigned there = __ballot_sync(~0u, lane < OWN && valid),
                           halves = __ballot_sync(~0u, lane < OWN && valid && at.half != 0);
            own_half = halves == there ? 0.5f : halves == 0 ? 0 : -1;
        }
        return OWN;
    }

    /* FIRST: the first lanes are the cluster's own atoms; lane l then meets atoms i < l only.
     * MIXED: some own atoms are ghosts, so that shares of energy and virial differ from pair to
     * pair; else they differ from entry to entry. */
    template <bool FIRST, bool MIXED>
    __device__ __forceinline__ void batch(const enuf_cuda_pair_arguments &a, const Entry &j,
                                          int lane)
    {
        Real fx = 0, fy = 0, fz = 0, potential = 0, t[6] = {0, 0, 0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < OWN; i++) {
            const Entry &o = own[i];
            const Real dx = o.x - j.x, dy = o.y - j.y, dz = o.z - j.z;
            const Real s = multiply_add(dz, dz, multiply_add(dy, dy, dx * dx));
            const bool allowed = !FIRST || lane > i, hit = s <= 1 && allowed;
            const Real v = (Real)ENUF_PAIR_FIT_CENTRE - s,
                       root = bounded_root(s, a.most_root, allowed, largest_root);
            if (ENERGY) {
                const Real l = less_polynomial<N>(root, v, energy_fit(a, (Real)0), a.n_fit);
                const Real share = MIXED ? o.q * (Real)(o.half + j.half) : o.q;
                if (hit) potential = multiply_add(l, share, potential);
            }
            const Real g =
                less_polynomial<N>(root * root * root, v, force_fit(a, (Real)0), a.n_fit);
            const Real met = hit ? g : 0, here = met * j.q, there = met * o.q;
            field[0][i] = multiply_add(here, dx, field[0][i]);
            field[1][i] = multiply_add(here, dy, field[1][i]);
            field[2][i] = multiply_add(here, dz, field[2][i]);
            if (TENSOR) {
                Real wx = there * dx, wy = there * dy, wz = there * dz;
                fx += wx;
                fy += wy;
                fz += wz;
                if (MIXED) {
                    const Real share = (Real)(o.half + j.half);
                    wx *= share;
                    wy *= share;
                    wz *= share;
                }
                t[0] = multiply_add(wx, dx, t[0]);
                t[1] = multiply_add(wy, dy, t[1]);
                t[2] = multiply_add(wz, dz, t[2]);
                t[3] = multiply_add(wx, dy, t[3]);
                t[4] = multiply_add(wx, dz, t[4]);
                t[5] = multiply_add(wy, dz, t[5]);
            } else {
                fx = multiply_add(there, dx, fx);
                fy = multiply_add(there, dy, fy);
                fz = multiply_add(there, dz, fz);
            }
        }
        const Real shared_q = GHOSTS && !MIXED ? j.q * (Real)(own_half + j.half) : j.q;
        if (ENERGY) energy = enuf_added(energy, potential * shared_q);
#pragma unroll
        for (int c = 0; c < 6 && TENSOR; c++) tensor[c] = enuf_added(tensor[c], t[c] * shared_q);
        give(a, GHOSTS && j.half == 0 ? -1 : j.index, -fx, -fy, -fz);
    }

    /* A number as a double: by its bits where that is faster. */
    static __device__ __forceinline__ double wide(Real x)
    {
        return PLAIN ? enuf_widened(x) : (double)x;
    }

    /* The additions run in the second cache, not in the multiprocessor. */
    static __device__ __forceinline__ void give(const enuf_cuda_pair_arguments &a, int index,
                                                Real x, Real y, Real z)
    {
        /* an entry may be near the cluster's box but near none of its atoms */
        if (index < 0 || (x == 0 && y == 0 && z == 0)) return;
        double *to = a.out.sorted + index;
        atomicAdd(to, wide(x));
        atomicAdd(to + a.out.sorted_n, wide(y));
        atomicAdd(to + 2 * a.out.sorted_n, wide(z));
    }

    template <bool FIRST>
    __device__ __forceinline__ void batch(const enuf_cuda_pair_arguments &a, const Entry &j,
                                          int lane)
    {
        if (GHOSTS && (ENERGY || TENSOR) && own_half < 0)
            batch<FIRST, true>(a, j, lane);
        else
            batch<FIRST, false>(a, j, lane);
    }

    __device__ __forceinline__ int take(const enuf_cuda_pair_arguments &a, const Entry *list, int n)
    {
        const int lane = threadIdx.x % 32;
        while (n >= OWN + 32) {
            n -= 32;
            batch<false>(a, list[n + lane], lane);
            if (++batches == MOST_BATCHES) give_own(a, lane);
        }
        return n;
    }

    __device__ __forceinline__ void last(const enuf_cuda_pair_arguments &a, const Entry *list,
                                         int n)
    {
        const int lane = threadIdx.x % 32;
        if (n > 32) batch<false>(a, lane + 32 < n ? list[lane + 32] : far(), lane);
        batch<true>(a, lane < n ? list[lane] : far(), lane);
    }

    /* Adds one direction's sums up over the lanes: lane l gets that of atom l % 8. */
    static __device__ __forceinline__ Real over_lanes(const Real (&of)[OWN], int lane)
    {
        Real four[4], two[2];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const Real kept = lane & 4 ? of[k + 4] : of[k], sent = lane & 4 ? of[k] : of[k + 4];
            four[k] = kept + __shfl_xor_sync(~0u, sent, 4);
        }
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const Real kept = lane & 2 ? four[k + 2] : four[k],
                       sent = lane & 2 ? four[k] : four[k + 2];
            two[k] = kept + __shfl_xor_sync(~0u, sent, 2);
        }
        const Real kept = lane & 1 ? two[1] : two[0], sent = lane & 1 ? two[0] : two[1];
        Real sum = kept + __shfl_xor_sync(~0u, sent, 1);
        sum += __shfl_xor_sync(~0u, sum, 8);
        return sum + __shfl_xor_sync(~0u, sum, 16);
    }

    __device__ __forceinline__ void give_own(const enuf_cuda_pair_arguments &a, int lane)
    {
        static_assert(OWN == 8, "the shuffles above add up eight sums");
        const Real x = over_lanes(field[0], lane), y = over_lanes(field[1], lane),
                   z = over_lanes(field[2], lane);
        if (lane < OWN) give(a, GHOSTS && own[lane].half == 0 ? -1 : own[lane].index, x, y, z);
        clear();
        batches = 0;
    }

    static __device__ __forceinline__ Wide over_warp(Wide sum)
    {
        for (int by = 1; by < 32; by *= 2) sum = enuf_added(sum, of_lane(sum, by));
        return sum;
    }

    __device__ __forceinline__ void finish(const enuf_cuda_pair_arguments &a, int lane, bool, int)
    {
        const double per_cutoff = a.per_cutoff;
        if (largest_root > a.most_root) a.record->close = 1;
        give_own(a, lane);
        Wide mine = {}; /* of lane k the k-th total */
        if (ENERGY) mine = over_warp(energy);
        for (int c = 0; c < 6 && TENSOR; c++) {
            const Wide sum = over_warp(tensor[c]);
            if (lane == 1 + c) mine = sum;
        }
        const int totals = TENSOR ? ENUF_CUDA_TOTALS : ENERGY ? 1 : 0;
        if (lane < totals) atomicAdd(total_of(a) + lane, per_cutoff * enuf_total(mine));
    }
};

template <class Real, int N, bool GHOSTS, bool PLAIN = false>
static enuf_status launch_half(const enuf_cuda_pair_arguments *a, int64_t most, cudaStream_t stream)
{
    const enuf_cuda_pair_outputs *out = &a->out;
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS);
    if (out->want_virial)
        launch_walk<half_sums<Real, N, true, true, GHOSTS, PLAIN>>(a, blocks, stream);
    else if (out->want_energy)
        launch_walk<half_sums<Real, N, true, false, GHOSTS, PLAIN>>(a, blocks, stream);
    else
        launch_walk<half_sums<Real, N, false, false, GHOSTS, PLAIN>>(a, blocks, stream);
    return enuf_cuda_launched("pair sums");
}

#endif
