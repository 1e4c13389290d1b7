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
#include "enuf/ewald_f32.h"
#include "private.h"
#include "choose/costs.h"
#include "sums/invariant_sum.h"
#include "choose/mode_tail.h"
#include "lattice/nearest_image.h"
#include "lattice/tensor.h"
#include "evaluate/order.h"
#include "choose/parameters.h"
#include "choose/transform_table.h"

/** A copy of the charges, and their sums (charge_set.c). */
typedef struct enuf_charge_set {
    int64_t n;
    int64_t n_all;     /* on all ranks (ewald/mpi), like n_charged and the sums; else n */
    int64_t n_charged; /* charges that are not 0 */
    int on_device;     /* 1: the backend holds the charges, and q_single is NULL */
    double *q;         /* [n]; on_device: NULL until enuf_ewald_host_charges() */
    float *q_single;   /* [n], only for a mesh in float */
    double sum, sum_abs, sum_q2, largest;
    double concentration; /* sum q^4/(sum q^2)^2: 1/n of equal charges */
    /* Exclusions as given, and those of atom i: first[i] ... first[i+1]-1, each pair listed at both
     * of its atoms. */
    int64_t n_excluded;
    int lists_on_device; /* 1: as on_device, of these arrays */
    int64_t *pairs;      /* [n_excluded][2]; this and all below: NULL without exclusions */
    double *weights;     /* [n_excluded] */
    int64_t *first;      /* [n+1] */
    int64_t *partner;    /* [2 n_excluded] */
    double *removed;     /* [2 n_excluded] 1 - weight */
} enuf_charge_set;

/** The system and options that a method is made for. The method is used until one of these or the
 * error scale changes. */
typedef struct enuf_method_basis {
    double cell[9], volume, sum_q2, grid_bound, concentration, largest, requested;
    int64_t n_charged; /* -1: never equal, because the error scale has changed */
    int64_t n_all;
} enuf_method_basis;

/** Parameters, plan, influence and pair table; made and replaced as a whole (method.c). */
typedef struct enuf_ewald_method {
    int is_made; /* 0: nothing chosen yet */
    enuf_parameters parameters;
    enuf_pair_table table;
    enuf_transform_table transform;
    enuf_nufft *plan;      /* NULL if ewald/mpi holds mesh and influence */
    int64_t plan_modes[3]; /* >= parameters.modes: a smaller cell needs no new plan */
    /* [2][n_stored_modes] in the plan's precision, see influence.c; NULL if the backend or
     * ewald/mpi makes the weights */
    void *influence;
    int64_t n_stored_modes;
    int single;          /* plan and influence are in float */
    double grid_bound;   /* of the plan, enuf_ewald_grid_bound() */
    enuf_mode_tail tail; /* of the modes left out, measured at positions; else 0 */
    enuf_method_basis made_for;
    /* what the parameters were chosen for */
    double chosen_volume;
    int64_t chosen_n;
    double chosen_requested;
    double requested; /* accuracy A of the latest cell and charges */
    /* 0: the choice met the request. Else no choice did, and the parameters stay while the
     * predicted error is below this */
    double tolerated;
    int is_verified; /* 1: compared with a reference at positions, or no reference was possible */
    double found;    /* error A of that comparison; 0: none yet */
} enuf_ewald_method;

/* Bounds of the error scale. The lower one holds even if structure factor and measurement say that
 * the system errs less. */
#define ENUF_LEAST_ERROR_SCALE    0.2
#define ENUF_GREATEST_ERROR_SCALE 50.0

/** Properties of the system that were measured at positions (error_scale.c). */
typedef struct enuf_error_scale {
    enuf_structure_factor structure_factor; /* of the charges */
    double ratio;              /* measured over predicted error; predictions are multiplied by it */
    enuf_mode_shells shells;   /* for energy and virial of the modes left out */
    int64_t charges_of_shells; /* number of charges that they were measured for */
} enuf_error_scale;

