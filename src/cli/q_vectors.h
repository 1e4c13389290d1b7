/*
 * q_vectors.h - the wave vectors of --q and --q-file. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_Q_VECTORS_H
#define ENUF_CLI_Q_VECTORS_H

#include "settings.h"

typedef struct cli_q_vectors {
    int64_t n;
    double *q; /* [n][3], as given; owned, release with cli_q_vectors_free() */
} cli_q_vectors;

/** Reads one of the two; *vectors is empty before. */
enuf_status cli_q_vectors_read(const cli_settings *settings, cli_q_vectors *vectors);

void cli_q_vectors_free(cli_q_vectors *vectors);

#endif
