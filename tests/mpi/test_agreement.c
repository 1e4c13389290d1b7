/*
 * test_agreement.c - if one rank fails in a call of an Ewald object on many ranks, all ranks return
 * the same status and text, and none waits for ever. The object still works, with the energy that
 * it had before: to 1e-3 at the accuracy 1e-4, because parameters may be chosen anew.
 *
 * One rank passes wrong input; or lacks memory at each of its allocations in turn, in an object
 * that has computed before (two ranks only); or refuses a method that the others accept; or calls
 * from a thread that may not call MPI. 40 ions, replicated modes and distributed grid.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/object/rank_state.h"
#include "memory.h"
#include "shared_system.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N = 40, CELLS = 2 };

static int rank, ranks, failing_rank;

/* An Ewald object on the ranks and its input. */
typedef struct tested_object {
    enuf_ewald *ewald;
    charge_system *s;
    dealt_system dealt;
    enuf_exclusions exclusions; /* of this rank */
    enuf_ewald_result here;
    double cell[CELLS][9], energy[CELLS]; /* NAN: not yet known */
    int cell_in_use;
} tested_object;

static int is_failing(void)
{
    return rank == failing_rank;
}

/* An error text without the name of the function, which may differ between ranks. */
static const char *reason(const char *text)
{
    const char *at = strstr(text, ": ");
    return at ? at : text;
}

/* Checks that all ranks have the status and text of rank 0. Returns the status. */
static enuf_status check_agreed(enuf_status status)
{
    char mine[1024] = "", first[1024];
    if (status != ENUF_SUCCESS) snprintf(mine, sizeof mine, "%s", enuf_last_error());
    memcpy(first, mine, sizeof first);
    int of_first = (int)status;
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(&of_first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(of_first == (int)status);
    if (!CHECK(strcmp(reason(mine), reason(first)) == 0)) printf("rank %d: %s\n", rank, mine);
    return status;
}

static enuf_status compute(tested_object *v)
{
    return enuf_ewald_compute(v->ewald, v->dealt.x, 3, WANT_SUMS, &v->here);
}

/* The object works: its energy is the one it gave before with this cell, and the same on all
 * ranks. */
static void check_works(tested_object *v)
{
    double *energy = &v->energy[v->cell_in_use];
    if (!CHECK_STATUS(compute(v), ENUF_SUCCESS)) return;
    if (isnan(*energy)) *energy = v->here.energy;
    const double off = fabs(v->here.energy / *energy - 1);
    CHECK(off < 1e-3);
    double ends[2] = {v->here.energy, -v->here.energy};
    MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    CHECK(ends[0] == -ends[1]);
}

static enuf_status set_charges(tested_object *v)
{
    return enuf_ewald_set_charges(v->ewald, v->dealt.n, v->dealt.q, &v->exclusions);
}

/* Wrong positions are reported by begin or by finish. */
static enuf_status begin_and_finish_with(tested_object *v, const double *x)
{
    const enuf_status status = enuf_ewald_begin(v->ewald, x, 3, WANT_SUMS, &v->here);
    return status == ENUF_SUCCESS ? enuf_ewald_finish(v->ewald) : status;
}

static enuf_status begin_and_finish(tested_object *v)
{
    return begin_and_finish_with(v, v->dealt.x);
}

static enuf_status tune_without_positions(tested_object *v)
{
    return enuf_ewald_tune(v->ewald, NULL, 3);
}

static enuf_status tune_with_positions(tested_object *v)
{
    return enuf_ewald_tune(v->ewald, v->dealt.x, 3);
}

static enuf_status measure(tested_object *v)
{
    enuf_ewald_error error = {.struct_size = sizeof error};
    return enuf_ewald_measure_error(v->ewald, v->dealt.x, 3, 2, 1, &error);
}

static enuf_status report(tested_object *v)
{
    enum { MOST_RANKS = 64 };
    int64_t points[MOST_RANKS];
    enuf_ewald_mpi_report made = {.struct_size = sizeof made, .points = points};
    return enuf_ewald_get_mpi_report(v->ewald, &made);
}

/* ---- Memory ---- */

/* X(function): the calls that allocate */
#define FUNCTIONS(X)                                                                               \
    X(compute)                                                                                     \
    X(begin_and_finish)                                                                            \
    X(set_charges) X(tune_without_positions) X(tune_with_positions) X(measure) X(report)

static const struct {
    const char *name;
    enuf_status (*call)(tested_object *v);
} functions[] = {
#define ENUF_X(name) {#name, name},
    FUNCTIONS(ENUF_X)
#undef ENUF_X
};

static void change_cell(tested_object *v)
{
    v->cell_in_use = (v->cell_in_use + 1) % CELLS;
    CHECK_STATUS(enuf_ewald_set_cell(v->ewald, v->cell[v->cell_in_use]), ENUF_SUCCESS);
}

/* The n-th allocation of one rank fails in each function in turn. Before each call the cell
 * changes. */
static void fail_each_allocation(tested_object *v)
{
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        int reached = 1, n = 0;
        while (reached) {
            change_cell(v);
            if (is_failing()) enuf_fail_allocation(++n);
            const enuf_status status = check_agreed(functions[f].call(v));
            if (is_failing()) enuf_fail_allocation(0);
            reached = status != ENUF_SUCCESS;
            CHECK(!reached || status == ENUF_OUT_OF_MEMORY);
            MPI_Bcast(&reached, 1, MPI_INT, failing_rank, MPI_COMM_WORLD);
            check_works(v);
        }
        MPI_Bcast(&n, 1, MPI_INT, failing_rank, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%s: %d allocations of rank %d failed\n", functions[f].name, n - 1,
                   failing_rank);
    }
}

