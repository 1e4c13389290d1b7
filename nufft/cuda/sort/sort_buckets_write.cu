/*
 * sort_buckets_write.cu - writes the records of buckets to their places: at random in double, in
 * float in runs. A block writes a part.
 *
 * The part's order by bins is known (count_parts of sort_buckets.cu), so a run of points of one bin
 * takes one atomic on the bin's next place. SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "cuda/occupancy.cuh"
#include "cuda/results.cuh"
#include "sort_buckets.cuh"
#include "sort_end.cuh"

enum { WRITERS = 1024 /* threads of a block */ };

/* Where to write sorted records. */
struct sorted_records {
    uint32_t *bin_next; /* where a bin's next point goes */
    void *records;
    uint32_t *tile_at, bins_of_tile;
};

__device__ __forceinline__ void note_tile(const sorted_records &to, uint32_t place, uint32_t bin)
{
    if (place % 32 == 0) to.tile_at[place / 32] = bin / to.bins_of_tile;
}

/* A part in shared memory. */
struct part_order {
    uint16_t bin[PART];     /* by places in the part, from the bucket's first bin on */
    uint32_t to[MOST_BINS]; /* the first place of a bin's run; then what to add to a place in the
                               part for the place in the array */
};

/* Takes room for each run of one bin; `bin` is filled. All threads of the block. */
__device__ __forceinline__ void take_room(const sorted_records &to, const bucket_part &p,
                                          part_order &o)
{
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < p.n; k += WRITERS)
        if (k == 0 || o.bin[k] != o.bin[k - 1]) o.to[o.bin[k]] = k;
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < p.n; k += WRITERS) {
        const uint32_t bin = o.bin[k];
        if (k + 1 < p.n && o.bin[k + 1] == bin) continue;
        const uint32_t first = o.to[bin];
        o.to[bin] = atomicAdd(&to.bin_next[p.first_bin + bin], k + 1 - first) - first;
    }
    __syncthreads();
}

/* What a block of write_half_sectors holds in shared memory. */
struct ordered_part {
    uint4 record[PART]; /* by places in the part */
    part_order order;
};

/* Records of float. They are put in order in shared memory first: the cache takes much longer for
 * half a sector than for a whole one, and records of a bin, 2 to 4 of a part, lie side by side. */
__global__ void __launch_bounds__(WRITERS, MULTIPROCESSOR_THREADS / WRITERS)
    write_half_sectors(const buckets b, const uint32_t *bins, const sorted_records to, int64_t n,
                       const sort_end c)
{
    extern __shared__ __align__(16) unsigned char memory[];
    ordered_part &o = *(ordered_part *)memory;
    enuf_chain_wait();
    const bool refused = c.state->refused;
    bucket_part p;
    if (!refused && find_part(b, &p)) {
#pragma unroll
        for (int i = 0; i < PART / WRITERS; i++) {
            const uint32_t k = i * WRITERS + threadIdx.x;
            if (k >= p.n) continue;
            const uint32_t word = bins[p.from + k], place = word >> 16;
            o.record[place] = b.records[p.from + k];
            o.order.bin[place] = (uint16_t)word;
        }
        take_room(to, p, o.order);
        for (uint32_t k = threadIdx.x; k < p.n; k += WRITERS) {
            const uint32_t bin = o.order.bin[k], place = o.order.to[bin] + k;
            ((uint4 *)to.records)[place] = o.record[k];
            note_tile(to, place, p.first_bin + bin);
        }
    }
    end_sort(c, n, refused);
}

/* A half of a record of double in 1D and 2D: its place is where it lies between the buckets. */
__device__ __forceinline__ uint4 half_in_plane(const buckets &b, uint32_t place, uint32_t half)
{
    return half == 0 ? b.records[place] : make_uint4(place, 0, b.index[place], 0);
}

/* Records of double. They are whole sectors, which the cache takes in any order. A record takes two
 * threads: one request to the cache. AXES: 2 in 1D and 2D. */
template <int AXES>
__global__ void __launch_bounds__(WRITERS)
    write_sectors(const buckets b, const uint32_t *bins, const sorted_records to, int64_t n,
                  const sort_end c)
{
    __shared__ part_order o;
    enuf_chain_wait();
    const bool refused = c.state->refused;
    bucket_part p;
    if (!refused && find_part(b, &p)) {
        for (uint32_t k = threadIdx.x; k < p.n; k += WRITERS) {
            const uint32_t word = bins[p.from + k];
            o.bin[word >> 16] = (uint16_t)word;
        }
        take_room(to, p, o);
        for (uint32_t w = threadIdx.x; w < 2 * p.n; w += WRITERS) {
            const uint32_t word = bins[p.from + w / 2], bin = word & 0xffff;
            const uint32_t place = o.to[bin] + (word >> 16);
            if (w % 2 == 0) note_tile(to, place, p.first_bin + bin);
            ((uint4 *)to.records)[2 * (uint64_t)place + w % 2] =
                AXES < 3 ? half_in_plane(b, (uint32_t)p.from + w / 2, w % 2)
                         : b.records[2 * p.from + w];
        }
    }
    end_sort(c, n, refused);
}

extern "C" enuf_status enuf_cuda_buckets_write(const enuf_nufft *plan, int64_t n)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    const sorted_records to = {p->bin_start, p->records, p->tile_at, p->bins};
    const buckets b = buckets_of(plan, p, n);
    if (plan->options.precision == ENUF_FLOAT) {
        const int shared = (int)sizeof(ordered_part);
        ENUF_CUDA_TRY(cudaFuncSetAttribute(write_half_sectors,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                      "shared memory of parts");
        enuf_chain(cuda->stream, write_half_sectors, dim3(b.most_parts), WRITERS, shared, b,
                   p->taken_bin, to, n, sort_end_of(plan));
    } else {
        enuf_chain(cuda->stream, plan->options.dim < 3 ? write_sectors<2> : write_sectors<3>,
                   dim3(b.most_parts), WRITERS, 0, b, p->taken_bin, to, n, sort_end_of(plan));
    }
    return enuf_cuda_launched("writing sorted points");
}
