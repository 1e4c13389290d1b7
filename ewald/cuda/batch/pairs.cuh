/*
 * pairs.cuh - the pairs of a share of a batch: a warp has an atom, its lanes test other atoms,
 * image by image. Pairs within the cutoff, about a third, go into a queue, so that all lanes work
 * when 32 of them are evaluated. A pair is summed at both atoms, so that nothing is added by two
 * threads.
 *
 * Instructions of a pair in double: 3 candidates x 7, and about 105 to evaluate it (rsqrt 12, exp
 * 20, erfcx 40, the rest products and sums), which bound it.
 *
 * Lengths are in cutoffs, so that floats do not overflow. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BATCH_PAIRS_CUH
#define ENUF_BATCH_PAIRS_CUH

#include "block.cuh"

enum { QUEUE = 2 * LANES, IMAGES = 2 * THREADS, ATOMS = THREADS };
enum { POTENTIAL, FIELD, VIRIAL = 4, TERMS = 10 };

/** Shared memory of the pairs. */
template <class Real> struct pair_room {
    Real x[WARPS][3][QUEUE], q[WARPS][QUEUE]; /* pairs that wait: distance, the other's charge */
    Real shift[3][IMAGES];                    /* lattice vectors */
    double high[3][ATOMS], low[3][ATOMS], charge[ATOMS]; /* a chunk of atoms */
};

/** Image k of the box. */
static __device__ __forceinline__ void image_at(const enuf_batch_system &system, int k,
                                                double (&shift)[3])
{
    int n[3];
    for (int d = 0; d < 3; d++) {
        const int across = 2 * system.images[d] + 1;
        n[d] = k % across - system.images[d];
        k /= across;
    }
    for (int a = 0; a < 3; a++)
        shift[a] = n[0] * system.cell[a] + n[1] * system.cell[3 + a] + n[2] * system.cell[6 + a];
}

/* Lists images until there are THREADS of them; *next counts those of the box. Returns the number.
 */
template <class Real>
static __device__ int list_images(const enuf_batch_system &system, int box, int *next,
                                  pair_room<Real> *room)
{
    const double per_cutoff = 1 / system.cutoff;
    int length = 0;
    while (length < THREADS && *next < box) {
        const int k = *next + threadIdx.x;
        double shift[3] = {0, 0, 0};
        bool reaches = k < box;
        if (reaches) {
            image_at(system, k, shift);
            reaches = shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2] <=
                      system.reach * system.reach;
        }
        const int place = place_in_list(reaches, &length);
        for (int a = 0; a < 3 && reaches; a++)
            room->shift[a][place] = (Real)(per_cutoff * shift[a]);
        *next += THREADS;
    }
    __syncthreads();
    return length;
}

template <class Real>
static __device__ void load_atoms(const enuf_batch_arguments &a, const enuf_batch_system &system,
                                  int first, int atoms, pair_room<Real> *room)
{
    __syncthreads();
    for (int j = threadIdx.x; j < atoms; j += THREADS) {
        const batch_atom atom = folded_atom(a, system, first + j);
        for (int d = 0; d < 3; d++) {
            room->high[d][j] = atom.high[d];
            room->low[d][j] = atom.low[d];
        }
        room->charge[j] = atom.charge;
    }
    __syncthreads();
}

/* From atom j of the chunk to `from`, less whole vectors of the cell, in cutoffs. The difference
 * keeps what it loses to rounding (Knuth's two-sum): a close pair keeps its digits. */
template <class Real>
static __device__ __forceinline__ void
find_distance(const enuf_batch_system &system, const batch_atom &from, const pair_room<Real> &room,
              int j, Real (&apart)[3])
{
    double high[3], low[3], whole[3];
    for (int a = 0; a < 3; a++) {
        const double x = from.high[a], y = room.high[a][j];
        high[a] = __dsub_rn(x, y);
        const double back = __dsub_rn(high[a], x);
        low[a] = __dsub_rn(__dsub_rn(x, __dsub_rn(high[a], back)), __dadd_rn(y, back));
        low[a] += from.low[a] - room.low[a][j];
    }
    for (int d = 0; d < 3; d++)
        whole[d] = rint(high[0] * system.inverse[d] + high[1] * system.inverse[3 + d] +
                        high[2] * system.inverse[6 + d]);
    for (int a = 0; a < 3; a++) {
        /* whole numbers of 0 and 1: their products are exact */
        for (int d = 0; d < 3; d++) {
            high[a] -= whole[d] * system.cell[3 * d + a];
            low[a] -= whole[d] * system.cell_low[3 * d + a];
        }
        apart[a] = (Real)((high[a] + low[a]) / system.cutoff);
    }
}

static __device__ __forceinline__ double scaled_erfc(double u)
{
    return erfcx(u);
}

static __device__ __forceinline__ float scaled_erfc(float u)
{
    return erfcxf(u);
}

template <class Real>
static __device__ __forceinline__ void add_pair(Real steepness, const Real (&x)[3], Real q,
                                                Real (&sums)[TERMS])
{
    const Real r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    const Real over_r = rsqrt(r2), u = steepness * r2 * over_r;
    const Real decay = exp(-u * u), outside = scaled_erfc(u) * decay;
    const Real f = outside + (Real)1.12837916709551257390 * u * decay;
    const Real over_r3 = q * f * (over_r * over_r) * over_r;
    sums[POTENTIAL] += q * outside * over_r;
    for (int d = 0; d < 3; d++) {
        const Real field = over_r3 * x[d];
        sums[FIELD + d] += field;
        sums[VIRIAL + d] += field * x[d];
    }
    sums[VIRIAL + 3] += over_r3 * x[0] * x[1];
    sums[VIRIAL + 4] += over_r3 * x[0] * x[2];
    sums[VIRIAL + 5] += over_r3 * x[1] * x[2];
}

