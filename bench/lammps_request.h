/*
 * lammps_request.h - shared by the comparisons with LAMMPS: their command line, and a salt with
 * exact forces on a sample of its ions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_LAMMPS_REQUEST_H
#define BENCH_LAMMPS_REQUEST_H

#include "arguments.h"
#include "salt.h"
#include "table.h"

typedef struct bench_lammps_request {
    bench_output output;
    double sizes[BENCH_MOST_VALUES];  /* --ions */
    double values[BENCH_MOST_VALUES]; /* of the option values_option: cutoffs or accuracies */
    int n_sizes, n_values, threads;
    double skin; /* of LAMMPS' neighbour lists */
} bench_lammps_request;

/** Reads --ions, --skin, --threads, the options of the output and `values_option`; fields without
 * an option keep their value. Ends the program at an unknown option. */
void bench_lammps_request_read(bench_lammps_request *request, const char *values_option);

/** A salt, a sample of its ions with exact forces, and an array for forces. */
typedef struct bench_sampled_salt {
    bench_salt salt;
    int64_t *sample;
    double *exact;  /* [count][3] */
    double *forces; /* [n][3] */
} bench_sampled_salt;

/** Ends the program if memory is missing or exact sums fail. */
bench_sampled_salt bench_sampled_salt_make(const char *program, int64_t n, int count);
void bench_sampled_salt_free(bench_sampled_salt *s);

#endif
