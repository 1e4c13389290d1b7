/*
 * slab_transfer.c - sends points to the devices of their cells, and results back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "slab.h"

#include <stdio.h>

enuf_status enuf_slab_transfer_create(enuf_slab *s)
{
    enuf_slab_transfer *t = &s->transfer;
    const int slabs = s->layout.cells[ENUF_AXIS_Z].parts;
    t->fold.planes = s->layout.grid[2];
    t->fold.slabs = slabs;
    t->fold.own = s->share.holds ? s->share.at[ENUF_AXIS_Z] : -1;
    for (int a = 0; a < 3; a++) t->fold.grid[a] = (double)s->layout.grid[a];
    ENUF_TRY(enuf_exchange_create(s->request.ranks, &t->points));
    ENUF_TRY(enuf_device_array_reserve(&s->memory, &t->start, (int64_t)slabs * ENUF_SLAB_CHUNKS,
                                       sizeof(int64_t), "places of points"));
    return enuf_device_array_reserve(&s->memory, &t->counts, slabs + 1, sizeof(int64_t),
                                     "counts of points");
}

void enuf_slab_transfer_release(enuf_slab *s)
{
    enuf_slab_transfer *t = &s->transfer;
    enuf_device_array *arrays[] = {&t->start, &t->counts, &t->out, &t->in, &t->sent_as};
    enuf_exchange_release(&t->points);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        enuf_device_array_release(&s->memory, arrays[k]);
}

/* Local: own points go to the front of `in`, the others to `out`. */
static enuf_status pack(enuf_slab *s, const enuf_mesh_points *points)
{
    const enuf_slab_transfer *t = &s->transfer;
    return enuf_slab_pack_points(&t->fold, points->n, points->positions, points->q, t->start.at,
                                 t->counts.at, t->in.at, t->out.at, t->sent_as.at, s->stream);
}

static enuf_status enqueue(enuf_slab *s, const enuf_mesh_points *points)
{
    enuf_slab_transfer *t = &s->transfer;
    if (points->n >= UINT32_MAX)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "%lld points on one GPU: it numbers them in 32 bits, so that more ranks "
                         "have to share them",
                         (long long)points->n);
    ENUF_TRY(enuf_device_array_reserve(&s->memory, &t->out, points->n, sizeof(enuf_slab_point),
                                       "points that leave"));
    ENUF_TRY(enuf_device_array_reserve(&s->memory, &t->sent_as, points->n, sizeof(uint32_t),
                                       "places of points"));
    ENUF_TRY(enuf_device_array_reserve(&s->memory, &t->in, points->n, sizeof(enuf_slab_point),
                                       "points of this slab"));
    for (int k = 0; k < 9; k++) t->fold.frame[k] = s->request.ewald->geometry.frame[k];
    ENUF_TRY(enuf_slab_count_points(&t->fold, points->n, points->positions, t->start.at,
                                    t->counts.at, s->stream));
    ENUF_CUDA_TRY(cudaMemcpyAsync(s->host_copy, t->counts.at,
                                  (size_t)(t->fold.slabs + 1) * sizeof(int64_t),
                                  cudaMemcpyDeviceToHost, s->stream),
                  "counts of points");
    ENUF_CUDA_TRY(cudaEventRecord(s->reached_host, s->stream), "counting points by slab");
    return pack(s, points);
}

void enuf_slab_points_begin(enuf_slab *s, const enuf_mesh_points *points)
{
    enuf_slab_transfer *t = &s->transfer;
    t->n_home = points->n;
    t->begun = 1;
    t->status = enqueue(s, points);
    if (t->status != ENUF_SUCCESS) snprintf(t->text, sizeof t->text, "%s", enuf_last_error());
}

/* Local: reads numbers of points for each slab after the copy to the host, or an error of the
 * points. */
static enuf_status read_counts(enuf_slab *s)
{
    enuf_slab_transfer *t = &s->transfer;
    const int64_t *counts = s->host_copy;
    if (t->status != ENUF_SUCCESS) return enuf_fail(t->status, "%s", t->text);
    ENUF_TRY(
        enuf_device_wait_for_event(s->request.devices, s->reached_host, "counting points by slab"));
    if (counts[t->fold.slabs] < t->n_home)
        return enuf_fail(ENUF_NOT_FINITE,
                         "position of point %lld of this rank is not finite, or too large to be "
                         "folded into the cell",
                         (long long)counts[t->fold.slabs]);
    for (int k = 0; k < t->fold.slabs; k++)
        if (k != t->fold.own) t->points.send[k] = counts[k];
    t->n_own = t->fold.own >= 0 ? counts[t->fold.own] : 0;
    return ENUF_SUCCESS;
}

