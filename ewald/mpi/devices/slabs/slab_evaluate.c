/* slab_evaluate.c - one evaluation of the sum over modes in slabs. See slab.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "device.h"
#include "slab.h"

#include <string.h>

/* Keeps the first failure. */
static void keep(enuf_status *status, enuf_status next)
{
    if (*status == ENUF_SUCCESS) *status = next;
}

static enuf_brick brick_of(const enuf_slab *s)
{
    const int64_t n[3] = {s->layout.grid[0], s->layout.grid[1], s->planes};
    enuf_brick brick = {.stride = {1, s->row, s->plane}};
    for (int a = 0; a < 3; a++) brick.global[a] = brick.n[a] = n[a];
    return brick;
}

static enuf_status spread(enuf_slab *s)
{
    const enuf_slab_point *points = s->transfer.in.at;
    const double *x = points->u;
    const enuf_brick brick = brick_of(s);
    if (!s->share.holds) return ENUF_SUCCESS;
    ENUF_TRY(enuf_slab_charges(s->transfer.n_here, points, s->single, s->charges.at, s->stream));
    ENUF_TRY(enuf_nufft_set_points(s->plan, s->transfer.n_here, x, x + 1, x + 2,
                                   sizeof *points / sizeof(double)));
    return enuf_stage_spread(s->plan, s->charges.at, NULL, &brick, s->cells.at, 0);
}

static enuf_status interpolate(enuf_slab *s, int with_values, int with_gradients)
{
    const enuf_brick brick = brick_of(s);
    if (!s->share.holds) return ENUF_SUCCESS;
    return enuf_stage_interpolate(s->plan, &brick, s->cells.at, NULL,
                                  with_values ? s->values.at : NULL,
                                  with_gradients ? s->gradients.at : NULL, 0);
}

/* Enqueues the sums and their copy to the host. */
static enuf_status reduce(enuf_slab *s, int with_virial)
{
    ENUF_TRY(enuf_slab_reduce(&s->lines, s->weights.at, s->single, with_virial,
                              enuf_slab_lines_at(s), s->partial.at, s->sums.at, s->stream));
    ENUF_CUDA_TRY(cudaMemcpyAsync(s->host_copy, s->sums.at, ENUF_SLAB_SUMS * sizeof(double),
                                  cudaMemcpyDeviceToHost, s->stream),
                  "sums over the modes");
    ENUF_CUDA_TRY(cudaEventRecord(s->reached_host, s->stream), "sums over the modes");
    return ENUF_SUCCESS;
}

/* Multiplies the spectrum, transforms it back and interpolates at the points. */
static enuf_status gather(enuf_slab *s, const void *spectrum, int component, void *values,
                          void *gradients)
{
    enuf_status status =
        enuf_slab_multiply(&s->lines, s->weights.at, s->request.ewald->geometry.inverse, component,
                           s->single, spectrum, enuf_slab_lines_at(s), s->stream);
    keep(&status, enuf_slab_backward(s));
    keep(&status, enuf_slab_halo_fill(s));
    keep(&status, interpolate(s, values != NULL, gradients != NULL));
    if (values) keep(&status, enuf_slab_values_back(s, values));
    if (gradients) keep(&status, enuf_slab_gradients_back(s, gradients));
    return status;
}

static enuf_status gather_virial(enuf_slab *s, void *atom_virial)
{
    enuf_status status = ENUF_SUCCESS;
    for (int c = 0; c < 6; c++) {
        const size_t before = (size_t)(c * s->transfer.n_home) * enuf_slab_number(s);
        keep(&status, gather(s, s->kept.at, c, (char *)atom_virial + before, NULL));
    }
    return status;
}

static enuf_status keep_spectrum(const enuf_slab *s)
{
    const int64_t numbers = s->lines.columns * s->lines.grid_z;
    ENUF_CUDA_TRY(cudaMemcpyAsync(s->kept.at, enuf_slab_lines_at(s),
                                  (size_t)numbers * enuf_slab_complex(s), cudaMemcpyDeviceToDevice,
                                  s->stream),
                  "the spectrum");
    return ENUF_SUCCESS;
}

static enuf_status add_sums(enuf_slab *s, enuf_status status, enuf_mesh_sums *sums)
{
    double total[ENUF_SLAB_SUMS];
    memcpy(total, s->host_copy, sizeof total);
    return enuf_mesh_reduce(&s->request, status, total, sums);
}

/* A rank takes part in all communication after a failure too; the ranks agree at the end. */
enuf_status enuf_slab_evaluate(enuf_slab *s, const enuf_mesh_points *points, enuf_mesh_sums *sums)
{
    ENUF_TRY(enuf_slab_points_count(s, points, sums));
    enuf_status status = enuf_slab_points_go(s);
    keep(&status, spread(s));
    keep(&status, enuf_slab_halo_add(s));
    keep(&status, enuf_slab_forward(s));
    keep(&status, reduce(s, sums->with_virial));
    if (sums->atom_virial) keep(&status, keep_spectrum(s));
    if (sums->half_potential || sums->half_gradient)
        keep(&status,
             gather(s, enuf_slab_lines_at(s), -1, sums->half_potential, sums->half_gradient));
    if (sums->atom_virial) keep(&status, gather_virial(s, sums->atom_virial));
    /* later work on the stream goes on during this wait */
    keep(&status,
         enuf_device_wait_for_event(s->request.devices, s->reached_host, "the sum over modes"));
    return add_sums(s, status, sums);
}
