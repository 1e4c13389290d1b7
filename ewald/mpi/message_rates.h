/* message_rates.h - what messages between ranks cost, measured. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_EWALD_MPI_MESSAGE_RATES_H
#define ENUF_EWALD_MPI_MESSAGE_RATES_H

#include "object/ewald_object.h"
#include "ranks.h"

/** Collective, on two ranks or more: every rank exchanges with every other, all at the same time,
 * as in a transposition. The same numbers on all ranks. */
enuf_status enuf_measure_messages(enuf_ranks *ranks, enuf_message_costs *costs);

#endif
