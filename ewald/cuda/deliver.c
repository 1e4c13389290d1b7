/*
 * deliver.c - the end of an evaluation: hands the results to the caller.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda_ewald.h"

#include <math.h>
#include <string.h>

static enuf_ewald_totals find_totals(const enuf_ewald *ewald, int wanted)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_totals of = enuf_cuda_totals_of(ewald, wanted);
    of.modes_energy = cuda->modes_energy;
    memcpy(of.modes_virial, cuda->modes_virial, sizeof of.modes_virial);
    enuf_ewald_totals totals;
    enuf_cuda_find_totals(&of, cuda->host_copy, &totals);
    return totals;
}

/* An array of scaled results of the atoms: its place on the device, and the caller's array. */
typedef struct result_array {
    int wanted, width;
    const double *from;
    enuf_array *scratch;
    double *to;
    const char *what;
} result_array;

enum { RESULT_ARRAYS = 5 };

static void list_arrays(enuf_ewald *ewald, const enuf_ewald_result *r,
                        result_array arrays[RESULT_ARRAYS])
{
    const enuf_cuda_atom_sums *on = &enuf_cuda_ewald_of(ewald)->to;
    const result_array all[RESULT_ARRAYS] = {
#define ENUF_X(BIT, name, width, text)                                                             \
    {ENUF_WANT_##BIT, width, on->name, &ewald->name, r->name, text},
        ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    };
    memcpy(arrays, all, sizeof all);
}

static enuf_status copy_to_host(const enuf_ewald *ewald, const result_array *array, void *to)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const size_t n = (size_t)(array->width * cuda->atoms.n);
    return enuf_staged_copy_out(&cuda->staging, cuda->stream, enuf_ewald_threads(ewald), to,
                                array->from, n * sizeof(double), array->what);
}

/* Sends results to page-locked memory only: a copy to other memory would wait for the device. */
enuf_status enuf_cuda_send_results(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    result_array arrays[RESULT_ARRAYS];
    cuda->sent = 0;
    if (what->memory != ENUF_HOST || what->result->add || cuda->atoms.n == 0) return ENUF_SUCCESS;
    list_arrays(ewald, what->result, arrays);
    for (int k = 0; k < RESULT_ARRAYS; k++) {
        struct cudaPointerAttributes attributes;
        if (!arrays[k].from) continue;
        ENUF_CUDA_TRY(cudaPointerGetAttributes(&attributes, arrays[k].to), "looking at a pointer");
        if (attributes.type != cudaMemoryTypeHost) continue;
        ENUF_TRY(copy_to_host(ewald, &arrays[k], arrays[k].to));
        cuda->sent |= arrays[k].wanted;
    }
    return ENUF_SUCCESS;
}

static enuf_status fetch(enuf_ewald *ewald, const result_array *array, int add)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const int64_t n = array->width * cuda->atoms.n;
    if (!array->from || n == 0 || (cuda->sent & array->wanted)) return ENUF_SUCCESS;
    if (add) ENUF_TRY(enuf_array_reserve(array->scratch, n, sizeof(double), array->what));
    ENUF_TRY(copy_to_host(ewald, array, add ? array->scratch->at : array->to));
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), array->what);
    const double *source = array->scratch->at;
    for (int64_t k = 0; k < n && add; k++) array->to[k] += source[k];
    return ENUF_SUCCESS;
}

static enuf_status fetch_all(enuf_ewald *ewald, const enuf_evaluation *what)
{
    result_array arrays[RESULT_ARRAYS];
    list_arrays(ewald, what->result, arrays);
    for (int k = 0; k < RESULT_ARRAYS; k++) ENUF_TRY(fetch(ewald, &arrays[k], what->result->add));
    return ENUF_SUCCESS;
}

void enuf_cuda_keep_times(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    float real = 0, reciprocal = 0;
    if (cudaEventElapsedTime(&real, cuda->event[EVENT_START], cuda->event[EVENT_MIDDLE]) !=
            cudaSuccess ||
        cudaEventElapsedTime(&reciprocal, cuda->event[cuda->beside ? EVENT_START : EVENT_MIDDLE],
                             cuda->event[EVENT_END]) != cudaSuccess) {
        cudaGetLastError();
        return;
    }
    if (what->real) ewald->seconds_real = 1e-3 * (double)real;
    if (what->reciprocal) ewald->seconds_reciprocal = 1e-3 * (double)reciprocal;
}

enuf_status enuf_cuda_hand_over(enuf_ewald *ewald, const enuf_evaluation *what)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_ewald_totals totals = find_totals(ewald, what->wanted);
    double energy;
    if (cuda->has_pairs && ewald->charges.n_charged > 0)
        ewald->close_forces =
            sqrt(cuda->host_copy->record.close_forces2 / (double)ewald->charges.n_charged);
    ENUF_TRY(enuf_total_energy(&totals.parts, &energy));
    if (what->memory == ENUF_HOST) ENUF_TRY(fetch_all(ewald, what));
    enuf_deliver_totals(what, ewald->options.coulomb, energy, &totals.parts, totals.virial,
                        totals.net_force);
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_finish(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    ENUF_TRY(enuf_cuda_wait_and_report(ewald));
    enuf_cuda_keep_times(ewald, what);
    enuf_cuda_read_modes(cuda->host_copy, ewald->geometry.inverse, what->wanted,
                         &cuda->modes_energy, cuda->modes_virial);
    /* the net charge may have come with the sums */
    enuf_closed_forms_set_charge(&cuda->closed, ewald->charges.sum);
    return enuf_cuda_hand_over(ewald, what);
}
