/*
 * slabs.c - the sum over modes on a distributed grid of slabs on devices: the table. See slab.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "slab.h"
#include "device.h"
#include "cuda/cuda_ewald.h"
#include "memory.h"
#include "mpi/mesh/window_axis.h"

#include <string.h>

static enuf_slab *of(enuf_reciprocal *made)
{
    return (enuf_slab *)(void *)made;
}

static const enuf_slab *of_const(const enuf_reciprocal *made)
{
    return (const enuf_slab *)(const void *)made;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Makes the device current; returns the caller's device. Returns -1 after a failure; the next call
 * then fails too and reports it. */
static int enter(const enuf_slab *s)
{
    int callers;
    return enuf_cuda_enter(s->request.devices->device, &callers) == ENUF_SUCCESS ? callers : -1;
}

static void leave(const enuf_slab *s, int callers)
{
    if (callers >= 0) enuf_cuda_leave(s->request.devices->device, callers);
}

/* ---- Creation and release ---- */

static enuf_status check_request(const enuf_mesh_request *request)
{
    if (!request->devices || request->ewald->backend->kind != ENUF_BACKEND_CUDA)
        return enuf_fail(ENUF_UNSUPPORTED, "slabs on GPUs need ranks that lead a GPU each");
    return enuf_mesh_refuse_deterministic(request);
}

/* Plans with fewer cells along an axis have slow kernels only. So empty planes are added, which no
 * window reaches. */
static const int64_t LEAST_PLANES = 32;

static void lay_out(enuf_slab *s)
{
    const enuf_layout *l = &s->layout;
    const int64_t planes = s->share.n[ENUF_AXIS_Z];
    s->planes = planes + s->share.halo_lo[ENUF_AXIS_Z] + s->share.halo_hi[ENUF_AXIS_Z];
    if (l->cells[ENUF_AXIS_Z].parts > 1) s->planes = larger(s->planes, LEAST_PLANES);
    s->row = 2 * (l->grid[0] / 2 + 1);
    s->plane = s->row * l->grid[1];
    s->modes = (enuf_slab_planes){.planes = planes,
                                  .grid_y = l->grid[1],
                                  .row = s->row / 2,
                                  .modes_x = l->modes_x.total,
                                  .modes_y = l->modes_y.total,
                                  .slabs = l->modes_y.parts};
    s->lines = (enuf_slab_lines){.columns = s->share.n_x * s->share.n_y,
                                 .modes_x = l->modes_x.total,
                                 .modes_y = l->modes[1],
                                 .y_lo = s->share.y_lo,
                                 .modes_z = l->modes[2],
                                 .grid_z = l->grid[2]};
}

static enuf_status make_plan(enuf_slab *s)
{
    const enuf_ewald *ewald = s->request.ewald;
    const int64_t n[3] = {s->layout.grid[0], s->layout.grid[1], s->planes};
    enuf_nufft_options plan;
    enuf_ewald_plan_options(ewald, &ewald->method.parameters, &plan);
    for (int a = 0; a < 3; a++) {
        plan.modes[a] = 1; /* no transform: the slab is not a period of the system */
        plan.fine_grid[a] = n[a];
    }
    plan.memory = ENUF_DEVICE;
    plan.device = s->request.devices->device;
    plan.stream = s->stream;
    plan.no_grid = 1;
    ENUF_TRY(enuf_nufft_create(&plan, &s->plan));
    /* points have positions in cells of the whole grid */
    double frame[9] = {0}, origin[3] = {0};
    for (int a = 0; a < 3; a++) frame[4 * a] = 1 / (double)n[a];
    origin[2] = (double)(s->share.lo[ENUF_AXIS_Z] - s->share.halo_lo[ENUF_AXIS_Z]);
    return enuf_nufft_set_frame(s->plan, frame, origin);
}

static enuf_status make_cells(enuf_slab *s)
{
    const int64_t numbers = s->plane * s->planes;
    if (!s->share.holds) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_array_reserve(&s->memory, &s->cells, numbers, enuf_slab_number(s),
                                       "this GPU's part of the grid"));
    /* halos are sent with the padding of their rows */
    ENUF_CUDA_TRY(cudaMemsetAsync(s->cells.at, 0, (size_t)numbers * enuf_slab_number(s), s->stream),
                  "this GPU's part of the grid");
    return make_plan(s);
}

