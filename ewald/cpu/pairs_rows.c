/* pairs_rows.c - see pairs_rows.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pairs_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The search reaches a bit beyond the cutoff, so that rounding loses no pair. */
static const double slack = 1e-9;

/*
 * Minimum of |(v + t) E| over the faces of the cube |t_d| <= 1 that `kind` names, E the rows of the
 * small cell: face coordinate d is -1, +1 or free (0, 1, 2), the free ones at the minimum of the
 * plane. Infinite where that minimum lies outside the cube.
 */
static double face_minimum(const double metric[9], const int64_t v[3], const int kind[3])
{
    double t[3] = {0};
    int axes[3], n_free = 0;
    for (int d = 0; d < 3; d++) {
        if (kind[d] == 2)
            axes[n_free++] = d;
        else
            t[d] = (double)v[d] + (kind[d] == 0 ? -1 : 1);
    }
    /* Gauss on the normal equations of the free coordinates; the metric is positive definite */
    double a[3][4];
    for (int i = 0; i < n_free; i++) {
        for (int j = 0; j < n_free; j++) a[i][j] = metric[3 * axes[i] + axes[j]];
        a[i][n_free] = 0;
        for (int d = 0; d < 3; d++)
            if (kind[d] != 2) a[i][n_free] -= metric[3 * axes[i] + d] * t[d];
    }
    for (int i = 0; i < n_free; i++) {
        for (int k = i + 1; k < n_free; k++) {
            double factor = a[k][i] / a[i][i];
            for (int j = i; j <= n_free; j++) a[k][j] -= factor * a[i][j];
        }
    }
    for (int i = n_free - 1; i >= 0; i--) {
        double x = a[i][n_free];
        for (int j = i + 1; j < n_free; j++) x -= a[i][j] * t[axes[j]];
        t[axes[i]] = x / a[i][i];
        if (fabs(t[axes[i]] - (double)v[axes[i]]) > 1 + slack) return INFINITY;
    }
    double square = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) square += t[i] * metric[3 * i + j] * t[j];
    return square;
}

/*
 * Square of the smallest distance between a cell and the one v cells away: the minimum of a convex
 * quadratic over a cube lies inside one of its faces (edges, corners, interior), where it is the
 * minimum of the face's plane.
 */
static double distance2(const double metric[9], const int64_t v[3])
{
    double least = INFINITY;
    for (int face = 0; face < 27; face++) {
        const int kind[3] = {face % 3, face / 3 % 3, face / 9};
        least = fmin(least, face_minimum(metric, v, kind));
    }
    return least;
}

static enuf_status add_row(enuf_pair_rows *rows, const enuf_pair_row *row)
{
    ENUF_TRY(enuf_array_extend(&rows->rows, rows->n_rows, rows->n_rows + 1, sizeof *row,
                               "rows of neighbour cells"));
    ((enuf_pair_row *)rows->rows.at)[rows->n_rows++] = *row;
    return ENUF_SUCCESS;
}

static int is_near(const double metric[9], int64_t dx, const enuf_pair_row *row)
{
    const int64_t v[3] = {dx, row->dy, row->dz};
    return distance2(metric, v) <= (1 + slack) * (1 + slack);
}

/* Cells x of a row within the cutoff: an interval, because distance is convex. */
static int find_interval(const double metric[9], const int64_t reach[3], enuf_pair_row *row)
{
    row->low = row->dy == 0 && row->dz == 0 ? 0 : -reach[0];
    row->high = reach[0];
    while (row->low <= row->high && !is_near(metric, row->low, row)) row->low++;
    while (row->low < row->high && !is_near(metric, row->high, row)) row->high--;
    return row->low <= row->high;
}

