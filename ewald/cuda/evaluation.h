/*
 * evaluation.h - an Ewald object's data on the device, and the kernels of atoms, exclusions and
 * modes. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_EVALUATION_H
#define ENUF_EWALD_CUDA_EVALUATION_H

#include "cells.h"
#include "object/charge_sums.h"
#include "evaluate/closed_forms.h"
#include "pair_sums.h"
#include "private.h"
#include "sums/invariant_sum.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sums over atoms whose bits do not depend on their order, as ewald/sums/invariant_sum.h. */
enum {
    TERM_EXCLUDED = 0, /* energy of the exclusions */
    TERM_VIRIAL = 1,   /* virial of the exclusions */
    TERM_NET = 7,      /* force of the mesh */
    TERM_DIPOLE = 10,
    TERM_SECOND = 13, /* sum q z^2 */
    TERMS = 14,
};

/** The scalars that come back to the host. */
typedef struct enuf_cuda_scalars {
    enuf_cuda_pair_record record;
    double pairs[ENUF_CUDA_TOTALS];
    double reduced[2][7]; /* results of enuf_nufft_reduce() */
    double net[3];        /* force of the mesh; deterministic: TERM_NET instead */
    long long pair_integers[2][ENUF_CUDA_TOTALS]; /* deterministic, see enuf_cuda_pairs_total() */
    /* of each term: bits of the largest |t|, and the sum in units that follow from it */
    unsigned long long largest[TERMS];
    long long total[TERMS];
    enuf_charge_sums charges; /* of charges that live in device memory */
    double net_charge;        /* theirs */
} enuf_cuda_scalars;

/** A sum over n atoms from its integer. */
ENUF_INVARIANT_INLINE double enuf_cuda_term_sum(const enuf_cuda_scalars *scalars, int term,
                                                int64_t n)
{
    double largest;
    memcpy(&largest, &scalars->largest[term], sizeof largest);
    return enuf_invariant_value(n, largest, scalars->total[term]);
}

/** Arrays of the atoms, in the caller's order. */
typedef struct enuf_cuda_atoms {
    int64_t n;
    int64_t n_all;           /* number of atoms on all devices */
    const double *positions; /* [n][stride] */
    int64_t stride;
    const double *q;
    const uint64_t *bad; /* lowest index of a position that is not finite, from the mesh's sort;
                            UINT64_MAX: none; NULL: not known */
} enuf_cuda_atoms;

/** Sums of atoms, without the Coulomb constant; NULL: not wanted. */
typedef struct enuf_cuda_atom_sums {
    double *forces, *atom_energy, *atom_virial, *potential, *field;
} enuf_cuda_atom_sums;

typedef struct enuf_cuda_exclusions {
    const int64_t *first, *partner; /* as in enuf_charge_set */
    const double *removed;
    double rows_high[9], rows_low[9], inverse[9], safe; /* as enuf_lattice */
    int avoids_fp64;                                    /* 1: in float */
    float inverse_float[9], safe_float;
} enuf_cuda_exclusions;

/** Exclusions of the caller in device memory, and the lists made of them. */
typedef struct enuf_cuda_exclusion_lists {
    int64_t n, n_pairs;
    const int64_t *pairs;      /* [n_pairs][2] */
    const double *weights;     /* [n_pairs]; NULL: all 0 */
    unsigned long long *count; /* [n+1] scratch */
    int64_t *first;            /* as in enuf_charge_set, this and below */
    int64_t *partner;
    double *removed;
    void *scan;
    size_t scan_bytes;
} enuf_cuda_exclusion_lists;

/** Parameters of the weights of the modes: ewald/evaluate/influence.c. */
typedef struct enuf_cuda_influence {
    int64_t h1, n2, n3; /* stored modes */
    double inverse[9];  /* k = 2 pi inverse m */
    double most_k2;     /* of the sphere */
    double scale;       /* 2 pi/V */
    double per_4_alpha2;
    double per_band, per_psi_0; /* prolate: 1/k at c, 1/psi(0) */
    int n_beta;                 /* Legendre terms of psi; 0: Gaussian */
    double beta[200];
} enuf_cuda_influence;

/** The inputs and the results of the last kernel. */
typedef struct enuf_cuda_delivery {
    const void *half_potential, *half_gradient; /* from the mesh; NULL: none */
    int single;                                 /* 1: half_* are float */
    int remove_net, deterministic;
    int64_t n_charged;
    enuf_closed_forms closed; /* dipole and second moment are terms; all 0: none */
    int net_on_device;        /* 1: scalars->net_charge in place of closed.charge */
    enuf_cuda_sorted_field pairs;
    enuf_cuda_atom_sums sums; /* sums of pairs and exclusions; NULL: none */
    enuf_cuda_atom_sums to;   /* NULL: not wanted; may be the same arrays */
    double scale;
    int add;
} enuf_cuda_delivery;

