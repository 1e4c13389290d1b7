/* finish.c - the end of calls: errors of data on a GPU. SPDX-License-Identifier: BSD-3-Clause */
#include "object.h"

/* Waits, and returns the first error of the Gram operators' data. */
static enuf_status check_spectra(enuf_encoding *encoding)
{
    const enuf_spectra *spectra = &encoding->spectra;
    enuf_status first = ENUF_SUCCESS;
    for (int l = 0; spectra->gram && l < spectra->count; l++) {
        const enuf_status status =
            spectra->gram[l] ? enuf_gram_check(spectra->gram[l]) : ENUF_SUCCESS;
        if (first == ENUF_SUCCESS) first = status;
    }
    return first;
}

static enuf_status check(enuf_encoding *encoding)
{
    const enuf_status of_spectra = check_spectra(encoding);
    const enuf_status status = enuf_nufft_check(encoding->transform, NULL);
    return status == ENUF_SUCCESS ? of_spectra : status;
}

enuf_status enuf_encoding_finish(enuf_encoding *encoding, enuf_status status)
{
    if (encoding->base->backend->kind == ENUF_BACKEND_CPU) return status;
    const enuf_status of_data = check(encoding);
    return of_data == ENUF_SUCCESS ? status : of_data;
}

enuf_status enuf_encoding_check(enuf_encoding *encoding)
{
    static const char function[] = "enuf_encoding_check";
    if (!encoding) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: encoding is NULL", function);
    if (!encoding->transform) return ENUF_SUCCESS;
    const enuf_status status = check(encoding);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, function);
}
