/*
 * ewald_object.h - struct enuf_ewald and the steps of an evaluation, each in the file named.
 *
 * Everything inside is without the Coulomb constant; energy.c multiplies by it, once, at the end.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_OBJECT_H
#define ENUF_EWALD_OBJECT_H

#include "array.h"
#include "atom_results.h"
#include "backend.h"
#include "private.h"
#include "choose/costs.h"
#include "sums/invariant_sum.h"
#include "choose/mode_tail.h"
#include "lattice/nearest_image.h"
#include "evaluate/order.h"
#include "choose/parameters.h"
#include "choose/transform_table.h"

/** A copy of the charges, with the sums that all terms share (charges.c). */
typedef struct enuf_charge_set {
    int64_t n;
    int64_t n_all;     /* of all ranks together (ewald/mpi), as n_charged and the sums; else n */
    int64_t n_charged; /* charges that are not 0 */
    double *q;         /* [n] */
    float *q_single;   /* [n], only for a mesh in float */
    double sum, sum_abs, sum_q2, largest;
    double concentration; /* sum q^4/(sum q^2)^2: 1/n of equal charges */
    /* Exclusions as given, and those of atom i: first[i] ... first[i+1]-1, each pair listed at both
     * of its atoms. */
    int64_t n_excluded;
    int64_t *pairs;   /* [n_excluded][2]; NULL without exclusions, as all below */
    double *weights;  /* [n_excluded] */
    int64_t *first;   /* [n+1] */
    int64_t *partner; /* [2 n_excluded] */
    double *removed;  /* [2 n_excluded] 1 - weight */
} enuf_charge_set;

/** What a method is made for; while all of it is the same, and the calibration, it serves. */
typedef struct enuf_method_basis {
    double cell[9], volume, sum_q2, grid_bound, concentration, largest, requested;
    int64_t n_charged; /* -1: for nothing: the calibration has changed */
    int64_t n_all;
} enuf_method_basis;

/** How the object sums: made and replaced as a whole (method.c). */
typedef struct enuf_method {
    int is_made; /* 0: nothing chosen yet */
    enuf_parameters parameters;
    enuf_pair_table table;
    enuf_transform_table transform;
    enuf_nufft *plan;      /* NULL where mesh and influence are kept elsewhere (ewald/mpi) */
    int64_t plan_modes[3]; /* >= parameters.modes: a cell that shrinks needs no new plan */
    void *influence;       /* [2][n_stored_modes] in the plan's precision, see influence.c */
    int64_t n_stored_modes;
    int single;          /* plan and influence are in float */
    double grid_bound;   /* of the plan, enuf_ewald_grid_bound() */
    enuf_mode_tail tail; /* of the modes left out, as positions have told; else 0 */
    enuf_method_basis made_for;
    /* what the parameters were chosen for */
    double chosen_volume;
    int64_t chosen_n;
    double chosen_requested;
    double requested; /* accuracy A of the latest cell and charges */
    /* error predicted below which they are kept all the same, since a choice found no better; 0
     * where it met the request */
    double tolerated;
    int is_verified; /* 1: compared with a reference at positions, or nothing was to compare with */
    double found;    /* error A of that comparison; 0: none yet */
} enuf_method;

/* Bounds of the calibration: a system is never trusted to be better than uncorrelated charges by
 * more, whatever its spectrum and what was measured say. */
#define ENUF_LEAST_ERROR_SCALE    0.2
#define ENUF_GREATEST_ERROR_SCALE 50.0

/** What positions have told of this system (error_scale.c). */
typedef struct enuf_error_scale {
    enuf_structure_factor structure_factor; /* of the charges */
    double ratio; /* of the error measured to the one predicted with it: multiplies predictions */
    enuf_mode_shells shells; /* for energy and virial of the modes left out */
} enuf_error_scale;

/** Nothing. */
#define ENUF_NO_ERROR_SCALE ((enuf_error_scale){.ratio = 1})

/** Sums of one evaluation. Arrays are NULL where not wanted. */
typedef struct enuf_ewald_sums {
    enuf_ewald_parts parts;
    double virial[6];
    double net_force[3];
    double *forces, *atom_energy, *atom_virial, *potential, *field;
} enuf_ewald_sums;

/** What a caller asked for, checked. */
struct enuf_evaluation {
    const double *positions;
    int64_t stride;
    int wanted;
    int real, reciprocal; /* which of the two halves */
    enuf_ewald_result *result;
    enuf_memory memory; /* of positions and of the result's arrays */
};

/** Of an object that may be NULL. */
enuf_evaluation enuf_evaluation_of(const enuf_ewald *ewald, const double *positions, int64_t stride,
                                   int wanted, enuf_ewald_result *result, int real, int reciprocal);

typedef struct enuf_worker enuf_worker;

