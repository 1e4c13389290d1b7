/*
 * report.c - waits for evaluations, and reports errors of their data.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda_ewald.h"

#include <math.h>
#include <stdio.h>

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

/* The atom whose position is not finite or too far away; ENUF_CUDA_NO_ATOM: none. */
static unsigned long long wrong_atom(const enuf_cuda_pair_record *record)
{
    return record->bad_atom != ENUF_CUDA_NO_ATOM ? record->bad_atom : record->far_atom;
}

enuf_status enuf_cuda_report_atom(const enuf_cuda_pair_record *record, const double x[3],
                                  double farthest)
{
    if (record->bad_atom != ENUF_CUDA_NO_ATOM)
        return enuf_fail(ENUF_NOT_FINITE,
                         "position of atom %lld is (%g, %g, %g): it has to be finite",
                         (long long)record->bad_atom, x[0], x[1], x[2]);
    if (record->far_atom == ENUF_CUDA_NO_ATOM) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "atom %lld: position (%g, %g, %g) is more than %.3g from the origin, 10^7 "
                     "cell vectors: fold it first",
                     (long long)record->far_atom, x[0], x[1], x[2], farthest);
}

static enuf_status report_errors(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_cuda_pair_record *record = &cuda->host_copy->record;
    double x[3] = {0, 0, 0};
    int64_t number;
    if (wrong_atom(record) != ENUF_CUDA_NO_ATOM) {
        ENUF_TRY(look_up(cuda, (int64_t)wrong_atom(record), &number, x));
        return enuf_cuda_report_atom(record, x, cuda->pairs.grid.farthest);
    }
    if (!cuda->has_pairs) return ENUF_SUCCESS;
    return enuf_cuda_pairs_report(&cuda->pairs, record, cuda->stream, look_up, cuda);
}

/* Whether the plan may have met bad data. enuf_nufft_check() waits for the device once more, so it
 * is called only then. Charges are finite in double; in float they, or their sums, may overflow. */
static int mesh_may_fail(const enuf_ewald *ewald, const enuf_cuda_pair_record *record)
{
    const double safe = enuf_ewald_single_mesh(ewald) ? 1e30 : 1e300;
    return enuf_cuda_ewald_of(ewald)->has_modes &&
           (ewald->options.deterministic || record->bad_atom != ENUF_CUDA_NO_ATOM ||
            !(ewald->charges.sum_abs < safe));
}

/* Waits for everything. Errors of this object come before those of the plan, because they name
 * atoms. */
enuf_status enuf_cuda_wait_and_report(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "an evaluation");
    enuf_status mesh = mesh_may_fail(ewald, &cuda->host_copy->record)
                           ? enuf_nufft_check(ewald->method.plan, NULL)
                           : ENUF_SUCCESS;
    enuf_status status = report_errors(ewald);
    if (status != ENUF_SUCCESS || mesh == ENUF_SUCCESS) return status;
    return mesh; /* enuf_last_error() has its text */
}

/* The caller's positions of an earlier evaluation may be gone. */
static enuf_status look_up_number(const void *context, int64_t i, int64_t *number, double x[3])
{
    (void)context;
    *number = i;
    for (int d = 0; d < 3; d++) x[d] = NAN;
    return ENUF_SUCCESS;
}

/* A fault, or, if there is none, what the record of the latest evaluation makes suspicious. Only of
 * that one the sorted atoms are still there, in which a search finds a pair at one place. */
static enuf_status report_fault(enuf_cuda_ewald *cuda, const enuf_cuda_fault *fault)
{
    const int is_latest = fault->number == 0 || fault->number == fault->evaluations;
    const enuf_cuda_pair_record *record =
        fault->number > 0 ? &fault->record : &cuda->host_copy->record;
    if (fault->number > 0 && wrong_atom(record) != ENUF_CUDA_NO_ATOM)
        return enuf_cuda_report_atom(record, fault->x, cuda->pairs.grid.farthest);
    if (is_latest && cuda->has_pairs)
        ENUF_TRY(enuf_cuda_pairs_report(&cuda->pairs, record, cuda->stream, look_up_number, cuda));
    if (fault->number == 0) return ENUF_SUCCESS;
    if (record->overflowed || record->closest != ENUF_CUDA_NO_ATOM)
        return enuf_fail(ENUF_OVERFLOWED, "deterministic: two atoms are too close together for "
                                          "fixed-point sums");
    return enuf_energy_not_finite(fault->energy);
}

enuf_status enuf_cuda_check(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_fault *fault = cuda->host_fault;
    char text[1024];
    (void)what;
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(fault, cuda->fault.at, sizeof *fault, cudaMemcpyDeviceToHost, cuda->stream),
        "reading errors of evaluations");
    ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->host_copy, cuda->scalars.at, sizeof *cuda->host_copy,
                                  cudaMemcpyDeviceToHost, cuda->stream),
                  "reading errors of evaluations");
    ENUF_CUDA_TRY(cudaMemsetAsync(cuda->fault.at, 0, sizeof *fault, cuda->stream),
                  "clearing errors of evaluations");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "evaluations");
    const int of_mesh =
        (fault->number > 0 && cuda->has_modes) || mesh_may_fail(ewald, &cuda->host_copy->record);
    const enuf_status mesh = of_mesh ? enuf_nufft_check(ewald->method.plan, NULL) : ENUF_SUCCESS;
    const enuf_status status = report_fault(cuda, fault);
    if (status == ENUF_SUCCESS || fault->number == 0) return status ? status : mesh;
    snprintf(text, sizeof text, "%s", enuf_last_error());
    return enuf_fail(status, "%s; it was evaluation %lld of the %lld since the last check", text,
                     (long long)fault->number, (long long)fault->evaluations);
}
