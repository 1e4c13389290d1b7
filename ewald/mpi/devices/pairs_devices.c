/*
 * pairs_devices.c - pairs on many GPUs: atoms go to their domains, results are sent back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "devices_evaluation.h"
#include "memory.h"
#include "mpi/choose/rank_costs.h"

#include <string.h>

enuf_status enuf_devices_refuse(const void *context, const enuf_cuda_pair_record *record)
{
    const enuf_devices_evaluation *e = context;
    const enuf_cuda_ewald *cuda = e->cuda;
    const int finite = record->bad_atom == ENUF_CUDA_NO_ATOM;
    const int64_t i = (int64_t)(finite ? record->far_atom : record->bad_atom);
    const long long number = (long long)enuf_number_of_atom(e->m, i);
    double x[3];
    ENUF_CUDA_TRY(cudaMemcpyAsync(x, cuda->atoms.positions + i * cuda->atoms.stride, sizeof x,
                                  cudaMemcpyDeviceToHost, cuda->side),
                  "reading a position");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->side), "reading a position");
    if (!finite)
        return enuf_fail(ENUF_NOT_FINITE,
                         "position of atom %lld is (%g, %g, %g): it has to be finite", number, x[0],
                         x[1], x[2]);
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "atom %lld: position (%g, %g, %g) is more than 10^7 cell vectors away from "
                     "the origin: fold it first",
                     number, x[0], x[1], x[2]);
}

static enuf_device_home home_of(const enuf_devices_evaluation *e)
{
    const enuf_cuda_ewald *cuda = e->cuda;
    const enuf_ewald *ewald = e->m->ewald;
    enuf_cuda_scalars *scalars = cuda->scalars.at;
    const enuf_rank_run run = enuf_rank_run_of(ewald, e->m->ranks.size, 1);
    return (enuf_device_home){
        .n = cuda->atoms.n,
        .positions = cuda->atoms.positions,
        .stride = cuda->atoms.stride,
        .q = cuda->atoms.q,
        .cell = &ewald->geometry,
        .cutoff = ewald->method.parameters.splitting.cutoff,
        .weights = enuf_domain_weights_of(&run),
        .charge_changes = ewald->charge_changes,
        .unshifted = ewald->options.deterministic,
        .record = &scalars->record,
        .refuse = enuf_devices_refuse,
        .context = e,
    };
}

void enuf_devices_begin_placing(enuf_devices_evaluation *e)
{
    const enuf_device_home home = home_of(e);
    enuf_device_domain_begin(&e->devices->domain, &home, e->cuda->side);
}

enuf_status enuf_devices_place(enuf_devices_evaluation *e)
{
    const enuf_device_home home = home_of(e);
    ENUF_TRY(enuf_device_domain_place(&e->devices->domain, &home, e->cuda->side));
    e->m->points = e->devices->domain.n_own;
    return ENUF_SUCCESS;
}

/* Makes room for the sums of pairs. Half pairs leave a field, which forces are computed from
 * later. */
static enuf_status reserve_found(enuf_devices_evaluation *e)
{
    enuf_devices *d = e->devices;
    const enuf_cuda_ewald *cuda = e->cuda;
    const int64_t n = cuda->half_pairs ? d->domain.n_own : d->domain.n_own + d->domain.n_ghosts;
    memset(&e->found, 0, sizeof e->found);
#define ENUF_X(BIT, name, width, text)                                                             \
    if (e->what->wanted & ENUF_WANT_##BIT) {                                                       \
        const size_t size = (width) * sizeof(double);                                              \
        ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->name, n, size, text));                  \
        e->found.name = d->name.at;                                                                \
        if (n > 0 && !cuda->half_pairs)                                                            \
            ENUF_CUDA_TRY(cudaMemsetAsync(d->name.at, 0, (size_t)n *size, cuda->side),             \
                          "clearing pair sums");                                                   \
    }
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

/* The pairs of the domain's atoms. */
static enuf_cuda_pair_request request_pairs(const enuf_devices_evaluation *e)
{
    const enuf_device_domain *domain = &e->devices->domain;
    const enuf_ewald *ewald = e->m->ewald;
    enuf_cuda_scalars *scalars = e->cuda->scalars.at;
    enuf_cuda_pair_request request = enuf_cuda_request_pairs(ewald, e->what->wanted, &e->found);
    request.cell = domain->box;
    request.n = domain->n_own + domain->n_ghosts;
    request.n_ghosts = domain->n_ghosts;
    request.positions = domain->row->x;
    request.charges = &domain->row->q;
    request.stride = request.charge_stride = sizeof *domain->row / sizeof(double);
    if (ewald->options.deterministic) request.integers = &scalars->pair_integers[0][0];
    return request;
}

