/*
 * slope_kernels.h - the kernels of second derivatives. Atoms are in the caller's order; sums are
 * without the Coulomb constant and add up in a fixed order. Read by C and by CUDA files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_SLOPE_KERNELS_H
#define ENUF_EWALD_CUDA_SLOPE_KERNELS_H

#include "cuda/evaluation.h"
#include "derivatives/closed_slopes.h"
#include "derivatives/mode_slopes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The atoms, how they change, and their slopes. Arrays on the device, those of the motion too. */
typedef struct enuf_cuda_moving_atoms {
    int64_t n;
    const double *q;            /* [n] */
    double *forces, *potential; /* [n][3], [n] */
    enuf_motion motion;
} enuf_cuda_moving_atoms;

/** Lowest indices, in the arrays of numbers, of what is not finite, and of a block of atoms of
 * which a charge changes. ENUF_CUDA_NO_ATOM: none. */
typedef struct enuf_cuda_direction_found {
    unsigned long long position; /* an atom */
    unsigned long long displacement, change, recharged;
} enuf_cuda_direction_found;

/* Sums over the atoms before all others: the moments of closed_slopes.h, and what the mesh needs.
 * An atom counts as charged if its charge is not 0 or changes. */
enum {
    SURVEY_CHARGED = CLOSED_MOMENTS,  /* number of charged atoms */
    SURVEY_MOVED,                     /* sum of their v */
    SURVEY_CHARGE = SURVEY_MOVED + 3, /* sum |q| */
    SURVEY_CHANGE,                    /* sum |w| */
    SURVEY_DIPOLE,                    /* sum |q v_d| */
    SURVEYED = SURVEY_DIPOLE + 3
};

/* Strengths of type 1; w comes last, or after q where nothing moves. */
enum { MESH_CHARGES, MESH_CHANGES, MESH_DIPOLES, MESH_KINDS = MESH_DIPOLES + 3 };

/* Vectors of type 2: the components of grad Phi, or Phi itself where nothing moves, then Phi_1. */
enum { MESH_FIELDS = 4, MESH_FIELDS_AT_REST = 2 };

/* Places in the array of totals. */
enum {
    TOTAL_SURVEY = 0,
    TOTAL_PAIRS = TOTAL_SURVEY + SURVEYED, /* in the grid's frame and in cutoffs */
    TOTAL_EXCLUDED = TOTAL_PAIRS + SLOPE_TOTALS,
    TOTAL_STRETCH = TOTAL_EXCLUDED + SLOPE_TOTALS, /* of the mesh, [9] */
    TOTAL_NET = TOTAL_STRETCH + 9,                 /* force slope of the mesh, [3] */
    MESH_TOTALS = 12,
    TOTAL_MODES = TOTAL_STRETCH + MESH_TOTALS, /* enuf_mode_slopes */
    MODE_TOTALS = 13,
    TOTAL_FORCES_X = TOTAL_MODES + MODE_TOTALS, /* dforces^T x, [9] */
    TOTAL_MEAN = TOTAL_FORCES_X + 9, /* of v over the charged atoms, left out by the mesh */
    TOTAL_SCALES = TOTAL_MEAN + 3,   /* of the strengths, [MESH_KINDS] */
    TOTAL_DELIVERED = TOTAL_SCALES + MESH_KINDS, /* 1: results are written */
    ALL_TOTALS
};

/** What the host reads of the sums, in page-locked memory. */
typedef struct enuf_cuda_slope_outcome {
    enuf_cuda_direction_found found;
    double totals[ALL_TOTALS];
    enuf_cuda_pair_record record;
    uint64_t bad_point; /* enuf_nufft_first_bad() */
} enuf_cuda_slope_outcome;

/** Rows of partial sums that kernels of this many threads write, at most. */
enum { ENUF_CUDA_PARTIAL_ROWS = 1024, ENUF_CUDA_PARTIAL_WIDTH = SURVEYED };

/** Sums the first `count` numbers of rows of `width` partial sums. slope_totals.cu */
enuf_status enuf_cuda_sum_partial(const double *partial, int64_t rows, int width, int count,
                                  double *totals, cudaStream_t stream);

/* atom_slopes.cu */
/** `found` holds ENUF_CUDA_NO_ATOM everywhere before. */
enuf_status enuf_cuda_look_at_direction(const enuf_cuda_moving_atoms *atoms,
                                        enuf_cuda_direction_found *found, cudaStream_t stream);
/** What follows from TOTAL_SURVEY. `bound`: the plan's, deterministic; else 0. */
typedef struct enuf_cuda_settling {
    int leaves_mean; /* 1: the mesh leaves out the mean of v */
    double bound;
} enuf_cuda_settling;

/** Sets TOTAL_MEAN and TOTAL_SCALES, and the record of the pairs to "nothing is wrong". */
enuf_status enuf_cuda_settle_slopes(const enuf_cuda_settling *settling, double *totals,
                                    enuf_cuda_pair_record *record, cudaStream_t stream);
/** Sums TOTAL_SURVEY. */
enuf_status enuf_cuda_survey(const enuf_cuda_moving_atoms *atoms, const enuf_closed_forms *forms,
                             double *partial, double *totals, cudaStream_t stream);

/** The last step: adds the mesh's forces but for their mean, and the closed forms, to the slopes,
 * and writes them, times `scale`. */
typedef struct enuf_cuda_slope_delivery {
    const double *mesh_forces, *mesh_potential; /* [n][3], [n] */
    double scale;
    enuf_closed_forms forms;
    int keeps_net_force;
    double *totals;
    /* Nothing is written if these or the totals may become an error. NULL: the host has looked. */
    const enuf_cuda_direction_found *found;
    const enuf_cuda_pair_record *record;
    double *forces, *potential; /* NULL: not wanted */
} enuf_cuda_slope_delivery;

