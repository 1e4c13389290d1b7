/*
 * test_imaging.c - laws of examples/imaging: phantoms, samples, weights, images.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "imaging/coils.h"
#include "imaging/density.h"
#include "imaging/fail.h"
#include "imaging/least_squares.h"
#include "imaging/table_v.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double distance(int64_t n, const double complex *a, const double complex *exact)
{
    return table_error(n, a, exact);
}

static measurement simulate(trajectory kind, phantom object, int64_t side, int64_t frames,
                            int64_t coils)
{
    sampling samples = sampling_make(kind, side, frames, 1);
    measurement m = measurement_make(&samples, object, coils, 0, 0);
    sampling_free(&samples);
    return m;
}

/* ---- The object ---- */

/* Chords of the unit disc: integral of 2 cos^2(a) cos(2 pi q sin(a)) over half a turn. The
 * trapezium rule converges faster than any power for a periodic function. */
static double disc_by_chords(double q)
{
    enum { PANELS = 400 };
    double sum = 0;
    for (int i = 0; i < PANELS; i++) {
        const double a = M_PI * ((i + 0.5) / PANELS - 0.5);
        sum += 2 * cos(a) * cos(a) * cos(2 * M_PI * q * sin(a)) * M_PI / PANELS;
    }
    return sum;
}

static void ellipse_has_the_transform_of_its_chords(void)
{
    const ellipse e = {0.1, -0.2, 0.3, 0.15, 0.4, 2};
    double worst = 0;
    for (int i = 0; i < 50; i++) {
        const double kx = 2.3 * (i % 7) - 6, ky = 1.7 * (i % 11) - 8;
        const double u = e.a * (cos(e.turn) * kx + sin(e.turn) * ky);
        const double v = e.b * (cos(e.turn) * ky - sin(e.turn) * kx);
        const double complex expected = e.value * e.a * e.b * disc_by_chords(hypot(u, v)) *
                                        cexp(-2 * M_PI * I * (kx * e.x + ky * e.y));
        worst = fmax(worst, cabs(phantom_signal(1, &e, kx, ky) - expected));
    }
    CHECK_BELOW(worst, 1e-15, "ellipse against chords, 5 times the rounding of 0.3");
    CHECK_CLOSE(creal(phantom_signal(1, &e, 0, 0)), 2 * M_PI * 0.3 * 0.15, 1e-15, "its area");
}

/* The mean over pixels hides what is smaller than 1/8 of one: the bound is some of these. */
static void coils_see_the_object_times_their_map(void)
{
    enum { SIDE = 256, COILS = 3, PIXELS = SIDE * SIDE };
    double *truth = allocate(PIXELS, sizeof *truth);
    double complex *maps = allocate(COILS * PIXELS, sizeof *maps), signals[COILS];
    ellipse ellipses[MOST_ELLIPSES];
    const int n = phantom_ellipses(PHANTOM_HEART, 0.3, ellipses);
    phantom_pixels(n, ellipses, SIDE, truth);
    coil_maps(COILS, SIDE, maps);
    double worst = 0;
    for (int i = 0; i < 5; i++) {
        const double kx = 1.3 * i - 2, ky = 3 - 2 * i;
        coil_signals(COILS, n, ellipses, kx, ky, signals);
        for (int c = 0; c < COILS; c++) {
            double complex sum = 0;
            for (int p = 0; p < PIXELS; p++) {
                const double x = (p % SIDE) / (double)SIDE - 0.5;
                const double y = (p / SIDE) / (double)SIDE - 0.5;
                sum += truth[p] * maps[c * PIXELS + p] * cexp(-2 * M_PI * I * (kx * x + ky * y));
            }
            worst = fmax(worst, cabs(sum / PIXELS - signals[c]));
        }
    }
    CHECK_BELOW(worst, 2e-5, "coil's signal against a sum over pixels");
    free(truth);
    free(maps);
}

