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
    enuf_ewald_mpi_destroy(&s->leaders); /* with the communicator of the leaders */
    enuf_gpu_share_release(&s->share);
    for (int k = 0; k < 2; k++) release_atoms(&s->of[k]);
    enuf_array *rooms[] = {&s->positions, &s->forces, &s->atom_energy, &s->atom_virial,
                           &s->potential, &s->field,  &s->packed};
    for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++) enuf_array_release(rooms[k]);
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

/* ---- To the leader and back ---- */

enuf_status enuf_sharing_gather(enuf_ewald_mpi *m, const enuf_exchange *route, size_t size,
                                const void *here, enuf_array *all)
{
    enuf_ranks *group = &m->sharing->share.group;
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_array_reserve(all, route->n_receive, size,
                                                            "atoms of ranks that share a GPU")));
    enuf_exchange_forth(group, route, size, here, all->at);
    return ENUF_SUCCESS;
}

/* Positions without what the stride leaves out. */
static enuf_status pack(enuf_sharing *s, const double *positions, int64_t stride,
                        const double **packed)
{
    *packed = positions;
    if (stride == 3 || s->now->n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_array_reserve(&s->packed, s->now->n, 3 * sizeof(double), "positions"));
    double *to = s->packed.at;
    for (int64_t i = 0; i < s->now->n; i++)
        memcpy(to + 3 * i, positions + i * stride, 3 * sizeof *to);
    *packed = to;
    return ENUF_SUCCESS;
}

static enuf_status gather_positions(enuf_ewald_mpi *m, const double *positions, int64_t stride)
{
    enuf_sharing *s = m->sharing;
    const double *packed = NULL;
    enuf_status status = enuf_check_positions_argument(s->now->n, positions, stride);
    if (status == ENUF_SUCCESS) status = pack(s, positions, stride, &packed);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    return enuf_sharing_gather(m, &s->now->to_leader, 3 * sizeof(double), packed, &s->positions);
}

/* ---- Evaluations ---- */

/* X(BIT, array, width) */
#define RESULTS(X)                                                                                 \
    X(FORCES, forces, 3)                                                                           \
    X(ATOM_ENERGY, atom_energy, 1)                                                                 \
    X(ATOM_VIRIAL, atom_virial, 6)                                                                 \
    X(POTENTIAL, potential, 1)                                                                     \
    X(FIELD, field, 3)

