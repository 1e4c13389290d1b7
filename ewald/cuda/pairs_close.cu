/*
 * pairs_close.cu - pairs so close that the rounding of their places in the grid shows in their
 * forces, as ewald/cpu/pairs_close.c.
 *
 * The walk over all pairs bounds 1/r of close pairs: below a radius it uses a polynomial P(r^2)
 * that stays finite (bounded_root() in real.cuh), so that the rounding error is bounded too. Here
 * each pair inside that radius gets 1/r - P, from the caller's own coordinates. The walk tells
 * whether it met such a pair; most systems have none, and the search ends at once. Else 8 threads
 * own a cluster's atoms, one each, and look at the small cells within the radius of their atom,
 * three or four with one or two atoms each. Bound by memory: 32 bytes an atom, neighbours from the
 * caches.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lattice/tensor.h"
#include "pair_walk.cuh"

namespace
{

enum { THREADS = 128 };

/* Two charges closer than this (squared, in cutoffs) may be at the same place: they start a
 * search. */
const double SUSPICIOUS_SQUARE = 1e-12;

/* The corrections of one atom, in the caller's frame and lengths, so that no rotation rounds
 * them. */
struct close_sums {
    double potential, field[3], tensor[6], forces2;
};

struct atom_of_pair {
    int index; /* in the caller's order */
    double x[3];
};

__device__ atom_of_pair atom_at(const enuf_cuda_pair_arguments &a,
                                const enuf_cuda_cell_atoms &atoms, int place)
{
    atom_of_pair atom;
    atom.index = a.cells.original[place];
    for (int e = 0; e < 3; e++) atom.x[e] = atoms.positions[atom.index * atoms.stride + e];
    return atom;
}

/* A vector of the frame in small cells. */
__device__ void in_cells(const enuf_cuda_pair_arguments &a, const double d[3], double cells[3])
{
    const double *m = a.close.to_cells;
    cells[2] = m[5] * d[2];
    cells[1] = m[3] * d[1] + m[4] * d[2];
    cells[0] = m[0] * d[0] + m[1] * d[1] + m[2] * d[2];
}

/* r_i - r_j from the caller's numbers: their difference, plus lattice vectors that lead to the
 * image. in_grid is the same vector in the grid's frame, rounded at the size of the cutoff; it
 * names the image. Positions and edges are split as in cells.cu, so that only the last sum
 * rounds. */
__device__ void exact_distance(const enuf_cuda_pair_arguments &a, const atom_of_pair &i,
                               const atom_of_pair &j, const double in_grid[3], double d[3])
{
    const enuf_cuda_grid &g = a.grid;
    double high[3], low[3], cells[3];
    in_cells(a, in_grid, cells);
    for (int e = 0; e < 3; e++) {
        const double high_i = (i.x[e] + g.to_steps) - g.to_steps,
                     high_j = (j.x[e] + g.to_steps) - g.to_steps;
        high[e] = high_i - high_j;
        low[e] = (i.x[e] - high_i) - (j.x[e] - high_j);
    }
    for (int k = 0; k < 3; k++) {
        double turns = -cells[k] / g.count[k];
        for (int e = 0; e < 3; e++) turns += (i.x[e] - j.x[e]) * g.inverse[3 * e + k];
        const double edges = rint(turns) * g.count[k];
        for (int e = 0; e < 3; e++) {
            high[e] -= edges * g.edge_high[3 * k + e];
            low[e] -= edges * g.edge_low[3 * k + e];
        }
    }
    for (int e = 0; e < 3; e++) d[e] = high[e] + low[e];
}