static void noise_is_that_of_its_seed(void)
{
    sampling samples = sampling_make(TRAJECTORY_RADIAL, 64, 1, 1);
    measurement none = measurement_make(&samples, PHANTOM_SHEPP_LOGAN, 1, 0, 1);
    measurement one = measurement_make(&samples, PHANTOM_SHEPP_LOGAN, 1, 0.1, 1);
    measurement again = measurement_make(&samples, PHANTOM_SHEPP_LOGAN, 1, 0.1, 1);
    measurement other = measurement_make(&samples, PHANTOM_SHEPP_LOGAN, 1, 0.1, 2);
    const int64_t n = one.samples;
    const size_t bytes = (size_t)n * sizeof *one.data;
    CHECK(memcmp(one.data, again.data, bytes) == 0);
    /* n complex numbers: the RMS of them deviates by 1/sqrt(2 n), here 0.9 %; 4 of these */
    CHECK_CLOSE(distance(n, one.data, none.data), 0.1, 4 / sqrt(2 * (double)n), "size of noise");
    CHECK_CLOSE(distance(n, one.data, other.data), 0.1 * M_SQRT2 / sqrt(1.01), 0.05,
                "noise of two seeds");
    measurement_free(&none);
    measurement_free(&one);
    measurement_free(&again);
    measurement_free(&other);
    sampling_free(&samples);
}

/* ---- Samples and weights ---- */

static void samples_stay_in_the_box_within_a_step(void)
{
    enum { SIDE = 64 };
    for (int kind = 0; kind < TRAJECTORY_COUNT; kind++) {
        sampling s = sampling_make((trajectory)kind, SIDE, 2, 1);
        double far = 0, apart = 0;
        for (int64_t j = 0; j < 2 * sampling_count(&s); j++) {
            const double *k = s.k + 2 * j;
            far = fmax(far, fmax(fabs(k[0]), fabs(k[1])));
            if (j % s.on_readout > 0) apart = fmax(apart, hypot(k[0] - k[-2], k[1] - k[-1]));
        }
        CHECK_BELOW(far, 0.5 * SIDE * (1 + 1e-12), trajectory_name((trajectory)kind));
        CHECK_BELOW(apart, 1 + 1e-12, "neighbours on a readout");
        sampling_free(&s);
    }
}

/* The point spread of a pixel at the centre is the image of data 1. */
static void weighted_point_spread_has_unit_peak(void)
{
    enum { SIDE = 64, PIXELS = SIDE * SIDE, CENTRE = SIDE / 2 * SIDE + SIDE / 2 };
    double complex *spread = allocate(PIXELS, sizeof *spread);
    for (int kind = 0; kind < TRAJECTORY_COUNT; kind++) {
        measurement m = simulate((trajectory)kind, PHANTOM_SHEPP_LOGAN, SIDE, 1, 1);
        const double area = kind == TRAJECTORY_CARTESIAN ? PIXELS : 0.25 * M_PI * PIXELS;
        const enuf_nufft_options method = gridding_options(SIDE, 1e-9);
        int64_t highest = 0;
        for (int64_t j = 0; j < m.samples; j++) m.data[j] = 1;
        gridding_images(&m, &method, spread);
        for (int64_t p = 0; p < PIXELS; p++)
            if (cabs(spread[p]) > cabs(spread[highest])) highest = p;
        CHECK(highest == CENTRE);
        /* a spoke ends half a sample before one rim and behind the other: 1 / side^2; a spiral's
         * last sample ends half a sample before it: at most 1 / side */
        const double bound =
            kind == TRAJECTORY_SPIRAL || kind == TRAJECTORY_SPIRAL_CLV ? 1.0 / SIDE : 1.01 / PIXELS;
        CHECK_CLOSE(creal(spread[CENTRE]) / area, 1, bound, trajectory_name((trajectory)kind));
        measurement_free(&m);
    }
    free(spread);
}

static void iterated_density_is_one_on_the_grid(void)
{
    measurement m = simulate(TRAJECTORY_CARTESIAN, PHANTOM_SHEPP_LOGAN, 48, 1, 1);
    double worst = 0, *weights = allocate(m.samples, sizeof *weights);
    density_by_iteration(ENUF_BACKEND_AUTO, m.side, m.samples, m.k, 10, NULL, weights);
    for (int64_t j = 0; j < m.samples; j++) worst = fmax(worst, fabs(weights[j] - 1));
    CHECK_BELOW(worst, 1e-13, "density on the grid, rounding of some hundred terms");
    free(weights);
    measurement_free(&m);
}

