/*
 * pairs_fixed.cu - pair sums whose bits do not depend on the order of atoms or the device's
 * scheduling: as ewald/cpu/pairs_deterministic.c, with the same scales. Coordinates are 64-bit
 * fractions of the lattice; their differences wrap to the nearest image exactly. The approximate
 * difference names the image of the pair. Every contribution is rounded to an integer; a pair met
 * from its other atom goes through the same instructions with the signs turned. Sums of far pairs
 * are in registers; near pairs, and sums that outgrow a register, are added to words in memory
 * (fixed_sums.h). SPDX-License-Identifier: BSD-3-Clause
 */
#include "pair_kernel.cuh"

namespace
{

enum {
    FIXED_LIST = 96, /* a lane meets FIXED_LIST/4 entries: the sum of one list is below 2^61.6 */
};

/* After each list the sums of a lane are below this. With the sums of the next list, or of the
 * other lanes of the atom, they stay below 2^62. */
constexpr int64_t most_of_lane = INT64_C(1) << 60, word = INT64_C(1) << ENUF_FIXED_WORD_BITS;

struct fixed_entry {
    double x, y, z, q;
    int64_t turn[3];
};

/* squared range of near pairs, 2^-ENUF_FIXED_NEAR_BITS; closer pairs are refused */
constexpr double NEAR_RANGE = 1.0 / (INT64_C(1) << ENUF_FIXED_NEAR_BITS);

/* Products that the compiler must not fuse with sums. It unrolls the loop over pairs, and could
 * fuse in one copy and not in another, which changes bits. */
__device__ __forceinline__ double product(double a, double b)
{
    return __dmul_rn(a, b);
}

__device__ __forceinline__ double dot(double a, double b, double c, double d, double e, double f)
{
    return fma(e, f, fma(c, d, product(a, b)));
}

/* ENERGY, TENSOR, FIELD: whether energies, virials, and potentials and fields, are among the sums;
 * the last two are summed with energies only. */
template <bool ENERGY, bool TENSOR, bool FIELD> struct fixed_sums {
    typedef double Real;
    typedef fixed_entry Entry;
    enum { HALF = 0, GHOSTS = 0, PLAIN = 0, BLOCKS = ENERGY ? 1 : 4, LIST = FIXED_LIST };
    static constexpr double SLACK = 1e-12, BEYOND = 1 + 2 * SLACK;

    enum {
        SUMS = FIELD    ? FIXED_SUMS
               : TENSOR ? FIXED_POTENTIAL
               : ENERGY ? FIXED_VIRIAL
                        : FIXED_ENERGY
    };

    real4<double> at;
    double q, closest = 2;
    int64_t turn[3], list_sum[FIXED_SUMS], sum[FIXED_SUMS];
    int index;
    bool is_atom;          /* the last lanes of a cluster may repeat its last atom */
    bool has_near = false; /* the lane has added to sums in memory */

    static __device__ __forceinline__ bool has(int c)
    {
        return c < FIXED_ENERGY ||
               (c < FIXED_VIRIAL ? ENERGY : (c < FIXED_POTENTIAL ? TENSOR : FIELD));
    }

    __device__ fixed_sums(const enuf_cuda_pair_arguments &a, const real4<double> &place, int which)
        : at(place), index(which)
    {
        const int cluster = blockIdx.x * PAIR_WARPS + threadIdx.x / 32;
        is_atom = (int)(threadIdx.x % ENUF_CUDA_CLUSTER) < a.cells.cluster[cluster].y;
        q = ((const double *)a.cells.charge)[index];
#pragma unroll
        for (int d = 0; d < 3; d++) turn[d] = a.cells.turn[4 * (int64_t)index + d];
#pragma unroll
        for (int c = 0; c < FIXED_SUMS; c++) list_sum[c] = sum[c] = 0;
    }

    static __device__ Entry entry(const enuf_cuda_pair_arguments &a, const real4<double> &place,
                                  double q, int index)
    {
        const int64_t *t = a.cells.turn + 4 * (int64_t)index;
        return {place.x, place.y, place.z, q, {t[0], t[1], t[2]}};
    }

    static __device__ Entry far()
    {
        return {nowhere, nowhere, nowhere, 0, {0, 0, 0}};
    }

    static __device__ __forceinline__ unsigned long long *
    near_word(const enuf_cuda_pair_arguments &a, int upper, int c, int index)
    {
        return a.near + (int64_t)(upper * SUMS + c) * a.n + index;
    }

    /* Not inlined: near pairs are rare, and their code would take registers from all threads. */
    static __device__ __noinline__ void add_near(const enuf_cuda_pair_arguments &a, int index,
                                                 double q, double q_j, double l, double f, double x,
                                                 double y, double z)
    {
        const double d[3] = {x, y, z};
        const double qq = product(q, q_j), qqf = product(qq, f), qf = product(q_j, f);
        const auto add = [&](int c, double contribution, double scale) {
            const double units = product(contribution, scale);
            const double upper = rint(units * (1 / (double)word));
            const double lower = fma(-upper, (double)word, units);
            atomicAdd(near_word(a, 1, c, index), (unsigned long long)(int64_t)upper);
            atomicAdd(near_word(a, 0, c, index), (unsigned long long)__double2ll_rn(lower));
        };
        all_contributions(qq, qqf, qf, q_j, l, d, a.scales, add);
        if (a.cells.original[index] >= a.n_own) return;
        const double s = x * x + y * y + z * z, field_unit = a.per_cutoff * a.per_cutoff;
        const double force = field_unit * qq / s, fractions = a.close.fraction_rounding;
        atomicAdd(&a.record->close_forces2, force * force * (1 + fractions * fractions / s));
    }

    static __device__ __noinline__ void carry(unsigned long long *upper, int64_t carried)
    {
        atomicAdd(upper, (unsigned long long)carried);
    }

    /* add(sum, contribution, units to 1) for each sum of the atom */
    template <class Add>
    static __device__ __forceinline__ void
    all_contributions(double qq, double qqf, double qf, double q_j, double l, const double d[3],
                      const enuf_fixed_scales &scale, Add add)
    {
#pragma unroll
        for (int e = 0; e < 3; e++) add(FIXED_FORCE + e, product(qqf, d[e]), scale.of_square);
        if (ENERGY) add(FIXED_ENERGY, product(qq, l), scale.of_square);
        if (TENSOR)
#pragma unroll
            for (int c = 0; c < 6; c++)
                add(FIXED_VIRIAL + c, product(qqf, product(d[tensor_row[c]], d[tensor_column[c]])),
                    scale.of_square);
        if (!FIELD) return;
        add(FIXED_POTENTIAL, product(q_j, l), scale.of_charge);
#pragma unroll
        for (int e = 0; e < 3; e++) add(FIXED_FIELD + e, product(qf, d[e]), scale.of_charge);
    }

    /* Returns true if the pair is near: it has been summed. */
    __device__ __forceinline__ bool take_near(const enuf_cuda_pair_arguments &a, double q_j,
                                              double s, double l, double f, const double d[3])
    {
        const double charge = a.scales.charge;
        const double near = product(product(fmax(fabs(q), charge), fmax(fabs(q_j), charge)),
                                    a.scales.near_per_charges);
        if (s >= near) return false;
        if (!is_atom) return true;
        if (s < near * NEAR_RANGE) {
            closest = fmin(closest, s);
            return true;
        }
        has_near = true;
        add_near(a, index, q, q_j, l, f, d[0], d[1], d[2]);
        return true;
    }

    /* less_polynomial() of the energy and of the force, side by side: each waits for its own sum */
    static __device__ __forceinline__ void less_polynomials(const enuf_cuda_pair_arguments &a,
                                                            double v, double root, double root3,
                                                            double &energy, double &force)
    {
        const double *e = a.fit.full.energy, *f = a.fit.full.force;
        double of_energy = e[a.n_fit - 1], of_force = f[a.n_fit - 1];
        for (int k = a.n_fit - 2; k > 0; k--) {
            of_energy = fma(of_energy, v, e[k]);
            of_force = fma(of_force, v, f[k]);
        }
        energy = fma(of_energy, -v, root - e[0]);
        force = fma(of_force, -v, root3 - f[0]);
    }

    __device__ __forceinline__ void pair(const enuf_cuda_pair_arguments &a, const Entry &j,
                                         bool allowed)
    {
        const enuf_cuda_grid &g = a.grid;
        const double about[3] = {at.x - j.x, at.y - j.y, at.z - j.z};
        /* pairs clearly beyond the cutoff need no exact distance */
        const double near = about[0] * about[0] + about[1] * about[1] + about[2] * about[2];
        if (!(near <= 1 + 1e-9) || !allowed) return;
        double fraction[3], d[3];
#pragma unroll
        for (int k = 0; k < 3; k++) {
            const double nearest =
                (double)(int64_t)((uint64_t)turn[k] - (uint64_t)j.turn[k]) * 0x1p-64;
            const double guess = about[0] * g.to_fraction[k] + about[1] * g.to_fraction[3 + k] +
                                 about[2] * g.to_fraction[6 + k];
            fraction[k] = __dadd_rn(nearest, rint(guess - nearest));
        }
#pragma unroll
        for (int e = 0; e < 3; e++)
            d[e] = dot(fraction[0], g.lattice[e], fraction[1], g.lattice[3 + e], fraction[2],
                       g.lattice[6 + e]);
        const double s = dot(d[0], d[0], d[1], d[1], d[2], d[2]);
        if (!(s <= 1)) return;
        const double v = ENUF_PAIR_FIT_CENTRE - s, root = inverse_root(s);
        const double root3 = product(product(root, root), root);
        double l = 0, f;
        if (ENERGY)
            less_polynomials(a, v, root, root3, l, f);
        else
            f = less_polynomial<0>(root3, v, a.fit.full.force, a.n_fit);
        if (s < a.scales.reach && take_near(a, j.q, s, l, f, d)) return;
        const double qq = product(q, j.q), qqf = product(qq, f), qf = product(j.q, f);
        all_contributions(qq, qqf, qf, j.q, l, d, a.scales,
                          [&](int c, double contribution, double scale) {
                              list_sum[c] += __double2ll_rn(product(contribution, scale));
                          });
    }

    __device__ __forceinline__ void flush(const enuf_cuda_pair_arguments &a)
    {
#pragma unroll
        for (int c = 0; c < FIXED_SUMS; c++) {
            if (!has(c)) continue;
            sum[c] += list_sum[c];
            list_sum[c] = 0;
            if (sum[c] < most_of_lane && sum[c] > -most_of_lane) continue;
            const int64_t carried = sum[c] / word;
            sum[c] -= carried * word;
            if (!is_atom) continue;
            has_near = true;
            carry(near_word(a, 1, c, index), carried);
        }
    }

    /* a sum over atoms, exact: its upper and lower 32 bits add up apart */
    static __device__ __forceinline__ void add_total(const enuf_cuda_pair_arguments &a, int which,
                                                     bool mine, int64_t x, int64_t upper_word)
    {
        enum { ALL = ENUF_CUDA_TOTALS * ENUF_CUDA_TOTAL_COPIES };
        long long upper = mine ? (x >> 32) + upper_word * (word >> 32) : 0,
                  lower = mine ? x & 0xffffffffLL : 0;
        for (int by = 1; by < ENUF_CUDA_CLUSTER; by *= 2) {
            upper += __shfl_xor_sync(~0u, upper, by);
            lower += __shfl_xor_sync(~0u, lower, by);
        }
        if (threadIdx.x % 32 != 0) return;
        unsigned long long *to = (unsigned long long *)total_of(a) + which;
        atomicAdd(to, (unsigned long long)upper);
        atomicAdd(to + ALL, (unsigned long long)lower);
    }

    /* Word of a sum in memory, after all lanes have added to it. */
    __device__ __forceinline__ int64_t stored(const enuf_cuda_pair_arguments &a, int upper,
                                              int c) const
    {
        return has_near ? (int64_t)__ldcg(near_word(a, upper, c, index)) : 0;
    }

    /* The sum c in units, rounded once. */
    __device__ __forceinline__ double whole(const enuf_cuda_pair_arguments &a, int c) const
    {
        const int64_t upper = stored(a, 1, c);
        return upper == 0 ? (double)sum[c] : (double)((__int128)upper * word + sum[c]);
    }

    __device__ void finish(const enuf_cuda_pair_arguments &a, int lane, bool valid, int)
    {
        const enuf_cuda_pair_outputs &out = a.out;
        if (a.has_ghosts) valid = valid && a.cells.original[index] < a.n_own;
        if (has_near) __threadfence(); /* other lanes of the atom read it */
        for (int by = ENUF_CUDA_CLUSTER; by < 32; by *= 2)
            has_near = __shfl_xor_sync(~0u, (int)has_near, by) || has_near;
        __syncwarp();
        bool overflowed = false;
#pragma unroll
        for (int c = 0; c < FIXED_SUMS; c++) {
            if (!has(c)) continue;
            for (int by = ENUF_CUDA_CLUSTER; by < 32; by *= 2)
                sum[c] += __shfl_xor_sync(~0u, (long long)sum[c], by);
            if (!has_near) continue;
            sum[c] += stored(a, 0, c);
            const int64_t upper = stored(a, 1, c);
            overflowed = overflowed || upper >= (INT64_C(1) << 61) || upper <= -(INT64_C(1) << 61);
        }
        if (overflowed && valid) a.record->overflowed = 1;
        if (closest <= 1 && valid)
            atomicMin(&a.record->closest, (unsigned long long)__double_as_longlong(closest));
        const bool writes = valid && lane < ENUF_CUDA_CLUSTER;
        if (ENERGY && out.want_energy)
            add_total(a, 0, writes, sum[FIXED_ENERGY], stored(a, 1, FIXED_ENERGY));
        for (int c = 0; c < 6 && TENSOR && out.want_virial; c++)
            add_total(a, 1 + c, writes, sum[FIXED_VIRIAL + c], stored(a, 1, FIXED_VIRIAL + c));
        if (!writes) return;
        const int64_t i = a.cells.original[index];
        const enuf_fixed_units unit = enuf_fixed_units_of(&a.scales, a.grid.cutoff);
        for (int e = 0; e < 3; e++) {
            if (out.forces) out.forces[3 * i + e] += unit.force * whole(a, FIXED_FORCE + e);
            if (FIELD && out.field) out.field[3 * i + e] += unit.field * whole(a, FIXED_FIELD + e);
        }
        if (ENERGY && out.atom_energy)
            out.atom_energy[i] += 0.5 * unit.energy * whole(a, FIXED_ENERGY);
        if (FIELD && out.potential) out.potential[i] += unit.potential * whole(a, FIXED_POTENTIAL);
        for (int c = 0; c < 6 && TENSOR && out.atom_virial; c++)
            out.atom_virial[6 * i + c] += 0.5 * unit.energy * whole(a, FIXED_VIRIAL + c);
    }
};

} // namespace

