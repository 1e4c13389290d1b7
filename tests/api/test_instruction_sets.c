/*
 * test_instruction_sets.c - options.isa and ENUF_ISA name the kernels. Every set that this
 * processor runs gives the results of the best one: transforms, direct sums, Ewald sums and exact
 * sums of 500 ions within 1e-13 of their size (floats 1e-5). An unknown set, and one that the
 * library or the processor lacks, are errors that name the remedy. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "check.h"
#include "enuf/direct.h"
#include "enuf/ewald.h"
#include "enuf/nufft.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 500, MODES = 12, ALL = MODES * MODES * MODES, TARGETS = 20 };

static const enuf_isa sets[] = {ENUF_ISA_X86_64, ENUF_ISA_X86_64_V3, ENUF_ISA_X86_64_V4,
                                ENUF_ISA_AARCH64, ENUF_ISA_NATIVE};
static const double cell[9] = {17, 0, 0, 0, 17, 0, 0, 0, 17};
static double x[3 * N], q[N];

/* Results of one set. */
typedef struct results {
    double type1[2 * ALL], type2[2 * N], direct1[2 * ALL], direct2[2 * N], anywhere[2 * TARGETS];
    double forces[3 * N], deterministic[3 * N], exact[3 * TARGETS];
    float type1_float[2 * ALL];
} results;

static enuf_nufft_options transform_options(enuf_isa isa)
{
    enuf_nufft_options o;
    enuf_nufft_options_init(&o);
    o.dim = 3;
    for (int d = 0; d < 3; d++) o.modes[d] = MODES;
    o.period = 17;
    o.tolerance = 1e-10;
    o.isa = isa;
    return o;
}

static void transforms(enuf_isa isa, results *r)
{
    static double strengths[2 * N];
    static float floats[2 * N];
    enuf_nufft_options o = transform_options(isa);
    enuf_nufft *plan;
    for (int i = 0; i < 2 * N; i++) floats[i] = (float)(strengths[i] = q[i / 2] * (1 + i % 2));
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, strengths, r->type1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, r->type1, r->type2, NULL), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    CHECK_STATUS(enuf_direct_type1(&o, NULL, NULL, N, x, x + 1, x + 2, 3, strengths, r->direct1),
                 ENUF_SUCCESS);
    CHECK_STATUS(
        enuf_direct_type2(&o, NULL, NULL, N, x, x + 1, x + 2, 3, r->direct1, r->direct2, NULL),
        ENUF_SUCCESS);
    o.precision = ENUF_FLOAT;
    o.tolerance = 1e-5;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, floats, r->type1_float), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
}

static void ewald_sums(enuf_isa isa, int deterministic, double *forces)
{
    enuf_ewald_options o;
    enuf_ewald *ewald;
    enuf_ewald_result r = {.struct_size = sizeof r, .forces = forces};
    enuf_ewald_options_init(&o);
    o.accuracy = 1e-10;
    o.evaluations = 1;
    o.isa = isa;
    o.deterministic = deterministic;
    CHECK_STATUS(enuf_ewald_create(&o, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
}

static void exact_sums(enuf_isa isa, double *forces)
{
    int64_t targets[TARGETS];
    enuf_exact_options o;
    enuf_exact_result r = {.forces = forces};
    for (int t = 0; t < TARGETS; t++) targets[t] = 7 * t;
    enuf_exact_options_init(&o);
    o.isa = isa;
    CHECK_STATUS(enuf_exact_ewald(&o, cell, N, x, 3, q, NULL, TARGETS, targets, &r), ENUF_SUCCESS);
}

static void compute(enuf_isa isa, results *r)
{
    static double strengths[2 * N], targets[3 * TARGETS];
    for (int i = 0; i < 2 * N; i++) strengths[i] = q[i / 2];
    for (int i = 0; i < 3 * TARGETS; i++) targets[i] = 0.1 * i;
    transforms(isa, r);
    ewald_sums(isa, 0, r->forces);
    ewald_sums(isa, 1, r->deterministic);
    exact_sums(isa, r->exact);
    setenv("ENUF_ISA", enuf_isa_name(isa), 1); /* enuf_direct_sum() has no options */
    CHECK_STATUS(enuf_direct_sum(3, 1, 1, N, x, strengths, TARGETS, targets, r->anywhere, NULL),
                 ENUF_SUCCESS);
    unsetenv("ENUF_ISA");
}

static void check_same(const double *a, const double *b, int n, double bound, const char *name)
{
    double size = 0, difference = 0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(b[i]));
        difference = fmax(difference, fabs(a[i] - b[i]));
    }
    CHECK(size > 0);
    CHECK_BELOW(difference / size, bound, name);
}

