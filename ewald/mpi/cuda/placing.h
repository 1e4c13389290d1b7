/*
 * placing.h - atoms on their way to the devices of their domains: kernels that count, pack, and
 * bring results back. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_CUDA_PLACING_H
#define ENUF_EWALD_MPI_CUDA_PLACING_H

#include "pair_sums.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An atom on its way; also how those of a domain lie in memory. */
typedef struct enuf_device_row {
    double x[3], q;
} enuf_device_row;

/** A domain with the cutoff around it, or an image: atoms whose fractions are between the bounds go
 * to its rank, moved by `shift` cell vectors. */
typedef struct enuf_device_target {
    double low[3], high[3];
    int rank, shift[3];
} enuf_device_target;

enum { ENUF_PLACING_THREADS = 256, ENUF_PLACING_BINS = 4096 };

/** What the kernels read, passed by value. */
typedef struct enuf_placing {
    int64_t n; /* atoms that this rank has from its caller */
    const double *positions;
    int64_t stride;
    const double *q;
    double inverse[9], rows[9]; /* of the cell */
    int count[3];               /* pieces along each cell vector */
    const int *piece[3];        /* as enuf_domains */
    int ranks, me;
    int unshifted; /* atoms go to a rank once, where they are; else images of them, folded */
    int n_targets;
    const enuf_device_target *targets; /* [n_targets], ascending ranks */
    double farthest;                   /* fractions beyond are refused */
    enuf_cuda_pair_record *record;
    /* [2][ranks][blocks] + 1: own atoms for each rank, then ghosts for each, of each block; then
     * their places, one behind the other */
    int *counts;
    int blocks;
    int kept_first, kept; /* of those places the ones that are for this rank itself, no ghosts */
    enuf_device_row *here, *sent; /* [kept] rows that stay; the others, without a gap */
    int *slot;   /* [n] place among those that stay; of others -1 less the place in sent */
    int *source; /* [sent] which atom a row is */
} enuf_placing;

static inline int enuf_placing_blocks(int64_t n)
{
    return (int)((n + ENUF_PLACING_THREADS - 1) / ENUF_PLACING_THREADS);
}

/** Adds to histogram [pieces before d][bins] along cell vector d. */
enuf_status enuf_placing_count_bins(const enuf_placing *placing, int d, int64_t pieces_before,
                                    unsigned long long *histogram, cudaStream_t stream);
/** Fills counts, and looks for positions that are not finite or too far away. */
enuf_status enuf_placing_count(const enuf_placing *placing, cudaStream_t stream);
enuf_status enuf_placing_scan_bytes(int64_t n_counts, size_t *bytes);
/** Turns counts into places. */
enuf_status enuf_placing_scan(int *counts, int64_t n_counts, void *scan, size_t bytes,
                              cudaStream_t stream);
/** Writes rows, slot and source. */
enuf_status enuf_placing_pack(const enuf_placing *placing, cudaStream_t stream);

/** Forces [..][3] of the rows first ... behind - 1 from the field of pairs met once; looks for
 * suspicious sums. */
enuf_status enuf_placing_forces(const enuf_cuda_sorted_field *field, int64_t first, int64_t behind,
                                const enuf_device_row *rows, double *forces,
                                enuf_cuda_pair_record *record, cudaStream_t stream);
/** The same for the atoms at home whose rows stayed; those of others are in back. */
enuf_status enuf_placing_bring_forces(int64_t n, const int *slot,
                                      const enuf_cuda_sorted_field *field,
                                      const enuf_device_row *rows, const double *back, double *home,
                                      enuf_cuda_pair_record *record, cudaStream_t stream);
/** home [n][width] of what was found for rows that stayed [..][width] and what came back. */
enuf_status enuf_placing_bring_home(int64_t n, int width, const int *slot, const double *stayed,
                                    const double *back, double *home, cudaStream_t stream);

/** index [..] of the numbers that are not 0 among n, ascending, and how many: for the modes inside
 * a sphere, whose weights are not 0. */
enuf_status enuf_sphere_scan_bytes(int64_t n, int single, size_t *bytes);
enuf_status enuf_sphere_find(int64_t n, int single, const void *weights, int64_t *index,
                             int64_t *count, void *scan, size_t bytes, cudaStream_t stream);

/** packed[k] = values[index[k]] of [..][3] numbers. */
enuf_status enuf_placing_pick(int64_t n, const int64_t *index, const double *values, double *packed,
                              cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
