/*
 * test_direct_calls.c - an object of direct sums refuses bad options, calls in the wrong order and
 * bad data, with a text that names the argument and says what would be right. After each error it
 * works as before. Negative times and zero samples or pixels are legal. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "scan.h"
#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, M = 6 };

static const double K[3] = {1, 2, 3};
static double kx[N], ky[N], times[N], rx[M], ry[M], omega[M], decay[M], gradient[2][M];
static const double *const gradients[2] = {gradient[0], gradient[1]};
static const double voxel[2] = {0.5, 0.25};
static double image[2 * M], values[2 * N], slopes[4 * N], expected[2 * N], ignored[2 * M];

static void fill(void)
{
    for (int j = 0; j < N; ++j) {
        kx[j] = 0.3 * j - 0.7;
        ky[j] = 1.1 - 0.2 * j;
        times[j] = 0.01 * (j - 2);
    }
    for (int k = 0; k < M; ++k) {
        rx[k] = 0.1 * k;
        ry[k] = 0.4 - 0.15 * k;
        omega[k] = 100 * k;
        decay[k] = 10 + k;
        gradient[0][k] = k - 3;
        gradient[1][k] = 5 - k;
        image[2 * k] = 1;
        image[2 * k + 1] = 0.5 * k;
    }
}

/* The object still gives the expected values. */
static void works(enuf_direct *sums)
{
    memset(values, 0, sizeof values);
    CHECK_STATUS(enuf_direct_forward(sums, image, values, NULL), ENUF_SUCCESS);
    CHECK(memcmp(values, expected, sizeof values) == 0);
}

static void bad_options(void)
{
    const enuf_direct_options good = scan_options(2, ENUF_DOUBLE);
    enuf_direct_options options;
    enuf_direct *sums = NULL;
#define REFUSED(assignment, status, text)                                                          \
    do {                                                                                           \
        options = good;                                                                            \
        assignment;                                                                                \
        CHECK_STATUS(enuf_direct_create(&options, &sums), status);                                 \
        CHECK_TEXT(text);                                                                          \
        CHECK(sums == NULL);                                                                       \
    } while (0)
    REFUSED(options.struct_size = 8, ENUF_BAD_ARGUMENT, "struct_size");
    REFUSED(options.dim = 0, ENUF_BAD_ARGUMENT, "dim is 0: use 1, 2 or 3");
    REFUSED(options.dim = 4, ENUF_BAD_ARGUMENT, "dim is 4");
    REFUSED(options.precision = (enuf_precision)7, ENUF_BAD_ARGUMENT, "precision is 7");
    REFUSED(options.sign = 0, ENUF_BAD_ARGUMENT, "sign is 0: use -1 or +1");
    REFUSED(options.batch = 0, ENUF_BAD_ARGUMENT, "batch is 0: use 1 or more");
    REFUSED(options.memory = (enuf_memory)7, ENUF_BAD_ARGUMENT, "memory is 7");
    REFUSED(options.threads = -1, ENUF_BAD_ARGUMENT, "threads is -1");
    REFUSED(options.backend = (enuf_backend)7, ENUF_BAD_ARGUMENT, "backend is 7");
    if (good.backend == ENUF_BACKEND_CPU)
        REFUSED(options.memory = ENUF_DEVICE, ENUF_BAD_MEMORY, "use ENUF_HOST");
#undef REFUSED
    CHECK_STATUS(enuf_direct_create(NULL, &sums), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_direct_create(&good, NULL), ENUF_BAD_ARGUMENT);
    enuf_direct_destroy(NULL);
    enuf_direct_destroy(&sums);
}

/* Only the fields that an older caller's struct has. */
static void older_options(void)
{
    enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    enuf_direct *sums = NULL;
    options.struct_size = offsetof(enuf_direct_options, threads);
    options.threads = -77;
    CHECK_STATUS(enuf_direct_create(&options, &sums), ENUF_SUCCESS);
    enuf_direct_destroy(&sums);
}

