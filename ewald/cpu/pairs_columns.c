/*
 * pairs_columns.c - the loop over columns of cells and the columns' checks; see pairs_columns.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_columns.h"
#include "parallel.h"

#include <math.h>

typedef struct batch_loop {
    enuf_pairs *pairs;
    enuf_pair_column_sum sum_column;
    const void *context;
    const int64_t *columns;
} batch_loop;

static void sum_batch(void *context, int64_t k, int64_t end, int thread)
{
    const batch_loop *loop = context;
    for (; k < end; k++) loop->sum_column(loop->pairs, loop->columns[k], thread, loop->context);
}

void enuf_pairs_sum_columns(enuf_pairs *pairs, int threads, enuf_pair_column_sum sum_column,
                            const void *context)
{
    batch_loop loop = {.pairs = pairs, .sum_column = sum_column, .context = context};
    for (int64_t batch = 0; batch < enuf_pair_batches(&pairs->rows, threads); batch++) {
        int64_t n;
        loop.columns = enuf_pair_batch(&pairs->rows, threads, batch, &n);
        enuf_parallel_for(threads, n, 1, sum_batch, &loop);
    }
}

double enuf_pairs_close_forces2(const enuf_pairs *pairs, double cutoff)
{
    const double field_unit = 1 / (cutoff * cutoff);
    const int64_t *count = pairs->cells.grid.count;
    const enuf_pair_column *columns = pairs->columns.at;
    double sum = 0;
    for (int64_t c = 0; c < count[1] * count[2]; c++) sum += columns[c].close_forces2;
    return field_unit * field_unit * sum;
}

typedef struct closest_pair {
    double square;
    int64_t i, j; /* in sorted order */
} closest_pair;

static void find_closest(enuf_pair_block *b, void *context)
{
    closest_pair *found = context;
    for (int i = 0; i < b->n_i; i++) {
        for (int j = b->triangle ? i + 1 : 0; j < b->n_j; j++) {
            double dx = b->x_i[i] - b->x[j], dy = b->y_i[i] - b->y[j], dz = b->z_i[i] - b->z[j];
            double s = dx * dx + dy * dy + dz * dz;
            if (!(s < found->square)) continue;
            found->square = s;
            found->i = b->first + i;
            found->j = b->atom[j];
        }
    }
}

/* Names the two atoms closest to each other in a column. */
static enuf_status same_place(enuf_pairs *pairs, const enuf_pair_request *request, int64_t column)
{
    closest_pair found = {.square = INFINITY};
    enuf_pair_column_blocks(&pairs->cells, &pairs->rows, column, pairs->blocks.at, find_closest,
                            &found);
    int64_t i = pairs->cells.original[found.i], j = pairs->cells.original[found.j];
    const double *p = request->positions + i * request->stride;
    i = enuf_callers_atom(request->original, i);
    j = enuf_callers_atom(request->original, j);
    if (i > j) {
        int64_t k = i;
        i = j;
        j = k;
    }
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "atoms %lld and %lld are at the same place (%.17g, %.17g, %.17g), or at its "
                     "images: their energy is infinite; an excluded pair has to be apart too",
                     (long long)i, (long long)j, p[0], p[1], p[2]);
}

enuf_status enuf_pairs_check_closest(enuf_pairs *pairs, const enuf_pair_request *request,
                                     double *closest)
{
    const int64_t *count = pairs->cells.grid.count;
    const enuf_pair_column *columns = pairs->columns.at;
    *closest = 1;
    for (int64_t c = 0; c < count[1] * count[2]; c++) {
        const double of_column = columns[c].closest;
        if (!(of_column > PAIR_SAME_PLACE)) return same_place(pairs, request, c);
        *closest = fmin(*closest, of_column);
    }
    return ENUF_SUCCESS;
}
