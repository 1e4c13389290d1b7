/* level.c - see level.h. SPDX-License-Identifier: BSD-3-Clause */
#include "level.h"
#include "cuda/device_memory.h"
#include "kept.h"
#include "matrix.h"

#include <string.h>

enum { MOST_ARRAYS = 7 };

/* An array of enuf_cuda_kept. */
typedef struct kept_array {
    void **at;
    int64_t count; /* of a point */
    size_t size;
    const char *what;
} kept_array;

static void **as_pointer(void *field)
{
    return field;
}

/* The arrays of the plan's level, but `sorting`; returns their number. */
static int arrays_of(const enuf_nufft *plan, enuf_cuda_kept *kept, kept_array array[MOST_ARRAYS])
{
    const int64_t axes = plan->options.dim, width = plan->method.fit.width;
    const size_t number = enuf_cuda_number(plan), whole = sizeof(uint32_t);
    if (plan->options.level == ENUF_LEVEL_WEIGHTS) {
        array[0] =
            (kept_array){&kept->weights, axes * width, number, "the window's values of points"};
        return 1;
    }
    if (plan->options.level != ENUF_LEVEL_MATRIX) return 0;
    const int64_t lines = enuf_cuda_matrix_lines(plan);
    const int64_t strengths = plan->options.batch * (plan->real ? 1 : 2);
    array[0] = (kept_array){&kept->values, lines * width, number, "the interpolation matrix"};
    array[1] = (kept_array){as_pointer(&kept->line), lines, whole, "lines of cells"};
    array[2] = (kept_array){as_pointer(&kept->first), 1, whole, "first cells"};
    array[3] = (kept_array){as_pointer(&kept->index), 1, whole, "indices of points"};
    array[4] = (kept_array){&kept->entry, lines * width, number, "the transposed matrix"};
    array[5] = (kept_array){as_pointer(&kept->entry_point), lines * width, whole,
                            "points of the transposed matrix"};
    array[6] = (kept_array){&kept->strengths, strengths, number, "sorted strengths"};
    return 7;
}

enuf_status enuf_cuda_level_create(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    if (plan->options.level != ENUF_LEVEL_MATRIX) return ENUF_SUCCESS;
    if (cuda->batch_cells > UINT32_MAX)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_create: level matrix: the fine grid has %lld numbers, the "
                         "matrix serves up to %lld: use another level",
                         (long long)cuda->batch_cells, (long long)UINT32_MAX);
    ENUF_TRY(enuf_cuda_allocate(plan, &cuda->row_sums, ENUF_CUDA_ROW_SUMS, sizeof(int64_t),
                                "sums of rows"));
    return enuf_cuda_allocate(plan, &cuda->row_start, enuf_cuda_matrix_rows(plan) + 1,
                              sizeof(int64_t), "rows of the transposed matrix");
}

static enuf_status check_limit(const enuf_nufft *plan, int64_t points, double bytes)
{
    const double limit = (double)plan->options.memory_limit;
    const double all =
        (double)enuf_nufft_bytes(plan) - (double)enuf_cuda_of(plan)->to_release + bytes;
    if (limit == 0 || all <= limit) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "with %lld points the plan takes %.3g GB, memory_limit is %.3g GB; level %s "
                     "takes %.0f bytes a point more than sorted, %.0f bytes in all",
                     (long long)points, all / 1e9, limit / 1e9,
                     enuf_level_name(plan->options.level), bytes / (double)(points ? points : 1),
                     all);
}

enuf_status enuf_cuda_level_room(enuf_nufft *plan, int64_t points, enuf_cuda_kept *kept)
{
    kept_array array[MOST_ARRAYS];
    double bytes = 0;
    int64_t sorting = 0;
    const int n = arrays_of(plan, kept, array), matrix = enuf_cuda_level_multiplies(plan);
    memset(kept, 0, sizeof *kept);
    if (matrix) ENUF_TRY(enuf_cuda_matrix_sorting_bytes(plan, points, &sorting));
    if (matrix) bytes = (double)sorting + ENUF_CUDA_ARRAY_SPARE;
    for (int k = 0; k < n; k++)
        bytes +=
            (double)points * (double)array[k].count * (double)array[k].size + ENUF_CUDA_ARRAY_SPARE;
    enuf_status status = n > 0 ? check_limit(plan, points, bytes) : ENUF_SUCCESS;
    for (int k = 0; status == ENUF_SUCCESS && k < n; k++)
        status = enuf_cuda_allocate(plan, array[k].at, points,
                                    array[k].size * (size_t)array[k].count, array[k].what);
    if (status == ENUF_SUCCESS && matrix)
        status = enuf_cuda_allocate(plan, &kept->sorting, sorting, 1, "room to sort the matrix");
    if (status != ENUF_SUCCESS) enuf_cuda_level_free(plan, kept);
    return status;
}

void enuf_cuda_level_free(enuf_nufft *plan, enuf_cuda_kept *kept)
{
    kept_array array[MOST_ARRAYS];
    const int n = arrays_of(plan, kept, array);
    for (int k = 0; k < n; k++) enuf_cuda_release(plan, array[k].at);
    enuf_cuda_release(plan, &kept->sorting);
}

int64_t enuf_cuda_level_bytes(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_kept kept = cuda->points.kept;
    kept_array array[MOST_ARRAYS];
    int64_t bytes = enuf_cuda_allocated(cuda, kept.sorting);
    const int n = arrays_of(plan, &kept, array);
    for (int k = 0; k < n; k++) bytes += enuf_cuda_allocated(cuda, *array[k].at);
    return bytes;
}

static int keeps_weights(const enuf_nufft *plan)
{
    return plan->options.level == ENUF_LEVEL_WEIGHTS && enuf_cuda_of(plan)->points.n > 0;
}

int enuf_cuda_level_multiplies(const enuf_nufft *plan)
{
    return plan->options.level == ENUF_LEVEL_MATRIX;
}

enuf_status enuf_cuda_level_fill(enuf_nufft *plan)
{
    enuf_cuda_matrix_order order;
    if (keeps_weights(plan)) return enuf_cuda_keep_weights(plan);
    if (!enuf_cuda_level_multiplies(plan) || enuf_cuda_of(plan)->points.n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_matrix_sort(plan, &order));
    ENUF_TRY(enuf_cuda_matrix_make_rows(plan, &order));
    return enuf_cuda_matrix_transpose(plan, &order);
}

enuf_status enuf_cuda_level_spread(enuf_nufft *plan, const enuf_spread_job *job, int vectors)
{
    if (keeps_weights(plan)) return enuf_cuda_spread_kept(plan, job, vectors);
    return enuf_cuda_spread(plan, job, vectors);
}

enuf_status enuf_cuda_level_spread_fixed(enuf_nufft *plan, const enuf_spread_job *job)
{
    if (keeps_weights(plan)) return enuf_cuda_spread_kept_fixed(plan, job);
    return enuf_cuda_spread_fixed(plan, job);
}

enuf_status enuf_cuda_level_interpolate(enuf_nufft *plan, const enuf_interpolate_job *job,
                                        int vectors)
{
    if (keeps_weights(plan) && job->values && !job->gradients)
        return enuf_cuda_interpolate_kept(plan, job, vectors);
    return enuf_cuda_interpolate(plan, job, vectors);
}
