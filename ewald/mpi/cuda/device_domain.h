/*
 * device_domain.h - the atoms of a domain and those within the cutoff of it, in device memory.
 *
 * One exchange does what migration.h and ghosts.h do: each rank sends each of its atoms to the
 * domain that holds it, and to all that are within the cutoff of it, images included. Atoms that
 * are where they belong stay there. Every pair of an own atom and a ghost is met by both ranks, so
 * that nothing has to come back for ghosts.
 *
 * The pair loop sees rows as a periodic box: the domain, the cutoff on both of its sides and one
 * more between the images, so that an own atom meets the neighbours that it has, and ghosts none
 * that are not theirs. Once (deterministic sums): the cell itself, with each atom as it is.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_CUDA_DEVICE_DOMAIN_H
#define ENUF_EWALD_MPI_CUDA_DEVICE_DOMAIN_H

#include "device_array.h"
#include "device_ranks.h"
#include "domains.h"
#include "placing.h"

/* X(array) */
#define ENUF_DEVICE_DOMAIN_ARRAYS(X)                                                               \
    X(pieces)                                                                                      \
    X(histogram) X(targets) X(counts) X(scan) X(starts) X(slot) X(source) X(rows) X(sent) X(back)

/** Cuts stay where they are while the domains hold about as many atoms as when they were made. All
 * of it is the same on all ranks. */
typedef struct enuf_device_cuts {
    int exist;
    double cell[9], cutoff; /* that numbers of pieces, and images around, follow from */
    int64_t charge_changes;
    int64_t most; /* atoms of the fullest domain when they were made */
    int uneven;   /* another has more by now: to be made anew */
} enuf_device_cuts;

/** What the device tells the host, page-locked. */
typedef struct enuf_placing_host_copy {
    enuf_cuda_pair_record record;
    int starts[]; /* [2 ranks + 1] */
} enuf_placing_host_copy;

typedef struct enuf_device_domain {
    enuf_device_ranks *devices;
    int has_domains;
    enuf_domains domains;
    enuf_device_cuts cuts;
    enuf_placing placing; /* of the evaluation that has begun */
    int begun;            /* its atoms are being counted */
    enuf_status status;   /* of that, and its text */
    char text[512];
    enuf_exchange own;    /* without those that stay */
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

/** What is to be placed. */
typedef struct enuf_device_home {
    int64_t n;
    const double *positions; /* [n][stride] on the device, as q [n] */
    int64_t stride;
    const double *q;
    const enuf_cell_geometry *cell;
    double cutoff;
    int64_t charge_changes; /* another number: other atoms */
    int unshifted;
    enuf_cuda_pair_record *record; /* on the device: bad_atom and far_atom are set */
    /* says why an atom cannot be placed */
    enuf_status (*refuse)(const void *context, const enuf_cuda_pair_record *record);
    const void *context;
} enuf_device_home;

enuf_status enuf_device_domain_create(enuf_device_ranks *devices, enuf_device_domain *domain);
void enuf_device_domain_release(enuf_device_domain *domain);

/** Local: counts the atoms for their domains, where the cuts of the last evaluation stand; place()
 * then need not. place() reports its errors. */
void enuf_device_domain_begin(enuf_device_domain *domain, const enuf_device_home *home,
                              cudaStream_t stream);
/** Collective; the same status on all ranks. Waits for the stream, not for the rows. */
enuf_status enuf_device_domain_place(enuf_device_domain *domain, const enuf_device_home *home,
                                     cudaStream_t stream);

/** device_domain_cuts.c. Local: whether the cuts serve, as far as is known without asking others;
 * all ranks come to the same. */
int enuf_device_cuts_stand(const enuf_device_domain *domain, const enuf_device_home *home);
/** Collective, the same status on all: cuts and images around them, in domain->placing. Cuts that
 * serve stay, but where `anew`. *made: whether others were made. */
enuf_status enuf_device_domain_cut(enuf_device_domain *domain, const enuf_device_home *home,
                                   int anew, int *made, cudaStream_t stream);

/** device_domain_home.c. Collective: what was found for own rows [n_own][width] to home
 * [n_home][width], all on the device. Forces may come of a field for the rows that stayed, which
 * `found` then lacks (NULL: found has all); what is suspicious about them is recorded. The status
 * is this rank's. */
enuf_status enuf_device_domain_bring_home(enuf_device_domain *domain, int width,
                                          const double *found, const enuf_cuda_sorted_field *field,
                                          enuf_cuda_pair_record *record, double *home,
                                          cudaStream_t stream);

/** Collective: numbers of the rows' atoms on the host, for texts of errors; numbers [n_home] of
 * those at home. To be released. The same status on all ranks. */
enuf_status enuf_device_domain_numbers(enuf_device_domain *domain, const int64_t *numbers,
                                       int64_t **of_rows, cudaStream_t stream);

#endif
