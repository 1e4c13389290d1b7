/*
 * reciprocal.h - the sum over modes on many ranks: the table of a decomposition of the mesh. On
 * CPUs replicated.c (every rank has the whole mesh) and distributed.c (every rank has a part) fill
 * it.
 *
 * Tables of GPUs have all arrays in device memory, in the order of the stream of their Ewald object
 * (mesh_stream); numbers that are not arrays are the host's.
 *
 * Everything is without the Coulomb constant. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_RECIPROCAL_H
#define ENUF_EWALD_MPI_RECIPROCAL_H

#include "enuf/decomposition.h"
#include "object/ewald_object.h"
#include "ranks.h"

/**
 * Input of a mesh, the same on all ranks: parameters in ewald->method.parameters, cell in
 * ewald->geometry, options in ewald->options. Its charges are those of all ranks together: the sums
 * (sum, sum_abs, sum_q2, largest, n, n_charged) are there, the arrays are not.
 */
typedef struct enuf_mesh_request {
    enuf_ranks *ranks; /* outlives the mesh */
    const enuf_ewald *ewald;
    /* messages between GPUs, one GPU for each rank; NULL on CPUs (cuda/device_ranks.h) */
    struct enuf_device_ranks *devices;
} enuf_mesh_request;

/** Charges of this rank, in no order, anywhere in space. There may be none. */
typedef struct enuf_mesh_points {
    int64_t n;
    const double *positions; /* [n][3] Cartesian, finite */
    const double *q;         /* [n] */
    const float *q_single;   /* [n] for a mesh in float, else NULL */
} enuf_mesh_points;

/**
 * Results of the modes; weights 0 and 1 as in influence.c. Arrays of this rank's points, in the
 * precision of the mesh (enuf_ewald_single_mesh); NULL: not wanted, on all ranks alike.
 */
typedef struct enuf_mesh_sums {
    double energy;        /* sum weight_0 |S|^2: of all ranks together, the same bits on each */
    double virial[6];     /* the same; set where with_virial */
    int with_virial;      /* wanted */
    void *half_potential; /* [n] type 2 of weight_0 S */
    void *half_gradient;  /* [n][3] its gradient, Cartesian */
    void *atom_virial;    /* [6][n] type 2 of (weight_0 delta_ab + weight_1 k_a k_b) S */
} enuf_mesh_sums;

typedef struct enuf_mesh_part {
    int64_t cells;  /* of fine grid that this rank holds, halos included */
    int64_t bytes;  /* of memory that this rank holds for the mesh */
    int64_t points; /* that this rank spread in the last evaluation */
} enuf_mesh_part;

typedef struct enuf_reciprocal enuf_reciprocal; /* each decomposition's own */

/**
 * All functions but destroy and part are collective. Those with a status return the same one on all
 * ranks (enuf_ranks_agree), and nothing hangs when a rank fails in memory or input: a rank that
 * failed still takes part in the agreement before each communication.
 */
typedef struct enuf_reciprocal_table {
    const char *name;
    enuf_decomposition decomposition;
    /* *made is NULL after an error */
    enuf_status (*create)(const enuf_mesh_request *request, enuf_reciprocal **made);
    void (*destroy)(enuf_reciprocal **made);
    /* 1 where the mesh made serves these parameters after set_cell: local, and the same answer on
     * all ranks */
    int (*serves)(const enuf_reciprocal *made, const enuf_parameters *parameters);
    /* influence and frame of the cell and parameters that request->ewald has now */
    enuf_status (*set_cell)(enuf_reciprocal *made);
    /* overwrites the wanted results */
    enuf_status (*compute)(enuf_reciprocal *made, const enuf_mesh_points *points,
                           enuf_mesh_sums *sums);
    enuf_mesh_part (*part)(const enuf_reciprocal *made);
    /* Local: the work of compute() before its first communication, for the same points. NULL: none.
     * compute() reports its failure. */
    void (*begin)(enuf_reciprocal *made, const enuf_mesh_points *points);
} enuf_reciprocal_table;

/* What they have in common (reciprocal.c). */

/** Local: everything of a mesh that may fail on one rank alone. */
typedef enuf_status (*enuf_mesh_build)(const enuf_mesh_request *request, enuf_reciprocal *made);
/** Collective, the same status on all: a mesh of so many bytes, zero, then built; NULL after an
 * error. destroy() takes what is half built, and NULL. */
enuf_status enuf_mesh_make(const enuf_mesh_request *request, size_t size, enuf_mesh_build build,
                           void (*destroy)(enuf_reciprocal **made), enuf_reciprocal **made);
/** Local: 1 where a mesh made for some parameters serves others, in the same precision. */
int enuf_mesh_serves(const enuf_parameters *made_for, const enuf_parameters *asked);
/** Collective: agreement; then all ranks take energy and virial of rank 0, because threads and
 * devices may differ between ranks. */
enuf_status enuf_mesh_agree_sums(enuf_ranks *ranks, enuf_status status, enuf_mesh_sums *sums);
/** Local: ENUF_UNSUPPORTED for a distributed grid with `deterministic`. */
enuf_status enuf_mesh_refuse_deterministic(const enuf_mesh_request *request);
/** Local: ENUF_OUT_OF_MEMORY if a part takes more bytes than memory_limit. */
enuf_status enuf_mesh_check_limit(const enuf_mesh_request *request, int64_t bytes);

extern const enuf_reciprocal_table enuf_reciprocal_replicated;
extern const enuf_reciprocal_table enuf_reciprocal_distributed; /* distributed.c */

#endif
