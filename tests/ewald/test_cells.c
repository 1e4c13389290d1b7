/*
 * test_cells.c - the cell grid of the CPU's pair loop. Each atom is in one cell, at its position up
 * to lattice vectors. The rows of neighbour cells find as many pairs as a search over all images.
 * Columns of one colour reach no common atom, so threads can work on them together. 500 random ions
 * in boxes, tilted, left-handed, small and long cells, with 0 to 3 open directions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "cpu/pairs_rows.h"
#include "random_system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 500, SEVERAL = 2 }; /* atoms; threads */

static double positions[3 * N], charges[N];
static enuf_pair_table table;

static enuf_pair_request make_request(const double cell[9], const int periodic[3], double cutoff)
{
    random_ions(3, N, cell, 0.05, positions, charges);
    table.cutoff = cutoff;
    return (enuf_pair_request){
        .cell = cell,
        .periodic = {periodic[0], periodic[1], periodic[2]},
        .n = N,
        .positions = positions,
        .stride = 3,
        .charges = charges,
        .table = &table,
        .wanted = ENUF_WANT_POTENTIAL,
    };
}

/* Each atom is listed once, in the order of the input, inside its cell. The cell's corner plus the
 * place in the cell, minus the given position, is a lattice vector. */
static void places_are_kept(const char *what, const enuf_cells *cells, double cutoff)
{
    const enuf_cell_grid *g = &cells->grid;
    int seen[N] = {0}, ordered = 1, outside = 0;
    double off_lattice = 0;
    for (int64_t c = 0; c < g->n_cells; c++) {
        const int64_t index[3] = {c % g->count[0], c / g->count[0] % g->count[1],
                                  c / g->count[0] / g->count[1]};
        for (int64_t a = cells->first[c]; a < cells->first[c + 1]; a++) {
            const int64_t i = cells->original[a];
            seen[i]++;
            ordered &= a == cells->first[c] || cells->original[a - 1] < i;
            CHECK(cells->charge[a] == charges[i] && cells->along[a] == (double)index[0]);
            long double x[3] = {cells->x[a], cells->y[a], cells->z[a]}, inside[3] = {0};
            for (int d = 0; d < 3; d++)
                for (int e = 0; e < 3; e++) inside[d] += x[e] * g->inverse[3 * e + d];
            for (int d = 0; d < 3; d++) {
                const long double cell = inside[d] * g->per_vector[d];
                outside += cell < -1e-12L || cell > 1 + 1e-12L;
                for (int e = 0; e < 3; e++)
                    x[e] += (long double)index[d] * g->edge[3 * d + e] +
                            g->lower[d] * g->lattice[3 * d + e];
            }
            for (int e = 0; e < 3; e++) x[e] -= (long double)positions[3 * i + e] / cutoff;
            for (int d = 0; d < 3; d++) {
                long double s =
                    x[0] * g->inverse[d] + x[1] * g->inverse[3 + d] + x[2] * g->inverse[6 + d];
                long double turns = g->periodic[d] ? rintl(s) : 0;
                const long double *row = g->lattice + 3 * d;
                long double length = sqrtl(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
                off_lattice = fmax(off_lattice, (double)(fabsl(s - turns) * length));
            }
        }
    }
    int missing = 0;
    for (int i = 0; i < N; i++) missing += seen[i] != 1;
    CHECK(missing == 0);
    CHECK(ordered);
    CHECK(outside == 0);
    char name[160];
    snprintf(name, sizeof name, "%s: error of places, in cutoffs", what);
    /* half a rounding of a place, which is up to a cell's edge, times a few for a skew lattice */
    CHECK_BELOW(off_lattice, DBL_EPSILON, name);
}

/* The number of pairs (atom, atom, image) that the rows find within the cutoff is that of a search
 * over all images. */
static void pairs_come_once(const char *what, const enuf_cells *cells)
{
    const enuf_cell_grid *g = &cells->grid;
    enuf_pair_rows rows = {0};
    CHECK_STATUS(enuf_pair_rows_make(&rows, g), ENUF_SUCCESS);
    const enuf_pair_row *row = rows.rows.at;
    int64_t found = 0, expected = 0;
    for (int64_t c = 0; c < g->n_cells; c++) {
        const int64_t x = c % g->count[0];
        for (int64_t i = cells->first[c]; i < cells->first[c + 1]; i++) {
            const enuf_pair_group group = {.begin = i,
                                           .end = i + 1,
                                           .low = x,
                                           .high = x,
                                           .y = c / g->count[0] % g->count[1],
                                           .z = c / g->count[0] / g->count[1]};
            for (int64_t k = 0; k < rows.n_rows; k++) {
                enuf_pair_run run;
                for (int64_t p = 0; enuf_pair_row_run(cells, row + k, &group, p, &run); p++) {
                    for (int64_t j = run.begin; j < run.end; j++) {
                        double along =
                            cells->along[j] - (double)x + (double)(run.image[0] * g->count[0]);
                        double d2 = 0;
                        const double *place[3] = {cells->x, cells->y, cells->z};
                        for (int e = 0; e < 3; e++) {
                            double d = place[e][j] + along * (double)g->edge[e] + row[k].shift[e] -
                                       place[e][i];
                            d2 += d * d;
                        }
                        found += d2 <= 1;
                    }
                }
            }
        }
    }
    int64_t reach[3];
    for (int d = 0; d < 3; d++) {
        long double k2 = 0;
        for (int e = 0; e < 3; e++) k2 += g->inverse[3 * e + d] * g->inverse[3 * e + d];
        reach[d] = g->periodic[d] ? (int64_t)sqrtl(k2) + 2 : 0;
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double s[3];
            for (int d = 0; d < 3; d++) {
                long double sum = 0;
                for (int e = 0; e < 3; e++)
                    sum += ((long double)positions[3 * i + e] - (long double)positions[3 * j + e]) /
                           table.cutoff * g->inverse[3 * e + d];
                s[d] = (double)(g->periodic[d] ? sum - rintl(sum) : sum);
            }
            for (int64_t a = -reach[0]; a <= reach[0]; a++) {
                for (int64_t b = -reach[1]; b <= reach[1]; b++) {
                    for (int64_t c = -reach[2]; c <= reach[2]; c++) {
                        if (i == j && a == 0 && b == 0 && c == 0) continue;
                        double d2 = 0;
                        for (int e = 0; e < 3; e++) {
                            double d = (s[0] + (double)a) * (double)g->lattice[e] +
                                       (s[1] + (double)b) * (double)g->lattice[3 + e] +
                                       (s[2] + (double)c) * (double)g->lattice[6 + e];
                            d2 += d * d;
                        }
                        expected += d2 <= 1;
                    }
                }
            }
        }
    }
    printf("%s: %lld pairs found, %lld ordered pairs expected\n", what, (long long)found,
           (long long)expected);
    CHECK(2 * found == expected && found > 0);
    enuf_pair_rows_release(&rows);
}

