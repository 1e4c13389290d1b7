/* grid.c - see grid.h. SPDX-License-Identifier: BSD-3-Clause */
#include "grid.h"

#include "lattice/cell_geometry.h"
#include "lattice/fold_step.h"

#include <math.h>
#include <string.h>

/* Small cells along x to the width of a column: finer cells let a row hold fewer atoms beyond the
 * cutoff. */
static const double cells_in_width = 4;
/* Width of a column to that of a cube of one cluster: wider ones make longer runs of neighbours,
 * but flatter clusters. 0.9, 1.1 and 1.3 are within 4 % (H100, cutoffs of 5 and 10). */
static const double wider_than_cube = 1.1;
/* Width of a column, in cutoffs. */
static const double narrowest = 0.2, widest = 1;
/* Cell vectors around the origin that are folded to the last bit of the caller's coordinates. */
static const double near_vectors = 0x1p24;
/* The search reaches a bit beyond the cutoff, so that rounding loses no pair. */
static const double slack = 1e-6;
/* Least height of a cell, in cutoffs: kernels count columns around an atom in float. */
static const double flattest = 1e-3;
/* Most cells along x: kernels keep the index in float too. */
static const double most_along_x = 0x1p24;

/* Of enuf_cuda_grid.edge. */
enum { BITS_OF_EDGE = 12 };

static void heights_of(const long double inverse[9], double height[3])
{
    for (int d = 0; d < 3; d++)
        height[d] = (double)(1 / sqrtl(inverse[d] * inverse[d] + inverse[3 + d] * inverse[3 + d] +
                                       inverse[6 + d] * inverse[6 + d]));
}

static void rotate_rows(long double m[9], int by)
{
    long double old[9];
    memcpy(old, m, sizeof old);
    for (int d = 0; d < 3; d++) memcpy(m + 3 * d, old + (d + by) % 3 * 3, 3 * sizeof *m);
}

/* Counts of cells for columns of a width; the product. */
static double count_cells(const double height[3], double width, double count[3])
{
    double total = 1;
    for (int d = 0; d < 3; d++) {
        const double edge = d == 0 ? width / cells_in_width : width;
        count[d] = fmax(1, floor(height[d] / edge * (1 + 1e-9)));
        total *= count[d];
    }
    return total;
}

static void cut(enuf_cuda_grid *grid, const double height[3], double volume, int64_t n)
{
    const double cube = cbrt(ENUF_CUDA_CLUSTER * volume / (double)n);
    double width = fmin(fmax(wider_than_cube * cube, narrowest), widest), count[3];
    const double limit =
        fmin((double)ENUF_CUDA_CELLS_OF_ATOM * (double)n + ENUF_CUDA_CELLS_LEAST, 0x1p30);
    while (count_cells(height, width, count) > limit || count[0] > most_along_x) width *= 1.2;
    for (int d = 0; d < 3; d++) grid->count[d] = (int)count[d];
    grid->n_columns = grid->count[1] * grid->count[2];
    grid->n_cells = grid->n_columns * grid->count[0];
}

static void make_fold(enuf_cuda_grid *grid, const long double lattice[9],
                      const long double inverse[9], long double cutoff)
{
    static const long double lower[3] = {0};
    long double reach = 0;
    for (int k = 0; k < 9; k++)
        reach = fmaxl(reach, (long double)near_vectors * cutoff * fabsl(lattice[k]));
    const long double step = enuf_fold_step(lattice, inverse, lower, cutoff, reach);
    grid->farthest = (double)reach;
    grid->to_steps = enuf_fold_to_steps(step);
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
            const int k = 3 * d + e;
            grid->inverse[k] = (double)(inverse[k] / cutoff);
            enuf_fold_split(lattice[k] * cutoff / grid->count[d], step, grid->edge_high + k,
                            grid->edge_low + k);
        }
}

