/* backend_find.c - the Ewald backends by kind. SPDX-License-Identifier: BSD-3-Clause */
#include "backend.h"

ENUF_DEFINE_TABLE_OF(enuf_ewald_backend, enuf_ewald_backend_cpu)

enuf_status enuf_ewald_backend_find(enuf_backend backend, enuf_isa isa,
                                    const enuf_ewald_backend **found)
{
    const char *reason = "no such backend", *name = enuf_backend_name(backend);
    const enuf_ewald_backend *table = NULL;
    *found = NULL;
    if (backend == ENUF_BACKEND_CUDA) {
        table = &enuf_ewald_backend_cuda;
    } else if (name) {
        ENUF_TRY(enuf_isa_find(isa, &isa));
        table = enuf_ewald_backend_cpu_of(isa);
    }
    /* the NUFFT checks the device; the Ewald sums use the same one */
    if (!table || !enuf_backend_usable(backend, &reason))
        return enuf_fail(ENUF_NO_BACKEND, "backend %s: %s", name ? name : "?", reason);
    if (!table->finish)
        return enuf_fail(ENUF_NO_BACKEND, "backend %s: this enuf was built without its Ewald sums",
                         name);
    *found = table;
    return ENUF_SUCCESS;
}