/* Room on the leader for the results of the group. */
static enuf_status reserve(enuf_sharing *s, int wanted, enuf_ewald_result *result)
{
    const int64_t n = s->now->to_leader.n_receive;
    *result = (enuf_ewald_result){.struct_size = sizeof *result};
    if (!s->leaders) return ENUF_SUCCESS;
#define ENUF_X(BIT, name, width)                                                                   \
    if (wanted & ENUF_WANT_##BIT) {                                                                \
        ENUF_TRY(enuf_array_reserve(&s->name, n, (width) * sizeof(double), "results of atoms"));   \
        result->name = s->name.at;                                                                 \
    }
    RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

/* Results of this rank's atoms, which are added where the caller wants that. */
static enuf_status scatter(enuf_ewald_mpi *m, int width, const void *all, int add, double *to)
{
    enuf_sharing *s = m->sharing;
    const size_t size = (size_t)width * sizeof *to;
    double *here = to;
    enuf_status status = ENUF_SUCCESS;
    if (add) {
        status = enuf_array_reserve(&s->packed, s->now->n, size, "results of atoms");
        here = s->packed.at;
    }
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    enuf_exchange_back(&s->share.group, &s->now->to_leader, size, all, here);
    for (int64_t k = 0; add && k < s->now->n * width; k++) to[k] += here[k];
    return ENUF_SUCCESS;
}

static void hand_over(int add, int n, const double *from, double *to)
{
    for (int k = 0; k < n; k++) to[k] = (add ? to[k] : 0) + from[k];
}

static enuf_status deliver(enuf_ewald_mpi *m, const enuf_evaluation *what, enuf_ewald_result *found)
{
    enuf_sharing *s = m->sharing;
    enuf_ewald_result *r = what->result;
    const int wanted = what->wanted;
    enuf_ewald_result totals = *found;
    enuf_ranks_from_first(&s->share.group, (int64_t)sizeof totals, &totals);
#define ENUF_X(BIT, name, width)                                                                   \
    if (wanted & ENUF_WANT_##BIT) ENUF_TRY(scatter(m, width, found->name, r->add, r->name));
    RESULTS(ENUF_X)
#undef ENUF_X
    if (wanted & ENUF_WANT_ENERGY) {
        const enuf_ewald_parts *p = &totals.parts;
        const double from[7] = {totals.energy, p->real,    p->reciprocal, p->self,
                                p->background, p->surface, p->excluded};
        double *to[7] = {&r->energy,        &r->parts.real,       &r->parts.reciprocal,
                         &r->parts.self,    &r->parts.background, &r->parts.surface,
                         &r->parts.excluded};
        for (int k = 0; k < 7; k++) hand_over(r->add, 1, &from[k], to[k]);
    }
    if (wanted & ENUF_WANT_VIRIAL) hand_over(r->add, 6, totals.virial, r->virial);
    if (wanted & ENUF_WANT_FORCES) hand_over(r->add, 3, totals.net_force, r->net_force);
    return ENUF_SUCCESS;
}

static enuf_status compute_led(enuf_sharing *s, const enuf_evaluation *what,
                               enuf_ewald_result *found)
{
    enuf_evaluation led = *what;
    led.positions = s->positions.at;
    led.stride = 3;
    led.result = found;
    return enuf_ranks_compute(s->leaders, &led);
}

static enuf_status check(enuf_ewald_mpi *m, const enuf_evaluation *what)
{
    ENUF_TRY(enuf_sharing_check_idle(m));
    const int64_t n = m->sharing->now->n;
    int ready = 1;
    enuf_status status = enuf_evaluation_check_result(what, n > 0);
    if (status == ENUF_SUCCESS)
        status = enuf_check_positions_argument(n, what->positions, what->stride);
    return enuf_ranks_agree_request(&m->ranks, status, what, &ready);
}

enuf_status enuf_sharing_compute(enuf_ewald_mpi *m, const enuf_evaluation *what)
{
    enuf_sharing *s = m->sharing;
    enuf_ewald_result found;
    ENUF_TRY(check(m, what));
    s->share.group.bytes_sent = 0;
    ENUF_TRY(gather_positions(m, what->positions, what->stride));
    ENUF_TRY(enuf_ranks_agree(&m->ranks, reserve(s, what->wanted, &found)));
    ENUF_TRY(ENUF_LED(m, compute_led(s, what, &found)));
    return deliver(m, what, &found);
}

enuf_status enuf_sharing_begin(enuf_ewald_mpi *m, const enuf_evaluation *what)
{
    enuf_sharing *s = m->sharing;
    ENUF_TRY(check(m, what));
    s->begun_positions = what->positions;
    s->begun_stride = what->stride;
    s->begun_result = what->result;
    s->wanted = what->wanted;
    s->reciprocal_only = !what->real;
    s->begun = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_sharing_finish(enuf_ewald_mpi *m)
{
    enuf_sharing *s = m->sharing;
    const enuf_evaluation what = {
        s->begun_positions, s->begun_stride, s->wanted, !s->reciprocal_only, 1,
        s->begun_result,    ENUF_HOST};
    if (!s->begun) /* on no rank, as begin fails on all or none */
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "nothing has begun: enuf_ewald_mpi_begin() has to come first");
    s->begun = 0;
    return enuf_sharing_compute(m, &what);
}

/* ---- What is asked besides ---- */

/* The leaders' own check would name their numbers. */
static enuf_status check_led(const enuf_sharing *s)
{
    const double *x = s->positions.at;
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
    ENUF_TRY(gather_positions(m, positions, stride));
    ENUF_TRY(enuf_ranks_agree(&m->ranks, s->leaders ? check_led(s) : ENUF_SUCCESS));
    return ENUF_LED(m, enuf_ranks_tune(s->leaders, s->positions.at, 3));
}

enuf_status enuf_sharing_verify(enuf_ewald_mpi *m, const double *positions, int64_t stride)
{
    enuf_sharing *s = m->sharing;
    ENUF_TRY(enuf_sharing_check_idle(m));
    ENUF_TRY(gather_positions(m, positions, stride));
    ENUF_TRY(enuf_ranks_agree(&m->ranks, s->leaders ? check_led(s) : ENUF_SUCCESS));
    return ENUF_LED(m, enuf_ranks_verify(s->leaders, s->positions.at, 3));
}

enuf_status enuf_sharing_measure(enuf_ewald_mpi *m, const double *positions, int64_t stride,
                                 int64_t sample, uint64_t seed, enuf_ewald_error *error)
{
    enuf_sharing *s = m->sharing;
    enuf_ewald_error found = {.struct_size = sizeof found};
    ENUF_TRY(enuf_sharing_check_idle(m));
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_ranks_check_measurement(sample, error)));
    ENUF_TRY(gather_positions(m, positions, stride));
    ENUF_TRY(ENUF_LED(m, enuf_ranks_measure(s->leaders, s->positions.at, 3, sample, seed, &found)));
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
