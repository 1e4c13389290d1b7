/*
 * test_kernel_choice.c - options.isa and ENUF_ISA name the kernels, options.fft and ENUF_FFT the
 * library of FFTs. Every set that this processor runs, and every library that is there, gives the
 * results of the default: transforms in 1D to 3D, direct sums, Ewald sums and exact sums of 500
 * ions within 1e-13 of their size (floats 1e-5). Unknown ones, and those that are not there, are
 * errors that name the remedy. A file of wisdom is an error with another library than FFTW.
 * SPDX-License-Identifier: BSD-3-Clause
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

/* One of the two differs from AUTO, or none. */
typedef struct choice {
    enuf_isa isa;
    enuf_fft fft;
    const char *remedy; /* of a library that is not there */
} choice;

static const choice choices[] = {{.isa = ENUF_ISA_X86_64},
                                 {.isa = ENUF_ISA_X86_64_V3},
                                 {.isa = ENUF_ISA_X86_64_V4},
                                 {.isa = ENUF_ISA_AARCH64},
                                 {.isa = ENUF_ISA_NATIVE},
                                 {.fft = ENUF_FFT_FFTW, .remedy = "-DENUF_FFTW=ON"},
                                 {.fft = ENUF_FFT_DUCC0, .remedy = "-DENUF_DUCC0="},
                                 {.fft = ENUF_FFT_MKL, .remedy = "libmkl_rt"}};
enum { N_CHOICES = sizeof choices / sizeof *choices };
static const choice automatic = {0};

static const double cell[9] = {17, 0, 0, 0, 17, 0, 0, 0, 17};
static double x[3 * N], q[N];

static const char *variable_of(choice c)
{
    return c.fft ? "ENUF_FFT" : "ENUF_ISA";
}

static const char *name_of(choice c)
{
    return c.fft ? enuf_fft_name(c.fft) : enuf_isa_name(c.isa);
}

static enuf_status find(choice c, choice *found)
{
    const enuf_status status = enuf_isa_find(c.isa, &found->isa);
    return status == ENUF_SUCCESS ? enuf_fft_find(c.fft, &found->fft) : status;
}

/* ---- Results ---- */

typedef struct results {
    double type1[3][2 * ALL], type2[3][2 * N];
    double direct1[2 * ALL], direct2[2 * N], anywhere[2 * TARGETS];
    double forces[3 * N], deterministic[3 * N], exact[3 * TARGETS];
    float type1_float[2 * ALL];
} results;

static enuf_nufft_options transform_options(choice c, int dim)
{
    enuf_nufft_options o;
    enuf_nufft_options_init(&o);
    o.dim = dim;
    for (int d = 0; d < 3; d++) o.modes[d] = dim == 1 ? ALL : MODES;
    o.period = 17;
    o.tolerance = 1e-10;
    o.upsampling = 2;
    o.threads = 1; /* of several the last bits depend on chance */
    o.isa = c.isa;
    o.fft = c.fft;
    return o;
}

static void transform(const enuf_nufft_options *o, const void *strengths, void *type1, void *type2)
{
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, strengths, type1), ENUF_SUCCESS);
    if (type2) CHECK_STATUS(enuf_nufft_type2(plan, type1, type2, NULL), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
}

static void transforms(choice c, results *r)
{
    static double strengths[2 * N], targets[3 * TARGETS];
    static float floats[2 * N];
    for (int i = 0; i < 2 * N; i++) floats[i] = (float)(strengths[i] = q[i / 2] * (1 + i % 2));
    for (int i = 0; i < 3 * TARGETS; i++) targets[i] = 0.1 * i;
    enuf_nufft_options o;
    for (int dim = 1; dim <= 3; dim++) {
        o = transform_options(c, dim);
        transform(&o, strengths, r->type1[dim - 1], r->type2[dim - 1]);
    }
    CHECK_STATUS(enuf_direct_type1(&o, NULL, NULL, N, x, x + 1, x + 2, 3, strengths, r->direct1),
                 ENUF_SUCCESS);
    CHECK_STATUS(
        enuf_direct_type2(&o, NULL, NULL, N, x, x + 1, x + 2, 3, r->direct1, r->direct2, NULL),
        ENUF_SUCCESS);
    o.precision = ENUF_FLOAT;
    o.tolerance = 1e-5;
    transform(&o, floats, r->type1_float, NULL);
    if (c.isa) setenv("ENUF_ISA", enuf_isa_name(c.isa), 1); /* enuf_direct_sum() has no options */
    CHECK_STATUS(enuf_direct_sum(3, 1, 1, N, x, strengths, TARGETS, targets, r->anywhere, NULL),
                 ENUF_SUCCESS);
    unsetenv("ENUF_ISA");
}

