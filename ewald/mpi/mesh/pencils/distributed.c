/*
 * distributed.c - the sum over modes on a distributed grid: the memory of a rank falls as the
 * number of ranks grows. The last bits of sums depend on the layout. So `deterministic` uses
 * replicated.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "distributed_grid.h"
#include "mpi/messages/message_rates.h"
#include "memory.h"
#include "parallel.h"

#include <string.h>

#define BY_PRECISION(d, function, ...)                                                             \
    ((d)->single ? function##_f32(__VA_ARGS__) : function##_f64(__VA_ARGS__))

static size_t number_size(const enuf_distributed *d)
{
    return d->single ? sizeof(float) : sizeof(double);
}

static enuf_distributed *of(enuf_reciprocal *made)
{
    return (enuf_distributed *)(void *)made;
}

static const enuf_distributed *of_const(const enuf_reciprocal *made)
{
    return (const enuf_distributed *)(const void *)made;
}

static enuf_status check_request(const enuf_mesh_request *request)
{
    const enuf_ewald *ewald = request->ewald;
    ENUF_TRY(enuf_mesh_refuse_deterministic(request));
    if (ewald->backend->kind == ENUF_BACKEND_CUDA)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "the distributed grid is made for CPUs: use the replicated decomposition "
                         "with the cuda backend, or backend cpu");
    return ENUF_SUCCESS;
}

/* Numbers of complex numbers that ranks exchange in the two transpositions. */
static enuf_status make_transpositions(enuf_distributed *d)
{
    const enuf_ranks *ranks = d->request.ranks;
    const enuf_layout *l = &d->layout;
    const enuf_share *s = &d->share;
    ENUF_TRY(enuf_exchange_create(ranks, &d->to_columns));
    ENUF_TRY(enuf_exchange_create(ranks, &d->to_lines));
    if (!s->holds) return ENUF_SUCCESS;
    const int64_t rows = s->n[ENUF_AXIS_Y], planes = s->n[ENUF_AXIS_Z];
    enuf_exchange *x = &d->to_columns, *y = &d->to_lines;
    for (int k = 0; k < l->modes_x.parts; k++) {
        int rank = enuf_layout_rank(l, k, s->at[ENUF_AXIS_Z]);
        x->send[rank] = enuf_block_size(l->modes_x, k) * rows * planes;
        x->receive[rank] = enuf_block_size(l->cells[ENUF_AXIS_Y], k) * planes * s->n_x;
        x->n_send += x->send[rank];
        x->n_receive += x->receive[rank];
    }
    for (int k = 0; k < l->modes_y.parts; k++) {
        int rank = enuf_layout_rank(l, s->at[ENUF_AXIS_Y], k);
        y->send[rank] = enuf_block_size(l->modes_y, k) * planes * s->n_x;
        y->receive[rank] = enuf_block_size(l->cells[ENUF_AXIS_Z], k) * s->n_y * s->n_x;
        y->n_send += y->send[rank];
        y->n_receive += y->receive[rank];
    }
    return ENUF_SUCCESS;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static enuf_status make_buffers(enuf_distributed *d)
{
    const int64_t number = (int64_t)number_size(d), row = d->brick.part.n[0] * number;
    int64_t pairs, modes = d->columns * d->layout.modes[2];
    pairs = larger(d->to_lines.n_send, d->to_lines.n_receive);
    if (d->layout.cells[ENUF_AXIS_Y].parts > 1)
        pairs = larger(pairs, larger(d->to_columns.n_send, d->to_columns.n_receive));
    d->buffer_bytes = 2 * number * pairs;
    for (int axis = 0; axis < 2; axis++)
        d->buffer_bytes = larger(d->buffer_bytes, row * enuf_halo_rows(&d->halo[axis]));
    /* a single rank needs no second buffer: its lines stay in the first */
    for (int k = 0; k < (enuf_layout_ranks(&d->layout) > 1 ? 2 : 1); k++)
        ENUF_TRY(enuf_allocate(&d->buffer[k], d->buffer_bytes, 1, "what ranks send each other"));
    const int64_t block = enuf_line_block(d->single), blocks = (d->columns + block - 1) / block;
    ENUF_TRY(
        enuf_allocate(&d->partial, blocks * ENUF_LINE_SUMS, sizeof *d->partial, "partial sums"));
    return enuf_allocate(&d->weights, 2 * modes, number_size(d), "influence of the modes");
}

static int64_t bytes_held(const enuf_distributed *d)
{
    const int64_t number = (int64_t)number_size(d);
    const int64_t block = enuf_line_block(d->single), blocks = (d->columns + block - 1) / block;
    int64_t bytes = (int64_t)sizeof *d;
    bytes += enuf_part_numbers(&d->brick.part) * number;
    for (int k = 0; k < 2; k++) bytes += d->buffer[k] ? d->buffer_bytes : 0;
    bytes += 2 * d->columns * d->layout.modes[2] * number;
    bytes += blocks * ENUF_LINE_SUMS * (int64_t)sizeof(double);
    bytes += d->fft.scratch ? d->fft.scratch_bytes * d->threads : 0;
    bytes += enuf_fft_scratch_bytes(d->fft.passes);
    bytes += d->kept ? 2 * d->columns * d->layout.grid[2] * number : 0;
    bytes += d->strengths.bytes + d->values.bytes + d->gradients.bytes + d->came_back.bytes;
    bytes += enuf_point_transfer_bytes(&d->transfer) + enuf_home_bytes(&d->home);
    enuf_nufft_report report = {.struct_size = sizeof report};
    if (d->plan && enuf_nufft_get_report(d->plan, &report) == ENUF_SUCCESS) bytes += report.bytes;
    return bytes;
}

static enuf_status check_limit(const enuf_distributed *d)
{
    return enuf_mesh_check_limit(&d->request, bytes_held(d));
}

/* Local: the steps that may fail on one rank alone. */
static enuf_status build(const enuf_mesh_request *request, enuf_reciprocal *made)
{
    enuf_distributed *d = of(made);
    const enuf_parameters *p = &request->ewald->method.parameters;
    ENUF_TRY(check_request(request));
    d->request = *request;
    d->single = enuf_ewald_single_mesh(request->ewald);
    d->threads = enuf_ewald_threads(request->ewald);
    d->made_for = *p;
    d->layout = enuf_layout_choose(p->grid, p->modes, p->width, request->ranks->size,
                                   enuf_message_in_numbers(&request->ewald->costs));
    d->share = enuf_layout_share(&d->layout, request->ranks->rank);
    d->columns = d->share.n_x * d->share.n_y;
    ENUF_TRY(enuf_distributed_window(d));
    ENUF_TRY(enuf_distributed_brick_create(d));
    for (int axis = 0; axis < 2; axis++)
        ENUF_TRY(enuf_halo_create(request->ranks, &d->layout, &d->share, axis, &d->halo[axis]));
    ENUF_TRY(make_transpositions(d));
    ENUF_TRY(make_buffers(d));
    ENUF_TRY(BY_PRECISION(d, enuf_distributed_fft_create, d));
    ENUF_TRY(enuf_point_transfer_create(request->ranks, &d->transfer));
    ENUF_TRY(enuf_home_create(request, &d->layout, &d->home));
    enuf_distributed_weigh(d);
    return check_limit(d);
}

static void destroy(enuf_reciprocal **made)
{
    enuf_distributed *d = of(*made);
    if (!d) return;
    BY_PRECISION(d, enuf_distributed_fft_destroy, d);
    enuf_nufft_destroy(&d->plan);
    for (int axis = 0; axis < 2; axis++) enuf_halo_release(&d->halo[axis]);
    for (int axis = 0; axis < 3; axis++) enuf_release(&d->own_inverse[axis]);
    for (int k = 0; k < 2; k++) enuf_release(&d->buffer[k]);
    enuf_exchange_release(&d->to_columns);
    enuf_exchange_release(&d->to_lines);
    enuf_point_transfer_release(&d->transfer);
    enuf_home_release(&d->home);
    enuf_release(&d->brick.cells);
    enuf_release(&d->weights);
    enuf_release(&d->partial);
    enuf_release(&d->kept);
    enuf_array_release(&d->strengths);
    enuf_array_release(&d->values);
    enuf_array_release(&d->gradients);
    enuf_array_release(&d->came_back);
    enuf_release(made);
}

static enuf_status create(const enuf_mesh_request *request, enuf_reciprocal **made)
{
    return enuf_mesh_make(request, sizeof(enuf_distributed), build, destroy, made);
}

static int serves(const enuf_reciprocal *made, const enuf_parameters *p)
{
    return enuf_mesh_serves(&of_const(made)->made_for, p);
}

static enuf_status set_cell(enuf_reciprocal *made)
{
    enuf_distributed_weigh(of(made));
    return ENUF_SUCCESS;
}

static enuf_mesh_part part(const enuf_reciprocal *made)
{
    const enuf_distributed *d = of_const(made);
    const enuf_home *home = &d->home;
    int64_t cells = d->brick.part.n[0] * d->brick.part.n[1] * d->brick.part.n[2];
    if (home->in_use) cells += enuf_home_cells(&home->rows.boxes[home->rows.rank]);
    return (enuf_mesh_part){cells, bytes_held(d), home->in_use ? home->n : d->transfer.n_here};
}

static enuf_halo_cells cells_of(const enuf_distributed *d)
{
    const size_t number = number_size(d);
    return (enuf_halo_cells){d->brick.cells, (size_t)d->brick.part.n[0] * number,
                             (size_t)d->brick.part.row * number,
                             (size_t)d->brick.part.plane * number};
}

/* Local: makes room for what comes back to the caller's order. */
static enuf_status reserve_results(enuf_distributed *d, const enuf_mesh_sums *sums)
{
    const int64_t here = d->transfer.n_here, home = d->transfer.n_home;
    const size_t number = number_size(d);
    const int values = sums->half_potential || sums->atom_virial,
              width = sums->half_gradient ? 3 : 1;
    if (values) ENUF_TRY(enuf_array_reserve(&d->values, here, number, "mesh potentials"));
    if (sums->half_gradient)
        ENUF_TRY(enuf_array_reserve(&d->gradients, here, 3 * number, "mesh gradients"));
    if (!values && !sums->half_gradient) return ENUF_SUCCESS;
    return enuf_array_reserve(&d->came_back, home, (size_t)width * number,
                              "results of other ranks");
}

/* Local: makes room for all later steps, and spreads points that have come here. After it only
 * interpolation can fail. */
static enuf_status prepare(enuf_distributed *d, const enuf_mesh_sums *sums)
{
    if (sums->atom_virial && !d->kept)
        ENUF_TRY(enuf_allocate(&d->kept, 2 * d->columns * d->layout.grid[2], number_size(d),
                               "the spectrum"));
    if (!d->home.in_use) ENUF_TRY(reserve_results(d, sums));
    ENUF_TRY(check_limit(d));
    return d->home.in_use ? ENUF_SUCCESS : enuf_distributed_spread(d);
}

typedef struct home_loop {
    const enuf_distributed *d;
    void *to;
    double units[3]; /* of positions, in a period */
} home_loop;

static void place_values(void *context, int64_t i, int64_t end, int thread)
{
    const home_loop *loop = context;
    const enuf_distributed *d = loop->d;
    const int64_t *sent_as = d->transfer.sent_as.at;
    (void)thread;
    for (; i < end; i++)
        enuf_set_number(loop->to, d->single, i,
                        enuf_number_at(d->came_back.at, d->single, sent_as[i]));
}

/* Converts gradients from the units of positions to Cartesian coordinates. */
static void place_gradients(void *context, int64_t i, int64_t end, int thread)
{
    const home_loop *loop = context;
    const enuf_distributed *d = loop->d;
    const int64_t *sent_as = d->transfer.sent_as.at;
    const double *frame = d->request.ewald->geometry.frame;
    (void)thread;
    for (; i < end; i++)
        for (int e = 0; e < 3; e++) {
            double sum = 0;
            for (int a = 0; a < 3; a++)
                sum += enuf_number_at(d->came_back.at, d->single, 3 * sent_as[i] + a) *
                       loop->units[a] * frame[3 * a + e];
            enuf_set_number(loop->to, d->single, 3 * i + e, sum);
        }
}

/* Sends values back, into the caller's order. */
static void bring_values(enuf_distributed *d, void *to)
{
    home_loop loop = {.d = d, .to = to};
    enuf_point_transfer_back(d->request.ranks, &d->transfer, number_size(d), d->values.at,
                             d->came_back.at);
    enuf_parallel_for(d->threads, d->transfer.n_home, 0, place_values, &loop);
}

/* Sends gradients back, into the caller's order. */
static void bring_gradients(enuf_distributed *d, void *to)
{
    home_loop loop = {.d = d, .to = to};
    for (int a = 0; a < 3; a++) /* the owner's part has the same units as this rank's */
        loop.units[a] = a > 0 && d->layout.cells[a - 1].parts > 1 ? (double)d->layout.grid[a] : 1;
    enuf_point_transfer_back(d->request.ranks, &d->transfer, 3 * number_size(d), d->gradients.at,
                             d->came_back.at);
    enuf_parallel_for(d->threads, d->transfer.n_home, 0, place_gradients, &loop);
}

/* Local: at the points of this rank's cells or bricks, unless the transforms back have lacked
 * memory. Their NaN reach other ranks, which leave the report to this one. */
static enuf_status interpolate(enuf_distributed *d, void *values, void *gradients)
{
    ENUF_TRY(enuf_fft_check(d->fft.passes));
    const enuf_status status =
        d->home.in_use ? enuf_home_interpolate(&d->request, &d->home, values, gradients)
                       : enuf_distributed_interpolate(d, values != NULL, gradients != NULL);
    if (status == ENUF_NOT_FINITE) d->request.ranks->follows = 1;
    return status;
}

/* The pencil without its halo. */
static enuf_home_array pencil_of(const enuf_distributed *d)
{
    return (enuf_home_array){(char *)d->brick.cells + (size_t)d->brick.first * number_size(d),
                             d->brick.part.row, d->brick.part.plane};
}

/* Transforms the lines back and interpolates at the points. */
static enuf_status gather(enuf_distributed *d, void *values, void *gradients)
{
    enuf_ranks *ranks = d->request.ranks;
    const enuf_halo_cells cells = cells_of(d);
    const enuf_home_array pencil = pencil_of(d);
    BY_PRECISION(d, enuf_distributed_backward, d);
    if (d->home.in_use)
        enuf_home_rows_fetch(ranks, &d->home.rows, &pencil, &d->home.brick);
    else
        enuf_halo_fill(ranks, &d->share, d->halo, &cells, d->buffer);
    ENUF_TRY(enuf_ranks_agree(ranks, interpolate(d, values, gradients)));
    if (d->home.in_use) return ENUF_SUCCESS;
    if (values) bring_values(d, values);
    if (gradients) bring_gradients(d, gradients);
    return ENUF_SUCCESS;
}

/* Bytes below the memory limit, where this rank has no brick. */
static int64_t room_of(const enuf_distributed *d)
{
    const int64_t limit = d->request.ewald->options.memory_limit;
    return limit == 0 ? INT64_MAX : limit - bytes_held(d) + enuf_home_bytes(&d->home);
}

/* The cells of this rank, of all points. */
static enuf_status spread(enuf_distributed *d, const enuf_mesh_points *points,
                          const enuf_mesh_sums *sums)
{
    enuf_ranks *ranks = d->request.ranks;
    const enuf_halo_cells cells = cells_of(d);
    const enuf_home_array pencil = pencil_of(d);
    ENUF_TRY(enuf_home_spread(&d->request, &d->home, points, room_of(d)));
    if (!d->home.in_use)
        ENUF_TRY(enuf_point_transfer_go(ranks, &d->layout, &d->request.ewald->geometry, d->threads,
                                        points, &d->transfer));
    ENUF_TRY(enuf_ranks_agree(ranks, prepare(d, sums)));
    if (d->home.in_use)
        enuf_home_rows_add(ranks, &d->home.rows, &d->home.brick, &pencil);
    else
        enuf_halo_add(ranks, &d->share, d->halo, &cells, d->single, d->buffer);
    return ENUF_SUCCESS;
}

static enuf_status add_blocks(enuf_distributed *d, enuf_mesh_sums *sums)
{
    const int64_t block = enuf_line_block(d->single), blocks = (d->columns + block - 1) / block;
    double total[ENUF_LINE_SUMS] = {0};
    for (int64_t k = 0; k < blocks; k++)
        for (int i = 0; i < ENUF_LINE_SUMS; i++) total[i] += d->partial[k * ENUF_LINE_SUMS + i];
    return enuf_mesh_reduce(&d->request, enuf_fft_check(d->fft.passes), total, sums);
}

static enuf_status compute(enuf_reciprocal *made, const enuf_mesh_points *points,
                           enuf_mesh_sums *sums)
{
    enuf_distributed *d = of(made);
    ENUF_TRY(spread(d, points, sums));
    void *lines = BY_PRECISION(d, enuf_distributed_forward, d);
    const int several = sums->atom_virial != NULL,
              field = sums->half_potential || sums->half_gradient;
    enuf_line_job job = {.forward = 1,
                         .sums = sums->with_virial ? 2 : 1,
                         .keep = several,
                         .backward = field,
                         .component = -1};
    BY_PRECISION(d, enuf_distributed_lines, d, lines, &job);
    ENUF_TRY(add_blocks(d, sums));
    if (field) ENUF_TRY(gather(d, sums->half_potential, sums->half_gradient));
    for (int c = 0; several && c < 6; c++) {
        job = (enuf_line_job){.from_kept = 1, .backward = 1, .component = c};
        BY_PRECISION(d, enuf_distributed_lines, d, lines, &job);
        char *of_component = (char *)sums->atom_virial + (size_t)(c * points->n) * number_size(d);
        ENUF_TRY(gather(d, of_component, NULL));
    }
    return ENUF_SUCCESS;
}

const enuf_reciprocal_table enuf_reciprocal_distributed = {
    .name = "distributed",
    .decomposition = ENUF_DECOMPOSITION_DISTRIBUTED,
    .create = create,
    .destroy = destroy,
    .serves = serves,
    .set_cell = set_cell,
    .compute = compute,
    .part = part,
};
