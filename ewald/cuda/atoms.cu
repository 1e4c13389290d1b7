/*
 * atoms.cu - passes over the atoms: a thread an atom, bound by memory (positions, charges, mesh and
 * sums are read once, results written once). SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "lattice/tensor.h"
#include "real.cuh"
#include "terms.cuh"

static __global__ void clear(enuf_cuda_scalars *scalars, int64_t n, const enuf_charge_sums *charges)
{
    const int k = threadIdx.x;
    double *reduced = &scalars->reduced[0][0];
    if (k < ENUF_CUDA_TOTALS) scalars->pairs[k] = 0;
    if (k < 14) reduced[k] = 0;
    if (k < 2 * ENUF_CUDA_TOTALS)
        scalars->pair_integers[k / ENUF_CUDA_TOTALS][k % ENUF_CUDA_TOTALS] = 0;
    if (k < 3) scalars->net[k] = 0;
    if (k < TERMS) {
        scalars->largest[k] = 0;
        scalars->total[k] = 0;
    }
    if (k > 0) return;
    scalars->record = {ENUF_CUDA_NO_ATOM, ENUF_CUDA_NO_ATOM, 0, 0, ENUF_CUDA_NO_ATOM, 0};
    scalars->charges = charges ? *charges : enuf_charge_sums{}; /* the host reads all bytes */
    scalars->net_charge = charges ? enuf_invariant_value(n, charges->largest, charges->sum) : 0;
}

extern "C" enuf_status enuf_cuda_clear_scalars(enuf_cuda_scalars *scalars, int64_t n,
                                               const enuf_charge_sums *charges, cudaStream_t stream)
{
    clear<<<1, 32, 0, stream>>>(scalars, n, charges);
    return enuf_cuda_launched("clear the sums");
}

static __global__ void check(const __grid_constant__ enuf_cuda_atoms atoms,
                             enuf_cuda_scalars *scalars)
{
    const int64_t i = this_atom();
    if (i >= atoms.n) return;
    const double *x = atoms.positions + i * atoms.stride;
    if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2])))
        atomicMin(&scalars->record.bad_atom, (unsigned long long)i);
}

extern "C" enuf_status enuf_cuda_check_positions(const enuf_cuda_atoms *atoms,
                                                 enuf_cuda_scalars *scalars, cudaStream_t stream)
{
    check<<<atom_blocks(atoms->n), atom_threads, 0, stream>>>(*atoms, scalars);
    return enuf_cuda_launched("check positions");
}

static __device__ void moments_of(const enuf_cuda_atoms &atoms, int64_t i, double t[4])
{
    const double *x = atoms.positions + i * atoms.stride, q = atoms.q[i];
    for (int d = 0; d < 3; d++) t[d] = q * x[d];
    t[3] = q * x[2] * x[2];
}

/* pass 0: the largest terms; pass 1: their sums */
static __global__ void moments(const __grid_constant__ enuf_cuda_atoms atoms, int pass,
                               enuf_cuda_scalars *scalars)
{
    static_assert(TERM_SECOND == TERM_DIPOLE + 3, "terms of one pass stand together");
    sum_terms<4>(atoms, TERM_DIPOLE, pass, scalars,
                 [&](int64_t i, double t[4]) { moments_of(atoms, i, t); });
}

extern "C" enuf_status enuf_cuda_sum_moments(const enuf_cuda_atoms *atoms, int pass,
                                             enuf_cuda_scalars *scalars, cudaStream_t stream)
{
    if (atoms->n > 0)
        moments<<<summing_blocks(atoms->n), atom_threads, 0, stream>>>(*atoms, pass, scalars);
    return enuf_cuda_launched("moments of the charges");
}

static __device__ __forceinline__ void record_bad_atom(const enuf_cuda_atoms &atoms,
                                                       enuf_cuda_scalars *scalars)
{
    if (!atoms.bad || blockIdx.x > 0 || threadIdx.x > 0) return;
    atomicMin(&scalars->record.bad_atom, (unsigned long long)*atoms.bad);
}

/* One pass; blocks add their sums in any order. PLAIN: gradients are in float, and double is
 * slow. */
template <bool PLAIN>
static __global__ void net_force(const __grid_constant__ enuf_cuda_atoms atoms,
                                 const void *half_gradient, int single, enuf_cuda_scalars *scalars)
{
    typedef typename wide_sum<PLAIN>::type Wide;
    __shared__ Wide part[3][atom_threads / 32];
    Wide sum[3] = {};
    enuf_chain_wait();
    record_bad_atom(atoms, scalars);
    for (int64_t i = this_atom(); i < atoms.n; i += atom_step()) {
        const double q = atoms.q[i];
        for (int d = 0; d < 3; d++) {
            if constexpr (PLAIN)
                sum[d] = enuf_added(sum[d], (float)q * ((const float *)half_gradient)[3 * i + d]);
            else
                sum[d] += q * real_at(half_gradient, single, 3 * i + d);
        }
    }
    for (int d = 0; d < 3; d++) {
        for (int by = 16; by > 0; by /= 2) sum[d] = enuf_added(sum[d], of_lane(sum[d], by));
        if (threadIdx.x % 32 == 0) part[d][threadIdx.x / 32] = sum[d];
    }
    __syncthreads();
    if (threadIdx.x >= 3) return;
    Wide all = {};
    for (int warp = 0; warp < atom_threads / 32; warp++)
        all = enuf_added(all, part[threadIdx.x][warp]);
    atomicAdd(&scalars->net[threadIdx.x], -2 * enuf_total(all));
}

