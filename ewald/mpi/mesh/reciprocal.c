/*
 * reciprocal.c - functions that the decompositions of the mesh share; see reciprocal.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "reciprocal.h"
#include "evaluate/totals.h"
#include "memory.h"

#include <string.h>

enuf_status enuf_mesh_make(const enuf_mesh_request *request, size_t size, enuf_mesh_build build,
                           void (*destroy)(enuf_reciprocal **made), enuf_reciprocal **made)
{
    char *room = NULL;
    *made = NULL;
    enuf_status status = enuf_allocate(&room, 1, size, "a mesh");
    if (status == ENUF_SUCCESS) {
        memset(room, 0, size);
        *made = (enuf_reciprocal *)(void *)room;
        status = build(request, *made);
    }
    status = enuf_ranks_agree(request->ranks, status);
    if (status != ENUF_SUCCESS) destroy(made);
    return status;
}

int enuf_mesh_serves(const enuf_parameters *made_for, const enuf_parameters *requested)
{
    if (made_for->window != requested->window || made_for->width != requested->width ||
        made_for->shape != requested->shape)
        return 0;
    for (int a = 0; a < 3; a++)
        if (made_for->grid[a] != requested->grid[a] || requested->modes[a] > made_for->modes[a])
            return 0;
    return 1;
}

enuf_status enuf_mesh_agree_sums(enuf_ranks *ranks, enuf_status status, enuf_mesh_sums *sums)
{
    double totals[7] = {0};
    const int n = sums->with_virial ? 7 : 1;
    if (status == ENUF_SUCCESS) {
        totals[0] = sums->energy;
        if (sums->with_virial) memcpy(totals + 1, sums->virial, sizeof sums->virial);
    }
    ENUF_TRY(enuf_ranks_agree_from_first(ranks, status, n, totals));
    sums->energy = totals[0];
    if (sums->with_virial) memcpy(sums->virial, totals + 1, sizeof sums->virial);
    return ENUF_SUCCESS;
}

void enuf_mesh_set_sums(const enuf_ewald *ewald, double energy, const double moments[6],
                        enuf_mesh_sums *sums)
{
    sums->energy = energy;
    memset(sums->virial, 0, sizeof sums->virial);
    if (sums->with_virial)
        enuf_add_mode_virial(ewald->geometry.inverse, energy, moments, sums->virial);
}

enuf_status enuf_mesh_reduce(const enuf_mesh_request *request, enuf_status status, double parts[7],
                             enuf_mesh_sums *sums)
{
    ENUF_TRY(enuf_ranks_agree_sum(request->ranks, status, sums->with_virial ? 7 : 1, parts));
    enuf_mesh_set_sums(request->ewald, parts[0], parts + 1, sums);
    return ENUF_SUCCESS;
}

enuf_status enuf_mesh_refuse_deterministic(const enuf_mesh_request *request)
{
    if (!request->ewald->options.deterministic) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "a distributed grid does not give the same bits at every number of ranks: use "
                     "the replicated decomposition, or leave deterministic 0");
}

enuf_status enuf_mesh_check_limit(const enuf_mesh_request *request, int64_t bytes)
{
    const int64_t limit = request->ewald->options.memory_limit;
    const int64_t *grid = request->ewald->method.parameters.grid;
    const int gpus = request->devices != NULL;
    if (limit == 0 || bytes <= limit) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "this %s of a fine grid of %lldx%lldx%lld takes %.3g GB, memory_limit is %.3g "
                     "GB: more %s take less each",
                     gpus ? "GPU's slab" : "rank's part", (long long)grid[0], (long long)grid[1],
                     (long long)grid[2], (double)bytes / 1e9, (double)limit / 1e9,
                     gpus ? "GPUs" : "ranks");
}
