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
#include "gpu_share.h"
#include "mpi/object/numbering.h"
#include "object/calls.h"

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

/** Collective, the same status on all: makes an object without calls and without the leaders'
 * object. It takes ownership of the share, also after an error. */
enuf_status enuf_sharing_create(enuf_ranks *ranks, const enuf_ewald_options *options,
                                enuf_gpu_share *share, enuf_ewald **made);

/* The calls of ranks that share a GPU: sharing_calls.c, sharing_charges.c, sharing_evaluate.c. */
extern const enuf_ewald_calls enuf_calls_sharing; /* create.c */
void enuf_sharing_destroy(enuf_ewald *ewald);
ENUF_CALLS(ENUF_CALL_FUNCTION, sharing)
enuf_status enuf_sharing_get_mpi_report(const enuf_ewald *ewald, enuf_ewald_mpi_report *report);

/* ---- The steps of the calls ---- */

/** Leaders run `call` and agree on its status; all ranks get this status. */
#define ENUF_LED(s, call) enuf_ranks_pass_on(&(s)->ranks, (s)->leaders ? (call) : ENUF_SUCCESS)

/** sharing_charges.c: collective, the same status on all. The leader gets the items of all ranks of
 * its group in all [n_receive], in the order of ranks. */
enuf_status enuf_sharing_gather(enuf_sharing *s, const enuf_exchange *route, size_t size,
                                const void *here, enuf_array *all);

/* sharing_evaluate.c */
/** Ranks and rows of the arrays of these atoms. */
enuf_row_share enuf_sharing_rows(enuf_sharing *s, enuf_led_atoms *atoms);
/** Collective: sends the positions of the group to its leader. */
enuf_status enuf_sharing_gather_positions(enuf_sharing *s, const double *positions, int64_t stride);
/** Local: ends the pending evaluation and discards its results. */
void enuf_sharing_drop(enuf_sharing *s);

#endif