/* Not inlined: close pairs are rare, and their code would take registers from all threads. */
__device__ __noinline__ void mend_pair(const enuf_cuda_pair_arguments &a,
                                       const enuf_cuda_cell_atoms &atoms, int place, int other,
                                       const double in_grid[3], close_sums &sums)
{
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    const double *charges = (const double *)a.cells.charge;
    const double q_i = charges[place], q_j = charges[other];
    const double per_cutoff = a.per_cutoff;
    double d[3];
    if (in_grid[0] * in_grid[0] + in_grid[1] * in_grid[1] + in_grid[2] * in_grid[2] <
        SUSPICIOUS_SQUARE)
        a.record->suspicious = 1;
    exact_distance(a, atom_at(a, atoms, place), atom_at(a, atoms, other), in_grid, d);
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], s = r2 * per_cutoff * per_cutoff;
    if (!(s > 0)) return; /* the search for the closest pair reports it */
    const double of_walk = per_cutoff * improved_root(s, (double)a.most_root), root = 1 / sqrt(r2);
    const double field = root / r2 - of_walk * of_walk * of_walk;
    sums.potential += q_j * (root - of_walk);
    for (int k = 0; k < 3; k++) sums.field[k] += q_j * field * d[k];
    for (int c = 0; c < 6; c++) sums.tensor[c] += q_j * field * d[row[c]] * d[column[c]];
    const double force = q_i * q_j / r2;
    if (s <= a.close.square) sums.forces2 += force * force;
}

/* The atoms of one column's cells from ... last, of any image, that are within the radius. */
__device__ __forceinline__ bool search_column(const enuf_cuda_pair_arguments &a,
                                              const enuf_cuda_cell_atoms &atoms, int place,
                                              const double at[3], const int offset[2], int base,
                                              bool own_column, int from, int last, close_sums &sums)
{
    const enuf_cuda_grid &g = a.grid;
    const real4<double> *__restrict__ places = (const real4<double> *)a.cells.place;
    const int n_x = g.count[0];
    bool any = false;
    for (int image = images(from, n_x); from <= last; image++) {
        const int zero = image * n_x, end = min(last, zero + n_x - 1);
        const int behind = a.cells.first[base + end - zero + 1];
        for (int j = a.cells.first[base + from - zero]; j < behind; j++) {
            if (own_column && image == 0 && j == place) continue;
            const real4<double> p = places[j];
            const double d[3] = {at[0] - p.x - (unmarked(p.w) + zero) * g.e1 - offset[0] * g.e2x -
                                     offset[1] * g.e3x,
                                 at[1] - p.y - offset[0] * g.e2y - offset[1] * g.e3y,
                                 at[2] - p.z - offset[1] * g.e3z};
            if (!(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= a.close.radius_square)) continue;
            mend_pair(a, atoms, place, j, d, sums);
            any = true;
        }
        from = end + 1;
    }
    return any;
}

/* A field in the frame and scale of enuf_cuda_deliver(), which turns and scales it back. The
 * rounding of that way back is found and added. */
__device__ void in_frame(const enuf_cuda_pair_arguments &a, const double field[3], double turned[3])
{
    const double *frame = a.grid.frame, square = a.grid.cutoff * a.grid.cutoff;
    double left[3] = {field[0], field[1], field[2]};
    for (int k = 0; k < 3; k++) turned[k] = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < 3; k++)
            turned[k] += square * (frame[3 * k] * left[0] + frame[3 * k + 1] * left[1] +
                                   frame[3 * k + 2] * left[2]);
        for (int e = 0; e < 3; e++) {
            left[e] = field[e];
            for (int k = 0; k < 3; k++)
                left[e] = fma(-turned[k], frame[3 * k + e] * a.per_cutoff * a.per_cutoff, left[e]);
        }
    }
}

/* A component of F T F^T. */
__device__ double turned_tensor(const double *frame, const double tensor[6], int row, int column)
{
    const int of[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2}; /* of xx, yy, zz, xy, xz, yz */
    double sum = 0;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            sum += frame[3 * row + k] * tensor[of[3 * k + l]] * frame[3 * column + l];
    return sum;
}

