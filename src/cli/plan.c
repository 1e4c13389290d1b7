/*
 * plan.c - `enuf plan`: the fastest method of a NUFFT for modes, points and a tolerance.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "commands.h"

#include "error.h"
#include "messages.h"
#include "parallel.h"
#include "plan_report.h"
#include "progress.h"
#include "wisdom_file.h"

#include <stdio.h>
#include <string.h>

typedef struct plan_job {
    const cli_settings *settings;
    cli_plan_points points;
    cli_plan_tuning tuning;
    enuf_wisdom *wisdom;
} plan_job;

static enuf_status check_options(const cli_settings *settings)
{
    const cli_plan_settings *plan = &settings->plan;
    if (plan->modes.dim == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "no --modes given (see %s --help)", settings->name);
    if (!plan->points)
        return enuf_fail(ENUF_BAD_ARGUMENT, "no --points given (see %s --help)", settings->name);
    if (plan->type1 == 0 && plan->type2 == 0 && plan->gram == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--type1 0 and --type2 0: nothing is left to be fast; give one of them, "
                         "or --gram, 1 or more");
    if (plan->effort == ENUF_TUNE_WISDOM_ONLY && !settings->wisdom)
        return enuf_fail(ENUF_BAD_ARGUMENT, "--effort wisdom_only needs --wisdom FILE");
    return ENUF_SUCCESS;
}

static void fill_options(const cli_settings *settings, enuf_nufft_options *o)
{
    const cli_plan_settings *plan = &settings->plan;
    enuf_nufft_options_init(o);
    o->dim = plan->modes.dim;
    memcpy(o->modes, plan->modes.n, sizeof o->modes);
    o->precision = plan->single ? ENUF_FLOAT : ENUF_DOUBLE;
    o->tolerance = plan->tolerance;
    o->memory_limit = plan->memory;
    o->backend = settings->ewald.backend;
    o->threads = enuf_thread_count(settings->ewald.threads);
}

static void fill_request(const cli_settings *settings, enuf_wisdom *wisdom, enuf_tuning_request *r)
{
    const cli_plan_settings *plan = &settings->plan;
    enuf_tuning_request_init(r);
    r->effort = (enuf_tune_effort)plan->effort;
    r->type1 = plan->type1 >= 0 ? plan->type1 : plan->repeats;
    r->type2 = plan->type2 >= 0 ? plan->type2 : plan->repeats;
    r->gram = plan->gram;
    r->wisdom = wisdom;
}

/* The library's fields at the begin of a text become options of the command line. */
static enuf_status explain(enuf_status status)
{
    static const struct {
        const char *field, *option;
    } fields[] = {{"memory_limit ", "--memory "}, {"tolerance ", "--tol "}};
    char text[1024];
    if (status == ENUF_SUCCESS) return status;
    snprintf(text, sizeof text, "%s", cli_without_functions(enuf_last_error()));
    for (int f = 0; f < (int)(sizeof fields / sizeof *fields); ++f) {
        const size_t length = strlen(fields[f].field);
        if (strncmp(text, fields[f].field, length) == 0)
            return enuf_fail(status, "%s%s", fields[f].option, text + length);
    }
    return enuf_fail(status, "%s", text);
}

static enuf_status tune(plan_job *job)
{
    const cli_settings *settings = job->settings;
    const double *s = job->points.s;
    const int dim = job->points.dim;
    const int timed =
        settings->plan.effort == ENUF_TUNE_MEASURE || settings->plan.effort == ENUF_TUNE_EXHAUSTIVE;
    cli_plan_tuning *tuning = &job->tuning;
    fill_options(settings, &tuning->options);
    fill_request(settings, job->wisdom, &tuning->request);
    enuf_nufft_options found = tuning->options;
    cli_progress progress;
    cli_progress_begin(&progress, 1, timed && !settings->quiet);
    cli_progress_step(&progress, "timing candidates");
    const enuf_status status =
        enuf_nufft_tune(&found, &tuning->request, job->points.n, s, dim > 1 ? s + 1 : NULL,
                        dim > 2 ? s + 2 : NULL, dim, &tuning->found);
    cli_progress_end(&progress);
    return explain(status);
}

/* Wisdom itself was measured on an earlier day. */
static int was_measured(const enuf_tuning *tuning)
{
    for (int i = 0; i < enuf_tuning_count(tuning); ++i) {
        enuf_candidate candidate = {.struct_size = sizeof candidate};
        if (enuf_tuning_get(tuning, i, &candidate) == ENUF_SUCCESS && candidate.timings > 0)
            return 1;
    }
    return 0;
}

static enuf_status run(plan_job *job)
{
    const cli_settings *settings = job->settings;
    ENUF_TRY(check_options(settings));
    ENUF_TRY(cli_wisdom_open(settings, &job->wisdom));
    ENUF_TRY(cli_plan_points_make(settings, &job->points));
    ENUF_TRY(tune(job));
    ENUF_TRY(cli_wisdom_keep(settings, job->wisdom, was_measured(job->tuning.found)));
    return settings->json ? cli_plan_print_json(settings, &job->points, &job->tuning)
                          : cli_plan_print(settings, &job->points, &job->tuning);
}

cli_exit cli_plan(const cli_settings *settings)
{
    plan_job job = {.settings = settings};
    const enuf_status status = run(&job);
    enuf_tuning_destroy(&job.tuning.found);
    enuf_wisdom_destroy(&job.wisdom);
    cli_plan_points_free(&job.points);
    return status ? cli_fail(settings->name, status) : cli_flush_stdout(settings->name);
}
