/*
 * lammps.h - LAMMPS as a peer: coul/long pairs and a kspace style on ions that do not move, through
 * its C library, opened at run time. LAMMPS' own timers measure the times.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_LAMMPS_H
#define BENCH_PEERS_LAMMPS_H

#include <stdint.h>

/** Opens the library that LAMMPS_LIBRARY names, else liblammps.so. Returns NULL, or the reason why
 * it cannot be opened. */
const char *lammps_open(void);

typedef struct lammps_ions {
    int64_t n;
    double edge;     /* of the cubic box */
    const double *x; /* [n][3] */
    const double *q; /* [n], +1 and -1 */
} lammps_ions;

typedef struct lammps_settings {
    const char *pair; /* "coul/long", "coul/long/omp", "lj/cut/coul/long/opt" (without any LJ) */
    double cutoff;
    double skin;        /* of the neighbour list */
    int table;          /* bits of the pair table, 0: none */
    const char *kspace; /* "pppm", "pppm/omp", "ewald" */
    double accuracy;    /* of kspace, relative to the force of two unit charges at distance 1 */
    double alpha;       /* of the splitting; 0: by the accuracy */
    int order;          /* of pppm */
    int mesh;           /* cells of pppm along each axis, 0: by the accuracy */
    const char *diff;   /* of pppm: "ik", "ad" */
    int pairs_only;     /* 1: the kspace style is set but not computed */
    int virial;         /* 1: pressure at every step */
    int build_lists;    /* 1: neighbour lists at every step, to time them */
    int steps;          /* evaluations in a run; the times are their mean */
    int repeats;        /* runs; the times are of the fastest one */
} lammps_settings;

typedef struct lammps_result {
    double pair, kspace, lists, communication; /* seconds an evaluation */
    double pair_energy, kspace_energy;
    double alpha;   /* in use */
    int grid[3];    /* of pppm, 0 otherwise */
    double *forces; /* [n][3] in the order of the ions; NULL: not wanted */
} lammps_result;

typedef struct lammps_peer lammps_peer;

/** An instance with these ions and the Coulomb constant 1. NULL after an error: see lammps_error().
 */
lammps_peer *lammps_begin(const lammps_ions *ions, int threads);

/** Energy and forces of all ions. 0: failed, see lammps_error(). */
int lammps_evaluate(lammps_peer *peer, const lammps_settings *settings, lammps_result *result);

void lammps_end(lammps_peer *peer);

const char *lammps_version_text(void); /* "LAMMPS 20250722", after lammps_open() */
int lammps_has_pair(const lammps_peer *peer, const char *style);
const char *lammps_error(void);

#endif
