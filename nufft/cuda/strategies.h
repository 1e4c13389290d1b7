/*
 * strategies.h - the ways from points to cells and back, one file each, behind the selectors in
 * spread/spread.c and interpolate/interpolate.c. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_STRATEGIES_H
#define ENUF_NUFFT_CUDA_STRATEGIES_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** 1 if the kernels with tiles serve: widths up to ENUF_CUDA_TILED_WIDTH, all axes wrap, and, in
 * 3D, no tile wraps twice. */
int enuf_cuda_tiled(const enuf_nufft *plan, const enuf_target *target);

/** The forced strategy, or auto's choice; ENUF_STRATEGY_WINDOWS for wide windows, bricks and, in
 * 3D, tiny grids. 1D and 2D have ENUF_STRATEGY_TILES and ENUF_STRATEGY_WINDOWS; values in 1D, and
 * values and gradients in 2D on grids that are not tiny, ENUF_STRATEGY_GATHER too. */
enuf_strategy enuf_cuda_spread_choice(const enuf_nufft *plan, const enuf_target *target);
enuf_strategy enuf_cuda_interpolate_choice(const enuf_nufft *plan, const enuf_interpolate_job *job);

/** Most vectors of a batch that a kernel takes at once: blocks along y or z; of spreading in 3D,
 * whose parts of each vector take tickets. */
enum { ENUF_CUDA_MOST_VECTORS = 65535, ENUF_CUDA_MOST_IN_SPACE = ENUF_CUDA_TICKETS / 2 };

/** In 3D vectors of fewer points go together: those of one leave a part of the device idle, and the
 * grids of all fit into the second cache. */
enum { ENUF_CUDA_POINTS_TOGETHER = 200000 };

enuf_status enuf_cuda_spread_windows(enuf_nufft *plan, const enuf_spread_job *job);
enuf_status enuf_cuda_spread_plane(enuf_nufft *plan, const enuf_spread_job *job, int vectors);
enuf_status enuf_cuda_spread_tiles(enuf_nufft *plan, const enuf_spread_job *job, int vectors);
/* Deterministic, for enuf_cuda_spread_fixed(): with equal terms, of which either may be taken. The
 * second: 3D, tiles, windows up to ENUF_CUDA_MIDDLE_WIDTH. */
enuf_status enuf_cuda_spread_windows_fixed(enuf_nufft *plan, const enuf_spread_job *job);
enuf_status enuf_cuda_spread_tiles_fixed(enuf_nufft *plan, const enuf_spread_job *job);
enuf_status enuf_cuda_spread_slide_float(enuf_nufft *plan, const enuf_spread_job *job, int vectors);
enuf_status enuf_cuda_spread_slide_double(enuf_nufft *plan, const enuf_spread_job *job,
                                          int vectors);
/** Float plans without double. */
enuf_status enuf_cuda_spread_slide_plain(enuf_nufft *plan, const enuf_spread_job *job, int vectors);

enuf_status enuf_cuda_interpolate_windows(enuf_nufft *plan, const enuf_interpolate_job *job);
enuf_status enuf_cuda_interpolate_plane_float(enuf_nufft *plan, const enuf_interpolate_job *job,
                                              int vectors);
enuf_status enuf_cuda_interpolate_plane_double(enuf_nufft *plan, const enuf_interpolate_job *job,
                                               int vectors);
/** Float plans without double. */
enuf_status enuf_cuda_interpolate_plane_plain(enuf_nufft *plan, const enuf_interpolate_job *job,
                                              int vectors);
enuf_status enuf_cuda_interpolate_gather(enuf_nufft *plan, const enuf_interpolate_job *job,
                                         int vectors);
/** 1D. */
enuf_status enuf_cuda_interpolate_line(enuf_nufft *plan, const enuf_interpolate_job *job);
enuf_status enuf_cuda_interpolate_points_float(enuf_nufft *plan, const enuf_interpolate_job *job,
                                               int vectors);
enuf_status enuf_cuda_interpolate_points_double(enuf_nufft *plan, const enuf_interpolate_job *job,
                                                int vectors);
enuf_status enuf_cuda_interpolate_tiles(enuf_nufft *plan, const enuf_interpolate_job *job);
/** Bytes of shared memory of a block of enuf_cuda_interpolate_tiles(). Some GPUs have less. */
size_t enuf_cuda_interpolate_tiles_shared(const enuf_nufft *plan, int gradients);

#ifdef __cplusplus
}
#endif
#endif
