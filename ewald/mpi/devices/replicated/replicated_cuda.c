/*
 * replicated_cuda.c - every rank that leads a GPU has the whole mesh there: replicated.c with all
 * arrays in device memory. begin() enqueues spreading and the forward transform, during the
 * exchange of atoms for the pairs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "cuda/device_array.h"
#include "mpi/devices/transports/device_ranks.h"
#include "cuda/cuda_ewald.h"
#include "memory.h"
#include "mpi/mesh/reciprocal.h"
#include "sphere.h"

#include <stdio.h>
#include <string.h>

/* X(array): on the device */
#define ARRAYS(X) X(influence) X(multiplier) X(sphere) X(n_found) X(scan) X(factors) X(reduced)

struct enuf_reciprocal {
    enuf_device_ranks *devices;
    const enuf_ewald *ewald;
    enuf_nufft *plan;
    cudaStream_t stream; /* the plan's */
    enuf_parameters made_for;
    int single;
    int64_t n_stored, n_sphere;
    int64_t n_points;  /* of the last evaluation */
    double *host_copy; /* page-locked [2][7] */
    cudaEvent_t reduced_here;
    int begun;
    int unfinished;     /* 1: the plan may hold errors of an evaluation that was stopped */
    enuf_status status; /* of begin() */
    char text[512];
    enuf_device_memory memory;
#define ENUF_X(name) enuf_device_array name;
    ARRAYS(ENUF_X)
#undef ENUF_X
};

static size_t number_size(const enuf_reciprocal *r)
{
    return r->single ? sizeof(float) : sizeof(double);
}

static void destroy(enuf_reciprocal **made)
{
    enuf_reciprocal *r = *made;
    if (!r) return;
    enuf_nufft_destroy(&r->plan);
#define ENUF_X(name) enuf_device_array_release(&r->memory, &r->name);
    ARRAYS(ENUF_X)
#undef ENUF_X
    if (r->host_copy) cudaFreeHost(r->host_copy);
    if (r->reduced_here) cudaEventDestroy(r->reduced_here);
    cudaGetLastError();
    enuf_release(made);
}

static enuf_status make(const enuf_mesh_request *request, enuf_reciprocal *r)
{
    const enuf_parameters *p = &request->ewald->method.parameters;
    const char *what = "modes";
    enuf_nufft_options plan;
    void *host_copy = NULL;
    size_t scan = 0;
    r->devices = request->devices;
    r->ewald = request->ewald;
    r->made_for = *p;
    r->single = enuf_ewald_single_mesh(r->ewald);
    enuf_ewald_plan_options(r->ewald, p, &plan);
    r->stream = plan.stream;
    ENUF_TRY(enuf_nufft_create(&plan, &r->plan));
    r->n_stored = (p->modes[0] + 1) / 2 * p->modes[1] * p->modes[2];
    const size_t size = number_size(r);
    ENUF_TRY(enuf_sphere_scan_bytes(r->n_stored, r->single, &scan));
    ENUF_TRY(enuf_device_array_reserve(&r->memory, &r->influence, 2 * r->n_stored, size, what));
    ENUF_TRY(enuf_device_array_reserve(&r->memory, &r->sphere, r->n_stored, sizeof(int64_t), what));
    ENUF_TRY(enuf_device_array_reserve(&r->memory, &r->n_found, 1, sizeof(int64_t), what));
    ENUF_TRY(enuf_device_array_reserve(&r->memory, &r->scan, (int64_t)scan, 1, what));
    ENUF_TRY(enuf_device_array_reserve(&r->memory, &r->reduced, 14, sizeof(double), what));
    if (enuf_allocation_fails())
        return enuf_fail(ENUF_OUT_OF_MEMORY, "no page-locked memory for sums over modes");
    ENUF_CUDA_TRY(cudaMallocHost(&host_copy, 14 * sizeof(double)), "page-locked memory for sums");
    r->host_copy = host_copy;
    ENUF_CUDA_TRY(cudaEventCreateWithFlags(&r->reduced_here, cudaEventDisableTiming),
                  "making an event");
    return ENUF_SUCCESS;
}

