/*
 * message_rates.h - measures the cost of messages between ranks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_MESSAGE_RATES_H
#define ENUF_EWALD_MPI_MESSAGE_RATES_H

#include "object/ewald_object.h"
#include "ranks.h"

/** Collective, on two ranks or more. Every rank exchanges messages with every other at the same
 * time, as in a transposition. All ranks get the same costs. */
enuf_status enuf_measure_messages(enuf_ranks *ranks, enuf_message_costs *costs);

/** Number of 8-byte numbers that are sent in the time of one message: its weight in the layout of a
 * distributed grid. */
static inline double enuf_message_in_numbers(const enuf_costs *costs)
{
    return costs->messages.message / (8 * costs->messages.byte);
}

#endif
