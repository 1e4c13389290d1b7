/*
 * pairs_matrix.c - makes the matrix of the pair potentials, and multiplies by it.
 *
 * Both directions of a pair are stored: 24 bytes. A row's sum then has a fixed order, any thread
 * may take any rows, and up to eight vectors share each load of an entry. Making it takes two
 * passes over the pairs: they count and fill. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs.h"
#include "pairs_columns.h"
#include "pairs_in_double.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

typedef struct matrix_loop {
    enuf_pairs *pairs;
    int64_t *count; /* entries of each row so far */
    const int64_t *first;
    int32_t *column; /* NULL: entries are counted */
    double *value;
    double unit;
} matrix_loop;

typedef struct matrix_work {
    const matrix_loop *loop;
    enuf_pair_column *column;
} matrix_work;

/* The hits of atom i: counted, or put into both rows. */
static void take_hits(const matrix_loop *loop, const enuf_pair_block *b, int i,
                      const kernel_hits *hits)
{
    const int64_t row = b->first + i;
    for (int h = 0, packed = 0; h < hits->n_vectors; h++) {
        double lane[LANES], kept[LANES];
        vd_store(kept, vd_keep(hits->lanes[h], vd_set(1)));
        if (loop->column) vd_store(lane, vd_unpack(hits->l + packed, hits->lanes[h]));
        for (int k = 0; k < LANES; k++) {
            if (kept[k] == 0) continue;
            const int64_t other = b->atom[hits->vector[h] + k];
            const int64_t at = loop->count[row]++, back = loop->count[other]++;
            if (!loop->column) continue;
            loop->column[loop->first[row] + at] = (int32_t)other;
            loop->value[loop->first[row] + at] = loop->unit * lane[k];
            loop->column[loop->first[other] + back] = (int32_t)row;
            loop->value[loop->first[other] + back] = loop->unit * lane[k];
        }
        packed += vd_count(hits->lanes[h]);
    }
}

static void take_block(enuf_pair_block *b, void *context)
{
    const matrix_work *work = context;
    const matrix_loop *loop = work->loop;
    const enuf_pair_polynomials *p = &loop->pairs->polynomials;
    const kernel_block view = view_of(b);
    kernel_hits hits;
    vd closest = vd_set(1);
    for (int i = 0; i < b->n_i; i++) {
        find_hits(&view, i, &hits);
        if (loop->column) evaluate_hits(&hits, p->n_both, p->force, p->energy, 0, 1, &closest);
        take_hits(loop, b, i, &hits);
    }
    work->column->closest = fmin(work->column->closest, vd_least(closest));
}

static void take_column(enuf_pairs *pairs, int64_t at, int thread, const void *context)
{
    enuf_pair_column *column = (enuf_pair_column *)pairs->columns.at + at;
    matrix_work work = {context, column};
    *column = (enuf_pair_column){.closest = 1};
    enuf_pair_column_blocks(&pairs->cells, &pairs->rows, at,
                            (enuf_pair_block *)pairs->blocks.at + thread, take_block, &work);
}

static enuf_status reserve(enuf_pairs *pairs, int threads, enuf_pair_matrix *matrix)
{
    const int64_t n = pairs->cells.n, *count = pairs->cells.grid.count;
    ENUF_TRY(enuf_array_reserve(&pairs->columns, count[1] * count[2], sizeof(enuf_pair_column),
                                "sums of columns"));
    ENUF_TRY(enuf_array_reserve(&pairs->blocks, threads, sizeof(enuf_pair_block),
                                "lists of neighbours"));
    ENUF_TRY(enuf_array_reserve(&matrix->order, n, sizeof(int64_t), "order of atoms"));
    ENUF_TRY(enuf_array_reserve(&matrix->first, n + 1, sizeof(int64_t), "rows of pairs"));
    ENUF_TRY(enuf_array_reserve(&matrix->filled, n, sizeof(int64_t), "rows of pairs"));
    memcpy(matrix->order.at, pairs->cells.original, (size_t)n * sizeof(int64_t));
    return ENUF_SUCCESS;
}

