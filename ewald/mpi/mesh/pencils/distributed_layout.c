/* distributed_layout.c - see distributed_layout.h. SPDX-License-Identifier: BSD-3-Clause */
#include "distributed_layout.h"

static double at_most(double a, double b)
{
    return a < b ? a : b;
}

/* Size of the largest block; total without the smallest block. */
static double largest(enuf_blocks blocks)
{
    return (double)((blocks.total + blocks.parts - 1) / blocks.parts);
}

static double others(enuf_blocks blocks)
{
    return (double)(blocks.total - blocks.total / blocks.parts);
}

/* Number of blocks that a halo reaches on one side. */
static double neighbours(enuf_blocks cells, int halo)
{
    double block = (double)(cells.total / cells.parts);
    double reached = (double)(int64_t)(((double)halo + block - 1) / block);
    return at_most(reached, (double)(cells.parts - 1));
}

enuf_layout_traffic enuf_layout_traffic_of(const enuf_layout *l)
{
    enuf_layout_traffic traffic = {0, 0, 0};
    enuf_blocks y = l->cells[ENUF_AXIS_Y], z = l->cells[ENUF_AXIS_Z];
    double halo = l->halo_lo + l->halo_hi, row = (double)l->grid[0];
    double n_y = largest(y), n_z = largest(z), n_x = largest(l->modes_x);
    /* halos go twice: after spreading and before interpolation. Transpositions go twice, with two
     * numbers for each mode */
    if (y.parts > 1) {
        double planes = n_z + (z.parts > 1 ? halo : 0);
        traffic.halo += 2 * halo * row * planes;
        traffic.transposed += 2 * n_z * (others(l->modes_x) * n_y + n_x * others(y));
        traffic.messages += 2 * (neighbours(y, l->halo_lo) + neighbours(y, l->halo_hi));
        traffic.messages += 2 * (y.parts - 1);
    }
    if (z.parts > 1) {
        double columns = largest(l->modes_y);
        traffic.halo += 2 * halo * row * n_y;
        traffic.transposed += 2 * n_x * (others(l->modes_y) * n_z + columns * others(z));
        traffic.messages += 2 * (neighbours(z, l->halo_lo) + neighbours(z, l->halo_hi));
        traffic.messages += 2 * (z.parts - 1);
    }
    return traffic;
}

static enuf_layout layout_of(const int64_t grid[3], const int64_t modes[3], int width, int parts_y,
                             int parts_z)
{
    enuf_layout l;
    for (int d = 0; d < 3; d++) {
        l.grid[d] = grid[d];
        l.modes[d] = modes[d];
    }
    /* a window reaches width/2 cells down and up from its point. One more cell up: rounding may
     * move a point onto the next block's first cell */
    l.halo_lo = width / 2;
    l.halo_hi = width / 2 + 1;
    l.cells[ENUF_AXIS_Y] = (enuf_blocks){grid[1], parts_y};
    l.cells[ENUF_AXIS_Z] = (enuf_blocks){grid[2], parts_z};
    l.modes_x = (enuf_blocks){(modes[0] + 1) / 2, parts_y};
    l.modes_y = (enuf_blocks){modes[1], parts_z};
    return l;
}

enuf_layout enuf_layout_choose(const int64_t grid[3], const int64_t modes[3], int width, int ranks,
                               double message_in_numbers)
{
    enuf_layout best = layout_of(grid, modes, width, 1, 1);
    double best_cost = 0;
    for (int y = 1; y <= ranks && y <= grid[1]; y++) {
        int z = ranks / y < grid[2] ? ranks / y : (int)grid[2];
        enuf_layout l = layout_of(grid, modes, width, y, z);
        enuf_layout_traffic traffic = enuf_layout_traffic_of(&l);
        double cost = traffic.halo + traffic.transposed + message_in_numbers * traffic.messages;
        int more = enuf_layout_ranks(&l) - enuf_layout_ranks(&best);
        if (more < 0 || (more == 0 && (y > 1 && cost >= best_cost))) continue;
        best = l;
        best_cost = cost;
    }
    return best;
}

enuf_layout enuf_layout_slabs(const int64_t grid[3], const int64_t modes[3], int width, int ranks)
{
    return layout_of(grid, modes, width, 1, ranks < grid[2] ? ranks : (int)grid[2]);
}

enuf_share enuf_layout_share(const enuf_layout *l, int rank)
{
    enuf_share share = {0};
    if (rank >= enuf_layout_ranks(l)) return share;
    share.holds = 1;
    share.at[ENUF_AXIS_Y] = rank % l->cells[ENUF_AXIS_Y].parts;
    share.at[ENUF_AXIS_Z] = rank / l->cells[ENUF_AXIS_Y].parts;
    for (int a = 0; a < 2; a++) {
        share.lo[a] = enuf_block_start(l->cells[a], share.at[a]);
        share.n[a] = enuf_block_size(l->cells[a], share.at[a]);
        if (l->cells[a].parts == 1) continue;
        share.halo_lo[a] = l->halo_lo;
        share.halo_hi[a] = l->halo_hi;
    }
    share.x_lo = enuf_block_start(l->modes_x, share.at[ENUF_AXIS_Y]);
    share.n_x = enuf_block_size(l->modes_x, share.at[ENUF_AXIS_Y]);
    share.y_lo = enuf_block_start(l->modes_y, share.at[ENUF_AXIS_Z]);
    share.n_y = enuf_block_size(l->modes_y, share.at[ENUF_AXIS_Z]);
    return share;
}
