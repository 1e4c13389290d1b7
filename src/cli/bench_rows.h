/*
 * bench_rows.h - the measurements of `enuf bench`: a row for each case. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CLI_BENCH_ROWS_H
#define ENUF_CLI_BENCH_ROWS_H

#include "bench_timing.h"
#include "progress.h"

enum { CLI_MOST_BENCH_ROWS = 32 };

/** Transforms in 3D of points anywhere in the cell. */
typedef struct cli_bench_nufft {
    enuf_precision precision;
    enuf_strengths strengths;
    double tolerance;
    double density; /* points per mode */
    int64_t points;
    int64_t modes; /* along each axis */
    enuf_nufft_report plan;
    cli_bench_time set_points, type1, type2, gradient; /* gradient: type 2, values with gradients */
} cli_bench_nufft;

/** The FFT of a plan's fine grid. */
typedef struct cli_bench_fft {
    enuf_precision precision;
    enuf_strengths strengths;
    int64_t grid; /* cells along each axis */
    cli_bench_time time;
} cli_bench_fft;

/** The real-space sum: energy and forces. */
typedef struct cli_bench_pairs {
    enuf_split split;
    enuf_arithmetic arithmetic;
    int64_t ions;
    double cutoff; /* mean distance 1 */
    int64_t pairs; /* inside the cutoff, each once */
    cli_bench_time time;
} cli_bench_pairs;

/** The whole Ewald sum: energy and forces. */
typedef struct cli_bench_ewald {
    int64_t ions;
    enuf_ewald_report report; /* seconds of the two halves included */
    double tune;              /* seconds */
    cli_bench_time time;
} cli_bench_ewald;

typedef struct cli_bench_rows {
    int threads;
    int n_nufft, n_fft, n_pairs, n_ewald;
    cli_bench_nufft nufft[CLI_MOST_BENCH_ROWS];
    cli_bench_fft fft[CLI_MOST_BENCH_ROWS];
    cli_bench_pairs pairs[CLI_MOST_BENCH_ROWS];
    cli_bench_ewald ewald[CLI_MOST_BENCH_ROWS];
} cli_bench_rows;

/** List the cases: set the number of rows and describe each row. */
void cli_bench_list_nufft(int quick, cli_bench_rows *rows);
void cli_bench_list_ewald(int quick, cli_bench_rows *rows);

/** Measure the cases listed. */
enuf_status cli_bench_run_nufft(const cli_settings *settings, cli_progress *progress,
                                cli_bench_rows *rows);
enuf_status cli_bench_run_ewald(const cli_settings *settings, cli_progress *progress,
                                cli_bench_rows *rows);

void cli_bench_print_table(const cli_settings *settings, const cli_bench_rows *rows);
enuf_status cli_bench_print_json(const cli_settings *settings, const cli_bench_rows *rows);

#endif
