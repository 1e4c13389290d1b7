/*
 * engine_cuda.c - direct sums on a GPU: checks of pointers, passes over the batch, copies of arrays
 * in host memory, errors of data in device memory.
 *
 * Host memory: a call waits until its data are complete. Device memory: only check waits.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "device_arguments.h"
#include "workspace.h"

#include <stdio.h>
#include <string.h>

/* Calls it on the object's device and returns its status. */
#define ON_DEVICE(sums, call)                                                                      \
    do {                                                                                           \
        int callers, device = enuf_direct_cuda_of(sums)->device;                                   \
        ENUF_TRY(enuf_cuda_enter(device, &callers));                                               \
        enuf_status status = (call);                                                               \
        enuf_cuda_leave(device, callers);                                                          \
        return status;                                                                             \
    } while (0)

static int on_host(const enuf_direct *sums)
{
    return sums->options.memory == ENUF_HOST;
}

static enuf_status check_place(const enuf_direct *sums, const void *array, const char *name)
{
    return enuf_cuda_check_place(array, sums->options.memory, enuf_direct_cuda_of(sums)->device,
                                 name);
}

static enuf_status wait(const enuf_direct *sums)
{
    ENUF_CUDA_TRY(cudaStreamSynchronize(enuf_direct_cuda_of(sums)->stream), "waiting for the GPU");
    return ENUF_SUCCESS;
}

/* ---- Making and freeing ---- */

static enuf_status create(enuf_direct *sums)
{
    enuf_direct_cuda *cuda;
    ENUF_TRY(enuf_allocate(&cuda, 1, sizeof *cuda, "a workspace"));
    memset(cuda, 0, sizeof *cuda);
    sums->workspace = cuda; /* from here on destroy() cleans up */
    cuda->device = -1;
    cuda->stream = sums->options.stream;
    ENUF_TRY(enuf_cuda_device_choose("enuf_direct_create", sums->options.device, cuda->stream,
                                     &cuda->device));
    ON_DEVICE(sums, enuf_direct_make_workspace(cuda));
}

static void destroy(enuf_direct *sums)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    int callers = -1;
    if (!cuda) return;
    if (cuda->device >= 0 && enuf_cuda_enter(cuda->device, &callers) != ENUF_SUCCESS) callers = -1;
    enuf_direct_free_workspace(cuda);
    if (callers >= 0) enuf_cuda_leave(cuda->device, callers);
    enuf_release(&sums->workspace);
}

/* ---- What the caller sets ---- */

/* Numbers of the caller's with a stride to `to` on the device. */
static enuf_status bring(const enuf_direct *sums, int64_t n, const double *from, int64_t stride,
                         double *to, enuf_direct_array array, unsigned long long *most)
{
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    double *packed;
    if (!on_host(sums)) return enuf_direct_pack(sums, n, from, stride, to, array, most);
    ENUF_TRY(enuf_allocate(&packed, n, sizeof(double), "packed coordinates"));
    for (int64_t i = 0; i < n; ++i) packed[i] = from[i * stride];
    const cudaError_t error = cudaMemcpyAsync(to, packed, (size_t)n * sizeof(double),
                                              cudaMemcpyHostToDevice, cuda->stream);
    enuf_status status = error == cudaSuccess ? wait(sums) : enuf_cuda_status(error, "coordinates");
    enuf_release(&packed);
    if (status == ENUF_SUCCESS) status = enuf_direct_pack(sums, n, to, 1, to, array, most);
    return status;
}

static enuf_status check_coordinates(const enuf_direct *sums, const enuf_direct_points *places)
{
    static const char *const name[3] = {"x", "y", "z"};
    for (int d = 0; places->n > 0 && d < sums->options.dim; ++d)
        ENUF_TRY(check_place(sums, places->x[d], name[d]));
    return ENUF_SUCCESS;
}

static enuf_status set_samples_here(enuf_direct *sums, const enuf_direct_points *places,
                                    const double *times)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    ENUF_TRY(check_coordinates(sums, places));
    ENUF_TRY(check_place(sums, times, "times"));
    ENUF_TRY(enuf_direct_room_for_samples(sums, places->n, times != NULL));
    for (int d = 0; d < sums->options.dim; ++d)
        ENUF_TRY(bring(sums, places->n, places->x[d], places->stride, cuda->place[d],
                       ENUF_DIRECT_SAMPLES, NULL));
    if (!times) return ENUF_SUCCESS;
    return bring(sums, places->n, times, 1, cuda->times, ENUF_DIRECT_TIMES, &cuda->extent->most[3]);
}

static enuf_status set_samples(enuf_direct *sums, const enuf_direct_points *places,
                               const double *times)
{
    ON_DEVICE(sums, set_samples_here(sums, places, times));
}

