/*
 * sharing.h - ranks that share a GPU: one is the leader; the others give their atoms to it and get
 * their results back. The leaders have their own object, with one rank per GPU that has all atoms
 * of its group. A single leader computes like one process, with CUDA graphs, and a GPU has one
 * context. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_SHARING_H
#define ENUF_EWALD_MPI_SHARING_H

#include "common_array.h"
#include "enuf/ewald_mpi.h"
#include "numbering.h"
#include "object/calls.h"

/** The GPU of a rank's atoms, and its leader. */
typedef struct enuf_gpu_share {
    int device;         /* ordinal here */
    int devices;        /* that all ranks together work on */
    int leads;          /* 1: this rank */
    int alone;          /* 1: each leader has a GPU that no other leads */
    enuf_ranks group;   /* the ranks that hand their atoms to one; rank 0 leads */
    enuf_ranks leaders; /* comm is MPI_COMM_NULL where this rank does not lead */
} enuf_gpu_share;

/** The atoms of a group. */
typedef struct enuf_led_atoms {
    int64_t n;               /* of this rank */
    int64_t first, of_group; /* number of its first atom in the group; atoms of the group */
    int64_t led;             /* number of the group's first atom, as leaders count */
    enuf_numbering numbering;
    enuf_exchange to_leader;
} enuf_led_atoms;

/** Results of atoms; the leader writes them. */
enum { ENUF_LED_RESULTS = 5 };

/** What a rank that shares keeps. Its own Ewald object has nothing but options, and what is
 * pending. */
typedef struct enuf_sharing {
    enuf_ranks ranks;
    enuf_gpu_share share;
    enuf_ewald *leaders;               /* of the leaders; NULL where this rank does not lead */
    enuf_led_atoms of[2], *now, *next; /* as they are; being set */
    enuf_common_array positions, results[ENUF_LED_RESULTS];
    int has_room; /* results wanted, of which there is room for the atoms as they are */
    /* begin starts the work: one leader, whose object needs no other */
    int starts;
    enuf_ewald_result found;  /* the leader's, of the whole group */
    enuf_status begin_status; /* of the leader, between begin and finish; its text */
    char begin_text[512];
} enuf_sharing;

/**
 * Collective. Ranks of a machine take its GPUs round robin, or the one that `device` names (-1:
 * none). ENUF_LEADERS_PER_DEVICE in rank 0's environment lets several ranks lead a GPU (1): for
 * tests. Errors: ENUF_NO_BACKEND where a rank sees no GPU.
 */
enuf_status enuf_gpu_share_find(enuf_ranks *ranks, int device, enuf_gpu_share *share);
void enuf_gpu_share_release(enuf_gpu_share *share);

/** Collective, the same status on all: an object without calls, that of the leaders still to be
 * made. Takes the share over, whatever comes of it. */
enuf_status enuf_sharing_create(enuf_ranks *ranks, const enuf_ewald_options *options,
                                enuf_gpu_share *share, enuf_ewald **made);

/* The calls. */
extern const enuf_ewald_calls enuf_calls_sharing; /* calls.c */
void enuf_sharing_destroy(enuf_ewald *ewald);
enuf_status enuf_sharing_set_cell(enuf_ewald *ewald, const double cell[9]);
enuf_status enuf_sharing_set_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                                     const enuf_exclusions *exclusions);
enuf_status enuf_sharing_tune(enuf_ewald *ewald, const double *positions, int64_t stride);
enuf_status enuf_sharing_verify(enuf_ewald *ewald, const double *positions, int64_t stride);
enuf_status enuf_sharing_compute(enuf_ewald *ewald, const enuf_evaluation *what);
enuf_status enuf_sharing_begin(enuf_ewald *ewald);
enuf_status enuf_sharing_finish(enuf_ewald *ewald);
enuf_status enuf_sharing_measure_error(enuf_ewald *ewald, const double *positions, int64_t stride,
                                       int64_t sample, uint64_t seed, enuf_ewald_error *error);
enuf_status enuf_sharing_get_report(const enuf_ewald *ewald, enuf_ewald_report *report);
enuf_status enuf_sharing_get_mpi_report(const enuf_ewald *ewald, enuf_ewald_mpi_report *report);
enuf_status enuf_sharing_list_candidates(enuf_ewald *ewald, double dearest, int64_t capacity,
                                         enuf_ewald_candidate *candidates, int64_t *n);

#endif
