/* plan_points.c - see plan_points.h. SPDX-License-Identifier: BSD-3-Clause */
#include "plan_points.h"

#include "enuf/trajectories.h"
#include "error.h"
#include "memory.h"
#include "messages.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enuf_status allocate(int64_t n, int dim, cli_plan_points *points)
{
    points->dim = dim;
    return enuf_allocate(&points->s, n * dim, sizeof *points->s, "points");
}

/* ---- Trajectories ---- */

/* Whether `text` is KIND or KIND:R; *end stands behind the kind. */
static int read_kind(const char *text, enuf_trajectory_kind *kind, const char **end)
{
    char name[32];
    const size_t length = strcspn(text, ":");
    if (length >= sizeof name) return 0;
    memcpy(name, text, length);
    name[length] = 0;
    *end = text + length;
    return enuf_trajectory_kind_parse(name, kind) == ENUF_SUCCESS;
}

static enuf_status read_reduction(const char *text, const char *end, double *reduction)
{
    char *stop;
    *reduction = 1;
    if (!*end) return ENUF_SUCCESS;
    *reduction = strtod(end + 1, &stop);
    if (stop != end + 1 && !*stop && *reduction >= 1) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "--points '%.40s': give KIND:R with R of at least 1, as in radial:4", text);
}

static enuf_status fail_with_option(const char *option, enuf_status status)
{
    char text[512];
    snprintf(text, sizeof text, "%s", cli_without_functions(enuf_last_error()));
    return enuf_fail(status, "--points %.40s: %s", option, text);
}

static enuf_status make_trajectory(const enuf_trajectory_options *o, cli_plan_points *points)
{
    int64_t n;
    ENUF_TRY(enuf_trajectory_count(o, &n, &points->readouts));
    ENUF_TRY(allocate(n, o->dim, points));
    points->n = n;
    double *s = points->s;
    return enuf_trajectory_fill(o, n, s, o->dim > 1 ? s + 1 : NULL, o->dim > 2 ? s + 2 : NULL,
                                o->dim);
}

/* ---- Files ---- */

static enuf_status read_lines(const enuf_text *text, int dim, cli_plan_points *points)
{
    enuf_line line = {0};
    int64_t most = 0;
    while (enuf_text_next_filled(text, &line)) ++most;
    if (most == 0)
        return enuf_text_fail(text, 0, "no points: give %d number%s on each line", dim,
                              dim > 1 ? "s" : "");
    ENUF_TRY(allocate(most, dim, points));
    for (line = (enuf_line){0}; enuf_text_next_filled(text, &line); ++points->n) {
        enuf_word words[4];
        const int n = enuf_line_split(&line, words, 4);
        if (n != dim)
            return enuf_text_fail(text, line.number,
                                  "%d column%s, but --modes has %d number%s: a point needs as many",
                                  n, n > 1 ? "s" : "", dim, dim > 1 ? "s" : "");
        for (int d = 0; d < dim; ++d)
            ENUF_TRY(enuf_word_real(text, line.number, words[d], "coordinate",
                                    &points->s[dim * points->n + d]));
    }
    return ENUF_SUCCESS;
}

static enuf_status read_file(const char *path, int dim, cli_plan_points *points)
{
    enuf_text text = {0};
    enuf_status status = enuf_text_load(path, &text);
    if (status == ENUF_SUCCESS) status = read_lines(&text, dim, points);
    enuf_text_free(&text);
    return status;
}

/* A name that is neither a file nor a kind: the text has both. */
static enuf_status fail_with_kinds(enuf_status status)
{
    char text[512];
    if (status != ENUF_IO) return status;
    snprintf(text, sizeof text, "%s", enuf_last_error());
#define ENUF_X(NAME, name, help) #name ", "
    static const char kinds[] = ENUF_TRAJECTORY_KINDS(ENUF_X);
#undef ENUF_X
    return enuf_fail(status, "--points: %s; besides files there are %.*s", text,
                     (int)sizeof kinds - 3, kinds);
}

enuf_status cli_plan_points_make(const cli_settings *settings, cli_plan_points *points)
{
    const char *text = settings->plan.points, *end;
    const cli_modes *modes = &settings->plan.modes;
    enuf_trajectory_options o;
    enuf_trajectory_options_init(&o);
    if (!read_kind(text, &o.kind, &end))
        return fail_with_kinds(read_file(text, modes->dim, points));
    ENUF_TRY(read_reduction(text, end, &o.reduction));
    o.dim = modes->dim;
    memcpy(o.modes, modes->n, sizeof o.modes);
    const enuf_status status = make_trajectory(&o, points);
    return status ? fail_with_option(text, status) : ENUF_SUCCESS;
}

void cli_plan_points_free(cli_plan_points *points)
{
    enuf_release(&points->s);
    points->n = 0;
}