/* Computes the weights of the modes, and lists the nonzero ones. */
static enuf_status fill(enuf_reciprocal *r)
{
    const enuf_parameters *p = &r->ewald->method.parameters;
    enuf_cuda_influence f;
    enuf_cuda_describe_influence(&p->splitting, &r->ewald->geometry, p->k_c, &f);
    f.h1 = (r->made_for.modes[0] + 1) / 2;
    f.n2 = r->made_for.modes[1];
    f.n3 = r->made_for.modes[2];
    ENUF_TRY(enuf_cuda_fill_influence(&f, r->single, r->influence.at, r->stream));
    ENUF_TRY(enuf_sphere_find(r->n_stored, r->single, r->influence.at, r->sphere.at, r->n_found.at,
                              r->scan.at, (size_t)r->scan.bytes, r->stream));
    ENUF_CUDA_TRY(cudaMemcpyAsync(&r->n_sphere, r->n_found.at, sizeof r->n_sphere,
                                  cudaMemcpyDeviceToHost, r->stream),
                  "reading the number of modes");
    ENUF_CUDA_TRY(cudaStreamSynchronize(r->stream), "listing the modes");
    return enuf_device_array_reserve(&r->memory, &r->factors, 2 * r->n_sphere, number_size(r),
                                     "structure factors");
}

static enuf_status set_cell(enuf_reciprocal *r)
{
    enuf_ranks *ranks = r->devices->ranks;
    ENUF_TRY(enuf_ranks_agree(ranks, fill(r)));
    /* all ranks must send the same modes: different rounding at the edge of the sphere is an
     * error */
    return enuf_ranks_same(ranks, "the number of modes", r->n_sphere);
}

static enuf_status create(const enuf_mesh_request *request, enuf_reciprocal **made)
{
    ENUF_TRY(enuf_mesh_make(request, sizeof **made, make, destroy, made));
    const enuf_status status = set_cell(*made);
    if (status != ENUF_SUCCESS) destroy(made);
    return status;
}

static int serves(const enuf_reciprocal *r, const enuf_parameters *p)
{
    return r->single == enuf_ewald_single_mesh(r->ewald) && enuf_mesh_serves(&r->made_for, p);
}

/* ---- An evaluation ---- */

static enuf_status spread(enuf_reciprocal *r, const enuf_mesh_points *points)
{
    const double *x = points->positions;
    const int deterministic = r->ewald->options.deterministic;
    r->n_points = points->n;
    ENUF_TRY(enuf_nufft_set_frame(r->plan, r->ewald->geometry.frame, NULL));
    ENUF_TRY(enuf_nufft_set_points(r->plan, points->n, x, x + 1, x + 2, 3));
    ENUF_TRY(enuf_nufft_spread(r->plan, r->single ? (const void *)points->q_single
                                                  : (const void *)points->q));
    /* the reduction of the cells comes before the transform */
    if (deterministic) return ENUF_SUCCESS;
    ENUF_TRY(enuf_nufft_transform(r->plan));
    return enuf_nufft_get_spectrum(r->plan, r->n_sphere, r->sphere.at, r->factors.at);
}

static void begin(enuf_reciprocal *r, const enuf_mesh_points *points)
{
    /* clears errors of a stopped evaluation */
    if (r->unfinished) (void)enuf_nufft_check(r->plan, NULL);
    r->unfinished = 1;
    r->status = spread(r, points);
    if (r->status != ENUF_SUCCESS) snprintf(r->text, sizeof r->text, "%s", enuf_last_error());
    r->begun = 1;
}

/* The cells of a deterministic grid, for their reduction in integers. */
typedef struct grid_cells {
    void *at;
    int64_t n;
} grid_cells;

static enuf_status find_cells(enuf_reciprocal *r, grid_cells *cells)
{
    enuf_cell_type type;
    if (r->status != ENUF_SUCCESS) return enuf_fail(r->status, "%s", r->text);
    if (!r->ewald->options.deterministic) return ENUF_SUCCESS;
    return enuf_nufft_grid(r->plan, &cells->at, &cells->n, &type);
}

/* The reduction comes first, because other ranks wait for it. */
static enuf_status sum_over_ranks(enuf_reciprocal *r, const grid_cells *cells)
{
    if (!r->ewald->options.deterministic) {
        ENUF_TRY(enuf_device_sum(r->devices, r->single ? ENUF_SUM_FLOAT : ENUF_SUM_DOUBLE,
                                 2 * r->n_sphere, r->factors.at, r->stream));
        return enuf_nufft_put_spectrum(r->plan, r->n_sphere, r->sphere.at, r->factors.at);
    }
    ENUF_TRY(enuf_device_sum(r->devices, ENUF_SUM_INT64, cells->n, cells->at, r->stream));
    return enuf_nufft_transform(r->plan);
}

