/*
 * placing.h - kernels that send atoms to the devices of their domains: they count, pack, and copy
 * results back. C and CUDA files include it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICES_PLACING_H
#define ENUF_EWALD_MPI_DEVICES_PLACING_H

#include "cuda/pair_sums.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An atom in a message, and in the memory of a domain. */
typedef struct enuf_device_row {
    double x[3], q;
} enuf_device_row;

/** A domain, or an image of it, with the cutoff around it. Its rank gets the atoms with fractions
 * between the bounds, moved by `shift` cell vectors. */
typedef struct enuf_device_target {
    double low[3], high[3];
    int rank, shift[3];
} enuf_device_target;

enum { ENUF_PLACING_THREADS = 256, ENUF_PLACING_BINS = 4096 };

/** Arguments of the kernels, passed by value. */
typedef struct enuf_placing {
    int64_t n; /* atoms of this rank's caller */
    const double *positions;
    int64_t stride;
    const double *q;
    double inverse[9], rows[9]; /* of the cell */
    int count[3];               /* pieces along each cell vector */
    const int *piece[3];        /* as enuf_domains */
    int ranks, me;
    int unshifted; /* 1: a rank gets an atom once, not moved; 0: it gets images, folded */
    int n_targets;
    const enuf_device_target *targets; /* [n_targets], ascending ranks */
    double farthest;                   /* larger fractions are errors */
    enuf_cuda_pair_record *record;
    /* [2][ranks][blocks] + 1: counts of own atoms, then of ghosts, for each rank and block; the
     * scan replaces counts by places */
    int *counts;
    int blocks;
    int kept_first, kept; /* first place and number of the atoms that stay, without ghosts */
    enuf_device_row *here, *sent; /* [kept] rows that stay; all other rows, without a gap */
    int *slot;   /* [n] place among the rows that stay; of others: -1 - place in `sent` */
    int *source; /* [sent] the atom of a row */
} enuf_placing;

static inline int enuf_placing_blocks(int64_t n)
{
    return (int)((n + ENUF_PLACING_THREADS - 1) / ENUF_PLACING_THREADS);
}

/** Adds to histogram [pieces before d][bins] along cell vector d. */
enuf_status enuf_placing_count_bins(const enuf_placing *placing, int d, int64_t pieces_before,
                                    unsigned long long *histogram, cudaStream_t stream);
/** Fills counts; records positions that are not finite or too far away. */
enuf_status enuf_placing_count(const enuf_placing *placing, cudaStream_t stream);
enuf_status enuf_placing_scan_bytes(int64_t n_counts, size_t *bytes);
/** Turns counts into places. */
enuf_status enuf_placing_scan(int *counts, int64_t n_counts, void *scan, size_t bytes,
                              cudaStream_t stream);
/** Writes rows, slot and source. */
enuf_status enuf_placing_pack(const enuf_placing *placing, cudaStream_t stream);

/** Forces [..][3] of the rows first ... behind - 1 from the field of half pairs; records suspicious
 * sums. */
enuf_status enuf_placing_forces(const enuf_cuda_sorted_field *field, int64_t first, int64_t behind,
                                const enuf_device_row *rows, double *forces,
                                enuf_cuda_pair_record *record, cudaStream_t stream);
/** The same for the atoms at home whose rows stayed; `back` has the forces of the other atoms. */
enuf_status enuf_placing_bring_forces(int64_t n, const int *slot,
                                      const enuf_cuda_sorted_field *field,
                                      const enuf_device_row *rows, const double *back, double *home,
                                      enuf_cuda_pair_record *record, cudaStream_t stream);
/** home [n][width] from results of rows that stayed, [..][width], and from results of other
 * ranks. */
enuf_status enuf_placing_bring_home(int64_t n, int width, const int *slot, const double *stayed,
                                    const double *back, double *home, cudaStream_t stream);

/** packed[k] = values[index[k]] of [..][3] numbers. */
enuf_status enuf_placing_pick(int64_t n, const int64_t *index, const double *values, double *packed,
                              cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
