/*
 * window_precision.c - how precise a non-uniform FFT is with each window: the error of type 1 and
 * of its adjoint, type 2, against the sums done term by term, for windows cut off at m = 1 ... 15
 * cells on either side (width 2m). 4096 points at random in a cube, 16 x 16 x 16 modes, a fine grid
 * of twice as many, double precision. The error each plan predicts stands beside the measured one.
 * Usage: window_precision [FOLDER], which gets window_precision.csv and, where gnuplot is
 * installed, window_precision.png. SPDX-License-Identifier: BSD-3-Clause
 */
#include <enuf/direct.h>
#include <enuf/window.h>

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

enum { POINTS = 4096, SIDE = 16, MODES = SIDE * SIDE * SIDE, CUTOFFS = 15, WINDOWS = 6 };

static double x[3 * POINTS];
static double complex q[POINTS], v[POINTS], exact_v[POINTS];
static double complex c[MODES], s[MODES], exact_s[MODES];

static void check(enuf_status status)
{
    if (status == ENUF_SUCCESS) return;
    fprintf(stderr, "window_precision: %s\n", enuf_last_error());
    exit(1);
}

/* A pseudo-random number in [-1/2, 1/2) (Knuth's MMIX generator), the same on every machine. */
static double random_number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53 - 0.5;
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

typedef struct precision {
    double type1, type2; /* measured */
    double predicted;    /* by the plan */
    double rounding;     /* the part of it that no width mends */
} precision;

/* Rounding, white on the fine grid, is divided by the window's transform like everything else. */
static double rounding_error(const enuf_nufft_report *report)
{
    double noise[SIDE], mean = 0;
    int64_t m[SIDE];
    const enuf_aliasing out = {.noise = noise};
    for (int k = 0; k < SIDE; k++) m[k] = k - SIDE / 2;
    check(enuf_window_aliasing(report->window, report->width, report->shape, report->fine_grid[0],
                               SIDE, m, &out));
    for (int k = 0; k < SIDE; k++) mean += noise[k] / SIDE;
    /* squared it is a product over three axes; two epsilon, as predictions count */
    return 2 * DBL_EPSILON * pow(mean, 1.5);
}

static precision measure(enuf_window window, int m)
{
    enuf_nufft *plan;
    enuf_nufft_options options;
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft_options_init(&options);
    options.dim = 3;
    options.tolerance = 0; /* window, width and fine grid are given */
    options.window = window;
    options.width = 2 * m;
    for (int d = 0; d < 3; d++) {
        options.modes[d] = SIDE;
        options.fine_grid[d] = 2 * SIDE;
    }
    check(enuf_nufft_create(&options, &plan));
    check(enuf_nufft_set_points(plan, POINTS, x, x + 1, x + 2, 3));
    check(enuf_nufft_type1(plan, q, s));
    check(enuf_nufft_type2(plan, c, v, NULL));
    check(enuf_nufft_get_report(plan, &report));
    enuf_nufft_destroy(&plan);
    return (precision){difference(MODES, s, exact_s), difference(POINTS, v, exact_v), report.error,
                       rounding_error(&report)};
}

/* The decay of the error with each cell of m, and a bound of it, at upsampling 2: Keiner, Kunis,
 * Potts, ACM Trans. Math. Softw. 36 (2009) 19. The sinc-power window, of which less is proved, is
 * held against the B-spline's; the two modern windows share the Kaiser-Bessel window's. */
static double decay(enuf_window window)
{
    if (window == ENUF_WINDOW_GAUSSIAN) return 2 * PI / 3;
    return window == ENUF_WINDOW_BSPLINE || window == ENUF_WINDOW_SINC_POWER ? 2 * log(3)
                                                                             : PI * sqrt(2);
}

static double bound(enuf_window window, int m)
{
    const int modest = window == ENUF_WINDOW_GAUSSIAN || window == ENUF_WINDOW_BSPLINE ||
                       window == ENUF_WINDOW_SINC_POWER;
    return (modest ? 4 : 4 * PI * (sqrt(m) + m) * pow(0.5, 0.25)) * exp(-m * decay(window));
}

/* 1 where the figures of a window are not as they should be. */
static int wrong(enuf_window window, const precision e[CUTOFFS + 1])
{
    int failed = 0, last = 2;
    for (int m = 1; m <= CUTOFFS; m++) {
        const double worst = fmax(e[m].type1, e[m].type2), least = fmin(e[m].type1, e[m].type2);
        const int above = e[m].predicted > 4 * e[m].rounding && e[m].predicted > 1e-14;
        failed |= !(worst < bound(window, m) + 2.5 * e[m].rounding + 3e-15);
        failed |= above && !(worst < 2 * e[m].predicted && least > e[m].predicted / 2);
        if (above) last = m;
    }
    const double slope = log(e[2].type1 / e[last].type1) / (last - 2) / decay(window);
    printf("%-14s falls by exp(-%.3f m), in theory exp(-%.3f m), to m = %d\n",
           enuf_window_name(window), slope * decay(window), decay(window), last);
    return failed || !(fabs(slope - 1) < 0.05);
}

