/* sharing_calls.c - the calls of ranks that share a GPU; see sharing.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/object/calls.h"
#include "sharing.h"
#include "memory.h"
#include "mpi/calls/report.h"
#include "mpi/messages/node_open.h"

#include <math.h>
#include <string.h>

static void release_atoms(enuf_led_atoms *atoms)
{
    enuf_numbering_release(&atoms->numbering);
    enuf_exchange_release(&atoms->to_leader);
}

static enuf_status make_atoms(const enuf_gpu_share *share, int ranks, enuf_led_atoms *atoms)
{
    ENUF_TRY(enuf_numbering_create(ranks, &atoms->numbering));
    return enuf_exchange_create(&share->group, &atoms->to_leader);
}

static void free_sharing(enuf_sharing *s)
{
    if (!s) return;
    enuf_common_array_release(&s->positions);
    for (int k = 0; k < ENUF_LED_RESULTS; k++) enuf_common_array_release(&s->results[k]);
    if (s->leaders) s->leaders->calls->destroy(s->leaders);
    enuf_gpu_share_release(&s->share);
    for (int k = 0; k < 2; k++) release_atoms(&s->of[k]);
    enuf_node_close(&s->ranks);
    MPI_Comm_free(&s->ranks.comm);
    enuf_release(&s);
}

/* Local: without communicator. */
static enuf_status make_sharing(const enuf_gpu_share *share, enuf_decomposition decomposition,
                                int ranks, enuf_sharing *s)
{
    memset(s, 0, sizeof *s);
    s->share = *share;
    s->now = &s->of[0];
    s->next = &s->of[1];
    s->starts =
        share->devices == 1 && share->alone && decomposition != ENUF_DECOMPOSITION_DISTRIBUTED;
    for (int k = 0; k < 2; k++) ENUF_TRY(make_atoms(share, ranks, &s->of[k]));
    return ENUF_SUCCESS;
}

/* Local: an Ewald object that holds only options. */
static enuf_status make_ewald(const enuf_ewald_options *options, enuf_sharing *s, enuf_ewald **made)
{
    ENUF_TRY(enuf_allocate(made, 1, sizeof **made, "an Ewald object"));
    memset(*made, 0, sizeof **made);
    (*made)->options = *options;
    (*made)->options.fft_wisdom = (*made)->options.calibration_file = NULL;
    (*made)->on_ranks = s;
    return ENUF_SUCCESS;
}

enuf_status enuf_sharing_create(enuf_ranks *ranks, const enuf_ewald_options *options,
                                enuf_gpu_share *share, enuf_ewald **made)
{
    enuf_sharing *s = NULL;
    enuf_ewald *ewald = NULL;
    *made = NULL;
    enuf_status status = enuf_allocate(&s, 1, sizeof *s, "ranks that share a GPU");
    status = enuf_ranks_agree(ranks, status);
    if (status != ENUF_SUCCESS) {
        enuf_release(&s);
        enuf_gpu_share_release(share);
        return status;
    }
    status = make_sharing(share, options->decomposition, ranks->size, s);
    s->ranks = *ranks;
    MPI_Comm_dup(ranks->comm, &s->ranks.comm);
    if (status == ENUF_SUCCESS) status = make_ewald(options, s, &ewald);
    status = enuf_ranks_agree(ranks, status);
    if (status == ENUF_SUCCESS) status = enuf_node_open(&s->ranks, ENUF_NODE_OF_SUMS);
    if (status == ENUF_SUCCESS) {
        *made = ewald;
        return status;
    }
    enuf_ewald_free(ewald);
    free_sharing(s);
    return status;
}

void enuf_sharing_destroy(enuf_ewald *ewald)
{
    enuf_sharing *s = ewald->on_ranks;
    if (ewald->begun) enuf_sharing_drop(s);
    free_sharing(s);
    enuf_ewald_free(ewald);
}

enuf_status enuf_sharing_set_cell(enuf_ewald *ewald, const double cell[9])
{
    enuf_sharing *s = ewald->on_ranks;
    double shared[9];
    ENUF_TRY(enuf_ranks_cell_of_first(&s->ranks, cell, shared));
    return ENUF_LED(s, s->leaders->calls->set_cell(s->leaders, shared));
}

/* Checks here, because the leaders' check would report the leaders' numbers of atoms. */
static enuf_status check_led(const enuf_sharing *s)
{
    const double *x = enuf_common_array_rows(&s->positions);
    for (int64_t i = 0; i < s->now->to_leader.n_receive; i++, x += 3)
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return enuf_fail(ENUF_NOT_FINITE,
                             "position of atom %lld is (%g, %g, %g): it has to be finite",
                             (long long)enuf_numbering_convert(&s->now->numbering,
                                                               ENUF_LEADERS_COUNT, s->now->led + i),
                             x[0], x[1], x[2]);
    return ENUF_SUCCESS;
}

/* Collective, the same status on all: the leaders get the positions and look at them. */
static enuf_status take_positions(enuf_sharing *s, const double *positions, int64_t stride)
{
    ENUF_TRY(enuf_sharing_gather_positions(s, positions, stride));
    return enuf_ranks_agree(&s->ranks, s->leaders ? check_led(s) : ENUF_SUCCESS);
}

