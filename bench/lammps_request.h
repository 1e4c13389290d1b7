/*
 * lammps_request.h - what the benchmarks beside LAMMPS have in common: their command line, and ions
 * with exact forces on a sample of them. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_LAMMPS_REQUEST_H
#define BENCH_LAMMPS_REQUEST_H

#include "arguments.h"
#include "salt.h"
#include "table.h"

typedef struct bench_lammps_request {
    bench_output output;
    double sizes[BENCH_MOST_VALUES]; /* --ions */
    double
        values[BENCH_MOST_VALUES]; /* of the option that each program names: cutoffs, accuracies */
    int n_sizes, n_values, threads;
    double skin; /* of LAMMPS' neighbour lists */
} bench_lammps_request;

/** Reads --ions, --skin, --threads, the output's options and `values_option` over what the request
 * holds already. Ends the program where something is none of them. */
void bench_lammps_request_read(bench_lammps_request *request, const char *values_option);

/** Ions, a sample of them, the exact forces on that, and room for forces. */
typedef struct bench_sampled_salt {
    bench_salt salt;
    int64_t *sample;
    double *exact;  /* [count][3] */
    double *forces; /* [n][3] */
} bench_sampled_salt;

/** Ends the program where there is no memory or exact sums fail. */
bench_sampled_salt bench_sampled_salt_make(const char *program, int64_t n, int count);
void bench_sampled_salt_free(bench_sampled_salt *s);

#endif
