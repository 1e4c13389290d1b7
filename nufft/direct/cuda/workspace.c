/* workspace.c - see workspace.h. SPDX-License-Identifier: BSD-3-Clause */
#include "workspace.h"
#include "memory.h"

#include <string.h>

enuf_status enuf_direct_clear_record(const enuf_direct_cuda *cuda)
{
    ENUF_CUDA_TRY(cudaMemsetAsync(cuda->record, 0xff, sizeof *cuda->record, cuda->stream),
                  "clearing the record of errors");
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_make_workspace(enuf_direct_cuda *cuda)
{
    const size_t record = sizeof *cuda->record;
    ENUF_CUDA_TRY(cudaDeviceGetAttribute(&cuda->multiprocessors, cudaDevAttrMultiProcessorCount,
                                         cuda->device),
                  "asking for multiprocessors");
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->fixed, 1,
                                       record + sizeof *cuda->extent, "errors' record"));
    cuda->record = cuda->fixed.at;
    cuda->extent = (enuf_direct_extent *)((char *)cuda->fixed.at + record);
    if (enuf_allocation_fails()) return enuf_cuda_no_memory((double)record, "errors' record");
    ENUF_CUDA_TRY(cudaMallocHost((void **)&cuda->host_copy, record), "errors' record");
    ENUF_CUDA_TRY(cudaMemsetAsync(cuda->extent, 0, sizeof *cuda->extent, cuda->stream), "extents");
    return enuf_direct_clear_record(cuda);
}

void enuf_direct_free_workspace(enuf_direct_cuda *cuda)
{
    enuf_device_array *const arrays[] = {&cuda->fixed, &cuda->samples, &cuda->pixels,
                                         &cuda->maps,  &cuda->words,   &cuda->partial,
                                         &cuda->input, &cuda->output};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
        enuf_device_array_release(&cuda->memory, arrays[k]);
    if (cuda->host_copy) cudaFreeHost(cuda->host_copy);
    cudaGetLastError(); /* after a sticky error all of these fail, and there is nothing to free */
}

/* Room that keeps the old array until there is a new one. */
static enuf_status renew(enuf_direct_cuda *cuda, enuf_device_array *array, int64_t count,
                         size_t size, const char *what)
{
    enuf_device_array fresh = {0};
    if (array->at && (double)count * (double)size <= (double)array->bytes) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &fresh, count, size, what));
    enuf_device_array_release(&cuda->memory, array);
    *array = fresh;
    return ENUF_SUCCESS;
}

/* ---- Partial sums ---- */

int enuf_direct_pass_is_lattice(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    return enuf_direct_is_lattice(enuf_direct_cuda_of(sums)) && !pass->slopes;
}

enuf_status enuf_direct_room_for_pass(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const int lattice = enuf_direct_pass_is_lattice(sums, pass);
    int64_t count;
    if (sums->options.precision == ENUF_FLOAT)
        count = lattice ? enuf_direct_lattice_partial_f32(sums, pass)
                        : enuf_direct_pairs_partial_f32(sums, pass);
    else
        count = lattice ? enuf_direct_lattice_partial_f64(sums, pass)
                        : enuf_direct_pairs_partial_f64(sums, pass);
    return enuf_device_array_reserve(&cuda->memory, &cuda->partial, count,
                                     2 * enuf_direct_number_size(sums), "partial sums");
}

/* Room of the calls to come, if samples and pixels are as in `planned` and its workspace. Partial
 * sums hold nothing between calls, so that they may grow before the rest is known to have room. */
static enuf_status room_for_calls(enuf_direct_cuda *cuda, const enuf_direct *planned)
{
    enuf_direct_cuda *of_plan = planned->workspace;
    const int batch = planned->options.batch;
    if (planned->n_samples < 0 || planned->n_pixels < 0) return ENUF_SUCCESS;
    enuf_status status = ENUF_SUCCESS;
    for (int forward = 0; status == ENUF_SUCCESS && forward < 2; ++forward) {
        const enuf_direct_pass pass = {
            .forward = forward,
            .sums = batch < ENUF_DIRECT_MOST_SUMS ? batch : ENUF_DIRECT_MOST_SUMS};
        status = enuf_direct_room_for_pass(planned, &pass);
    }
    cuda->partial = of_plan->partial;
    cuda->memory = of_plan->memory;
    return status;
}

/* ---- Samples ---- */

