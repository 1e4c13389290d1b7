/*
 * gather.cu - exact sums over modes at targets. A row's modes sum to V = sum F exp(i d), and their
 * derivative along axis 1 to W = sum d F exp(i d) (mode_tiles.h): four real numbers, products of
 * coefficients with cos and sin of 2 pi d s1. The row's phase turns them, then they are added.
 *
 * A block of 4 warps has 32 targets and the rows of a few tiles, 32 rows at a time: 128 x 32
 * products; a warp 16 rows and 16 targets of them. 8 columns at a time come to shared memory:
 * phases of the targets as they are, of coefficients all eight from the four that differ.
 *
 * Operations: 8 multiply-adds for a target and two modes; for a target and a row (of 30 modes and
 * more) 8 for its phase and 28 to turn and add. Shared memory delivers 20 doubles a lane for 8
 * products of 16 x 8 x 8, in two thirds of the time that the matrix units of an H100 take. These
 * bound it: 0.12 ps for a target and a mode; 1e5 targets and 2.4e5 modes take 3 ms at best.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "matrix_product.cuh"
#include "row_phases.cuh"

namespace
{

enum { THREADS = 128, LANES = 32, ROWS = ENUF_TILE_ROWS, TARGETS = ENUF_TILE_TARGETS };
enum { COLUMNS = ENUF_TILE_WIDTH, TERMS = 2 * COLUMNS }; /* of one step: cos and sin of each */
/* Doubles from one row of a matrix to the next: lanes of a half warp meet 16 different banks. */
enum { PITCH = TERMS + 4 };
/* Products of a warp: 4 times 4 rows with 4 numbers each, 2 times 8 targets. */
enum { BY_ROW = 4, BY_TARGET = 2 };

/* A block's part of shared memory. */
struct gather_stage {
    double by_row[4 * ROWS][PITCH]; /* Re V, Im V, Re W, Im W of each row */
    double by_target[TARGETS][PITCH];
    double2 phase[ROWS][TARGETS];
    enuf_tile_row rows[ROWS];
};

/* Columns `first` ... `first` + 7. */
__device__ void stage_columns(const enuf_device_phases &phases, const double2 *coefficients,
                              int width, int first, int target, gather_stage *s)
{
    const int column = threadIdx.x % COLUMNS, d = first + column;
    for (int row = threadIdx.x / COLUMNS; row < ROWS; row += THREADS / COLUMNS) {
        const double2 *of = coefficients + 2 * ((int64_t)row * width + d);
        const double re_sum = of[0].x, im_difference = of[0].y, im_sum = of[1].x,
                     re_difference = of[1].y;
        const double numbers[4][2] = {{re_sum, -im_difference},
                                      {im_sum, re_difference},
                                      {d * re_difference, -d * im_sum},
                                      {d * im_difference, d * re_sum}};
        for (int k = 0; k < 4; k++)
            *(double2 *)&s->by_row[4 * row + k][2 * column] = {numbers[k][0], numbers[k][1]};
    }
    const int j = threadIdx.x % TARGETS;
    for (int k = threadIdx.x / TARGETS; k < COLUMNS; k += THREADS / TARGETS) {
        double2 z = {0, 0};
        if (first + k <= phases.largest[0]) z = phase_along(phases, 0, first + k, target + j);
        *(double2 *)&s->by_target[j][2 * k] = z;
    }
}

/* Adds the products of a step to those of a warp. */
__device__ void multiply(const double (*a)[PITCH], const double (*b)[PITCH],
                         double (*products)[BY_ROW][4])
{
    const int lane = threadIdx.x % LANES, line = lane / 4, at = lane % 4;
#pragma unroll
    for (int k = 0; k < TERMS; k += 8) {
        double of_row[BY_ROW][4], of_target[BY_TARGET][2];
        for (int i = 0; i < BY_ROW; i++)
            for (int e = 0; e < 4; e++)
                of_row[i][e] = a[16 * i + 8 * (e % 2) + line][k + 4 * (e / 2) + at];
        for (int i = 0; i < BY_TARGET; i++)
            for (int e = 0; e < 2; e++) of_target[i][e] = b[8 * i + line][k + 4 * e + at];
        for (int i = 0; i < BY_TARGET; i++)
            for (int row = 0; row < BY_ROW; row++)
                multiply_add(products[i][row], of_row[row], of_target[i][0], of_target[i][1]);
    }
}

/* A lane has one of V, W's four numbers of each row. Adds its share of Re V p, and of the
 * derivatives -Im (c V + W) p, -Im m2 V p, -Im m3 V p, where p is the row's phase. */
__device__ void turn_and_add(const gather_stage &s, int first_row, int first_target,
                             const double (*products)[BY_ROW][4], double (*sums)[4])
{
    const int lane = threadIdx.x % LANES, number = lane / 4 % 4;
    const bool is_value = number < 2, is_imaginary = number % 2;
#pragma unroll
    for (int k = 0; k < 2 * BY_ROW; k++) {
        const int row = first_row + 2 * k + lane / 16;
        const double c = is_value ? s.rows[row].centre : 1, m2 = is_value ? s.rows[row].m2 : 0,
                     m3 = is_value ? s.rows[row].m3 : 0;
#pragma unroll
        for (int i = 0; i < BY_TARGET; i++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                const double2 p = s.phase[row][first_target + 8 * i + 2 * (lane % 4) + e];
                const double x = products[i][k / 2][2 * (k % 2) + e];
                const double turned = -x * (is_imaginary ? p.x : p.y);
                double *sum = sums[2 * i + e];
                if (is_value) sum[0] += x * (is_imaginary ? -p.y : p.x);
                sum[1] += c * turned;
                sum[2] += m2 * turned;
                sum[3] += m3 * turned;
            }
    }
}