/* Enqueues the sums over modes and their copy to the host. */
static enuf_status reduce(enuf_reciprocal *r, int with_virial)
{
    double *on_device = r->reduced.at;
    ENUF_TRY(
        enuf_nufft_reduce(r->plan, with_virial ? 2 : 1, r->influence.at, with_virial, on_device));
    ENUF_CUDA_TRY(cudaMemcpyAsync(r->host_copy, on_device, 14 * sizeof *r->host_copy,
                                  cudaMemcpyDeviceToHost, r->stream),
                  "reading sums over modes");
    ENUF_CUDA_TRY(cudaEventRecord(r->reduced_here, r->stream), "recording an event");
    return ENUF_SUCCESS;
}

static enuf_status gather_virial(enuf_reciprocal *r, int64_t n, void *atom_virial)
{
    const size_t size = number_size(r);
    ENUF_TRY(enuf_device_array_reserve(&r->memory, &r->multiplier, r->n_stored, size,
                                       "multiplier of the modes"));
    for (int c = 0; c < 6; c++) {
        ENUF_TRY(enuf_cuda_virial_multiplier(r->ewald->geometry.inverse, r->made_for.modes,
                                             r->single, r->influence.at, c, r->multiplier.at,
                                             r->stream));
        ENUF_TRY(enuf_nufft_backward(r->plan, ENUF_REAL, r->multiplier.at,
                                     (char *)atom_virial + (size_t)(c * n) * size, NULL));
    }
    return ENUF_SUCCESS;
}

static enuf_status gather(enuf_reciprocal *r, const enuf_mesh_points *points,
                          const enuf_mesh_sums *sums)
{
    ENUF_TRY(reduce(r, sums->with_virial));
    if (points->n == 0) return ENUF_SUCCESS;
    if (sums->half_potential || sums->half_gradient)
        ENUF_TRY(enuf_nufft_backward(r->plan, ENUF_REAL, r->influence.at, sums->half_potential,
                                     sums->half_gradient));
    return sums->atom_virial ? gather_virial(r, points->n, sums->atom_virial) : ENUF_SUCCESS;
}

static enuf_status report_sums(enuf_reciprocal *r, enuf_mesh_sums *sums)
{
    ENUF_TRY(enuf_device_wait_for_event(r->devices, r->reduced_here, "sums over modes"));
    enuf_mesh_set_sums(r->ewald, r->host_copy[0], r->host_copy + 8, sums);
    return ENUF_SUCCESS;
}

/* Checks the plan's data. The check waits for the device, so it is made only if charges or their
 * sums may overflow. */
static enuf_status check_data(enuf_reciprocal *r)
{
    const double safe = r->single ? 1e30 : 1e300;
    if (!r->ewald->options.deterministic && r->ewald->charges.sum_abs < safe) return ENUF_SUCCESS;
    return enuf_nufft_check(r->plan, NULL);
}

static enuf_status compute(enuf_reciprocal *r, const enuf_mesh_points *points, enuf_mesh_sums *sums)
{
    enuf_ranks *ranks = r->devices->ranks;
    if (!r->begun) begin(r, points);
    r->begun = 0;
    grid_cells cells = {.n = 0};
    ENUF_TRY(enuf_ranks_agree(ranks, find_cells(r, &cells)));
    enuf_status status = sum_over_ranks(r, &cells);
    if (status == ENUF_SUCCESS) status = gather(r, points, sums);
    /* wait first with the function that ends if another rank fails */
    if (status == ENUF_SUCCESS) status = report_sums(r, sums);
    if (status == ENUF_SUCCESS) status = check_data(r);
    ENUF_TRY(enuf_mesh_agree_sums(ranks, status, sums));
    r->unfinished = 0;
    return ENUF_SUCCESS;
}

static enuf_mesh_part part(const enuf_reciprocal *r)
{
    const int64_t *grid = r->made_for.grid;
    enuf_nufft_report plan = {.struct_size = sizeof plan, .bytes = 0};
    enuf_nufft_get_report(r->plan, &plan);
    return (enuf_mesh_part){.cells = grid[0] * grid[1] * grid[2],
                            .bytes = plan.bytes + r->memory.held,
                            .points = r->n_points};
}

const enuf_reciprocal_table enuf_reciprocal_replicated_cuda = {
    .name = "replicated",
    .decomposition = ENUF_DECOMPOSITION_REPLICATED,
    .create = create,
    .destroy = destroy,
    .serves = serves,
    .set_cell = set_cell,
    .compute = compute,
    .part = part,
    .begin = begin,
};