/* The numbers of modes that this device sends to each other device and receives from it. */
static enuf_status make_transposition(enuf_slab *s)
{
    const enuf_layout *l = &s->layout;
    enuf_exchange *e = &s->to_lines;
    ENUF_TRY(enuf_exchange_create(s->request.ranks, e));
    if (!s->share.holds) return ENUF_SUCCESS;
    for (int k = 0; k < l->modes_y.parts; k++) {
        e->send[k] = enuf_block_size(l->modes_y, k) * s->modes.planes * s->share.n_x;
        e->receive[k] = enuf_block_size(l->cells[ENUF_AXIS_Z], k) * s->lines.columns;
        e->n_send += e->send[k];
        e->n_receive += e->receive[k];
    }
    return ENUF_SUCCESS;
}

static enuf_status make_buffers(enuf_slab *s)
{
    const int64_t number = (int64_t)enuf_slab_number(s);
    int64_t bytes = 2 * number * larger(s->to_lines.n_send, s->to_lines.n_receive);
    bytes = larger(bytes, number * s->row * enuf_halo_rows(&s->halo));
    /* a single GPU needs no second buffer: its lines stay in the first */
    for (int k = 0; k < (enuf_layout_ranks(&s->layout) > 1 ? 2 : 1); k++)
        ENUF_TRY(enuf_device_array_reserve(&s->memory, &s->buffer[k], bytes, 1,
                                           "buffers for messages between GPUs"));
    ENUF_TRY(enuf_device_array_reserve(&s->memory, &s->partial, ENUF_SLAB_PARTIALS * ENUF_SLAB_SUMS,
                                       sizeof(double), "partial sums"));
    ENUF_TRY(enuf_device_array_reserve(&s->memory, &s->sums, ENUF_SLAB_SUMS, sizeof(double),
                                       "sums over the modes"));
    return enuf_device_array_reserve(&s->memory, &s->weights,
                                     2 * s->lines.columns * s->lines.modes_z, enuf_slab_number(s),
                                     "influence of the modes");
}

/* 1/w of modes 0 to modes / 2 along x, then y, then z; w is the window's transform. */
static enuf_status make_window(enuf_slab *s)
{
    const enuf_parameters *p = &s->request.ewald->method.parameters;
    int64_t first[3], count = 0;
    for (int a = 0; a < 3; a++) {
        first[a] = count;
        count += s->layout.modes[a] / 2 + 1;
    }
    ENUF_TRY(enuf_device_array_reserve(&s->memory, &s->inverse, count, sizeof(double),
                                       "the window's transform"));
    for (int a = 0; a < 3; a++) {
        const size_t bytes = (size_t)(s->layout.modes[a] / 2 + 1) * sizeof(double);
        double *inverse = NULL;
        enuf_status status =
            enuf_window_on_axis(p, s->layout.grid[a], s->layout.modes[a], &inverse);
        if (status == ENUF_SUCCESS)
            status = enuf_cuda_status(cudaMemcpyAsync((double *)s->inverse.at + first[a], inverse,
                                                      bytes, cudaMemcpyHostToDevice, s->stream),
                                      "the window's transform");
        enuf_release(&inverse);
        ENUF_TRY(status);
    }
    return ENUF_SUCCESS;
}

static enuf_status make_host_copy(enuf_slab *s)
{
    const int64_t n = larger(s->layout.cells[ENUF_AXIS_Z].parts + 1, ENUF_SLAB_SUMS);
    if (enuf_allocation_fails())
        return enuf_fail(ENUF_OUT_OF_MEMORY, "no page-locked memory for %lld numbers",
                         (long long)n);
    ENUF_CUDA_TRY(cudaMallocHost(&s->host_copy, (size_t)n * 8), "the host copy of counts and sums");
    ENUF_CUDA_TRY(cudaEventCreateWithFlags(&s->reached_host, cudaEventDisableTiming),
                  "the host copy of counts and sums");
    return ENUF_SUCCESS;
}

static enuf_status weigh(enuf_slab *s)
{
    const enuf_ewald *ewald = s->request.ewald;
    const enuf_parameters *p = &ewald->method.parameters;
    enuf_cuda_influence influence;
    enuf_cuda_describe_influence(&p->splitting, &ewald->geometry, p->k_c, &influence);
    return enuf_slab_weigh(&s->lines, &influence, s->inverse.at, s->single, s->weights.at,
                           s->stream);
}

