/*
 * backend.h - the functions of an Ewald backend: a table that ewald/cpu, ewald/cuda, ewald/stub
 * fill. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_BACKEND_H
#define ENUF_EWALD_BACKEND_H

#include "evaluate/order.h"
#include "evaluate/pair_bend.h"
#include "evaluate/pair_table.h"
#include "choose/splitting.h"
#include "charge_sums.h"
#include "isa.h"
#include "pair_matrix.h"

/** Input of the pair loop. Atoms in any order. */
typedef struct enuf_pair_request {
    const double *cell;    /* [9] rows */
    const double *inverse; /* [9] s = x inverse (row vector times matrix), see cell_geometry.h */
    int periodic[3];       /* 1, or 0 for an open direction */
    int64_t n;
    int64_t n_ghosts;        /* number of ghosts, the last atoms; pairs of two ghosts are left out
                                (ewald/mpi) [0] */
    const double *positions; /* [n][stride] */
    int64_t stride;
    /* [n][3] the caller's positions, of which `positions` are images moved by vectors of the cell,
     * and rounded; NULL: positions */
    const double *given;
    const double *charges;   /* [n] */
    const int64_t *original; /* [n] the caller's indices, which errors name; NULL: the same */
    const enuf_pair_table *table;
    enuf_arithmetic arithmetic;
    int threads;
    int deterministic;
    int64_t n_charged;     /* charges that are not 0, on all ranks */
    double sum_q2;         /* of all ranks */
    double largest_charge; /* max |q| */
    double close;          /* rounding of positions matters for closer pairs [0: not checked] */
    int wanted;            /* ENUF_WANT_... */
} enuf_pair_request;

/**
 * Sums over pairs, all without the Coulomb constant and ADDED to the arrays: energy sum_{pairs}
 * q_i q_j [1/r - Q/r_c], forces [n][3], virial [6], atom_energy [n], atom_virial [n][6],
 * potential [n] (without own charge), field [n][3]. NULL arrays are not wanted.
 */
typedef struct enuf_pair_sums {
    double energy;
    double virial[6];
    double *forces, *atom_energy, *atom_virial, *potential, *field;
    double close_forces2; /* output: sum over atoms of the squares of the forces of close pairs */
    struct enuf_pair_totals *totals; /* deterministic, NULL: energy and virial as above [NULL] */
} enuf_pair_sums;

/** Deterministic sums over this rank's own atoms, before rounding: integers, so that those of other
 * ranks can be added. Value = unit * (high 2^64 + low). Overwritten. */
typedef struct enuf_pair_totals {
    uint64_t low[7]; /* energy; virial xx yy zz xy xz yz */
    int64_t high[7];
    double unit;
} enuf_pair_totals;

/** A direction of the slopes of pair sums (derivatives/motion.h). Arrays in the order of the atoms.
 */
typedef struct enuf_pair_direction {
    const double *moved;   /* [n][3] v, beside the strain; NULL: positions and cell stay */
    const double *charges; /* [n] w; NULL: stay */
    const double *strain;  /* [9] e; NULL: the cell stays */
    const enuf_pair_bend *bend;
    int with_virial;
} enuf_pair_direction;

/** Slopes of the pair sums, without the Coulomb constant and ADDED (derivatives/slope_sums.h). */
typedef struct enuf_pair_slopes {
    double energy;
    double product[9];          /* with_virial */
    double virial[6];           /* with_virial */
    double *forces, *potential; /* [n][3], [n] */
} enuf_pair_slopes;

/** Cell lists and the arrays of the pair loop, kept between calls. */
typedef struct enuf_pairs enuf_pairs;

typedef struct enuf_evaluation enuf_evaluation; /* ewald_object.h */

/**
 * An evaluation is start(), then finish(); the public begin() returns between them. The method is
 * up to date in both.
 */
