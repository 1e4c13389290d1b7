/*
 * field_map.c - an image from a spiral readout in an uneven field, without and with the field map.
 *
 * A phantom of 64 x 64 pixels lies in a field that is off by up to 100 Hz: smooth, and with a
 * steep bump as above an air cavity. 4 interleaved spirals take 40 ms each, so that the signal of a
 * pixel turns by up to 4 cycles during a readout. Noise of 0.5 % of the signal is added.
 *
 * Conjugate gradients reconstruct the image three times: as if the field were even, with the field
 * map, and with the field map from half of the spirals, seen by 4 coils whose sensitivities have
 * phases (SENSE). Then the error of the signal is found for tolerances from 1e-1 to 1e-8, against
 * direct sums, with singular vectors and with time segments.
 *
 * Usage: field_map [FOLDER] [--plot]; the folder gets field_map.csv, field_map_error.csv and, with
 * --plot, a .png of each by gnuplot. SPDX-License-Identifier: BSD-3-Clause
 */
#include <enuf/direct.h>
#include <enuf/encoding.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { SIDE = 64, PIXELS = SIDE * SIDE, SPIRALS = 4, SAMPLES = 1536, ALL = SPIRALS * SAMPLES };
enum { COILS = 4, ITERATIONS = 40 };

static const double READOUT = 0.04, FIELD = 100, NOISE = 0.005;

static double complex truth[PIXELS], uneven[PIXELS], corrected[PIXELS], combined[PIXELS];
static double complex data[COILS * ALL], sensitivities[COILS * PIXELS];
static double omega[PIXELS], kx[ALL], ky[ALL], times[ALL];

static void check(enuf_status status)
{
    if (status == ENUF_SUCCESS) return;
    fprintf(stderr, "field_map: %s\n", enuf_last_error());
    exit(1);
}

/* A pseudo-random number in [-1/2, 1/2) (Knuth's MMIX generator), the same on every machine. */
static double random_number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53 - 0.5;
}

/* 1 in an ellipse with half axes a and b, turned by an angle; its edge is a pixel wide.
 */
static double ellipse(double x, double y, double x0, double y0, double a, double b, double angle)
{
    const double c = cos(angle), s = sin(angle), u = c * (x - x0) + s * (y - y0);
    const double v = c * (y - y0) - s * (x - x0);
    const double out = (hypot(u / a, v / b) - 1) * fmin(a, b); /* beyond the edge */
    return 1 / (1 + exp(1.5 * SIDE * out));
}

/* The phantom, the field and the coils; x and y in [-1, 1). */
static void make_object(void)
{
    for (int k = 0; k < PIXELS; k++) {
        const double x = 2.0 * (k % SIDE) / SIDE - 1, y = 2.0 * (k / SIDE) / SIDE - 1;
        const double head = ellipse(x, y, 0, 0, 0.7, 0.88, 0);
        truth[k] = head - 0.6 * ellipse(x, y, 0, 0, 0.62, 0.8, 0) +
                   0.3 * ellipse(x, y, -0.22, 0.1, 0.14, 0.36, 0.3) +
                   0.4 * ellipse(x, y, 0.24, 0.1, 0.12, 0.3, -0.3) +
                   0.5 * ellipse(x, y, 0, -0.5, 0.2, 0.1, 0);
        const double bump = exp(-8 * (x * x + (y + 0.55) * (y + 0.55)));
        omega[k] = 2 * PI * FIELD * (bump - 0.5 * y * y - 0.2 * x);
        for (int c = 0; c < COILS; c++) {
            const double far = hypot(x - 1.2 * cos(c * PI / 2), y - 1.2 * sin(c * PI / 2));
            sensitivities[c * PIXELS + k] = exp(-0.6 * far * far) * cexp(I * (1.5 * far + c));
        }
    }
}

/* Spirals to the edge of k-space. Those with even numbers come first: half of them is a set. */
static void make_spirals(void)
{
    for (int j = 0; j < ALL; j++) {
        const int place = j / SAMPLES, i = j % SAMPLES;
        const int spiral = 2 * place % SPIRALS + 2 * place / SPIRALS;
        const double part = (i + 0.5) / SAMPLES, turns = (double)SIDE / 2 / SPIRALS * 1.15;
        const double angle = 2 * PI * (turns * sqrt(part) + (double)spiral / SPIRALS);
        kx[j] = 0.5 * SIDE * sqrt(part) * cos(angle);
        ky[j] = 0.5 * SIDE * sqrt(part) * sin(angle);
        times[j] = READOUT * part;
    }
}

