/*
 * structure.cu - structure factors of exact sums: S(c + d) and S(c - d) of a row are sums and
 * differences of four sums over the atoms, of (Re, Im of q times the row's phase) times (cos, sin
 * of 2 pi d s1). All rows and columns of a tile together are the product of two real matrices.
 *
 * A block of 4 warps has 32 rows and 32 columns of a tile, 64 x 64 sums, and a chunk of the atoms;
 * a warp a quarter of them. 16 atoms at a time come to shared memory: columns as they are, rows as
 * products of three phases.
 *
 * Operations: 4 multiply-adds for an atom and two modes, and 8 for an atom and a row (of 30 modes
 * and more). Shared memory delivers 16 doubles a lane for 8 products of 16 x 8 x 8, in half of the
 * time that the matrix units of an H100 take. These bound it: 33e12 multiply-adds/s are 0.06 ps for
 * an atom and a mode; 1e5 atoms and 2.4e5 modes take 1.5 ms at best.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "matrix_product.cuh"
#include "row_phases.cuh"

namespace
{

enum { THREADS = 128, LANES = 32, ATOMS = 16, ROWS = ENUF_TILE_ROWS, COLUMNS = ENUF_TILE_COLUMNS };
/* Doubles from one row of a matrix to the next: lanes of a half warp meet 16 different banks. */
enum { PITCH = ATOMS + 4 };
/* Products of a warp: 2 times 16 numbers of rows, 4 times 8 of columns. */
enum { BY_ROW = 2, BY_COLUMN = 4, OF_WARP = 32 };

/* Copies 16 atoms, from `first` on, to shared memory: [2 row + re/im][atom], [2 column +
 * cos/sin][atom]. */
__device__ void stage(const enuf_device_phases &phases, const enuf_tile_row *rows, int column,
                      int first, double (*by_row)[PITCH], double (*by_column)[PITCH])
{
    const int j = threadIdx.x % ATOMS;
    for (int k = threadIdx.x / ATOMS; k < ROWS; k += THREADS / ATOMS) {
        const double2 z = row_phase(phases, rows[k], first + j);
        by_row[2 * k][j] = z.x;
        by_row[2 * k + 1][j] = z.y;
    }
    for (int k = threadIdx.x / ATOMS; k < COLUMNS; k += THREADS / ATOMS) {
        double2 z = {0, 0};
        if (column + k <= phases.largest[0]) z = phase_along(phases, 0, column + k, first + j);
        by_column[2 * k][j] = z.x;
        by_column[2 * k + 1][j] = z.y;
    }
}

/* Adds the products of 16 atoms to the sums of a warp; a and b are its rows of the matrices. */
__device__ void multiply(const double (*a)[PITCH], const double (*b)[PITCH],
                         double (*sums)[BY_ROW][4])
{
    const int lane = threadIdx.x % LANES, line = lane / 4, at = lane % 4;
#pragma unroll
    for (int k = 0; k < ATOMS; k += 8) {
        double of_row[BY_ROW][4], of_column[BY_COLUMN][2];
        for (int i = 0; i < BY_ROW; i++)
            for (int e = 0; e < 4; e++)
                of_row[i][e] = a[16 * i + 8 * (e % 2) + line][k + 4 * (e / 2) + at];
        for (int i = 0; i < BY_COLUMN; i++)
            for (int e = 0; e < 2; e++) of_column[i][e] = b[8 * i + line][k + 4 * e + at];
        for (int i = 0; i < BY_COLUMN; i++)
            for (int row = 0; row < BY_ROW; row++)
                multiply_add(sums[i][row], of_row[row], of_column[i][0], of_column[i][1]);
    }
}

