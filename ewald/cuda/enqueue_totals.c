/* enqueue_totals.c - totals that follow from the scalars of an evaluation, and their delivery in
 * device memory. SPDX-License-Identifier: BSD-3-Clause */
#include "cuda_ewald.h"

#include <string.h>

enuf_cuda_totals enuf_cuda_totals_of(const enuf_ewald *ewald, int wanted)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    return (enuf_cuda_totals){
        .wanted = wanted,
        .has_pairs = cuda->has_pairs,
        .has_modes = cuda->has_modes,
        .deterministic = ewald->options.deterministic,
        .n = cuda->atoms.n_all,
        .sum_q2 = ewald->charges.sum_q2,
        .closed = cuda->closed,
    };
}

enuf_status enuf_cuda_reserve_fault(enuf_cuda_ewald *cuda)
{
    if (cuda->fault.at) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->fault, 1, sizeof(enuf_cuda_fault),
                                       "errors of evaluations"));
    ENUF_CUDA_TRY(cudaMemsetAsync(cuda->fault.at, 0, sizeof(enuf_cuda_fault), cuda->stream),
                  "errors of evaluations");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_enqueue_totals(const enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_totals_delivery delivery = {
        .of = enuf_cuda_totals_of(ewald, what->wanted),
        .charges_on_device = ewald->charges.on_device,
        .scale = ewald->options.coulomb,
        .add = what->result->add,
        .to = what->result->totals,
    };
    memcpy(delivery.inverse, ewald->geometry.inverse, sizeof delivery.inverse);
    return enuf_cuda_deliver_totals(&cuda->atoms, &delivery, cuda->scalars.at, cuda->fault.at,
                                    cuda->work);
}
