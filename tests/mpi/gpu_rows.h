/*
 * gpu_rows.h - rows of tables of bench/mpi/ewald_gpus.c, and the library's choice and costs for
 * their systems: ions of fluorite, 0.1 per cubic angstrom, in layers along z.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_GPU_ROWS_H
#define TESTS_MPI_GPU_ROWS_H

#include "mpi/choose/device_work.h"

#include <stdio.h>

/** Milliseconds; megabytes of the busiest GPU. */
typedef struct gpu_row {
    int gpus;
    char modes[32];
    double ions, accuracy, cutoff, grid, one, total, megabytes;
} gpu_row;

/** A file of bench/results; NULL after a failed check. */
FILE *open_results(const char *name);
/** The name of the table of so many H200s, for a system of one size or, `weak`, of one size for
 * each GPU. */
void name_table(int gpus, int weak, char name[64]);
/** 1 if the line is a row. */
int read_gpu_row(const char *line, gpu_row *row);

/** Parameters for a row's system, and costs on its GPUs; the pointers of `run` are in here. */
typedef struct gpu_choice {
    enuf_cell_geometry cell;
    enuf_parameters parameters;
    enuf_ewald_mpi_cost pairs, replicated, distributed;
    enuf_rank_run run;
} gpu_choice;

/** as_measured: 1: with the cutoff and grid of the row; 0: parameters for so many GPUs, with a
 * distributed grid. */
void choose_for_row(const gpu_row *row, int as_measured, gpu_choice *choice);

#endif
