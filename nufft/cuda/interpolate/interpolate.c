/* interpolate.c - chooses the kernel that interpolates. SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/strategies.h"

/*
 * The choice follows measurements: microseconds of values, and, behind the stroke, with gradients;
 * fine cells 160^3 for float, 128^3 for double; real strengths; points a cell (H100, November
 * 2026). Matrix: the double-precision matrix units, interpolate_tiles.cu.
 *
 *              .02 or .03          0.1                        0.4
 *             points  gather   matrix  points  gather    matrix   points   gather
 * float 4     57/63   18/21      -     59/72   37/53       -      96/142  116/185
 * float 6     33/40   32/32      -     62/68   91/110      -     142/177  331/432
 * float 8     50/67   53/45      -    103/121 151/162      -     256/299  519/617
 * double 7    45/55   41/48    74/138  73/80  102/156   247/434  175/207  380/580
 * double 9    73/91   71/82   118/215 126/144 221/268   281/554  345/384  833/944
 * double 11   92/104 116/116  269/380 188/202 401/395   569/891  551/606 1540/1447
 * double 13  133/143 131/156  294/426 269/295 446/536   688/1097 838/897 1547/1998
 * double 16     -       -       -/632   -/626   -/826     -/1346   -/1572   -/2995
 */

/* From so many points per fine cell on, a tile in shared memory is faster. */
static const double DENSITY_NARROW = 0.2, DENSITY = 0.03;
/*
 * Values of complex strengths: of narrow windows, of float, of double up to 7 cells, of wider ones.
 * Us of a type 2 by tiles of matrices, points, gather (H200, 30 November 2026): double, width 6,
 * 374,418 radial samples of 0.22 a cell 233, 200, 213, 93,620 of 0.054 136, 139, 112; width 9,
 * 0.048 a cell 889, 1780, 900; width 15 1908, 5699, 1779; width 12, 0.42 a cell 570, 892, 1155,
 * random 0.067 187, 180, 232. By this rule 552 problems (bench/results/tuning_ways_h200_*.csv)
 * take 1.006 times the least time in the mean, 1.47 at most: wide windows at random points, 0.018 a
 * cell.
 */
static const double COMPLEX_NARROW = 0.25, COMPLEX_FLOAT = 0.1, COMPLEX_DOUBLE = 0.13,
                    COMPLEX_DOUBLE_WIDE = 0.05;
/* Windows of 11 cells: points a cell from which on the matrix units are faster. */
static const double COMPLEX_MATRIX_11 = 0.16;
/* 1D: with more points tiles in registers are faster; interpolate_line.cu has times. */
static const int64_t LINE_POINTS = 1 << 24;
/*
 * 2D: the same, of windows of up to four cells; of windows up to ENUF_CUDA_MIDDLE_WIDTH, in float
 * and in double; of wider ones. With more points: points a fine cell of windows up to
 * ENUF_CUDA_MIDDLE_WIDTH and of wider ones. Microseconds of a type 2 in 2048^2 modes, complex, with
 * its FFT, by tiles in registers and by gather (H200, 29 November 2026):
 *
 *  points a mode   0.03      0.1       0.3        1          4
 *  float 4       216/144   223/158   251/196   371/353    888/1243
 *  float 7       341/204   388/228   398/301   534/569   1106/1692
 *  double 10     368/289   383/373   471/612      -          -
 *  double 16     700/460   763/589   768/957  1189/2156  3120/7256
 *
 * Small grids, 32^2 to 512^2 modes, 1 and 4 points a mode, time by tiles over that by gather:
 *
 *  points         4096      16,384    65,536    147,456   262,144   589,824
 *  float 5-8    1.03-1.23  1.09-1.25  .93-1.20  .99-1.08  1.01-1.22  .85-.93
 *  double 5-9    .97-1.11   .90-1.09  .76-1.09  .65-1.04   .88-.99   .74-.83
 *  double 10-16 1.08-1.18   .95-1.04     -      .71-.87    .65-.78   .56-.64
 */
static const int64_t PLANE_POINTS = 4000000, PLANE_POINTS_MIDDLE[2] = {300000, 12000},
                     PLANE_POINTS_WIDE = 16000;
