/*
 * slab_memory.c - the memory of a device's slab, and its limit.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "slab.h"

int64_t enuf_slab_bytes(const enuf_slab *s)
{
    enuf_nufft_report report = {.struct_size = sizeof report, .bytes = 0};
    if (s->plan && enuf_nufft_get_report(s->plan, &report) != ENUF_SUCCESS) report.bytes = 0;
    return s->memory.held + report.bytes;
}

enuf_status enuf_slab_check_limit(const enuf_slab *s)
{
    return enuf_mesh_check_limit(&s->request, enuf_slab_bytes(s));
}
