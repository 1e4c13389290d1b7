/*
 * test_sharing.c - ranks that send their atoms to leaders, as ranks do that share a GPU, get the
 * results of one process to 1e-12, with one to three groups of ranks. Exclusions across groups,
 * ranks without atoms, results added, begin and finish, measured and predicted errors, mistakes of
 * one rank, no memory at any allocation of one rank, no shared memory.
 *
 * Leaders number the atoms group by group. Samples and error texts keep the callers' numbers. The
 * leaders compute on CPUs here, so no GPU is needed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/object/rank_state.h"
#include "memory.h"
#include "mpi/sharing/sharing.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double BOUND = 1e-12;
static int rank, ranks;

static enuf_ranks ranks_of(MPI_Comm comm)
{
    enuf_ranks r = {.comm = comm};
    MPI_Comm_rank(comm, &r.rank);
    MPI_Comm_size(comm, &r.size);
    return r;
}

/* Forms groups: every `groups`-th rank belongs to the same one, and its first rank leads. */
static enuf_gpu_share share_among(int groups)
{
    enuf_gpu_share share = {.devices = groups, .alone = 1};
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank % groups, rank, &comm);
    share.group = ranks_of(comm);
    share.leads = share.group.rank == 0;
    MPI_Comm_split(MPI_COMM_WORLD, share.leads ? 0 : MPI_UNDEFINED, rank, &comm);
    if (share.leads)
        share.leaders = ranks_of(comm);
    else
        share.leaders.comm = MPI_COMM_NULL;
    return share;
}

/* An object on ranks that share, made as create.c makes it on GPUs. */
static enuf_ewald *make_sharing(const enuf_ewald_options *options, int groups,
                                const charge_system *s)
{
    enuf_ewald *m = NULL;
    enuf_ranks world = ranks_of(MPI_COMM_WORLD);
    enuf_gpu_share share = share_among(groups);
    if (enuf_sharing_create(&world, options, &share, &m) != ENUF_SUCCESS) abort();
    m->calls = &enuf_calls_sharing;
    enuf_sharing *sharing = m->on_ranks;
    if (share.leads) {
        CHECK_STATUS(enuf_ewald_create_mpi(share.leaders.comm, options, &sharing->leaders),
                     ENUF_SUCCESS);
        enuf_rank_state *leader = sharing->leaders->on_ranks; /* NULL if the leader is alone */
        if (leader) leader->ranks.named = rank;
        if (leader) leader->ranks.of = ranks;
    }
    CHECK_STATUS(enuf_ewald_set_cell(m, rank == 0 ? s->cell : NULL), ENUF_SUCCESS);
    return m;
}