static void ewald_sums(choice c, int deterministic, double *forces)
{
    enuf_ewald_options o;
    enuf_ewald *ewald;
    enuf_ewald_result r = {.struct_size = sizeof r, .forces = forces};
    enuf_ewald_options_init(&o);
    o.accuracy = 1e-10;
    o.evaluations = 1;
    o.threads = 1;
    o.isa = c.isa;
    o.fft = c.fft;
    o.deterministic = deterministic;
    CHECK_STATUS(enuf_ewald_create(&o, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
}

static void exact_sums(choice c, double *forces)
{
    int64_t targets[TARGETS];
    enuf_exact_options o;
    enuf_exact_result r = {.forces = forces};
    for (int t = 0; t < TARGETS; t++) targets[t] = 7 * t;
    enuf_exact_options_init(&o);
    o.isa = c.isa;
    CHECK_STATUS(enuf_exact_ewald(&o, cell, N, x, 3, q, NULL, TARGETS, targets, &r), ENUF_SUCCESS);
}

static void compute(choice c, results *r)
{
    memset(r, 0, sizeof *r);
    transforms(c, r);
    ewald_sums(c, 0, r->forces);
    ewald_sums(c, 1, r->deterministic);
    exact_sums(c, r->exact);
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

static void compare(const results *other, const results *standard)
{
    static double a[2 * ALL], b[2 * ALL];
#define SAME(array, n, name) check_same(other->array, standard->array, n, 1e-13, name)
    for (int d = 0; d < 3; d++) {
        SAME(type1[d], 2 * ALL, "type 1");
        SAME(type2[d], 2 * N, "type 2");
    }
    SAME(direct1, 2 * ALL, "direct type 1");
    SAME(direct2, 2 * N, "direct type 2");
    SAME(anywhere, 2 * TARGETS, "direct sum");
    SAME(forces, 3 * N, "forces");
    SAME(deterministic, 3 * N, "deterministic forces");
    SAME(exact, 3 * TARGETS, "exact forces");
    for (int i = 0; i < 2 * ALL; i++) {
        a[i] = other->type1_float[i];
        b[i] = standard->type1_float[i];
    }
    check_same(a, b, 2 * ALL, 1e-5, "type 1 in float");
}

static void every_choice(void)
{
    static results standard, other;
    choice first, found;
    const char *detail;
    int sets = 0, libraries = 0;
    CHECK_STATUS(find(automatic, &first), ENUF_SUCCESS);
    CHECK(first.fft == (enuf_fft_usable(ENUF_FFT_FFTW, NULL) ? ENUF_FFT_FFTW : ENUF_FFT_DUCC0));
    compute(automatic, &standard);
    for (int k = 0; k < N_CHOICES; k++) {
        const choice c = choices[k];
        if (c.fft) CHECK(enuf_fft_usable(c.fft, &detail) == (find(c, &found) == ENUF_SUCCESS));
        if (find(c, &found) != ENUF_SUCCESS) {
            printf("%s: %s\n", name_of(c), enuf_last_error());
            continue;
        }
        printf("%s\n", name_of(c));
        CHECK(found.isa == (c.isa ? c.isa : first.isa) && found.fft == (c.fft ? c.fft : first.fft));
        compute(c, &other);
        compare(&other, &standard);
        /* another library shows in the last bits; other sets may do the same operations */
        const int same = memcmp(&other, &standard, sizeof other) == 0;
        if (c.fft) CHECK(same == (found.fft == first.fft));
        c.fft ? libraries++ : sets++;
    }
    CHECK(libraries >= 1 && sets >= 1);
}

/* ---- Errors ---- */

/* A plan, an object and, with a set, direct sums are refused alike. */
static void check_refused(choice c, const char *wisdom, enuf_status status, const char *text)
{
    enuf_nufft_options o = transform_options(c, 3);
    enuf_ewald_options e;
    enuf_nufft *plan = NULL;
    enuf_ewald *ewald = NULL;
    double modes[2];
    choice found;
    enuf_ewald_options_init(&e);
    e.isa = c.isa;
    e.fft = c.fft;
    e.fft_wisdom = o.fft_wisdom = wisdom;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), status);
    CHECK_TEXT(text);
    CHECK_STATUS(enuf_ewald_create(&e, &ewald), status);
    CHECK_TEXT(text);
    CHECK(plan == NULL && ewald == NULL);
    if (wisdom || enuf_isa_find(c.isa, &found.isa) == ENUF_SUCCESS) return;
    CHECK_STATUS(enuf_direct_type1(&o, NULL, NULL, 0, x, x, x, 3, NULL, modes), status);
    CHECK_TEXT(text);
}

static void unknown(void)
{
    static const char *const wrong[2][3] = {{"avx9", "auto", "X86-64"}, {"fftw3", "auto", "FFTW"}};
    const choice bad[2] = {{.isa = (enuf_isa)77}, {.fft = (enuf_fft)77}};
    choice first, found;
    const char *reason;
    CHECK_STATUS(find(automatic, &first), ENUF_SUCCESS);
    check_refused(bad[0], NULL, ENUF_BAD_ARGUMENT, "isa is 77");
    check_refused(bad[1], NULL, ENUF_BAD_ARGUMENT, "fft");
    CHECK_TEXT("77");
    CHECK(!enuf_fft_usable((enuf_fft)77, NULL) && !enuf_fft_usable(ENUF_FFT_AUTO, NULL));
    CHECK(enuf_fft_name((enuf_fft)77) == NULL);
    CHECK_STATUS(enuf_isa_find(ENUF_ISA_AUTO, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_isa_parse("avx9", &found.isa), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("x86-64-v3");
    CHECK_STATUS(enuf_fft_parse("fftw3", &found.fft), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("fftw, ducc0, mkl");
    for (int kind = 0; kind < 2; kind++) {
        const char *variable = variable_of(bad[kind]);
        for (int k = 0; k < 3; k++) {
            setenv(variable, wrong[kind][k], 1);
            check_refused(automatic, NULL, ENUF_BAD_ARGUMENT, variable);
            CHECK_TEXT(wrong[kind][k]);
            if (kind)
                CHECK_TEXT(enuf_fft_name(first.fft));
            else
                CHECK(!enuf_backend_usable(ENUF_BACKEND_CPU, &reason) &&
                      strstr(reason, wrong[kind][k]));
        }
        setenv(variable, "", 1); /* as if it were not set */
        CHECK_STATUS(find(automatic, &found), ENUF_SUCCESS);
        CHECK(found.isa == first.isa && found.fft == first.fft);
        unsetenv(variable);
    }
}

/* Those that are there are taken from the variable; those that are not are refused. */
static void named(choice c)
{
    choice found, first;
    const char *detail;
    CHECK_STATUS(find(automatic, &first), ENUF_SUCCESS);
    const int usable = find(c, &found) == ENUF_SUCCESS;
    setenv(variable_of(c), name_of(c), 1);
    if (usable) {
        CHECK_STATUS(find(automatic, &found), ENUF_SUCCESS);
        CHECK(c.fft ? found.fft == c.fft : found.isa == c.isa);
        if (c.fft && c.fft != ENUF_FFT_FFTW)
            check_refused(automatic, "wisdom", ENUF_UNSUPPORTED, "fft_wisdom is wisdom");
    } else {
        check_refused(automatic, NULL, ENUF_NO_BACKEND,
                      c.fft ? "ENUF_FFT: fft " : "ENUF_ISA: this ");
    }
    unsetenv(variable_of(c));
    if (usable) return;
    check_refused(c, NULL, ENUF_NO_BACKEND, name_of(c));
    if (!c.fft) return;
    CHECK(!enuf_fft_usable(c.fft, &detail));
    check_refused(c, NULL, ENUF_NO_BACKEND, c.remedy);
    CHECK_TEXT(detail);
    CHECK_TEXT("there is");
    CHECK_TEXT(enuf_fft_name(first.fft));
}

int main(void)
{
    unsetenv("ENUF_ISA");
    unsetenv("ENUF_FFT");
    random_ions(11, N, cell, 0.05, x, q);
    every_choice();
    unknown();
    for (int k = 0; k < N_CHOICES; k++) named(choices[k]);
    return check_result();
}
