/*
 * reciprocal.h - the sum over modes on many ranks: a table of functions for each decomposition of
 * the mesh. On CPUs replicated.c (every rank has the whole mesh) and pencils/distributed.c (every
 * rank has a part) fill it, on GPUs devices/replicated/replicated_cuda.c and devices/slabs/slabs.c.
 *
 * For GPUs, all arrays are in device memory and all work follows the stream of the Ewald object
 * (mesh_stream); single numbers are on the host.
 *
 * Results lack the Coulomb constant.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_RECIPROCAL_H
#define ENUF_EWALD_MPI_RECIPROCAL_H

#include "enuf/decomposition.h"
#include "object/ewald_object.h"
#include "mpi/messages/ranks.h"

/**
 * Input of a mesh, the same on all ranks: parameters in ewald->method.parameters, cell in
 * ewald->geometry, options in ewald->options. ewald->charges has the sums of all ranks (sum,
 * sum_abs, sum_q2, largest, n, n_charged), but no arrays.
 */
typedef struct enuf_mesh_request {
    enuf_ranks *ranks; /* outlives the mesh */
    const enuf_ewald *ewald;
    /* communication between GPUs, one GPU for each rank; NULL on CPUs (device_ranks.h) */
    struct enuf_device_ranks *devices;
} enuf_mesh_request;

/** Charges of this rank, in any order, anywhere in space. n may be 0. */
typedef struct enuf_mesh_points {
    int64_t n;
    const double *positions; /* [n][3] Cartesian, finite */
    const double *q;         /* [n] */
    const float *q_single;   /* [n] for a mesh in float, else NULL */
} enuf_mesh_points;

/**
 * Results of the modes; weights 0 and 1 as in influence.c. Arrays belong to this rank's points, in
 * the precision of the mesh (enuf_ewald_single_mesh). NULL on all ranks: not wanted.
 */
typedef struct enuf_mesh_sums {
    double energy;        /* sum weight_0 |S|^2 over all ranks, the same bits on each */
    double virial[6];     /* the same; set if with_virial */
    int with_virial;      /* 1: compute the virial */
    void *half_potential; /* [n] type 2 of weight_0 S */
    void *half_gradient;  /* [n][3] its gradient, Cartesian */
    void *atom_virial;    /* [6][n] type 2 of (weight_0 delta_ab + weight_1 k_a k_b) S */
} enuf_mesh_sums;

typedef struct enuf_mesh_part {
    int64_t cells;  /* cells of the fine grid on this rank, halos included */
    int64_t bytes;  /* memory of the mesh on this rank */
    int64_t points; /* points that this rank spread in the last evaluation */
} enuf_mesh_part;

typedef struct enuf_reciprocal enuf_reciprocal; /* each decomposition defines its own */

/**
 * All functions but destroy and part are collective. Functions with a status return the same one on
 * all ranks (enuf_ranks_agree). A rank that failed (memory, input) takes part in the agreement
 * before each communication, so that no rank waits for ever.
 */
typedef struct enuf_reciprocal_table {
    const char *name;
    enuf_decomposition decomposition;
    /* *made is NULL after an error */
    enuf_status (*create)(const enuf_mesh_request *request, enuf_reciprocal **made);
    void (*destroy)(enuf_reciprocal **made);
    /* Local: 1 if the mesh can work with these parameters after set_cell; the same on all ranks */
    int (*serves)(const enuf_reciprocal *made, const enuf_parameters *parameters);
    /* updates influence and frame from the cell and parameters of request->ewald */
    enuf_status (*set_cell)(enuf_reciprocal *made);
    /* overwrites the wanted results */
    enuf_status (*compute)(enuf_reciprocal *made, const enuf_mesh_points *points,
                           enuf_mesh_sums *sums);
    enuf_mesh_part (*part)(const enuf_reciprocal *made);
    /* Local: the work of compute() before its first communication, for the same points. NULL: none.
     * compute() reports its failure. */
    void (*begin)(enuf_reciprocal *made, const enuf_mesh_points *points);
} enuf_reciprocal_table;

/* Functions that the decompositions share (reciprocal.c). */

/** Local: the steps of making a mesh that may fail on one rank alone. */
typedef enuf_status (*enuf_mesh_build)(const enuf_mesh_request *request, enuf_reciprocal *made);
/** Collective, the same status on all: allocates a mesh of `size` zero bytes and calls build. *made
 * is NULL after an error. destroy() must accept a partly built mesh and NULL. */
enuf_status enuf_mesh_make(const enuf_mesh_request *request, size_t size, enuf_mesh_build build,
                           void (*destroy)(enuf_reciprocal **made), enuf_reciprocal **made);
/** Local: 1 if a mesh with parameters made_for can work with others, in the same precision. */
int enuf_mesh_serves(const enuf_parameters *made_for, const enuf_parameters *requested);
/** Collective: agreement; then all ranks take energy and virial of rank 0. Without this, ranks with
 * different threads or devices could have different bits. */
enuf_status enuf_mesh_agree_sums(enuf_ranks *ranks, enuf_status status, enuf_mesh_sums *sums);
/** Local: sets energy and virial from the energy and the moments of weight 1, of all ranks. */
void enuf_mesh_set_sums(const enuf_ewald *ewald, double energy, const double moments[6],
                        enuf_mesh_sums *sums);
/** Collective: agreement; then the same from the parts of this rank: the energy, then the moments.
 */
enuf_status enuf_mesh_reduce(const enuf_mesh_request *request, enuf_status status, double parts[7],
                             enuf_mesh_sums *sums);
/** Local: ENUF_UNSUPPORTED for a distributed grid with `deterministic`. */
enuf_status enuf_mesh_refuse_deterministic(const enuf_mesh_request *request);
/** Local: ENUF_OUT_OF_MEMORY if `bytes` exceeds memory_limit. */
enuf_status enuf_mesh_check_limit(const enuf_mesh_request *request, int64_t bytes);

extern const enuf_reciprocal_table enuf_reciprocal_replicated;
extern const enuf_reciprocal_table enuf_reciprocal_distributed; /* pencils/distributed.c */
/* devices/replicated/replicated_cuda.c, devices/slabs/slabs.c */
extern const enuf_reciprocal_table enuf_reciprocal_replicated_cuda, enuf_reciprocal_slabs;

#endif
