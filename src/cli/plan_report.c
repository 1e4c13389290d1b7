/* plan_report.c - see plan_report.h. SPDX-License-Identifier: BSD-3-Clause */
#include "plan_report.h"

#include "error.h"
#include "json_values.h"
#include "safe_text.h"

#include <stdio.h>

static enuf_status get(const cli_plan_tuning *tuning, int i, enuf_candidate *candidate)
{
    *candidate = (enuf_candidate){.struct_size = sizeof *candidate};
    return enuf_tuning_get(tuning->found, i, candidate);
}

static const char *precision_name(const cli_settings *settings)
{
    return settings->plan.single ? "float" : "double";
}

/* ---- The table ---- */

/* "62 x 62 x 62", or with between = "x" "62x62x62". */
static const char *sizes_text(const int64_t *sizes, int dim, const char *between, char text[80])
{
    size_t used = 0;
    for (int d = 0; d < dim; ++d)
        used += (size_t)snprintf(text + used, 80 - used, "%s%lld", d ? between : "",
                                 (long long)sizes[d]);
    return text;
}

/* Milliseconds; a dash for a time that is not known. */
static const char *time_text(double seconds, char text[24])
{
    snprintf(text, 24, seconds > 0 ? "%.3f" : "-", 1e3 * seconds);
    return text;
}

static void print_problem(const cli_settings *settings, const cli_plan_points *points,
                          const cli_plan_tuning *tuning)
{
    const cli_modes *modes = &settings->plan.modes;
    const enuf_nufft_options *o = &tuning->options;
    char sizes[80], source[CLI_SHOWN_NAME], gram[48] = "", where[48];
    if (tuning->request.gram > 0)
        snprintf(gram, sizeof gram, ", %g of the Gram operator", tuning->request.gram);
    snprintf(where, sizeof where, "%d thread%s", o->threads, o->threads == 1 ? "" : "s");
    if (o->backend == ENUF_BACKEND_CUDA) snprintf(where, sizeof where, "a GPU, arrays on the host");
    printf("%s: %s modes, %lld points of %s, tolerance %g, %s precision, %s;\n"
           "calls for each set of points: %g of type 1, %g of type 2%s\n\n",
           settings->name, sizes_text(modes->n, modes->dim, " x ", sizes), (long long)points->n,
           cli_safe_text(settings->plan.points, source, sizeof source), o->tolerance,
           precision_name(settings), where, tuning->request.type1, tuning->request.type2, gram);
}

/* The ways of a GPU that the method fixes. */
static const char *ways_text(const enuf_nufft_method *m, char text[80])
{
    size_t used = 0;
    text[0] = 0;
    if (m->spreading)
        used = (size_t)snprintf(text, 80, ", spreading %s", enuf_strategy_name(m->spreading));
    if (m->interpolation)
        snprintf(text + used, 80 - used, ", interpolation %s",
                 enuf_strategy_name(m->interpolation));
    return text;
}

static void print_row(const enuf_candidate *c, int dim)
{
    char grid[80], model[24], measured[24], ways[80];
    printf("%c %-13s %5d %6.3f  %-15s %-7s %8.1e %9.2f %10s %10s  %s%s\n",
           c->state == ENUF_CANDIDATE_CHOSEN ? '*' : ' ', enuf_window_name(c->method.window),
           c->method.width, c->method.upsampling, sizes_text(c->method.fine_grid, dim, "x", grid),
           enuf_level_name(c->method.level), c->error, 1e-6 * (double)c->bytes,
           time_text(c->predicted_seconds, model), time_text(c->measured_seconds, measured),
           enuf_candidate_state_text(c->state), ways_text(&c->method, ways));
}

/* What the choice rests on. */
static const char *source_of(const cli_plan_tuning *tuning, const enuf_candidate *chosen)
{
    if (enuf_tuning_from_wisdom(tuning->found)) return "wisdom";
    return chosen->timings > 0 ? "time" : "the cost model";
}

enuf_status cli_plan_print(const cli_settings *settings, const cli_plan_points *points,
                           const cli_plan_tuning *tuning)
{
    enuf_candidate c, chosen = {0};
    print_problem(settings, points, tuning);
    printf("  %-13s %5s %6s  %-15s %-7s %8s %9s %10s %10s  %s\n", "window", "width", "sigma",
           "grid", "level", "error", "MB", "model ms", "time ms", "state");
    for (int i = 0; i < enuf_tuning_count(tuning->found); ++i) {
        ENUF_TRY(get(tuning, i, &c));
        print_row(&c, settings->plan.modes.dim);
        if (c.state == ENUF_CANDIDATE_CHOSEN) chosen = c;
    }
    printf("\n* chosen by %s. Sigma: cells a mode; error: relative l2, predicted; MB: with the "
           "points;\nmodel: all calls; time: all calls, and setting the points.\n",
           source_of(tuning, &chosen));
    return ENUF_SUCCESS;
}