/* Points are measured, lines predicted. gnuplot is asked for, never required. */
static void draw(const char *folder)
{
    static const char *const titles[WINDOWS] = {"prolate",       "exponential of semicircle",
                                                "Kaiser–Bessel", "Gaussian",
                                                "B-spline",      "sinc power"};
    static const char *const colours[WINDOWS] = {"black",   "#d62728", "#1f77b4",
                                                 "#ff7f0e", "#2ca02c", "#9467bd"};
    if (system("command -v gnuplot >/dev/null 2>&1") != 0) {
        puts("gnuplot is not installed: no picture");
        return;
    }
    FILE *gnuplot = popen("gnuplot", "w");
    if (!gnuplot) return;
    fprintf(gnuplot,
            "set terminal pngcairo size 1000,520 font 'Sans,12'\n"
            "set output '%s/window_precision.png'\nset datafile separator ','\nset grid\n"
            "set multiplot layout 1,2\nset xlabel 'cut-off m'\nset xrange [0:16]\n"
            "set logscale y\nset format y '10^{%%T}'\nset yrange [1e-16:1]\n"
            "set key top right samplen 1\n",
            folder);
    for (int type = 1; type <= 2; type++) {
        fprintf(gnuplot, "set title 'type %d'\nset ylabel 'relative l_2 error'\nplot ", type);
        for (int w = 0; w < WINDOWS; w++)
            fprintf(gnuplot,
                    "%s'%s/window_precision.csv' skip 1 every ::%d::%d using 2:%d with points "
                    "pt %d lc rgb '%s' title '%s', '' skip 1 every ::%d::%d using 2:5 with lines "
                    "lc rgb '%s' notitle",
                    w ? ", " : "", folder, w * CUTOFFS, (w + 1) * CUTOFFS - 1, type + 2,
                    w < 3 ? 4 + w : 6 + w, colours[w], titles[w], w * CUTOFFS,
                    (w + 1) * CUTOFFS - 1, colours[w]);
        fputc('\n', gnuplot);
    }
    if (pclose(gnuplot) != 0) puts("gnuplot failed: no picture");
}

int main(int n_words, char **words)
{
    const char *folder = n_words > 1 ? words[1] : ".";
    char path[4096];
    for (int k = 0; k < 3 * POINTS; k++) x[k] = random_number();
    for (int k = 0; k < POINTS; k++) q[k] = random_number() + I * random_number();
    for (int k = 0; k < MODES; k++) c[k] = random_number() + I * random_number();
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    for (int d = 0; d < 3; d++) options.modes[d] = SIDE;
    check(enuf_direct_type1(&options, NULL, NULL, POINTS, x, x + 1, x + 2, 3, q, exact_s));
    check(enuf_direct_type2(&options, NULL, NULL, POINTS, x, x + 1, x + 2, 3, c, exact_v, NULL));

    snprintf(path, sizeof path, "%s/window_precision.csv", folder);
    FILE *csv = fopen(path, "w");
    if (!csv) return perror(path), 1;
    fputs("window,m,type1,type2,predicted,rounding\n", csv);
    precision e[WINDOWS][CUTOFFS + 1];
    for (int w = 0; w < WINDOWS; w++)
        for (int m = 1; m <= CUTOFFS; m++) {
            const precision p = e[w][m] = measure((enuf_window)w, m);
            fprintf(csv, "%s,%d,%.4g,%.4g,%.4g,%.4g\n", enuf_window_name((enuf_window)w), m,
                    p.type1, p.type2, p.predicted, p.rounding);
        }
    if (fclose(csv) != 0) return perror(path), 1;

    printf("error of type 1\n m");
    for (int w = 0; w < WINDOWS; w++) printf(" %13s", enuf_window_name((enuf_window)w));
    for (int m = 1; m <= CUTOFFS; m++) {
        printf("\n%2d", m);
        for (int w = 0; w < WINDOWS; w++) printf(" %13.1e", e[w][m].type1);
    }
    puts("\n");
    draw(folder);
    int failed = 0;
    for (int w = 0; w < WINDOWS; w++) failed |= wrong((enuf_window)w, e[w]);
    /* the modern windows reach the floor with half the cells of the classic ones */
    const double prolate = fmax(e[ENUF_WINDOW_PROLATE][8].type1, e[ENUF_WINDOW_PROLATE][8].type2);
    printf("prolate at m = 8: %.1e\n", prolate);
    return failed || !(prolate < 5e-15 && e[ENUF_WINDOW_GAUSSIAN][8].type1 > 1e6 * prolate);
}
