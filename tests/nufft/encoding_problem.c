/* encoding_problem.c - see encoding_problem.h. SPDX-License-Identifier: BSD-3-Clause */
#include "encoding_problem.h"

#include "random_system.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *map_kind_name(map_kind kind)
{
    static const char *const names[MAP_KINDS] = {"no map", "zero",       "smooth",
                                                 "rough",  "two values", "linear"};
    return names[kind];
}

enuf_encoding_options encoding_options(int dim, int64_t n1, int64_t n2, int64_t n3)
{
    const enuf_nufft_options tested = conformance_options(dim, n1, n2, n3);
    enuf_encoding_options options;
    enuf_encoding_options_init(&options);
    options.backend = tested.backend;
    options.dim = dim;
    for (int d = 0; d < dim; d++) options.pixels[d] = tested.modes[d];
    return options;
}

/* Place of a pixel in numbers of pixels from the middle. */
static void place_of(const encoding_problem *p, int64_t pixel, double r[3])
{
    for (int d = 0; d < 3; d++) {
        const int64_t n = d < p->options.dim ? p->options.pixels[d] : 1, i = pixel % n;
        pixel /= n;
        if (p->options.mode_order == ENUF_CENTRED)
            r[d] = (double)(i - n / 2);
        else
            r[d] = (double)(i < (n + 1) / 2 ? i : i - n);
    }
}

static double *doubles(int64_t n)
{
    return numbers_make(ENUF_DOUBLE, n);
}

encoding_problem encoding_problem_make(const enuf_encoding_options *options, int64_t n,
                                       double readout, uint64_t seed)
{
    encoding_problem p = {.options = *options, .n = n, .pixels = 1};
    for (int d = 0; d < options->dim; d++) p.pixels *= options->pixels[d];
    p.places = numbers_random(ENUF_DOUBLE, 3 * n, seed);
    p.times = doubles(n);
    for (int64_t j = 0; j < n; j++) {
        for (int d = 0; d < 3; d++)
            p.places[3 * j + d] =
                d < options->dim ? 0.5 * (double)options->pixels[d] * p.places[3 * j + d] : NAN;
        p.times[j] = n > 1 ? readout * (double)j / (double)(n - 1) : 0;
    }
    for (int d = 0; d < options->dim; d++) p.voxel[d] = 1 / (double)options->pixels[d];
    p.n_image = 2 * p.pixels * options->batch;
    p.n_data = 2 * n * options->batch;
    p.image = numbers_random(options->precision, p.n_image, seed + 1);
    p.data = numbers_random(options->precision, p.n_data, seed + 2);
    p.data_expected = numbers_make(options->precision, p.n_data);
    p.image_expected = numbers_make(options->precision, p.n_image);
    return p;
}

/* In [-1, 1]. */
static double field_at(const encoding_problem *p, map_kind kind, int64_t pixel, double random)
{
    double r[3];
    place_of(p, pixel, r);
    for (int d = 0; d < 3; d++) r[d] /= d < p->options.dim ? 0.5 * (double)p->options.pixels[d] : 1;
    switch (kind) {
    case SMOOTH:
        return 0.6 * cos(2 * r[0] + r[1]) + 0.4 * sin(3 * r[1] - r[2]) - 0.2 * r[0] * r[2];
    case ROUGH:
        return random;
    case TWO_VALUES:
        return r[0] + 0.3 * r[1] > 0.2 ? 1 : -0.37;
    case LINEAR:
        return r[0];
    default:
        return 0;
    }
}

void encoding_problem_maps(encoding_problem *p, map_kind kind, double field, double decay,
                           double gradient, uint64_t seed)
{
    double *random = numbers_random(ENUF_DOUBLE, p->pixels, seed);
    if (kind != NO_MAP) p->omega = doubles(p->pixels);
    for (int64_t k = 0; p->omega && k < p->pixels; k++)
        p->omega[k] = 2 * M_PI * field * field_at(p, kind, k, random[k]);
    if (decay > 0) p->decay = numbers_random(ENUF_DOUBLE, p->pixels, seed + 1);
    for (int64_t k = 0; p->decay && k < p->pixels; k++)
        p->decay[k] = 0.5 * decay * (1 + p->decay[k]);
    for (int d = 0; gradient > 0 && d < p->options.dim; d++) {
        p->gradient[d] = numbers_random(ENUF_DOUBLE, p->pixels, seed + 2 + (uint64_t)d);
        for (int64_t k = 0; k < p->pixels; k++) p->gradient[d][k] *= gradient;
    }
    p->with_voxel = gradient > 0;
    free(random);
}