static enuf_encoding *make_encoding(enuf_separation separation, int coils, int n, double tolerance,
                                    const double *map)
{
    enuf_encoding_options options;
    enuf_encoding *encoding;
    enuf_encoding_options_init(&options);
    options.dim = 2;
    options.pixels[0] = options.pixels[1] = SIDE;
    options.batch = coils;
    options.separation = separation;
    options.tolerance = tolerance;
    check(enuf_encoding_create(&options, &encoding));
    check(enuf_encoding_set_samples(encoding, n, kx, ky, NULL, 1, times));
    check(enuf_encoding_set_field(encoding, PIXELS, map, NULL, NULL, NULL));
    if (coils > 1) check(enuf_encoding_set_sensitivities(encoding, sensitivities));
    return encoding;
}

/* Signal of the phantom, and noise. */
static void simulate(int coils, int n)
{
    enuf_encoding *encoding = make_encoding(ENUF_SEPARATION_SVD, coils, n, 1e-9, omega);
    double size = 0;
    check(enuf_encoding_forward(encoding, truth, data));
    enuf_encoding_destroy(&encoding);
    for (int j = 0; j < coils * n; j++) size += cabs(data[j]) * cabs(data[j]) / (coils * n);
    for (int j = 0; j < coils * n; j++)
        data[j] += NOISE * sqrt(12 * size / 2) * (random_number() + I * random_number());
}

/* || image - truth || / || truth || of an image solved for. */
static double reconstruct(const char *name, int coils, int n, const double *map,
                          double complex *image)
{
    enuf_encoding *encoding = make_encoding(ENUF_SEPARATION_SVD, coils, n, 1e-4, map);
    enuf_encoding_report report = {.struct_size = sizeof report};
    enuf_encoding_solve_options options;
    enuf_encoding_solution solution = {.struct_size = sizeof solution};
    double above = 0, below = 0;
    enuf_encoding_solve_options_init(&options);
    options.iterations = ITERATIONS;
    options.tolerance = 1e-4;
    options.lambda = 3e-4 * n;
    check(enuf_encoding_get_report(encoding, &report));
    check(enuf_encoding_solve(encoding, data, NULL, &options, image, &solution));
    enuf_encoding_destroy(&encoding);
    for (int k = 0; k < PIXELS; k++) {
        above += cabs(image[k] - truth[k]) * cabs(image[k] - truth[k]);
        below += cabs(truth[k]) * cabs(truth[k]);
    }
    const double error = sqrt(above / below);
    printf("%-26s %5d samples, %2d interpolators, %2d iterations, error %.3f\n", name, coils * n,
           report.interpolators, solution.iterations, error);
    return error;
}

/* ---- The error of the signal ---- */

static void sum_directly(double complex *signal)
{
    const int64_t side[2] = {SIDE, SIDE};
    enuf_direct_options options;
    enuf_direct *sums;
    enuf_direct_options_init(&options);
    options.dim = 2;
    check(enuf_direct_create(&options, &sums));
    check(enuf_direct_set_samples(sums, ALL, kx, ky, NULL, 1, times));
    check(enuf_direct_set_pixel_grid(sums, side, NULL, NULL));
    check(enuf_direct_set_field(sums, PIXELS, omega, NULL, NULL, NULL));
    check(enuf_direct_forward(sums, truth, signal, NULL));
    enuf_direct_destroy(&sums);
}

static double relative_error(const double complex *signal, const double complex *exact)
{
    double missed = 0, size = 0;
    for (int j = 0; j < ALL; j++) {
        missed += cabs(signal[j] - exact[j]) * cabs(signal[j] - exact[j]);
        size += cabs(exact[j]) * cabs(exact[j]);
    }
    return sqrt(missed / size);
}

static void close_file(FILE *file, const char *path)
{
    if (fclose(file) == 0) return;
    perror(path);
    exit(1);
}

static FILE *open_file(const char *folder, const char *name, char path[4096])
{
    snprintf(path, 4096, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file) return file;
    perror(path);
    exit(1);
}

