/*
 * batch.h - the object of batches, and the table of functions that a backend fills.
 *
 * create.c, set_systems.c, compute.c check arguments and call these; nothing else knows of a
 * backend. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BATCH_H
#define ENUF_BATCH_H

#include "system.h"
#include "evaluate/pair_table.h"
#include "enuf/ewald_batch.h"
#include "error.h"

/** Arguments of compute(). NULL: not wanted. */
typedef struct enuf_batch_arrays {
    const void *positions;
    int64_t stride;
    const void *charges;
    void *energies, *forces, *potentials, *virials;
} enuf_batch_arrays;

/** The systems of an object. */
typedef struct enuf_batch_systems {
    int64_t n;     /* -1: not set */
    int64_t atoms; /* of all */
    int64_t slots; /* shares of all */
    int64_t sums;  /* atoms of all shares */
    enuf_batch_system *at;
} enuf_batch_systems;

/** What went wrong in a system first. Atoms are those of all systems. */
typedef struct enuf_batch_fault {
    enum { ENUF_BATCH_POSITION, ENUF_BATCH_CHARGE, ENUF_BATCH_CLASH, ENUF_BATCH_NET } kind;
    int64_t system, atom, other;
} enuf_batch_fault;

/** The functions of a backend. */
typedef struct enuf_batch_engine {
    /* Times of a pair, and of an atom and a mode of the half space, which share out the work; a
     * mode itself takes the time of so many atoms */
    double pair_time, mode_time, mode_atoms;
    enuf_status (*create)(enuf_ewald_batch *batch);
    void (*destroy)(enuf_ewald_batch *batch);
    /* shares of the work of a system of n atoms among n_systems */
    int32_t (*parts)(const enuf_ewald_batch *batch, int64_t n_systems, int64_t n);
    /* Makes room for these systems and takes them. A function that fails leaves what was set. */
    enuf_status (*set_systems)(enuf_ewald_batch *batch, const enuf_batch_systems *systems);
    enuf_status (*compute)(enuf_ewald_batch *batch, const enuf_batch_arrays *arrays);
    enuf_status (*check)(enuf_ewald_batch *batch, int64_t *system);
} enuf_batch_engine;

extern const enuf_batch_engine enuf_batch_engine_cpu, enuf_batch_engine_cuda;

struct enuf_ewald_batch {
    enuf_ewald_batch_options options;
    int mixed;    /* pairs and modes in float */
    enuf_isa isa; /* of the cpu backend */
    int threads;
    double steepness;      /* alpha * cutoff = band / (2 alpha) */
    enuf_pair_table table; /* erf(alpha r)/r in cutoffs, the same for all systems */
    enuf_batch_systems systems;
    const enuf_batch_engine *engine;
    void *workspace; /* the engine's */
};

/** Bytes of a number in the precision of the arrays. */
static inline size_t enuf_batch_number_size(const enuf_ewald_batch *batch)
{
    return batch->options.precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
}

/** Shares out the work of a system between pairs and modes; first, n and parts are set. Errors:
 * those of a cell, without its number. */
enuf_status enuf_batch_choose(const enuf_ewald_batch *batch, const double cell[9],
                              enuf_batch_system *system);

/** The error of a fault, with its text. */
enuf_status enuf_batch_refuse(const enuf_ewald_batch *batch, const char *function,
                              const enuf_batch_fault *fault);

/** The system that has an atom; a share. */
int64_t enuf_batch_system_of(const enuf_batch_systems *systems, int64_t atom);
int64_t enuf_batch_owner_of(const enuf_batch_systems *systems, int64_t slot);

#endif
