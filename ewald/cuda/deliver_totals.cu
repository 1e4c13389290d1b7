/* deliver_totals.cu - delivers energy, virial and net force in device memory, by one thread.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "totals.h"

static __device__ void hand_over(const enuf_cuda_totals_delivery &d, double value, double *to)
{
    *to = (d.add ? *to : 0) + d.scale * value;
}

static __device__ void note_fault(const enuf_cuda_atoms &atoms, const enuf_cuda_pair_record &record,
                                  double energy, enuf_cuda_fault *fault)
{
    if (fault->number > 0) return;
    const unsigned long long atom =
        record.bad_atom != ENUF_CUDA_NO_ATOM ? record.bad_atom : record.far_atom;
    fault->number = fault->evaluations;
    fault->record = record;
    fault->energy = energy;
    for (int k = 0; k < 3 && atom != ENUF_CUDA_NO_ATOM; k++)
        fault->x[k] = atoms.positions[(int64_t)atom * atoms.stride + k];
}

static __global__ void deliver_totals(const __grid_constant__ enuf_cuda_atoms atoms,
                                      const __grid_constant__ enuf_cuda_totals_delivery d,
                                      const enuf_cuda_scalars *scalars, enuf_cuda_fault *fault)
{
    const enuf_cuda_pair_record &r = scalars->record;
    enuf_cuda_totals of = d.of;
    enuf_ewald_totals found;
    fault->evaluations++;
    if (d.charges_on_device) {
        const enuf_charge_sums &sums = scalars->charges;
        of.sum_q2 = enuf_invariant_value(of.n, sums.largest * sums.largest, sums.sum_q2);
        enuf_closed_forms_set_charge(&of.closed, scalars->net_charge);
    }
    enuf_cuda_read_modes(scalars, d.inverse, of.wanted, &of.modes_energy, of.modes_virial);
    enuf_cuda_find_totals(&of, scalars, &found);
    const bool bad = r.bad_atom != ENUF_CUDA_NO_ATOM || r.far_atom != ENUF_CUDA_NO_ATOM ||
                     r.closest != ENUF_CUDA_NO_ATOM || r.overflowed || !isfinite(found.energy);
    if (bad) {
        note_fault(atoms, r, found.energy, fault);
        return;
    }
    if (of.wanted & ENUF_WANT_ENERGY) {
        hand_over(d, found.energy, &d.to->energy);
        hand_over(d, found.parts.real, &d.to->parts.real);
        hand_over(d, found.parts.reciprocal, &d.to->parts.reciprocal);
        hand_over(d, found.parts.self, &d.to->parts.self);
        hand_over(d, found.parts.background, &d.to->parts.background);
        hand_over(d, found.parts.surface, &d.to->parts.surface);
        hand_over(d, found.parts.excluded, &d.to->parts.excluded);
    }
    for (int c = 0; c < 6 && (of.wanted & ENUF_WANT_VIRIAL); c++)
        hand_over(d, found.virial[c], &d.to->virial[c]);
    for (int k = 0; k < 3 && (of.wanted & ENUF_WANT_FORCES); k++)
        hand_over(d, found.net_force[k], &d.to->net_force[k]);
}

extern "C" enuf_status enuf_cuda_deliver_totals(const enuf_cuda_atoms *atoms,
                                                const enuf_cuda_totals_delivery *delivery,
                                                const enuf_cuda_scalars *scalars,
                                                enuf_cuda_fault *fault, cudaStream_t stream)
{
    deliver_totals<<<1, 1, 0, stream>>>(*atoms, *delivery, scalars, fault);
    return enuf_cuda_launched("deliver totals");
}
