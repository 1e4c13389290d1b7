/*
 * distributed_layout.h - the fine grid cells and modes of each rank.
 *
 * Pencils: every rank has whole x rows of a block of y and a block of z. A single block of y makes
 * slabs, whose transform needs one transposition instead of two. After the x transform the ranks of
 * a block of z share the modes of x; after the y transform the ranks of a block of y share the
 * modes of y. In the end a rank holds whole z lines of frequencies. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_DISTRIBUTED_LAYOUT_H
#define ENUF_DISTRIBUTED_LAYOUT_H

#include <stdint.h>

/** `total` items in `parts` consecutive blocks, whose sizes differ by at most one. */
typedef struct enuf_blocks {
    int64_t total;
    int parts;
} enuf_blocks;

static inline int64_t enuf_block_start(enuf_blocks blocks, int k)
{
    return blocks.total * k / blocks.parts;
}

static inline int64_t enuf_block_size(enuf_blocks blocks, int k)
{
    return enuf_block_start(blocks, k + 1) - enuf_block_start(blocks, k);
}

/** The block that holds `at`, 0 <= at < total. */
static inline int enuf_block_of(enuf_blocks blocks, int64_t at)
{
    return (int)((blocks.parts * (at + 1) - 1) / blocks.total);
}

enum { ENUF_AXIS_Y = 0, ENUF_AXIS_Z = 1 }; /* the axes that are cut into blocks */

typedef struct enuf_layout {
    int64_t grid[3];      /* fine grid cells */
    int64_t modes[3];     /* odd */
    int halo_lo, halo_hi; /* halo cells below and above a block, on an axis with several blocks */
    enuf_blocks cells[2]; /* of y, of z; parts[0] parts[1] ranks hold cells */
    enuf_blocks modes_x;  /* 0 ... (modes[0]-1)/2, among the blocks of y */
    enuf_blocks modes_y;  /* 0, 1, ..., -2, -1, among the blocks of z */
} enuf_layout;

/** A rank's share. */
typedef struct enuf_share {
    int holds;           /* 0: a rank without cells and modes; all counts are 0 */
    int at[2];           /* number of its block of y, of z */
    int64_t lo[2], n[2]; /* its cells of y and z, without halos */
    int64_t halo_lo[2], halo_hi[2];
    int64_t x_lo, n_x; /* modes of x after the first transposition */
    int64_t y_lo, n_y; /* modes of y after the second */
} enuf_share;

/** Numbers (of 8 or 4 bytes) and messages that the busiest rank sends for one spread, transform,
 * inverse and gather, without points. */
typedef struct enuf_layout_traffic {
    double halo, transposed, messages;
} enuf_layout_traffic;

/**
 * Chooses blocks for `ranks` ranks: as many ranks as possible hold cells; among these layouts, the
 * messages take the least time. message_in_numbers: cost of a message in numbers sent.
 */
enuf_layout enuf_layout_choose(const int64_t grid[3], const int64_t modes[3], int width, int ranks,
                               double message_in_numbers);

/** One block of y: slabs for `ranks` ranks, or one for each plane if there are fewer planes. */
enuf_layout enuf_layout_slabs(const int64_t grid[3], const int64_t modes[3], int width, int ranks);

enuf_layout_traffic enuf_layout_traffic_of(const enuf_layout *layout);

static inline int enuf_layout_ranks(const enuf_layout *layout)
{
    return layout->cells[ENUF_AXIS_Y].parts * layout->cells[ENUF_AXIS_Z].parts;
}

static inline int enuf_layout_rank(const enuf_layout *layout, int y_block, int z_block)
{
    return z_block * layout->cells[ENUF_AXIS_Y].parts + y_block;
}

enuf_share enuf_layout_share(const enuf_layout *layout, int rank);

/** Mode number of entry k of modes_y. */
static inline int64_t enuf_layout_mode_y(const enuf_layout *layout, int64_t k)
{
    return k <= layout->modes[1] / 2 ? k : k - layout->modes[1];
}

#endif
