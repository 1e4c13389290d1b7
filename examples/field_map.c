/*
 * field_map.c - an image from a spiral readout in an uneven field, without and with the field map.
 *
 * A phantom of 64 x 64 pixels lies in a field that is off by up to 120 Hz: smooth, and with a
 * steep bump as above an air cavity. 16 interleaved spirals take 20 ms each, so that the signal of
 * a pixel turns by up to 2.4 cycles during a readout. Noise of 0.5 % of the signal is added.
 *
 * Conjugate gradients reconstruct the image three times: as if the field were even, with the field
 * map, and with the field map from half of the spirals, seen by 4 coils whose sensitivities have
 * phases (SENSE). Usage: field_map [FOLDER] [--plot]; the folder gets field_map.csv and, with
 * --plot, field_map.png by gnuplot. SPDX-License-Identifier: BSD-3-Clause
 */
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

static enuf_encoding *make_encoding(int coils, int n, double tolerance, const double *map)
{
    enuf_encoding_options options;
    enuf_encoding *encoding;
    enuf_encoding_options_init(&options);
    options.dim = 2;
    options.pixels[0] = options.pixels[1] = SIDE;
    options.batch = coils;
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
    enuf_encoding *encoding = make_encoding(coils, n, 1e-9, omega);
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
    enuf_encoding *encoding = make_encoding(coils, n, 1e-4, map);
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

static void write_images(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/field_map.csv", folder);
    FILE *csv = fopen(path, "w");
    if (!csv) {
        perror(path);
        exit(1);
    }
    fputs("x,y,field_hz,truth,field_ignored,field_known,four_coils\n", csv);
    for (int k = 0; k < PIXELS; k++)
        fprintf(csv, "%d,%d,%.4g,%.4g,%.4g,%.4g,%.4g\n", k % SIDE, k / SIDE, omega[k] / (2 * PI),
                cabs(truth[k]), cabs(uneven[k]), cabs(corrected[k]), cabs(combined[k]));
    if (fclose(csv) != 0) {
        perror(path);
        exit(1);
    }
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
    if (plot) draw(folder);
    return !(known < ignored / 3 && coils < ignored / 3);
}