__device__ __noinline__ void give(const enuf_cuda_pair_arguments &a, int place,
                                  const close_sums &sums)
{
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    const enuf_cuda_pair_outputs &out = a.out;
    const int64_t i = a.cells.original[place];
    const double q = ((const double *)a.cells.charge)[place];
    double *totals = (double *)out.totals + blockIdx.x % ENUF_CUDA_TOTAL_COPIES * ENUF_CUDA_TOTALS;
    if (out.want_energy) atomicAdd(totals, 0.5 * q * sums.potential);
    for (int c = 0; c < 6 && out.want_virial; c++)
        atomicAdd(totals + 1 + c,
                  0.5 * q * turned_tensor(a.grid.frame, sums.tensor, row[c], column[c]));
    if (out.sorted) {
        double turned[3];
        in_frame(a, sums.field, turned);
        for (int k = 0; k < 3; k++) out.sorted[k * out.sorted_n + place] += turned[k];
        return;
    }
    if (out.potential) out.potential[i] += sums.potential;
    if (out.atom_energy) out.atom_energy[i] += 0.5 * q * sums.potential;
    for (int e = 0; e < 3; e++) {
        if (out.forces) out.forces[3 * i + e] += q * sums.field[e];
        if (out.field) out.field[3 * i + e] += sums.field[e];
    }
    for (int c = 0; c < 6 && out.atom_virial; c++)
        out.atom_virial[6 * i + c] += 0.5 * q * sums.tensor[c];
}

/* The sums of one atom; whether it has close pairs. */
__device__ __forceinline__ bool search(const enuf_cuda_pair_arguments &a,
                                       const enuf_cuda_cell_atoms &atoms, const int4 &cluster,
                                       int place, close_sums &sums)
{
    const enuf_cuda_grid &g = a.grid;
    const real4<double> p = ((const real4<double> *)a.cells.place)[place];
    const double along = unmarked(p.w), local[3] = {p.x, p.y, p.z};
    const double at[3] = {p.x + along * g.e1, p.y, p.z}, *reach = a.close.reach;
    double u[3];
    in_cells(a, local, u);
    const int from = (int)along + (int)floor(u[0] - reach[0]),
              last = (int)along + (int)floor(u[0] + reach[0]);
    const int low_y = (int)floor(u[1] - reach[1]), high_y = (int)floor(u[1] + reach[1]);
    const int low_z = (int)floor(u[2] - reach[2]), high_z = (int)floor(u[2] + reach[2]);
    bool any = false;
    for (int dz = low_z; dz <= high_z; dz++) {
        const int z = cluster.w + dz, image_z = images(z, g.count[2]);
        for (int dy = low_y; dy <= high_y; dy++) {
            const int y = cluster.z + dy, image_y = images(y, g.count[1]);
            const int column = (z - image_z * g.count[2]) * g.count[1] + y - image_y * g.count[1];
            const int offset[2] = {dy, dz};
            any |= search_column(a, atoms, place, at, offset, column * g.count[0],
                                 dy == 0 && dz == 0, from, last, sums);
        }
    }
    return any;
}

__global__ void __launch_bounds__(THREADS)
    mend_close(const __grid_constant__ enuf_cuda_pair_arguments a,
               const __grid_constant__ enuf_cuda_cell_atoms atoms)
{
    if (!a.record->close) return;
    const int thread = blockIdx.x * THREADS + threadIdx.x;
    const int which = thread / ENUF_CUDA_CLUSTER, mine = thread % ENUF_CUDA_CLUSTER;
    close_sums sums = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0};
    bool any = false;
    if (which < *a.cells.n_clusters) {
        const int4 cluster = a.cells.cluster[which];
        const int place = cluster.x + mine;
        const bool is_own =
            mine < cluster.y && (!a.has_ghosts || a.cells.original[place] < a.n_own);
        any = is_own && search(a, atoms, cluster, place, sums);
        if (any) give(a, place, sums);
    }
    if (!__any_sync(~0u, any)) return;
    double forces2 = sums.forces2;
    for (int by = 1; by < 32; by *= 2) forces2 += __shfl_xor_sync(~0u, forces2, by);
    if (threadIdx.x % 32 == 0) atomicAdd(&a.record->close_forces2, forces2);
}

} // namespace

extern "C" enuf_status enuf_cuda_pairs_mend_close(const enuf_cuda_pair_arguments *a,
                                                  const enuf_cuda_cell_atoms *atoms, int64_t most,
                                                  cudaStream_t stream)
{
    const int64_t n = most * ENUF_CUDA_CLUSTER;
    mend_close<<<(int)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(*a, *atoms);
    return enuf_cuda_launched("close pairs");
}