/* Centre and rim: as far as a sample of density_iteration.c sees, 3.5 steps, and what the
 * iteration carries on from there. */
static void iterated_density_is_the_ramp(trajectory kind)
{
    enum { SIDE = 128 };
    measurement m = simulate(kind, PHANTOM_SHEPP_LOGAN, SIDE, 1, 1);
    double worst = 0, *weights = allocate(m.samples, sizeof *weights);
    density_by_iteration(ENUF_BACKEND_AUTO, m.side, m.samples, m.k, 20, NULL, weights);
    for (int64_t j = 0; j < m.samples; j++) {
        const double radius = hypot(m.k[2 * j], m.k[2 * j + 1]);
        if (radius > 8 && radius < 0.5 * SIDE - 8)
            worst = fmax(worst, fabs(weights[j] / m.weights[j] - 1));
    }
    CHECK_BELOW(worst, 0.05, trajectory_name(kind));
    free(weights);
    measurement_free(&m);
}

/* ---- Images by gridding ---- */

/* image[x, y] = sum_k data exp(2 pi i k . r), axis by axis */
static void transform_directly(int64_t side, const double complex *data, double complex *image)
{
    double complex *half = allocate(side * side, sizeof *half);
    for (int axis = 0; axis < 2; axis++) {
        const double complex *in = axis == 0 ? data : half;
        double complex *out = axis == 0 ? half : image;
        const int64_t along = axis == 0 ? 1 : side, across = axis == 0 ? side : 1;
        for (int64_t line = 0; line < side; line++)
            for (int64_t x = 0; x < side; x++) {
                double complex sum = 0;
                for (int64_t k = 0; k < side; k++)
                    sum += in[line * across + k * along] *
                           cexp(2 * M_PI * I * (double)((k - side / 2) * (x - side / 2)) /
                                (double)side);
                out[line * across + x * along] = sum;
            }
    }
    free(half);
}

static void cartesian_samples_give_the_fft(void)
{
    enum { SIDE = 48, PIXELS = SIDE * SIDE };
    measurement m = simulate(TRAJECTORY_CARTESIAN, PHANTOM_SHEPP_LOGAN, SIDE, 1, 1);
    double complex *image = allocate(PIXELS, sizeof *image);
    double complex *exact = allocate(PIXELS, sizeof *exact);
    const enuf_nufft_options method = gridding_options(SIDE, 1e-13);
    CHECK(m.samples == PIXELS);
    gridding_images(&m, &method, image);
    transform_directly(SIDE, m.data, exact);
    CHECK_BELOW(distance(PIXELS, image, exact), 3e-13, "three times the tolerance");
    free(image);
    free(exact);
    measurement_free(&m);
}

/* A quarter turn takes pixels to pixels. */
static void turned_trajectory_turns_the_image(trajectory kind)
{
    enum { SIDE = 64, PIXELS = SIDE * SIDE };
    measurement m = simulate(kind, PHANTOM_HEART, SIDE, 1, 1);
    double complex *image = allocate(PIXELS, sizeof *image);
    double complex *turned = allocate(PIXELS, sizeof *turned);
    const enuf_nufft_options method = gridding_options(SIDE, 1e-11);
    double worst = 0;
    gridding_images(&m, &method, image);
    for (int64_t j = 0; j < m.samples; j++) {
        const double x = m.k[2 * j];
        m.k[2 * j] = -m.k[2 * j + 1];
        m.k[2 * j + 1] = x;
    }
    gridding_images(&m, &method, turned);
    for (int y = 1; y < SIDE; y++) /* the row -side/2 has no partner */
        for (int x = 0; x < SIDE; x++)
            worst = fmax(worst, cabs(turned[x * SIDE + SIDE - y] - image[y * SIDE + x]));
    CHECK_BELOW(worst, 1e-9, trajectory_name(kind));
    free(image);
    free(turned);
    measurement_free(&m);
}