/* One thread sums in the order of several threads: columns that reach a common atom come in the
 * order of their colours. */
static void serial_keeps_the_order(const enuf_pair_rows *rows, int64_t ny, int64_t nz)
{
    int64_t *colour_of = calloc((size_t)(ny * nz), sizeof *colour_of);
    int64_t *latest = calloc((size_t)(ny * nz), sizeof *latest), wrong = 0, n;
    const enuf_pair_row *row = rows->rows.at;
    if (!colour_of || !latest) abort();
    for (int64_t colour = 0; colour < rows->n_colours; colour++) {
        const int64_t *columns = enuf_pair_batch(rows, SEVERAL, colour, &n);
        for (int64_t k = 0; k < n; k++) colour_of[columns[k]] = colour;
    }
    const int64_t *serial = enuf_pair_batch(rows, 1, 0, &n);
    CHECK(n == ny * nz && enuf_pair_batches(rows, 1) == 1);
    for (int64_t k = 0; k < n; k++)
        for (int64_t r = 0; r < rows->n_rows; r++) {
            const int64_t y = ((serial[k] % ny + row[r].dy) % ny + ny) % ny;
            const int64_t z = ((serial[k] / ny + row[r].dz) % nz + nz) % nz;
            wrong += latest[z * ny + y] > colour_of[serial[k]];
            latest[z * ny + y] = colour_of[serial[k]];
        }
    CHECK(wrong == 0);
    free(colour_of);
    free(latest);
}

