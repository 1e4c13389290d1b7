/*
 * test_begin_finish.c - enuf_ewald_begin() and enuf_ewald_finish() give the bits of
 * enuf_ewald_compute(), begin_reciprocal() and finish() those of enuf_ewald_reciprocal(), in
 * deterministic mode, also with positions and results in locked pages. Other calls in between are
 * refused. An object can be destroyed in between. 200 and 300 random ions, 1 and 3 threads.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same_bits(int64_t n, const enuf_ewald_result *a, const enuf_ewald_result *b)
{
    return memcmp(a->forces, b->forces, 3 * (size_t)n * sizeof(double)) == 0 &&
           memcmp(a->atom_virial, b->atom_virial, 6 * (size_t)n * sizeof(double)) == 0 &&
           memcmp(a->potential, b->potential, (size_t)n * sizeof(double)) == 0 &&
           memcmp(a->virial, b->virial, sizeof a->virial) == 0 && a->energy == b->energy;
}

static void check(int threads)
{
    charge_system s = make_ions(91, 200, CELL_TRICLINIC, 1);
    enuf_ewald_options options = options_for(1e-8, ENUF_SPLIT_PROLATE);
    options.threads = threads;
    options.deterministic = 1; /* else two evaluations by compute() differ in their last bits */
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result whole = make_result(s.n), halves = make_result(s.n);
    printf("%d threads\n", threads);

    CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("call enuf_ewald_begin() first");
    for (int step = 0; step < 20; step++) {
        s.x[0] += 0.01;
        CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_ALL, &halves), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &whole), ENUF_SUCCESS);
        CHECK(halves.energy != 0 && same_bits(s.n, &halves, &whole));
        CHECK_STATUS(enuf_ewald_begin_reciprocal(ewald, s.x, 3, WANT_ALL, &halves), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
        CHECK(halves.parts.real == 0);
        CHECK_STATUS(enuf_ewald_reciprocal(ewald, s.x, 3, WANT_ALL, &whole), ENUF_SUCCESS);
        CHECK(halves.energy != 0 && same_bits(s.n, &halves, &whole));
    }
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &whole), ENUF_SUCCESS);

    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_error error = {.struct_size = sizeof error};
    CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_ALL, &halves), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_ALL, &halves), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("enuf_ewald_finish() has to come first");
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &whole), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 1, 1, &error), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
    CHECK(same_bits(s.n, &halves, &whole));

    /* begin() returns errors of the arguments, finish() errors of the sums */
    s.x[7] = NAN;
    if (tested_backend() == ENUF_BACKEND_CUDA) {
        /* the GPU checks the positions after begin() has returned */
        CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_ALL, &halves), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_NOT_FINITE);
    } else {
        CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_ALL, &halves), ENUF_NOT_FINITE);
    }
    CHECK_TEXT("position of atom 2");
    for (int d = 0; d < 3; d++) s.x[6 + d] = s.x[9 + d]; /* two ions at one place */
    CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_ALL, &halves), ENUF_SUCCESS);
    CHECK(enuf_ewald_finish(ewald) != ENUF_SUCCESS);
    CHECK_TEXT("enuf_ewald_finish: ");
    CHECK_TEXT("same place");
    CHECK(same_bits(s.n, &halves, &whole)); /* after an error the result is unchanged */
    s.x[6] += 1;
    CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_ALL, &halves), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);

    CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_ALL, &halves), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    CHECK(ewald == NULL);
    free_result(&whole);
    free_result(&halves);
    free_system(&s);
}

/* Positions and all result arrays are in one block of locked pages. */
static void locked_pages(int add)
{
    enum { NUMBERS = 3 + 3 + 1 + 6 + 1 + 3, PAGE = 4096 };
    charge_system s = make_ions(92, 300, CELL_TRICLINIC, 1);
    enuf_ewald_options options = options_for(1e-8, ENUF_SPLIT_GAUSSIAN);
    options.deterministic = 1;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    const size_t n = (size_t)s.n, bytes = (NUMBERS * n * sizeof(double) / PAGE + 1) * PAGE;
    double *block = aligned_alloc(PAGE, bytes);
    CHECK(block != NULL);
    memset(block, 0, bytes);
    enuf_ewald_result plain = make_result(s.n);
    enuf_ewald_result locked = {.struct_size = sizeof locked,
                                .add = add,
                                .forces = block + 3 * n,
                                .atom_energy = block + 6 * n,
                                .atom_virial = block + 7 * n,
                                .potential = block + 13 * n,
                                .field = block + 14 * n};

    CHECK_STATUS(enuf_ewald_lock_pages(ewald, NULL, 8), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_lock_pages(ewald, block, 0), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("bytes is 0");
    CHECK_STATUS(enuf_ewald_unlock_pages(ewald, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_lock_pages(ewald, block, (int64_t)bytes), ENUF_SUCCESS);
    for (int step = 0; step < 4; step++) {
        s.x[0] += 0.01;
        memcpy(block, s.x, 3 * n * sizeof(double));
        if (add) memset(block + 3 * n, 0, (NUMBERS - 3) * n * sizeof(double));
        locked.energy = locked.virial[0] = locked.virial[1] = locked.virial[2] = 0;
        locked.virial[3] = locked.virial[4] = locked.virial[5] = 0;
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &plain), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_begin(ewald, block, 3, WANT_ALL, &locked), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_lock_pages(ewald, block, 8), ENUF_BAD_ARGUMENT);
        CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
        CHECK(locked.energy != 0 && same_bits(s.n, &locked, &plain));
        CHECK(memcmp(locked.field, plain.field, 3 * n * sizeof(double)) == 0);
    }
    CHECK_STATUS(enuf_ewald_unlock_pages(ewald, block), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, block, 3, WANT_ALL, &plain), ENUF_SUCCESS);
    if (tested_backend() == ENUF_BACKEND_CUDA)
        CHECK(enuf_ewald_unlock_pages(ewald, block) != ENUF_SUCCESS); /* it is no longer locked */
    enuf_ewald_destroy(&ewald);
    free(block);
    free_result(&plain);
    free_system(&s);
}

int main(void)
{
    locked_pages(0);
    locked_pages(1);
    check(1);
    check(3);
    return check_result();
}
