/*
 * charges.cu - sums of charges in device memory, as integers in the units of the host's sums
 * (ewald/sums/invariant_sum.h), so that both have the same bits. Three passes: count, the largest
 * charge and finiteness; sums of q, |q|, q^2; the concentration, whose terms need sum q^2. Bound by
 * memory: three reads of the charges; of few charges by the launches, so that one block makes all
 * passes. SPDX-License-Identifier: BSD-3-Clause
 */
#include "terms.cuh"

static const int64_t few = 2048;

static __device__ __forceinline__ void clear_sums(enuf_charge_sums *sums)
{
    const uint64_t none = UINT64_MAX;
    *sums = {0, 0, 0, 0, 0, 0, none, none, none, none, {0, 0}};
}

static __device__ void look_at(int64_t n, const double *__restrict__ charges,
                               enuf_charge_sums *sums)
{
    /* the largest of sizes, and of the complements of the indices that are bad */
    unsigned long long charged[1] = {0}, most[2] = {0, 0};
    for (int64_t i = this_atom(); i < n; i += atom_step()) {
        const double q = charges[i];
        charged[0] += q != 0;
        if (isfinite(q))
            most[0] = max(most[0], term_size(q));
        else
            most[1] = max(most[1], ~(unsigned long long)i);
    }
    const unsigned long long n_charged = join_block(charged, join_sum());
    const unsigned long long joined = join_block(most, join_largest());
    if (threadIdx.x == 0 && n_charged > 0)
        atomicAdd((unsigned long long *)&sums->n_charged, n_charged);
    if (threadIdx.x == 0 && joined > 0) atomicMax((unsigned long long *)&sums->largest, joined);
    if (threadIdx.x == 1 && joined > 0) atomicMin((unsigned long long *)&sums->bad, ~joined);
}

static __device__ __forceinline__ int square_exponent(const enuf_charge_sums *sums, int64_t n)
{
    return size_exponent(term_size(__dmul_rn(sums->largest, sums->largest)), n);
}

static __device__ void add_up_all(int64_t n, const double *__restrict__ charges,
                                  enuf_charge_sums *sums)
{
    if (sums->bad != UINT64_MAX) return;
    const int exponent = size_exponent(term_size(sums->largest), n),
              of_squares = square_exponent(sums, n);
    unsigned long long shares[3] = {0, 0, 0};
    for (int64_t i = this_atom(); i < n; i += atom_step()) {
        const double q = charges[i];
        shares[0] += term_in_units(q, exponent);
        shares[1] += term_in_units(fabs(q), exponent);
        shares[2] += term_in_units(__dmul_rn(q, q), of_squares);
    }
    const unsigned long long sum = join_block(shares, join_sum());
    int64_t *const to = threadIdx.x == 0   ? &sums->sum
                        : threadIdx.x == 1 ? &sums->sum_abs
                                           : &sums->sum_q2;
    if (threadIdx.x < 3 && sum != 0) atomicAdd((unsigned long long *)to, sum);
}

static __device__ __forceinline__ double squared_share(double q, double sum_q2)
{
    const double share = __ddiv_rn(__dmul_rn(q, q), sum_q2);
    return __dmul_rn(share, share);
}

/* Or notes the charge that is not finite. */
static __device__ void concentrate_all(int64_t n, const double *__restrict__ charges,
                                       enuf_charge_sums *sums)
{
    if (sums->bad != UINT64_MAX) {
        if (this_atom() == 0) sums->detail[0] = __double_as_longlong(charges[sums->bad]);
        return;
    }
    const int of_squares = square_exponent(sums, n);
    if (sums->sum_q2 == 0 || of_squares == NO_EXPONENT) return;
    const double sum_q2 = ldexp((double)sums->sum_q2, of_squares);
    const int exponent = size_exponent(term_size(squared_share(sums->largest, sum_q2)), n);
    unsigned long long shares[1] = {0};
    for (int64_t i = this_atom(); i < n; i += atom_step())
        shares[0] += term_in_units(squared_share(charges[i], sum_q2), exponent);
    const unsigned long long sum = join_block(shares, join_sum());
    if (threadIdx.x == 0 && sum != 0) atomicAdd((unsigned long long *)&sums->concentration, sum);
}

static __global__ void clear(enuf_charge_sums *sums)
{
    clear_sums(sums);
}

static __global__ void look(int64_t n, const double *charges, enuf_charge_sums *sums)
{
    look_at(n, charges, sums);
}

static __global__ void add_up(int64_t n, const double *charges, enuf_charge_sums *sums)
{
    add_up_all(n, charges, sums);
}

static __global__ void concentrate(int64_t n, const double *charges, enuf_charge_sums *sums)
{
    concentrate_all(n, charges, sums);
}

/* By one block. */
static __global__ void __launch_bounds__(atom_threads)
    sum_few(int64_t n, const double *charges, enuf_charge_sums *sums)
{
    if (threadIdx.x == 0) clear_sums(sums);
    __syncthreads();
    look_at(n, charges, sums);
    __syncthreads();
    add_up_all(n, charges, sums);
    __syncthreads();
    concentrate_all(n, charges, sums);
}

extern "C" enuf_status enuf_cuda_charge_sums(int64_t n, const double *charges,
                                             enuf_charge_sums *sums, cudaStream_t stream)
{
    const unsigned blocks = summing_blocks(n);
    if (n <= few) {
        sum_few<<<1, atom_threads, 0, stream>>>(n, charges, sums);
        return enuf_cuda_launched("sums of few charges");
    }
    clear<<<1, 1, 0, stream>>>(sums);
    look<<<blocks, atom_threads, 0, stream>>>(n, charges, sums);
    add_up<<<blocks, atom_threads, 0, stream>>>(n, charges, sums);
    concentrate<<<blocks, atom_threads, 0, stream>>>(n, charges, sums);
    return enuf_cuda_launched("sums of the charges");
}

static __global__ void note_details(const __grid_constant__ enuf_cuda_exclusion_lists lists,
                                    enuf_charge_sums *sums)
{
    const int64_t pair = (int64_t)sums->bad_pair, weight = (int64_t)sums->bad_weight;
    if (sums->bad != UINT64_MAX) return;
    if (sums->bad_pair != UINT64_MAX && sums->bad_pair <= sums->bad_weight) {
        for (int k = 0; k < 2; k++) sums->detail[k] = lists.pairs[2 * pair + k];
    } else if (sums->bad_weight != UINT64_MAX) {
        sums->detail[0] = __double_as_longlong(lists.weights[weight]);
    }
}

extern "C" enuf_status enuf_cuda_exclusion_details(const enuf_cuda_exclusion_lists *lists,
                                                   enuf_charge_sums *sums, cudaStream_t stream)
{
    note_details<<<1, 1, 0, stream>>>(*lists, sums);
    return enuf_cuda_launched("errors of exclusions");
}

static __global__ void copy(int64_t n, const double *__restrict__ charges, double *to,
                            float *single)
{
    const int64_t i = this_atom();
    if (i >= n) return;
    to[i] = charges[i];
    if (single) single[i] = (float)charges[i];
}

extern "C" enuf_status enuf_cuda_copy_charges(int64_t n, const double *charges, double *to,
                                              float *single, cudaStream_t stream)
{
    copy<<<atom_blocks(n), atom_threads, 0, stream>>>(n, charges, to, single);
    return enuf_cuda_launched("copying charges");
}