/* deterministic: two passes, 23 us for a million ions where the plain sum above takes 11 (H100,
 * November 2026). */
static __global__ void mesh_force(const __grid_constant__ enuf_cuda_atoms atoms,
                                  const void *half_gradient, int single, int pass,
                                  enuf_cuda_scalars *scalars)
{
    record_bad_atom(atoms, scalars);
    sum_terms<3>(atoms, TERM_NET, pass, scalars, [&](int64_t i, double t[3]) {
        for (int d = 0; d < 3; d++)
            t[d] = -2 * atoms.q[i] * real_at(half_gradient, single, 3 * i + d);
    });
}

extern "C" enuf_status enuf_cuda_sum_mesh_force(const enuf_cuda_atoms *atoms,
                                                const void *half_gradient, int single,
                                                int avoids_fp64, int deterministic, int pass,
                                                enuf_cuda_scalars *scalars, cudaStream_t stream)
{
    if (atoms->n == 0 || (!deterministic && pass > 0)) return ENUF_SUCCESS;
    if (!deterministic)
        enuf_chain(stream, avoids_fp64 && single ? net_force<true> : net_force<false>,
                   dim3(summing_blocks(atoms->n)), atom_threads, 0, *atoms, half_gradient, single,
                   scalars);
    if (deterministic)
        mesh_force<<<summing_blocks(atoms->n), atom_threads, 0, stream>>>(*atoms, half_gradient,
                                                                          single, pass, scalars);
    return enuf_cuda_launched("net force of the mesh");
}

/* phi of sphere or slab at x, and its field. */
static __device__ double surface_potential(const enuf_closed_forms &b, double charge,
                                           const double dipole[3], double second, const double x[3],
                                           double field[3])
{
    const double along = dipole[0] * x[0] + dipole[1] * x[1] + dipole[2] * x[2];
    for (int d = 0; d < 3; d++) field[d] = -2 * b.sphere * dipole[d];
    field[2] -= 2 * b.slab * (dipole[2] - charge * x[2]);
    return 2 * b.sphere * along + 2 * b.slab *
                                      (x[2] * dipole[2] - 0.5 * (second + charge * x[2] * x[2]) -
                                       charge * b.level_of_unit);
}

static __device__ __forceinline__ void hand_over(const enuf_cuda_delivery &d, double *to,
                                                 int64_t at, double value)
{
    to[at] = (d.add ? to[at] : 0) + d.scale * value;
}

/* Hands over three numbers of each atom of a block. The numbers go through `room`, so that
 * neighbouring threads write neighbouring numbers. If each thread wrote its own three, every line
 * of memory would be written three times. All threads of the block call it. */
static __device__ __forceinline__ void hand_over_vectors(const enuf_cuda_delivery &d, double *to,
                                                         int64_t n, const double v[3],
                                                         double room[3 * atom_threads])
{
    const int64_t first = 3 * (int64_t)blockIdx.x * atom_threads;
    __syncthreads();
    for (int k = 0; k < 3; k++) room[3 * threadIdx.x + k] = v[k];
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * atom_threads; k += atom_threads)
        if (first + k < 3 * n) hand_over(d, to, first + k, room[k]);
}

/* An atom's share of the mesh's net force. */
static __device__ __forceinline__ double
net_share(const enuf_cuda_delivery &d, const enuf_cuda_scalars *scalars, int k, int64_t n)
{
    if (!d.remove_net) return 0;
    const double net =
        d.deterministic ? enuf_cuda_term_sum(scalars, TERM_NET + k, n) : scalars->net[k];
    return net / (double)d.n_charged;
}

/* The field of the pairs that were summed once, in the caller's frame. */
static __device__ __forceinline__ void pair_field(const enuf_cuda_sorted_field &pairs, int64_t i,
                                                  double field[3], enuf_cuda_scalars *scalars)
{
    const int place = pairs.place[i];
    if (place < 0) return;
    double f[3];
    for (int k = 0; k < 3; k++) f[k] = pairs.sums[k * pairs.n + place];
    if (!(fabs(f[0]) + fabs(f[1]) + fabs(f[2]) < pairs.suspicious)) scalars->record.suspicious = 1;
    for (int e = 0; e < 3; e++)
        field[e] = f[0] * pairs.frame[e] + f[1] * pairs.frame[3 + e] + f[2] * pairs.frame[6 + e];
}

static __device__ __forceinline__ double at_or_zero(const double *array, int64_t at)
{
    return array ? array[at] : 0;
}

