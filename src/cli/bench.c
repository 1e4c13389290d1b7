/*
 * bench.c - `enuf bench`: measures the speed of enuf's parts on this machine.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bench_rows.h"

#include "commands.h"
#include "error.h"
#include "memory.h"
#include "messages.h"
#include "parallel.h"

/* Measures everything before anything is printed, so a failed benchmark prints no partial table. */
static enuf_status run(const cli_settings *settings, cli_bench_rows *rows)
{
    cli_progress progress;
    rows->threads = enuf_thread_count(settings->ewald.threads);
    cli_bench_list_nufft(settings->quick, rows);
    cli_bench_list_ewald(settings->quick, rows);
    cli_progress_begin(&progress, rows->n_nufft + rows->n_fft + rows->n_pairs + rows->n_ewald,
                       !settings->quiet);
    enuf_status status = cli_bench_run_nufft(settings, &progress, rows);
    if (!status) status = cli_bench_run_ewald(settings, &progress, rows);
    cli_progress_end(&progress);
    ENUF_TRY(status);
    if (settings->json) return cli_bench_print_json(settings, rows);
    cli_bench_print_table(settings, rows);
    return ENUF_SUCCESS;
}

cli_exit cli_bench(const cli_settings *settings)
{
    cli_bench_rows *rows;
    enuf_status status = enuf_allocate(&rows, 1, sizeof *rows, "the rows");
    if (!status) {
        *rows = (cli_bench_rows){0};
        status = run(settings, rows);
    }
    enuf_release(&rows);
    return status ? cli_fail(settings->name, status) : cli_flush_stdout(settings->name);
}