/* Gram-Schmidt on the edges x, y, z; `edge` become their components in the frame. */
static void make_frame(enuf_pair_rows *rows, const enuf_cell_grid *grid, double edge[9])
{
    double *f = rows->frame;
    for (int d = 0; d < 2; d++) {
        long double v[3], square = 0;
        for (int e = 0; e < 3; e++) v[e] = grid->edge[3 * d + e];
        for (int k = 0; k < d; k++) {
            const long double along = v[0] * f[0] + v[1] * f[1] + v[2] * f[2];
            for (int e = 0; e < 3; e++) v[e] -= along * f[e];
        }
        for (int e = 0; e < 3; e++) square += v[e] * v[e];
        for (int e = 0; e < 3; e++) f[3 * d + e] = (double)(v[e] / sqrtl(square));
    }
    for (int e = 0; e < 3; e++) {
        const int a = (e + 1) % 3, b = (e + 2) % 3;
        f[6 + e] = f[a] * f[3 + b] - f[b] * f[3 + a];
    }
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 3; k++)
            edge[3 * d + k] = (double)grid->edge[3 * d] * f[3 * k] +
                              (double)grid->edge[3 * d + 1] * f[3 * k + 1] +
                              (double)grid->edge[3 * d + 2] * f[3 * k + 2];
    rows->spacing = edge[0];
}

static void find_box(const double edge[9], enuf_pair_row *row)
{
    for (int k = 0; k < 3; k++) {
        row->box_low[k] = row->box_high[k] =
            (double)row->dy * edge[3 + k] + (double)row->dz * edge[6 + k];
        for (int d = 0; d < 3; d++) {
            row->box_low[k] += fmin(edge[3 * d + k], 0);
            row->box_high[k] += fmax(edge[3 * d + k], 0);
        }
    }
}

static enuf_status find_rows(enuf_pair_rows *rows, const enuf_cell_grid *grid)
{
    double metric[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            long double sum = 0;
            for (int e = 0; e < 3; e++) sum += grid->edge[3 * i + e] * grid->edge[3 * j + e];
            metric[3 * i + j] = (double)sum;
        }
    }
    int64_t reach[3];
    for (int d = 0; d < 3; d++) {
        const long double *i = grid->inverse;
        long double k2 = i[d] * i[d] + i[3 + d] * i[3 + d] + i[6 + d] * i[6 + d];
        long double height = 1 / (sqrtl(k2) * grid->per_vector[d]);
        reach[d] = (int64_t)floorl((1 + (long double)slack) / height) + 1;
        if (!grid->periodic[d] && reach[d] >= grid->count[d]) reach[d] = grid->count[d] - 1;
    }
    double edge[9];
    make_frame(rows, grid, edge);
    rows->n_rows = 0;
    for (int64_t dz = 0; dz <= reach[2]; dz++) {
        for (int64_t dy = dz == 0 ? 0 : -reach[1]; dy <= reach[1]; dy++) {
            enuf_pair_row row = {.dy = dy, .dz = dz};
            if (!find_interval(metric, reach, &row)) continue;
            for (int e = 0; e < 3; e++)
                row.shift[e] = (double)((long double)dy * grid->edge[3 + e] +
                                        (long double)dz * grid->edge[6 + e]);
            find_box(edge, &row);
            ENUF_TRY(add_row(rows, &row));
        }
    }
    return ENUF_SUCCESS;
}

/*
 * Colours of `count` places on a ring, so that two of one colour are at least `apart` apart: the
 * ring is cut into groups of as equal a size as can be, and a place's colour is its index in its
 * group. Gives the number of colours.
 */
static int64_t ring_groups(int64_t count, int64_t apart, int64_t *n_groups)
{
    *n_groups = count / apart > 0 ? count / apart : 1;
    return (count + *n_groups - 1) / *n_groups;
}

enum { DONE = -1 };

static int64_t ring_place(int64_t count, int64_t n_groups, int64_t group, int64_t colour)
{
    int64_t begin = group * count / n_groups, end = (group + 1) * count / n_groups;
    return begin + colour < end ? begin + colour : -1;
}

/* Whether all neighbours of a layer that have lower colours are done. DONE marks finished
 * layers. */
static int is_ready(const int64_t *colour, int64_t nz, int64_t reach, int64_t z)
{
    for (int64_t d = -reach; d <= reach; d++)
        if (colour[((z + d) % nz + nz) % nz] < colour[z] &&
            colour[((z + d) % nz + nz) % nz] != DONE)
            return 0;
    return colour[z] != DONE;
}