typedef struct enuf_ewald_backend {
    const char *name;
    enuf_backend kind;
    enuf_memory mesh_memory;                  /* where the plan's arrays live */
    enuf_status (*create)(enuf_ewald *ewald); /* what the backend keeps in the object */
    void (*destroy)(enuf_ewald *ewald);       /* after create(), failed or not */
    int64_t (*bytes)(const enuf_ewald *ewald);
    void *(*mesh_stream)(const enuf_ewald *ewald); /* the plan's; NULL: the caller's */
    int makes_influence; /* 1: the backend makes the weights of the modes */
    /* refuses a splitting that its pair sums cannot represent; NULL: accepts all */
    enuf_status (*check_splitting)(const enuf_ewald *ewald, const enuf_splitting *splitting,
                                   double table_error);
    enuf_status (*start)(enuf_ewald *ewald, const enuf_evaluation *what);
    /* delivers the results */
    enuf_status (*finish)(enuf_ewald *ewald, const enuf_evaluation *what);
    /* in place of finish(), for evaluations with result->totals: waits for all of them, returns the
     * first error of their data, and clears it; NULL: no device */
    enuf_status (*check)(enuf_ewald *ewald);
    /* checks that an array lives in the memory of the option; NULL: only the host has memory */
    enuf_status (*check_place)(const enuf_ewald *ewald, const void *array, enuf_memory memory,
                               const char *name);
    /* finds where an array lives; managed memory counts as the device's; NULL: on the host */
    enuf_status (*find_place)(const enuf_ewald *ewald, const void *array, const char *name,
                              enuf_memory *place);
    /* copies n numbers of 8 bytes from device memory to the host; NULL: no device */
    enuf_status (*to_host)(enuf_ewald *ewald, int64_t n, const void *from, void *to);
    /* Charges of device memory, and exclusions there (NULL: none there): sums the charges and lists
     * the exclusions; waits and reads the sums; puts charges and, with_lists, exclusions in the
     * place of those in use (after an error those stay); copies them to the host. NULL: no device
     */
    enuf_status (*sum_charges)(enuf_ewald *ewald, int64_t n, const double *charges,
                               const enuf_exclusions *exclusions);
    enuf_status (*read_charge_sums)(enuf_ewald *ewald, enuf_charge_sums *sums);
    enuf_status (*keep_charges)(enuf_ewald *ewald, int64_t n, const double *charges,
                                int with_lists);
    enuf_status (*charges_to_host)(enuf_ewald *ewald, int64_t n, double *to);
    /* the charges in use, in device memory and in order with the object's stream. NULL: no device
     */
    enuf_status (*resident_charges)(enuf_ewald *ewald, const double **charges);
    /* first, partner and removed of enuf_charge_set */
    enuf_status (*lists_to_host)(enuf_ewald *ewald, int64_t n, int64_t n_excluded, int64_t *first,
                                 int64_t *partner, double *removed);
    /* for arrays of floats in device memory (evaluate/floats.h): room in the object, also for none,
     * and conversions on the stream: [n][stride] to [n][width], and [n]. NULL: no device */
    enuf_status (*float_room)(enuf_ewald *ewald, int64_t numbers, double **room);
    enuf_status (*widen)(enuf_ewald *ewald, int64_t n, int width, int64_t stride, const float *from,
                         double *to);
    enuf_status (*narrow)(enuf_ewald *ewald, int64_t n, const double *from, float *to);
    /* locks pages of the host, so that the GPU copies from them directly; NULL: no copies */
    enuf_status (*lock_pages)(enuf_ewald *ewald, void *at, int64_t bytes);
    enuf_status (*unlock_pages)(enuf_ewald *ewald, void *at);
    /* the pair loop alone, on arrays of the host; NULL: not available */
    enuf_status (*pairs_create)(enuf_pairs **pairs);
    void (*pairs_destroy)(enuf_pairs **pairs);
    enuf_status (*pairs_sum)(enuf_pairs *pairs, const enuf_pair_request *request,
                             enuf_pair_sums *sums);
    int64_t (*pairs_bytes)(const enuf_pairs *pairs);
    /* enuf_order_atoms(); NULL with pairs_differentiate */
    enuf_status (*order)(enuf_ewald *ewald, const enuf_evaluation *what, enuf_atoms *atoms);
    /* slopes of these sums along a direction; in double and in a fixed order, whatever the request
     * says. NULL: not available */
    enuf_status (*pairs_differentiate)(enuf_pairs *pairs, const enuf_pair_request *request,
                                       const enuf_pair_direction *direction,
                                       enuf_pair_slopes *slopes);
    const struct enuf_slope_backend
        *slopes; /* in place of these two, derivatives/slope_backend.h */
    /* makes the matrix of the pair potentials, with room for extra[i] entries more at the end of
     * the row of atom i (NULL: none), and multiplies by it: adds to potentials [n][lanes] of
     * charges [n][lanes], 1, 2, 4 or 8 lanes. most_bytes: limit of the entries; 0: none. filled[a]
     * is the number of entries of row a so far. NULL: not available */
    enuf_status (*matrix_make)(enuf_pairs *pairs, const enuf_pair_request *request,
                               const int64_t *extra, int64_t most_bytes, enuf_pair_matrix *matrix);
    void (*matrix_multiply)(const enuf_pair_matrix *matrix, int threads, int lanes,
                            const double *charges, double *potentials);
    const struct enuf_held_backend *held;   /* in place of these two, derivatives/held_backend.h */
    const struct enuf_exact_backend *exact; /* exact sums, verify/exact_backend.h */
    const struct enuf_batch_engine *batch;  /* batches of small systems, batch/batch.h */
} enuf_ewald_backend;

ENUF_DECLARE_TABLES(enuf_ewald_backend, enuf_ewald_backend_cpu)
extern const enuf_ewald_backend enuf_ewald_backend_cuda; /* or its stub: all functions NULL */

/** The table of a backend; AUTO gives the CPU's. `isa` matters to the CPU alone. Errors:
 * ENUF_NO_BACKEND, and those of enuf_isa_find(). */
enuf_status enuf_ewald_backend_find(enuf_backend backend, enuf_isa isa,
                                    const enuf_ewald_backend **found);

#endif
