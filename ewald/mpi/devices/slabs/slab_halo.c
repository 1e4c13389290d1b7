/*
 * slab_halo.c - halos: planes of other devices around a device's own planes. After spreading they
 * are added to these planes; before interpolation they are filled from them. Planes are consecutive
 * in memory, so that a run of planes is one copy.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "slab.h"

static size_t plane_bytes(const enuf_slab *s)
{
    return (size_t)s->plane * enuf_slab_number(s);
}

static char *plane_at(const enuf_slab *s, int64_t plane)
{
    return (char *)s->cells.at + (size_t)plane * plane_bytes(s);
}

/* Local: copies runs of planes into the sent buffer, or from the received one. */
static enuf_status copy_runs(const enuf_slab *s, int n, const enuf_halo_run *runs, int to_buffer,
                             char *buffer)
{
    for (int k = 0; k < n; k++) {
        const size_t bytes = (size_t)runs[k].n * plane_bytes(s);
        char *planes = plane_at(s, runs[k].at);
        ENUF_CUDA_TRY(cudaMemcpyAsync(to_buffer ? buffer : planes, to_buffer ? planes : buffer,
                                      bytes, cudaMemcpyDeviceToDevice, s->stream),
                      "halos of a slab");
        buffer += bytes;
    }
    return ENUF_SUCCESS;
}

static enuf_status add_runs(const enuf_slab *s, const char *buffer)
{
    for (int k = 0; k < s->halo.n_inner; k++) {
        const enuf_halo_run *run = &s->halo.inner[k];
        ENUF_TRY(
            enuf_slab_add(run->n * s->plane, s->single, buffer, plane_at(s, run->at), s->stream));
        buffer += (size_t)run->n * plane_bytes(s);
    }
    return ENUF_SUCCESS;
}

static size_t row_bytes(const enuf_slab *s)
{
    return (size_t)s->row * enuf_slab_number(s);
}

enuf_status enuf_slab_halo_add(enuf_slab *s)
{
    const enuf_halo *h = &s->halo;
    if (s->layout.cells[ENUF_AXIS_Z].parts == 1) return ENUF_SUCCESS;
    enuf_status status = copy_runs(s, h->n_outer, h->outer, 1, s->buffer[0].at);
    const enuf_status sent = enuf_device_exchange_forth(
        s->request.devices, &h->rows, row_bytes(s), s->buffer[0].at, s->buffer[1].at, s->stream);
    if (status == ENUF_SUCCESS) status = sent;
    ENUF_TRY(status);
    return add_runs(s, s->buffer[1].at);
}

enuf_status enuf_slab_halo_fill(enuf_slab *s)
{
    const enuf_halo *h = &s->halo;
    if (s->layout.cells[ENUF_AXIS_Z].parts == 1) return ENUF_SUCCESS;
    enuf_status status = copy_runs(s, h->n_inner, h->inner, 1, s->buffer[0].at);
    const enuf_status sent = enuf_device_exchange_back(s->request.devices, &h->rows, row_bytes(s),
                                                       s->buffer[0].at, s->buffer[1].at, s->stream);
    if (status == ENUF_SUCCESS) status = sent;
    ENUF_TRY(status);
    return copy_runs(s, h->n_outer, h->outer, 0, s->buffer[1].at);
}
