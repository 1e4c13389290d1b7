/*
 * test_fft_choice.c - options.fft and ENUF_FFT name the library of FFTs. Every library that is
 * there gives the results of the default one, with other last bits: transforms in 1D to 3D and
 * Ewald forces of 500 ions within 1e-13 of their size (floats 1e-5). An unknown library, and one
 * that is not there, are errors that name those that are. A file of wisdom is an error with another
 * library than FFTW. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "enuf/ewald.h"
#include "enuf/nufft.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 500, MODES = 12, ALL = MODES * MODES * MODES };

static const enuf_fft ffts[] = {ENUF_FFT_FFTW, ENUF_FFT_DUCC0, ENUF_FFT_MKL};
enum { N_FFTS = sizeof ffts / sizeof *ffts };
static const double cell[9] = {17, 0, 0, 0, 17, 0, 0, 0, 17};
static double x[3 * N], q[N];

/* Results with one library. */
typedef struct results {
    double type1[3][2 * ALL], type2[3][2 * N], forces[3 * N];
    float type1_float[2 * ALL];
} results;

static enuf_nufft_options transform_options(enuf_fft fft, int dim)
{
    enuf_nufft_options o;
    enuf_nufft_options_init(&o);
    o.dim = dim;
    for (int d = 0; d < 3; d++) o.modes[d] = dim == 1 ? ALL : MODES;
    o.period = 17;
    o.tolerance = 1e-10;
    o.upsampling = 2;
    o.threads = 1; /* of several the last bits depend on chance */
    o.fft = fft;
    return o;
}

static void transforms(enuf_fft fft, results *r)
{
    static double strengths[2 * N];
    static float floats[2 * N];
    enuf_nufft *plan;
    for (int i = 0; i < 2 * N; i++) floats[i] = (float)(strengths[i] = q[i / 2] * (1 + i % 2));
    for (int dim = 1; dim <= 3; dim++) {
        enuf_nufft_options o = transform_options(fft, dim);
        double *type1 = r->type1[dim - 1], *type2 = r->type2[dim - 1];
        CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_set_points(plan, N, x, x + 1, x + 2, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type1(plan, strengths, type1), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plan, type1, type2, NULL), ENUF_SUCCESS);
        enuf_nufft_destroy(&plan);
    }
    enuf_nufft_options o = transform_options(fft, 3);
    o.precision = ENUF_FLOAT;
    o.tolerance = 1e-5;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, floats, r->type1_float), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
}

static void ewald_sums(enuf_fft fft, double *forces)
{
    enuf_ewald_options o;
    enuf_ewald *ewald;
    enuf_ewald_result r = {.struct_size = sizeof r, .forces = forces};
    enuf_ewald_options_init(&o);
    o.accuracy = 1e-10;
    o.evaluations = 1;
    o.threads = 1;
    o.fft = fft;
    CHECK_STATUS(enuf_ewald_create(&o, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
}

static void compute(enuf_fft fft, results *r)
{
    memset(r, 0, sizeof *r);
    transforms(fft, r);
    ewald_sums(fft, r->forces);
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
    for (int d = 0; d < 3; d++) {
        check_same(other->type1[d], standard->type1[d], 2 * ALL, 1e-13, "type 1");
        check_same(other->type2[d], standard->type2[d], 2 * N, 1e-13, "type 2");
    }
    check_same(other->forces, standard->forces, 3 * N, 1e-13, "forces");
    for (int i = 0; i < 2 * ALL; i++) {
        a[i] = other->type1_float[i];
        b[i] = standard->type1_float[i];
    }
    check_same(a, b, 2 * ALL, 1e-5, "type 1 in float");
}

static int every_library(void)
{
    static results standard, other;
    enuf_fft first, fft;
    const char *detail;
    int tried = 0;
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &first), ENUF_SUCCESS);
    CHECK(first == (enuf_fft_usable(ENUF_FFT_FFTW, NULL) ? ENUF_FFT_FFTW : ENUF_FFT_DUCC0));
    compute(ENUF_FFT_AUTO, &standard);
    for (int k = 0; k < N_FFTS; k++) {
        const int usable = enuf_fft_usable(ffts[k], &detail);
        printf("%s: %s\n", enuf_fft_name(ffts[k]), detail);
        if (!usable) continue;
        CHECK_STATUS(enuf_fft_find(ffts[k], &fft), ENUF_SUCCESS);
        CHECK(fft == ffts[k]);
        tried++;
        compute(fft, &other);
        compare(&other, &standard);
        /* the choice is used: it shows in the last bits */
        CHECK((memcmp(&other, &standard, sizeof other) == 0) == (fft == first));
    }
    return tried;
}