/** Nothing is measured: predictions are used as they are. */
#define ENUF_NO_ERROR_SCALE ((enuf_error_scale){.ratio = 1})

/** Sums of one evaluation. Arrays are NULL where not wanted. */
typedef struct enuf_ewald_sums {
    enuf_ewald_parts parts;
    double virial[6];
    double net_force[3];
    double *forces, *atom_energy, *atom_virial, *potential, *field;
} enuf_ewald_sums;

/** A checked request of a caller. */
struct enuf_evaluation {
    const double *positions;
    int64_t stride;
    int wanted;
    int real, reciprocal; /* which terms: pairs and exclusions, modes and closed forms */
    enuf_ewald_result *result;
    enuf_memory memory; /* of positions and of the result's arrays */
};

/** Fills a request; `ewald` may be NULL. */
enuf_evaluation enuf_evaluation_of(const enuf_ewald *ewald, const double *positions, int64_t stride,
                                   int wanted, enuf_ewald_result *result, int real, int reciprocal);

/** A request of a caller whose arrays are floats. */
typedef struct enuf_float_request {
    const float *positions;
    int64_t stride;
    int wanted, real, reciprocal; /* as in enuf_evaluation */
    enuf_ewald_result_f32 *result;
} enuf_float_request;

/** The evaluation of such a request: the result in its place has arrays in the room of the object
 * (evaluate/floats.h). */
typedef struct enuf_float_evaluation {
    enuf_float_request request;
    double *positions; /* [n][3] */
    enuf_ewald_result doubles;
} enuf_float_evaluation;

struct enuf_ewald {
    const struct enuf_ewald_calls *calls; /* calls.h; NULL: not for public functions */
    void *on_ranks;                       /* state of ewald/mpi; NULL: one process */
    enuf_ewald_options options;           /* options.fft_wisdom is the object's own copy */
    char *fft_wisdom;
    int chooses_arithmetic; /* 1: the option leaves it open; options.arithmetic is the one in use */
    enuf_costs costs;
    const enuf_ewald_backend *backend;
    enuf_pairs *pairs; /* the CPU backend's */
    void *workspace;   /* another backend's */

    int has_cell;
    enuf_cell_geometry
        geometry;         /* the cell of the sums: shortest vectors, extended along c for a slab */
    double cell[9];       /* as given */
    double volume;        /* of the cell given */
    enuf_lattice lattice; /* of the geometry, for nearest images */
    int has_charges;
    enuf_charge_set charges;
    /* 1: the sums are those of the charges before; the device has those of the charges in use */
    int sums_pending;
    /* evaluations with result->totals since the last check: all; those with sums that were assumed,
     * until the parameters are judged; those whose parameters did not serve their charges */
    int64_t enqueued, assumed, refused;
    /* the mesh's error of enqueued evaluations, where another call has used the plan since */
    enuf_status kept_error;
    char kept_text[512];
    /* ewald/mpi: each rank has an object with its own charges. Reduction of sums over atoms to all
     * ranks (NULL: one process); 1: ewald/mpi holds the mesh */
    const enuf_reduction *reduction;
    int without_mesh;
    enuf_shared_work shared_work; /* of ewald/mpi; 0 devices: parameters are those of one */

    /* number of changes of charges and method; backends compare it with that of their copies */
    int64_t charge_changes, method_changes;
    int64_t plan_changes; /* of the method's plan */
    int64_t choices;      /* number of choices of parameters */

    int stale; /* cell or charges have changed since the method was made */
    enuf_ewald_method method;
    enuf_error_scale error_scale;

    /* scratch of an evaluation */
    enuf_array forces, atom_energy, atom_virial, potential, field;
    enuf_array mesh_potential, mesh_gradient, mesh_multiplier;
    enuf_array float_room; /* arrays of `floats` on the host */
    enuf_array order_box, order_count, order_positions, order_q, order_q_single, order_original;

