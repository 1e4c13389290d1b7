/*
 * nufft_type1_type2.c - the two transforms, on a line.
 *
 *     type 1   S(m) = sum_j q_j exp(-2 pi i m x_j)      points -> modes
 *     type 2   v_j  = sum_m c(m) exp(+2 pi i m x_j)     modes  -> points
 *
 * Both are compared with their sums done term by term, and with each other: type 2 is the adjoint
 * of type 1, <S(q), c> = <q, v(c)>. SPDX-License-Identifier: BSD-3-Clause
 */
#include <enuf/direct.h>
#include <enuf/nufft.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 1000, MODES = 64 }; /* m = -32 ... 31, in this order */

static void check(enuf_status status)
{
    if (status == ENUF_SUCCESS) return;
    fprintf(stderr, "nufft_type1_type2: %s\n", enuf_last_error());
    exit(1);
}

/* A pseudo-random number in [0, 1) (Knuth's MMIX generator). */
static double random_number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* || a - b || / || b || */
static double difference(int n, const double complex *a, const double complex *b)
{
    double above = 0, below = 0;
    for (int k = 0; k < n; k++) {
        above += cabs(a[k] - b[k]) * cabs(a[k] - b[k]);
        below += cabs(b[k]) * cabs(b[k]);
    }
    return sqrt(above / below);
}

static double complex inner(int n, const double complex *a, const double complex *b)
{
    double complex sum = 0;
    for (int k = 0; k < n; k++) sum += conj(a[k]) * b[k];
    return sum;
}

int main(void)
{
    static double x[POINTS];
    static double complex q[POINTS], v[POINTS], exact_v[POINTS];
    static double complex c[MODES], s[MODES], exact_s[MODES];
    for (int j = 0; j < POINTS; j++) {
        x[j] = random_number();
        q[j] = random_number() + I * random_number();
    }
    for (int m = 0; m < MODES; m++) c[m] = random_number() + I * random_number();

    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 1;
    options.modes[0] = MODES;
    options.tolerance = 1e-10;
    enuf_nufft *plan;
    check(enuf_nufft_create(&options, &plan));
    check(enuf_nufft_set_points(plan, POINTS, x, NULL, NULL, 1));
    check(enuf_nufft_type1(plan, q, s));
    check(enuf_nufft_type2(plan, c, v, NULL));

    enuf_nufft_report report = {.struct_size = sizeof report};
    check(enuf_nufft_get_report(plan, &report));
    enuf_nufft_destroy(&plan);

    check(enuf_direct_type1(&options, NULL, NULL, POINTS, x, NULL, NULL, 1, q, exact_s));
    check(enuf_direct_type2(&options, NULL, NULL, POINTS, x, NULL, NULL, 1, c, exact_v, NULL));
    const double error1 = difference(MODES, s, exact_s), error2 = difference(POINTS, v, exact_v);
    const double complex left = inner(MODES, s, c), right = inner(POINTS, q, v);
    const double adjoint = cabs(left - right) / cabs(left);

    printf("%d points, %d modes, tolerance %.0e: %s window of width %d, fine grid %lld\n", POINTS,
           MODES, options.tolerance, enuf_window_name(report.window), report.width,
           (long long)report.fine_grid[0]);
    printf("error of type 1     %.1e\nerror of type 2     %.1e\n", error1, error2);
    printf("<S(q), c> - <q, v(c)>  %.1e of either\n", adjoint);
    /* the adjoint differs by rounding only, which a fine grid of 1.25 modes amplifies to 1e-11 */
    return !(error1 < 4e-10 && error2 < 4e-10 && adjoint < 1e-11);
}
