/* imaging_peers.h - peers of the benchmark of images. SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_IMAGING_PEERS_H
#define BENCH_IMAGING_PEERS_H

#include "imaging_times.h"

/** Seconds of one image with samples that are set, and of setting them; what the peer does. */
typedef struct imaging_peer {
    const char *name, *layout, *window;
    int width; /* cells of the fine grid; 0: the peer does not tell */
    double upsampling, error, total, setting;
} imaging_peer;

enum { IMAGING_MOST_PEERS = 8 };

/** Opens those of a backend; their versions, and what is missing. */
const char *imaging_peers_open(enuf_backend backend);

/**
 * Times all peers of the clock's backend. On the CPU: NFFT3 in double, its window on the fly and
 * from a table, with W = 4 and with the least m that delivers the error `asked`; FINUFFT. On a GPU:
 * cuFINUFFT. Both in float with the tolerance `asked`. Returns how many rows there are.
 */
int imaging_peers_time(const imaging_case *c, imaging_direction direction, double asked,
                       const imaging_clock *clock, imaging_peer rows[IMAGING_MOST_PEERS]);

/** cuFINUFFT alone, as above; imaging_cufinufft.c. */
const char *imaging_cufinufft_open(void);
int imaging_cufinufft_time(const imaging_case *c, imaging_direction direction, double asked,
                           const imaging_clock *clock, imaging_peer *row);

#endif
