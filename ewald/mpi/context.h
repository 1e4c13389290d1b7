/* context.h - the data of a rank beside its Ewald object, and the steps of an evaluation on many
 * ranks, each in the file named. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_MPI_CONTEXT_H
#define ENUF_EWALD_MPI_CONTEXT_H

#include "devices.h"
#include "enuf/ewald_mpi.h"
#include "ghosts.h"
#include "migration.h"
#include "numbering.h"
#include "object/calls.h"
#include "reciprocal.h"

/** Remote exclusions (remote_exclusions.c). A remote atom is the atom of an excluded pair that
 * another rank holds. */
typedef struct enuf_remote_exclusions {
    enuf_exchange exchange; /* sent: requests for remote atoms; sent back: their data */
    int64_t n;              /* number of remote atoms */
    int64_t *asked;         /* [n_receive] own atoms that other ranks request */
    enuf_array positions;   /* [charges + n][3] of own and remote atoms */
    enuf_array sent;
} enuf_remote_exclusions;

/** GPUs that ranks lead. */
typedef struct enuf_led_gpus {
    int devices; /* GPUs in use on all ranks; 0: CPUs, or not yet counted */
    int alone;   /* 1: every rank leads a GPU of its own */
} enuf_led_gpus;

typedef struct enuf_rank_state {
    enuf_ranks ranks;
    enuf_reduction reduction;
    /* Cell, method, options and the charges of this rank's atoms in the caller's order; sums of
     * charges are those of all ranks. ewald->on_ranks is this state. */
    enuf_ewald *ewald;
    int64_t first;            /* number of this rank's first atom among the atoms of all ranks */
    int is_balanced;          /* ranks have about equal numbers of the caller's atoms */
    enuf_exclusions excluded; /* copy of the caller's exclusions, for another object */
    int64_t *excluded_pairs;
    double *excluded_weights;
    enuf_remote_exclusions remote_exclusions;

    const enuf_reciprocal_table *table;
    enuf_reciprocal *mesh; /* NULL: no mesh yet */
    double mesh_bound;     /* enuf_ewald_grid_bound() when the mesh was made */
    int has_migration;
    enuf_migration migration;
    enuf_ghosts ghosts;
    /* scratch of an evaluation: in the order of the domain's atoms, and in the caller's order */
    enuf_array forces, atom_energy, atom_virial, potential, field;
    enuf_array mesh_potential, mesh_gradient, mesh_virial, q_single;
    enuf_array home, home_gradient, home_virial, home_positions;

    enuf_led_gpus gpus;
    enuf_devices *devices;           /* NULL: CPUs */
    const enuf_numbering *numbering; /* for leaders, whose numbers differ from the callers'; NULL:
                                        numbers are equal */

    /* atoms of this rank's domain in the last evaluation; -1: the modes alone were summed, and the
     * mesh knows the number of points */
    int64_t points;
    int64_t bytes_sent;
} enuf_rank_state;

/** The caller's number of this rank's i-th atom, for error texts and samples. */
static inline int64_t enuf_number_of_atom(const enuf_rank_state *m, int64_t i)
{
    return enuf_numbering_convert(m->numbering, ENUF_LEADERS_COUNT, m->first + i);
}

/** The inverse, for a valid number: -1 if another rank has the atom. */
static inline int64_t enuf_atom_of_number(const enuf_rank_state *m, int64_t number)
{
    const int64_t i = enuf_numbering_convert(m->numbering, ENUF_CALLERS_COUNT, number) - m->first;
    return i >= 0 && i < m->ewald->charges.n ? i : -1;
}

/* charges.c: Local */
enuf_status enuf_ranks_check_charges(int64_t n, const double *charges,
                                     const enuf_exclusions *exclusions);

/* make.c: collective, the same status on all */
enuf_status enuf_rank_state_make(const enuf_ranks *ranks, const enuf_ewald_options *options,
                                 enuf_led_gpus gpus, enuf_rank_state **made);
/** NULL is legal. */
void enuf_rank_state_free(enuf_rank_state *m);

/* cell.c: collective */
/** The cell of rank 0, on all. */
enuf_status enuf_ranks_cell_of_first(enuf_ranks *ranks, const double cell[9], double shared[9]);

/* remote_exclusions.c */
/** Collective: makes the lists of `set` from exclusions that name atoms of all ranks. */
enuf_status enuf_remote_exclusions_list(enuf_rank_state *m, const enuf_exclusions *exclusions,
                                        enuf_charge_set *set, enuf_remote_exclusions *remote);
