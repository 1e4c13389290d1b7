/* mode_tiles.c - see mode_tiles.h. SPDX-License-Identifier: BSD-3-Clause */
#include "mode_tiles.h"
#include "memory.h"

#include <limits.h>
#include <string.h>

static const char what[] = "tiles of modes";

/* A grid of blocks is at most 65535 blocks deep. */
static const int64_t MOST_TILES = (int64_t)65535 * ENUF_TILES_OF_CHUNK;

/* Columns of a row, as many as a tile with it has at least. */
static int64_t width_of(const enuf_mode_row *row)
{
    return (row->count / 2 + ENUF_TILE_WIDTH) / ENUF_TILE_WIDTH * ENUF_TILE_WIDTH;
}

/* Rows by descending width; rows of one width stay in order, so that neighbours share m3. */
static enuf_status sort_rows(const enuf_mode_rows *modes, int64_t *order)
{
    const int64_t classes = modes->largest[0] / ENUF_TILE_WIDTH + 1;
    int64_t *start = NULL;
    ENUF_TRY(enuf_allocate(&start, classes + 1, sizeof *start, what));
    memset(start, 0, (size_t)(classes + 1) * sizeof *start);
    for (int64_t r = 0; r < modes->n_rows; r++)
        start[classes + 1 - width_of(&modes->rows[r]) / ENUF_TILE_WIDTH]++;
    for (int64_t k = 0; k < classes; k++) start[k + 1] += start[k];
    for (int64_t r = 0; r < modes->n_rows; r++)
        order[start[classes - width_of(&modes->rows[r]) / ENUF_TILE_WIDTH]++] = r;
    enuf_release(&start);
    return ENUF_SUCCESS;
}

static void fill_tile(const enuf_mode_rows *modes, const int64_t *order, int64_t t,
                      enuf_mode_tiles *made)
{
    enuf_tile_row *rows = made->rows + t * ENUF_TILE_ROWS;
    memset(rows, 0, ENUF_TILE_ROWS * sizeof *rows);
    for (int64_t k = 0; k < ENUF_TILE_ROWS && t * ENUF_TILE_ROWS + k < modes->n_rows; k++) {
        const enuf_mode_row *row = &modes->rows[order[t * ENUF_TILE_ROWS + k]];
        rows[k] = (enuf_tile_row){.centre = (int)(row->m1 + row->count / 2),
                                  .m2 = (int)row->m2,
                                  .m3 = (int)row->m3,
                                  .count = (int)row->count,
                                  .first = row->offset};
    }
    made->tiles[t] = (enuf_mode_tile){
        .first = made->n_cells,
        .width = (int)width_of(&modes->rows[order[t * ENUF_TILE_ROWS]]),
    };
    made->n_cells += (int64_t)ENUF_TILE_ROWS * made->tiles[t].width;
    made->n_jobs += (made->tiles[t].width + ENUF_TILE_COLUMNS - 1) / ENUF_TILE_COLUMNS;
}

static enuf_status make_jobs(enuf_mode_tiles *made)
{
    if (made->n_jobs > INT_MAX || made->n_tiles > MOST_TILES)
        return enuf_fail(
            ENUF_UNSUPPORTED,
            "exact sums on the GPU with %lld rows of modes: at most %lld are possible; "
            "take a smaller kmax, or the cpu backend",
            (long long)made->n_tiles * ENUF_TILE_ROWS, (long long)MOST_TILES * ENUF_TILE_ROWS);
    ENUF_TRY(enuf_allocate(&made->jobs, made->n_jobs, sizeof *made->jobs, what));
    int64_t k = 0;
    for (int t = 0; t < made->n_tiles; t++)
        for (int column = 0; column < made->tiles[t].width; column += ENUF_TILE_COLUMNS)
            made->jobs[k++] = (enuf_tile_job){t, column};
    return ENUF_SUCCESS;
}

static enuf_status make(const enuf_mode_rows *modes, const int64_t *order, enuf_mode_tiles *made)
{
    made->n_tiles = (modes->n_rows + ENUF_TILE_ROWS - 1) / ENUF_TILE_ROWS;
    ENUF_TRY(enuf_allocate(&made->rows, made->n_tiles * ENUF_TILE_ROWS, sizeof *made->rows, what));
    ENUF_TRY(enuf_allocate(&made->tiles, made->n_tiles, sizeof *made->tiles, what));
    for (int64_t t = 0; t < made->n_tiles; t++) fill_tile(modes, order, t, made);
    return make_jobs(made);
}

enuf_status enuf_mode_tiles_make(const enuf_mode_rows *modes, enuf_mode_tiles *made)
{
    int64_t *order = NULL;
    memset(made, 0, sizeof *made);
    enuf_status status = enuf_allocate(&order, modes->n_rows, sizeof *order, what);
    if (status == ENUF_SUCCESS) status = sort_rows(modes, order);
    if (status == ENUF_SUCCESS) status = make(modes, order, made);
    enuf_release(&order);
    return status;
}

void enuf_mode_tiles_release(enuf_mode_tiles *tiles)
{
    enuf_release(&tiles->rows);
    enuf_release(&tiles->tiles);
    enuf_release(&tiles->jobs);
}
