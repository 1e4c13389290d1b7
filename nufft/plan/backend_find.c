/* backend_find.c - the NUFFT backends by kind and by name. SPDX-License-Identifier: BSD-3-Clause */
#include "backend.h"
#include "names.h"

static const enuf_nufft_backend *table_of(enuf_backend backend)
{
    switch (backend) {
    case ENUF_BACKEND_AUTO:
    case ENUF_BACKEND_CPU:
        return &enuf_nufft_backend_cpu;
    case ENUF_BACKEND_CUDA:
        return &enuf_nufft_backend_cuda;
    }
    return NULL;
}

int enuf_backend_usable(enuf_backend backend, const char **reason)
{
    const enuf_nufft_backend *table = table_of(backend);
    const char *text = "no such backend";
    int usable = table ? table->usable(&text) : 0;
    if (reason) *reason = text;
    return usable;
}

const enuf_nufft_backend *enuf_nufft_backend_find(enuf_backend backend)
{
    const enuf_nufft_backend *table = table_of(backend);
    const char *reason = "no such backend";
    if (table && table->usable(&reason)) return table;
    enuf_fail(ENUF_NO_BACKEND, "backend %s: %s", table ? table->name : "?", reason);
    return NULL;
}

ENUF_DEFINE_NAMES(enuf_backend, ENUF_BACKENDS, "backend")
