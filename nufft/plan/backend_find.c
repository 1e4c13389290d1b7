/* backend_find.c - the NUFFT backends by kind and by name. SPDX-License-Identifier: BSD-3-Clause */
#include "backend.h"
#include "names.h"

ENUF_DEFINE_TABLE_OF(enuf_nufft_backend, enuf_nufft_backend_cpu)

enuf_status enuf_nufft_backend_find(enuf_backend backend, enuf_isa isa,
                                    const enuf_nufft_backend **found)
{
    const char *reason = "no such backend";
    *found = NULL;
    if (backend == ENUF_BACKEND_AUTO || backend == ENUF_BACKEND_CPU) {
        ENUF_TRY(enuf_isa_find(isa, &isa));
        *found = enuf_nufft_backend_cpu_of(isa);
    } else if (backend == ENUF_BACKEND_CUDA) {
        *found = &enuf_nufft_backend_cuda;
    }
    if (*found && (*found)->usable(&reason)) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NO_BACKEND, "backend %s: %s", *found ? (*found)->name : "?", reason);
}

int enuf_backend_usable(enuf_backend backend, const char **reason)
{
    const enuf_nufft_backend *table = NULL;
    const char *text = "no such backend";
    enuf_isa isa = ENUF_ISA_AUTO;
    if (backend == ENUF_BACKEND_CUDA)
        table = &enuf_nufft_backend_cuda;
    else if (enuf_backend_name(backend) && enuf_isa_find(isa, &isa) != ENUF_SUCCESS)
        text = enuf_last_error();
    else if (enuf_backend_name(backend))
        table = enuf_nufft_backend_cpu_of(isa);
    const int usable = table ? table->usable(&text) : 0;
    if (reason) *reason = text;
    return usable;
}

ENUF_DEFINE_NAMES(enuf_backend, ENUF_BACKENDS, "backend")
