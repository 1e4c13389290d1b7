/*
 * An object on many ranks goes through what one process goes through and gives the same: other
 * cells, other charges, tuning with and without positions, halves added up, positions with a
 * stride, float arithmetic, an error measured, computing in two halves, atoms that crowd together
 * and come apart. SPDX-License-Identifier: BSD-3-Clause
 */
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE = 5 };

static int rank;

/* One process (rank 0, told to all) beside all ranks, which have the same positions. */
typedef struct beside {
    const charge_system *s;
    double *x; /* [s->n][3] positions now */
    dealt_system dealt;
    double *strided; /* [dealt.n][STRIDE] */
    enuf_ewald *one; /* on rank 0 */
    enuf_ewald *many;
    double bound;
} beside;

/* Positions at first, times a factor: below 1 the atoms crowd into a corner of the cell. */
static void place(beside *b, double factor)
{
    for (int64_t k = 0; k < 3 * b->s->n; k++) b->x[k] = factor * b->s->x[k];
    for (int64_t i = 0; i < b->dealt.n; i++)
        memcpy(b->strided + STRIDE * i, b->x + 3 * b->dealt.atom[i], 3 * sizeof *b->strided);
}

static beside begin(const charge_system *s, const enuf_ewald_options *options, double bound)
{
    beside b = {.s = s, .dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD), .bound = bound};
    b.strided = calloc((size_t)(STRIDE * b.dealt.n + 1), sizeof *b.strided);
    b.x = calloc((size_t)(3 * s->n), sizeof *b.x);
    if (!b.strided || !b.x) abort();
    place(&b, 1);
    if (rank == 0) b.one = make_alone(options, s, NULL);
    b.many = make_shared(options, s);
    if (b.many) set_shared(b.many, &b.dealt, NULL);
    return b;
}

static void end(beside *b)
{
    enuf_ewald_destroy(&b->one);
    enuf_ewald_destroy(&b->many);
    free(b->strided);
    free(b->x);
    free_dealt(&b->dealt);
}

static void check_same(beside *b, const char *what)
{
    const charge_system *s = b->s;
    enuf_ewald_result here = make_result(b->dealt.n), whole = make_result(s->n);
    enuf_ewald_report one = {.struct_size = sizeof one};
    enuf_ewald_report many = {.struct_size = sizeof many};
    if (rank == 0) {
        printf("%s\n", what);
        CHECK_STATUS(enuf_ewald_compute(b->one, b->x, 3, WANT_ALL, &whole), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(b->one, &one), ENUF_SUCCESS);
    }
    /* the two halves, the second added to the first */
    CHECK_STATUS(enuf_ewald_real(b->many, b->strided, STRIDE, WANT_ALL, &here), ENUF_SUCCESS);
    here.add = 1;
    CHECK_STATUS(enuf_ewald_reciprocal(b->many, b->strided, STRIDE, WANT_ALL, &here), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(b->many, &many), ENUF_SUCCESS);
    tell_result(&whole, s->n);
    const shared_difference d = compare_shared(&whole, s->n, &here, &b->dealt);
    check_difference(&d, b->bound);
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    const enuf_ewald_report *m = &many;
    CHECK(memcmp(one.grid, m->grid, sizeof one.grid) == 0 && one.width == m->width);
    CHECK(one.split == m->split && one.net_charge == m->net_charge);
    /* calibrated by the difference of two evaluations: to their digits; lengths follow */
    CHECK_BELOW(fmax(fabs(one.cutoff / m->cutoff - 1), fabs(one.kmax / m->kmax - 1)), b->bound,
                "cutoff and kmax");
    CHECK_BELOW(fabs(one.predicted - m->predicted), b->bound, "errors predicted");
    free_result(&here);
    free_result(&whole);
}

/* Where something has begun nothing else is done, and what has begun is finished all the same. */
static void check_idle_only(beside *b)
{
    enuf_ewald_result other = make_result(b->dealt.n);
    enuf_ewald_error error = {.struct_size = sizeof error};
    enuf_ewald_mpi_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_set_cell(b->many, b->s->cell), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_set_charges(b->many, b->dealt.n, b->dealt.q, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_tune(b->many, NULL, 3), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_compute(b->many, b->strided, STRIDE, WANT_ALL, &other),
                 ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_begin(b->many, b->strided, STRIDE, WANT_ALL, &other),
                 ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_measure_error(b->many, b->strided, STRIDE, 5, 1, &error),
                 ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_get_mpi_report(b->many, &report), ENUF_BAD_ARGUMENT);
    free_result(&other);
}

/* Of GPUs, whose sums have no order unless they are to be deterministic, only digits. */
static void check_same_bits(const beside *b, const enuf_ewald_result *one,
                            const enuf_ewald_result *other)
{
    const double bound = on_gpus() ? b->bound : 0;
    double largest = 0, most = 0;
    for (int64_t k = 0; k < 3 * b->dealt.n; k++) {
        largest = fmax(largest, fabs(one->forces[k]));
        most = fmax(most, fabs(other->forces[k] - one->forces[k]));
    }
    CHECK_BELOW(fabs(other->energy - one->energy), bound * fabs(one->energy), "energies");
    for (int c = 0; c < 6; c++)
        CHECK_BELOW(fabs(other->virial[c] - one->virial[c]), bound * fabs(one->energy), "virials");
    CHECK_BELOW(most, bound * largest, "forces");
}

