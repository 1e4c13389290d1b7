/*
 * test_encoding_device.c - an encoding in device memory gives what one of the same GPU gives in
 * host memory: forward, adjoint, normal operator, solution, with and without sensitivities, to
 * 1e-12, in float 1e-5: sums in another order. Fields, decays and gradients; 2D and 3D. Arrays that
 * live on the host are refused; a NaN is reported by the check that follows.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"
#include "encoding_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 600, BATCH = 2, RESULTS = 4 };

/* The arrays of a problem on the device. */
typedef struct device_problem {
    double *places, *times, *omega, *decay, *gradient[3];
    void *image, *data, *weights, *sensitivities;
} device_problem;

static double *there(int64_t n, const double *from)
{
    return from ? device_make(ENUF_DOUBLE, n, from) : NULL;
}

static device_problem copy(encoding_problem *p, const void *weights, const void *sensitivities)
{
    const enuf_precision q = p->options.precision;
    device_problem d = {.places = there(3 * p->n, p->places),
                        .times = there(p->n, p->times),
                        .omega = there(p->pixels, p->omega),
                        .decay = there(p->pixels, p->decay),
                        .image = device_make(q, p->n_image, p->image),
                        .data = device_make(q, p->n_data, p->data),
                        .weights = device_make(q, p->n, weights),
                        .sensitivities = device_make(q, p->n_image, sensitivities)};
    for (int k = 0; k < 3; k++) d.gradient[k] = there(p->pixels, p->gradient[k]);
    return d;
}

static void free_copy(device_problem *d)
{
    void *arrays[] = {d->places,      d->times,       d->omega,        d->decay,
                      d->gradient[0], d->gradient[1], d->gradient[2],  d->image,
                      d->data,        d->weights,     d->sensitivities};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) device_free(arrays[k]);
}

static enuf_status set(enuf_encoding *e, const encoding_problem *p, const device_problem *d)
{
    const double *const gradient[3] = {d->gradient[0], d->gradient[1], d->gradient[2]};
    const enuf_status status =
        enuf_encoding_set_samples(e, p->n, d->places, d->places + 1, d->places + 2, 3, d->times);
    if (status != ENUF_SUCCESS) return status;
    return enuf_encoding_set_field(e, p->pixels, d->omega, d->decay,
                                   d->gradient[0] ? gradient : NULL,
                                   p->with_voxel ? p->voxel : NULL);
}