/* Takes the lowest layer that is ready, again and again. Columns of a layer follow in the order of
 * their colours, as in `columns`. layer_colour [nz] is overwritten. */
static void make_serial(enuf_pair_rows *rows, int64_t ny, int64_t nz, int64_t reach,
                        const int64_t *order_y, int64_t *layer_colour)
{
    int64_t *serial = rows->serial.at;
    for (int64_t filled = 0; filled < ny * nz;) {
        int64_t z = 0;
        while (!is_ready(layer_colour, nz, reach, z)) z++;
        layer_colour[z] = DONE;
        for (int64_t k = 0; k < ny; k++) serial[filled++] = z * ny + order_y[k];
    }
}

static enuf_status colour_columns(enuf_pair_rows *rows, const enuf_cell_grid *grid)
{
    const enuf_pair_row *row = rows->rows.at;
    int64_t reach_y = 0, reach_z = 0;
    for (int64_t k = 0; k < rows->n_rows; k++) {
        int64_t y = llabs(row[k].dy);
        reach_y = y > reach_y ? y : reach_y;
        reach_z = row[k].dz > reach_z ? row[k].dz : reach_z;
    }
    const int64_t ny = grid->count[1], nz = grid->count[2];
    int64_t groups_y, groups_z;
    /* a column touches y - reach ... y + reach, and z ... z + reach */
    const int64_t colours_y = ring_groups(ny, 2 * reach_y + 1, &groups_y);
    const int64_t colours_z = ring_groups(nz, reach_z + 1, &groups_z);

    const char *what = "columns of cells";
    ENUF_TRY(enuf_array_reserve(&rows->columns, ny * nz, sizeof(int64_t), what));
    ENUF_TRY(enuf_array_reserve(&rows->serial, ny * nz, sizeof(int64_t), what));
    ENUF_TRY(enuf_array_reserve(&rows->axes, ny + nz, sizeof(int64_t), what));
    ENUF_TRY(enuf_array_reserve(&rows->colour, colours_y * colours_z + 1, sizeof(int64_t),
                                "colours of columns"));
    int64_t *columns = rows->columns.at, *colour = rows->colour.at;
    rows->n_colours = 0;
    int64_t filled = 0;
    for (int64_t cz = 0; cz < colours_z; cz++) {
        for (int64_t cy = 0; cy < colours_y; cy++) {
            colour[rows->n_colours++] = filled;
            for (int64_t gz = 0; gz < groups_z; gz++) {
                for (int64_t gy = 0; gy < groups_y; gy++) {
                    int64_t y = ring_place(ny, groups_y, gy, cy);
                    int64_t z = ring_place(nz, groups_z, gz, cz);
                    if (y >= 0 && z >= 0) columns[filled++] = z * ny + y;
                }
            }
        }
    }
    colour[rows->n_colours] = filled;

    int64_t *order_y = rows->axes.at, *layer_colour = order_y + ny, y = 0;
    for (int64_t c = 0; c < colours_y; c++)
        for (int64_t g = 0; g < groups_y; g++) {
            const int64_t place = ring_place(ny, groups_y, g, c);
            if (place >= 0) order_y[y++] = place;
        }
    for (int64_t c = 0; c < colours_z; c++)
        for (int64_t g = 0; g < groups_z; g++) {
            const int64_t z = ring_place(nz, groups_z, g, c);
            if (z >= 0) layer_colour[z] = c;
        }
    make_serial(rows, ny, nz, reach_z, order_y, layer_colour);
    return ENUF_SUCCESS;
}

