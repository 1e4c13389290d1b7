/* level.c - what a level keeps of each point: its arrays, and when they are filled.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "cpu.h"

#include <string.h>

enum { MOST_ARRAYS = 6 };

/* An array of enuf_kept. */
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

/* The arrays of the plan's level; returns their number. */
static int arrays_of(const enuf_nufft *plan, enuf_kept *kept, kept_array array[MOST_ARRAYS])
{
    const int width = plan->method.window.width, dim = plan->options.dim;
    const size_t number = enuf_number_size(plan);
    const int64_t row = BY_PRECISION(plan, enuf_cpu_row_step, width);
    const int64_t lines = (dim > 1 ? width : 1) * (dim > 2 ? width : 1);
    const int64_t strengths = plan->options.batch * (plan->real ? 1 : 2);
    if (plan->options.level == ENUF_LEVEL_WEIGHTS) {
        array[0] = (kept_array){&kept->weights, dim * row, number, "the window's values of points"};
        return 1;
    }
    if (plan->options.level != ENUF_LEVEL_MATRIX) return 0;
    array[0] = (kept_array){&kept->values, lines * row, number, "the interpolation matrix"};
    array[1] = (kept_array){as_pointer(&kept->line), lines, sizeof(uint32_t), "lines of cells"};
    array[2] = (kept_array){as_pointer(&kept->first), 1, sizeof(int64_t), "first cells"};
    array[3] = (kept_array){&kept->entry, lines * width, number, "the transposed matrix"};
    array[4] = (kept_array){as_pointer(&kept->entry_point), lines * width, sizeof(uint32_t),
                            "points of the transposed matrix"};
    array[5] = (kept_array){&kept->strengths, strengths, number, "sorted strengths"};
    return MOST_ARRAYS;
}

enuf_status enuf_cpu_level_create(enuf_nufft *plan)
{
    enuf_cpu *cpu = plan->workspace;
    if (plan->options.level != ENUF_LEVEL_MATRIX) return ENUF_SUCCESS;
    if (cpu->batch_cells > UINT32_MAX)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_create: level matrix: the fine grid has %lld numbers, the "
                         "matrix serves up to %lld: use another level",
                         (long long)cpu->batch_cells, (long long)UINT32_MAX);
    return enuf_allocate(&cpu->cell_start, enuf_cpu_matrix_rows(plan) + 1, sizeof(int64_t),
                         "rows of the transposed matrix");
}

int64_t enuf_cpu_level_bytes_per_point(const enuf_nufft *plan)
{
    enuf_kept none;
    kept_array array[MOST_ARRAYS];
    int64_t bytes = 0;
    const int n = arrays_of(plan, &none, array);
    for (int k = 0; k < n; k++) bytes += array[k].count * (int64_t)array[k].size;
    return bytes;
}

enuf_status enuf_cpu_level_room(const enuf_nufft *plan, int64_t points, enuf_kept *kept)
{
    kept_array array[MOST_ARRAYS];
    enuf_status status = ENUF_SUCCESS;
    const int n = arrays_of(plan, kept, array);
    memset(kept, 0, sizeof *kept);
    if (n == MOST_ARRAYS && points > UINT32_MAX)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "level matrix: %lld points, the matrix serves up to %lld: use another "
                         "level",
                         (long long)points, (long long)UINT32_MAX);
    for (int k = 0; status == ENUF_SUCCESS && k < n; k++)
        status = enuf_allocate(array[k].at, points, array[k].size * (size_t)array[k].count,
                               array[k].what);
    if (status != ENUF_SUCCESS) enuf_cpu_level_free(kept);
    return status;
}

void enuf_cpu_level_free(enuf_kept *kept)
{
    enuf_release(&kept->weights);
    enuf_release(&kept->values);
    enuf_release(&kept->line);
    enuf_release(&kept->first);
    enuf_release(&kept->entry);
    enuf_release(&kept->entry_point);
    enuf_release(&kept->strengths);
}

void enuf_cpu_level_fill(enuf_nufft *plan, int64_t n)
{
    if (plan->options.level == ENUF_LEVEL_WEIGHTS)
        BY_PRECISION(plan, enuf_cpu_keep_weights, plan, n);
    if (plan->options.level == ENUF_LEVEL_MATRIX) BY_PRECISION(plan, enuf_cpu_matrix_make, plan, n);
}