/* Force and field of an atom, before the gathered sums are added and the net force's share is
 * subtracted. */
struct atom_vectors {
    double force[3], field[3];
};

/* Hands over potential, energy and virial of an atom. Its force and field go to *v. */
static __device__ __forceinline__ void deliver_atom(const enuf_cuda_atoms &atoms,
                                                    const enuf_cuda_delivery &d, int64_t i,
                                                    enuf_cuda_scalars *scalars, atom_vectors *v)
{
    const int64_t n = atoms.n_all;
    const double q = atoms.q[i];
    double x[3] = {0, 0, 0}, field[3] = {0, 0, 0}, surface = 0, dipole[3] = {0, 0, 0};
    const enuf_closed_forms &b = d.closed;
    const double charge = d.net_on_device ? scalars->net_charge : b.charge;
    const double background = charge * b.background_of_unit;
    if (b.sphere != 0 || b.slab != 0) {
        for (int k = 0; k < 3; k++) {
            x[k] = atoms.positions[i * atoms.stride + k];
            if (b.sphere != 0 || k == 2)
                dipole[k] = enuf_cuda_term_sum(scalars, TERM_DIPOLE + k, n);
        }
        const double second = b.slab != 0 ? enuf_cuda_term_sum(scalars, TERM_SECOND, n) : 0;
        surface = surface_potential(b, charge, dipole, second, x, field);
    }
    const double constant = background - b.self * q;
    double gradient[3] = {0, 0, 0}, half = 0;
    for (int k = 0; k < 3 && d.half_gradient; k++)
        gradient[k] = real_at(d.half_gradient, d.single, 3 * i + k);
    if (d.half_potential) half = real_at(d.half_potential, d.single, i);
    if (d.to.potential)
        hand_over(d, d.to.potential, i,
                  at_or_zero(d.sums.potential, i) + 2 * half + surface + constant);
    if (d.to.atom_energy)
        hand_over(d, d.to.atom_energy, i,
                  at_or_zero(d.sums.atom_energy, i) + q * half + 0.5 * q * (surface + constant));
    double of_pairs[3] = {0, 0, 0};
    if (d.pairs.sums) pair_field(d.pairs, i, of_pairs, scalars);
    for (int k = 0; k < 3; k++) {
        v->field[k] = field[k] - 2 * gradient[k];
        v->force[k] = q != 0 ? q * (of_pairs[k] + v->field[k]) : 0;
    }
    if (!d.to.atom_virial) return;
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    const double of_background = 0.5 * q * background;
    for (int c = 0; c < 6; c++) {
        double w = at_or_zero(d.sums.atom_virial, 6 * i + c);
        if (c < 3) w += of_background + (c == 2 && b.slab != 0 ? -0.5 : 0.5) * q * surface;
        w += b.tail[c] * q * q -
             b.sphere * q * (x[row[c]] * dipole[column[c]] + x[column[c]] * dipole[row[c]]);
        hand_over(d, d.to.atom_virial, 6 * i + c, w);
    }
}

static __global__ void __launch_bounds__(atom_threads)
    deliver(const __grid_constant__ enuf_cuda_atoms atoms,
            const __grid_constant__ enuf_cuda_delivery d, enuf_cuda_scalars *scalars)
{
    __shared__ double room[3 * atom_threads], share[3];
    const int64_t i = this_atom(), n = atoms.n;
    const enuf_cuda_pair_record *r = &scalars->record;
    enuf_chain_wait();
    /* bad data: nothing is handed over; all threads read the same record */
    if (r->bad_atom != ENUF_CUDA_NO_ATOM || r->far_atom != ENUF_CUDA_NO_ATOM ||
        r->closest != ENUF_CUDA_NO_ATOM || r->overflowed)
        return;
    if (threadIdx.x < 3) share[threadIdx.x] = net_share(d, scalars, (int)threadIdx.x, atoms.n_all);
    atom_vectors v = {{0, 0, 0}, {0, 0, 0}};
    if (i < n) deliver_atom(atoms, d, i, scalars, &v);
    __syncthreads();
    if (d.to.field) {
        for (int k = 0; k < 3 && i < n; k++) v.field[k] += at_or_zero(d.sums.field, 3 * i + k);
        hand_over_vectors(d, d.to.field, n, v.field, room);
    }
    if (!d.to.forces) return;
    const bool charged = i < n && atoms.q[i] != 0;
    for (int k = 0; k < 3 && i < n; k++)
        v.force[k] = at_or_zero(d.sums.forces, 3 * i + k) + (charged ? v.force[k] - share[k] : 0);
    hand_over_vectors(d, d.to.forces, n, v.force, room);
}

extern "C" enuf_status enuf_cuda_deliver(const enuf_cuda_atoms *atoms,
                                         const enuf_cuda_delivery *delivery,
                                         enuf_cuda_scalars *scalars, cudaStream_t stream)
{
    enuf_chain(stream, deliver, dim3(atom_blocks(atoms->n)), atom_threads, 0, *atoms, *delivery,
               scalars);
    return enuf_cuda_launched("deliver");
}
