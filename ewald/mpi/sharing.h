/*
 * sharing.h - ranks that share a GPU. One rank is the leader. The others send their atoms to it and
 * receive their results. The leaders have their own object with one rank per GPU; this rank has all
 * atoms of its group. So a GPU has one context, and a single leader computes like one process, with
 * CUDA graphs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_SHARING_H
#define ENUF_EWALD_MPI_SHARING_H

#include "common_array.h"
#include "enuf/ewald_mpi.h"
#include "numbering.h"
#include "object/calls.h"

/** The GPU of a rank's atoms, and its leader. */
typedef struct enuf_gpu_share {
    int device;         /* its number on this rank */
    int devices;        /* GPUs in use on all ranks */
    int leads;          /* 1: this rank is the leader */
    int alone;          /* 1: every GPU has one leader */
    enuf_ranks group;   /* ranks with the same leader; rank 0 leads */
    enuf_ranks leaders; /* comm is MPI_COMM_NULL on a rank that does not lead */
} enuf_gpu_share;

/** The atoms of a group. */
typedef struct enuf_led_atoms {
    int64_t n;               /* of this rank */
    int64_t first, of_group; /* number of its first atom in the group; atoms of the group */
    int64_t led;             /* number of the group's first atom, as leaders count */
    enuf_numbering numbering;
    enuf_exchange to_leader;
} enuf_led_atoms;

/** Arrays of results of atoms; the leader writes them. */
enum { ENUF_LED_RESULTS = 5 };

/** Data of a rank that shares a GPU. Its own Ewald object holds only the options and the pending
 * evaluation. */
typedef struct enuf_sharing {
    enuf_ranks ranks;
    enuf_gpu_share share;
    enuf_ewald *leaders;               /* object of the leaders; NULL on other ranks */
    enuf_led_atoms of[2], *now, *next; /* present atoms; atoms that are being set */
    enuf_common_array positions, results[ENUF_LED_RESULTS];
    int has_room; /* flags of the results that have room for the present atoms */
    /* 1: begin() starts the work; requires one leader with an object on one rank */
    int starts;
    enuf_ewald_result found;  /* the leader's results for the whole group */
    enuf_status begin_status; /* of the leader's begin(), until finish(); with its text */
    char begin_text[512];
} enuf_sharing;

/**
 * Collective. Ranks of a machine take its GPUs round robin, or GPU `device` (-1: round robin). If
 * rank 0's environment sets ENUF_LEADERS_PER_DEVICE, so many ranks lead a GPU (default 1): see
 * docs/library.md. Errors: ENUF_NO_BACKEND if a rank sees no GPU.
 */
enuf_status enuf_gpu_share_find(enuf_ranks *ranks, int device, enuf_gpu_share *share);
void enuf_gpu_share_release(enuf_gpu_share *share);

/** Collective, the same status on all: makes an object without calls and without the leaders'
 * object. It takes ownership of the share, also after an error. */
enuf_status enuf_sharing_create(enuf_ranks *ranks, const enuf_ewald_options *options,
                                enuf_gpu_share *share, enuf_ewald **made);

/* The calls of ranks that share a GPU: sharing.c, sharing_charges.c, sharing_evaluate.c. */
extern const enuf_ewald_calls enuf_calls_sharing; /* create.c */
void enuf_sharing_destroy(enuf_ewald *ewald);
ENUF_CALLS(ENUF_CALL_FUNCTION, sharing)
enuf_status enuf_sharing_get_mpi_report(const enuf_ewald *ewald, enuf_ewald_mpi_report *report);

#endif
