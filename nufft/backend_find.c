/* backend_find.c - the NUFFT backends by kind and by name. SPDX-License-Identifier: BSD-3-Clause */
#include "backend.h"
#include "error.h"

#include <string.h>

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

const char *enuf_backend_name(enuf_backend backend)
{
    switch (backend) {
#define ENUF_X(NAME, name, help)                                                                   \
    case ENUF_BACKEND_##NAME:                                                                      \
        return #name;
        ENUF_BACKENDS(ENUF_X)
#undef ENUF_X
    }
    return NULL;
}

enuf_status enuf_backend_parse(const char *name, enuf_backend *backend)
{
    if (!name || !backend)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_backend_parse: NULL name or backend");
#define ENUF_X(NAME, text, help)                                                                   \
    if (strcmp(name, #text) == 0) {                                                                \
        *backend = ENUF_BACKEND_##NAME;                                                            \
        return ENUF_SUCCESS;                                                                       \
    }
    ENUF_BACKENDS(ENUF_X)
#undef ENUF_X
#define ENUF_X(NAME, text, help) " " #text
    return enuf_fail(ENUF_BAD_ARGUMENT, "unknown backend '%s'; known:" ENUF_BACKENDS(ENUF_X), name);
#undef ENUF_X
}
