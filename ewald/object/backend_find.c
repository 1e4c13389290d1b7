/* backend_find.c - the Ewald backends by kind. SPDX-License-Identifier: BSD-3-Clause */
#include "backend.h"

static const enuf_ewald_backend *table_of(enuf_backend backend)
{
    switch (backend) {
    case ENUF_BACKEND_AUTO:
    case ENUF_BACKEND_CPU:
        return &enuf_ewald_backend_cpu;
    case ENUF_BACKEND_CUDA:
        return &enuf_ewald_backend_cuda;
    }
    return NULL;
}

const enuf_ewald_backend *enuf_ewald_backend_find(enuf_backend backend)
{
    const enuf_ewald_backend *table = table_of(backend);
    const char *reason = "no such backend";
    /* the NUFFT checks the device; the Ewald sums use the same one */
    if (!table || !enuf_backend_usable(backend, &reason)) {
        enuf_fail(ENUF_NO_BACKEND, "backend %s: %s", table ? table->name : "?", reason);
        return NULL;
    }
    if (!table->finish) {
        enuf_fail(ENUF_NO_BACKEND, "backend %s: this enuf was built without its Ewald sums",
                  table->name);
        return NULL;
    }
    return table;
}
