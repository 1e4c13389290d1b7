/* pairs_close.c - see pairs_close.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pairs_close.h"
#include "lattice/cell_geometry.h"
#include "lattice/tensor.h"
#include "simd.h"

#include <math.h>

enuf_pair_close enuf_pair_close_make(const enuf_cells *cells, const enuf_pair_request *request,
                                     int field, int potential, int tensor)
{
    const double close = request->close / request->table->cutoff;
    enuf_pair_close made = {.cells = cells,
                            .request = request,
                            .square = close * close,
                            .field = field,
                            .potential = potential,
                            .tensor = tensor};
    for (int k = 0; k < 9; k++) made.cell[k] = request->cell[k] * cells->grid.per_cutoff;
    enuf_invert_3x3(made.cell, made.inverse);
    return made;
}

/* d = r_i - r_j in cutoffs from the caller's numbers: their difference in long double, plus the
 * cell vectors that lead to the image in the block. */
static void callers_distance(const enuf_pair_close *close, int64_t i, int64_t j,
                             const double in_block[3], long double d[3])
{
    const enuf_pair_request *request = close->request;
    const double *positions = request->given ? request->given : request->positions;
    const int64_t stride = request->given ? 3 : request->stride;
    const double *at_i = positions + i * stride, *at_j = positions + j * stride;
    const long double per_cutoff = close->cells->grid.per_cutoff;
    long double apart[3];
    for (int e = 0; e < 3; e++) {
        d[e] = (long double)at_i[e] - (long double)at_j[e];
        apart[e] = in_block[e] - d[e] * per_cutoff;
    }
    for (int k = 0; k < 3; k++) {
        const long double turns =
            rintl(apart[0] * close->inverse[k] + apart[1] * close->inverse[3 + k] +
                  apart[2] * close->inverse[6 + k]);
        for (int e = 0; e < 3; e++) d[e] += turns * request->cell[3 * k + e];
    }
    for (int e = 0; e < 3; e++) d[e] *= per_cutoff;
}

/* Returns the sum of the squares of the forces on both. */
static double mend_pair(const enuf_pair_close *close, enuf_pair_block *b, int i, int j,
                        const double in_block[3])
{
    static const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    const int64_t *original = close->cells->original;
    const double q_i = b->q_i[i], q_j = b->q[j];
    long double d[3], square = 0, square_in_block = 0;
    callers_distance(close, original[b->first + i], original[b->atom[j]], in_block, d);
    for (int e = 0; e < 3; e++) {
        square += d[e] * d[e];
        square_in_block += (long double)in_block[e] * in_block[e];
    }
    if (!(square > PAIR_SAME_PLACE && square_in_block > PAIR_SAME_PLACE))
        return 0; /* enuf_pairs_check_closest() refuses the pair */
    const long double inverse = 1 / sqrtl(square), of_block = 1 / sqrtl(square_in_block);
    const long double g = inverse / square, g_of_block = of_block / square_in_block;
    for (int e = 0; e < 3 && close->field; e++) {
        const double mend = (double)(g * d[e] - g_of_block * in_block[e]);
        b->sum_i[PAIR_FIELD + e][i] += q_j * mend;
        b->sum_j[PAIR_FIELD + e][j] -= q_i * mend;
    }
    if (close->potential) {
        const double mend = (double)(inverse - of_block);
        b->sum_i[PAIR_POTENTIAL][i] += q_j * mend;
        b->sum_j[PAIR_POTENTIAL][j] += q_i * mend;
    }
    for (int c = 0; c < 6 && close->tensor; c++) {
        const int u = row[c], v = column[c];
        const double mend = (double)(g * d[u] * d[v] - g_of_block * in_block[u] * in_block[v]);
        b->sum_i[PAIR_TENSOR + c][i] += q_j * mend;
        b->sum_j[PAIR_TENSOR + c][j] += q_i * mend;
    }
    const double force = (double)(q_i * q_j / square);
    return 2 * force * force;
}

double enuf_pair_mend_close(const enuf_pair_close *close, enuf_pair_block *b)
{
    const vd near = vd_set(close->square);
    double forces2 = 0;
    for (int i = 0; i < b->n_i; i++) {
        const vd x = vd_set(b->x_i[i]), y = vd_set(b->y_i[i]), z = vd_set(b->z_i[i]);
        for (int from = 0; from < b->n_j; from += VD_LANES) {
            const vd dx = x - vd_load(b->x + from), dy = y - vd_load(b->y + from),
                     dz = z - vd_load(b->z + from);
            if (!vd_any(vd_less_equal(dx * dx + dy * dy + dz * dz, near))) continue;
            for (int j = from; j < from + VD_LANES; j++) {
                if (j >= b->n_j || (b->triangle && j <= i)) continue;
                const double d[3] = {b->x_i[i] - b->x[j], b->y_i[i] - b->y[j], b->z_i[i] - b->z[j]};
                if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= close->square)
                    forces2 += mend_pair(close, b, i, j, d);
            }
        }
    }
    return forces2;
}