/* Rows of field_map_error.csv. Returns the largest measured error over its tolerance. */
static double write_errors(const char *folder)
{
    static double complex exact[ALL];
    char path[4096];
    double worst = 0;
    FILE *csv = open_file(folder, "field_map_error.csv", path);
    fputs("separation,tolerance,interpolators,predicted,error\n", csv);
    sum_directly(exact);
    for (int separation = ENUF_SEPARATION_SVD; separation <= ENUF_SEPARATION_SEGMENTS; separation++)
        for (int digits = 1; digits <= 8; digits++) {
            const double tolerance = pow(10, -digits);
            enuf_encoding *encoding = make_encoding(separation, 1, ALL, tolerance, omega);
            enuf_encoding_report report = {.struct_size = sizeof report};
            check(enuf_encoding_get_report(encoding, &report));
            check(enuf_encoding_forward(encoding, truth, data));
            enuf_encoding_destroy(&encoding);
            const double error = relative_error(data, exact);
            fprintf(csv, "%s,%.0e,%d,%.2e,%.2e\n", enuf_separation_name(separation), tolerance,
                    report.interpolators, report.error, error);
            worst = fmax(worst, error / tolerance);
        }
    close_file(csv, path);
    return worst;
}

static void write_images(const char *folder)
{
    char path[4096];
    FILE *csv = open_file(folder, "field_map.csv", path);
    fputs("x,y,field_hz,truth,field_ignored,field_known,four_coils\n", csv);
    for (int k = 0; k < PIXELS; k++)
        fprintf(csv, "%d,%d,%.4g,%.4g,%.4g,%.4g,%.4g\n", k % SIDE, k / SIDE, omega[k] / (2 * PI),
                cabs(truth[k]), cabs(uneven[k]), cabs(corrected[k]), cabs(combined[k]));
    close_file(csv, path);
}

/* gnuplot is asked for, never required. */
static void draw(const char *folder)
{
    static const char *const titles[5] = {"field (Hz)", "phantom", "field ignored", "field known",
                                          "4 coils, half of the spirals"};
    FILE *gnuplot = popen("gnuplot", "w");
    if (!gnuplot) return;
    fprintf(gnuplot,
            "set terminal pngcairo size 1500,340 font 'Sans,11'\nset output '%s/field_map.png'\n"
            "set datafile separator ','\nset multiplot layout 1,5\nset size ratio 1\nunset tics\n"
            "unset key\nset xrange [-0.5:%d.5]\nset yrange [-0.5:%d.5]\n",
            folder, SIDE - 1, SIDE - 1);
    for (int k = 0; k < 5; k++)
        fprintf(gnuplot,
                "set title '%s'\n%s\nplot '%s/field_map.csv' skip 1 using 1:2:%d with image\n",
                titles[k],
                k ? "set palette gray\nset cbrange [0:1.2]\nunset colorbox"
                  : "set palette defined (-1 'blue', 0 'white', 1 'red')",
                folder, k + 3);
    fprintf(gnuplot,
            "unset multiplot\nset terminal pngcairo size 640,420 font 'Sans,11'\n"
            "set output '%s/field_map_error.png'\nset size noratio\nset tics\nset key\nset title\n"
            "set autoscale\nset logscale y\nset format y '10^{%%L}'\nset xlabel 'interpolators'\n"
            "set ylabel 'relative error of the signal'\nset grid\n"
            "file = '%s/field_map_error.csv'\n"
            "plot file every ::1::8 using 3:5 with linespoints title 'singular vectors', "
            "file every ::9::16 using 3:5 with linespoints title 'time segments', "
            "file every ::1 using 3:4 with points pt 6 lc 'gray' title 'predicted'\n",
            folder, folder);
    if (pclose(gnuplot) != 0) puts("gnuplot is not installed, or failed: no picture");
}

int main(int n_words, char **words)
{
    const char *folder = n_words > 1 && strcmp(words[1], "--plot") != 0 ? words[1] : ".";
    const int plot = n_words > 1 && strcmp(words[n_words - 1], "--plot") == 0;
    make_object();
    make_spirals();
    simulate(1, ALL);
    const double ignored = reconstruct("field ignored", 1, ALL, NULL, uneven);
    const double known = reconstruct("field known", 1, ALL, omega, corrected);
    simulate(COILS, ALL / 2);
    const double coils = reconstruct("field known, 4 coils, half", COILS, ALL / 2, omega, combined);
    printf("with the field map %.1f times nearer the truth, with coils %.1f times\n",
           ignored / known, ignored / coils);
    write_images(folder);
    const double worst = write_errors(folder);
    printf("errors of the signal are at most %.1f times the tolerance\n", worst);
    if (plot) draw(folder);
    return !(known < ignored / 3 && coils < ignored / 3 && worst < 4);
}
