/*
 * atom_slopes.cu - passes over the atoms before and after the sums: a thread an atom, bound by
 * memory. SPDX-License-Identifier: BSD-3-Clause
 */
#include "derivatives/charge_sets.h"
#include "slope_totals.cuh"

static __device__ __forceinline__ void lower(unsigned long long *index, bool yes, int64_t to)
{
    if (yes) atomicMin(index, (unsigned long long)to);
}

static __global__ void look(const __grid_constant__ enuf_cuda_moving_atoms atoms,
                            enuf_cuda_direction_found *found)
{
    const int64_t i = this_atom();
    const enuf_motion &m = atoms.motion;
    /* most charges may change: a block says it once */
    const bool recharged = i < atoms.n && enuf_motion_charge(&m, i) != 0;
    if (__syncthreads_or(recharged) && threadIdx.x == 0)
        atomicMin(&found->recharged, (unsigned long long)i);
    if (i >= atoms.n) return;
    for (int d = 0; d < 3; d++) {
        lower(&found->position, !isfinite(m.positions[i * m.stride + d]), i);
        if (m.displacements)
            lower(&found->displacement, !isfinite(m.displacements[3 * i + d]), 3 * i + d);
    }
    lower(&found->change, !isfinite(enuf_motion_charge(&m, i)), i);
}

extern "C" enuf_status enuf_cuda_look_at_direction(const enuf_cuda_moving_atoms *atoms,
                                                   enuf_cuda_direction_found *found,
                                                   cudaStream_t stream)
{
    look<<<atom_blocks(atoms->n), atom_threads, 0, stream>>>(*atoms, found);
    return enuf_cuda_launched("look at a direction");
}

static __global__ void __launch_bounds__(atom_threads)
    survey(const __grid_constant__ enuf_cuda_moving_atoms atoms,
           const __grid_constant__ enuf_closed_forms forms, double *partial)
{
    double sums[SURVEYED] = {};
    for (int64_t i = this_atom(); i < atoms.n; i += atom_step()) {
        const enuf_moving_charge a = enuf_motion_atom(&atoms.motion, i, atoms.q[i]);
        const bool charged = a.q != 0 || a.w != 0;
        enuf_add_closed_moments(&forms, &atoms.motion, &a, sums);
        sums[SURVEY_CHARGED] += charged ? 1 : 0;
        for (int d = 0; d < 3; d++) {
            sums[SURVEY_MOVED + d] += charged ? a.v[d] : 0;
            sums[SURVEY_DIPOLE + d] += fabs(a.q * a.v[d]);
        }
        sums[SURVEY_CHARGE] += fabs(a.q);
        sums[SURVEY_CHANGE] += fabs(a.w);
    }
    sum_block(sums, partial);
}

extern "C" enuf_status enuf_cuda_survey(const enuf_cuda_moving_atoms *atoms,
                                        const enuf_closed_forms *forms, double *partial,
                                        double *totals, cudaStream_t stream)
{
    const unsigned blocks = summing_blocks(atoms->n);
    survey<<<blocks, atom_threads, 0, stream>>>(*atoms, *forms, partial);
    ENUF_TRY(enuf_cuda_launched("survey of the atoms"));
    return enuf_cuda_sum_partial(partial, blocks, SURVEYED, SURVEYED, totals + TOTAL_SURVEY,
                                 stream);
}

/* At least the sum of the sizes of the strengths of a kind. Rounded as on a host. */
static __device__ double strength_of(const double *totals, int kind)
{
    const double *survey = totals + TOTAL_SURVEY;
    if (kind == MESH_CHANGES) return survey[SURVEY_CHANGE];
    const int d = kind - MESH_DIPOLES;
    return __dadd_rn(survey[SURVEY_DIPOLE + d],
                     __dmul_rn(fabs(totals[TOTAL_MEAN + d]), survey[SURVEY_CHARGE]));
}