struct enuf_ewald {
    const struct enuf_ewald_calls *calls; /* calls.h; NULL: nobody calls it by public functions */
    void *on_ranks;                       /* what calls of ewald/mpi keep; NULL: one process */
    enuf_ewald_options options;           /* options.fft_wisdom is the object's own copy */
    char *fft_wisdom;
    int chooses_arithmetic; /* 1: left to the accuracy; options.arithmetic is what it came to */
    enuf_costs costs;
    const enuf_ewald_backend *backend;
    enuf_pairs *pairs; /* the CPU backend's */
    void *workspace;   /* another backend's */

    int has_cell;
    enuf_cell_geometry geometry; /* that is summed: shortest vectors, extended along c for a slab */
    double cell[9];              /* as given */
    double volume;               /* of the cell given */
    enuf_lattice lattice;        /* of the geometry, for nearest images */
    int has_charges;
    enuf_charge_set charges;
    /* ewald/mpi, where each rank has an object with its own charges: how sums over atoms become
     * those over all ranks (NULL: these are all), and that the mesh is not this object's */
    const enuf_reduction *reduction;
    int without_mesh;

    /* counted up when charges or method are replaced, for backends that keep copies */
    int64_t charge_changes, method_changes;

    int stale; /* cell or charges have changed since the method was made */
    enuf_method method;
    enuf_error_scale error_scale;

    /* scratch of an evaluation */
    enuf_array forces, atom_energy, atom_virial, potential, field;
    enuf_array mesh_potential, mesh_gradient, mesh_multiplier;
    enuf_array order_box, order_count, order_positions, order_q, order_q_single, order_original;

    int is_choosing; /* evaluations are those of the search for parameters: no others come first */
    int begun;       /* between begin and finish */
    enuf_evaluation pending;
    enuf_worker *worker; /* NULL without background threads */

    double measured; /* accuracy A by measure_error; NaN: not measured with this method */
    /* RMS over atoms of the forces of close pairs that the last evaluation met, without the Coulomb
     * constant; 0 where none is looked for. Of many ranks the root of this rank's part of the mean
     */
    double close_forces;
    double seconds_real, seconds_reciprocal;
};

/** Names the public function in the text of an error. */
ENUF_PRIVATE enuf_status enuf_named(enuf_status status, const char *function);

/** The object exists and is not between begin and finish. */
ENUF_PRIVATE enuf_status enuf_ewald_check_idle(const enuf_ewald *ewald);

/** 1 where the mesh works in float. */
ENUF_PRIVATE int enuf_ewald_single_mesh(const enuf_ewald *ewald);

/** Threads of the loops over atoms and modes. */
ENUF_PRIVATE int enuf_ewald_threads(const enuf_ewald *ewald);

/* create.c */
/** An object without calls. */
ENUF_PRIVATE enuf_status enuf_ewald_make(const enuf_ewald_options *options, enuf_ewald **made);
/** NULL is legal. */
ENUF_PRIVATE void enuf_ewald_free(enuf_ewald *ewald);

/* options.c */
ENUF_PRIVATE enuf_status enuf_ewald_check_options(const enuf_ewald_options *options);

/* charges.c */
ENUF_PRIVATE void enuf_charge_set_release(enuf_charge_set *set);
/** The steps of enuf_ewald_set_charges(). Copies n charges into room for n_room >= n; checks that
 * they are finite. */
ENUF_PRIVATE enuf_status enuf_charge_set_copy(const enuf_ewald *ewald, int64_t n, int64_t n_room,
                                              const double *charges, enuf_charge_set *set);
/** Forms the sums, with those of others, and checks what the options ask of them. */
ENUF_PRIVATE enuf_status enuf_charge_set_sum(const enuf_ewald *ewald, enuf_charge_set *set);
/** Puts the set in place of the object's. */
ENUF_PRIVATE void enuf_charge_set_apply(enuf_ewald *ewald, const enuf_charge_set *set);

/* method.c */
void enuf_method_release(enuf_method *method);
/** 1 where the method in use serves the cell and the charges that are set, as it is: none have
 * changed, or charges have come in another order, or what has been before has come back. */
ENUF_PRIVATE int enuf_ewald_is_as_before(enuf_ewald *ewald);
/** Brings the method up to date with cell and charges. Nothing to do: costs nothing. */
ENUF_PRIVATE enuf_status enuf_ewald_update_method(enuf_ewald *ewald);
/** Its two steps, for ranks that have to agree in between: parameters for the request, those in use
 * where they serve (*chosen 0, never with anew) or new ones; and the method made of them. */
ENUF_PRIVATE enuf_status enuf_ewald_choose_parameters(const enuf_ewald *ewald,
                                                      const enuf_choice_request *request, int anew,
                                                      enuf_parameters *parameters, int *chosen);