enuf_status enuf_devices_sum_pairs(enuf_devices_evaluation *e)
{
    enuf_cuda_ewald *cuda = e->cuda;
    const enuf_device_domain *domain = &e->devices->domain;
    enuf_cuda_scalars *scalars = cuda->scalars.at;
    ENUF_TRY(reserve_found(e));
    if (domain->n_own == 0) return ENUF_SUCCESS;
    const enuf_cuda_pair_request request = request_pairs(e);
    ENUF_TRY(enuf_cuda_pairs_prepare(&cuda->memory, &cuda->pairs, &request));
    ENUF_TRY(enuf_cuda_pairs_sum(&cuda->pairs, &request, cuda->side));
    if (!cuda->half_pairs) return ENUF_SUCCESS;
    const enuf_cuda_sorted_field field = enuf_cuda_pairs_field(&cuda->pairs);
    /* bring_home() computes the forces of rows that stay */
    return enuf_placing_forces(&field, domain->n_stayed, domain->n_own, domain->row,
                               e->found.forces, &scalars->record, cuda->side);
}

enuf_status enuf_devices_bring_home(enuf_devices_evaluation *e)
{
    enuf_cuda_ewald *cuda = e->cuda;
    enuf_status status = ENUF_SUCCESS;
    const enuf_cuda_sorted_field field = enuf_cuda_pairs_field(&cuda->pairs);
    const enuf_cuda_sorted_field *stayed =
        cuda->half_pairs && e->devices->domain.n_own > 0 ? &field : NULL;
    enuf_cuda_scalars *scalars = cuda->scalars.at;
    /* every rank takes part in each */
#define ENUF_X(BIT, name, width, text)                                                             \
    if (e->what->wanted & ENUF_WANT_##BIT) {                                                       \
        const enuf_status here =                                                                   \
            enuf_device_domain_bring_home(&e->devices->domain, width, e->found.name, stayed,       \
                                          &scalars->record, cuda->sums.name, cuda->side);          \
        if (status == ENUF_SUCCESS) status = here;                                                 \
    }
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    if (status == ENUF_SUCCESS) status = enuf_cuda_time(cuda, EVENT_MIDDLE, cuda->side);
    if (status == ENUF_SUCCESS)
        status = enuf_cuda_order(cuda->side, cuda->event[EVENT_JOIN], cuda->work);
    return enuf_ranks_agree(&e->m->ranks, status);
}

/* ---- Errors of the pairs ---- */

typedef struct row_numbers {
    const enuf_devices_evaluation *e;
    const int64_t *numbers;
} row_numbers;

static enuf_status look_up(const void *context, int64_t i, int64_t *number, double x[3])
{
    const row_numbers *rows = context;
    const enuf_devices_evaluation *e = rows->e;
    *number = rows->numbers[i];
    ENUF_CUDA_TRY(cudaMemcpyAsync(x, e->devices->domain.row[i].x, 3 * sizeof *x,
                                  cudaMemcpyDeviceToHost, e->cuda->side),
                  "reading a position");
    ENUF_CUDA_TRY(cudaStreamSynchronize(e->cuda->side), "reading a position");
    return ENUF_SUCCESS;
}

enuf_status enuf_devices_report_pairs(enuf_devices_evaluation *e)
{
    const enuf_cuda_pair_record *record = &e->cuda->host_copy->record;
    enuf_ranks *ranks = &e->m->ranks;
    int64_t any = record->suspicious || record->overflowed || record->closest != ENUF_CUDA_NO_ATOM;
    int64_t *at_home = NULL, *of_rows = NULL;
    if (!e->cuda->has_pairs) return ENUF_SUCCESS;
    enuf_ranks_sum_integers(ranks, 1, &any);
    if (any == 0) return ENUF_SUCCESS;
    const int64_t n = e->cuda->atoms.n;
    enuf_status status =
        enuf_ranks_agree(ranks, enuf_allocate(&at_home, n, sizeof *at_home, "numbers of atoms"));
    for (int64_t i = 0; i < n && status == ENUF_SUCCESS; i++)
        at_home[i] = enuf_number_of_atom(e->m, i);
    if (status == ENUF_SUCCESS)
        status = enuf_device_domain_numbers(&e->devices->domain, at_home, &of_rows, e->cuda->side);
    if (status == ENUF_SUCCESS) {
        const row_numbers rows = {e, of_rows};
        if (e->devices->domain.n_own > 0)
            status = enuf_cuda_pairs_report(&e->cuda->pairs, record, e->cuda->side, look_up, &rows);
        status = enuf_ranks_agree(ranks, status);
    }
    enuf_release(&at_home);
    enuf_release(&of_rows);
    return status;
}
