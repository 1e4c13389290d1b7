/*
 * openmm.h - OpenMM's particle mesh Ewald on a GPU as a peer, through its C library, opened at run
 * time. Times are differences of whole steps with and without a group of forces.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_OPENMM_H
#define BENCH_PEERS_OPENMM_H

#include <stdint.h>

/**
 * Opens the library that OPENMM_LIBRARY names, else libOpenMM.so, and the plugin of the platform,
 * which is beside it or in its folder `plugins`. OPENMM_PLATFORM: CUDA (default), CPU, Reference.
 * Returns NULL, or the reason why it cannot be opened.
 */
const char *openmm_open(void);

typedef struct openmm_ions {
    int64_t n;
    double edge;     /* of the cubic box, angstrom */
    const double *x; /* [n][3] */
    const double *q; /* [n] in elementary charges */
} openmm_ions;

typedef struct openmm_settings {
    const char *precision; /* single, mixed, double */
    double cutoff;         /* angstrom */
    double tolerance; /* Ewald error tolerance: OpenMM chooses alpha and grid; 0: as given below */
    double alpha;     /* 1/angstrom */
    int grid;
    int steps, repeats; /* steps timed at once; the fastest of the repeats counts */
    double longest_row; /* fewer steps if they take more seconds, at least three; 0: never fewer */
} openmm_settings;

typedef struct openmm_result {
    double reciprocal, direct; /* seconds of a step, less those of a step without forces */
    double alpha;              /* in use */
    int grid[3];
    double *forces; /* [n][3], C = 1 and angstroms, all groups together; NULL: not wanted */
} openmm_result;

/** Makes a context, measures, releases it. An error inside OpenMM ends the process. */
void openmm_measure(const openmm_ions *ions, const openmm_settings *settings,
                    openmm_result *result);

const char *openmm_version_text(void); /* "OpenMM 8.6.1" */

#endif