static double sinc(double x)
{
    return x == 0 ? 1 : sin(M_PI * x) / (M_PI * x);
}

/* The encoding of pixel k, at r, in sample j. */
static double complex element(const encoding_problem *p, int64_t j, int64_t k, const double r[3])
{
    const double t = p->times ? p->times[j] : 0;
    double turns = 0, size = p->decay ? exp(-p->decay[k] * t) : 1;
    for (int d = 0; d < p->options.dim; d++) {
        const double place = p->places[3 * j + d];
        turns += place * r[d] / (double)p->options.pixels[d];
        if (p->with_voxel)
            size *= sinc(place * p->voxel[d] + (p->gradient[d] ? p->gradient[d][k] * t : 0));
    }
    turns -= rint(turns);
    const double phase = 2 * M_PI * turns + (p->omega ? p->omega[k] * t : 0);
    return size * cexp(I * (p->options.sign * phase));
}

static double complex number(const encoding_problem *p, const void *numbers, int64_t at)
{
    return number_at(p->options.precision, numbers, 2 * at) +
           I * number_at(p->options.precision, numbers, 2 * at + 1);
}

static void put(const encoding_problem *p, int64_t n, const double complex *from, void *to)
{
    for (int64_t i = 0; i < n; i++) {
        number_set(p->options.precision, to, 2 * i, creal(from[i]));
        number_set(p->options.precision, to, 2 * i + 1, cimag(from[i]));
    }
}

void encoding_problem_sum(encoding_problem *p)
{
    const int64_t batch = p->options.batch;
    double complex *data = calloc((size_t)(batch * p->n) + 1, sizeof *data);
    double complex *image = calloc((size_t)(batch * p->pixels) + 1, sizeof *image);
    if (!data || !image) abort();
    for (int64_t k = 0; k < p->pixels; k++) {
        double r[3];
        place_of(p, k, r);
        for (int64_t j = 0; j < p->n; j++) {
            const double complex e = element(p, j, k, r);
            for (int64_t b = 0; b < batch; b++) {
                data[b * p->n + j] += e * number(p, p->image, b * p->pixels + k);
                image[b * p->pixels + k] += conj(e) * number(p, p->data, b * p->n + j);
            }
        }
    }
    put(p, batch * p->n, data, p->data_expected);
    put(p, batch * p->pixels, image, p->image_expected);
    free(data);
    free(image);
}

enuf_status encoding_problem_set(const encoding_problem *p, enuf_encoding *encoding)
{
    const double *const gradient[3] = {p->gradient[0], p->gradient[1], p->gradient[2]};
    const enuf_status status = enuf_encoding_set_samples(encoding, p->n, p->places, p->places + 1,
                                                         p->places + 2, 3, p->times);
    if (status != ENUF_SUCCESS) return status;
    return enuf_encoding_set_field(encoding, p->pixels, p->omega, p->decay,
                                   p->gradient[0] ? gradient : NULL,
                                   p->with_voxel ? p->voxel : NULL);
}

enuf_encoding *encoding_of(const encoding_problem *p)
{
    enuf_encoding *encoding = NULL;
    if (!CHECK_STATUS(enuf_encoding_create(&p->options, &encoding), ENUF_SUCCESS)) return NULL;
    if (!CHECK_STATUS(encoding_problem_set(p, encoding), ENUF_SUCCESS))
        enuf_encoding_destroy(&encoding);
    return encoding;
}

double forward_error(const encoding_problem *p, enuf_encoding *encoding)
{
    void *data = numbers_make(p->options.precision, p->n_data);
    CHECK_STATUS(enuf_encoding_forward(encoding, p->image, data), ENUF_SUCCESS);
    const double error = relative_error(p->options.precision, p->n_data, data, p->data_expected);
    free(data);
    return error;
}

double adjoint_error(const encoding_problem *p, enuf_encoding *encoding)
{
    void *image = numbers_make(p->options.precision, p->n_image);
    CHECK_STATUS(enuf_encoding_adjoint(encoding, p->data, image), ENUF_SUCCESS);
    const double error = relative_error(p->options.precision, p->n_image, image, p->image_expected);
    free(image);
    return error;
}

enuf_encoding_report encoding_report_of(const enuf_encoding *encoding)
{
    enuf_encoding_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_encoding_get_report(encoding, &report), ENUF_SUCCESS);
    return report;
}

void encoding_problem_free(encoding_problem *p)
{
    void *arrays[] = {p->places,      p->times,         p->omega,         p->decay,
                      p->gradient[0], p->gradient[1],   p->gradient[2],   p->image,
                      p->data,        p->data_expected, p->image_expected};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
}
