/* direct_peers.h - peers of direct sums. SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_DIRECT_PEERS_H
#define BENCH_DIRECT_PEERS_H

#include "direct_sums.h"

/** Opens them; their versions, and what is missing. */
const char *direct_open_peers(void);

/**
 * The peer of a row: its name, and its seconds for one vector of the batch; NAN and "": none. On
 * the CPU, of sums without maps: NFFT3 in double, BART in float. On a GPU, in device memory and
 * float, the sum as it is commonly written.
 */
double direct_time_peer(const bench_scan *s, const direct_request *r, const direct_row *w,
                        const char **name);

#endif
