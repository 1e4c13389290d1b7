/* alpha_sweep.c - see alpha_sweep.h. SPDX-License-Identifier: BSD-3-Clause */
#include "alpha_sweep.h"

#include "given_options.h"
#include "memory.h"
#include "messages.h"
#include "number_text.h"

#include <math.h>
#include <stdlib.h>

/* The alpha of a row, rounded to a short number: 0.12, not 0.12000000000000001. */
static double alpha_at(const cli_range *range, int64_t row)
{
    char text[32];
    if (row == 0) return range->low;
    if (row + 1 == range->n) return range->high;
    snprintf(text, sizeof text, "%.12g",
             range->low + (range->high - range->low) * (double)row / (double)(range->n - 1));
    return strtod(text, NULL);
}

static enuf_status compute_row(const enuf_ewald_options *options, const enuf_structure *structure,
                               const cli_lattice_constant *constant, cli_alpha_row *row,
                               double *requested)
{
    const cli_request request = {
        .options = options, .structure = structure, .wanted = ENUF_WANT_ENERGY};
    cli_evaluation evaluation;
    ENUF_TRY(cli_evaluate(&request, NULL, &evaluation));
    const enuf_ewald_parts *parts = &evaluation.result.parts;
    row->alpha = options->alpha;
    row->constant = constant->per_energy * evaluation.result.energy;
    row->real = constant->per_energy * parts->real;
    row->reciprocal = constant->per_energy * (parts->reciprocal + parts->self + parts->background);
    row->deviation = cli_deviation(constant, row->constant);
    row->predicted = evaluation.report.predicted;
    row->cutoff = evaluation.report.cutoff;
    row->kmax = evaluation.report.kmax;
    *requested = evaluation.report.requested;
    cli_evaluation_free(&evaluation);
    return ENUF_SUCCESS;
}

/* Warns once for all rows, because a sweep leaves the plateau on purpose. */
static void warn(const cli_settings *settings, const cli_alpha_sweep *sweep)
{
    char given[CLI_GIVEN_SIZE];
    const int n_given = cli_given(settings, given);
    int64_t beyond = 0;
    double worst = 0;
    for (int64_t i = 0; i < sweep->n; ++i) {
        beyond += sweep->rows[i].predicted > sweep->requested;
        worst = fmax(worst, sweep->rows[i].predicted);
    }
    if (beyond > 0) {
        cli_warn(settings,
                 "predicted accuracy exceeds the %.2g asked for at %lld of %lld alphas, up to "
                 "%.2g%s%s%s",
                 sweep->requested, (long long)beyond, (long long)sweep->n, worst,
                 n_given ? ": " : "", given, n_given ? " kept as given" : "");
    }
}

enuf_status cli_sweep(const cli_settings *settings, const enuf_structure *structure,
                      const cli_lattice_constant *constant, cli_alpha_sweep *sweep)
{
    enuf_ewald_options options = settings->ewald;
    options.split = ENUF_SPLIT_GAUSSIAN;
    sweep->n = settings->sweep.n;
    ENUF_TRY(enuf_allocate(&sweep->rows, sweep->n, sizeof *sweep->rows, "the sweep"));

    cli_progress progress;
    cli_progress_begin(&progress, sweep->n, !settings->quiet);
    enuf_status status = ENUF_SUCCESS;
    for (int64_t i = 0; i < sweep->n && !status; ++i) {
        char what[40];
        options.alpha = alpha_at(&settings->sweep, i);
        snprintf(what, sizeof what, "alpha %.4g", options.alpha);
        cli_progress_step(&progress, what);
        status = compute_row(&options, structure, constant, &sweep->rows[i], &sweep->requested);
    }
    cli_progress_end(&progress);
    if (status)
        cli_sweep_free(sweep);
    else
        warn(settings, sweep);
    return status;
}

void cli_sweep_free(cli_alpha_sweep *sweep)
{
    enuf_release(&sweep->rows);
    sweep->n = 0;
}

void cli_sweep_write(const cli_alpha_sweep *sweep, FILE *stream)
{
    fputs("alpha,constant,real,reciprocal,deviation,predicted,cutoff,kmax\n", stream);
    for (int64_t i = 0; i < sweep->n; ++i) {
        const cli_alpha_row *row = &sweep->rows[i];
        const double first[] = {row->alpha, row->constant, row->real, row->reciprocal};
        for (int k = 0; k < 4; ++k) fprintf(stream, "%s,", cli_number(first[k]).text);
        if (!isnan(row->deviation)) fputs(cli_number(row->deviation).text, stream);
        fprintf(stream, ",%.6g,%s,%s\n", row->predicted, cli_number(row->cutoff).text,
                cli_number(row->kmax).text);
    }
}
