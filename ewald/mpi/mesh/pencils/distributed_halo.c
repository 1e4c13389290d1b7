/* distributed_halo.c - see distributed_halo.h. SPDX-License-Identifier: BSD-3-Clause */
#include "distributed_halo.h"
#include "memory.h"

#include <string.h>

/* A run of a block's halo: its place in the halo, and its first cell of the grid. */
typedef struct outer_run {
    int owner;
    int64_t at, cell, n;
} outer_run;

/* Cuts the halo of a block into runs, each of one owner. runs NULL: only counts them. */
static int cut_halo(const enuf_layout *layout, int axis, int block, outer_run *runs)
{
    enuf_blocks cells = layout->cells[axis];
    int64_t lo = enuf_block_start(cells, block), n = enuf_block_size(cells, block);
    const int64_t first[2] = {lo - layout->halo_lo, lo + n};
    const int64_t length[2] = {layout->halo_lo, layout->halo_hi};
    int count = 0;
    for (int side = 0; side < 2; side++)
        for (int64_t done = 0; done < length[side];) {
            int64_t cell = (first[side] + done) % cells.total;
            if (cell < 0) cell += cells.total;
            int owner = enuf_block_of(cells, cell);
            int64_t here = enuf_block_start(cells, owner + 1) - cell;
            if (here > length[side] - done) here = length[side] - done;
            if (runs)
                runs[count] =
                    (outer_run){owner, first[side] + done - (lo - layout->halo_lo), cell, here};
            count++;
            done += here;
        }
    return count;
}

/* Sorts runs of the halo by owner. Runs of one owner keep their order, which both ranks know. */
static enuf_status make_outer(const enuf_layout *layout, int axis, int me, enuf_halo *halo)
{
    outer_run *runs;
    int n = cut_halo(layout, axis, me, NULL);
    ENUF_TRY(enuf_allocate(&halo->outer, n, sizeof *halo->outer, "runs of a halo"));
    ENUF_TRY(enuf_allocate(&runs, n, sizeof *runs, "runs of a halo"));
    cut_halo(layout, axis, me, runs);
    for (int block = 0; block < layout->cells[axis].parts; block++)
        for (int k = 0; k < n; k++)
            if (runs[k].owner == block)
                halo->outer[halo->n_outer++] = (enuf_halo_run){block, runs[k].at, runs[k].n};
    enuf_release(&runs);
    return ENUF_SUCCESS;
}

/* Own cells that are copied in halos of other blocks, or in the halo of this block. */
static enuf_status make_inner(const enuf_layout *layout, int axis, int me, enuf_halo *halo)
{
    enuf_blocks cells = layout->cells[axis];
    outer_run *runs;
    int64_t most = layout->halo_lo + layout->halo_hi, lo = enuf_block_start(cells, me);
    ENUF_TRY(enuf_allocate(&runs, most, sizeof *runs, "runs of a halo"));
    for (int fill = 0; fill < 2; fill++) {
        halo->n_inner = 0;
        for (int block = 0; block < cells.parts; block++) {
            int n = cut_halo(layout, axis, block, runs);
            for (int k = 0; k < n; k++) {
                if (runs[k].owner != me) continue;
                if (fill)
                    halo->inner[halo->n_inner] =
                        (enuf_halo_run){block, runs[k].cell - lo + layout->halo_lo, runs[k].n};
                halo->n_inner++;
            }
        }
        if (fill) break;
        enuf_status status =
            enuf_allocate(&halo->inner, halo->n_inner, sizeof *halo->inner, "runs of a halo");
        if (status != ENUF_SUCCESS) {
            enuf_release(&runs);
            return status;
        }
    }
    enuf_release(&runs);
    return ENUF_SUCCESS;
}

/* Number of x rows of each cell of a run along the axis. */
static int64_t rows_across(const enuf_share *share, int axis)
{
    if (axis == ENUF_AXIS_Z) return share->n[ENUF_AXIS_Y];
    return share->n[ENUF_AXIS_Z] + share->halo_lo[ENUF_AXIS_Z] + share->halo_hi[ENUF_AXIS_Z];
}

static int rank_of(const enuf_layout *layout, const enuf_share *share, int axis, int block)
{
    return axis == ENUF_AXIS_Y ? enuf_layout_rank(layout, block, share->at[ENUF_AXIS_Z])
                               : enuf_layout_rank(layout, share->at[ENUF_AXIS_Y], block);
}

