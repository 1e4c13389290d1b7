/*
 * test_histories.c - an object on many ranks gives the results of one process after the same calls:
 * to 1e-12, with a float mesh to 2e-5. The calls: other cells, tuning with and without positions, a
 * list of candidates, a measured error, evaluation in one call, by begin and finish, and as real
 * and reciprocal half added up. Positions have a stride; the atoms crowd together and come apart.
 * Parameters and predictions are compared too. 250 ions in a triclinic cell; both decompositions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE = 5 };

static int rank;

/* One process and all ranks with the same positions. The process is rank 0, which sends its results
 * to all. */
typedef struct comparison {
    const charge_system *s;
    double *x; /* present positions */
    dealt_system dealt;
    double *strided; /* [dealt.n][STRIDE] */
    enuf_ewald *one; /* on rank 0 */
    enuf_ewald *many;
    double bound;
} comparison;

/* Sets the positions to the original ones times a factor: below 1 the atoms crowd into a corner. */
static void scale_positions(comparison *b, double factor)
{
    for (int64_t k = 0; k < 3 * b->s->n; k++) b->x[k] = factor * b->s->x[k];
    for (int64_t i = 0; i < b->dealt.n; i++)
        memcpy(b->strided + STRIDE * i, b->x + 3 * b->dealt.atom[i], 3 * sizeof *b->strided);
}

static comparison begin(const charge_system *s, const enuf_ewald_options *options, double bound)
{
    comparison b = {.s = s, .dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD), .bound = bound};
    b.strided = calloc((size_t)(STRIDE * b.dealt.n + 1), sizeof *b.strided);
    b.x = calloc((size_t)(3 * s->n), sizeof *b.x);
    if (!b.strided || !b.x) abort();
    scale_positions(&b, 1);
    if (rank == 0) b.one = make_alone(options, s, NULL);
    b.many = make_shared(options, s);
    if (b.many) set_shared(b.many, &b.dealt, NULL);
    return b;
}

static void end(comparison *b)
{
    enuf_ewald_destroy(&b->one);
    enuf_ewald_destroy(&b->many);
    free(b->strided);
    free(b->x);
    free_dealt(&b->dealt);
}

static void check_same(comparison *b, const char *what)
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
    /* real and reciprocal half, the second added to the first */
    CHECK_STATUS(enuf_ewald_real(b->many, b->strided, STRIDE, WANT_ALL, &here), ENUF_SUCCESS);
    here.add = 1;
    CHECK_STATUS(enuf_ewald_reciprocal(b->many, b->strided, STRIDE, WANT_ALL, &here), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(b->many, &many), ENUF_SUCCESS);
    broadcast_result(&whole, s->n);
    const shared_difference d = compare_shared(&whole, s->n, &here, &b->dealt);
    check_difference(&d, b->bound);
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    const enuf_ewald_report *m = &many;
    CHECK(memcmp(one.grid, m->grid, sizeof one.grid) == 0 && one.width == m->width);
    CHECK(one.split == m->split && one.net_charge == m->net_charge);
    /* errors are measured as differences of two evaluations: they agree to the digits of these, and
     * so do lengths */
    CHECK_BELOW(fmax(fabs(one.cutoff / m->cutoff - 1), fabs(one.kmax / m->kmax - 1)), b->bound,
                "cutoff and kmax");
    CHECK_BELOW(fabs(one.predicted - m->predicted), b->bound, "errors predicted");
    free_result(&here);
    free_result(&whole);
}

/* Between begin and finish every other call is refused, and finish still works. */
static void check_refused_while_pending(comparison *b)
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

/* Equal bits on CPUs. On GPUs, whose sums vary in order unless they are deterministic, equal to the
 * bound. */
static void check_same_bits(const comparison *b, const enuf_ewald_result *one,
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

static void check_begin_finish(comparison *b)
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
        if (real) check_refused_while_pending(b);
        CHECK_STATUS(enuf_ewald_finish(b->many), ENUF_SUCCESS);
        check_same_bits(b, &at_once, &halves);
    }
    /* begin refuses a wrong request, and then nothing is pending */
    CHECK_STATUS(enuf_ewald_begin(b->many, b->strided, STRIDE, 1 << 20, &halves),
                 ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_finish(b->many), ENUF_BAD_ARGUMENT);
    free_result(&at_once);
    free_result(&halves);
}

static void set_cell(comparison *b, const double factor[3])
{
    double cell[9];
    for (int k = 0; k < 9; k++) cell[k] = b->s->cell[k] * factor[k / 3];
    if (rank == 0) CHECK_STATUS(enuf_ewald_set_cell(b->one, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(b->many, cell), ENUF_SUCCESS);
}

/* The candidates on ranks are those of one process, and the same on all ranks. */
static void check_listing(comparison *b)
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

static void check_history(const charge_system *s, enuf_decomposition how,
                          enuf_arithmetic arithmetic)
{
    const int is_double = arithmetic == ENUF_ARITHMETIC_DOUBLE;
    enuf_ewald_options options = shared_options(is_double ? 1e-6 : 1e-4, ENUF_SPLIT_AUTO);
    options.decomposition = how;
    options.arithmetic = arithmetic;
    /* float: the mesh rounds some 1e-7 of its largest values, in another order */
    comparison b = begin(s, &options, is_double ? 1e-12 : 2e-5);
    if (!b.many) return;
    check_same(&b, "first choice of parameters");
    check_listing(&b);
    check_begin_finish(&b);
    scale_positions(&b, 0.6);
    check_same(&b, "crowded into a fifth of the cell: new domains at once");
    scale_positions(&b, 1);
    check_same(&b, "apart again: new domains");
    scale_positions(&b, 0.9);
    check_same(&b, "slightly uneven: the same domains");
    check_same(&b, "the same positions again: new domains");
    scale_positions(&b, 1);
    set_cell(&b, (const double[3]){1.004, 0.998, 1.001});
    check_same(&b, "a slightly different cell");
    set_cell(&b, (const double[3]){1.3, 1.3, 1.3});
    check_same(&b, "a larger cell");
    if (rank == 0) CHECK_STATUS(enuf_ewald_tune(b.one, b.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(b.many, b.strided, STRIDE), ENUF_SUCCESS);
    check_same(&b, "tuned with positions");
    if (rank == 0) CHECK_STATUS(enuf_ewald_tune(b.one, NULL, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(b.many, NULL, 0), ENUF_SUCCESS);
    check_same(&b, "tuned without positions");

    enuf_ewald_error one = {.struct_size = sizeof one}, many = one;
    if (rank == 0) CHECK_STATUS(enuf_ewald_measure_error(b.one, b.x, 3, 20, 5, &one), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(b.many, b.strided, STRIDE, 20, 5, &many), ENUF_SUCCESS);
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    /* equal blocks keep the numbers of atoms, so the same atoms are drawn */
    CHECK(many.sample == 20);
    CHECK_CLOSE(many.accuracy, one.accuracy, is_double ? 1e-5 : 0.2, "error measured");
    end(&b);
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    charge_system s = make_ions(61, 250, CELL_TRICLINIC, 0);
    check_history(&s, ENUF_DECOMPOSITION_REPLICATED, ENUF_ARITHMETIC_DOUBLE);
    check_history(&s, ENUF_DECOMPOSITION_DISTRIBUTED, ENUF_ARITHMETIC_DOUBLE);
    check_history(&s, ENUF_DECOMPOSITION_AUTO, ENUF_ARITHMETIC_MIXED);
    free_system(&s);
    return finish_ranks();
}