static bool want_tensor(const enuf_cuda_pair_outputs *out)
{
    return out->want_virial || out->atom_virial;
}

static bool want_field(const enuf_cuda_pair_outputs *out)
{
    return out->potential || out->field;
}

static bool want_energy(const enuf_cuda_pair_outputs *out)
{
    return out->want_energy || out->atom_energy || want_tensor(out) || want_field(out);
}

extern "C" int enuf_cuda_fixed_sums(const enuf_cuda_pair_outputs *out)
{
    return want_field(out)    ? FIXED_SUMS
           : want_tensor(out) ? FIXED_POTENTIAL
           : want_energy(out) ? FIXED_VIRIAL
                              : FIXED_ENERGY;
}

extern "C" enuf_status enuf_cuda_pairs_fixed(const enuf_cuda_pair_arguments *a, int64_t most,
                                             cudaStream_t stream)
{
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS);
    const bool tensor = want_tensor(&a->out), field = want_field(&a->out);
    if (tensor && field)
        launch_walk<fixed_sums<true, true, true>>(a, blocks, stream);
    else if (tensor)
        launch_walk<fixed_sums<true, true, false>>(a, blocks, stream);
    else if (field)
        launch_walk<fixed_sums<true, false, true>>(a, blocks, stream);
    else if (want_energy(&a->out))
        launch_walk<fixed_sums<true, false, false>>(a, blocks, stream);
    else
        launch_walk<fixed_sums<false, false, false>>(a, blocks, stream);
    return enuf_cuda_launched("deterministic pair sums");
}
