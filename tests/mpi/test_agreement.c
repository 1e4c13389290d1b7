/*
 * Every function of enuf/ewald_mpi.h ends the same way on all ranks, whatever one of them does
 * wrong or lacks: the same status and text, in time; and the object serves afterwards, with the
 * sums that it had. Wrong input of one rank; no memory at any allocation of one rank, in an object
 * that has computed before; a method that one rank alone refuses. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "mpi/object/rank_state.h"
#include "memory.h"
#include "shared_system.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N = 40, CELLS = 2 };

static int rank, ranks, bad; /* bad: the rank that fails */

/* A system on the ranks. */
typedef struct served {
    enuf_ewald *ewald;
    charge_system *s;
    dealt_system dealt;
    enuf_exclusions exclusions; /* of this rank */
    enuf_ewald_result here;
    double cell[CELLS][9], energy[CELLS]; /* NAN: not yet known */
    int now;                              /* cell */
} served;

static int is_bad(void)
{
    return rank == bad;
}

/* An error without the name of the function called, which may differ. */
static const char *reason(const char *text)
{
    const char *at = strstr(text, ": ");
    return at ? at : text;
}

/* Status and text of rank 0 on all ranks. Gives the status. */
static enuf_status agreed(enuf_status status)
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

static enuf_status compute(served *v)
{
    return enuf_ewald_compute(v->ewald, v->dealt.x, 3, WANT_SUMS, &v->here);
}

/* The sums are those that it gave before, to the accuracy asked for: parameters may be chosen anew.
 */
static void check_serves(served *v)
{
    double *energy = &v->energy[v->now];
    if (!CHECK_STATUS(compute(v), ENUF_SUCCESS)) return;
    if (isnan(*energy)) *energy = v->here.energy;
    const double off = fabs(v->here.energy / *energy - 1);
    CHECK(off < 1e-3);
    double ends[2] = {v->here.energy, -v->here.energy};
    MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    CHECK(ends[0] == -ends[1]);
}

static enuf_status set_charges(served *v)
{
    return enuf_ewald_set_charges(v->ewald, v->dealt.n, v->dealt.q, &v->exclusions);
}

/* What is wrong with positions may be told at the end. */
static enuf_status begin_with(served *v, const double *x)
{
    const enuf_status status = enuf_ewald_begin(v->ewald, x, 3, WANT_SUMS, &v->here);
    return status == ENUF_SUCCESS ? enuf_ewald_finish(v->ewald) : status;
}

static enuf_status begin_and_finish(served *v)
{
    return begin_with(v, v->dealt.x);
}

static enuf_status tune_without(served *v)
{
    return enuf_ewald_tune(v->ewald, NULL, 3);
}

static enuf_status tune_by_positions(served *v)
{
    return enuf_ewald_tune(v->ewald, v->dealt.x, 3);
}

static enuf_status measure(served *v)
{
    enuf_ewald_error error = {.struct_size = sizeof error};
    return enuf_ewald_measure_error(v->ewald, v->dealt.x, 3, 2, 1, &error);
}

static enuf_status report(served *v)
{
    enum { MOST_RANKS = 64 };
    int64_t points[MOST_RANKS];
    enuf_ewald_mpi_report made = {.struct_size = sizeof made, .points = points};
    return enuf_ewald_get_mpi_report(v->ewald, &made);
}

/* ---- Memory ---- */

/* X(function): those that allocate */
#define FUNCTIONS(X)                                                                               \
    X(compute)                                                                                     \
    X(begin_and_finish) X(set_charges) X(tune_without) X(tune_by_positions) X(measure) X(report)

static const struct {
    const char *name;
    enuf_status (*call)(served *v);
} functions[] = {
#define ENUF_X(name) {#name, name},
    FUNCTIONS(ENUF_X)
#undef ENUF_X
};

static void change_cell(served *v)
{
    v->now = (v->now + 1) % CELLS;
    CHECK_STATUS(enuf_ewald_set_cell(v->ewald, v->cell[v->now]), ENUF_SUCCESS);
}