enuf_status enuf_pair_rows_make(enuf_pair_rows *rows, const enuf_cell_grid *grid)
{
    int same = rows->n_colours > 0;
    for (int k = 0; k < 9; k++) same = same && rows->edge[k] == grid->edge[k];
    for (int d = 0; d < 3; d++)
        same = same && rows->count[d] == grid->count[d] && rows->periodic[d] == grid->periodic[d];
    if (same) return ENUF_SUCCESS;
    rows->n_colours = 0;
    ENUF_TRY(find_rows(rows, grid));
    ENUF_TRY(colour_columns(rows, grid));
    memcpy(rows->edge, grid->edge, sizeof rows->edge);
    memcpy(rows->count, grid->count, sizeof rows->count);
    memcpy(rows->periodic, grid->periodic, sizeof rows->periodic);
    return ENUF_SUCCESS;
}

int64_t enuf_pair_rows_bytes(const enuf_pair_rows *rows)
{
    return rows->rows.bytes + rows->columns.bytes + rows->serial.bytes + rows->axes.bytes +
           rows->colour.bytes;
}

void enuf_pair_rows_release(enuf_pair_rows *rows)
{
    enuf_array_release(&rows->rows);
    enuf_array_release(&rows->columns);
    enuf_array_release(&rows->serial);
    enuf_array_release(&rows->axes);
    enuf_array_release(&rows->colour);
}

int64_t enuf_pair_batches(const enuf_pair_rows *rows, int threads)
{
    return threads == 1 ? 1 : rows->n_colours;
}

const int64_t *enuf_pair_batch(const enuf_pair_rows *rows, int threads, int64_t batch, int64_t *n)
{
    const int64_t *colour = rows->colour.at;
    *n = threads == 1 ? colour[rows->n_colours] : colour[batch + 1] - colour[batch];
    return threads == 1 ? rows->serial.at : (const int64_t *)rows->columns.at + colour[batch];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

int enuf_pair_row_narrow(const enuf_pair_rows *rows, const enuf_pair_group *group,
                         const double low[3], const double high[3], enuf_pair_row *row)
{
    double square = (1 + slack) * (1 + slack);
    for (int k = 1; k < 3; k++) {
        const double gap = larger(row->box_low[k] - high[k], low[k] - row->box_high[k]);
        if (gap > 0) square -= gap * gap;
    }
    if (square < 0) return 0;
    const double reach = sqrt(square);
    const int64_t first = (int64_t)ceil((low[0] - reach - row->box_high[0]) / rows->spacing),
                  last = (int64_t)floor((high[0] + reach - row->box_low[0]) / rows->spacing) -
                         (group->high - group->low);
    if (row->low < first) row->low = first;
    if (row->high > last) row->high = last;
    return 1;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    /* nearly always; a division takes as long as gathering a vector */
    if (a >= 0 && a < b) return 0;
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

int enuf_pair_row_run(const enuf_cells *cells, const enuf_pair_row *row,
                      const enuf_pair_group *group, int64_t k, enuf_pair_run *run)
{
    const enuf_cell_grid *grid = &cells->grid;
    const int64_t nx = grid->count[0], ny = grid->count[1], nz = grid->count[2];
    int64_t y = group->y + row->dy, z = group->z + row->dz;
    int64_t low = group->low + row->low, high = group->high + row->high;
    run->image[1] = floor_divide(y, ny);
    run->image[2] = floor_divide(z, nz);
    run->image[0] = floor_divide(low, nx) + k;
    if (!grid->periodic[0]) {
        /* no images: cut the row at the ends of the grid */
        run->image[0] = 0;
        if (k > 0) return 0;
        if (high > nx - 1) high = nx - 1;
        if (low < 0) low = 0;
    }
    if ((!grid->periodic[1] && run->image[1] != 0) || (!grid->periodic[2] && run->image[2] != 0))
        return 0;
    int64_t from = run->image[0] * nx > low ? run->image[0] * nx : low;
    int64_t to = (run->image[0] + 1) * nx - 1 < high ? (run->image[0] + 1) * nx - 1 : high;
    if (from > to) return 0;
    int64_t base =
        ((z - run->image[2] * nz) * ny + (y - run->image[1] * ny)) * nx - run->image[0] * nx;
    run->begin = cells->first[base + from];
    run->end = cells->first[base + to + 1];
    if (row->dy == 0 && row->dz == 0 && k == 0) run->begin = group->end;
    return 1;
}
