/* sharing.c - see sharing.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sharing_steps.h"
#include "memory.h"

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

enuf_status enuf_sharing_create(const enuf_gpu_share *share, int rank, int ranks,
                                enuf_sharing **made)
{
    enuf_sharing *s = NULL;
    *made = NULL;
    ENUF_TRY(enuf_allocate(&s, 1, sizeof *s, "ranks that share a GPU"));
    memset(s, 0, sizeof *s);
    s->share = *share;
    s->now = &s->of[0];
    s->next = &s->of[1];
    s->starts = share->devices == 1 && share->alone;
    *made = s;
    for (int k = 0; k < 2; k++) ENUF_TRY(make_atoms(share, ranks, &s->of[k]));
    if (!share->leads) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(&s->leaders, 1, sizeof *s->leaders, "an Ewald object"));
    memset(s->leaders, 0, sizeof *s->leaders);
    s->leaders->n_devices = share->devices;
    s->leaders->ranks = share->leaders;
    s->leaders->ranks.comm = MPI_COMM_NULL; /* to be a copy, which is a collective step */
    s->leaders->ranks.named = rank;
    s->leaders->ranks.of = ranks;
    return ENUF_SUCCESS;
}

void enuf_sharing_destroy(enuf_sharing **sharing)
{
    enuf_sharing *s = *sharing;
    if (!s) return;
    if (s->begun) enuf_sharing_drop(s);
    enuf_common_array_release(&s->positions);
    for (int k = 0; k < ENUF_LED_RESULTS; k++) enuf_common_array_release(&s->results[k]);
    enuf_ewald_mpi_destroy(&s->leaders); /* with the communicator of the leaders */
    enuf_gpu_share_release(&s->share);
    for (int k = 0; k < 2; k++) release_atoms(&s->of[k]);
    enuf_release(sharing);
}

enuf_status enuf_sharing_check_idle(enuf_ewald_mpi *m)
{
    if (!m->sharing->begun) return ENUF_SUCCESS; /* on all ranks or on none */
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "an evaluation has begun: enuf_ewald_mpi_finish() has to come first");
}

enuf_status enuf_sharing_set_cell(enuf_ewald_mpi *m, const double cell[9])
{
    double shared[9] = {0};
    ENUF_TRY(enuf_sharing_check_idle(m));
    const int none = m->ranks.rank == 0 && !cell;
    ENUF_TRY(enuf_ranks_agree(
        &m->ranks, none ? enuf_fail(ENUF_BAD_ARGUMENT, "cell is NULL: it has to hold rows a, b, c")
                        : ENUF_SUCCESS));
    if (cell) memcpy(shared, cell, sizeof shared);
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof shared, shared);
    return ENUF_LED(m, enuf_ranks_set_cell(m->sharing->leaders, shared));
}

/* The leaders' own check would name their numbers. */
static enuf_status check_led(const enuf_sharing *s)
{
    const double *x = enuf_common_array_rows(&s->positions);
    for (int64_t i = 0; i < s->now->to_leader.n_receive; i++, x += 3)
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return enuf_fail(ENUF_NOT_FINITE,
                             "position of atom %lld is (%g, %g, %g): it has to be finite",
                             (long long)enuf_number_of_atom(s->leaders, i), x[0], x[1], x[2]);
    return ENUF_SUCCESS;
}

enuf_status enuf_sharing_tune(enuf_ewald_mpi *m, const double *positions, int64_t stride)
{
    enuf_sharing *s = m->sharing;
    /* a rank without atoms may have no array */
    ENUF_TRY(enuf_sharing_check_idle(m));
    int64_t given[2] = {s->now->n > 0 && positions, s->now->n > 0 && !positions};
    enuf_ranks_sum_integers(&m->ranks, 2, given);
    if (given[0] == 0) return ENUF_LED(m, enuf_ranks_tune(s->leaders, NULL, 3));
    ENUF_TRY(enuf_sharing_gather_positions(m, positions, stride));
    ENUF_TRY(enuf_ranks_agree(&m->ranks, s->leaders ? check_led(s) : ENUF_SUCCESS));
    return ENUF_LED(m, enuf_ranks_tune(s->leaders, enuf_common_array_rows(&s->positions), 3));
}