    struct enuf_held *held;             /* by enuf_ewald_hold(); NULL until it is called */
    struct enuf_slope_room *slope_room; /* scratch of derivatives/; NULL until it is needed */

    int is_choosing; /* evaluations belong to the search for parameters: verify nothing */
    int begun;       /* between begin and finish */
    enuf_evaluation pending;
    enuf_float_evaluation floats; /* the latest */

    double measured; /* accuracy A by measure_error; NaN: not measured with this method */
    /* RMS over atoms of the forces of close pairs in the last evaluation, without the Coulomb
     * constant; 0 if not checked. With many ranks: the root of this rank's part of the mean square
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

/* charge_set.c */
ENUF_PRIVATE void enuf_charge_set_release(enuf_charge_set *set);
/** The steps of enuf_ewald_set_charges(). Copies n charges into room for n_room >= n; checks that
 * they are finite. */
ENUF_PRIVATE enuf_status enuf_charge_set_copy(const enuf_ewald *ewald, int64_t n, int64_t n_room,
                                              const double *charges, enuf_charge_set *set);
/** Sums the charges over all ranks, and checks the sums against the options. */
ENUF_PRIVATE enuf_status enuf_charge_set_sum(const enuf_ewald *ewald, enuf_charge_set *set);
/** ENUF_NOT_FINITE, for charge i. */
ENUF_PRIVATE enuf_status enuf_charge_not_finite(int64_t i, double charge);
/** Checks the sums against the options. */
enuf_status enuf_charge_set_check(const enuf_ewald *ewald, const enuf_charge_set *set);
/** Room for pairs, weights and lists, and for one number more in `first`. */
enuf_status enuf_charge_set_reserve_lists(int64_t n_excluded, enuf_charge_set *set);
/** Lists each pair at both of its atoms, so that one loop sums all terms of an atom. The pairs are
 * checked; none may be listed twice. */
enuf_status enuf_charge_set_exclude(const enuf_exclusions *exclusions, enuf_charge_set *set);

/* charges.c */
/** Sets charges and exclusions, as enuf_ewald_set_charges(). */
enuf_status enuf_charges_set(enuf_ewald *ewald, int64_t n, const double *charges,
                             const enuf_exclusions *exclusions);
/** Sets charges and exclusions of another object of the same backend and stream; on a device they
 * are copied there. */
enuf_status enuf_charges_share(enuf_ewald *from, enuf_ewald *to);
/** Puts the set in place of the object's. */
ENUF_PRIVATE void enuf_charge_set_apply(enuf_ewald *ewald, const enuf_charge_set *set);

/** Waits for sums that are pending. Errors: those that enuf_ewald_set_charges() could not tell; the
 * object has no charges then. */
enuf_status enuf_ewald_settle_charges(enuf_ewald *ewald);
/** Brings charges and exclusions that live in device memory to the host too. Waits for sums that
 * are pending. */
enuf_status enuf_ewald_host_charges(enuf_ewald *ewald);

/* device_charges.c */
/** Finds where an array of charges or exclusions lives: with options.memory ENUF_HOST on the host,
 * else where the pointer says. Errors: ENUF_BAD_MEMORY. */
enuf_status enuf_ewald_find_place(const enuf_ewald *ewald, const void *array, const char *name,
                                  enuf_memory *place);
/** Such an array [n] of numbers of 8 bytes on the host: *array stays, or becomes a copy that the
 * caller releases (*copy, else NULL). */
ENUF_PRIVATE enuf_status enuf_ewald_host_array(enuf_ewald *ewald, int64_t n, const char *name,
                                               const void **array, void **copy);
/** Exclusions of the caller on the host: the caller's arrays, or copies. */
typedef struct enuf_host_exclusions {
    enuf_exclusions list;
    void *pairs, *weights; /* the copies; NULL: none */
} enuf_host_exclusions;
/** exclusions NULL: an empty list. n: number of atoms that they may name. */
ENUF_PRIVATE enuf_status enuf_host_exclusions_make(enuf_ewald *ewald, int64_t n,
                                                   const enuf_exclusions *exclusions,
                                                   enuf_host_exclusions *made);
ENUF_PRIVATE void enuf_host_exclusions_release(enuf_host_exclusions *exclusions);
/** Takes n charges of device memory, and exclusions there (NULL: none there). Waits for the sums
 * and checks them (after an error the object is as before), or assumes those of the charges before:
 * *pending 1. */
enuf_status enuf_device_charges_take(enuf_ewald *ewald, int64_t n, const double *charges,
                                     const enuf_exclusions *exclusions, enuf_charge_set *set,
                                     int *pending);
/** *are_there: whether exclusions live in device memory, all arrays of them. */
enuf_status enuf_exclusions_find_place(const enuf_ewald *ewald, int64_t n,
                                       const enuf_exclusions *exclusions, int *are_there);
/** Copies lists of exclusions in device memory to the set. */
enuf_status enuf_device_exclusions_fetch(enuf_ewald *ewald, enuf_charge_set *set);
/** Waits for the sums of the charges taken last, and checks them. */
enuf_status enuf_device_charges_read(enuf_ewald *ewald, enuf_charge_set *set);

/* method.c */
void enuf_method_release(enuf_ewald_method *method);
/** 1 if the method in use serves cell and charges without a change: they are the same, charges have
 * another order, or an earlier cell is back. */
ENUF_PRIVATE int enuf_ewald_is_as_before(enuf_ewald *ewald);
/** Updates the method after a change of cell or charges; else costs nothing. Waits for sums that
 * are pending. */
ENUF_PRIVATE enuf_status enuf_ewald_update_method(enuf_ewald *ewald);
/** The same for the sums that are known. */
enuf_status enuf_ewald_assume_method(enuf_ewald *ewald);
/** Judges the parameters of enqueued evaluations whose sums were assumed: updates the method for
 * these sums. Errors: those of the update. */
enuf_status enuf_ewald_judge_enqueued(enuf_ewald *ewald);
/** calls/check.c: before another call uses the plan and asks it for errors: those of enqueued
 * evaluations are kept for enuf_ewald_check(). Waits if there are such evaluations. */
void enuf_ewald_keep_errors(enuf_ewald *ewald);
/** The two steps of the update, for ranks that agree in between. First: parameters for the request,
 * those in use if they serve (*chosen 0, never with anew), else new ones. Second: the method. */
ENUF_PRIVATE enuf_status enuf_ewald_choose_parameters(const enuf_ewald *ewald,
                                                      const enuf_choice_request *request, int anew,
                                                      enuf_parameters *parameters, int *chosen);
ENUF_PRIVATE enuf_status enuf_ewald_apply_parameters(enuf_ewald *ewald,
                                                     const enuf_choice_request *request,
                                                     const enuf_parameters *parameters, int chosen);
/** The parameters in use with the errors predicted for the cell and charges that are set. */
ENUF_PRIVATE enuf_status enuf_ewald_predicted(const enuf_ewald *ewald, enuf_parameters *parameters);
/** The arithmetic for a request; the one of the option unless it is AUTO. */
ENUF_PRIVATE enuf_arithmetic enuf_ewald_choose_arithmetic(const enuf_ewald *ewald, double requested,
                                                          int anew);
/** Options of the plan for parameters. */
ENUF_PRIVATE void enuf_ewald_plan_options(const enuf_ewald *ewald,
                                          const enuf_parameters *parameters,
                                          enuf_nufft_options *plan);
/** Chooses new parameters with ewald->error_scale, and applies them. */
enuf_status enuf_ewald_choose_anew(enuf_ewald *ewald);

/** Deterministic: bound of the mesh's integers: sum |q| over all ranks, rounded up to the last
 * number below a power of two. Else 0. */
ENUF_PRIVATE double enuf_ewald_grid_bound(const enuf_ewald *ewald);

/** Updates the method and sums. */
enuf_status enuf_ewald_sum(enuf_ewald *ewald, const enuf_evaluation *what);

/** Fills the request of a choice of parameters from the present options, cell and charges. */
ENUF_PRIVATE enuf_status enuf_ewald_request(const enuf_ewald *ewald, enuf_choice_request *request);
/** 1 if the method in use was made for the present cell and charges. */
static inline int enuf_ewald_is_ready(const enuf_ewald *ewald)
{
    return ewald->has_cell && ewald->has_charges && ewald->method.is_made && !ewald->stale;
}
/** Divides the requested accuracy by the error scale, because predictions do not contain the scale.
 */
void enuf_ewald_scale_request(double error_scale, enuf_choice_request *request);
/** Multiplies the predicted errors by the error scale, but for self-force and rounding, which do
 * not depend on the correlation of charges. */
void enuf_ewald_apply_error_scale(double error_scale, enuf_parameters *parameters);

/** Updates method.tail after a change of cell, parameters or error scale. */
void enuf_ewald_update_tail(enuf_ewald *ewald);

/* error_scale.c */
/** Measures ewald->error_scale at these positions, and chooses the method with it. */
enuf_status enuf_ewald_find_error_scale(enuf_ewald *ewald, const double *positions, int64_t stride);

/* verify.c */
/** Verifies chosen parameters before the first evaluation of energy and forces with them (or of the
 * modes alone, if options give the splitting): compares with a reference, and chooses again if the
 * error exceeds the request. Errors that the evaluation will report itself are ignored here. */
enuf_status enuf_ewald_verify_first(enuf_ewald *ewald, const enuf_evaluation *what);

/* influence.c */
/** Weights 0 and 1 of mode m. */
ENUF_PRIVATE void enuf_influence_of_mode(const enuf_ewald_method *method,
                                         const enuf_cell_geometry *cell, const double m[3],
                                         double weight[2]);
/** Fills weights [2][stored modes] for the modes |k| <= k_c of a half-space array modes[]. */
ENUF_PRIVATE void enuf_influence_fill(const enuf_ewald_method *method,
                                      const enuf_cell_geometry *cell, const int64_t modes[3],
                                      int single, int threads, void *weights);
/** Fills multiplier [stored modes] for the per-atom virial component ab from those weights. */
ENUF_PRIVATE void enuf_influence_virial(const enuf_cell_geometry *cell, const int64_t modes[3],
                                        int single, int threads, const void *weights, int a, int b,
                                        void *multiplier);

/** Sums the modes of a plan on the CPU, after its forward transform: sets the energy and, if
 * wanted, adds to the virial. */
ENUF_PRIVATE enuf_status enuf_sum_modes(enuf_nufft *plan, const void *influence,
                                        const double inverse[9], int with_virial, double *energy,
                                        double virial[6]);

/* arrays.c */
/** Scratch for what is wanted; zeroed sums that point into it. */
ENUF_PRIVATE enuf_status enuf_ewald_reserve(enuf_ewald *ewald, int wanted, enuf_ewald_sums *sums);
void enuf_ewald_release_arrays(enuf_ewald *ewald);
int64_t enuf_ewald_array_bytes(const enuf_ewald *ewald);

/* held.c */
void enuf_held_release(struct enuf_held **held);
int64_t enuf_held_bytes(const struct enuf_held *held);

/* slope_room.c */
void enuf_slope_room_release(struct enuf_slope_room **room);
int64_t enuf_slope_room_bytes(const struct enuf_slope_room *room);

/* order.c */
/** The atoms of an evaluation, in spatial order if that saves time. */
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

/** Results of the mesh at the atoms, in its precision: [n] and [n][3]; those wanted. */
typedef struct enuf_mesh_field {
    const void *half_potential;
    const void *half_gradient;
    int single;
    const double *q;
} enuf_mesh_field;

/** Adds them to the wanted sums; subtracts the mean of the forces. reciprocal.c */
ENUF_PRIVATE void enuf_add_mesh_field(const enuf_ewald *ewald, const enuf_mesh_field *mesh,
                                      enuf_ewald_sums *sums);

/* totals.c */
/** ENUF_NOT_FINITE, for an energy. */
enuf_status enuf_energy_not_finite(double energy);
/** The sum of the parts. Errors: ENUF_NOT_FINITE. */
enuf_status enuf_total_energy(const enuf_ewald_parts *parts, double *energy);
/** Writes energies, virial and net force, those wanted, times a scale: to the caller. */
ENUF_PRIVATE void enuf_deliver_totals(const enuf_evaluation *what, double scale, double energy,
                                      const enuf_ewald_parts *parts, const double virial[6],
                                      const double net_force[3]);

/* cpu/evaluate.c */
/** Writes sums into the caller's arrays, in the caller's order and units. Errors: ENUF_NOT_FINITE
 * if the energy is not finite. */
ENUF_PRIVATE enuf_status enuf_ewald_deliver(const enuf_ewald *ewald, const enuf_evaluation *what,
                                            const enuf_atoms *atoms, const enuf_ewald_sums *sums);

/* positions.c */
/** Checks pointer and stride of n positions. */
ENUF_PRIVATE enuf_status enuf_check_positions_argument(int64_t n, const void *positions,
                                                       int64_t stride);
/** Checks also that they are finite; they live on the host. */
ENUF_PRIVATE enuf_status enuf_ewald_check_positions(const enuf_ewald *ewald,
                                                    const double *positions, int64_t stride);
/** Positions on the host: the caller's, or, in device memory, a copy [n][stride] to be released.
 * Errors: ENUF_BAD_MEMORY if they live elsewhere. */
ENUF_PRIVATE enuf_status enuf_ewald_host_positions(enuf_ewald *ewald, enuf_memory memory,
                                                   const double **positions, int64_t stride,
                                                   double **copy);

/* compute.c */
ENUF_PRIVATE enuf_status enuf_ewald_check_evaluation(const enuf_ewald *ewald,
                                                     const enuf_evaluation *what);
/** The part of it that concerns the result. */
ENUF_PRIVATE enuf_status enuf_evaluation_check_result(const enuf_evaluation *what, int has_atoms);
/** Checks the request, updates the method for the sums that are known, and verifies a new choice.
 */
enuf_status enuf_ewald_make_ready(enuf_ewald *ewald, const enuf_evaluation *what);
/** Makes the evaluation of a request in floats, checks it, and converts its arrays. */
enuf_status enuf_ewald_widen_floats(enuf_ewald *ewald, const enuf_float_request *request,
                                    enuf_evaluation *what);
/** Starts an evaluation that is ready. */
enuf_status enuf_ewald_start_ready(enuf_ewald *ewald, const enuf_evaluation *what);
/** Delivers a started evaluation. If sums were pending and the parameters do not serve them,
 * chooses and evaluates once more before. */
enuf_status enuf_ewald_finish_ready(enuf_ewald *ewald, const enuf_evaluation *what);

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

/** A number of the mesh, which is float or double. */
static inline double enuf_number_at(const void *array, int single, int64_t at)
{
    return single ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

static inline void enuf_set_number(void *array, int single, int64_t at, double value)
{
    if (single)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

/** Writes n results to the caller's array, or adds them. */
static inline void enuf_deliver(int add, double scale, int64_t n, const double *source,
                                double *target)
{
    for (int64_t k = 0; k < n; k++) target[k] = (add ? target[k] : 0) + scale * source[k];
}

/* The six components of a symmetric tensor, in the order of every virial: xx yy zz xy xz yz. */
static const int enuf_tensor_row[6] = ENUF_TENSOR_ROWS;
static const int enuf_tensor_column[6] = ENUF_TENSOR_COLUMNS;

#endif