__global__ void __launch_bounds__(THREADS)
    add_chunk(const enuf_device_modes modes, const enuf_device_phases phases, int chunk,
              double2 *sums)
{
    __shared__ double by_row[2 * ROWS][PITCH], by_column[2 * COLUMNS][PITCH];
    __shared__ enuf_tile_row rows[ROWS];
    const enuf_tile_job job = modes.jobs[blockIdx.x];
    const enuf_mode_tile tile = modes.tiles[job.tile];
    const int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    const int row_part = OF_WARP * (warp % 2), column_part = OF_WARP * (warp / 2);
    const int begin = blockIdx.y * chunk, end = min(begin + chunk, phases.points);
    const bool works = job.column + column_part / 2 < tile.width;
    double sum[BY_COLUMN][BY_ROW][4] = {};
    if (threadIdx.x < ROWS) rows[threadIdx.x] = modes.rows[job.tile * ROWS + threadIdx.x];
    for (int first = begin; first < end; first += ATOMS) {
        __syncthreads();
        stage(phases, rows, job.column, first, by_row, by_column);
        __syncthreads();
        if (works) multiply(by_row + row_part, by_column + column_part, sum);
    }
    sums += 2 * (blockIdx.y * modes.n_cells + tile.first);
#pragma unroll
    for (int i = 0; i < BY_COLUMN; i++) {
        const int column = job.column + column_part / 2 + 4 * i + lane % 4;
        if (column >= tile.width) continue;
#pragma unroll
        for (int k = 0; k < 2 * BY_ROW; k++) {
            const int line = row_part + 8 * k + lane / 4; /* 2 row + re/im */
            const double *of = sum[i][k / 2] + 2 * (k % 2);
            sums[2 * (int64_t)(line / 2 * tile.width + column) + line % 2] = {of[0], of[1]};
        }
    }
}

__global__ void add_chunks(int64_t n, const double2 *sums, int chunks, int first, double2 *total)
{
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (k >= n) return;
    double2 sum = {0, 0};
    if (!first) sum = total[k];
    for (int chunk = 0; chunk < chunks; chunk++) {
        sum.x += sums[chunk * n + k].x;
        sum.y += sums[chunk * n + k].y;
    }
    total[k] = sum;
}

/* A block has a tile. With w = q exp(i row) and z = exp(i d): S(c + d) = sum conj(w z), S(c - d) =
 * sum conj(w conj(z)). */
__global__ void find_factors(const enuf_device_modes modes, const double2 *total, double2 *factors)
{
    const enuf_mode_tile tile = modes.tiles[blockIdx.x];
    for (int k = threadIdx.x; k < ROWS * tile.width; k += THREADS) {
        const enuf_tile_row row = modes.rows[blockIdx.x * ROWS + k / tile.width];
        const int d = k % tile.width, reach = row.count / 2;
        const double2 re = total[2 * (tile.first + k)], im = total[2 * (tile.first + k) + 1];
        if (reach + d < row.count) factors[row.first + reach + d] = {re.x - im.y, -(re.y + im.x)};
        if (d > 0 && d <= reach) factors[row.first + reach - d] = {re.x + im.y, re.y - im.x};
    }
}

} // namespace

extern "C" {

enuf_status enuf_exact_structure_launch(const enuf_device_modes *modes,
                                        const enuf_device_phases *phases, int chunk, double2 *sums,
                                        cudaStream_t stream)
{
    const dim3 blocks(modes->n_jobs, (phases->points + chunk - 1) / chunk);
    add_chunk<<<blocks, THREADS, 0, stream>>>(*modes, *phases, chunk, sums);
    return enuf_cuda_launched("structure factors of exact modes");
}

enuf_status enuf_exact_add_chunks_launch(const enuf_device_modes *modes, const double2 *sums,
                                         int chunks, int first, double2 *total, cudaStream_t stream)
{
    const int64_t n = 2 * modes->n_cells;
    add_chunks<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(n, sums, chunks,
                                                                                first, total);
    return enuf_cuda_launched("structure factors of exact modes");
}

enuf_status enuf_exact_factors_launch(const enuf_device_modes *modes, const double2 *total,
                                      double2 *factors, cudaStream_t stream)
{
    find_factors<<<modes->n_tiles, THREADS, 0, stream>>>(*modes, total, factors);
    return enuf_cuda_launched("structure factors of exact modes");
}
}
