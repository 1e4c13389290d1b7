/*
 * test_direct_device.c - direct sums with arrays in device memory and a stream of the caller.
 *
 *   - Enqueued without waiting, they give the sums of host memory: 1e-13 in double, 2e-6 in float.
 *   - check() reports the first number of samples, pixels, maps, image, values or results that is
 * not finite, once. Then the object works again, with what the error has removed set again.
 *   - A pointer to the wrong memory is refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"
#include "scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A scan on the device; the arrays of the host have their names. */
typedef struct device_scan {
    const scan *s;
    double *k[3], *times, *r[3], *omega, *decay, *gradient[3];
    void *image, *values, *out, *slopes;
    enuf_direct *sums;
} device_scan;

static double *numbers_there(int64_t n, const double *from)
{
    return from ? device_make(ENUF_DOUBLE, n, from) : NULL;
}

static enuf_status set_samples(device_scan *d)
{
    return enuf_direct_set_samples(d->sums, d->s->samples, d->k[0], d->k[1], d->k[2], 1, d->times);
}

static enuf_status set_pixels(device_scan *d)
{
    const scan *s = d->s;
    return s->counts[0] > 0
               ? enuf_direct_set_pixel_grid(d->sums, s->counts, NULL, NULL)
               : enuf_direct_set_pixels(d->sums, s->pixels, d->r[0], d->r[1], d->r[2], 1);
}

static enuf_status set_field(device_scan *d)
{
    const scan *s = d->s;
    return enuf_direct_set_field(d->sums, s->pixels, d->omega, d->decay,
                                 s->kind & 8 ? (const double *const *)d->gradient : NULL,
                                 s->kind & SCAN_VOXEL ? s->voxel : NULL);
}

static void set_all(device_scan *d)
{
    CHECK_STATUS(set_samples(d), ENUF_SUCCESS);
    CHECK_STATUS(set_pixels(d), ENUF_SUCCESS);
    CHECK_STATUS(set_field(d), ENUF_SUCCESS);
}

static device_scan device_scan_make(const scan *s, cudaStream_t stream)
{
    const enuf_precision precision = s->options.precision;
    const int64_t n = 2 * s->options.batch * s->samples, m = 2 * s->options.batch * s->pixels;
    enuf_direct_options options = s->options;
    device_scan d = {.s = s};
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = ENUF_DEVICE;
    options.stream = stream;
    for (int a = 0; a < 3; ++a) {
        d.k[a] = numbers_there(s->samples, s->k[a]);
        d.r[a] = numbers_there(s->pixels, s->r[a]);
        d.gradient[a] = numbers_there(s->pixels, s->gradient[a]);
    }
    d.times = numbers_there(s->samples, s->times);
    d.omega = numbers_there(s->pixels, s->omega);
    d.decay = numbers_there(s->pixels, s->decay);
    d.image = device_make(precision, m, s->image);
    d.values = device_make(precision, n, s->values);
    d.out = device_make(precision, n > m ? n : m, NULL);
    d.slopes = device_make(precision, 3 * n, NULL);
    CHECK_STATUS(enuf_direct_create(&options, &d.sums), ENUF_SUCCESS);
    set_all(&d);
    return d;
}

static void device_scan_free(device_scan *d)
{
    enuf_direct_destroy(&d->sums);
    for (int a = 0; a < 3; ++a) {
        device_free(d->k[a]);
        device_free(d->r[a]);
        device_free(d->gradient[a]);
    }
    device_free(d->times);
    device_free(d->omega);
    device_free(d->decay);
    device_free(d->image);
    device_free(d->values);
    device_free(d->out);
    device_free(d->slopes);
}

/* Complex numbers on the device against those of host memory. */
static void compare(const scan *s, int64_t n, const void *array, const void *expected,
                    const char *name)
{
    const enuf_precision precision = s->options.precision;
    void *numbers = device_read(precision, 2 * n, array);
    CHECK_BELOW(relative_error(precision, 2 * n, numbers, expected),
                precision == ENUF_FLOAT ? 2e-6 : 1e-13, name);
    free(numbers);
}

