/* settings.h - what the command line asks for. SPDX-License-Identifier: BSD-3-Clause */
#ifndef MTIP_SETTINGS_H
#define MTIP_SETTINGS_H

#include <enuf/status.h>

typedef struct settings {
    const char *folder;  /* of the results; exists */
    int64_t images;      /* of all ranks */
    int64_t pixels;      /* of an edge of the detector */
    int64_t atoms, half; /* of the molecule; voxels of its largest radius */
    int64_t rounds, iterations, phasing, starts, seed;
    double photons, wrong, q;
    enuf_backend backend; /* of the transforms */
    int device;           /* of the backend cuda; -1: the current one */
    int64_t side;         /* of the autocorrelation: 4 half + 1 */
} settings;

/** Reads the words. --help prints and ends the program, wrong words end it with one line. */
settings settings_read(int n_words, char **words);

#endif