/* The n-th allocation of one rank fails in a function called after the cell has changed. */
static void walk(served *v)
{
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        int reached = 1, n = 0;
        while (reached) {
            change_cell(v);
            if (is_bad()) enuf_fail_allocation(++n);
            const enuf_status status = agreed(functions[f].call(v));
            if (is_bad()) enuf_fail_allocation(0);
            reached = status != ENUF_SUCCESS;
            CHECK(!reached || status == ENUF_OUT_OF_MEMORY);
            MPI_Bcast(&reached, 1, MPI_INT, bad, MPI_COMM_WORLD);
            check_serves(v);
        }
        MPI_Bcast(&n, 1, MPI_INT, bad, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%s: %d allocations of rank %d failed\n", functions[f].name, n - 1, bad);
    }
}

/* ---- Input ---- */

#define REFUSED(call, expected)                                                                    \
    do {                                                                                           \
        CHECK(agreed(call) == (expected));                                                         \
        check_serves(v);                                                                           \
    } while (0)

static void refuse_requests(served *v)
{
    enuf_ewald *e = v->ewald;
    const double *x = v->dealt.x;
    enuf_ewald_result *r = &v->here, broken = v->here, bare = {.struct_size = sizeof bare};
    broken.struct_size = 1;
    REFUSED(enuf_ewald_compute(e, is_bad() ? NULL : x, 3, WANT_SUMS, r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_compute(e, x, is_bad() ? 2 : 3, WANT_SUMS, r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_compute(e, x, 3, is_bad() ? 1 << 20 : WANT_SUMS, r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_compute(e, x, 3, WANT_SUMS, is_bad() ? NULL : r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_real(e, x, 3, WANT_SUMS, is_bad() ? &broken : r), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_reciprocal(e, x, 3, WANT_SUMS, is_bad() ? &bare : r), ENUF_BAD_ARGUMENT);
    REFUSED(begin_with(v, is_bad() ? NULL : x), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_begin_reciprocal(e, x, 3, WANT_SUMS, is_bad() ? NULL : r),
            ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_finish(e), ENUF_BAD_ARGUMENT);
    if (ranks == 1) return;
    /* one half on one rank, both or the other on the others */
    REFUSED((is_bad() ? enuf_ewald_real : enuf_ewald_compute)(e, x, 3, WANT_SUMS, r),
            ENUF_BAD_ARGUMENT);
    REFUSED((is_bad() ? enuf_ewald_real : enuf_ewald_reciprocal)(e, x, 3, WANT_SUMS, r),
            ENUF_BAD_ARGUMENT);
    REFUSED((is_bad() ? enuf_ewald_begin : enuf_ewald_begin_reciprocal)(e, x, 3, WANT_SUMS, r),
            ENUF_BAD_ARGUMENT);
}

static void refuse_positions(served *v)
{
    static const double wrong[] = {NAN, INFINITY};
    enuf_ewald *e = v->ewald;
    enuf_ewald_error error = {.struct_size = sizeof error};
    double *x = v->dealt.x;
    const double right = x[4];
    for (int k = 0; k < 2; k++) {
        enuf_status found[4];
        if (is_bad()) x[4] = wrong[k];
        found[0] = agreed(compute(v));
        found[1] = agreed(begin_and_finish(v));
        found[2] = agreed(tune_by_positions(v));
        found[3] = agreed(measure(v));
        x[4] = right;
        for (int f = 0; f < 4; f++) CHECK(found[f] == ENUF_NOT_FINITE);
        check_serves(v);
    }
    REFUSED(enuf_ewald_tune(e, is_bad() ? NULL : x, 3),
            ranks > 1 ? ENUF_BAD_ARGUMENT : ENUF_SUCCESS);
    REFUSED(enuf_ewald_tune(e, x, is_bad() ? 1 : 3), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_measure_error(e, is_bad() ? NULL : x, 3, 2, 1, &error), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_measure_error(e, x, is_bad() ? 0 : 3, 2, 1, &error), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_measure_error(e, x, 3, is_bad() ? -1 : 2, 1, &error), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_measure_error(e, x, 3, 2, 1, is_bad() ? NULL : &error), ENUF_BAD_ARGUMENT);
    error.struct_size = is_bad() ? 1 : sizeof error;
    REFUSED(enuf_ewald_measure_error(e, x, 3, 2, 1, &error), ENUF_BAD_ARGUMENT);
}

static void refuse_charges(served *v)
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
    REFUSED(enuf_ewald_set_charges(e, is_bad() ? -1 : n, q, x), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_set_charges(e, n, is_bad() ? NULL : q, x), ENUF_BAD_ARGUMENT);
    for (int k = 0; k < 5; k++) {
        const enuf_status status =
            agreed(enuf_ewald_set_charges(e, n, q, is_bad() ? &wrong[k] : x));
        CHECK(status == ENUF_BAD_ARGUMENT || status == ENUF_NOT_FINITE);
        check_serves(v);
    }
    if (is_bad()) q[0] = NAN;
    const enuf_status status = agreed(set_charges(v));
    q[0] = right;
    CHECK(status == ENUF_NOT_FINITE);
    check_serves(v);
}

static void refuse_others(served *v)
{
    static const double flat[9] = {1, 0, 0, 2, 0, 0, 0, 0, 1};
    enuf_ewald *e = v->ewald;
    enuf_ewald_mpi_report made = {.struct_size = sizeof made}, old = {.struct_size = 1};
    int64_t points[64];
    REFUSED(enuf_ewald_set_cell(e, rank == 0 ? NULL : v->cell[0]), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_set_cell(e, rank == 0 ? flat : v->cell[0]), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_get_mpi_report(e, is_bad() ? NULL : &made), ENUF_BAD_ARGUMENT);
    REFUSED(enuf_ewald_get_mpi_report(e, is_bad() ? &old : &made), ENUF_BAD_ARGUMENT);
    made.points = is_bad() ? points : NULL;
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

static enuf_status refuse(const enuf_ewald *ewald, const enuf_splitting *splitting,
                          double table_error)
{
    (void)ewald;
    (void)splitting;
    (void)table_error;
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY, "this rank does not like it");
}

/* On machines that round otherwise a choice of rank 0 may be beyond what another reaches. */
static void check_refused_method(served *v)
{
    if (ranks == 1 || on_gpus()) return;
    enuf_ewald *here = v->ewald;
    const enuf_ewald_backend *backend = here->backend;
    enuf_ewald_backend refuses = *backend;
    refuses.check_splitting = refuse;
    for (bad = 0; bad < 2; bad++) {
        if (is_bad()) here->backend = &refuses;
        CHECK(agreed(tune_without(v)) == ENUF_UNREACHABLE_ACCURACY);
        here->backend = backend;
        check_serves(v);
        change_cell(v);
        if (is_bad()) here->backend = &refuses;
        CHECK(agreed(tune_by_positions(v)) == ENUF_UNREACHABLE_ACCURACY);
        here->backend = backend;
        check_serves(v);
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

/* A thread that may not call MPI is told so. */
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
    served made = {.s = s, .exclusions = {rank == 0 ? 2 : 0, pairs, NULL}}, *v = &made;
    v->dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    v->here = make_result(v->dealt.n);
    v->ewald = make_shared(&options, s);
    for (int c = 0; c < CELLS; c++) {
        v->energy[c] = NAN;
        for (int k = 0; k < 9; k++) v->cell[c][k] = (1 + c) * s->cell[k];
    }
    if (!v->ewald || !CHECK_STATUS(set_charges(v), ENUF_SUCCESS)) return;
    check_serves(v);
    change_cell(v);
    check_serves(v);
    bad = ranks - 1;
    refuse_requests(v);
    refuse_positions(v);
    refuse_charges(v);
    refuse_others(v);
    /* a rank that is not the first meets other allocations; three ranks tell no more than two */
    bad = decomposition == ENUF_DECOMPOSITION_DISTRIBUTED;
    if (ranks == 2) walk(v);
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