/* Sums over the 8 lanes and the 2 warps that share targets, always in the same order. */
__device__ void deliver(double (*sums)[4], double (*shared)[TARGETS][4], double *to)
{
    const int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    for (int step = 4; step < LANES; step *= 2)
#pragma unroll
        for (int j = 0; j < 2 * BY_TARGET; j++)
            for (int a = 0; a < 4; a++) sums[j][a] += __shfl_xor_sync(~0u, sums[j][a], step);
    __syncthreads();
    if (lane < 4)
#pragma unroll
        for (int j = 0; j < 2 * BY_TARGET; j++)
            for (int a = 0; a < 4; a++)
                shared[warp % 2][8 * BY_TARGET * (warp / 2) + 8 * (j / 2) + 2 * lane + j % 2][a] =
                    sums[j][a];
    __syncthreads();
    const int target = threadIdx.x / 4, a = threadIdx.x % 4;
    to[4 * target + a] = shared[0][target][a] + shared[1][target][a];
}

__global__ void __launch_bounds__(THREADS)
    gather(const enuf_device_modes modes, const enuf_device_phases phases,
           const double2 *coefficients, double *sums)
{
    __shared__ gather_stage s;
    __shared__ double shared[2][TARGETS][4];
    const int target = blockIdx.x * TARGETS, warp = threadIdx.x / LANES;
    const int first_row = 4 * BY_ROW * (warp % 2), first_target = 8 * BY_TARGET * (warp / 2);
    const int begin = blockIdx.y * ENUF_TILES_OF_CHUNK,
              end = min(begin + ENUF_TILES_OF_CHUNK, modes.n_tiles);
    double sum[2 * BY_TARGET][4] = {};
    for (int t = begin; t < end; t++) {
        const enuf_mode_tile tile = modes.tiles[t];
        double products[BY_TARGET][BY_ROW][4] = {};
        __syncthreads();
        if (threadIdx.x < ROWS) s.rows[threadIdx.x] = modes.rows[t * ROWS + threadIdx.x];
        __syncthreads();
        for (int k = threadIdx.x / TARGETS; k < ROWS; k += THREADS / TARGETS)
            s.phase[k][threadIdx.x % TARGETS] =
                row_phase(phases, s.rows[k], target + threadIdx.x % TARGETS);
        for (int first = 0; first < tile.width; first += COLUMNS) {
            __syncthreads();
            stage_columns(phases, coefficients + 2 * tile.first, tile.width, first, target, &s);
            __syncthreads();
            multiply(s.by_row + 4 * first_row, s.by_target + first_target, products);
        }
        turn_and_add(s, first_row, first_target, products, sum);
    }
    deliver(sum, shared, sums + 4 * ((int64_t)blockIdx.y * phases.points + target));
}

/* A block has a tile. */
__global__ void find_coefficients(const enuf_device_modes modes, const double2 *factors,
                                  double2 *coefficients)
{
    const enuf_mode_tile tile = modes.tiles[blockIdx.x];
    for (int k = threadIdx.x; k < ROWS * tile.width; k += THREADS) {
        const enuf_tile_row row = modes.rows[blockIdx.x * ROWS + k / tile.width];
        const int d = k % tile.width, reach = row.count / 2;
        double2 f = {0, 0}, g = {0, 0};
        if (reach + d < row.count) f = factors[row.first + reach + d];
        if (d > 0 && d <= reach) g = factors[row.first + reach - d];
        coefficients[2 * (tile.first + k)] = {f.x + g.x, f.y - g.y};
        coefficients[2 * (tile.first + k) + 1] = {f.y + g.y, f.x - g.x};
    }
}

__global__ void add_gathered(const double *sums, int chunks, int points, int64_t n, double *total)
{
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (k >= n) return;
    double sum = 0;
    for (int chunk = 0; chunk < chunks; chunk++) sum += sums[chunk * 4 * (int64_t)points + k];
    total[k] = sum;
}

} // namespace

extern "C" {

enuf_status enuf_exact_coefficients_launch(const enuf_device_modes *modes, const double2 *factors,
                                           double2 *coefficients, cudaStream_t stream)
{
    find_coefficients<<<modes->n_tiles, THREADS, 0, stream>>>(*modes, factors, coefficients);
    return enuf_cuda_launched("coefficients of exact modes");
}

enuf_status enuf_exact_gather_launch(const enuf_device_modes *modes,
                                     const enuf_device_phases *phases, const double2 *coefficients,
                                     double *sums, cudaStream_t stream)
{
    const dim3 blocks(phases->points / TARGETS,
                      (modes->n_tiles + ENUF_TILES_OF_CHUNK - 1) / ENUF_TILES_OF_CHUNK);
    gather<<<blocks, THREADS, 0, stream>>>(*modes, *phases, coefficients, sums);
    return enuf_cuda_launched("exact modes at targets");
}

enuf_status enuf_exact_add_gathered_launch(const double *sums, int chunks, int points, int n,
                                           double *total, cudaStream_t stream)
{
    const int64_t numbers = 4 * (int64_t)n;
    add_gathered<<<(unsigned)((numbers + THREADS - 1) / THREADS), THREADS, 0, stream>>>(
        sums, chunks, points, numbers, total);
    return enuf_cuda_launched("exact modes at targets");
}
}