static const double PLANE_DENSITY = 0.2, PLANE_DENSITY_WIDE = 0.06;
/* Least number of points for such tiles: with fewer, most of the device waits for its tiles. */
static const int64_t LEAST_POINTS = 30000;

/* 1: the values alone of complex strengths. */
static int is_complex(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    return plan->options.strengths == ENUF_COMPLEX_STRENGTHS && !job->gradients;
}

/* 1 where the double-precision matrix units are faster than a thread or two a point: where their
 * multiples of eight cells fit the window, and points are many. */
static int matrix_units_pay(const enuf_nufft *plan, const enuf_interpolate_job *job, double density)
{
    const int width = plan->method.fit.width;
    /* where double is slow, products of matrices cost what the multiply-adds in them cost */
    const int slow = enuf_cuda_of(plan)->fp64_slow;
    if (plan->options.precision == ENUF_FLOAT || slow) return 0;
    if (is_complex(plan, job))
        return width == 8 || width == 9 || width > 11 ||
               (width == 11 && density >= COMPLEX_MATRIX_11);
    if (density < 0.2) return 0;
    return job->gradients ? width > 15 : width == 9 || width > 12;
}

/* Points per fine cell from which on a tile in shared memory is faster. */
static double least_density(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    const int width = plan->method.fit.width, narrow = width <= ENUF_CUDA_SMALL_WIDTH;
    if (!is_complex(plan, job)) return narrow ? DENSITY_NARROW : DENSITY;
    if (narrow) return COMPLEX_NARROW;
    if (plan->options.precision == ENUF_FLOAT) return COMPLEX_FLOAT;
    return width <= 7 ? COMPLEX_DOUBLE : COMPLEX_DOUBLE_WIDE;
}

static int choose(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    const int64_t points = enuf_cuda_of(plan)->points.n;
    double density = (double)points;
    for (int d = 0; d < 3; d++) density /= (double)plan->method.grid[d];
    if (points < LEAST_POINTS || density < least_density(plan, job)) return ENUF_STRATEGY_GATHER;
    return matrix_units_pay(plan, job, density) ? ENUF_STRATEGY_TILES : ENUF_STRATEGY_POINTS;
}

/* 1 if lanes that read cells through the first cache serve in 1D and 2D: no window of 2D wraps
 * twice, and values alone in 1D. */
static int gather_serves(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    if (plan->options.dim == 1) return !job->gradients;
    return plan->method.grid[0] >= ENUF_CUDA_LEAST_GRID &&
           plan->method.grid[1] >= ENUF_CUDA_LEAST_GRID;
}

/* 1 if it is faster than tiles in registers, which share the weights among vectors of a batch. */
static int gather_pays(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t points = cuda->points.n;
    const int width = plan->method.fit.width;
    if (plan->options.batch > 1) return 0;
    if (plan->options.dim == 1) return points <= LINE_POINTS && !cuda->avoids_fp64;
    if (width <= ENUF_CUDA_SMALL_WIDTH) return points <= PLANE_POINTS;
    const double cells = (double)plan->method.grid[0] * (double)plan->method.grid[1];
    const double density = (double)points / cells;
    if (width > ENUF_CUDA_MIDDLE_WIDTH)
        return points <= PLANE_POINTS_WIDE || density < PLANE_DENSITY_WIDE;
    const int in_double = plan->options.precision == ENUF_DOUBLE;
    return points <= PLANE_POINTS_MIDDLE[in_double] || density < PLANE_DENSITY;
}

/* The same in 1D and 2D. */
static enuf_strategy choose_in_plane(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    return gather_serves(plan, job) && gather_pays(plan) ? ENUF_STRATEGY_GATHER
                                                         : ENUF_STRATEGY_TILES;
}

/* 1 if a block's tile fits into the device's shared memory. */
static int tile_fits(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    size_t room = (size_t)enuf_cuda_of(plan)->shared_bytes_per_block;
    return enuf_cuda_interpolate_tiles_shared(plan, job->gradients != NULL) <= room;
}