/* Local: makes room for received points behind the own ones. */
static enuf_status reserve_points(enuf_slab *s, const enuf_mesh_points *points)
{
    enuf_slab_transfer *t = &s->transfer;
    const int64_t before = s->memory.allocations;
    ENUF_TRY(enuf_device_array_reserve(&s->memory, &t->in, t->n_own + t->points.n_receive,
                                       sizeof(enuf_slab_point), "points of this slab"));
    /* a new array is empty: pack the own points again */
    return s->memory.allocations == before ? ENUF_SUCCESS : pack(s, points);
}

/* Local: makes room for charges and results of the points of this slab. */
static enuf_status reserve_here(enuf_slab *s, const enuf_mesh_sums *sums)
{
    const enuf_slab_transfer *t = &s->transfer;
    const int64_t n = t->n_own + t->points.n_receive, home = t->n_home - t->n_own;
    const int has_values = sums->half_potential || sums->atom_virial;
    const int64_t width = sums->half_gradient ? 3 : 1;
    const size_t number = enuf_slab_number(s);
    enuf_device_memory *m = &s->memory;
    ENUF_TRY(enuf_device_array_reserve(m, &s->charges, n, number, "charges of this slab"));
    if (has_values)
        ENUF_TRY(enuf_device_array_reserve(m, &s->values, n, number, "mesh potentials"));
    if (sums->half_gradient)
        ENUF_TRY(enuf_device_array_reserve(m, &s->gradients, n, 3 * number, "mesh gradients"));
    if (has_values || sums->half_gradient)
        ENUF_TRY(enuf_device_array_reserve(m, &s->came_back, home, (size_t)width * number,
                                           "results of other ranks"));
    if (sums->atom_virial)
        ENUF_TRY(enuf_device_array_reserve(m, &s->kept, s->lines.columns * s->lines.grid_z,
                                           enuf_slab_complex(s), "the spectrum"));
    if (s->plan && n > s->reserved) {
        const int64_t room = n + n / 8; /* a number that grew will grow again */
        ENUF_TRY(enuf_nufft_reserve(s->plan, room));
        s->reserved = room;
    }
    return enuf_slab_check_limit(s);
}

enuf_status enuf_slab_points_count(enuf_slab *s, const enuf_mesh_points *points,
                                   const enuf_mesh_sums *sums)
{
    enuf_ranks *ranks = s->request.ranks;
    enuf_slab_transfer *t = &s->transfer;
    if (!t->begun) enuf_slab_points_begin(s, points);
    t->begun = 0;
    for (int r = 0; r < ranks->size; r++) t->points.send[r] = 0;
    t->n_own = 0;
    enuf_status status = read_counts(s);
    enuf_exchange_count(ranks, &t->points); /* all counts are 0 after a failure */
    if (status == ENUF_SUCCESS) status = reserve_points(s, points);
    if (status == ENUF_SUCCESS) status = reserve_here(s, sums);
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    t->n_here = t->n_own + t->points.n_receive;
    return ENUF_SUCCESS;
}

enuf_status enuf_slab_points_go(enuf_slab *s)
{
    const enuf_slab_transfer *t = &s->transfer;
    return enuf_device_exchange_forth(s->request.devices, &t->points, sizeof(enuf_slab_point),
                                      t->out.at, (enuf_slab_point *)t->in.at + t->n_own, s->stream);
}

/* Numbers of the received points, behind those of the own points. */
static void *of_others(const enuf_slab *s, const enuf_device_array *numbers, int width)
{
    return (char *)numbers->at + (size_t)(s->transfer.n_own * width) * enuf_slab_number(s);
}

enuf_status enuf_slab_values_back(enuf_slab *s, void *home)
{
    const enuf_slab_transfer *t = &s->transfer;
    ENUF_TRY(enuf_device_exchange_back(s->request.devices, &t->points, enuf_slab_number(s),
                                       of_others(s, &s->values, 1), s->came_back.at, s->stream));
    return enuf_slab_bring_values(t->n_home, t->n_home - t->n_own, t->sent_as.at, s->single,
                                  s->came_back.at, s->values.at, home, s->stream);
}

enuf_status enuf_slab_gradients_back(enuf_slab *s, void *home)
{
    const enuf_slab_transfer *t = &s->transfer;
    ENUF_TRY(enuf_device_exchange_back(s->request.devices, &t->points, 3 * enuf_slab_number(s),
                                       of_others(s, &s->gradients, 3), s->came_back.at, s->stream));
    return enuf_slab_bring_gradients(&t->fold, t->n_home, t->n_home - t->n_own, t->sent_as.at,
                                     s->single, s->came_back.at, s->gradients.at, home, s->stream);
}
