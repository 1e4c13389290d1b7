/*
 * network.h - what messages between ranks cost, for choices among ways to compute. Shipped, never
 * timed in passing, so that equal requests get equal decompositions.
 *
 * Measured inside one node (Open MPI 4.1, two ranks on two virtual cores of an AMD EPYC, 21
 * November 2026, best of many exchanges): 4 us for a kilobyte, 3 to 6 GB/s each way from 128 kB to
 * 8 MB. A network made for clusters is of the same order for one of the many ranks that share it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_NETWORK_H
#define ENUF_EWALD_MPI_NETWORK_H

static const double ENUF_MESSAGE_SECONDS = 4e-6;
static const double ENUF_BYTE_SECONDS = 0.25e-9;

#endif