ENUF_PRIVATE enuf_status enuf_ewald_apply_parameters(enuf_ewald *ewald,
                                                     const enuf_choice_request *request,
                                                     const enuf_parameters *parameters, int chosen);
/** The parameters in use with the errors predicted for the cell and charges that are set. */
ENUF_PRIVATE enuf_status enuf_ewald_predicted(const enuf_ewald *ewald, enuf_parameters *parameters);
/** The arithmetic for a request, where it is left open. */
ENUF_PRIVATE enuf_arithmetic enuf_ewald_choose_arithmetic(const enuf_ewald *ewald, double requested,
                                                          int anew);
/** Options of the plan that serves parameters. */
ENUF_PRIVATE void enuf_ewald_plan_options(const enuf_ewald *ewald,
                                          const enuf_parameters *parameters,
                                          enuf_nufft_options *plan);
/** Chooses parameters afresh, with ewald->error_scale, and adopts them. */
enuf_status enuf_ewald_choose_anew(enuf_ewald *ewald);

/** Deterministic: what the mesh's integers have to hold, sum |q| over all ranks (or strength_bound)
 * rounded up to the last number below a power of two. Else 0. */
ENUF_PRIVATE double enuf_ewald_grid_bound(const enuf_ewald *ewald);

/** Sums with the method that serves cell and charges, made anew where they have changed. */
enuf_status enuf_ewald_sum(enuf_ewald *ewald, const enuf_evaluation *what);

/** What the choice depends on, as it stands. */
ENUF_PRIVATE enuf_status enuf_ewald_request(const enuf_ewald *ewald, enuf_choice_request *request);
/** 1 where cell and charges are those that the method in use was made for. */
static inline int enuf_ewald_is_ready(const enuf_ewald *ewald)
{
    return ewald->has_cell && ewald->has_charges && ewald->method.is_made && !ewald->stale;
}
/** The request as the choice is to see it: what predictions without calibration have to keep. */
void enuf_ewald_scale_request(double error_scale, enuf_choice_request *request);
/** Predictions are for charges without correlation: scales them. The force of a charge on itself
 * and rounding do not know of that. */
void enuf_ewald_apply_error_scale(double error_scale, enuf_parameters *parameters);

/** Brings method.tail up to date with cell, parameters and calibration. */
void enuf_ewald_update_tail(enuf_ewald *ewald);

/* error_scale.c */
/** Finds ewald->error_scale for these positions, and leaves the method chosen with it. */
enuf_status enuf_ewald_find_error_scale(enuf_ewald *ewald, const double *positions, int64_t stride);

/* verify.c */
/** The first evaluation of energy and forces with a choice of parameters (or of the modes alone,
 * where options give the splitting): compares it with a reference, and chooses anew where it errs
 * by more than was asked for. What keeps it from comparing is left to the evaluation to tell, which
 * comes next. */
enuf_status enuf_ewald_verify_first(enuf_ewald *ewald, const enuf_evaluation *what);

/* influence.c */
/** Weights 0 and 1 of mode m. */
ENUF_PRIVATE void enuf_influence_of_mode(const enuf_method *method, const enuf_cell_geometry *cell,
                                         const double m[3], double weight[2]);
/** Fills weights [2][stored modes] for the modes |k| <= k_c of a half-space array modes[]. */
ENUF_PRIVATE void enuf_influence_fill(const enuf_method *method, const enuf_cell_geometry *cell,
                                      const int64_t modes[3], int single, int threads,
                                      void *weights);
/** Fills multiplier [stored modes] for the per-atom virial component ab from those weights. */
ENUF_PRIVATE void enuf_influence_virial(const enuf_cell_geometry *cell, const int64_t modes[3],
                                        int single, int threads, const void *weights, int a, int b,
                                        void *multiplier);

/** virial_ab += delta_ab E + sum (weight 1) |S|^2 k_a k_b, with k = 2 pi inverse m and the moments
 * of m that enuf_nufft_reduce() gives of weight 1. */
ENUF_PRIVATE void enuf_add_mode_virial(const double inverse[9], double energy,
                                       const double moments[6], double virial[6]);

/* arrays.c */
/** Scratch for what is wanted; zeroed sums that point into it. */
ENUF_PRIVATE enuf_status enuf_ewald_reserve(enuf_ewald *ewald, int wanted, enuf_ewald_sums *sums);
void enuf_ewald_release_arrays(enuf_ewald *ewald);
int64_t enuf_ewald_array_bytes(const enuf_ewald *ewald);

/* order.c */
/** The atoms of an evaluation, in spatial order where that pays. */
enuf_status enuf_order_atoms(enuf_ewald *ewald, const enuf_evaluation *what, enuf_atoms *atoms);

