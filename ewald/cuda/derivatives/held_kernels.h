/*
 * held_kernels.h - the kernels of held positions. Sums are without the Coulomb constant and add up
 * in a fixed order. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_HELD_KERNELS_H
#define ENUF_EWALD_CUDA_HELD_KERNELS_H

#include "derivatives/charge_sets.h"
#include "slope_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* held_order.cu */
/** Puts the atoms of the cells into steady order: fills place [n] 4 reals and positions [n][3] in
 * this order, and sets the cells' home to it. */
enuf_status enuf_cuda_hold_order(const enuf_cuda_pair_arguments *a, int single, const double *given,
                                 void *place, double *positions, cudaStream_t stream);
/** Values [2 exclusions] of the matrix, -removed/r. */
enuf_status enuf_cuda_hold_exclusions(int64_t n, const double *given, const enuf_cuda_exclusions *x,
                                      double *values, cudaStream_t stream);
/** Weights 2 w_0 of all modes, from those of the half space. */
enuf_status enuf_cuda_hold_weights(const int64_t modes[3], int single, const void *half,
                                   void *weights, cudaStream_t stream);

/** Lowest number of a charge that is not finite, counted through all vectors, and of such a
 * potential. ENUF_CUDA_NO_ATOM: none. */
typedef struct enuf_cuda_sets_found {
    unsigned long long nan, infinite, minus_infinite; /* charges */
    unsigned long long potential;
} enuf_cuda_sets_found;

/** Sets of charges on the device. `sets` names arrays there. Arrays of pairs are [n][lanes] in the
 * steady order; those of the mesh are in this order too, [lanes/2][n][2], or [n] of one set. */
typedef struct enuf_cuda_sets {
    enuf_charge_sets sets;
    const double *given;      /* [n][3] */
    const int *home;          /* [n] place of the caller's atom in the steady order */
    int pairs_single;         /* 1: charges are float */
    int mesh_single;          /* 1: strengths and values are float */
    void *charges;            /* of pairs */
    void *strengths, *values; /* of the mesh */
    double *sums;             /* of pairs and exclusions */
    int64_t each;             /* moments of a set: enuf_needed_moments() */
    double *partial;          /* [ENUF_CUDA_PARTIAL_ROWS][lanes][each] */
    double *moments;          /* [lanes][each] */
    double bound;             /* deterministic: the plan's; else 0 */
    double coulomb;
    enuf_cuda_sets_found *found; /* of the host: errors alone write it */
} enuf_cuda_sets;

/* charge_sets.cu */
/** Fills charges and strengths, and the rows of the moments; looks for charges that are not
 * finite. */
enuf_status enuf_cuda_take_sets(const enuf_cuda_sets *s, cudaStream_t stream);
/** Sums the moments: scales and the delivery need them. */
enuf_status enuf_cuda_sum_set_moments(const enuf_cuda_sets *s, cudaStream_t stream);
/** Deterministic: multiplies the strengths by enuf_set_scale(). */
enuf_status enuf_cuda_scale_sets(const enuf_cuda_sets *s, cudaStream_t stream);
/** Adds the exclusions to the sums. */
enuf_status enuf_cuda_exclude_sets(const enuf_cuda_sets *s, const enuf_cuda_exclusions *x,
                                   const double *values, cudaStream_t stream);
/** Writes the potentials. */
enuf_status enuf_cuda_deliver_sets(const enuf_cuda_sets *s, cudaStream_t stream);

/** Rows of 32 entries of a cluster. */
typedef struct enuf_cuda_held_slice {
    unsigned long long first;
    int rows;
} enuf_cuda_held_slice;

/** The matrix of the pairs of held positions, in cutoffs: entries of a row follow each other. */
typedef struct enuf_cuda_held_matrix {
    unsigned long long rows;     /* of all slices, once they are counted */
    int lost;                    /* 1: a pair found no room */
    enuf_cuda_held_slice *slice; /* [clusters] */
    void *values;                /* reals of the pairs */
    int *columns;                /* places in the steady order */
} enuf_cuda_held_matrix;

/* held_matrix.cu. The arguments are those of the walk, with place in steady order; `slopes` is the
 * matrix on the device. `most`: clusters. */
/** Fills rows and slices. */
enuf_status enuf_cuda_count_held_matrix(const enuf_cuda_pair_arguments *a, int single, int64_t most,
                                        cudaStream_t stream);
/** Fills values and columns, which have room for all rows. */
enuf_status enuf_cuda_fill_held_matrix(const enuf_cuda_pair_arguments *a, int single, int64_t most,
                                       cudaStream_t stream);
/** Sets the sums of pairs, as the following ones. */
enuf_status enuf_cuda_multiply_held_matrix(const enuf_cuda_pair_arguments *a,
                                           const enuf_cuda_held_matrix *m, int single, int lanes,
                                           int64_t most, cudaStream_t stream);

/** Sets the sums of pairs. The arguments name place and charges in steady order, and out.potential.
 * held_pairs_float.cu, held_pairs_double.cu */
enuf_status enuf_cuda_held_pairs_float(const enuf_cuda_pair_arguments *a, int lanes, int64_t most,
                                       cudaStream_t stream);
enuf_status enuf_cuda_held_pairs_double(const enuf_cuda_pair_arguments *a, int lanes, int64_t most,
                                        cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