/** Collective: positions of own and remote atoms, [charges + n][3]. */
enuf_status enuf_remote_exclusions_positions(enuf_rank_state *m, const enuf_evaluation *what,
                                             const double **positions);
void enuf_remote_exclusions_release(enuf_remote_exclusions *remote);

/* method.c: collective */
/** Chooses new parameters with ewald->error_scale. */
enuf_status enuf_ranks_choose_anew(enuf_rank_state *m);
/** error_scale_ranks.c: measures the error scale at `positions`, then chooses with it. */
enuf_status enuf_ranks_find_error_scale(enuf_rank_state *m, const double *positions,
                                        int64_t stride);
/** error_scale_ranks.c: as enuf_ewald_verify_first(). All ranks must be ready. */
enuf_status enuf_ranks_verify_first(enuf_rank_state *m, const enuf_evaluation *what);
/** error_scale_ranks.c: as enuf_ewald_verify(). All ranks must be ready. */
enuf_status enuf_ranks_verify_at(enuf_rank_state *m, const double *positions, int64_t stride,
                                 enuf_memory memory);
/** Collective: as enuf_ewald_update_method(), with the mesh. Call it after the ranks agreed that
 * one of them is not ready. */
enuf_status enuf_ranks_update_method(enuf_rank_state *m);
/** Applies the choice of rank 0, with its ewald->error_scale, and makes the mesh. */
enuf_status enuf_ranks_apply_parameters(enuf_rank_state *m, enuf_status decided,
                                        enuf_choice_request *request, enuf_parameters *parameters,
                                        int chosen);

/* choice.c */
/** Collective: the table of the caller's decomposition, or of the cheaper one; the same on all
 * ranks. */
const enuf_reciprocal_table *enuf_ranks_choose_table(enuf_rank_state *m);

/* pairs.c: collective, on the atoms of m->migration */
enuf_status enuf_ranks_sum_pairs(enuf_rank_state *m, int wanted, enuf_ewald_sums *sums);
/* modes.c: collective, on the atoms of m->migration or on the caller's. status: this rank's status
 * after it allocated the sums */
enuf_status enuf_ranks_sum_modes(enuf_rank_state *m, const enuf_evaluation *what,
                                 enuf_status status, enuf_ewald_sums *sums);
/** 1 if the modes are summed at the caller's atoms. A distributed grid sends points to the
 * ranks of their cells itself. A replicated mesh accepts any points, but ranks need equal
 * numbers of them. */
int enuf_modes_at_home(const enuf_rank_state *m);
/* evaluate.c: collective */
/** enuf_ranks_agree_same() for an evaluation: every rank must make the same request. */
enuf_status enuf_ranks_agree_request(enuf_ranks *ranks, enuf_status mine,
                                     const enuf_evaluation *what, int *ready);
/** Collective: checks that every rank makes the same request, then updates method and mesh. */
enuf_status enuf_ranks_prepare_for(enuf_rank_state *m, const enuf_evaluation *what);
/** Collective: sums all terms. Call enuf_ranks_prepare_for() first. */
enuf_status enuf_ranks_sum(enuf_rank_state *m, const enuf_evaluation *what);

/* The calls of ranks that compute themselves: cell.c, charges.c, tune.c, compute.c, measure.c,
 * report.c. */
extern const enuf_ewald_calls enuf_calls_ranks; /* calls.c */
enuf_status enuf_ranks_set_cell(enuf_ewald *ewald, const double cell[9]);
enuf_status enuf_ranks_set_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                                   const enuf_exclusions *exclusions);
enuf_status enuf_ranks_tune(enuf_ewald *ewald, const double *positions, int64_t stride);
enuf_status enuf_ranks_verify(enuf_ewald *ewald, const double *positions, int64_t stride);
enuf_status enuf_ranks_compute(enuf_ewald *ewald, const enuf_evaluation *what);
enuf_status enuf_ranks_begin(enuf_ewald *ewald);
enuf_status enuf_ranks_finish(enuf_ewald *ewald);
enuf_status enuf_ranks_measure_error(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     int64_t size, uint64_t seed, enuf_ewald_error *error);
enuf_status enuf_ranks_get_report(const enuf_ewald *ewald, enuf_ewald_report *report);
enuf_status enuf_ranks_get_mpi_report(const enuf_ewald *ewald, enuf_ewald_mpi_report *report);
enuf_status enuf_ranks_list_candidates(enuf_ewald *ewald, double dearest, int64_t capacity,
                                       enuf_ewald_candidate *candidates, int64_t *n);

#endif