static void like_host_memory(const scan *s)
{
    const enuf_precision precision = s->options.precision;
    const int64_t n = s->options.batch * s->samples, m = s->options.batch * s->pixels;
    const int dim = s->options.dim;
    void *values = numbers_make(precision, 2 * n), *image = numbers_make(precision, 2 * m);
    void *slopes = numbers_make(precision, 2 * dim * n);
    enuf_direct_options options = s->options;
    int64_t bad = 0;
    cudaStream_t stream;
    options.backend = ENUF_BACKEND_CPU;
    enuf_direct *sums = scan_object(s, &options);
    CHECK_STATUS(enuf_direct_forward(sums, s->image, values, slopes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_adjoint(sums, s->values, image), ENUF_SUCCESS);
    enuf_direct_destroy(&sums);
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    device_scan d = device_scan_make(s, stream);
    printf("%s, kind %d, %s, batch %d\n", precision == ENUF_FLOAT ? "float" : "double", s->kind,
           s->counts[0] > 0 ? "grid" : "anywhere", options.batch);
    CHECK_STATUS(enuf_direct_forward(d.sums, d.image, d.out, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_check(d.sums, &bad), ENUF_SUCCESS);
    CHECK(bad == -1);
    compare(s, n, d.out, values, "  values");
    CHECK_STATUS(enuf_direct_forward(d.sums, d.image, d.out, d.slopes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_check(d.sums, NULL), ENUF_SUCCESS);
    compare(s, n, d.out, values, "  values with gradients");
    compare(s, n * dim, d.slopes, slopes, "  gradients");
    CHECK_STATUS(enuf_direct_adjoint(d.sums, d.values, d.out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_check(d.sums, NULL), ENUF_SUCCESS);
    compare(s, m, d.out, image, "  adjoint");
    device_scan_free(&d);
    CHECK_CUDA(cudaStreamDestroy(stream));
    free(values);
    free(image);
    free(slopes);
}

/* Many outputs and few inputs, few outputs and many inputs, and both many; pairs of 1000 turns. */
static void of_every_size(enuf_precision precision)
{
    static const int64_t size[][2] = {{9001, 130}, {70, 20011}, {3000, 4000}, {1, 1}};
    const enuf_direct_options options = scan_options(2, precision);
    for (int k = 0; k < 4; ++k) {
        scan s = scan_make(&options, SCAN_FIELD, size[k][0], size[k][1], 1000, 41);
        like_host_memory(&s);
        scan_free(&s);
    }
}

static void of_every_kind(enuf_precision precision)
{
    static const int kinds[] = {0, SCAN_VOXEL, SCAN_FIELD | SCAN_DECAY,
                                SCAN_FIELD | SCAN_DECAY | SCAN_GRADIENTS};
    enuf_direct_options options = scan_options(3, precision);
    for (int kind = 0; kind < 4; ++kind)
        for (int grid = 0; grid < 2; ++grid) {
            options.batch = grid ? 3 : 6;
            scan s = grid ? scan_on_grid(&options, kinds[kind], 200, (int64_t[3]){33, 12, 5}, 43)
                          : scan_make(&options, kinds[kind], 200, 700, 30, 43);
            like_host_memory(&s);
            scan_free(&s);
        }
}

/* Number `at` of an array on the device becomes NaN, or what it was. */
static double swap(void *array, int64_t at, double with)
{
    double former;
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemcpy(&former, (double *)array + at, sizeof former, cudaMemcpyDeviceToHost));
    CHECK_CUDA(to_device((double *)array + at, &with, sizeof with));
    CHECK_CUDA(cudaDeviceSynchronize());
    return former;
}

/* Runs all calls with a NaN in an array; check() tells its place once, and all is well again. */
static void report(device_scan *d, void *array, int64_t at, int64_t index, const char *text)
{
    int64_t bad = -1;
    const double former = swap(array, at, NAN);
    set_all(d);
    CHECK_STATUS(enuf_direct_forward(d->sums, d->image, d->out, d->slopes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_adjoint(d->sums, d->values, d->out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_check(d->sums, &bad), ENUF_NOT_FINITE);
    CHECK_TEXT(text);
    CHECK(bad == index);
    CHECK_STATUS(enuf_direct_check(d->sums, &bad), ENUF_SUCCESS);
    CHECK(bad == -1);
    swap(array, at, former);
    set_all(d);
    CHECK_STATUS(enuf_direct_forward(d->sums, d->image, d->out, d->slopes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_check(d->sums, &bad), ENUF_SUCCESS);
}

static void bad_data(void)
{
    const enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    scan s = scan_make(&options, SCAN_FIELD | SCAN_DECAY | SCAN_GRADIENTS, 90, 70, 5, 47);
    device_scan d = device_scan_make(&s, NULL);
    report(&d, d.k[1], 17, 17, "a coordinate of sample 17");
    report(&d, d.times, 3, 3, "the time of sample 3");
    report(&d, d.r[0], 69, 69, "a coordinate of pixel 69");
    report(&d, d.omega, 0, 0, "omega of pixel 0");
    report(&d, d.decay, 8, 8, "decay of pixel 8");
    report(&d, d.gradient[1], 9, 9, "a gradient of pixel 9");
    report(&d, d.image, 2 * 33 + 1, 33, "image[33]");
    report(&d, d.values, 2 * 44, 44, "values[44]");
    /* what an error of samples removes has to be set again */
    swap(d.k[0], 2, NAN);
    CHECK_STATUS(set_samples(&d), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_check(d.sums, NULL), ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_direct_forward(d.sums, d.image, d.out, NULL), ENUF_NO_POINTS_SET);
    device_scan_free(&d);
    scan_free(&s);
}

/* exp(-R t) of a time before 0 may be larger than any number. */
static void growth_without_bound(void)
{
    const enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    scan s = scan_make(&options, SCAN_DECAY, 20, 30, 5, 53);
    for (int64_t k = 0; k < s.pixels; ++k) s.decay[k] = 1e6;
    s.times[11] = -1;
    device_scan d = device_scan_make(&s, NULL);
    int64_t bad = -1;
    CHECK_STATUS(enuf_direct_forward(d.sums, d.image, d.out, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_check(d.sums, &bad), ENUF_NOT_FINITE);
    CHECK_TEXT("result 11");
    CHECK(bad == 11);
    device_scan_free(&d);
    scan_free(&s);
}

static void wrong_memory(void)
{
    const enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    scan s = scan_make(&options, SCAN_FIELD, 20, 30, 5, 59);
    device_scan d = device_scan_make(&s, NULL);
    CHECK_STATUS(enuf_direct_set_samples(d.sums, s.samples, d.k[0], s.k[1], NULL, 1, d.times),
                 ENUF_BAD_MEMORY);
    CHECK_TEXT("y lives in host memory");
    CHECK_STATUS(enuf_direct_set_samples(d.sums, s.samples, d.k[0], d.k[1], NULL, 1, s.times),
                 ENUF_BAD_MEMORY);
    CHECK_TEXT("times");
    CHECK_STATUS(enuf_direct_set_field(d.sums, s.pixels, s.omega, NULL, NULL, NULL),
                 ENUF_BAD_MEMORY);
    CHECK_TEXT("omega");
    CHECK_STATUS(enuf_direct_forward(d.sums, s.image, d.out, NULL), ENUF_BAD_MEMORY);
    CHECK_TEXT("image");
    CHECK_STATUS(enuf_direct_forward(d.sums, d.image, s.values, NULL), ENUF_BAD_MEMORY);
    CHECK_TEXT("values");
    CHECK_STATUS(enuf_direct_adjoint(d.sums, d.values, s.image), ENUF_BAD_MEMORY);
    CHECK_TEXT("image");
    CHECK_STATUS(enuf_direct_forward(d.sums, d.image, d.out, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_check(d.sums, NULL), ENUF_SUCCESS);
    device_scan_free(&d);
    scan_free(&s);
}

static void law(void)
{
    for (int single = 0; single < 2; ++single) {
        of_every_kind(single ? ENUF_FLOAT : ENUF_DOUBLE);
        of_every_size(single ? ENUF_FLOAT : ENUF_DOUBLE);
    }
    bad_data();
    growth_without_bound();
    wrong_memory();
}

int main(void)
{
    return device_main(law);
}
