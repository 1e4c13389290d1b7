/*
 * deliver.c - the end of an evaluation: waits, reports errors of the data, and hands the results to
 * the caller. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda_ewald.h"
#include "sums/invariant_sum.h"

#include <math.h>
#include <string.h>

/* A sum over atoms from its integer. */
static double term_sum(const enuf_cuda_ewald *cuda, int term)
{
    const enuf_cuda_scalars *host_copy = cuda->host_copy;
    double largest;
    memcpy(&largest, &host_copy->largest[term], sizeof largest);
    return enuf_invariant_value(cuda->atoms.n_all, largest, host_copy->total[term]);
}

static enuf_status look_up(const void *context, int64_t i, int64_t *number, double x[3])
{
    const enuf_cuda_ewald *cuda = context;
    *number = i;
    ENUF_CUDA_TRY(cudaMemcpyAsync(x, cuda->atoms.positions + i * cuda->atoms.stride,
                                  3 * sizeof(double), cudaMemcpyDeviceToHost, cuda->stream),
                  "reading a position");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "reading a position");
    return ENUF_SUCCESS;
}

static enuf_status report_errors(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_cuda_pair_record *record = &cuda->host_copy->record;
    double x[3] = {0, 0, 0};
    int64_t number;
    if (record->bad_atom != ENUF_CUDA_NO_ATOM) {
        ENUF_TRY(look_up(cuda, (int64_t)record->bad_atom, &number, x));
        return enuf_fail(ENUF_NOT_FINITE,
                         "position of atom %lld is (%g, %g, %g): it has to be finite",
                         (long long)record->bad_atom, x[0], x[1], x[2]);
    }
    if (record->far_atom != ENUF_CUDA_NO_ATOM) {
        ENUF_TRY(look_up(cuda, (int64_t)record->far_atom, &number, x));
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "atom %lld: position (%g, %g, %g) is more than %.3g from the origin, 10^7 "
                         "cell vectors: fold it first",
                         (long long)record->far_atom, x[0], x[1], x[2], cuda->pairs.grid.farthest);
    }
    if (!cuda->has_pairs) return ENUF_SUCCESS;
    return enuf_cuda_pairs_report(&cuda->pairs, record, cuda->stream, look_up, cuda);
}

/* Whether the plan may have met bad data. enuf_nufft_check() waits for the device once more, so it
 * is called only then. Charges are finite in double; in float they, or their sums, may overflow. */
static int mesh_may_fail(const enuf_ewald *ewald)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const double safe = enuf_ewald_single_mesh(ewald) ? 1e30 : 1e300;
    return cuda->has_modes &&
           (ewald->options.deterministic || cuda->host_copy->record.bad_atom != ENUF_CUDA_NO_ATOM ||
            !(ewald->charges.sum_abs < safe));
}

/* Waits for everything. Errors of this object come before those of the plan, because they name
 * atoms. */
static enuf_status wait_and_report(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "an evaluation");
    enuf_status mesh =
        mesh_may_fail(ewald) ? enuf_nufft_check(ewald->method.plan, NULL) : ENUF_SUCCESS;
    enuf_status status = report_errors(ewald);
    if (status != ENUF_SUCCESS || mesh == ENUF_SUCCESS) return status;
    return mesh; /* enuf_last_error() has its text */
}

static void find_closed_forms(const enuf_ewald *ewald, enuf_ewald_sums *sums)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_closed_forms *f = &cuda->closed;
    double dipole[3] = {0, 0, 0}, second = 0;
    for (int d = 0; d < 3; d++)
        if (f->sphere != 0 || (f->slab != 0 && d == 2)) dipole[d] = term_sum(cuda, TERM_DIPOLE + d);
    if (f->slab != 0) second = term_sum(cuda, TERM_SECOND);
    enuf_add_closed_forms(ewald, f, dipole, second, &sums->parts, sums->virial);
}

static void find_sums(const enuf_ewald *ewald, int wanted, enuf_ewald_sums *sums)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_cuda_scalars *host_copy = cuda->host_copy;
    memset(sums, 0, sizeof *sums);
    if (cuda->has_pairs) {
        sums->parts.real = host_copy->pairs[0];
        if (wanted & ENUF_WANT_ENERGY) sums->parts.excluded = term_sum(cuda, TERM_EXCLUDED);
        for (int c = 0; c < 6 && (wanted & ENUF_WANT_VIRIAL); c++)
            sums->virial[c] += host_copy->pairs[1 + c] + term_sum(cuda, TERM_VIRIAL + c);
    }
    if (!cuda->has_modes) return;
    sums->parts.reciprocal = cuda->modes_energy;
    for (int c = 0; c < 6; c++) sums->virial[c] += cuda->modes_virial[c];
    for (int d = 0; d < 3; d++)
        sums->net_force[d] =
            ewald->options.deterministic ? term_sum(cuda, TERM_NET + d) : host_copy->net[d];
    find_closed_forms(ewald, sums);
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

static enuf_status copy_to_host(const enuf_cuda_ewald *cuda, const result_array *array, void *to)
{
    const size_t n = (size_t)(array->width * cuda->atoms.n);
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(to, array->from, n * sizeof(double), cudaMemcpyDeviceToHost, cuda->stream),
        array->what);
    return ENUF_SUCCESS;
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
        ENUF_TRY(copy_to_host(cuda, &arrays[k], arrays[k].to));
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
    ENUF_TRY(copy_to_host(cuda, array, add ? array->scratch->at : array->to));
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
    enuf_ewald_sums sums;
    double energy;
    find_sums(ewald, what->wanted, &sums);
    if (cuda->has_pairs && ewald->charges.n_charged > 0)
        ewald->close_forces =
            sqrt(cuda->host_copy->record.close_forces2 / (double)ewald->charges.n_charged);
    ENUF_TRY(enuf_total_energy(&sums.parts, &energy));
    if (what->memory == ENUF_HOST) ENUF_TRY(fetch_all(ewald, what));
    enuf_deliver_totals(what, ewald->options.coulomb, energy, &sums.parts, sums.virial,
                        sums.net_force);
    return ENUF_SUCCESS;
}

/* The sums of the plan's modes. */
static void read_modes(const enuf_ewald *ewald, int wanted)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const double *weight_0 = cuda->host_copy->reduced[0], *weight_1 = cuda->host_copy->reduced[1];
    cuda->modes_energy = weight_0[0];
    memset(cuda->modes_virial, 0, sizeof cuda->modes_virial);
    if (wanted & ENUF_WANT_VIRIAL)
        enuf_add_mode_virial(ewald->geometry.inverse, weight_0[0], weight_1 + 1,
                             cuda->modes_virial);
}

enuf_status enuf_cuda_finish(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    ENUF_TRY(wait_and_report(ewald));
    enuf_cuda_keep_times(ewald, what);
    read_modes(ewald, what->wanted);
    /* the net charge may have come with the sums */
    enuf_closed_forms_set_charge(&cuda->closed, ewald->charges.sum);
    return enuf_cuda_hand_over(ewald, what);
}