/* real.c, exclusions.c, reciprocal.c, boundary.c: each adds its terms to the sums, whose arrays are
 * in the order of the atoms; exclusions name atoms of the caller. */
enuf_status enuf_sum_real(enuf_ewald *ewald, int wanted, const enuf_atoms *atoms,
                          enuf_ewald_sums *sums);
/** real.c: what follows from the object: all but the atoms, packed. */
ENUF_PRIVATE enuf_pair_request enuf_request_pairs(const enuf_ewald *ewald, int wanted);
ENUF_PRIVATE void enuf_sum_exclusions(const enuf_ewald *ewald, const enuf_evaluation *what,
                                      const enuf_atoms *atoms, enuf_ewald_sums *sums);
enuf_status enuf_sum_reciprocal(enuf_ewald *ewald, int wanted, const enuf_atoms *atoms,
                                enuf_ewald_sums *sums);
ENUF_PRIVATE void enuf_sum_boundary(const enuf_ewald *ewald, const enuf_atoms *atoms,
                                    enuf_ewald_sums *sums);

/** What the mesh gives at the atoms, in its precision: [n] and [n][3]; those wanted. */
typedef struct enuf_mesh_field {
    const void *half_potential;
    const void *half_gradient;
    int single;
    const double *q;
} enuf_mesh_field;

/** Adds it to the sums that are wanted; takes the mean off the forces. reciprocal.c */
ENUF_PRIVATE void enuf_add_mesh_field(const enuf_ewald *ewald, const enuf_mesh_field *mesh,
                                      enuf_ewald_sums *sums);

/* totals.c */
/** The sum of the parts. Errors: ENUF_NOT_FINITE. */
enuf_status enuf_total_energy(const enuf_ewald_parts *parts, double *energy);
/** Writes energies, virial and net force, those wanted, times a scale: to the caller. */
ENUF_PRIVATE void enuf_deliver_totals(const enuf_evaluation *what, double scale, double energy,
                                      const enuf_ewald_parts *parts, const double virial[6],
                                      const double net_force[3]);

/* cpu/evaluate.c */
/** Writes sums into the caller's arrays, in the caller's order and units. Errors: ENUF_NOT_FINITE
 * where the energy is not. */
ENUF_PRIVATE enuf_status enuf_ewald_deliver(const enuf_ewald *ewald, const enuf_evaluation *what,
                                            const enuf_atoms *atoms, const enuf_ewald_sums *sums);

/* positions.c */
/** That n positions are given, at a distance that memory holds. */
ENUF_PRIVATE enuf_status enuf_check_positions_argument(int64_t n, const double *positions,
                                                       int64_t stride);
/** And that they are finite; they live on the host. */
ENUF_PRIVATE enuf_status enuf_ewald_check_positions(const enuf_ewald *ewald,
                                                    const double *positions, int64_t stride);
/** Positions for work on the host: those given, or, where `memory` is the device's, a copy
 * [n][stride] to be released. Errors: ENUF_BAD_MEMORY where they live elsewhere. */
ENUF_PRIVATE enuf_status enuf_ewald_host_positions(enuf_ewald *ewald, enuf_memory memory,
                                                   const double **positions, int64_t stride,
                                                   double **copy);

/* compute.c */
ENUF_PRIVATE enuf_status enuf_ewald_check_evaluation(const enuf_ewald *ewald,
                                                     const enuf_evaluation *what);
/** Of it, what concerns the result. */
ENUF_PRIVATE enuf_status enuf_evaluation_check_result(const enuf_evaluation *what, int has_atoms);
/** Checks it, brings the method up to date and verifies a choice that is new. */
enuf_status enuf_ewald_make_ready(enuf_ewald *ewald, const enuf_evaluation *what);

/* measure.c */
ENUF_PRIVATE enuf_status enuf_ewald_check_measurement(int64_t sample,
                                                      const enuf_ewald_error *error);

/* list_candidates.c */
ENUF_PRIVATE enuf_status enuf_ewald_check_listing(double dearest, int64_t capacity,
                                                  const enuf_ewald_candidate *candidates,
                                                  const int64_t *n);

/* report.c */
ENUF_PRIVATE enuf_status enuf_ewald_check_report(const enuf_ewald_report *report);
/** enuf_ewald_get_report(), with close_forces as in enuf_ewald, of all ranks. */
ENUF_PRIVATE enuf_status enuf_ewald_make_report(const enuf_ewald *ewald, double close_forces,
                                                enuf_ewald_report *report);

/* The six components of a symmetric tensor, in the order of every virial: xx yy zz xy xz yz. */
static const int enuf_tensor_row[6] = {0, 1, 2, 0, 0, 1};
static const int enuf_tensor_column[6] = {0, 1, 2, 1, 2, 2};

#endif
