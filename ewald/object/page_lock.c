/* page_lock.c - pages of the host that a GPU reads and writes itself. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "ewald_object.h"

static enuf_status lock_pages(enuf_ewald *ewald, void *at, int64_t bytes)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    if (!at) return enuf_fail(ENUF_BAD_ARGUMENT, "at is NULL: it has to be memory of the host");
    if (bytes < 1)
        return enuf_fail(ENUF_BAD_ARGUMENT, "bytes is %lld: it has to be at least 1",
                         (long long)bytes);
    const enuf_ewald_backend *backend = ewald->backend;
    return backend && backend->lock_pages ? backend->lock_pages(ewald, at, bytes) : ENUF_SUCCESS;
}

static enuf_status unlock_pages(enuf_ewald *ewald, void *at)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    if (!at) return enuf_fail(ENUF_BAD_ARGUMENT, "at is NULL: it has to be what was locked");
    const enuf_ewald_backend *backend = ewald->backend;
    return backend && backend->unlock_pages ? backend->unlock_pages(ewald, at) : ENUF_SUCCESS;
}

enuf_status enuf_ewald_lock_pages(enuf_ewald *ewald, void *at, int64_t bytes)
{
    return enuf_named(lock_pages(ewald, at, bytes), __func__);
}

enuf_status enuf_ewald_unlock_pages(enuf_ewald *ewald, void *at)
{
    return enuf_named(unlock_pages(ewald, at), __func__);
}