/** Sets the scalars to zero and the record to "nothing is wrong". The sums of n charges that live
 * in device memory (NULL: on the host) come to the scalars, so that the host gets them with the
 * results. */
enuf_status enuf_cuda_clear_scalars(enuf_cuda_scalars *scalars, int64_t n,
                                    const enuf_charge_sums *charges, cudaStream_t stream);
/** charges.cu: the sums of n charges, and the first that is not finite, into `sums`, which says
 * that nothing else is wrong. */
enuf_status enuf_cuda_charge_sums(int64_t n, const double *charges, enuf_charge_sums *sums,
                                  cudaStream_t stream);
/** exclusion_lists.cu: lists the exclusions; errors go to `sums`. */
enuf_status enuf_cuda_list_exclusions(const enuf_cuda_exclusion_lists *lists,
                                      enuf_charge_sums *sums, cudaStream_t stream);
/** Bytes of CUB's workspace for so many atoms. */
enuf_status enuf_cuda_list_scan_bytes(int64_t n, size_t *bytes);
/** Sets the detail of the first error of exclusions, after both; an error of charges comes first.
 */
enuf_status enuf_cuda_exclusion_details(const enuf_cuda_exclusion_lists *lists,
                                        enuf_charge_sums *sums, cudaStream_t stream);
/** n charges as they are, and in float (NULL: not wanted). */
enuf_status enuf_cuda_copy_charges(int64_t n, const double *charges, double *to, float *single,
                                   cudaStream_t stream);
/** floats.cu: [n][stride] floats to [n][width] doubles. */
enuf_status enuf_cuda_widen(int64_t n, int width, int64_t stride, const float *from, double *to,
                            cudaStream_t stream);
/** n doubles, rounded to floats. */
enuf_status enuf_cuda_narrow(int64_t n, const double *from, float *to, cudaStream_t stream);
/** Looks for positions that are not finite. */
ENUF_PRIVATE enuf_status enuf_cuda_check_positions(const enuf_cuda_atoms *atoms,
                                                   enuf_cuda_scalars *scalars, cudaStream_t stream);
/* Sums of terms go over the atoms twice: pass 0 finds the largest, pass 1 adds up. */

/** Subtracts the exclusions from the sums (pass 0), and sums their totals. */
enuf_status enuf_cuda_sum_exclusions(const enuf_cuda_atoms *atoms, const enuf_cuda_exclusions *x,
                                     const enuf_cuda_atom_sums *sums, int pass,
                                     enuf_cuda_scalars *scalars, cudaStream_t stream);
/** Terms TERM_DIPOLE and TERM_SECOND. */
ENUF_PRIVATE enuf_status enuf_cuda_sum_moments(const enuf_cuda_atoms *atoms, int pass,
                                               enuf_cuda_scalars *scalars, cudaStream_t stream);
/** The mesh's net force, -2 q times the half gradients, into net (in one pass; avoids_fp64: without
 * double, if they are float); deterministic: into TERM_NET. The record gets atoms->bad. */
ENUF_PRIVATE enuf_status enuf_cuda_sum_mesh_force(const enuf_cuda_atoms *atoms,
                                                  const void *half_gradient, int single,
                                                  int avoids_fp64, int deterministic, int pass,
                                                  enuf_cuda_scalars *scalars, cudaStream_t stream);
/** Weights [2][modes] of the modes. */
ENUF_PRIVATE enuf_status enuf_cuda_fill_influence(const enuf_cuda_influence *influence, int single,
                                                  void *weights, cudaStream_t stream);
/** The multiplier of component c of the per-atom virial: enuf_influence_virial(). */
ENUF_PRIVATE enuf_status enuf_cuda_virial_multiplier(const double inverse[9],
                                                     const int64_t modes[3], int single,
                                                     const void *weights, int c, void *multiplier,
                                                     cudaStream_t stream);
/** atom_virial[6 i + c] += q_i values[i]. */
ENUF_PRIVATE enuf_status enuf_cuda_add_virial(const enuf_cuda_atoms *atoms, const void *values,
                                              int single, int c, double *atom_virial,
                                              cudaStream_t stream);
/** Adds half pairs, mesh and boundary terms, scales them, and writes the arrays of `to`. Looks for
 * suspicious sums of half pairs. */
enuf_status enuf_cuda_deliver(const enuf_cuda_atoms *atoms, const enuf_cuda_delivery *delivery,
                              enuf_cuda_scalars *scalars, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
