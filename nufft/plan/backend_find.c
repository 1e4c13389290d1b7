/* backend_find.c - the NUFFT backends by kind and by name. SPDX-License-Identifier: BSD-3-Clause */
#include "backend.h"
#include "names.h"

ENUF_DEFINE_TABLE_OF(enuf_nufft_backend, enuf_nufft_backend_cpu)

/* The table, usable or not; NULL and an error if there is none for the instruction set. */
static enuf_status table_of(enuf_backend backend, enuf_isa isa, const enuf_nufft_backend **table)
{
    *table = NULL;
    if (!enuf_backend_name(backend))
        return enuf_fail(ENUF_NO_BACKEND, "backend %d: no such backend", (int)backend);
    if (backend == ENUF_BACKEND_CUDA) {
        *table = &enuf_nufft_backend_cuda;
        return ENUF_SUCCESS;
    }
    ENUF_TRY(enuf_isa_find(isa, &isa));
    *table = enuf_nufft_backend_cpu_of(isa);
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_backend_find(enuf_backend backend, enuf_isa isa,
                                    const enuf_nufft_backend **found)
{
    const enuf_nufft_backend *table;
    const char *reason;
    *found = NULL;
    ENUF_TRY(table_of(backend, isa, &table));
    if (!table->usable(&reason))
        return enuf_fail(ENUF_NO_BACKEND, "backend %s: %s", table->name, reason);
    *found = table;
    return ENUF_SUCCESS;
}

int enuf_backend_usable(enuf_backend backend, const char **reason)
{
    const enuf_nufft_backend *table;
    const char *text = NULL;
    int usable = 0;
    if (table_of(backend, ENUF_ISA_AUTO, &table) == ENUF_SUCCESS)
        usable = table->usable(&text);
    else
        text = enuf_last_error();
    if (reason) *reason = text;
    return usable;
}

ENUF_DEFINE_NAMES(enuf_backend, ENUF_BACKENDS, "backend")