/* One thread. */
static __global__ void settle(enuf_cuda_settling s, double *totals, enuf_cuda_pair_record *record)
{
    const double *survey = totals + TOTAL_SURVEY;
    for (int d = 0; d < 3; d++)
        totals[TOTAL_MEAN + d] =
            s.leaves_mean ? survey[SURVEY_MOVED + d] / survey[SURVEY_CHARGED] : 0;
    totals[TOTAL_SCALES + MESH_CHARGES] = 1;
    for (int kind = MESH_CHANGES; kind < MESH_KINDS; kind++)
        totals[TOTAL_SCALES + kind] = enuf_set_scale(s.bound, strength_of(totals, kind));
    *record = {ENUF_CUDA_NO_ATOM, ENUF_CUDA_NO_ATOM, 0, 0, ENUF_CUDA_NO_ATOM, 0, 0};
}

extern "C" enuf_status enuf_cuda_settle_slopes(const enuf_cuda_settling *settling, double *totals,
                                               enuf_cuda_pair_record *record, cudaStream_t stream)
{
    settle<<<1, 1, 0, stream>>>(*settling, totals, record);
    return enuf_cuda_launched("means and scales of slopes");
}

/* Totals from here on may overflow in what the host makes of them. */
static const double LARGE_TOTAL = 1e25;

/* By all threads of a block: 1 where the host will find nothing wrong. */
static __device__ __forceinline__ bool is_clean(const enuf_cuda_slope_delivery &d)
{
    static_assert(TOTAL_DELIVERED <= atom_threads, "a thread for each total");
    const enuf_cuda_direction_found &f = *d.found;
    const enuf_cuda_pair_record &r = *d.record;
    bool clean = f.position == ENUF_CUDA_NO_ATOM && f.displacement == ENUF_CUDA_NO_ATOM &&
                 f.change == ENUF_CUDA_NO_ATOM && r.bad_atom == ENUF_CUDA_NO_ATOM &&
                 r.far_atom == ENUF_CUDA_NO_ATOM && r.closest == ENUF_CUDA_NO_ATOM &&
                 !r.suspicious && !r.overflowed;
    if (threadIdx.x < TOTAL_DELIVERED) clean &= fabs(d.totals[threadIdx.x]) < LARGE_TOTAL;
    return __syncthreads_and(clean);
}

static __global__ void __launch_bounds__(atom_threads)
    deliver(const __grid_constant__ enuf_cuda_moving_atoms atoms,
            const __grid_constant__ enuf_cuda_slope_delivery d, double *partial)
{
    const double *moment = d.totals + TOTAL_SURVEY;
    double sums[9] = {}, mean_force[3];
    if (d.found && !is_clean(d)) return;
    if (blockIdx.x == 0 && threadIdx.x == 0) d.totals[TOTAL_DELIVERED] = 1;
    for (int k = 0; k < 3; k++)
        mean_force[k] = d.keeps_net_force ? 0 : d.totals[TOTAL_NET + k] / moment[SURVEY_CHARGED];
    for (int64_t i = this_atom(); i < atoms.n; i += atom_step()) {
        const enuf_moving_charge a = enuf_motion_atom(&atoms.motion, i, atoms.q[i]);
        const bool charged = a.q != 0 || a.w != 0;
        double potential = atoms.potential[i] + d.mesh_potential[i], force[3];
        for (int k = 0; k < 3; k++)
            force[k] =
                atoms.forces[3 * i + k] + d.mesh_forces[3 * i + k] - (charged ? mean_force[k] : 0);
        enuf_add_closed_share(&d.forms, &atoms.motion, moment, &a, &potential, force);
        for (int c = 0; c < 9; c++) sums[c] += force[c / 3] * a.x[c % 3];
        for (int k = 0; k < 3 && d.forces; k++) d.forces[3 * i + k] = d.scale * force[k];
        if (d.potential) d.potential[i] = d.scale * potential;
    }
    sum_block(sums, partial);
}

extern "C" enuf_status enuf_cuda_deliver_slopes(const enuf_cuda_moving_atoms *atoms,
                                                const enuf_cuda_slope_delivery *delivery,
                                                double *partial, cudaStream_t stream)
{
    const unsigned blocks = summing_blocks(atoms->n);
    deliver<<<blocks, atom_threads, 0, stream>>>(*atoms, *delivery, partial);
    ENUF_TRY(enuf_cuda_launched("deliver slopes"));
    return enuf_cuda_sum_partial(partial, blocks, 9, 9, delivery->totals + TOTAL_FORCES_X, stream);
}
