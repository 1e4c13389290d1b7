/* create.c - makes an object for one process; destroys any object.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "object/calls.h"

static enuf_status create(const enuf_ewald_options *options, enuf_ewald **ewald)
{
    ENUF_TRY(enuf_ewald_check_options(options));
    if (options->decomposition == ENUF_DECOMPOSITION_DISTRIBUTED)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "decomposition is distributed, but one process has the whole grid: take "
                         "auto, or enuf_ewald_create_mpi()");
    ENUF_TRY(enuf_ewald_make(options, ewald));
    (*ewald)->calls = &enuf_calls_alone;
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_create(const enuf_ewald_options *options, enuf_ewald **ewald)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_ewald_create: ewald is NULL");
    *ewald = NULL;
    return enuf_named(create(options, ewald), __func__);
}

void enuf_ewald_destroy(enuf_ewald **ewald)
{
    if (!ewald || !*ewald) return;
    (*ewald)->calls->destroy(*ewald);
    *ewald = NULL;
}
