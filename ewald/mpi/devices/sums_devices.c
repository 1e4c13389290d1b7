/*
 * sums_devices.c - sums over the atoms of all GPUs. The host needs them, so it adds them with MPI:
 * a small message of NCCL takes longer.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "devices_evaluation.h"

#include <string.h>

static int sums_moments(const enuf_devices_evaluation *e)
{
    const enuf_ewald_options *o = &e->m->ewald->options;
    return e->cuda->has_modes && (o->surroundings != 0 || o->slab != 0);
}

enuf_status enuf_devices_enqueue_net_force(enuf_devices_evaluation *e, int pass)
{
    enuf_cuda_ewald *cuda = e->cuda;
    const enuf_ewald *ewald = e->m->ewald;
    if (!cuda->has_modes || !cuda->to.forces) return ENUF_SUCCESS;
    return enuf_cuda_sum_mesh_force(
        &cuda->atoms, cuda->half_gradient.at, enuf_ewald_single_mesh(ewald), cuda->fp64_slow,
        ewald->options.deterministic, pass, cuda->scalars.at, cuda->work);
}

enuf_status enuf_devices_enqueue_terms(enuf_devices_evaluation *e, int pass)
{
    enuf_cuda_ewald *cuda = e->cuda;
    enuf_ewald *ewald = e->m->ewald;
    if (cuda->has_pairs) ENUF_TRY(enuf_cuda_take_exclusions_off(ewald, pass, cuda->work));
    if (!sums_moments(e)) return ENUF_SUCCESS;
    return enuf_cuda_sum_moments(&cuda->atoms, pass, cuda->scalars.at, cuda->work);
}

enuf_status enuf_devices_read_scalars(enuf_devices_evaluation *e)
{
    enuf_cuda_ewald *cuda = e->cuda;
    ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->host_copy, cuda->scalars.at, sizeof *cuda->host_copy,
                                  cudaMemcpyDeviceToHost, cuda->work),
                  "reading the sums");
    return enuf_device_wait_for_stream(&e->devices->ranks, cuda->work, "an evaluation");
}

enuf_status enuf_devices_write_scalars(enuf_devices_evaluation *e)
{
    enuf_cuda_ewald *cuda = e->cuda;
    ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->scalars.at, cuda->host_copy, sizeof *cuda->host_copy,
                                  cudaMemcpyHostToDevice, cuda->work),
                  "writing the sums");
    return ENUF_SUCCESS;
}

/* In integers: the unit comes from the largest term of all ranks. */
enuf_status enuf_devices_sum_in_integers(enuf_devices_evaluation *e)
{
    enuf_ranks *ranks = &e->m->ranks;
    const enuf_ewald *ewald = e->m->ewald;
    enuf_cuda_scalars *host_copy = e->cuda->host_copy;
    if (ewald->charges.n_excluded == 0 && !sums_moments(e) && !ewald->options.deterministic)
        return ENUF_SUCCESS;
    /* bits of positive numbers compare as the numbers do; NaN is the largest */
    MPI_Allreduce(MPI_IN_PLACE, host_copy->largest, TERMS, MPI_UINT64_T, MPI_MAX, ranks->comm);
    enuf_status status = enuf_devices_write_scalars(e);
    if (status == ENUF_SUCCESS) status = enuf_devices_enqueue_net_force(e, 1);
    if (status == ENUF_SUCCESS) status = enuf_devices_enqueue_terms(e, 1);
    if (status == ENUF_SUCCESS) status = enuf_devices_read_scalars(e);
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    int64_t total[TERMS];
    for (int k = 0; k < TERMS; k++) total[k] = host_copy->total[k];
    enuf_ranks_sum_integers(ranks, TERMS, total);
    for (int k = 0; k < TERMS; k++) host_copy->total[k] = total[k];
    return ENUF_SUCCESS;
}

static void sum_pair_integers(enuf_devices_evaluation *e)
{
    enum { BOTH = 2 * ENUF_CUDA_TOTALS };
    enuf_cuda_scalars *host_copy = e->cuda->host_copy;
    enuf_ranks *ranks = &e->m->ranks;
    const int has = e->devices->domain.n_own > 0;
    double unit = has ? enuf_cuda_pairs_unit(&e->cuda->pairs.arguments) : 0;
    int64_t sums[BOTH];
    for (int k = 0; k < BOTH; k++)
        sums[k] = host_copy->pair_integers[k / ENUF_CUDA_TOTALS][k % ENUF_CUDA_TOTALS];
    enuf_ranks_sum_integers(ranks, BOTH, sums);
    enuf_ranks_largest(ranks, 1, &unit);
    for (int k = 0; k < ENUF_CUDA_TOTALS; k++)
        host_copy->pairs[k] = enuf_cuda_pairs_total_of(unit, sums[k], sums[ENUF_CUDA_TOTALS + k]);
}

enuf_status enuf_devices_sum_scalars(enuf_devices_evaluation *e)
{
    enuf_cuda_scalars *host_copy = e->cuda->host_copy;
    double sums[ENUF_CUDA_TOTALS + 3];
    if (e->m->ewald->options.deterministic) {
        if (e->cuda->has_pairs) sum_pair_integers(e);
        return ENUF_SUCCESS;
    }
    memcpy(sums, host_copy->pairs, sizeof host_copy->pairs);
    memcpy(sums + ENUF_CUDA_TOTALS, host_copy->net, sizeof host_copy->net);
    ENUF_TRY(enuf_ranks_sum_in_order(&e->m->ranks, ENUF_CUDA_TOTALS + 3, sums));
    memcpy(host_copy->pairs, sums, sizeof host_copy->pairs);
    memcpy(host_copy->net, sums + ENUF_CUDA_TOTALS, sizeof host_copy->net);
    return ENUF_SUCCESS;
}