static void shifted_phantom_shifts_the_image(trajectory kind)
{
    enum { SIDE = 64, PIXELS = SIDE * SIDE, RIGHT = 5, UP = -3 };
    measurement m = simulate(kind, PHANTOM_SHEPP_LOGAN, SIDE, 1, 1);
    double complex *image = allocate(PIXELS, sizeof *image);
    double complex *shifted = allocate(PIXELS, sizeof *shifted);
    const enuf_nufft_options method = gridding_options(SIDE, 1e-11);
    ellipse ellipses[MOST_ELLIPSES];
    double worst = 0;
    const int n = phantom_ellipses(PHANTOM_SHEPP_LOGAN, 0, ellipses);
    gridding_images(&m, &method, image);
    for (int i = 0; i < n; i++) {
        ellipses[i].x += (double)RIGHT / SIDE;
        ellipses[i].y += (double)UP / SIDE;
    }
    for (int64_t j = 0; j < m.samples; j++)
        m.data[j] = phantom_signal(n, ellipses, m.k[2 * j], m.k[2 * j + 1]);
    gridding_images(&m, &method, shifted);
    for (int y = -UP; y < SIDE; y++)
        for (int x = 0; x < SIDE - RIGHT; x++)
            worst = fmax(worst, cabs(shifted[(y + UP) * SIDE + x + RIGHT] - image[y * SIDE + x]));
    CHECK_BELOW(worst, 1e-9, trajectory_name(kind));
    free(image);
    free(shifted);
    measurement_free(&m);
}

/* The mean over a disc in the largest of the bright ellipses: ringing of the edges averages out. */
static void image_has_the_values_of_the_phantom(trajectory kind)
{
    enum { SIDE = 128, PIXELS = SIDE * SIDE };
    measurement m = simulate(kind, PHANTOM_SHEPP_LOGAN, SIDE, 1, 4);
    double complex *image = allocate(PIXELS, sizeof *image), sum = 0;
    const enuf_nufft_options method = gridding_options(SIDE, 1e-6);
    int count = 0;
    gridding_images(&m, &method, image);
    for (int p = 0; p < PIXELS; p++) {
        if (hypot(p % SIDE - 0.5 * SIDE, p / SIDE - 0.7 * SIDE) > 7) continue;
        sum += image[p];
        count++;
    }
    CHECK_CLOSE(creal(sum) / count, 0.3, 0.02, trajectory_name(kind));
    CHECK_BELOW(cimag(sum) / count, 0.002, "imaginary part");
    free(image);
    measurement_free(&m);
}

static void frames_together_are_frames_alone(void)
{
    enum { SIDE = 48, PIXELS = SIDE * SIDE, FRAMES = 3, COILS = 2 };
    measurement m = simulate(TRAJECTORY_GOLDEN, PHANTOM_HEART, SIDE, FRAMES, COILS);
    double complex *together = allocate(FRAMES * PIXELS, sizeof *together);
    double complex *alone = allocate(FRAMES * PIXELS, sizeof *alone);
    const enuf_nufft_options method = gridding_options(SIDE, 1e-9);
    const least_squares request = {5, 1e-3, NULL};
    for (int by_steps = 0; by_steps < 2; by_steps++) {
        if (by_steps)
            least_squares_images(&m, &method, &request, together);
        else
            gridding_images(&m, &method, together);
        for (int f = 0; f < FRAMES; f++) {
            measurement one = m;
            one.frames = one.trajectories = 1;
            one.k += 2 * f * m.samples;
            one.weights += f * m.samples;
            one.data += f * COILS * m.samples;
            if (by_steps)
                least_squares_images(&one, &method, &request, alone + f * PIXELS);
            else
                gridding_images(&one, &method, alone + f * PIXELS);
        }
        CHECK_BELOW(distance(FRAMES * PIXELS, together, alone), 1e-12,
                    by_steps ? "conjugate gradients" : "gridding");
    }
    free(together);
    free(alone);
    measurement_free(&m);
}

/* ---- Images by conjugate gradients ---- */

/* Half of the lines and six coils: the data are those of an image of pixels, so that the image is
 * the only solution. */
