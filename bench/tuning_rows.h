/* tuning_rows.h - the rows of the matrix that spreads: a row is a cell of the fine grid, an entry a
 * point whose window reaches it. SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_TUNING_ROWS_H
#define BENCH_TUNING_ROWS_H

#include "tuning_case.h"

/** Mean of the row lengths, and standard deviation. Rows of the other matrix, which interpolates,
 * have width^3 entries each. */
typedef struct tuning_rows {
    double mean, deviation;
} tuning_rows;

tuning_rows tuning_rows_of(const tuning_case *c, const int64_t grid[3], int width);

#endif
