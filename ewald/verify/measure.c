/* measure.c - the error of forces and energy, measured against exact Ewald sums on a random sample
 * of the charged atoms. SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"
#include "object/calls.h"
#include "sample.h"

static enuf_status measure(enuf_ewald *ewald, const double *positions, int64_t stride, int64_t size,
                           uint64_t seed, enuf_ewald_error *error)
{
    ENUF_TRY(enuf_ewald_check_positions(ewald, positions, stride));
    enuf_ewald_error found = {.struct_size = sizeof found};
    if (ewald->charges.n_charged > 0) {
        enuf_sample sample;
        enuf_status status =
            enuf_sample_make(ewald, positions, stride, size, seed, ENUF_REFERENCE_EXACT, &sample);
        if (status == ENUF_SUCCESS)
            status = enuf_sample_measure(ewald, positions, stride, &sample, &found);
        enuf_sample_release(&sample);
        ENUF_TRY(status);
        ewald->measured = found.accuracy;
    }
    *error = found;
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_check_measurement(int64_t size, const enuf_ewald_error *error)
{
    if (!error || error->struct_size != sizeof *error)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "error is NULL, or error->struct_size is not sizeof(enuf_ewald_error)");
    if (size < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "sample is %lld: it has to be at least 0 (all atoms)",
                         (long long)size);
    return ENUF_SUCCESS;
}

enuf_status enuf_alone_measure_error(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     int64_t size, uint64_t seed, enuf_ewald_error *error)
{
    ENUF_TRY(enuf_ewald_check_measurement(size, error));
    ENUF_TRY(enuf_ewald_update_method(ewald));
    double *copy = NULL;
    enuf_status status =
        enuf_ewald_host_positions(ewald, ewald->options.memory, &positions, stride, &copy);
    if (status == ENUF_SUCCESS) status = enuf_ewald_host_charges(ewald);
    if (status == ENUF_SUCCESS) status = measure(ewald, positions, stride, size, seed, error);
    enuf_release(&copy);
    return status;
}

enuf_status enuf_ewald_measure_error(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     int64_t sample_size, uint64_t seed, enuf_ewald_error *error)
{
    ENUF_CALL(ewald, measure_error, (ewald, positions, stride, sample_size, seed, error));
}