/** Sums TOTAL_FORCES_X too, without the scale, and sets TOTAL_DELIVERED. */
enuf_status enuf_cuda_deliver_slopes(const enuf_cuda_moving_atoms *atoms,
                                     const enuf_cuda_slope_delivery *delivery, double *partial,
                                     cudaStream_t stream);

/** Adds the excluded pairs; sums TOTAL_EXCLUDED. exclusion_slopes.cu */
enuf_status enuf_cuda_add_exclusion_slopes(const enuf_cuda_moving_atoms *atoms,
                                           const enuf_cuda_exclusions *x, double *partial,
                                           double *totals, cudaStream_t stream);

/* Pairs. */
/** What pairs read besides their arguments: the direction, and where sums go. Lives on the device.
 */
typedef struct enuf_cuda_slope_functions {
    double strain[9]; /* in the grid's frame */
    float strain_single[9];
    int strains;                /* 0: the strain is 0 */
    const double *direction;    /* [n][4] v in the grid's frame and in cutoffs, and w */
    double *forces, *potential; /* [n][3], [n] in the caller's order: set */
    double *partial;            /* [rows][SLOPE_TOTALS] */
} enuf_cuda_slope_functions;

/** The atoms of a cell in the caller's order, whatever order the sort has left: place, charge,
 * original and direction. */
typedef struct enuf_cuda_steady_cells {
    void *place;       /* [n] 4 reals of the cells */
    void *charge;      /* [n] reals */
    int *original;     /* [n] */
    double *direction; /* [n][4] as in enuf_cuda_slope_functions */
} enuf_cuda_steady_cells;

/** `single`: the cells' reals are float. slope_order.cu */
enuf_status enuf_cuda_steady_order(const enuf_cuda_pair_arguments *a, int single,
                                   const enuf_cuda_moving_atoms *atoms,
                                   const enuf_cuda_steady_cells *to, cudaStream_t stream);
/** Rows of partial sums of the pairs. slope_order.cu */
int64_t enuf_cuda_pair_rows(int64_t n, int64_t n_columns);

typedef struct enuf_cuda_wanted_slopes {
    int moves, totals; /* positions or the cell change; U and the virial are wanted */
} enuf_cuda_wanted_slopes;

/** Set slopes of atoms, and rows of partial sums (zero before). The arguments name the cells in
 * steady order, the functions, and the polynomials of Q, R and B. pair_slopes_float.cu,
 * pair_slopes_double.cu, pair_slopes_plain.cu: in float without double. */
enuf_status enuf_cuda_pair_slopes_float(const enuf_cuda_pair_arguments *a,
                                        const enuf_cuda_wanted_slopes *wanted, int64_t most,
                                        cudaStream_t stream);
enuf_status enuf_cuda_pair_slopes_double(const enuf_cuda_pair_arguments *a,
                                         const enuf_cuda_wanted_slopes *wanted, int64_t most,
                                         cudaStream_t stream);
enuf_status enuf_cuda_pair_slopes_plain(const enuf_cuda_pair_arguments *a,
                                        const enuf_cuda_wanted_slopes *wanted, int64_t most,
                                        cudaStream_t stream);

/* mesh_slopes.cu: strengths of type 1, and terms of what type 2 gives. */

/** Kind of the strengths of a vector of type 1. */
ENUF_SLOPE_INLINE int enuf_cuda_mesh_kind(int moves, int vector)
{
    if (vector == 0) return MESH_CHARGES;
    return moves && vector <= 3 ? MESH_DIPOLES + vector - 1 : MESH_CHANGES;
}

/** Arrays of the mesh are float if `single`. */
typedef struct enuf_cuda_mesh_slopes {
    int single, moves;
    int kinds;                      /* vectors of type 1 */
    const double *totals;           /* those settled: TOTAL_MEAN, TOTAL_SCALES */
    void *strengths;                /* [kinds][n] */
    const void *values, *gradients; /* of type 2: [][n], [][n][3] */
    double *forces, *potential;     /* [n][3], [n] */
} enuf_cuda_mesh_slopes;

enuf_status enuf_cuda_fill_strengths(const enuf_cuda_moving_atoms *atoms,
                                     const enuf_cuda_mesh_slopes *mesh, cudaStream_t stream);
/** Sets the slopes of the mesh; sums TOTAL_STRETCH and TOTAL_NET. */
enuf_status enuf_cuda_gather_mesh_slopes(const enuf_cuda_moving_atoms *atoms,
                                         const enuf_cuda_mesh_slopes *mesh, double *partial,
                                         double *totals, cudaStream_t stream);

/* mode_slopes.cu */
/** The modes are n1 ... n3 of `influence`; weights as enuf_cuda_fill_influence() makes them. */
typedef struct enuf_cuda_slope_modes {
    enuf_cuda_influence influence;
    enuf_motion motion;
    enuf_slope_modes modes;
    const void *weights;
    int single;
} enuf_cuda_slope_modes;

/** Divides by a scale of the strengths. */
enuf_status enuf_cuda_unscale_modes(int64_t n, int single, const double *scale, void *modes,
                                    cudaStream_t stream);
/** The modes of all vectors of type 2 but the last, as enuf_fill_field_modes(). */
enuf_status enuf_cuda_fill_field_modes(const enuf_cuda_slope_modes *m, void *fields,
                                       cudaStream_t stream);
/** As enuf_sum_mode_slopes(); sums TOTAL_MODES. */
enuf_status enuf_cuda_sum_mode_slopes(const enuf_cuda_slope_modes *m, void *potential_slope,
                                      double *partial, double *totals, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