enuf_strategy enuf_cuda_interpolate_choice(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    int strategy = plan->options.interpolation;
    const int reads_table = plan->method.table_pieces > 0 && !job->gradients;
    if ((reads_table && plan->options.dim == 3) || !enuf_cuda_tiled(plan, &job->target))
        return ENUF_STRATEGY_WINDOWS;
    if (plan->options.dim < 3) {
        if (strategy == ENUF_STRATEGY_AUTO) return choose_in_plane(plan, job);
        if (strategy == ENUF_STRATEGY_GATHER && gather_serves(plan, job))
            return ENUF_STRATEGY_GATHER;
        return strategy == ENUF_STRATEGY_TILES ? ENUF_STRATEGY_TILES : ENUF_STRATEGY_WINDOWS;
    }
    if (strategy == ENUF_STRATEGY_AUTO) strategy = choose(plan, job);
    return strategy == ENUF_STRATEGY_TILES && !tile_fits(plan, job) ? ENUF_STRATEGY_GATHER
                                                                    : (enuf_strategy)strategy;
}

static enuf_status in_plane(enuf_nufft *plan, const enuf_interpolate_job *job, int vectors)
{
    if (enuf_cuda_of(plan)->avoids_fp64)
        return enuf_cuda_interpolate_plane_plain(plan, job, vectors);
    return plan->options.precision == ENUF_FLOAT
               ? enuf_cuda_interpolate_plane_float(plan, job, vectors)
               : enuf_cuda_interpolate_plane_double(plan, job, vectors);
}

/* Vectors of a batch that a kernel takes at once. */
static int most_vectors(const enuf_nufft *plan, enuf_strategy strategy,
                        const enuf_interpolate_job *job)
{
    if (plan->options.dim < 3) return strategy == ENUF_STRATEGY_TILES ? ENUF_CUDA_MOST_VECTORS : 1;
    const int few = enuf_cuda_of(plan)->points.n < ENUF_CUDA_POINTS_TOGETHER && !job->factors;
    const int together = strategy == ENUF_STRATEGY_GATHER || strategy == ENUF_STRATEGY_POINTS;
    return few && together ? ENUF_CUDA_MOST_VECTORS : 1;
}

/* So many vectors of a batch, up to most_vectors(). */
static enuf_status interpolate_by(enuf_nufft *plan, enuf_strategy strategy,
                                  const enuf_interpolate_job *job, int vectors)
{
    switch (strategy) {
    case ENUF_STRATEGY_TILES:
        return plan->options.dim < 3 ? in_plane(plan, job, vectors)
                                     : enuf_cuda_interpolate_tiles(plan, job);
    case ENUF_STRATEGY_POINTS:
        return plan->options.precision == ENUF_FLOAT
                   ? enuf_cuda_interpolate_points_float(plan, job, vectors)
                   : enuf_cuda_interpolate_points_double(plan, job, vectors);
    case ENUF_STRATEGY_GATHER:
        return plan->options.dim == 1 ? enuf_cuda_interpolate_line(plan, job)
                                      : enuf_cuda_interpolate_gather(plan, job, vectors);
    default:
        return enuf_cuda_interpolate_windows(plan, job);
    }
}

enuf_status enuf_cuda_interpolate(enuf_nufft *plan, const enuf_interpolate_job *job, int vectors)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_strategy strategy = enuf_cuda_interpolate_choice(plan, job);
    const int most = most_vectors(plan, strategy, job);
    const size_t number = enuf_cuda_number(plan), parts = plan->real ? 1 : 2;
    enuf_interpolate_job next = *job;
    if (cuda->points.n == 0 || (!job->values && !job->gradients)) return ENUF_SUCCESS;
    for (int v = 0; v < vectors; v += most) {
        const int now = vectors - v < most ? vectors - v : most;
        const size_t bytes = (size_t)(now * plan->n_points) * parts * number;
        ENUF_TRY(interpolate_by(plan, strategy, &next, now));
        next.cells = (const char *)next.cells + (size_t)(now * cuda->batch_cells) * number;
        if (job->values) next.values = (char *)next.values + bytes;
        if (job->gradients)
            next.gradients = (char *)next.gradients + bytes * (size_t)plan->options.dim;
    }
    return ENUF_SUCCESS;
}
