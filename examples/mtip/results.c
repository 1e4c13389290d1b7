/* results.c - see results.h. SPDX-License-Identifier: BSD-3-Clause */
#include "results.h"
#include "fail.h"
#include "new_file.h"
#include "npy.h"
#include "sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void write_voxels(const settings *s, const char *name, const double complex *voxels)
{
    const int64_t n = s->side * s->side * s->side, shape[3] = {s->side, s->side, s->side};
    double *numbers = allocate(n, sizeof *numbers);
    char path[MOST_PATH];
    for (int64_t k = 0; k < n; k++) numbers[k] = creal(voxels[k]);
    join_path(path, s->folder, name);
    npy_write(path, NPY_DOUBLE, 3, shape, numbers);
    free(numbers);
}

static void write_shells(const settings *s, const shells *found)
{
    new_file file;
    char path[MOST_PATH], line[80];
    join_path(path, s->folder, "shell_correlation.csv");
    new_file_begin(&file, path);
    new_file_write(&file, "q,correlation\n", 14);
    for (int64_t k = 0; k < found->n; k++) {
        const int length = snprintf(line, sizeof line, "%.9g,%.9g\n", (double)k * found->unit,
                                    found->correlation[k]);
        new_file_write(&file, line, (size_t)length);
    }
    new_file_end(&file);
}

/* The largest value is white. */
static void put(sheet *pictures, int64_t column, int64_t row, double complex *picture)
{
    double most = 0;
    for (int64_t k = 0; k < pictures->side * pictures->side; k++)
        most = fmax(most, cabs(picture[k]));
    sheet_put(pictures, column, row, pictures->side, picture, most > 0 ? most : 1);
}

/* Sums along an axis. */
static void put_view(sheet *pictures, int axis, int64_t row, const double complex *voxels)
{
    const int64_t side = pictures->side, step[3] = {1, side, side * side};
    const int u = axis == 0 ? 1 : 0, w = axis == 2 ? 1 : 2;
    double complex *sums = allocate(side * side, sizeof *sums);
    for (int64_t p = 0; p < side * side; p++) {
        double sum = 0;
        for (int64_t k = 0; k < side; k++)
            sum += creal(voxels[p % side * step[u] + p / side * step[w] + k * step[axis]]);
        sums[p] = fmax(sum, 0);
    }
    put(pictures, axis, row, sums);
    free(sums);
}

static void draw_density(const settings *s, const cube *c, const molecule *m,
                         const double complex *density)
{
    sheet pictures = sheet_make(3, 2, s->side);
    double complex *there = allocate(c->voxels, sizeof *there);
    double complex *right = allocate(c->voxels, sizeof *right);
    char path[MOST_PATH];
    for (int64_t k = 0; k < c->voxels; k++) {
        double q[3];
        cube_q(c, k, q);
        if (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] <= s->q * s->q)
            there[k] = conj(molecule_field(m, q));
    }
    cube_backward(c, there, right);
    for (int axis = 0; axis < 3; axis++) {
        put_view(&pictures, axis, 0, density);
        put_view(&pictures, axis, 1, right);
    }
    join_path(path, s->folder, "density.png");
    sheet_write(&pictures, path);
    sheet_free(&pictures);
    free(there);
    free(right);
}

/* Logarithms of an image's values on the square of the detector. */
static void put_image(sheet *pictures, int64_t column, int64_t row, const settings *s,
                      const images *i, const double *values)
{
    const double step = 2 * s->q / (double)(s->pixels - 1);
    double complex *square = allocate(s->pixels * s->pixels, sizeof *square);
    for (int64_t p = 0; p < i->pixels; p++) {
        const double *q = i->detector + 3 * p;
        const int64_t x = llround((q[0] + s->q) / step), y = llround((q[1] + s->q) / step);
        square[y * s->pixels + x] = log1p(fmax(values[p], 0));
    }
    put(pictures, column, row, square);
    free(square);
}

static void draw_slices(const settings *s, const images *i, intensity *v)
{
    const int64_t n = i->n < 4 ? i->n : 4;
    sheet pictures = sheet_make(n, 2, s->pixels);
    double *points = allocate(3 * n * i->pixels, sizeof *points);
    double *values = allocate(n * i->pixels, sizeof *values);
    char path[MOST_PATH];
    images_points(i, n, (const double(*)[9])i->turn, points);
    intensity_slice(v, n * i->pixels, points, values);
    for (int64_t k = 0; k < n; k++) {
        put_image(&pictures, k, 0, s, i, i->values + k * i->pixels);
        put_image(&pictures, k, 1, s, i, values + k * i->pixels);
    }
    join_path(path, s->folder, "slices.png");
    sheet_write(&pictures, path);
    sheet_free(&pictures);
    free(points);
    free(values);
}

void results_write(const settings *s, const cube *c, const molecule *m, const images *i,
                   intensity *v, const double complex *density, const shells *found)
{
    write_voxels(s, "density.npy", density);
    write_voxels(s, "autocorrelation.npy", v->a);
    write_shells(s, found);
    draw_density(s, c, m, density);
    draw_slices(s, i, v);
}
