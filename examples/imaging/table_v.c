/* table_v.c - see table_v.h. SPDX-License-Identifier: BSD-3-Clause */
#include "table_v.h"
#include "fail.h"

#include <enuf/direct.h>

#include <math.h>
#include <stdlib.h>

const table_row table_rows[TABLE_ROWS] = {{1, 3, 0.70, 0.207},
                                          {1, 4, 0.70, 0.244},
                                          {2, 2, 0.2432, 3.05e-2},
                                          {2, 3, 0.2920, 9.35e-3},
                                          {2, 4, 0.3363, 2.88e-3}};

enuf_nufft_options table_default(const table_row *row, int64_t side)
{
    enuf_nufft_options options = gridding_options(side, 0);
    options.width = row->upsampling * row->width;
    /* the library asks for one cell more than modes; an even number has faster FFTs */
    const int64_t cells = row->upsampling == 1 ? side + 2 : row->upsampling * side;
    options.fine_grid[0] = options.fine_grid[1] = cells;
    return options;
}

enuf_nufft_options table_gaussian(const table_row *row, int64_t side)
{
    enuf_nufft_options options = table_default(row, side);
    options.window = ENUF_WINDOW_GAUSSIAN;
    const double half = 0.5 * row->width / row->deviation;
    options.shape = 0.5 * half * half; /* exp(-x^2 / 2 deviation^2) = exp(-shape (2 x / width)^2) */
    return options;
}

measurement table_measurement(trajectory kind, int64_t side)
{
    /* `side` spokes in place of pi / 2 side */
    const double reduction =
        kind == TRAJECTORY_RADIAL ? 0.5 * M_PI * (double)side / ((double)side - 0.5) : 1;
    sampling samples = sampling_make(kind, side, 1, reduction);
    measurement m = measurement_make(&samples, PHANTOM_SHEPP_LOGAN, 1, 0, 0);
    sampling_free(&samples);
    return m;
}

void table_exact(const measurement *m, double complex *image)
{
    enuf_direct_options options;
    enuf_direct *sums;
    double complex *weighted = allocate(m->samples, sizeof *weighted);
    for (int64_t j = 0; j < m->samples; j++) weighted[j] = m->weights[j] * m->data[j];
    enuf_direct_options_init(&options);
    options.dim = 2;
    options.backend = ENUF_BACKEND_CPU;
    check(enuf_direct_create(&options, &sums));
    check(enuf_direct_set_samples(sums, m->samples, m->k, m->k + 1, NULL, 2, NULL));
    check(enuf_direct_set_pixel_grid(sums, (int64_t[2]){m->side, m->side}, NULL, NULL));
    check(enuf_direct_adjoint(sums, weighted, image));
    enuf_direct_destroy(&sums);
    free(weighted);
}

double table_error(int64_t n, const double complex *image, const double complex *exact)
{
    double missed = 0, size = 0;
    for (int64_t i = 0; i < n; i++) {
        missed += creal((image[i] - exact[i]) * conj(image[i] - exact[i]));
        size += creal(exact[i] * conj(exact[i]));
    }
    return sqrt(missed / size);
}