/* Gram-Schmidt on the rows; the third axis points where the third edge does. */
static void make_frame(enuf_cuda_grid *grid, const long double lattice[9], long double cutoff)
{
    long double frame[9], edge[9];
    for (int d = 0; d < 3; d++) {
        long double *f = frame + 3 * d;
        memcpy(f, lattice + 3 * d, 3 * sizeof *f);
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < d; k++) {
                const long double *g = frame + 3 * k;
                const long double along = f[0] * g[0] + f[1] * g[1] + f[2] * g[2];
                for (int e = 0; e < 3; e++) f[e] -= along * g[e];
            }
        const long double length = sqrtl(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        for (int e = 0; e < 3; e++) f[e] /= length;
    }
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 3; k++) {
            const long double *row = lattice + 3 * d, *f = frame + 3 * k;
            edge[3 * d + k] = (row[0] * f[0] + row[1] * f[1] + row[2] * f[2]) / grid->count[d];
        }
    for (int k = 0; k < 9; k++) {
        grid->frame[k] = (double)frame[k];
        grid->to_frame[k] = (double)(frame[k] / cutoff);
    }
    grid->e1 = (double)edge[0];
    grid->e2x = (double)edge[3];
    grid->e2y = (double)edge[4];
    grid->e3x = (double)edge[6];
    grid->e3y = (double)edge[7];
    grid->e3z = (double)edge[8];
    const int of[6] = {0, 3, 4, 6, 7, 8};
    for (int k = 0; k < 6; k++) {
        int exponent;
        const double e = (double)edge[of[k]], mantissa = frexp(e, &exponent);
        grid->edge[k] = (float)ldexp(rint(ldexp(mantissa, BITS_OF_EDGE)), exponent - BITS_OF_EDGE);
        grid->edge_rest[k] = (float)(e - (double)grid->edge[k]);
    }
}

/* Fractions of the lattice in the caller's order of axes, for deterministic differences. */
static void make_fractions(enuf_cuda_grid *grid, const long double lattice[9], long double cutoff)
{
    long double inverse[9] = {0};
    enuf_invert_3x3(lattice, inverse);
    for (int k = 0; k < 9; k++) {
        const long double per_length = inverse[k] / cutoff;
        grid->lattice[k] = (double)lattice[k];
        grid->inverse_high[k] = (double)per_length;
        grid->inverse_low[k] = (double)(per_length - (long double)grid->inverse_high[k]);
    }
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++) {
            long double sum = 0;
            for (int e = 0; e < 3; e++)
                sum += (long double)grid->frame[3 * k + e] * inverse[3 * e + a];
            grid->to_fraction[3 * k + a] = (double)sum;
        }
}

enuf_status enuf_cuda_grid_make(const double cell[9], double cutoff, int64_t n, int keep_axes,
                                enuf_cuda_grid *grid)
{
    const int periodic[3] = {1, 1, 1};
    enuf_cell_geometry geometry;
    long double lattice[9], turned[9], inverse[9] = {0};
    double height[3];
    ENUF_TRY(enuf_cell_geometry_make(cell, &geometry));
    memset(grid, 0, sizeof *grid);
    grid->cutoff = cutoff;
    enuf_cell_reduce(cell, periodic, lattice);
    for (int k = 0; k < 9; k++) lattice[k] /= (long double)cutoff;
    enuf_invert_3x3(lattice, inverse);
    heights_of(inverse, height);
    for (int d = 0; d < 3; d++)
        if (!(height[d] >= flattest))
            return enuf_fail(ENUF_UNSUPPORTED,
                             "cutoff %g is %.3g times a height of the cell: the pair sums of the "
                             "GPU take up to %g; take a smaller cutoff or a larger cell",
                             cutoff, 1 / height[d], 1 / flattest);
    int x = 0;
    for (int d = 1; d < 3 && !keep_axes; d++)
        if (height[d] > height[x] * (1 + 1e-6)) x = d;

    memcpy(turned, lattice, sizeof turned);
    rotate_rows(turned, x);
    const double volume = fabs((double)enuf_invert_3x3(turned, inverse));
    heights_of(inverse, height);
    cut(grid, height, volume, n);
    make_fold(grid, turned, inverse, (long double)cutoff);
    make_frame(grid, turned, (long double)cutoff);
    make_fractions(grid, lattice, (long double)cutoff);
    for (int d = 0; d < 2; d++)
        grid->reach[d] = (int)floor((1 + slack) * grid->count[d + 1] / height[d + 1]) + 1;
    return ENUF_SUCCESS;
}