static void wrong_order(void)
{
    const enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    enuf_direct *sums;
    if (!CHECK_STATUS(enuf_direct_create(&options, &sums), ENUF_SUCCESS)) return;
    CHECK_STATUS(enuf_direct_forward(sums, image, values, NULL), ENUF_NO_POINTS_SET);
    CHECK_TEXT("enuf_direct_set_samples");
    CHECK_STATUS(enuf_direct_set_samples(sums, N, kx, ky, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_adjoint(sums, values, image), ENUF_NO_POINTS_SET);
    CHECK_TEXT("enuf_direct_set_pixels");
    CHECK_STATUS(enuf_direct_set_field(sums, M, omega, NULL, NULL, NULL), ENUF_NO_POINTS_SET);
    CHECK_TEXT("enuf_direct_set_pixels");
    CHECK_STATUS(enuf_direct_set_pixels(sums, M, rx, ry, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_forward(sums, image, expected, NULL), ENUF_SUCCESS);
    /* a map without times */
    CHECK_STATUS(enuf_direct_set_field(sums, M, omega, NULL, NULL, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("give times to enuf_direct_set_samples()");
    works(sums);
    CHECK_STATUS(enuf_direct_set_samples(sums, N, kx, ky, NULL, 1, times), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_field(sums, M, NULL, decay, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_forward(sums, image, expected, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_samples(sums, N, kx, ky, NULL, 1, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("times is NULL");
    works(sums);
    enuf_direct_destroy(&sums);
}

static void bad_arguments(enuf_direct *sums)
{
    const int64_t many = INT64_C(1) << 61;
    CHECK_STATUS(enuf_direct_set_samples(NULL, N, kx, ky, NULL, 1, times), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_direct_set_samples(sums, -1, kx, ky, NULL, 1, times), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("n is -1: use 0 or more");
    CHECK_STATUS(enuf_direct_set_samples(sums, N, kx, ky, NULL, 0, times), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("stride is 0: use 1 or more");
    CHECK_STATUS(enuf_direct_set_samples(sums, N, kx, NULL, NULL, 1, times), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("y is NULL, dim 2 needs it");
    CHECK_STATUS(enuf_direct_set_pixels(sums, many, rx, ry, NULL, 1), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("no memory is so large");
    CHECK_STATUS(enuf_direct_set_pixel_grid(sums, NULL, NULL, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_direct_set_pixel_grid(sums, (int64_t[2]){4, -1}, NULL, NULL),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("counts[1] is -1");
    CHECK_STATUS(enuf_direct_set_pixel_grid(sums, (int64_t[2]){many, many}, NULL, NULL),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("no memory is so large");
    CHECK_STATUS(enuf_direct_set_pixel_grid(sums, (int64_t[2]){4, 4}, (double[2]){1, NAN}, NULL),
                 ENUF_NOT_FINITE);
    CHECK_TEXT("spacing[1]");
    CHECK_STATUS(
        enuf_direct_set_pixel_grid(sums, (int64_t[2]){4, 4}, NULL, (double[2]){INFINITY, 1}),
        ENUF_NOT_FINITE);
    CHECK_TEXT("first[0]");
    CHECK_STATUS(enuf_direct_set_pixel_grid(sums, (int64_t[2]){4, 4}, (double[2]){1, 1e308}, K),
                 ENUF_NOT_FINITE);
    CHECK_TEXT("axis 1");
    CHECK_STATUS(enuf_direct_set_field(sums, M - 1, omega, NULL, NULL, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("n is 5, but 6 pixels are set");
    CHECK_STATUS(enuf_direct_set_field(sums, M, NULL, NULL, gradients, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("give the edges of a voxel");
    CHECK_STATUS(
        enuf_direct_set_field(sums, M, NULL, NULL, (const double *[2]){gradient[0], NULL}, voxel),
        ENUF_BAD_ARGUMENT);
    CHECK_TEXT("gradient[1] is NULL");
    CHECK_STATUS(enuf_direct_set_field(sums, M, NULL, NULL, NULL, (double[2]){1, 0}),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("voxel[1] is 0: the edge of a voxel is positive");
    CHECK_STATUS(enuf_direct_set_field(sums, M, NULL, NULL, NULL, (double[2]){-1, 1}),
                 ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_direct_set_field(sums, M, NULL, NULL, NULL, (double[2]){NAN, 1}),
                 ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_direct_forward(sums, NULL, values, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("image is NULL");
    CHECK_STATUS(enuf_direct_adjoint(sums, NULL, ignored), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("values is NULL");
    CHECK_STATUS(enuf_direct_adjoint(sums, values, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("image is NULL");
    CHECK_STATUS(enuf_direct_forward(sums, image, NULL, NULL), ENUF_SUCCESS);
    works(sums);
}

/* Sets one number of an array to NaN for a call. */
#define WITH_NAN(array, at, call, text)                                                            \
    do {                                                                                           \
        const double kept = (array)[at];                                                           \
        (array)[at] = (at) % 2 ? NAN : INFINITY;                                                   \
        CHECK_STATUS(call, ENUF_NOT_FINITE);                                                       \
        CHECK_TEXT(text);                                                                          \
        (array)[at] = kept;                                                                        \
        works(sums);                                                                               \
    } while (0)

static void bad_data(enuf_direct *sums)
{
    WITH_NAN(ky, 3, enuf_direct_set_samples(sums, N, kx, ky, NULL, 1, times), "y of sample 3");
    WITH_NAN(times, 2, enuf_direct_set_samples(sums, N, kx, ky, NULL, 1, times),
             "the time of sample 2");
    WITH_NAN(rx, 1, enuf_direct_set_pixels(sums, M, rx, ry, NULL, 1), "x of pixel 1");
    WITH_NAN(omega, 4, enuf_direct_set_field(sums, M, omega, decay, gradients, voxel),
             "omega of pixel 4");
    WITH_NAN(decay, 5, enuf_direct_set_field(sums, M, omega, decay, gradients, voxel),
             "decay of pixel 5");
    WITH_NAN(gradient[1], 0, enuf_direct_set_field(sums, M, omega, decay, gradients, voxel),
             "gradient[1] of pixel 0");
    WITH_NAN(image, 7, enuf_direct_forward(sums, image, values, NULL), "image[3]");
    values[2] = NAN;
    CHECK_STATUS(enuf_direct_adjoint(sums, values, ignored), ENUF_NOT_FINITE);
    CHECK_TEXT("values[1]");
    works(sums);
    int64_t bad = 7;
    CHECK_STATUS(enuf_direct_check(sums, &bad), ENUF_SUCCESS);
    CHECK(bad == -1);
    CHECK_STATUS(enuf_direct_check(NULL, &bad), ENUF_BAD_ARGUMENT);
}

static void errors_of_calls(void)
{
    const enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    enuf_direct *sums;
    if (!CHECK_STATUS(enuf_direct_create(&options, &sums), ENUF_SUCCESS)) return;
    CHECK_STATUS(enuf_direct_set_samples(sums, N, kx, ky, NULL, 1, times), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_pixels(sums, M, rx, ry, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_field(sums, M, omega, decay, gradients, voxel), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_forward(sums, image, expected, NULL), ENUF_SUCCESS);
    bad_arguments(sums);
    bad_data(sums);
    enuf_direct_destroy(&sums);
}

/* exp(-R t) of a time before 0 may be larger than any number. */
static void growth_without_bound(void)
{
    const enuf_direct_options options = scan_options(1, ENUF_FLOAT);
    const double early = -100, fast = 30;
    const float one[2] = {1, 0};
    float value[2];
    enuf_direct *sums;
    if (!CHECK_STATUS(enuf_direct_create(&options, &sums), ENUF_SUCCESS)) return;
    CHECK_STATUS(enuf_direct_set_samples(sums, 1, K, NULL, NULL, 1, &early), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_pixels(sums, 1, K, NULL, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_field(sums, 1, NULL, &fast, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_forward(sums, one, value, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("values[0]");
    CHECK_TEXT("opposite signs");
    CHECK_STATUS(enuf_direct_set_field(sums, 1, NULL, NULL, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_forward(sums, one, value, NULL), ENUF_SUCCESS);
    enuf_direct_destroy(&sums);
}

/* Sums over nothing are zero, and results for nothing are none. */
static void nothing_to_sum(void)
{
    const enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    enuf_direct *sums;
    if (!CHECK_STATUS(enuf_direct_create(&options, &sums), ENUF_SUCCESS)) return;
    for (int grid = 0; grid < 2; ++grid) {
        CHECK_STATUS(enuf_direct_set_samples(sums, N, kx, ky, NULL, 1, times), ENUF_SUCCESS);
        if (grid)
            CHECK_STATUS(enuf_direct_set_pixel_grid(sums, (int64_t[2]){4, 0}, NULL, NULL),
                         ENUF_SUCCESS);
        else
            CHECK_STATUS(enuf_direct_set_pixels(sums, 0, NULL, NULL, NULL, 1), ENUF_SUCCESS);
        for (int field = 0; field < 2; ++field) {
            for (int j = 0; j < 4 * N; ++j) values[j / 2] = slopes[j] = 7;
            CHECK_STATUS(enuf_direct_forward(sums, NULL, values, slopes), ENUF_SUCCESS);
            for (int j = 0; j < 4 * N; ++j) CHECK(values[j / 2] == 0 && slopes[j] == 0);
            CHECK_STATUS(enuf_direct_adjoint(sums, values, NULL), ENUF_SUCCESS);
            CHECK_STATUS(enuf_direct_set_field(sums, 0, omega, NULL, NULL, NULL), ENUF_SUCCESS);
        }
        if (grid)
            CHECK_STATUS(enuf_direct_set_pixel_grid(sums, (int64_t[2]){3, 2}, NULL, NULL),
                         ENUF_SUCCESS);
        else
            CHECK_STATUS(enuf_direct_set_pixels(sums, M, rx, ry, NULL, 1), ENUF_SUCCESS);
        CHECK_STATUS(enuf_direct_set_samples(sums, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
        CHECK_STATUS(enuf_direct_set_field(sums, M, omega, NULL, NULL, NULL), ENUF_SUCCESS);
        for (int k = 0; k < 2 * M; ++k) ignored[k] = 7;
        CHECK_STATUS(enuf_direct_adjoint(sums, NULL, ignored), ENUF_SUCCESS);
        for (int k = 0; k < 2 * M; ++k) CHECK(ignored[k] == 0);
        CHECK_STATUS(enuf_direct_forward(sums, image, NULL, NULL), ENUF_SUCCESS);
    }
    enuf_direct_destroy(&sums);
}

/* Strided coordinates; a field that other pixels remove; samples that change in number. */
static void one_object_for_all(void)
{
    const enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    double pairs[2 * M];
    enuf_direct *sums;
    for (int k = 0; k < M; ++k) {
        pairs[2 * k] = rx[k];
        pairs[2 * k + 1] = ry[k];
    }
    if (!CHECK_STATUS(enuf_direct_create(&options, &sums), ENUF_SUCCESS)) return;
    CHECK_STATUS(enuf_direct_set_samples(sums, N, kx, ky, NULL, 1, times), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_pixels(sums, M, rx, ry, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_forward(sums, image, expected, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_field(sums, M, omega, decay, gradients, voxel), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_forward(sums, image, values, NULL), ENUF_SUCCESS);
    CHECK(memcmp(values, expected, sizeof values) != 0);
    CHECK_STATUS(enuf_direct_set_pixels(sums, M, pairs, pairs + 1, NULL, 2), ENUF_SUCCESS);
    works(sums);
    CHECK_STATUS(enuf_direct_set_field(sums, M, omega, NULL, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_field(sums, M, NULL, NULL, NULL, NULL), ENUF_SUCCESS);
    works(sums);
    CHECK_STATUS(enuf_direct_set_samples(sums, 2, kx + 1, ky + 1, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_forward(sums, image, values, NULL), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 4, values, expected + 2), 1e-15, "fewer samples");
    enuf_direct_destroy(&sums);
}

/* Calls in the order of a program; each must not spoil what the earlier ones have set. */
static enuf_status call(int which, enuf_direct **sums)
{
    const enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    switch (which) {
    case 0:
        return enuf_direct_create(&options, sums);
    case 1:
        return enuf_direct_set_samples(*sums, N, kx, ky, NULL, 1, times);
    case 2:
        return enuf_direct_set_pixels(*sums, M, rx, ry, NULL, 1);
    case 3:
        return enuf_direct_set_field(*sums, M, omega, decay, gradients, voxel);
    case 4:
        return enuf_direct_forward(*sums, image, values, slopes);
    case 5:
        return enuf_direct_adjoint(*sums, values, ignored);
    default:
        return enuf_direct_set_pixel_grid(*sums, (int64_t[2]){40, 30}, NULL, NULL);
    }
}

/* In round k the k-th allocation of a call fails, until the call needs no more and succeeds. */
static void allocations_that_fail(void)
{
    enuf_direct *sums = NULL;
    int failed = 0;
    for (int which = 0; which < 7; ++which) {
        enuf_status status = ENUF_OUT_OF_MEMORY;
        for (int nth = 1; status != ENUF_SUCCESS && nth < 50; ++nth) {
            enuf_fail_allocation(nth);
            status = call(which, &sums);
            enuf_fail_allocation(0);
            CHECK(status == ENUF_SUCCESS || status == ENUF_OUT_OF_MEMORY);
            failed += status != ENUF_SUCCESS;
            if (which == 4)
                CHECK_STATUS(enuf_direct_forward(sums, image, expected, NULL), ENUF_SUCCESS);
            if (which == 6 && status != ENUF_SUCCESS) works(sums);
        }
        CHECK(status == ENUF_SUCCESS);
    }
    CHECK(failed > 7);
    enuf_direct_destroy(&sums);
}

static void law(void)
{
    fill();
    bad_options();
    older_options();
    wrong_order();
    errors_of_calls();
    growth_without_bound();
    nothing_to_sum();
    one_object_for_all();
    allocations_that_fail();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