enuf_status enuf_pairs_matrix_cpu(enuf_pairs *pairs, const enuf_pair_request *request,
                                  const int64_t *extra, int64_t most_bytes,
                                  enuf_pair_matrix *matrix)
{
    const int threads = enuf_pairs_threads(request);
    enuf_pair_request plain = *request;
    plain.deterministic = 0;
    ENUF_TRY(enuf_cells_build(&pairs->cells, &plain, threads));
    const int64_t n = pairs->cells.n;
    matrix->n = n;
    if (n > INT32_MAX)
        return enuf_fail(ENUF_UNSUPPORTED, "%lld charges: at most %d can be held", (long long)n,
                         INT32_MAX);
    ENUF_TRY(enuf_pair_rows_make(&pairs->rows, &pairs->cells.grid));
    ENUF_TRY(reserve(pairs, threads, matrix));
    enuf_pairs_make_polynomials(request->table, &pairs->polynomials);
    int64_t *first = matrix->first.at, *filled = matrix->filled.at, total = 0;
    matrix_loop loop = {.pairs = pairs, .count = filled, .unit = 1 / request->table->cutoff};
    memset(filled, 0, (size_t)n * sizeof *filled);
    enuf_pairs_sum_columns(pairs, threads, take_column, &loop);
    for (int64_t a = 0; a < n; a++) {
        first[a] = total;
        total += filled[a] + (extra ? extra[pairs->cells.original[a]] : 0);
    }
    first[n] = total;
    const double bytes = (double)total * (sizeof(int32_t) + sizeof(double));
    if (most_bytes > 0 && bytes > (double)most_bytes)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "the pairs inside the cutoff take %.3g bytes, beyond memory_limit %lld: "
                         "take a smaller cutoff",
                         bytes, (long long)most_bytes);
    ENUF_TRY(enuf_array_reserve(&matrix->column, total, sizeof(int32_t), "columns of pairs"));
    ENUF_TRY(enuf_array_reserve(&matrix->value, total, sizeof(double), "potentials of pairs"));
    loop.first = first;
    loop.column = matrix->column.at;
    loop.value = matrix->value.at;
    memset(filled, 0, (size_t)n * sizeof *filled);
    enuf_pairs_sum_columns(pairs, threads, take_column, &loop);
    double closest;
    return n > 0 ? enuf_pairs_check_closest(pairs, request, &closest) : ENUF_SUCCESS;
}

typedef struct multiply_loop {
    const enuf_pair_matrix *matrix;
    const double *charges;
    double *potentials;
} multiply_loop;

/* One vector: four sums, so that no product waits for the last one. */
static void multiply_one(void *context, int64_t row, int64_t end, int thread)
{
    const multiply_loop *loop = context;
    const int64_t *first = loop->matrix->first.at;
    const int32_t *column = loop->matrix->column.at;
    const double *value = loop->matrix->value.at, *q = loop->charges;
    (void)thread;
    for (; row < end; row++) {
        double sum[4] = {0, 0, 0, 0};
        int64_t at = first[row];
        for (; at + 4 <= first[row + 1]; at += 4)
            for (int k = 0; k < 4; k++) sum[k] += value[at + k] * q[column[at + k]];
        for (; at < first[row + 1]; at++) sum[0] += value[at] * q[column[at]];
        loop->potentials[row] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* Rows of numbers of `lanes` vectors side by side. */
#define MULTIPLY(lanes)                                                                            \
    typedef double several_##lanes                                                                 \
        __attribute__((vector_size(lanes * sizeof(double)), aligned(8), may_alias));               \
    static void multiply_##lanes(void *context, int64_t row, int64_t end, int thread)              \
    {                                                                                              \
        const multiply_loop *loop = context;                                                       \
        const int64_t *first = loop->matrix->first.at;                                             \
        const int32_t *column = loop->matrix->column.at;                                           \
        const double *value = loop->matrix->value.at;                                              \
        const several_##lanes *q = (const several_##lanes *)loop->charges;                         \
        (void)thread;                                                                              \
        for (; row < end; row++) {                                                                 \
            several_##lanes sum = {0}, other = {0};                                                \
            int64_t at = first[row];                                                               \
            for (; at + 2 <= first[row + 1]; at += 2) {                                            \
                sum += q[column[at]] * value[at];                                                  \
                other += q[column[at + 1]] * value[at + 1];                                        \
            }                                                                                      \
            if (at < first[row + 1]) sum += q[column[at]] * value[at];                             \
            ((several_##lanes *)loop->potentials)[row] += sum + other;                             \
        }                                                                                          \
    }
MULTIPLY(2)
MULTIPLY(4)
MULTIPLY(8)

void enuf_pairs_multiply_cpu(const enuf_pair_matrix *matrix, int threads, int lanes,
                             const double *charges, double *potentials)
{
    multiply_loop loop = {matrix, charges, potentials};
    const enuf_loop_body body = lanes == 1   ? multiply_one
                                : lanes == 2 ? multiply_2
                                : lanes == 4 ? multiply_4
                                             : multiply_8;
    enuf_parallel_for(threads, matrix->n, 0, body, &loop);
}