enuf_status enuf_halo_create(const enuf_ranks *ranks, const enuf_layout *layout,
                             const enuf_share *share, int axis, enuf_halo *halo)
{
    *halo = (enuf_halo){0};
    ENUF_TRY(enuf_exchange_create(ranks, &halo->rows));
    if (!share->holds || layout->cells[axis].parts == 1) return ENUF_SUCCESS;
    ENUF_TRY(make_outer(layout, axis, share->at[axis], halo));
    ENUF_TRY(make_inner(layout, axis, share->at[axis], halo));
    int64_t across = rows_across(share, axis);
    for (int k = 0; k < halo->n_outer; k++) {
        int rank = rank_of(layout, share, axis, halo->outer[k].block);
        halo->rows.send[rank] += halo->outer[k].n * across;
        halo->rows.n_send += halo->outer[k].n * across;
    }
    for (int k = 0; k < halo->n_inner; k++) {
        int rank = rank_of(layout, share, axis, halo->inner[k].block);
        halo->rows.receive[rank] += halo->inner[k].n * across;
        halo->rows.n_receive += halo->inner[k].n * across;
    }
    return ENUF_SUCCESS;
}

void enuf_halo_release(enuf_halo *halo)
{
    enuf_exchange_release(&halo->rows);
    enuf_release(&halo->outer);
    enuf_release(&halo->inner);
    *halo = (enuf_halo){0};
}

int64_t enuf_halo_rows(const enuf_halo *halo)
{
    return halo->rows.n_send > halo->rows.n_receive ? halo->rows.n_send : halo->rows.n_receive;
}

typedef enum halo_action { PACK, UNPACK, ADD_DOUBLES, ADD_FLOATS } halo_action;

static void act(halo_action action, size_t length, char *restrict row, char *restrict packed)
{
    if (action == PACK) {
        memcpy(packed, row, length);
    } else if (action == UNPACK) {
        memcpy(row, packed, length);
    } else if (action == ADD_DOUBLES) {
        double *to = (double *)(void *)row;
        const double *from = (const double *)(void *)packed;
        for (size_t i = 0; i < length / sizeof *to; i++) to[i] += from[i];
    } else {
        float *to = (float *)(void *)row;
        const float *from = (const float *)(void *)packed;
        for (size_t i = 0; i < length / sizeof *to; i++) to[i] += from[i];
    }
}

/* Applies `action` to the rows of runs in the order of the message. */
static void go_through(halo_action action, const enuf_share *share, int axis, int n,
                       const enuf_halo_run *runs, const enuf_halo_cells *c, char *packed)
{
    int64_t across = rows_across(share, axis);
    size_t step = axis == ENUF_AXIS_Y ? c->row : c->plane;  /* along the axis */
    size_t other = axis == ENUF_AXIS_Y ? c->plane : c->row; /* across it */
    char *first = c->cells;
    if (axis == ENUF_AXIS_Z) first += (size_t)share->halo_lo[ENUF_AXIS_Y] * c->row;
    for (int k = 0; k < n; k++)
        for (int64_t i = 0; i < runs[k].n; i++)
            for (int64_t j = 0; j < across; j++) {
                char *row = first + (size_t)(runs[k].at + i) * step + (size_t)j * other;
                act(action, c->row_length, row, packed);
                packed += c->row_length;
            }
}

void enuf_halo_add(enuf_ranks *ranks, const enuf_share *share, const enuf_halo halo[2],
                   const enuf_halo_cells *c, int single, void *const buffer[2])
{
    for (int axis = ENUF_AXIS_Y; axis <= ENUF_AXIS_Z; axis++) {
        const enuf_halo *h = &halo[axis];
        go_through(PACK, share, axis, h->n_outer, h->outer, c, buffer[0]);
        enuf_exchange_forth(ranks, &h->rows, c->row_length, buffer[0], buffer[1]);
        go_through(single ? ADD_FLOATS : ADD_DOUBLES, share, axis, h->n_inner, h->inner, c,
                   buffer[1]);
    }
}

void enuf_halo_fill(enuf_ranks *ranks, const enuf_share *share, const enuf_halo halo[2],
                    const enuf_halo_cells *c, void *const buffer[2])
{
    for (int axis = ENUF_AXIS_Z; axis >= ENUF_AXIS_Y; axis--) {
        const enuf_halo *h = &halo[axis];
        go_through(PACK, share, axis, h->n_inner, h->inner, c, buffer[0]);
        enuf_exchange_back(ranks, &h->rows, c->row_length, buffer[0], buffer[1]);
        go_through(UNPACK, share, axis, h->n_outer, h->outer, c, buffer[1]);
    }
}