static int every_set(void)
{
    static results best, other;
    static double a[2 * ALL], b[2 * ALL];
    enuf_isa isa;
    int tried = 0;
    CHECK_STATUS(enuf_isa_find(ENUF_ISA_AUTO, &isa), ENUF_SUCCESS);
    CHECK(isa != ENUF_ISA_AUTO);
    printf("best: %s\n", enuf_isa_name(isa));
    compute(isa, &best);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        if (enuf_isa_find(sets[k], &isa) != ENUF_SUCCESS) {
            printf("%s: %s\n", enuf_isa_name(sets[k]), enuf_last_error());
            continue;
        }
        CHECK(isa == sets[k]);
        printf("%s\n", enuf_isa_name(isa));
        tried++;
        compute(isa, &other);
        check_same(other.type1, best.type1, 2 * ALL, 1e-13, "type 1");
        check_same(other.type2, best.type2, 2 * N, 1e-13, "type 2");
        check_same(other.direct1, best.direct1, 2 * ALL, 1e-13, "direct type 1");
        check_same(other.direct2, best.direct2, 2 * N, 1e-13, "direct type 2");
        check_same(other.anywhere, best.anywhere, 2 * TARGETS, 1e-13, "direct sum");
        check_same(other.forces, best.forces, 3 * N, 1e-13, "forces");
        check_same(other.deterministic, best.deterministic, 3 * N, 1e-13, "deterministic forces");
        check_same(other.exact, best.exact, 3 * TARGETS, 1e-13, "exact forces");
        for (int i = 0; i < 2 * ALL; i++) {
            a[i] = other.type1_float[i];
            b[i] = best.type1_float[i];
        }
        check_same(a, b, 2 * ALL, 1e-5, "type 1 in float");
    }
    return tried;
}

/* A plan and an object are refused alike. */
static void check_refused(enuf_isa isa, enuf_status status, const char *text)
{
    enuf_nufft_options o = transform_options(isa);
    enuf_ewald_options e;
    enuf_nufft *plan = NULL;
    enuf_ewald *ewald = NULL;
    double modes[2];
    enuf_ewald_options_init(&e);
    e.isa = isa;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), status);
    CHECK_TEXT(text);
    CHECK_STATUS(enuf_ewald_create(&e, &ewald), status);
    CHECK_TEXT(text);
    CHECK_STATUS(enuf_direct_type1(&o, NULL, NULL, 0, x, x, x, 3, NULL, modes), status);
    CHECK_TEXT(text);
    CHECK(plan == NULL && ewald == NULL);
}

static void errors(void)
{
    enuf_isa isa, found;
    const char *reason;
    check_refused((enuf_isa)77, ENUF_BAD_ARGUMENT, "isa is 77");
    CHECK_STATUS(enuf_isa_find(ENUF_ISA_AUTO, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_isa_parse("avx9", &isa), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("x86-64-v3");
    const char *wrong[] = {"avx9", "auto", "X86-64"};
    for (int k = 0; k < 3; k++) {
        setenv("ENUF_ISA", wrong[k], 1);
        check_refused(ENUF_ISA_AUTO, ENUF_BAD_ARGUMENT, "ENUF_ISA is '");
        CHECK(!enuf_backend_usable(ENUF_BACKEND_CPU, &reason) && strstr(reason, wrong[k]));
    }
    setenv("ENUF_ISA", "", 1); /* as if it were not set */
    CHECK_STATUS(enuf_isa_find(ENUF_ISA_AUTO, &found), ENUF_SUCCESS);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        const int usable = enuf_isa_find(sets[k], &isa) == ENUF_SUCCESS;
        setenv("ENUF_ISA", enuf_isa_name(sets[k]), 1);
        if (usable) {
            CHECK_STATUS(enuf_isa_find(ENUF_ISA_AUTO, &isa), ENUF_SUCCESS);
            CHECK(isa == sets[k]);
        } else {
            check_refused(ENUF_ISA_AUTO, ENUF_NO_BACKEND, "ENUF_ISA: this ");
        }
        unsetenv("ENUF_ISA");
        if (!usable) check_refused(sets[k], ENUF_NO_BACKEND, enuf_isa_name(sets[k]));
    }
}

int main(void)
{
    unsetenv("ENUF_ISA");
    random_ions(11, N, cell, 0.05, x, q);
    CHECK(every_set() >= 1);
    errors();
    return check_result();
}
