/* sharing_steps.h - what the files of sharing.h have in common. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_SHARING_STEPS_H
#define ENUF_EWALD_MPI_SHARING_STEPS_H

#include "context.h"

/** Leaders do it and agree on it, all learn how it went. */
#define ENUF_LED(m, call)                                                                          \
    enuf_ranks_pass_on(&(m)->ranks, (m)->sharing->leaders ? (call) : ENUF_SUCCESS)

/** As enuf_ewald_check_idle(). */
enuf_status enuf_sharing_check_idle(enuf_ewald_mpi *m);

/** Collective, the same status on all: items of this rank behind those of the others of its group,
 * on the leader: all [n_receive]. */
enuf_status enuf_sharing_gather(enuf_ewald_mpi *m, const enuf_exchange *route, size_t size,
                                const void *here, enuf_array *all);

#endif