enuf_status enuf_sharing_tune(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    enuf_sharing *s = ewald->on_ranks;
    /* a rank without atoms may have no array */
    int64_t given[2] = {s->now->n > 0 && positions, s->now->n > 0 && !positions};
    enuf_ranks_sum_integers(&s->ranks, 2, given);
    if (given[0] == 0) return ENUF_LED(s, s->leaders->calls->tune(s->leaders, NULL, 3));
    ENUF_TRY(take_positions(s, positions, stride));
    return ENUF_LED(s,
                    s->leaders->calls->tune(s->leaders, enuf_common_array_rows(&s->positions), 3));
}

enuf_status enuf_sharing_verify(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    enuf_sharing *s = ewald->on_ranks;
    ENUF_TRY(take_positions(s, positions, stride));
    return ENUF_LED(
        s, s->leaders->calls->verify(s->leaders, enuf_common_array_rows(&s->positions), 3));
}

enuf_status enuf_sharing_measure_tail(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    enuf_sharing *s = ewald->on_ranks;
    ENUF_TRY(take_positions(s, positions, stride));
    return ENUF_LED(
        s, s->leaders->calls->measure_tail(s->leaders, enuf_common_array_rows(&s->positions), 3));
}

enuf_status enuf_sharing_measure_error(enuf_ewald *ewald, const double *positions, int64_t stride,
                                       int64_t sample, uint64_t seed, enuf_ewald_error *error)
{
    enuf_sharing *s = ewald->on_ranks;
    enuf_ewald_error found = {.struct_size = sizeof found};
    ENUF_TRY(enuf_ranks_agree(&s->ranks, enuf_ewald_check_measurement(sample, error)));
    ENUF_TRY(enuf_sharing_gather_positions(s, positions, stride));
    ENUF_TRY(ENUF_LED(s, s->leaders->calls->measure_error(s->leaders,
                                                          enuf_common_array_rows(&s->positions), 3,
                                                          sample, seed, &found)));
    enuf_ranks_from_first(&s->share.group, (int64_t)sizeof found, &found);
    *error = found;
    return ENUF_SUCCESS;
}

enuf_status enuf_sharing_list_candidates(enuf_ewald *ewald, double dearest, int64_t capacity,
                                         enuf_ewald_candidate *candidates, int64_t *n)
{
    enuf_sharing *s = ewald->on_ranks;
    enuf_ranks *group = &s->share.group;
    ENUF_TRY(
        enuf_ranks_agree(&s->ranks, enuf_ewald_check_listing(dearest, capacity, candidates, n)));
    ENUF_TRY(enuf_ranks_same(&s->ranks, "capacity", capacity));
    ENUF_TRY(ENUF_LED(
        s, s->leaders->calls->list_candidates(s->leaders, dearest, capacity, candidates, n)));
    enuf_ranks_from_first(group, (int64_t)sizeof *n, n);
    enuf_ranks_from_first(group, *n * (int64_t)sizeof *candidates, candidates);
    return ENUF_SUCCESS;
}

enuf_status enuf_sharing_get_report(const enuf_ewald *ewald, enuf_ewald_report *report)
{
    enuf_sharing *s = ewald->on_ranks;
    enuf_ewald_report led = {.struct_size = sizeof led};
    ENUF_TRY(enuf_ranks_agree(&s->ranks, enuf_ewald_check_report(report)));
    ENUF_TRY(ENUF_LED(s, s->leaders->calls->get_report(s->leaders, &led)));
    enuf_ranks_from_first(&s->share.group, (int64_t)sizeof led, &led);
    *report = led;
    if (!s->leaders) report->bytes = 0;
    return ENUF_SUCCESS;
}

/* Leaders report on themselves: their arrays have one entry for each leader. */
static enuf_status report_led(enuf_sharing *s, enuf_ewald_mpi_report *led, int64_t own[3])
{
    int64_t *all = NULL;
    const int n = s->share.leaders.size;
    enuf_status status = enuf_allocate(&all, 3 * (int64_t)n, sizeof *all, "the ranks' report");
    ENUF_TRY(enuf_ranks_agree(&s->share.leaders, status));
    led->points = all;
    led->grid_cells = all + n;
    led->bytes_sent = all + 2 * n;
    status = enuf_mpi_report_of(s->leaders, led);
    for (int k = 0; k < 3 && status == ENUF_SUCCESS; k++)
        own[k] = all[k * n + s->share.leaders.rank];
    enuf_release(&all);
    return status;
}

enuf_status enuf_sharing_get_mpi_report(const enuf_ewald *ewald, enuf_ewald_mpi_report *report)
{
    enuf_sharing *s = ewald->on_ranks;
    enuf_ewald_mpi_report led = {.struct_size = sizeof led};
    int64_t own[3] = {0, 0, 0};
    ENUF_TRY(enuf_mpi_report_begin(&s->ranks, report));
    ENUF_TRY(ENUF_LED(s, report_led(s, &led, own)));
    enuf_ranks_from_first(&s->share.group, (int64_t)sizeof led, &led);
    report->decomposition = led.decomposition;
    report->devices = s->share.devices;
    memcpy(report->transport, led.transport, sizeof report->transport);
    own[2] += s->share.group.bytes_sent;
    enuf_mpi_report_gather(&s->ranks, own, report);
    return ENUF_SUCCESS;
}