enuf_status enuf_sharing_verify(enuf_ewald_mpi *m, const double *positions, int64_t stride)
{
    enuf_sharing *s = m->sharing;
    ENUF_TRY(enuf_sharing_check_idle(m));
    ENUF_TRY(enuf_sharing_gather_positions(m, positions, stride));
    ENUF_TRY(enuf_ranks_agree(&m->ranks, s->leaders ? check_led(s) : ENUF_SUCCESS));
    return ENUF_LED(m, enuf_ranks_verify(s->leaders, enuf_common_array_rows(&s->positions), 3));
}

enuf_status enuf_sharing_measure(enuf_ewald_mpi *m, const double *positions, int64_t stride,
                                 int64_t sample, uint64_t seed, enuf_ewald_error *error)
{
    enuf_sharing *s = m->sharing;
    enuf_ewald_error found = {.struct_size = sizeof found};
    ENUF_TRY(enuf_sharing_check_idle(m));
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_ranks_check_measurement(sample, error)));
    ENUF_TRY(enuf_sharing_gather_positions(m, positions, stride));
    ENUF_TRY(ENUF_LED(m, enuf_ranks_measure(s->leaders, enuf_common_array_rows(&s->positions), 3,
                                            sample, seed, &found)));
    enuf_ranks_from_first(&s->share.group, (int64_t)sizeof found, &found);
    *error = found;
    return ENUF_SUCCESS;
}

/* A number of each rank. */
static void tell(enuf_ranks *ranks, int64_t mine, int64_t *all)
{
    if (all) MPI_Allgather(&mine, 1, MPI_INT64_T, all, 1, MPI_INT64_T, ranks->comm);
}

/* Leaders tell of themselves: arrays of theirs have an entry for each of them. */
static enuf_status report_led(enuf_sharing *s, enuf_ewald_mpi_report *led, int64_t own[3])
{
    int64_t *all = NULL;
    const int n = s->share.leaders.size;
    *led = (enuf_ewald_mpi_report){.struct_size = sizeof *led};
    enuf_status status = enuf_allocate(&all, 3 * (int64_t)n, sizeof *all, "the ranks' report");
    ENUF_TRY(enuf_ranks_agree(&s->share.leaders, status));
    led->points = all;
    led->grid_cells = all + n;
    led->bytes_sent = all + 2 * n;
    status = enuf_ranks_report(s->leaders, led);
    for (int k = 0; k < 3 && status == ENUF_SUCCESS; k++)
        own[k] = all[k * n + s->share.leaders.rank];
    enuf_release(&all);
    return status;
}

enuf_status enuf_sharing_report(enuf_ewald_mpi *m, enuf_ewald_mpi_report *report)
{
    enuf_sharing *s = m->sharing;
    enuf_ewald_mpi_report led = {.struct_size = sizeof led};
    int64_t own[3] = {0, 0, 0};
    ENUF_TRY(enuf_sharing_check_idle(m));
    const int arrays =
        (report->points ? 1 : 0) + (report->grid_cells ? 2 : 0) + (report->bytes_sent ? 4 : 0);
    ENUF_TRY(enuf_ranks_same(&m->ranks, "the set of arrays of the report", arrays));
    ENUF_TRY(ENUF_LED(m, report_led(s, &led, own)));
    enuf_ranks_from_first(&s->share.group, (int64_t)sizeof led, &led);
    report->ewald = led.ewald;
    if (!s->share.leads) report->ewald.bytes = 0;
    report->decomposition = led.decomposition;
    report->ranks = m->ranks.size;
    report->devices = s->share.devices;
    memcpy(report->transport, led.transport, sizeof report->transport);
    tell(&m->ranks, own[0], report->points);
    tell(&m->ranks, own[1], report->grid_cells);
    tell(&m->ranks, own[2] + s->share.group.bytes_sent, report->bytes_sent);
    return ENUF_SUCCESS;
}