static void conjugate_gradients_find_the_image(void)
{
    enum { SIDE = 32, PIXELS = SIDE * SIDE, COILS = 6 };
    sampling samples = sampling_make(TRAJECTORY_CARTESIAN, SIDE, 1, 2);
    measurement m = measurement_make(&samples, PHANTOM_HEART, COILS, 0, 0);
    double complex *image = allocate(PIXELS, sizeof *image);
    double complex *found = allocate(PIXELS, sizeof *found);
    double complex *seen = allocate(COILS * PIXELS, sizeof *seen);
    double *truth = allocate(PIXELS, sizeof *truth);
    enuf_nufft_options method = gridding_options(SIDE, 1e-12);
    const least_squares request = {100, 0, NULL};
    ellipse ellipses[MOST_ELLIPSES];
    enuf_nufft *plan;
    phantom_pixels(phantom_ellipses(PHANTOM_HEART, 0.5, ellipses), ellipses, SIDE, truth);
    for (int i = 0; i < COILS * PIXELS; i++) {
        image[i % PIXELS] = truth[i % PIXELS];
        seen[i] = m.maps[i] * truth[i % PIXELS] / PIXELS;
    }
    method.batch = COILS;
    check(enuf_nufft_create(&method, &plan));
    check(enuf_nufft_set_points(plan, m.samples, m.k, m.k + 1, NULL, 2));
    check(enuf_nufft_type2(plan, seen, m.data, NULL));
    enuf_nufft_destroy(&plan);
    const double residual = least_squares_images(&m, &method, &request, found);
    CHECK_BELOW(residual, 1e-6, "residual of conjugate gradients");
    /* the object: outside a pixel may be seen by one coil, which cannot unfold it */
    double missed = 0, size = 0;
    for (int p = 0; p < PIXELS; p++) {
        if (truth[p] == 0) continue;
        missed += pow(cabs(found[p] - image[p]), 2);
        size += truth[p] * truth[p];
    }
    CHECK_BELOW(sqrt(missed / size), 1e-4, "image of half of the lines");
    free(image);
    free(found);
    free(seen);
    free(truth);
    measurement_free(&m);
    sampling_free(&samples);
}

/* ---- The table of the paper ---- */

static void table_is_that_of_the_paper(void)
{
    enum { SIDE = 256, PIXELS = SIDE * SIDE };
    measurement m = table_measurement(TRAJECTORY_RADIAL, SIDE);
    double complex *exact = allocate(PIXELS, sizeof *exact);
    double complex *image = allocate(PIXELS, sizeof *image);
    CHECK(m.samples == PIXELS);
    table_exact(&m, exact);
    for (int i = 0; i < TABLE_ROWS; i++) {
        const table_row *row = &table_rows[i];
        const enuf_nufft_options gaussian = table_gaussian(row, SIDE);
        const enuf_nufft_options prolate = table_default(row, SIDE);
        gridding_images(&m, &gaussian, image);
        const double error = distance(PIXELS, image, exact);
        CHECK_CLOSE(error, row->published, 0.25, "Gaussian against the published error");
        gridding_images(&m, &prolate, image);
        CHECK_BELOW(distance(PIXELS, image, exact), error, "default window against the Gaussian");
    }
    free(exact);
    free(image);
    measurement_free(&m);
}

int main(void)
{
    ellipse_has_the_transform_of_its_chords();
    coils_see_the_object_times_their_map();
    noise_is_that_of_its_seed();
    samples_stay_in_the_box_within_a_step();
    weighted_point_spread_has_unit_peak();
    iterated_density_is_one_on_the_grid();
    iterated_density_is_the_ramp(TRAJECTORY_RADIAL);
    iterated_density_is_the_ramp(TRAJECTORY_SPIRAL);
    iterated_density_is_the_ramp(TRAJECTORY_SPIRAL_CLV);
    cartesian_samples_give_the_fft();
    turned_trajectory_turns_the_image(TRAJECTORY_RADIAL);
    turned_trajectory_turns_the_image(TRAJECTORY_SPIRAL_CLV);
    shifted_phantom_shifts_the_image(TRAJECTORY_GOLDEN);
    shifted_phantom_shifts_the_image(TRAJECTORY_SPIRAL);
    image_has_the_values_of_the_phantom(TRAJECTORY_RADIAL);
    image_has_the_values_of_the_phantom(TRAJECTORY_SPIRAL);
    image_has_the_values_of_the_phantom(TRAJECTORY_SPIRAL_CLV);
    frames_together_are_frames_alone();
    conjugate_gradients_find_the_image();
    table_is_that_of_the_paper();
    return check_result();
}
