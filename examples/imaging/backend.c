/* backend.c - see backend.h. SPDX-License-Identifier: BSD-3-Clause */
#include "backend.h"
#include "fail.h"

void check_backend(enuf_backend backend)
{
    const char *reason = "";
    if (backend == ENUF_BACKEND_AUTO || enuf_backend_usable(backend, &reason)) return;
    fail("--backend %s: %s; without one use --backend cpu", enuf_backend_name(backend), reason);
}
