/*
 * rank_state.h - the data of a rank beside its Ewald object.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_RANK_STATE_H
#define ENUF_EWALD_MPI_RANK_STATE_H

#include "devices.h"
#include "mpi/domains/domain_choice.h"
#include "mpi/domains/ghosts.h"
#include "mpi/domains/migration.h"
#include "numbering.h"
#include "mpi/mesh/reciprocal.h"

/** Remote exclusions (remote_exclusions.c). A remote atom is the atom of an excluded pair that
 * another rank holds. */
typedef struct enuf_remote_exclusions {
    enuf_exchange exchange; /* sent: requests for remote atoms; sent back: their data */
    int64_t n;              /* number of remote atoms */
    int64_t *requested;     /* [n_receive] own atoms that other ranks request */
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
    enuf_domain_choice domain_choice; /* on CPUs */
    int64_t watched_charges;          /* charge_changes when the choice was last looked at */
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

/* make.c: collective, the same status on all */
enuf_status enuf_rank_state_make(const enuf_ranks *ranks, const enuf_ewald_options *options,
                                 enuf_led_gpus gpus, enuf_rank_state **made);
/** NULL is legal. */
void enuf_rank_state_free(enuf_rank_state *m);

#endif