static enuf_status set_pixels_here(enuf_direct *sums, const enuf_direct_points *places)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    ENUF_TRY(check_coordinates(sums, places));
    ENUF_TRY(enuf_direct_room_for_pixels(sums, places->n, NULL));
    for (int d = 0; d < sums->options.dim; ++d)
        ENUF_TRY(bring(sums, places->n, places->x[d], places->stride, cuda->pixel[d],
                       ENUF_DIRECT_PIXELS, &cuda->extent->most[d]));
    return ENUF_SUCCESS;
}

static enuf_status set_pixels(enuf_direct *sums, const enuf_direct_points *places)
{
    ON_DEVICE(sums, set_pixels_here(sums, places));
}

static enuf_status set_pixel_grid_here(enuf_direct *sums, const enuf_direct_grid *grid)
{
    const int64_t n = grid->counts[0] * grid->counts[1] * grid->counts[2];
    ENUF_TRY(enuf_direct_room_for_pixels(sums, n, grid));
    return enuf_direct_pack_nodes(sums);
}

static enuf_status set_pixel_grid(enuf_direct *sums, const enuf_direct_grid *grid)
{
    ON_DEVICE(sums, set_pixel_grid_here(sums, grid));
}

static enuf_status bring_map(const enuf_direct *sums, const double *from, double *to,
                             enuf_direct_array array)
{
    return from ? bring(sums, sums->n_pixels, from, 1, to, array, NULL) : ENUF_SUCCESS;
}

static enuf_status set_field_here(enuf_direct *sums, const enuf_direct_field *field)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    ENUF_TRY(check_place(sums, field->omega, "omega"));
    ENUF_TRY(check_place(sums, field->decay, "decay"));
    for (int d = 0; d < 3; ++d) ENUF_TRY(check_place(sums, field->gradient[d], "gradient"));
    ENUF_TRY(enuf_direct_room_for_field(sums, field));
    ENUF_TRY(bring_map(sums, field->omega, cuda->omega, ENUF_DIRECT_OMEGA));
    ENUF_TRY(bring_map(sums, field->decay, cuda->decay, ENUF_DIRECT_DECAY));
    for (int d = 0; d < 3; ++d)
        ENUF_TRY(bring_map(sums, field->gradient[d], cuda->gradient[d], ENUF_DIRECT_GRADIENT));
    return ENUF_SUCCESS;
}

static enuf_status set_field(enuf_direct *sums, const enuf_direct_field *field)
{
    ON_DEVICE(sums, set_field_here(sums, field));
}

/* ---- Sums ---- */

static enuf_status run_pass(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    const int lattice = enuf_direct_pass_is_lattice(sums, pass);
    ENUF_TRY(enuf_direct_room_for_pass(sums, pass));
    if (sums->options.precision == ENUF_FLOAT)
        return lattice ? enuf_direct_lattice_f32(sums, pass) : enuf_direct_pairs_f32(sums, pass);
    return lattice ? enuf_direct_lattice_f64(sums, pass) : enuf_direct_pairs_f64(sums, pass);
}

/* All passes; arrays on the device. */
static enuf_status run(const enuf_direct *sums, int forward, const void *input, void *output,
                       void *gradients)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const int batch = sums->options.batch, dim = sums->options.dim;
    const size_t pair = 2 * enuf_direct_number_size(sums);
    const size_t in = pair * (size_t)(forward ? sums->n_pixels : sums->n_samples);
    const size_t out = pair * (size_t)(forward ? sums->n_samples : sums->n_pixels);
    int vectors;
    if (gradients) ENUF_TRY(enuf_direct_room_for_words(sums));
    if (!cuda->words_made) ENUF_TRY(enuf_direct_make_words(sums));
    cuda->words_made = 1;
    for (int b = 0; b < batch; b += vectors) {
        vectors = batch - b < ENUF_DIRECT_MOST_SUMS ? batch - b : ENUF_DIRECT_MOST_SUMS;
        if (gradients) vectors = 1;
        const enuf_direct_pass pass = {
            .forward = forward,
            .slopes = gradients != NULL,
            .sums = gradients ? 1 + dim : vectors,
            .input = (const char *)input + in * (size_t)b,
            .output = output ? (char *)output + out * (size_t)b : NULL,
            .gradients = gradients ? (char *)gradients + out * (size_t)(b * dim) : NULL};
        ENUF_TRY(run_pass(sums, &pass));
    }
    return ENUF_SUCCESS;
}

static enuf_status copy(const enuf_direct *sums, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind)
{
    if (bytes > 0)
        ENUF_CUDA_TRY(cudaMemcpyAsync(to, from, bytes, kind, enuf_direct_cuda_of(sums)->stream),
                      "copying an image or values");
    return ENUF_SUCCESS;
}