static void check_begin_finish(beside *b)
{
    enuf_ewald_result at_once = make_result(b->dealt.n), halves = make_result(b->dealt.n);
    CHECK_STATUS(enuf_ewald_finish(b->many), ENUF_BAD_ARGUMENT);
    for (int real = 0; real < 2; real++) {
        CHECK_STATUS((real ? enuf_ewald_compute : enuf_ewald_reciprocal)(
                         b->many, b->strided, STRIDE, WANT_ALL, &at_once),
                     ENUF_SUCCESS);
        CHECK_STATUS((real ? enuf_ewald_begin : enuf_ewald_begin_reciprocal)(
                         b->many, b->strided, STRIDE, WANT_ALL, &halves),
                     ENUF_SUCCESS);
        if (real) check_idle_only(b);
        CHECK_STATUS(enuf_ewald_finish(b->many), ENUF_SUCCESS);
        check_same_bits(b, &at_once, &halves);
    }
    /* what cannot be done is told by begin, which then has not begun */
    CHECK_STATUS(enuf_ewald_begin(b->many, b->strided, STRIDE, 1 << 20, &halves),
                 ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_finish(b->many), ENUF_BAD_ARGUMENT);
    free_result(&at_once);
    free_result(&halves);
}

static void set_cell(beside *b, const double factor[3])
{
    double cell[9];
    for (int k = 0; k < 9; k++) cell[k] = b->s->cell[k] * factor[k / 3];
    if (rank == 0) CHECK_STATUS(enuf_ewald_set_cell(b->one, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(b->many, cell), ENUF_SUCCESS);
}

/* The candidates of ranks are those of one process, the same on all. */
static void check_listing(beside *b)
{
    enum { MOST = 40 };
    enuf_ewald_candidate one[MOST] = {{.struct_size = sizeof one[0]}}, many[MOST] = {one[0]};
    int64_t n_one = 0, n = 0;
    CHECK_STATUS(enuf_ewald_list_candidates(b->many, 2, MOST, many, &n), ENUF_SUCCESS);
    if (rank == 0)
        CHECK_STATUS(enuf_ewald_list_candidates(b->one, 2, MOST, one, &n_one), ENUF_SUCCESS);
    MPI_Bcast(&n_one, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    CHECK(n == n_one && n > 1 && many[0].chosen);
    for (int64_t k = 0; k < n; k++) {
        CHECK(memcmp(many[k].grid, one[k].grid, sizeof one[k].grid) == 0);
        CHECK(many[k].split == one[k].split && many[k].width == one[k].width);
    }
    CHECK_STATUS(enuf_ewald_list_candidates(b->many, 0.5, MOST, many, &n), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("dearest is 0.5");
}

static void go_through(const charge_system *s, enuf_decomposition how, enuf_arithmetic arithmetic)
{
    const int is_double = arithmetic == ENUF_ARITHMETIC_DOUBLE;
    enuf_ewald_options options = shared_options(is_double ? 1e-6 : 1e-4, ENUF_SPLIT_AUTO);
    options.decomposition = how;
    options.arithmetic = arithmetic;
    /* float: roundings of the mesh, some 1e-7 of its largest values, in another order */
    beside b = begin(s, &options, is_double ? 1e-12 : 2e-5);
    if (!b.many) return;
    check_same(&b, "as chosen at first");
    check_listing(&b);
    check_begin_finish(&b);
    place(&b, 0.6);
    check_same(&b, "crowded into a fifth of the cell: domains cut anew at once");
    place(&b, 1);
    check_same(&b, "apart again: anew");
    place(&b, 0.9);
    check_same(&b, "uneven a little: domains as they were");
    check_same(&b, "the same again: cut anew");
    place(&b, 1);
    set_cell(&b, (const double[3]){1.004, 0.998, 1.001});
    check_same(&b, "a cell a little different");
    set_cell(&b, (const double[3]){1.3, 1.3, 1.3});
    check_same(&b, "a larger cell");
    if (rank == 0) CHECK_STATUS(enuf_ewald_tune(b.one, b.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(b.many, b.strided, STRIDE), ENUF_SUCCESS);
    check_same(&b, "tuned with positions");
    if (rank == 0) CHECK_STATUS(enuf_ewald_tune(b.one, NULL, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(b.many, NULL, 0), ENUF_SUCCESS);
    check_same(&b, "tuned without");

    enuf_ewald_error one = {.struct_size = sizeof one}, many = one;
    if (rank == 0) CHECK_STATUS(enuf_ewald_measure_error(b.one, b.x, 3, 20, 5, &one), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(b.many, b.strided, STRIDE, 20, 5, &many), ENUF_SUCCESS);
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    /* the same atoms are drawn: equal blocks keep their numbers */
    CHECK(many.sample == 20);
    CHECK_CLOSE(many.accuracy, one.accuracy, is_double ? 1e-5 : 0.2, "error measured");
    end(&b);
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    charge_system s = make_ions(61, 250, CELL_TRICLINIC, 0);
    go_through(&s, ENUF_DECOMPOSITION_REPLICATED, ENUF_ARITHMETIC_DOUBLE);
    go_through(&s, ENUF_DECOMPOSITION_DISTRIBUTED, ENUF_ARITHMETIC_DOUBLE);
    go_through(&s, ENUF_DECOMPOSITION_AUTO, ENUF_ARITHMETIC_MIXED);
    free_system(&s);
    return finish_ranks();
}
