/*
 * device_domain.h - the atoms of a domain and its ghosts, in device memory.
 *
 * One exchange does the work of migration.h and ghosts.h: each rank sends each of its atoms to the
 * domain that holds it, and to all domains within the cutoff, images included. Atoms of this rank's
 * own domain stay on the device. Both ranks compute a pair of an own atom and a ghost, so ghosts
 * send no results back.
 *
 * The pair loop treats the rows as a periodic box: the domain, the cutoff on both sides, and a gap
 * of one cutoff between the images. So an own atom meets its true neighbours only. Unshifted rows
 * (deterministic sums): the box is the cell, and each atom is there once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICES_DEVICE_DOMAIN_H
#define ENUF_EWALD_MPI_DEVICES_DEVICE_DOMAIN_H

#include "cuda/device_array.h"
#include "mpi/devices/transports/device_ranks.h"
#include "mpi/domains/domain_choice.h"
#include "mpi/domains/domains.h"
#include "placing.h"

/* X(array) */
#define ENUF_DEVICE_DOMAIN_ARRAYS(X)                                                               \
    X(pieces)                                                                                      \
    X(histogram) X(targets) X(counts) X(scan) X(starts) X(slot) X(source) X(rows) X(sent) X(back)

/** Cuts stay while the fullest domain has about as many atoms as when the cuts were made, and about
 * as many atoms move. The same on all ranks. */
typedef struct enuf_device_cuts {
    int exist;
    double cell[9], cutoff; /* numbers of pieces and images depend on these */
    int64_t charge_changes;
    int64_t most; /* atoms of the fullest domain after the cuts were made */
    int uneven;   /* 1: a domain has grown; the next evaluation makes new cuts */
} enuf_device_cuts;

/** Page-locked copy of the device's counts and record. */
typedef struct enuf_placing_host_copy {
    enuf_cuda_pair_record record;
    int starts[]; /* [2 ranks + 1] */
} enuf_placing_host_copy;

typedef struct enuf_device_domain {
    enuf_device_ranks *devices;
    int has_domains;
    enuf_domains domains;
    enuf_domain_choice choice; /* of the numbers of domains */
    enuf_device_cuts cuts;
    enuf_placing placing; /* of the evaluation in progress */
    int begun;            /* 1: begin() has enqueued the counts */
    enuf_status status;   /* of begin(), with its text */
    char text[512];
    enuf_exchange own;    /* own atoms of domains, without atoms that stay */
    enuf_exchange ghosts; /* with this rank's own images */
    int64_t n_home, n_stayed, n_own, n_ghosts;
    enuf_device_row *row; /* [n_own + n_ghosts] */
    double box[9];
    enuf_device_target *listed; /* on the host */
    int64_t n_listed, room_listed;
    enuf_placing_host_copy *host_copy;
    int64_t *counts_here; /* [4 ranks] scratch on the host */
    enuf_device_memory memory;
#define ENUF_X(name) enuf_device_array name;
    ENUF_DEVICE_DOMAIN_ARRAYS(ENUF_X)
#undef ENUF_X
} enuf_device_domain;

/** The atoms of a rank and the cell. */
typedef struct enuf_device_home {
    int64_t n;
    const double *positions; /* [n][stride] on the device, as q [n] */
    int64_t stride;
    const double *q;
    const enuf_cell_geometry *cell;
    double cutoff;
    enuf_domain_weights weights; /* for the choice of domains */
    int64_t charge_changes;      /* changes when the atoms change */
    int unshifted;
    enuf_cuda_pair_record *record; /* on the device: bad_atom and far_atom are set */
    /* the error of an atom that cannot be placed */
    enuf_status (*refuse)(const void *context, const enuf_cuda_pair_record *record);
    const void *context;
} enuf_device_home;

enuf_status enuf_device_domain_create(enuf_device_ranks *devices, enuf_device_domain *domain);
void enuf_device_domain_release(enuf_device_domain *domain);

/** Local: enqueues the counts if the former cuts can stay. place() reports its errors. */
void enuf_device_domain_begin(enuf_device_domain *domain, const enuf_device_home *home,
                              cudaStream_t stream);
/** Collective; the same status on all ranks. Waits for the counts, but not for the rows. */
enuf_status enuf_device_domain_place(enuf_device_domain *domain, const enuf_device_home *home,
                                     cudaStream_t stream);

/** device_domain_cuts.c. Local: 1 if the former cuts can stay, by data that all ranks share; the
 * same on all ranks. */
int enuf_device_cuts_stand(const enuf_device_domain *domain, const enuf_device_home *home);
/** Collective, the same status on all: makes cuts, and images around them, in domain->placing. Cuts
 * that can stay are kept, unless `anew` is 1. *made: 1 if there are new cuts. */
enuf_status enuf_device_domain_cut(enuf_device_domain *domain, const enuf_device_home *home,
                                   int anew, int *made, cudaStream_t stream);

/** device_domain_home.c. Collective: sends results of own rows, found [n_own][width], to home
 * [n_home][width], all on the device. If `field` is not NULL, forces of the rows that stayed come
 * from the field and `found` lacks these rows; suspicious forces are recorded. Returns this rank's
 * status. */
enuf_status enuf_device_domain_bring_home(enuf_device_domain *domain, int width,
                                          const double *found, const enuf_cuda_sorted_field *field,
                                          enuf_cuda_pair_record *record, double *home,
                                          cudaStream_t stream);

/** Collective, the same status on all: numbers of the rows' atoms on the host, for error texts.
 * numbers [n_home]: of this rank's atoms. The caller must release *of_rows. */
enuf_status enuf_device_domain_numbers(enuf_device_domain *domain, const int64_t *numbers,
                                       int64_t **of_rows, cudaStream_t stream);

#endif
