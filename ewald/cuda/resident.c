/* resident.c - data that stays on the device between evaluations. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "cuda_ewald.h"

#include <assert.h>
#include <string.h>

static const double two_pi = 6.283185307179586476925;

static enuf_status upload(enuf_cuda_ewald *cuda, enuf_device_array *array, const void *from,
                          int64_t count, size_t size, const char *what)
{
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, array, count, size, what));
    if (count == 0) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaMemcpyAsync(array->at, from, (size_t)count * size, cudaMemcpyHostToDevice,
                                  cuda->stream),
                  what);
    return ENUF_SUCCESS;
}

static enuf_status upload_charges(enuf_cuda_ewald *cuda, const enuf_charge_set *set)
{
    ENUF_TRY(upload(cuda, &cuda->q, set->q, set->n + cuda->n_partners, sizeof *set->q, "charges"));
    if (!set->q_single) return ENUF_SUCCESS;
    return upload(cuda, &cuda->q_single, set->q_single, set->n, sizeof *set->q_single,
                  "charges in float");
}

static enuf_status upload_exclusions(enuf_cuda_ewald *cuda, const enuf_charge_set *set)
{
    const char *what = "exclusions";
    if (set->n_excluded == 0) return ENUF_SUCCESS;
    const int64_t n_listed = set->first[set->n]; /* exclusions of this device's atoms */
    ENUF_TRY(upload(cuda, &cuda->excluded_first, set->first, set->n + 1, sizeof *set->first, what));
    ENUF_TRY(
        upload(cuda, &cuda->excluded_partner, set->partner, n_listed, sizeof *set->partner, what));
    return upload(cuda, &cuda->excluded_removed, set->removed, n_listed, sizeof *set->removed,
                  what);
}

void enuf_cuda_describe_influence(const enuf_splitting *splitting, const enuf_cell_geometry *cell,
                                  double k_c, enuf_cuda_influence *f)
{
    const enuf_prolate *psi = &splitting->psi;
    *f = (enuf_cuda_influence){
        .most_k2 = k_c * k_c * (1 + 1e-12), /* as enuf_in_sphere() */
        .scale = two_pi / cell->volume,
    };
    static_assert(sizeof f->beta == sizeof psi->beta, "room for all terms");
    for (int k = 0; k < 9; k++) f->inverse[k] = cell->inverse[k];
    if (splitting->kind == ENUF_SPLIT_PROLATE) {
        f->per_band = splitting->cutoff / splitting->c;
        f->per_psi_0 = 1 / psi->at_0;
        f->n_beta = psi->n;
        memcpy(f->beta, psi->beta, sizeof f->beta);
    } else {
        f->per_4_alpha2 = 0.25 / (splitting->alpha * splitting->alpha);
    }
}

static enuf_status fill_influence(const enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_ewald_method *method = &ewald->method;
    const enuf_parameters *p = &method->parameters;
    const int single = enuf_ewald_single_mesh(ewald);
    enuf_cuda_influence f;
    enuf_cuda_describe_influence(&p->splitting, &ewald->geometry, p->k_c, &f);
    f.h1 = (method->plan_modes[0] + 1) / 2;
    f.n2 = method->plan_modes[1];
    f.n3 = method->plan_modes[2];
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->influence, 2 * method->n_stored_modes,
                                       single ? sizeof(float) : sizeof(double),
                                       "influence of the modes"));
    return enuf_cuda_fill_influence(&f, single, cuda->influence.at, cuda->stream);
}

enuf_status enuf_cuda_make_resident(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_ewald_method *method = &ewald->method;
    if (cuda->charge_changes != ewald->charge_changes) {
        cuda->charge_changes = -1;
        if (!ewald->charges.on_device) ENUF_TRY(upload_charges(cuda, &ewald->charges));
        if (!ewald->charges.lists_on_device) ENUF_TRY(upload_exclusions(cuda, &ewald->charges));
        cuda->charge_changes = ewald->charge_changes;
    }
    if (cuda->method_changes == ewald->method_changes || !method->plan) return ENUF_SUCCESS;
    cuda->method_changes = -1;
    ENUF_TRY(fill_influence(ewald));
    cuda->method_changes = ewald->method_changes;
    return ENUF_SUCCESS;
}