/* A plan and an object are refused alike. */
static void check_refused(enuf_fft fft, const char *wisdom, enuf_status status, const char *text)
{
    enuf_nufft_options o = transform_options(fft, 3);
    enuf_ewald_options e;
    enuf_nufft *plan = NULL;
    enuf_ewald *ewald = NULL;
    enuf_ewald_options_init(&e);
    e.fft = fft;
    e.fft_wisdom = o.fft_wisdom = wisdom;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), status);
    CHECK_TEXT(text);
    CHECK_STATUS(enuf_ewald_create(&e, &ewald), status);
    CHECK_TEXT(text);
    CHECK(plan == NULL && ewald == NULL);
}

static void unknown_libraries(void)
{
    static const char *const wrong[] = {"fftw3", "auto", "FFTW"};
    enuf_fft fft, first;
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &first), ENUF_SUCCESS);
    check_refused((enuf_fft)77, NULL, ENUF_BAD_ARGUMENT, "fft");
    CHECK_TEXT("77");
    CHECK(!enuf_fft_usable((enuf_fft)77, NULL) && !enuf_fft_usable(ENUF_FFT_AUTO, NULL));
    CHECK(enuf_fft_name((enuf_fft)77) == NULL);
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_fft_parse("fftw3", &fft), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("fftw, ducc0, mkl");
    for (int k = 0; k < 3; k++) {
        setenv("ENUF_FFT", wrong[k], 1);
        check_refused(ENUF_FFT_AUTO, NULL, ENUF_BAD_ARGUMENT, "ENUF_FFT is '");
        CHECK_TEXT(wrong[k]);
        CHECK_TEXT(enuf_fft_name(first));
    }
    setenv("ENUF_FFT", "", 1); /* as if it were not set */
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &fft), ENUF_SUCCESS);
    CHECK(fft == first);
    unsetenv("ENUF_FFT");
}

/* Those that are there are taken from ENUF_FFT; those that are not are refused with the remedy. */
static void named_libraries(void)
{
    static const char *const remedies[N_FFTS] = {"-DENUF_FFTW=ON", "-DENUF_DUCC0=", "libmkl_rt"};
    enuf_fft fft, first;
    const char *detail;
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &first), ENUF_SUCCESS);
    for (int k = 0; k < N_FFTS; k++) {
        const int usable = enuf_fft_usable(ffts[k], &detail);
        setenv("ENUF_FFT", enuf_fft_name(ffts[k]), 1);
        if (usable) {
            CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &fft), ENUF_SUCCESS);
            CHECK(fft == ffts[k]);
            if (fft != ENUF_FFT_FFTW)
                check_refused(ENUF_FFT_AUTO, "wisdom", ENUF_UNSUPPORTED, "fft_wisdom is wisdom");
        } else {
            check_refused(ENUF_FFT_AUTO, NULL, ENUF_NO_BACKEND, "ENUF_FFT: fft ");
        }
        unsetenv("ENUF_FFT");
        if (usable) continue;
        check_refused(ffts[k], NULL, ENUF_NO_BACKEND, enuf_fft_name(ffts[k]));
        CHECK_TEXT(remedies[k]);
        CHECK_TEXT(detail);
        CHECK_TEXT("there is");
        CHECK_TEXT(enuf_fft_name(first));
    }
}

int main(void)
{
    unsetenv("ENUF_FFT");
    random_ions(11, N, cell, 0.05, x, q);
    CHECK(every_library() >= 1);
    unknown_libraries();
    named_libraries();
    return check_result();
}