/* forward, adjoint, normal, solve. */
static void run(enuf_encoding *e, const void *image, const void *data, const void *weights,
                void *const to[RESULTS])
{
    enuf_encoding_solve_options o;
    enuf_encoding_solution solution = {.struct_size = sizeof solution};
    enuf_encoding_solve_options_init(&o);
    o.iterations = 5;
    o.lambda = 20;
    o.tolerance = 0;
    CHECK_STATUS(enuf_encoding_forward(e, image, to[0]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_adjoint(e, data, to[1]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_normal(e, weights, image, to[2]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_solve(e, data, weights, &o, to[3], &solution), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_check(e), ENUF_SUCCESS);
    CHECK(solution.iterations == 5);
}

static void same_in_both_memories(int dim, enuf_precision q, double gradient, int with_coils)
{
    static const char *const names[RESULTS] = {"  forward", "  adjoint", "  normal", "  solution"};
    enuf_encoding_options options = encoding_options(dim, 18, 16, 9);
    options.backend = ENUF_BACKEND_CUDA;
    options.precision = q;
    options.batch = BATCH;
    options.tolerance = 1e-3;
    encoding_problem p = encoding_problem_make(&options, SAMPLES, 0.02, 7);
    encoding_problem_maps(&p, SMOOTH, 90, 20, gradient, 5);
    void *weights = numbers_random(q, p.n, 8), *coils = numbers_random(q, p.n_image, 9);
    for (int64_t j = 0; j < p.n; j++) number_set(q, weights, j, fabs(number_at(q, weights, j)));
    device_problem d = copy(&p, weights, coils);
    const int64_t of_image = with_coils ? p.n_image / BATCH : p.n_image;
    const int64_t sizes[RESULTS] = {p.n_data, of_image, of_image, of_image};
    void *here[RESULTS], *on_device[RESULTS];
    printf("%dD %s, gradients %g, %s\n", dim, q == ENUF_FLOAT ? "float" : "double", gradient,
           with_coils ? "coils" : "a batch");
    for (int k = 0; k < RESULTS; k++) {
        here[k] = numbers_make(q, sizes[k]);
        on_device[k] = device_make(q, sizes[k], NULL);
    }
    enuf_encoding *host = encoding_of(&p), *device = NULL;
    options.memory = ENUF_DEVICE;
    CHECK_STATUS(enuf_encoding_create(&options, &device), ENUF_SUCCESS);
    CHECK_STATUS(set(device, &p, &d), ENUF_SUCCESS);
    CHECK(encoding_report_of(host).interpolators == encoding_report_of(device).interpolators);
    if (with_coils) {
        CHECK_STATUS(enuf_encoding_set_sensitivities(host, coils), ENUF_SUCCESS);
        CHECK_STATUS(enuf_encoding_set_sensitivities(device, d.sensitivities), ENUF_SUCCESS);
    }
    run(host, p.image, p.data, weights, here);
    run(device, d.image, d.data, d.weights, on_device);
    for (int k = 0; k < RESULTS; k++) {
        void *read = device_read(q, sizes[k], on_device[k]);
        CHECK_BELOW(relative_error(q, sizes[k], read, here[k]), q == ENUF_FLOAT ? 1e-5 : 1e-12,
                    names[k]);
        free(read);
        free(here[k]);
        device_free(on_device[k]);
    }
    enuf_encoding_destroy(&host);
    enuf_encoding_destroy(&device);
    free_copy(&d);
    free(weights);
    free(coils);
    encoding_problem_free(&p);
}

static void errors(void)
{
    enuf_encoding_options options = encoding_options(2, 12, 10, 1);
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = ENUF_DEVICE;
    encoding_problem p = encoding_problem_make(&options, SAMPLES, 0.02, 7);
    encoding_problem_maps(&p, SMOOTH, 90, 0, 0, 5);
    device_problem d = copy(&p, p.times, p.image);
    enuf_encoding *e = NULL;
    void *data = device_make(ENUF_DOUBLE, p.n_data, NULL);
    CHECK_STATUS(enuf_encoding_create(&options, &e), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_set_samples(e, p.n, p.places, p.places + 1, NULL, 3, d.times),
                 ENUF_BAD_MEMORY);
    CHECK_STATUS(enuf_encoding_set_samples(e, p.n, d.places, d.places + 1, NULL, 3, p.times),
                 ENUF_BAD_MEMORY);
    CHECK_STATUS(set(e, &p, &d), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_set_field(e, p.pixels, p.omega, NULL, NULL, NULL), ENUF_BAD_MEMORY);
    CHECK_TEXT("omega");
    CHECK_STATUS(enuf_encoding_forward(e, p.image, data), ENUF_BAD_MEMORY);
    CHECK_STATUS(enuf_encoding_forward(e, d.image, p.data), ENUF_BAD_MEMORY);
    CHECK_STATUS(enuf_encoding_forward(e, d.image, data), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_check(e), ENUF_SUCCESS);
    ((double *)p.image)[34] = (double)NAN;
    void *bad = device_make(ENUF_DOUBLE, p.n_image, p.image);
    CHECK_STATUS(enuf_encoding_forward(e, bad, data), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_check(e), ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_encoding_check(e), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_forward(e, d.image, data), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_check(e), ENUF_SUCCESS);
    p.omega[7] = (double)INFINITY;
    double *map = device_make(ENUF_DOUBLE, p.pixels, p.omega);
    CHECK_STATUS(enuf_encoding_set_field(e, p.pixels, map, NULL, NULL, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("omega[7]");
    p.times[11] = (double)NAN;
    double *times = device_make(ENUF_DOUBLE, p.n, p.times);
    CHECK_STATUS(enuf_encoding_set_samples(e, p.n, d.places, d.places + 1, NULL, 3, times),
                 ENUF_NOT_FINITE);
    CHECK_TEXT("the time of sample 11");
    enuf_encoding_destroy(&e);
    device_free(data);
    device_free(bad);
    device_free(map);
    device_free(times);
    free_copy(&d);
    encoding_problem_free(&p);
}

static void law(void)
{
    for (int dim = 2; dim <= 3; dim++)
        for (int kind = 0; kind < 8; kind++)
            same_in_both_memories(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
                                  kind & 2 && dim == 2 ? 15 : 0, kind >> 2);
    errors();
}

int main(void)
{
    return device_main(law);
}
