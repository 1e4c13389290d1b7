/*
 * test_pairs_errors.c - the pair loop refuses two charges at one place, positions and charges that
 * are not finite, far positions, a flat cell, and sums that overflow. The error names the atoms
 * or the volume, and the results do not change. Each allocation that fails gives
 * ENUF_OUT_OF_MEMORY. 300 random ions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "memory.h"
#include "pair_reference.h"

#include <math.h>
#include <string.h>

static const double box[9] = {20, 0, 0, 3, 21, 0, 0, 0, 22};

static pair_system *make(void)
{
    return pair_system_make("box", box, 6, 300, 1);
}

/* The first `modes` of double, mixed and deterministic mode refuse the system, and do not change
 * the caller's arrays. */
static void refuses(const pair_system *s, int modes, enuf_status status, const char *text)
{
    for (int mode = 0; mode < modes; mode++) {
        pair_mode settings = {.threads = 2, .wanted = PAIR_ALL, .deterministic = mode == 2};
        settings.arithmetic = mode == 1 ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
        pair_reference *sums = pair_reference_empty(s->n);
        CHECK_STATUS(pair_system_sum(s, settings, sums), status);
        CHECK_TEXT(text);
        double touched = fabs(sums->energy);
        for (int64_t i = 0; i < 3 * s->n; i++) touched += fabs(sums->forces[i]);
        CHECK(touched == 0);
        pair_reference_free(sums);
    }
}

static void same_place(void)
{
    pair_system *s = make();
    memcpy(s->positions + 3 * 41, s->positions + 3 * 17, 3 * sizeof(double));
    refuses(s, 3, ENUF_BAD_ARGUMENT, "atoms 17 and 41 are at the same place");
    /* the same place in another image, which is in another cell of the grid */
    for (int e = 0; e < 3; e++) s->positions[3 * 41 + e] = box[e] + box[3 + e];
    for (int e = 0; e < 3; e++) s->positions[3 * 17 + e] = 0;
    refuses(s, 3, ENUF_BAD_ARGUMENT, "atoms 17 and 41 are at the same place");
    /* an atom without charge may be at the place of an ion if no potential is wanted */
    s->charges[41] = 0;
    pair_reference *sums = pair_reference_empty(s->n);
    const pair_mode settings = {.wanted = ENUF_WANT_ENERGY | ENUF_WANT_FORCES};
    CHECK_STATUS(pair_system_sum(s, settings, sums), ENUF_SUCCESS);
    CHECK(isfinite(sums->energy));
    pair_reference_free(sums);
    pair_system_free(s);
}

static void not_finite(void)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        pair_system *s = make();
        s->positions[3 * 123 + k] = bad[k];
        s->positions[3 * 200] = bad[k];
        refuses(s, 3, ENUF_NOT_FINITE, "atom 123");
        pair_system_free(s);
        s = make();
        s->charges[77] = bad[k];
        refuses(s, 2, ENUF_NOT_FINITE, "atom 77");
        pair_system_free(s);
    }
}

static void too_far(void)
{
    pair_system *s = make();
    s->positions[3 * 5 + 1] = 1e300;
    refuses(s, 3, ENUF_BAD_ARGUMENT, "atom 5: position");
    pair_system_free(s);
}

static void flat_cell(void)
{
    pair_system *s = make();
    for (int e = 0; e < 3; e++) s->cell[3 + e] = 2 * s->cell[e];
    refuses(s, 3, ENUF_BAD_ARGUMENT, "cell volume 0");
    pair_system_free(s);
}

static void fixed_point_overflows(void)
{
    pair_system *s = make();
    memcpy(s->positions + 3 * 8, s->positions + 3 * 9, 3 * sizeof(double));
    s->positions[3 * 8] += 1e-7;
    const pair_mode settings = {.wanted = PAIR_ALL, .deterministic = 1};
    pair_reference *sums = pair_reference_empty(s->n);
    CHECK_STATUS(pair_system_sum(s, settings, sums), ENUF_OVERFLOWED);
    CHECK_TEXT("two atoms are 1e-07 apart");
    pair_reference_free(sums);
    pair_system_free(s);
}

static void out_of_memory(void)
{
    pair_system *s = make();
    for (int deterministic = 0; deterministic < 2; deterministic++) {
        const pair_mode settings = {
            .threads = 2, .wanted = PAIR_ALL, .deterministic = deterministic};
        pair_reference *sums = pair_reference_empty(s->n);
        int64_t failed = 0;
        enuf_status status = ENUF_OUT_OF_MEMORY;
        for (int64_t k = 1; k < 100 && status == ENUF_OUT_OF_MEMORY; k++) {
            enuf_fail_allocation(k);
            status = pair_system_sum(s, settings, sums);
            enuf_fail_allocation(0);
            failed += status == ENUF_OUT_OF_MEMORY;
            CHECK(status == ENUF_SUCCESS || sums->energy == 0);
        }
        CHECK(status == ENUF_SUCCESS);
        CHECK(failed >= 15);
        pair_reference_free(sums);
    }
    pair_system_free(s);
}

static void backends(void)
{
    const enuf_ewald_backend *backend, *same;
    CHECK_STATUS(enuf_ewald_backend_find(ENUF_BACKEND_CPU, ENUF_ISA_AUTO, &backend), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_backend_find(ENUF_BACKEND_AUTO, ENUF_ISA_AUTO, &same), ENUF_SUCCESS);
    CHECK(backend != NULL && same == backend);
    CHECK_STATUS(enuf_ewald_backend_find((enuf_backend)99, ENUF_ISA_AUTO, &same), ENUF_NO_BACKEND);
    CHECK_TEXT("no such backend");
    if (!enuf_ewald_backend_cuda.finish) {
        CHECK_STATUS(enuf_ewald_backend_find(ENUF_BACKEND_CUDA, ENUF_ISA_AUTO, &same),
                     ENUF_NO_BACKEND);
        CHECK_TEXT("GPU");
    }
}

int main(void)
{
    same_place();
    not_finite();
    too_far();
    flat_cell();
    fixed_point_overflows();
    out_of_memory();
    backends();
    return check_result();
}