/* ---- Input ---- */

#define REFUSED(call, expected)                                                                    \
    do {                                                                                           \
        CHECK(check_agreed(call) == (expected));                                                   \
        check_works(v);                                                                            \
    } while (0)

static void check_wrong_requests(tested_object *v)
{
    enuf_ewald *e = v->ewald;
    const double *x = v->dealt.x;
    enuf_ewald_result *r = &v->here, broken = v->here, bare = {.struct_size = sizeof bare};
    broken.struct_size = 1;
    REFUSED(enuf_ewald_compute(e, is_failing() ? NULL : x, 3, WANT_SUMS, r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_compute(e, x, is_failing() ? 2 : 3, WANT_SUMS, r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_compute(e, x, 3, is_failing() ? 1 << 20 : WANT_SUMS, r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_compute(e, x, 3, WANT_SUMS, is_failing() ? NULL : r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_real(e, x, 3, WANT_SUMS, is_failing() ? &broken : r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_reciprocal(e, x, 3, WANT_SUMS, is_failing() ? &bare : r), ENUF_BAD_ARGUMENT);
    REFUSED(begin_and_finish_with(v, is_failing() ? NULL : x), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_begin_reciprocal(e, x, 3, WANT_SUMS, is_failing() ? NULL : r),
            ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_finish(e), ENUF_BAD_ARGUMENT);
    if (ranks == 1) return;
    /* ranks call different functions */
    REFUSED((is_failing() ? enuf_ewald_real : enuf_ewald_compute)(e, x, 3, WANT_SUMS, r),
            ENUF_BAD_ARGUMENT);
    REFUSED((is_failing() ? enuf_ewald_real : enuf_ewald_reciprocal)(e, x, 3, WANT_SUMS, r),
            ENUF_BAD_ARGUMENT);
    REFUSED((is_failing() ? enuf_ewald_begin : enuf_ewald_begin_reciprocal)(e, x, 3, WANT_SUMS, r),
            ENUF_BAD_ARGUMENT);
}

static void check_wrong_positions(tested_object *v)
{
    static const double wrong[] = {NAN, INFINITY};
    enuf_ewald *e = v->ewald;
    enuf_ewald_error error = {.struct_size = sizeof error};
    double *x = v->dealt.x;
    const double right = x[4];
    for (int k = 0; k < 2; k++) {
        enuf_status found[4];
        if (is_failing()) x[4] = wrong[k];
        found[0] = check_agreed(compute(v));
        found[1] = check_agreed(begin_and_finish(v));
        found[2] = check_agreed(tune_with_positions(v));
        found[3] = check_agreed(measure(v));
        x[4] = right;
        for (int f = 0; f < 4; f++) CHECK(found[f] == ENUF_NOT_FINITE);
        check_works(v);
    }
    REFUSED(enuf_ewald_tune(e, is_failing() ? NULL : x, 3),
            ranks > 1 ? ENUF_BAD_ARGUMENT : ENUF_SUCCESS);
    REFUSED(enuf_ewald_tune(e, x, is_failing() ? 1 : 3), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_measure_error(e, is_failing() ? NULL : x, 3, 2, 1, &error),
            ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_measure_error(e, x, is_failing() ? 0 : 3, 2, 1, &error), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_measure_error(e, x, 3, is_failing() ? -1 : 2, 1, &error), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_measure_error(e, x, 3, 2, 1, is_failing() ? NULL : &error),
            ENUF_BAD_ARGUMENT);
    error.struct_size = is_failing() ? 1 : sizeof error;
    REFUSED(enuf_ewald_measure_error(e, x, 3, 2, 1, &error), ENUF_BAD_ARGUMENT);
}

static void check_wrong_charges(tested_object *v)
{
    enuf_ewald *e = v->ewald;
    double *q = v->dealt.q;
    const int64_t n = v->dealt.n, beyond[2] = {0, N}, itself[2] = {1, 1}, pair[2] = {0, N - 1};
    const double weight = NAN, right = q[0];
    const enuf_exclusions *x = &v->exclusions;
    const enuf_exclusions wrong[] = {{-1, pair, NULL},
                                     {1, NULL, NULL},
                                     {1, beyond, NULL},
                                     {1, itself, NULL},
                                     {1, pair, &weight}};
    REFUSED(enuf_ewald_set_charges(e, is_failing() ? -1 : n, q, x), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_set_charges(e, n, is_failing() ? NULL : q, x), ENUF_BAD_ARGUMENT);
    for (int k = 0; k < 5; k++) {
        const enuf_status status =
            check_agreed(enuf_ewald_set_charges(e, n, q, is_failing() ? &wrong[k] : x));
        CHECK(status == ENUF_BAD_ARGUMENT || status == ENUF_NOT_FINITE);
        check_works(v);
    }
    if (is_failing()) q[0] = NAN;
    const enuf_status status = check_agreed(set_charges(v));
    q[0] = right;
    CHECK(status == ENUF_NOT_FINITE);
    check_works(v);
}

static void check_other_wrong_input(tested_object *v)
{
    static const double flat[9] = {1, 0, 0, 2, 0, 0, 0, 0, 1};
    enuf_ewald *e = v->ewald;
    enuf_ewald_mpi_report made = {.struct_size = sizeof made}, old = {.struct_size = 1};
    int64_t points[64];
    REFUSED(enuf_ewald_set_cell(e, rank == 0 ? NULL : v->cell[0]), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_set_cell(e, rank == 0 ? flat : v->cell[0]), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_get_mpi_report(e, is_failing() ? NULL : &made), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_get_mpi_report(e, is_failing() ? &old : &made), ENUF_BAD_ARGUMENT);
    made.points = is_failing() ? points : NULL;
    REFUSED(enuf_ewald_get_mpi_report(e, &made), ranks > 1 ? ENUF_BAD_ARGUMENT : ENUF_SUCCESS);
    enuf_ewald_options wrong;
    enuf_ewald_options_init(&wrong);
    wrong.accuracy = -1;
    REFUSED(
        enuf_ewald_mpi_calibrate_machine(MPI_COMM_WORLD, rank == 0 ? &wrong : NULL, "unwritten"),
        ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_mpi_calibrate_machine(MPI_COMM_WORLD, NULL, rank == 0 ? NULL : "unwritten"),
            ENUF_BAD_ARGUMENT);
}

/* ---- A method that one rank refuses ---- */

static enuf_status refuse_method(const enuf_ewald *ewald, const enuf_splitting *splitting,
                                 double table_error)
{
    (void)ewald;
    (void)splitting;
    (void)table_error;
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY, "this rank does not like it");
}

/* A rank may refuse the choice of rank 0 if its machine rounds differently. */
static void check_refused_method(tested_object *v)
{
    if (ranks == 1 || on_gpus()) return;
    enuf_ewald *here = v->ewald;
    const enuf_ewald_backend *backend = here->backend;
    enuf_ewald_backend refuses = *backend;
    refuses.check_splitting = refuse_method;
    for (failing_rank = 0; failing_rank < 2; failing_rank++) {
        if (is_failing()) here->backend = &refuses;
        CHECK(check_agreed(tune_without_positions(v)) == ENUF_UNREACHABLE_ACCURACY);
        here->backend = backend;
        check_works(v);
        change_cell(v);
        if (is_failing()) here->backend = &refuses;
        CHECK(check_agreed(tune_with_positions(v)) == ENUF_UNREACHABLE_ACCURACY);
        here->backend = backend;
        check_works(v);
    }
}

/* ---- Threads ---- */

static void *create_elsewhere(void *status)
{
    const enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald = NULL;
    *(enuf_status *)status = enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald);
    CHECK_TEXT("another thread has started it");
    return NULL;
}

/* A thread that may not call MPI gets an error. */
static void check_thread(void)
{
    pthread_t thread;
    enuf_status status = ENUF_SUCCESS;
    int level;
    MPI_Query_thread(&level);
    if (level != MPI_THREAD_FUNNELED) return;
    if (!CHECK(pthread_create(&thread, NULL, create_elsewhere, &status) == 0)) return;
    pthread_join(thread, NULL);
    CHECK(status == ENUF_BAD_ARGUMENT);
}

/* ---- All ---- */

static void check_decomposition(charge_system *s, enuf_decomposition decomposition)
{
    const int64_t pairs[4] = {0, N - 1, 1, N / 2};
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_AUTO);
    options.decomposition = decomposition;
    tested_object made = {.s = s, .exclusions = {rank == 0 ? 2 : 0, pairs, NULL}}, *v = &made;
    v->dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    v->here = make_result(v->dealt.n);
    v->ewald = make_shared(&options, s);
    for (int c = 0; c < CELLS; c++) {
        v->energy[c] = NAN;
        for (int k = 0; k < 9; k++) v->cell[c][k] = (1 + c) * s->cell[k];
    }
    if (!v->ewald || !CHECK_STATUS(set_charges(v), ENUF_SUCCESS)) return;
    check_works(v);
    change_cell(v);
    check_works(v);
    failing_rank = ranks - 1;
    check_wrong_requests(v);
    check_wrong_positions(v);
    check_wrong_charges(v);
    check_other_wrong_input(v);
    /* rank 0 and other ranks make different allocations; three ranks add nothing to two */
    failing_rank = decomposition == ENUF_DECOMPOSITION_DISTRIBUTED;
    if (ranks == 2) fail_each_allocation(v);
    check_refused_method(v);
    enuf_ewald_destroy(&v->ewald);
    free_result(&v->here);
    free_dealt(&v->dealt);
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    charge_system s = make_ions(7, N, CELL_CUBIC, 0);
    check_thread();
    check_decomposition(&s, ENUF_DECOMPOSITION_REPLICATED);
    check_decomposition(&s, ENUF_DECOMPOSITION_DISTRIBUTED);
    free_system(&s);
    return finish_ranks();
}