/* ---- JSON ---- */

static void add_sizes(cJSON *object, const char *key, const int64_t *sizes, int dim)
{
    cJSON *list = cJSON_AddArrayToObject(object, key);
    for (int d = 0; d < dim; ++d) cJSON_AddItemToArray(list, cJSON_CreateNumber((double)sizes[d]));
}

static cJSON *candidate_object(const enuf_candidate *c, int dim)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "chosen", c->state == ENUF_CANDIDATE_CHOSEN);
    cli_json_text(object, "state", enuf_candidate_state_text(c->state));
    cli_json_text(object, "window", enuf_window_name(c->method.window));
    cli_json_number(object, "width", c->method.width);
    cli_json_number(object, "shape", c->method.shape);
    cli_json_number(object, "upsampling", c->method.upsampling);
    add_sizes(object, "grid", c->method.fine_grid, dim);
    cli_json_text(object, "level", enuf_level_name(c->method.level));
    cli_json_text(object, "spreading", enuf_strategy_name(c->method.spreading));
    cli_json_text(object, "interpolation", enuf_strategy_name(c->method.interpolation));
    cli_json_number(object, "predicted_error", c->error);
    cli_json_number(object, "bytes", (double)c->bytes);
    cli_json_number_if(object, "predicted_seconds", c->predicted_seconds > 0, c->predicted_seconds);
    cli_json_number_if(object, "seconds", c->measured_seconds > 0, c->measured_seconds);
    cli_json_number(object, "timings", c->timings);
    return object;
}

static void add_problem(cJSON *object, const cli_settings *settings, const cli_plan_points *points,
                        const cli_plan_tuning *tuning)
{
    const enuf_nufft_options *o = &tuning->options;
    add_sizes(object, "modes", settings->plan.modes.n, settings->plan.modes.dim);
    cli_json_text(object, "input", settings->plan.points);
    cli_json_number(object, "points", (double)points->n);
    cli_json_number_if(object, "readouts", points->readouts > 0, (double)points->readouts);
    cli_json_number(object, "tolerance", o->tolerance);
    cli_json_text(object, "precision", precision_name(settings));
    cli_json_text(
        object, "backend",
        enuf_backend_name(o->backend == ENUF_BACKEND_CUDA ? o->backend : ENUF_BACKEND_CPU));
    cli_json_number(object, "threads", o->threads);
    cli_json_number(object, "type1", tuning->request.type1);
    cli_json_number(object, "type2", tuning->request.type2);
    cli_json_number(object, "gram", tuning->request.gram);
    cli_json_text(object, "effort", enuf_tune_effort_name(tuning->request.effort));
    cli_json_number_if(object, "memory", o->memory_limit > 0, (double)o->memory_limit);
    cli_json_text(object, "wisdom", settings->wisdom);
    cJSON_AddBoolToObject(object, "from_wisdom", enuf_tuning_from_wisdom(tuning->found));
}

enuf_status cli_plan_print_json(const cli_settings *settings, const cli_plan_points *points,
                                const cli_plan_tuning *tuning)
{
    const int dim = settings->plan.modes.dim;
    cJSON *object = cJSON_CreateObject(), *list = cJSON_CreateArray();
    enuf_status status = ENUF_SUCCESS;
    add_problem(object, settings, points, tuning);
    for (int i = 0; i < enuf_tuning_count(tuning->found) && status == ENUF_SUCCESS; ++i) {
        enuf_candidate c;
        status = get(tuning, i, &c);
        if (status == ENUF_SUCCESS && c.state == ENUF_CANDIDATE_CHOSEN)
            cJSON_AddItemToObject(object, "chosen", candidate_object(&c, dim));
        if (status == ENUF_SUCCESS) cJSON_AddItemToArray(list, candidate_object(&c, dim));
    }
    cJSON_AddItemToObject(object, "candidates", list);
    if (status == ENUF_SUCCESS) return cli_json_print(object);
    cJSON_Delete(object);
    return status;
}