/* Evaluates the last n <= 32 pairs of the warp's queue. */
template <class Real>
static __device__ __forceinline__ void take(Real steepness, const pair_room<Real> &room, int length,
                                            int n, Real (&sums)[TERMS])
{
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, k = length - n + lane;
    __syncwarp();
    if (lane < n) {
        const Real x[3] = {room.x[warp][0][k], room.x[warp][1][k], room.x[warp][2][k]};
        add_pair(steepness, x, room.q[warp][k], sums);
    }
    __syncwarp();
}

/* The atom that is summed, and what a lane tests with it. */
struct lane_task {
    batch_atom from;
    int i, own;           /* its number in the system, and in the chunk, where it may not be */
    int j;                /* the lane's atom, of the chunk; none if it is not below `atoms` */
    int image, of_images; /* the lane's first image, and from one to the next */
};

/* Adds the images of the lanes' atoms. Returns the length of the queue, less than 32. */
template <class Real>
static __device__ int add_images(const enuf_batch_arguments &a, const enuf_batch_system &system,
                                 const lane_task &task, int atoms, int images,
                                 pair_room<Real> *room, int length, Real (&sums)[TERMS])
{
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, below = (1u << lane) - 1;
    const Real steepness = (Real)(system.alpha * system.cutoff);
    Real apart[3] = {0, 0, 0}, q = 0;
    if (task.j < atoms) {
        find_distance(system, task.from, *room, task.j, apart);
        q = (Real)room->charge[task.j];
    }
    for (int first = 0; first < images; first += task.of_images) {
        const int k = min(first + task.image, images - 1);
        const Real x[3] = {apart[0] + room->shift[0][k], apart[1] + room->shift[1][k],
                           apart[2] + room->shift[2][k]};
        const Real r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        const bool is_one = first + task.image < images && q != 0; /* q is 0 without an atom */
        const bool close = is_one && r2 <= 1 && !(r2 == 0 && task.j == task.own);
        if (close && r2 == 0)
            atomicMin(&a.record->clash, (unsigned long long)(system.first + task.i) << 32 |
                                            (unsigned)(task.i - task.own + task.j));
        const unsigned found = __ballot_sync(~0u, close);
        if (close) {
            const int at = length + __popc(found & below);
            for (int d = 0; d < 3; d++) room->x[warp][d][at] = x[d];
            room->q[warp][at] = q;
        }
        length += __popc(found);
        if (length < LANES) continue;
        take(steepness, *room, length, LANES, sums);
        length -= LANES;
    }
    return length;
}

/* Atom i with all atoms of the chunk that begins at `first`. Fewer atoms than lanes: lanes have
 * different images of the same atom. */
template <class Real>
static __device__ void add_chunk(const enuf_batch_arguments &a, const enuf_batch_system &system,
                                 const batch_atom &from, int i, int first, int atoms, int images,
                                 pair_room<Real> *room, Real (&sums)[TERMS])
{
    const int lane = threadIdx.x % LANES;
    int width = LANES, length = 0;
    while (width / 2 >= atoms && width > 1) width /= 2;
    for (int j = 0; j < atoms; j += width) {
        const lane_task task = {from, i, i - first, j + lane % width, lane / width, LANES / width};
        length = add_images(a, system, task, atoms, images, room, length, sums);
    }
    take((Real)(system.alpha * system.cutoff), *room, length, length, sums);
}

/* Sums over the lanes, always in the same order; lane 0 adds them to those of the share. */
template <class Real>
static __device__ void add_to_share(const enuf_batch_system &system, int i, double charge,
                                    const Real (&of_lane)[TERMS], double *sums, double (&virial)[6])
{
    const double per_cutoff = 1 / system.cutoff;
    double total[TERMS];
    for (int k = 0; k < TERMS; k++) total[k] = (double)of_lane[k];
    for (int step = LANES / 2; step > 0; step /= 2)
        for (int k = 0; k < TERMS; k++) total[k] += __shfl_xor_sync(~0u, total[k], step);
    if (threadIdx.x % LANES > 0) return;
    sums[i] += per_cutoff * total[POTENTIAL];
    for (int d = 0; d < 3; d++)
        sums[(1 + d) * (int64_t)system.n + i] += per_cutoff * per_cutoff * total[FIELD + d];
    for (int k = 0; k < 6; k++) virial[k] += 0.5 * charge * total[VIRIAL + k];
}

/** All pairs of a share: of its atoms, those whose number modulo the parts is `part`. Called by all
 * threads of the block. sums [4][n] of the share. */
template <class Real>
static __device__ void add_pairs(const enuf_batch_arguments &a, const enuf_batch_system &system,
                                 int part, pair_room<Real> *room, double *sums, double (&virial)[6])
{
    const int box =
        (2 * system.images[0] + 1) * (2 * system.images[1] + 1) * (2 * system.images[2] + 1);
    const int warp = threadIdx.x / LANES;
    for (int next = 0; next < box;) {
        const int images = list_images(system, box, &next, room);
        for (int first = 0; first < system.n; first += ATOMS) {
            const int atoms = min((int)ATOMS, system.n - first);
            load_atoms(a, system, first, atoms, room);
            for (int i = part + warp * system.parts; i < system.n; i += WARPS * system.parts) {
                const batch_atom from = folded_atom(a, system, i);
                Real of_lane[TERMS] = {};
                add_chunk(a, system, from, i, first, atoms, images, room, of_lane);
                add_to_share(system, i, from.charge, of_lane, sums, virial);
            }
        }
        __syncthreads(); /* before the list changes */
    }
}

#endif