static void check_distribution(enuf_ewald *m, deal how, const charge_system *s,
                               const enuf_exclusions *exclusions, const enuf_ewald_result *whole)
{
    dealt_system dealt = deal_out(s, how, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    if (set_shared(m, &dealt, exclusions)) {
        CHECK_STATUS(enuf_ewald_compute(m, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
        shared_difference d = compare_shared(whole, s->n, &here, &dealt);
        check_difference(&d, BOUND);
        /* in two halves, the second one by begin and finish */
        CHECK_STATUS(enuf_ewald_real(m, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
        here.add = 1;
        CHECK_STATUS(enuf_ewald_begin_reciprocal(m, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_tune(m, NULL, 3), ENUF_BAD_ARGUMENT);
        CHECK_STATUS(enuf_ewald_finish(m), ENUF_SUCCESS);
        d = compare_shared(whole, s->n, &here, &dealt);
        check_difference(&d, BOUND);
    }
    free_result(&here);
    free_dealt(&dealt);
}

static int n_started;
static enuf_ewald_backend before;

static enuf_status start(enuf_ewald *ewald, const enuf_evaluation *what)
{
    n_started++;
    return before.start(ewald, what);
}

/* With a single leader begin() starts the work. The bits are those of compute(). */
static void check_started(const enuf_ewald_options *options, const charge_system *s)
{
    enuf_ewald *m = make_sharing(options, 1, s);
    enuf_ewald *leader = ((enuf_sharing *)m->on_ranks)->leaders;
    dealt_system dealt = deal_out(s, DEAL_IN_TURN, MPI_COMM_WORLD);
    enuf_ewald_result at_once = make_result(dealt.n), here = make_result(dealt.n);
    enuf_ewald_backend counts;
    set_shared(m, &dealt, NULL);
    CHECK_STATUS(enuf_ewald_compute(m, dealt.x, 3, WANT_ALL, &at_once), ENUF_SUCCESS);
    if (leader) {
        before = counts = *leader->backend;
        counts.start = start;
        leader->backend = &counts;
    }
    CHECK_STATUS(enuf_ewald_begin(m, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
    CHECK(n_started == (rank == 0));
    CHECK_STATUS(enuf_ewald_finish(m), ENUF_SUCCESS);
    CHECK(n_started == (rank == 0) && here.energy == at_once.energy);
    CHECK(dealt.n == 0 ||
          memcmp(here.forces, at_once.forces, 3 * (size_t)dealt.n * sizeof(double)) == 0);
    free_result(&here);
    free_result(&at_once);
    free_dealt(&dealt);
    enuf_ewald_destroy(&m);
}

static void check_system(const char *name, const enuf_ewald_options *options,
                         const charge_system *s, const enuf_exclusions *exclusions)
{
    enuf_ewald_result whole = evaluate_alone(options, s, exclusions);
    for (int groups = 1; groups <= ranks && groups <= 3; groups++) {
        enuf_ewald *m = make_sharing(options, groups, s);
        for (int how = 0; how < DEAL_COUNT; how++) {
            if (rank == 0) printf("%s, %d leaders, atoms %s\n", name, groups, deal_name((deal)how));
            check_distribution(m, (deal)how, s, exclusions, &whole);
        }
        enuf_ewald_destroy(&m);
    }
    free_result(&whole);
}

/* The report has an entry for each rank; the error measured is that of one process. */
static void check_report(const enuf_ewald_options *options, const charge_system *s)
{
    enuf_ewald *m = make_sharing(options, 1, s);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    int64_t *points = calloc((size_t)ranks, sizeof *points), sum = 0;
    enuf_ewald_mpi_report report = {.struct_size = sizeof report, .points = points};
    enuf_ewald_error many = {.struct_size = sizeof many}, one = many;
    enuf_ewald_result here = make_result(dealt.n);
    if (!points) abort();
    set_shared(m, &dealt, NULL);
    CHECK_STATUS(enuf_ewald_compute(m, dealt.x, 3, WANT_SUMS, &here), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_mpi_report(m, &report), ENUF_SUCCESS);
    for (int r = 0; r < ranks; r++) sum += points[r];
    CHECK(sum == s->n && points[0] == s->n && report.ranks == ranks && report.devices == 1);
    CHECK(strcmp(report.transport, "none") == 0);
    CHECK_STATUS(enuf_ewald_measure_error(m, dealt.x, 3, 10, 4, &many), ENUF_SUCCESS);
    if (rank == 0) {
        enuf_ewald *alone = make_alone(options, s, NULL);
        CHECK_STATUS(enuf_ewald_measure_error(alone, s->x, 3, 10, 4, &one), ENUF_SUCCESS);
        CHECK_CLOSE(many.accuracy, one.accuracy, 1e-5, "error measured");
        enuf_ewald_destroy(&alone);
    }
    free(points);
    free_result(&here);
    free_dealt(&dealt);
    enuf_ewald_destroy(&m);
}

/* The whole system and its exclusions in the numbering of the callers. */
static charge_system in_callers_order(const charge_system *s, const dealt_system *dealt,
                                      const enuf_exclusions *exclusions, int64_t *pairs)
{
    charge_system of = *s;
    of.x = calloc((size_t)(3 * s->n), sizeof *of.x);
    of.q = calloc((size_t)s->n, sizeof *of.q);
    if (!of.x || !of.q) abort();
    for (int64_t i = 0; i < s->n; i++) {
        memcpy(of.x + 3 * dealt->number[i], s->x + 3 * i, 3 * sizeof *of.x);
        of.q[dealt->number[i]] = s->q[i];
    }
    for (int64_t k = 0; k < 2 * exclusions->n; k++) pairs[k] = dealt->number[exclusions->pairs[k]];
    return of;
}

/* Samples are drawn by the callers' numbers, so the errors are those of one process with these
 * numbers. */
static void check_errors(enuf_ewald *m, const enuf_ewald_options *options, deal how,
                         const charge_system *s, const enuf_exclusions *exclusions)
{
    dealt_system dealt = deal_out(s, how, MPI_COMM_WORLD);
    enuf_ewald_error many = {.struct_size = sizeof many}, one = many;
    enuf_ewald_report of_many = {.struct_size = sizeof of_many};
    set_shared(m, &dealt, exclusions);
    CHECK_STATUS(enuf_ewald_tune(m, dealt.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(m, &of_many), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(m, dealt.x, 3, 20, 5, &many), ENUF_SUCCESS);
    if (rank == 0) {
        int64_t pairs[6 * 50];
        enuf_ewald_report of_one = {.struct_size = sizeof of_one};
        charge_system whole = in_callers_order(s, &dealt, exclusions, pairs);
        const enuf_exclusions x = {exclusions->n, pairs, exclusions->weights};
        enuf_ewald *alone = make_alone(options, &whole, &x);
        CHECK_STATUS(enuf_ewald_tune(alone, whole.x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(alone, &of_one), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_measure_error(alone, whole.x, 3, 20, 5, &one), ENUF_SUCCESS);
        CHECK_BELOW(fabs(of_many.predicted - of_one.predicted), BOUND, "errors predicted");
        CHECK(many.sample == one.sample);
        CHECK_CLOSE(many.accuracy, one.accuracy, 1e-5, "error measured");
        CHECK_CLOSE(many.worst_force, one.worst_force, 1e-5, "worst error of a force");
        CHECK_CLOSE(many.rms_of_forces, one.rms_of_forces, 1e-10, "forces of the sample");
        enuf_ewald_destroy(&alone);
        free(whole.x);
        free(whole.q);
    }
    free_dealt(&dealt);
}

static void check_all_errors(const char *name, enuf_ewald_options options, const charge_system *s,
                             const enuf_exclusions *exclusions)
{
    for (int groups = 1; groups <= ranks && groups <= 3; groups++)
        for (int deterministic = 0; deterministic < 2; deterministic++) {
            options.deterministic = deterministic;
            enuf_ewald *m = make_sharing(&options, groups, s);
            for (int how = 0; how < DEAL_COUNT; how++) {
                if (rank == 0)
                    printf("errors of %s, %d leaders, atoms %s\n", name, groups,
                           deal_name((deal)how));
                check_errors(m, &options, (deal)how, s, exclusions);
            }
            enuf_ewald_destroy(&m);
        }
}

/* The modes left out, measured by ranks (groups 0) and by ranks that share, are those of one
 * process; a bad position of one rank is refused on all. */
static void check_tail(const charge_system *s)
{
    const enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    enuf_ewald_report one = {.struct_size = sizeof one}, many = one;
    enuf_ewald *alone = make_alone(&options, s, NULL);
    CHECK_STATUS(enuf_ewald_measure_tail(alone, s->x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(alone, &one), ENUF_SUCCESS);
    enuf_ewald_destroy(&alone);
    for (int groups = 0; groups <= ranks && groups <= 3; groups++) {
        enuf_ewald *m = groups == 0 ? make_shared(&options, s) : make_sharing(&options, groups, s);
        dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
        set_shared(m, &dealt, NULL);
        CHECK_STATUS(enuf_ewald_measure_tail(m, dealt.x, 3), ENUF_SUCCESS);
        if (rank == ranks - 1) dealt.x[4] = NAN;
        CHECK_STATUS(enuf_ewald_measure_tail(m, dealt.x, 3), ENUF_NOT_FINITE);
        CHECK_STATUS(enuf_ewald_get_report(m, &many), ENUF_SUCCESS);
        CHECK(one.energy_tail > 0 && one.alpha == many.alpha && one.kmax == many.kmax);
        CHECK_CLOSE(many.energy_tail, one.energy_tail, 1e-9, "energy of the modes left out");
        CHECK_CLOSE(many.virial_tail[0], one.virial_tail[0], 1e-9, "their virial");
        free_dealt(&dealt);
        enuf_ewald_destroy(&m);
    }
}

/* A pair that is excluded twice is refused: by the last rank, or by the first and the last. */
static void check_twice(enuf_ewald *m, const dealt_system *dealt, int64_t i, int64_t j)
{
    char text[128];
    const int64_t both[4] = {i, j, j, i};
    const enuf_exclusions by_one = {rank == ranks - 1 ? 2 : 0, both, NULL};
    const enuf_exclusions by_two = {rank == 0 || rank == ranks - 1, both + (rank == 0 ? 0 : 2),
                                    NULL};
    snprintf(text, sizeof text, "(%lld, %lld) is excluded twice", (long long)i, (long long)j);
    CHECK_STATUS(enuf_ewald_set_charges(m, dealt->n, dealt->q, &by_one), ENUF_BAD_ARGUMENT);
    CHECK_TEXT(text);
    CHECK_STATUS(enuf_ewald_set_charges(m, dealt->n, dealt->q, &by_two), ENUF_BAD_ARGUMENT);
    CHECK_TEXT(text);
}

/* Error texts use the callers' numbers of atoms. */
static void check_error_texts(const enuf_ewald_options *options, const charge_system *s)
{
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    const int bad = rank == ranks - 1;
    const int64_t last = s->n - 1;
    char text[128];
    for (int groups = 1; groups <= ranks && groups <= 3; groups++) {
        enuf_ewald *m = make_sharing(options, groups, s);
        check_twice(m, &dealt, last - 1, last);
        check_twice(m, &dealt, 0, last);
        check_twice(m, &dealt, 0, s->n / ranks + 1);
        set_shared(m, &dealt, NULL); /* texts name pairs of the new exclusions */
        check_twice(m, &dealt, last - 1, last);
        const int64_t pairs[4] = {0, 1, last, last};
        const enuf_exclusions itself = {bad ? 2 : 0, pairs, NULL};
        snprintf(text, sizeof text, "exclusion 1 is the pair (%lld, %lld)", (long long)last,
                 (long long)last);
        CHECK_STATUS(enuf_ewald_set_charges(m, dealt.n, dealt.q, &itself), ENUF_BAD_ARGUMENT);
        CHECK_TEXT(text);
        const double weights[2] = {0, NAN};
        const enuf_exclusions weighed = {bad ? 2 : 0, (const int64_t[4]){0, 1, 1, 2}, weights};
        CHECK_STATUS(enuf_ewald_set_charges(m, dealt.n, dealt.q, &weighed), ENUF_NOT_FINITE);
        CHECK_TEXT("the weight of exclusion 1");
        const double place = dealt.x[4];
        if (bad) dealt.x[4] = INFINITY;
        snprintf(text, sizeof text, "position of atom %lld is",
                 (long long)dealt.number[dealt.atom[1]]);
        MPI_Bcast(text, sizeof text, MPI_CHAR, ranks - 1, MPI_COMM_WORLD);
        CHECK_STATUS(enuf_ewald_tune(m, dealt.x, 3), ENUF_NOT_FINITE);
        CHECK_TEXT(text);
        dealt.x[4] = place;
        enuf_ewald_error error = {.struct_size = sizeof error};
        CHECK_STATUS(enuf_ewald_measure_error(m, dealt.x, 3, bad ? -1 : 5, 1, &error),
                     ENUF_BAD_ARGUMENT);
        CHECK_TEXT("sample is -1");
        enuf_ewald_destroy(&m);
    }
    free_dealt(&dealt);
}

static enuf_status set_and_measure(enuf_ewald *m, const dealt_system *dealt,
                                   const enuf_exclusions *exclusions, enuf_ewald_error *error)
{
    enuf_status status = enuf_ewald_set_charges(m, dealt->n, dealt->q, exclusions);
    if (!status) status = enuf_ewald_tune(m, dealt->x, 3);
    if (!status) status = enuf_ewald_measure_error(m, dealt->x, 3, 5, 1, error);
    return status;
}

/* The n-th allocation of one rank fails, n = 1, 2, ..., until none fails. All ranks return the same
 * status. */
static void check_memory(enuf_ewald_options options, const charge_system *s, int failing)
{
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_error error = {.struct_size = sizeof error};
    const int64_t pair[2] = {0, s->n - 1};
    const enuf_exclusions exclusions = {rank == 0, pair, NULL};
    options.deterministic = 1; /* leaves out the error scale, which takes long */
    enuf_ewald *m = make_sharing(&options, ranks > 2 ? 2 : 1, s);
    int64_t n = 1;
    for (int reached = 1; reached; n++) {
        if (rank == failing) enuf_fail_allocation(n);
        const enuf_status status = set_and_measure(m, &dealt, &exclusions, &error);
        enuf_fail_allocation(0);
        reached = status != ENUF_SUCCESS;
        CHECK(!reached || status == ENUF_OUT_OF_MEMORY);
        MPI_Bcast(&reached, 1, MPI_INT, failing, MPI_COMM_WORLD);
        CHECK(reached == (status != ENUF_SUCCESS));
    }
    if (rank == 0) printf("rank %d: %lld allocations failed\n", failing, (long long)(n - 2));
    CHECK(n > 5);
    enuf_ewald_destroy(&m);
    free_dealt(&dealt);
}

/* An error of a leader names it once, by its number among all ranks. A single leader is not
 * named. */
static void check_named_leader(int leaders)
{
    char named[64] = "";
    const char *found = strstr(enuf_last_error(), " (rank ");
    if (leaders > 1)
        snprintf(named, sizeof named, " (rank %d of %d)", (ranks - 1) % leaders, ranks);
    CHECK(strcmp(found ? found : "", named) == 0);
}

/* A mistake of one rank: all ranks return its status and text, and the object keeps working. */
static void check_mistakes(const enuf_ewald_options *options, const charge_system *s)
{
    const int bad = rank == ranks - 1;
    enuf_ewald_result whole = evaluate_alone(options, s, NULL);
    enuf_ewald *m = make_sharing(options, ranks > 2 ? 2 : 1, s);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    CHECK_STATUS(enuf_ewald_compute(m, dealt.x, 3, WANT_SUMS, &here), ENUF_NO_POINTS_SET);
    set_shared(m, &dealt, NULL);
    const double right = dealt.q[0];
    if (bad) dealt.q[0] = NAN;
    CHECK_STATUS(enuf_ewald_set_charges(m, dealt.n, dealt.q, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("charges[0]");
    dealt.q[0] = right;
    const int64_t beyond[2] = {0, s->n}, twice[4] = {0, 1, 1, 0};
    enuf_exclusions x = {bad, beyond, NULL};
    CHECK_STATUS(enuf_ewald_set_charges(m, dealt.n - bad, dealt.q, &x), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("atoms are 0 ...");
    x = (enuf_exclusions){bad ? 2 : 0, twice, NULL};
    CHECK_STATUS(enuf_ewald_set_charges(m, dealt.n, dealt.q, &x), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_compute(m, bad ? NULL : dealt.x, 3, WANT_SUMS, &here),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("positions is NULL");
    const double place = dealt.x[1];
    if (bad) dealt.x[1] = INFINITY;
    CHECK_STATUS(enuf_ewald_compute(m, dealt.x, 3, WANT_SUMS, &here), ENUF_NOT_FINITE);
    check_named_leader(ranks > 2 ? 2 : 1);
    dealt.x[1] = place;
    CHECK_STATUS(enuf_ewald_compute(m, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
    const shared_difference d = compare_shared(&whole, s->n, &here, &dealt);
    check_difference(&d, BOUND);
    free_result(&here);
    free_result(&whole);
    free_dealt(&dealt);
    enuf_ewald_destroy(&m);
}

/* finish() reports what fails after begin() has returned, and the object keeps working. */
static void check_begin_fails(const enuf_ewald_options *options, const charge_system *s)
{
    const int bad = rank == ranks - 1;
    enuf_ewald_result whole = evaluate_alone(options, s, NULL);
    enuf_ewald *m = make_sharing(options, 1, s);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    set_shared(m, &dealt, NULL);
    CHECK_STATUS(enuf_ewald_compute(m, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
    const double place = dealt.x[1];
    if (bad) dealt.x[1] = INFINITY;
    CHECK_STATUS(enuf_ewald_begin(m, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_finish(m), ENUF_NOT_FINITE);
    dealt.x[1] = place;
    CHECK_STATUS(enuf_ewald_finish(m), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_begin(m, bad ? NULL : dealt.x, 3, WANT_ALL, &here), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_begin(m, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_finish(m), ENUF_SUCCESS);
    const shared_difference d = compare_shared(&whole, s->n, &here, &dealt);
    check_difference(&d, BOUND);
    /* an evaluation that nobody finishes */
    CHECK_STATUS(enuf_ewald_begin(m, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
    enuf_ewald_destroy(&m);
    free_result(&here);
    free_result(&whole);
    free_dealt(&dealt);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    enuf_ewald_options options = shared_options(1e-7, ENUF_SPLIT_PROLATE);
    charge_system s = make_ions(71, 150, CELL_TRICLINIC, 1.3);
    check_system("triclinic, net charge", &options, &s, NULL);
    CHECK(rank > 0 || shared_memory_calls > 0);
    shared_memory_fails = 1;
    check_system("triclinic, no shared memory", &options, &s, NULL);
    shared_memory_fails = 0;
    check_begin_fails(&options, &s);
    check_report(&options, &s);
    check_started(&options, &s);
    check_mistakes(&options, &s);
    check_error_texts(&options, &s);
    check_tail(&s);
    /* with three ranks, one group has a leader and a led rank; four ranks add nothing */
    for (int failing = 0; failing < ranks && ranks == 3; failing++)
        check_memory(shared_options(1e-3, ENUF_SPLIT_AUTO), &s, failing);
    const enuf_exclusions none = {0, NULL, NULL};
    check_all_errors("ions", shared_options(1e-5, ENUF_SPLIT_AUTO), &s, &none);
    free_system(&s);
    int64_t pairs[6 * 50];
    s = make_water(72, 50, pairs);
    const enuf_exclusions exclusions = {150, pairs, NULL};
    check_system("water with exclusions", &options, &s, &exclusions);
    check_all_errors("water", shared_options(1e-5, ENUF_SPLIT_AUTO), &s, &exclusions);
    free_system(&s);
    return finish_ranks();
}