/* No two columns of a colour reach a common atom. */
static void colours_do_not_meet(const enuf_cells *cells)
{
    const enuf_cell_grid *g = &cells->grid;
    const int64_t ny = g->count[1], nz = g->count[2];
    enuf_pair_rows rows = {0};
    CHECK_STATUS(enuf_pair_rows_make(&rows, g), ENUF_SUCCESS);
    int64_t *owner = calloc((size_t)(ny * nz), sizeof *owner);
    int *listed = calloc((size_t)(ny * nz), sizeof *listed);
    if (!owner || !listed) abort();
    const enuf_pair_row *row = rows.rows.at;
    int64_t meetings = 0, missing = 0, n;
    for (int64_t colour = 0; colour < rows.n_colours; colour++) {
        for (int64_t c = 0; c < ny * nz; c++) owner[c] = -1;
        const int64_t *columns = enuf_pair_batch(&rows, SEVERAL, colour, &n);
        for (int64_t k = 0; k < n; k++) {
            const int64_t column = columns[k];
            listed[column]++;
            for (int64_t r = 0; r < rows.n_rows; r++) {
                int64_t y = ((column % ny + row[r].dy) % ny + ny) % ny;
                int64_t z = ((column / ny + row[r].dz) % nz + nz) % nz;
                int64_t *o = owner + z * ny + y;
                meetings += *o != -1 && *o != column;
                *o = column;
            }
        }
    }
    for (int64_t c = 0; c < ny * nz; c++) missing += listed[c] != 1;
    CHECK(meetings == 0);
    CHECK(missing == 0);
    serial_keeps_the_order(&rows, ny, nz);
    free(owner);
    free(listed);
    enuf_pair_rows_release(&rows);
}

static void check_cell(const char *what, const double cell[9], int open, double cutoff)
{
    const int periodic[3] = {!(open & 1), !(open & 2), !(open & 4)};
    enuf_pair_request request = make_request(cell, periodic, cutoff);
    enuf_cells cells = {0};
    for (int threads = 1; threads <= 3; threads += 2) {
        CHECK_STATUS(enuf_cells_build(&cells, &request, threads), ENUF_SUCCESS);
        places_are_kept(what, &cells, cutoff);
    }
    colours_do_not_meet(&cells);
    pairs_come_once(what, &cells);
    enuf_cells_release(&cells);
}

int main(void)
{
    const double box[9] = {20, 0, 0, 0, 21, 0, 0, 0, 22};
    const double tilted[9] = {19, 2, 0, 35, 20, 3, -50, 61, 22};
    const double left[9] = {12, 3, 1, -2, 15, 2, 4, 4, -14};
    const double small[9] = {3, 0, 0, 1, 3.2, 0, 0.2, -1, 2.8};
    const double needle[9] = {150, 0, 0, 0, 4, 0, 1, 1, 3.5};
    check_cell("box", box, 0, 4);
    check_cell("box, wide cutoff", box, 0, 9);
    check_cell("tilted", tilted, 0, 5);
    check_cell("left-handed", left, 0, 5);
    check_cell("smaller than the cutoff", small, 0, 2.6);
    check_cell("needle", needle, 0, 3);
    check_cell("slab", box, 4, 4);
    check_cell("wire", left, 5, 4);
    check_cell("droplet", left, 7, 4);
    return check_result();
}
