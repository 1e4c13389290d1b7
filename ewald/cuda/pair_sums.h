/*
 * pair_sums.h - the pair sums of the CUDA backend: arguments and results. Read by C and by CUDA
 * files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_PAIR_SUMS_H
#define ENUF_EWALD_CUDA_PAIR_SUMS_H

#include "cells.h"
#include "sums/fixed_sums.h"
#include "pair_fit.h"
#include "private.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Totals: energy and six components of the virial. Warps add to one of several copies. */
enum { ENUF_CUDA_TOTALS = 7, ENUF_CUDA_TOTAL_COPIES = 64 };

/** Sums over pairs, without the Coulomb constant, ADDED to arrays in the caller's order on the
 * device; NULL arrays are not wanted. As enuf_pair_sums. */
typedef struct enuf_cuda_pair_outputs {
    double *forces, *atom_energy, *atom_virial, *potential, *field;
    /* [ENUF_CUDA_TOTAL_COPIES][ENUF_CUDA_TOTALS], zero before: doubles; deterministic: 64-bit
     * integers: sums of the upper 32 bits, and behind all copies sums of the lower 32 bits */
    void *totals;
    int want_energy, want_virial;
    /* [3][sorted_n], zero before. Not NULL: each pair is summed once, for forces and totals alone.
     * Receives fields in the grid's frame and in cutoffs, of atoms in sorted order, for
     * enuf_cuda_deliver(). NULL: each pair is summed twice, into the arrays above. */
    double *sorted;
    int64_t sorted_n;
} enuf_cuda_pair_outputs;

/** The field of half pairs: that of atom i is frame^T (sums at place[i]). */
typedef struct enuf_cuda_sorted_field {
    const double *sums; /* [3][n]; NULL: there is none */
    const int *place;   /* [n] caller's order -> sorted; -1: left out */
    int64_t n;
    double frame[9]; /* over the cutoff's square */
    double suspicious;
} enuf_cuda_sorted_field;

/* The grid in the walk's precision: a cell's edge along x and its inverse; how far a column's atoms
 * reach beyond its corner (along x: beyond their cells). */
#define ENUF_CUDA_SHAPE(Real)                                                                      \
    {                                                                                              \
        Real e1, per_e1, x_low, x_high, y_low, y_high, z_high;                                     \
    }
typedef struct enuf_cuda_shape_float ENUF_CUDA_SHAPE(float) enuf_cuda_shape_float;
typedef struct enuf_cuda_shape_double ENUF_CUDA_SHAPE(double) enuf_cuda_shape_double;

/** Close pairs, in cutoffs. */
typedef struct enuf_cuda_close {
    double square;        /* (r/r_c)^2 below which rounding of places shows in forces; 0: nowhere */
    double radius_square; /* of the pairs that are mended, a bit beyond 1/most_root^2 */
    double reach[3];      /* that radius in small cells */
    /* from the frame to small cells: x, y, z of the first row, y, z of the second, z of the third
     */
    double to_cells[6];
    double fraction_rounding; /* deterministic: enuf_fixed_fraction_rounding() */
} enuf_cuda_close;

/** Arguments of a kernel, passed by value. */
typedef struct enuf_cuda_pair_arguments {
    enuf_cuda_cells cells;
    enuf_cuda_grid grid;
    enuf_cuda_pair_outputs out;
    enuf_fixed_scales scales; /* deterministic */
    /* [2][enuf_cuda_fixed_sums()][n] sums of near pairs, lower and upper words, of atoms in sorted
     * order (fixed_sums.h); zero before */
    unsigned long long *near;
    int64_t n;
    enuf_cuda_shape_float shape_single;
    enuf_cuda_shape_double shape_full;
    float per_wide; /* 1/(2 reach + 1) */
    double per_cutoff;
    double suspicious; /* larger sums start a search for two charges at one place */
    float most_root;   /* double: bound of the first guess at 1/r, pairs_close.cu; infinite: none */
    enuf_cuda_close close;
    /* Atoms from n_own on, in the caller's order, are ghosts. Their own sums are not used. Totals
     * count half of a pair of an own atom and a ghost, and no pair of two ghosts. Ghosts are marked
     * if each pair is summed once. */
    int n_own, has_ghosts;
    enuf_cuda_pair_record *record;
    unsigned long long *closest_pair; /* bits of the least (r/r_c)^2; then the pair that has it */
    union {
        struct {
            float force[ENUF_PAIR_FIT_COEFFICIENTS], energy[ENUF_PAIR_FIT_COEFFICIENTS];
            float bend[ENUF_PAIR_FIT_COEFFICIENTS]; /* of second derivatives */
        } single;
        struct {
            double force[ENUF_PAIR_FIT_COEFFICIENTS], energy[ENUF_PAIR_FIT_COEFFICIENTS];
            double bend[ENUF_PAIR_FIT_COEFFICIENTS];
        } full;
    } fit;
    int n_fit;          /* coefficients in use: the larger number of the wanted polynomials */
    int pass;           /* pass of the search for the closest pair: 0, 1 */
    const void *slopes; /* of second derivatives, derivatives/slope_kernels.h; else NULL */
} enuf_cuda_pair_arguments;

/** Launch blocks for `most` clusters. */
enuf_status enuf_cuda_pairs_float(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                  cudaStream_t stream);
enuf_status enuf_cuda_pairs_double(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                   cudaStream_t stream);
enuf_status enuf_cuda_pairs_half_float(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                       cudaStream_t stream);
enuf_status enuf_cuda_pairs_half_double(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                        cudaStream_t stream);
/** The same with ghosts. */
enuf_status enuf_cuda_pairs_ghosts_float(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                         cudaStream_t stream);
enuf_status enuf_cuda_pairs_ghosts_double(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                          cudaStream_t stream);
/** In float without double: pairs met twice, met once, met once among ghosts. */
enuf_status enuf_cuda_pairs_plain(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                  cudaStream_t stream);
enuf_status enuf_cuda_pairs_half_plain(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                       cudaStream_t stream);
enuf_status enuf_cuda_pairs_ghosts_plain(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                         cudaStream_t stream);
/** Fixed-point sums of an atom for these outputs. */
int enuf_cuda_fixed_sums(const enuf_cuda_pair_outputs *out);
enuf_status enuf_cuda_pairs_fixed(const enuf_cuda_pair_arguments *arguments, int64_t most,
                                  cudaStream_t stream);
/** Both passes of the search; `single`: the cells are in float. */
enuf_status enuf_cuda_pairs_closest(enuf_cuda_pair_arguments *arguments, int single, int64_t most,
                                    cudaStream_t stream);
/** In double, after the sums: corrects the close pairs. */
enuf_status enuf_cuda_pairs_mend_close(const enuf_cuda_pair_arguments *arguments,
                                       const enuf_cuda_cell_atoms *atoms, int64_t most,
                                       cudaStream_t stream);
/** Adds the copies up: totals [7] energy and virial in the caller's frame and length.
 * Deterministic: also integers [2][7], which add up over devices; NULL: not wanted. */
enuf_status enuf_cuda_pairs_total(const enuf_cuda_pair_arguments *arguments, int deterministic,
                                  double *totals, long long *integers, cudaStream_t stream);
/** On the host: the integers' unit, and a total from its integers, with the bits of the
 * kernel's. */
ENUF_PRIVATE double enuf_cuda_pairs_unit(const enuf_cuda_pair_arguments *arguments);
ENUF_PRIVATE double enuf_cuda_pairs_total_of(double unit, long long upper, long long lower);

#ifdef __cplusplus
}
#endif
#endif