static size_t rounded(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

enuf_status enuf_direct_room_for_samples(enuf_direct *sums, int64_t n, int with_times)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums), of_plan = *cuda;
    const int dim = sums->options.dim;
    const size_t one = rounded((size_t)n * sizeof(double));
    const size_t words = rounded((size_t)(n * enuf_direct_word_bytes(sums)));
    enuf_direct planned = *sums;
    planned.workspace = &of_plan;
    planned.n_samples = n;
    ENUF_TRY(room_for_calls(cuda, &planned));
    ENUF_TRY(renew(cuda, &cuda->samples, 1, one * (size_t)(dim + 2) + words, "samples"));
    char *at = cuda->samples.at;
    for (int d = 0; d < dim; ++d, at += one) cuda->place[d] = (double *)at;
    cuda->times = with_times ? (double *)at : NULL;
    cuda->factor = at + one;
    cuda->sample_words = at + 2 * one;
    cuda->words_made = 0;
    ENUF_CUDA_TRY(
        cudaMemsetAsync(&cuda->extent->most[3], 0, sizeof cuda->extent->most[3], cuda->stream),
        "the extent of times");
    return ENUF_SUCCESS;
}

/* ---- Pixels ---- */

void enuf_direct_forget_field(enuf_direct_cuda *cuda)
{
    cuda->omega = cuda->decay = NULL;
    for (int d = 0; d < 3; ++d) cuda->gradient[d] = NULL;
    memset(cuda->voxel, 0, sizeof cuda->voxel);
    cuda->words_made = 0;
}

static enuf_status words_for(enuf_direct_cuda *cuda, const enuf_direct *sums, int64_t n)
{
    return renew(cuda, &cuda->words, n, (size_t)enuf_direct_word_bytes(sums), "pixels");
}

enuf_status enuf_direct_room_for_words(const enuf_direct *sums)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const void *former = cuda->words.at;
    ENUF_TRY(words_for(cuda, sums, sums->n_pixels));
    if (cuda->words.at != former) cuda->words_made = 0;
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_room_for_pixels(enuf_direct *sums, int64_t n, const enuf_direct_grid *grid)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums), of_plan = *cuda;
    const int dim = sums->options.dim;
    size_t bytes[3] = {0};
    enuf_direct planned = *sums;
    planned.workspace = &of_plan;
    planned.n_pixels = n;
    enuf_direct_forget_field(&of_plan);
    of_plan.on_grid = grid != NULL;
    if (grid) of_plan.grid = *grid;
    for (int d = 0; d < 3; ++d) /* on a grid places and words of the nodes */
        bytes[d] = grid      ? 2 * rounded((size_t)grid->counts[d] * sizeof(double))
                   : d < dim ? rounded((size_t)n * sizeof(double))
                             : 0;
    ENUF_TRY(room_for_calls(cuda, &planned));
    if (!enuf_direct_is_lattice(&of_plan)) ENUF_TRY(words_for(cuda, sums, n));
    ENUF_TRY(renew(cuda, &cuda->pixels, 1, bytes[0] + bytes[1] + bytes[2], "pixels"));
    char *at = cuda->pixels.at;
    for (int d = 0; d < 3; at += bytes[d++]) {
        cuda->pixel[d] = bytes[d] > 0 || grid ? (double *)at : NULL;
        cuda->node_words[d] = grid ? at + bytes[d] / 2 : NULL;
    }
    if (enuf_direct_is_lattice(&of_plan)) enuf_device_array_release(&cuda->memory, &cuda->words);
    enuf_direct_forget_field(cuda);
    cuda->on_grid = of_plan.on_grid;
    cuda->grid = of_plan.grid;
    ENUF_CUDA_TRY(cudaMemsetAsync(cuda->extent, 0, 3 * sizeof cuda->extent->most[0], cuda->stream),
                  "the extent of pixels");
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_room_for_field(enuf_direct *sums, const enuf_direct_field *field)
{
    enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums), of_plan = *cuda;
    const double *const given[5] = {field->omega, field->decay, field->gradient[0],
                                    field->gradient[1], field->gradient[2]};
    const size_t one = rounded((size_t)sums->n_pixels * sizeof(double));
    double *map[5] = {NULL};
    enuf_direct planned = *sums;
    size_t bytes = 0;
    planned.workspace = &of_plan;
    for (int k = 0; k < 5; ++k) bytes += given[k] ? one : 0;
    /* only whether there are maps counts here */
    of_plan.omega = given[0] || given[1] ? (double *)&of_plan : NULL;
    of_plan.decay = NULL;
    of_plan.gradient[0] = given[2] ? (double *)&of_plan : NULL;
    ENUF_TRY(room_for_calls(cuda, &planned));
    if (!enuf_direct_is_lattice(&of_plan)) ENUF_TRY(words_for(cuda, sums, sums->n_pixels));
    ENUF_TRY(renew(cuda, &cuda->maps, 1, bytes, "maps"));
    char *at = cuda->maps.at;
    for (int k = 0; k < 5; at += given[k++] ? one : 0) map[k] = given[k] ? (double *)at : NULL;
    enuf_direct_forget_field(cuda);
    cuda->omega = map[0];
    cuda->decay = map[1];
    for (int d = 0; d < 3; ++d) cuda->gradient[d] = map[2 + d];
    memcpy(cuda->voxel, field->voxel, sizeof cuda->voxel);
    return ENUF_SUCCESS;
}