/* These steps may fail on one rank alone; they exchange no messages. */
static enuf_status build(const enuf_mesh_request *request, enuf_slab *s)
{
    const enuf_parameters *p = &request->ewald->method.parameters;
    const int ranks = request->ranks->size;
    s->stream = request->ewald->backend->mesh_stream(request->ewald);
    s->single = enuf_ewald_single_mesh(request->ewald);
    s->made_for = *p;
    s->layout = enuf_layout_slabs(p->grid, p->modes, p->width,
                                  ranks < ENUF_MOST_SLABS ? ranks : ENUF_MOST_SLABS);
    s->share = enuf_layout_share(&s->layout, request->ranks->rank);
    lay_out(s);
    ENUF_TRY(make_host_copy(s));
    ENUF_TRY(make_window(s));
    ENUF_TRY(make_cells(s));
    ENUF_TRY(enuf_halo_create(request->ranks, &s->layout, &s->share, ENUF_AXIS_Z, &s->halo));
    ENUF_TRY(make_transposition(s));
    ENUF_TRY(make_buffers(s));
    ENUF_TRY(enuf_slab_fft_create(s));
    ENUF_TRY(enuf_slab_transfer_create(s));
    ENUF_TRY(weigh(s));
    return enuf_slab_check_limit(s);
}

static enuf_status build_there(const enuf_mesh_request *request, enuf_reciprocal *made)
{
    enuf_slab *s = of(made);
    ENUF_TRY(check_request(request));
    s->request = *request;
    const int callers = enter(s);
    const enuf_status status = build(request, s);
    leave(s, callers);
    return status;
}

static void release(enuf_slab *s)
{
    enuf_device_array *arrays[] = {&s->cells,   &s->buffer[0], &s->buffer[1], &s->inverse,
                                   &s->weights, &s->partial,   &s->sums,      &s->kept,
                                   &s->charges, &s->values,    &s->gradients, &s->came_back};
    enuf_slab_fft_destroy(s);
    enuf_slab_transfer_release(s);
    enuf_nufft_destroy(&s->plan);
    enuf_halo_release(&s->halo);
    enuf_exchange_release(&s->to_lines);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        enuf_device_array_release(&s->memory, arrays[k]);
    if (s->host_copy) cudaFreeHost(s->host_copy);
    if (s->reached_host) cudaEventDestroy(s->reached_host);
    cudaGetLastError(); /* after a sticky error nothing can be freed */
}

static void destroy(enuf_reciprocal **made)
{
    enuf_slab *s = of(*made);
    if (!s) return;
    if (s->request.devices) {
        const int callers = enter(s);
        release(s);
        leave(s, callers);
    }
    enuf_release(made);
}

static enuf_status create(const enuf_mesh_request *request, enuf_reciprocal **made)
{
    return enuf_mesh_make(request, sizeof(enuf_slab), build_there, destroy, made);
}

static int serves(const enuf_reciprocal *made, const enuf_parameters *p)
{
    const enuf_slab *s = of_const(made);
    return s->single == enuf_ewald_single_mesh(s->request.ewald) &&
           enuf_mesh_serves(&s->made_for, p);
}

static enuf_status set_cell(enuf_reciprocal *made)
{
    enuf_slab *s = of(made);
    const int callers = enter(s);
    const enuf_status status = weigh(s);
    leave(s, callers);
    return enuf_ranks_agree(s->request.ranks, status);
}

static enuf_mesh_part part(const enuf_reciprocal *made)
{
    const enuf_slab *s = of_const(made);
    return (enuf_mesh_part){s->layout.grid[0] * s->layout.grid[1] * s->planes, enuf_slab_bytes(s),
                            s->transfer.n_here};
}

static void begin(enuf_reciprocal *made, const enuf_mesh_points *points)
{
    enuf_slab *s = of(made);
    const int callers = enter(s);
    enuf_slab_points_begin(s, points);
    leave(s, callers);
}

static enuf_status compute(enuf_reciprocal *made, const enuf_mesh_points *points,
                           enuf_mesh_sums *sums)
{
    enuf_slab *s = of(made);
    const int callers = enter(s);
    const enuf_status status = enuf_slab_evaluate(s, points, sums);
    leave(s, callers);
    return status;
}

const enuf_reciprocal_table enuf_reciprocal_slabs = {
    .decomposition = ENUF_DECOMPOSITION_DISTRIBUTED,
    .name = "distributed",
    .create = create,
    .destroy = destroy,
    .serves = serves,
    .set_cell = set_cell,
    .compute = compute,
    .part = part,
    .begin = begin,
};