static enuf_status run_host(const enuf_direct *sums, int forward, const void *input, void *output,
                            void *gradients)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const int64_t numbers = 2 * sums->options.batch;
    const int64_t in = numbers * (forward ? sums->n_pixels : sums->n_samples);
    const int64_t out = numbers * (forward ? sums->n_samples : sums->n_pixels);
    const size_t size = enuf_direct_number_size(sums);
    const int64_t slopes = gradients ? out * sums->options.dim : 0;
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->input, in, size, "an image"));
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->output, out + slopes, size, "values"));
    char *values = cuda->output.at, *derived = values + (size_t)out * size;
    ENUF_TRY(copy(sums, cuda->input.at, input, (size_t)in * size, cudaMemcpyHostToDevice));
    ENUF_TRY(
        run(sums, forward, cuda->input.at, output ? values : NULL, gradients ? derived : NULL));
    if (output) ENUF_TRY(copy(sums, output, values, (size_t)out * size, cudaMemcpyDeviceToHost));
    ENUF_TRY(copy(sums, gradients, derived, (size_t)slopes * size, cudaMemcpyDeviceToHost));
    return wait(sums);
}

static enuf_status forward_here(const enuf_direct *sums, const void *image, void *values,
                                void *gradients)
{
    ENUF_TRY(check_place(sums, image, "image"));
    ENUF_TRY(check_place(sums, values, "values"));
    ENUF_TRY(check_place(sums, gradients, "gradients"));
    if (on_host(sums)) return run_host(sums, 1, image, values, gradients);
    ENUF_TRY(enuf_direct_look_at(sums, sums->n_pixels, image, ENUF_DIRECT_IMAGE));
    return run(sums, 1, image, values, gradients);
}

static enuf_status forward(enuf_direct *sums, const void *image, void *values, void *gradients)
{
    ON_DEVICE(sums, forward_here(sums, image, values, gradients));
}

static enuf_status adjoint_here(const enuf_direct *sums, const void *values, void *image)
{
    ENUF_TRY(check_place(sums, values, "values"));
    ENUF_TRY(check_place(sums, image, "image"));
    if (on_host(sums)) return run_host(sums, 0, values, image, NULL);
    ENUF_TRY(enuf_direct_look_at(sums, sums->n_samples, values, ENUF_DIRECT_VALUES));
    return run(sums, 0, values, image, NULL);
}

static enuf_status adjoint(enuf_direct *sums, const void *values, void *image)
{
    ON_DEVICE(sums, adjoint_here(sums, values, image));
}

/* ---- Errors of data in device memory ---- */

/* Calls with bad data have returned success. What they have set must not be used. */
static void forget(enuf_direct *sums, const enuf_direct_record *record)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const unsigned long long *bad = record->bad, none = ENUF_DIRECT_NONE;
    const int pixels = bad[ENUF_DIRECT_PIXELS] != none;
    if (bad[ENUF_DIRECT_SAMPLES] != none || bad[ENUF_DIRECT_TIMES] != none) sums->n_samples = -1;
    if (pixels) sums->n_pixels = -1;
    if (pixels || bad[ENUF_DIRECT_OMEGA] != none || bad[ENUF_DIRECT_DECAY] != none ||
        bad[ENUF_DIRECT_GRADIENT] != none) {
        enuf_direct_forget_field(cuda);
        sums->has_maps = 0;
    }
}

static enuf_status check_here(enuf_direct *sums, int64_t *first_bad)
{
    static const char *const format[] = {
#define ENUF_X(NAME, text) text,
        ENUF_DIRECT_ARRAYS(ENUF_X)
#undef ENUF_X
    };
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const enuf_direct_record *record = cuda->host_copy;
    char text[200];
    int array = 0;
    if (on_host(sums)) return ENUF_SUCCESS;
    ENUF_TRY(copy(sums, cuda->host_copy, cuda->record, sizeof *record, cudaMemcpyDeviceToHost));
    ENUF_TRY(wait(sums));
    while (array < ENUF_DIRECT_ARRAY_COUNT && record->bad[array] == ENUF_DIRECT_NONE) array++;
    if (array == ENUF_DIRECT_ARRAY_COUNT) return ENUF_SUCCESS;
    const long long index = (long long)record->bad[array];
    if (first_bad) *first_bad = index;
    forget(sums, record);
    ENUF_TRY(enuf_direct_clear_record(cuda));
    snprintf(text, sizeof text, format[array], index);
    return enuf_fail(ENUF_NOT_FINITE, "%s", text);
}

static enuf_status check(enuf_direct *sums, int64_t *first_bad)
{
    ON_DEVICE(sums, check_here(sums, first_bad));
}

const enuf_direct_engine enuf_direct_engine_cuda = {
    .create = create,
    .destroy = destroy,
    .set_samples = set_samples,
    .set_pixels = set_pixels,
    .set_pixel_grid = set_pixel_grid,
    .set_field = set_field,
    .forward = forward,
    .adjoint = adjoint,
    .check = check,
};
