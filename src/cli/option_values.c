/* option_values.c - see option_values.h. SPDX-License-Identifier: BSD-3-Clause */
#include "option_values.h"

#include "cell_constants.h"
#include "error.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Height along z over the length of c. */
static const double FLATTEST = 1e-6;

static int read_real(const char *text, const char **end, double *value)
{
    char *stop;
    *value = strtod(text, &stop);
    *end = stop;
    return stop != text && !isnan(*value);
}

static int read_count(const char *text, const char **end, int64_t *value)
{
    char *stop;
    errno = 0;
    *value = strtoll(text, &stop, 10);
    *end = stop;
    return stop != text && errno == 0;
}

/* "a number above 0", "a whole number from 2 to 32", ... */
static enuf_status fail_range(const cli_option *option, const char *text, const char *noun)
{
    char range[80];
    const char *kind = option->least == DBL_MIN ? "above" : "of at least";
    const double least = option->least == DBL_MIN ? 0 : option->least;
    if (option->most > 0)
        snprintf(range, sizeof range, "from %g to %g", option->least, option->most);
    else
        snprintf(range, sizeof range, "%s %g", kind, least);
    return enuf_fail(ENUF_BAD_ARGUMENT, "--%s '%.40s': give %s %s", option->name, text, noun,
                     range);
}

static int in_range(const cli_option *option, double value)
{
    return value >= option->least && (option->most <= 0 || value <= option->most);
}

static enuf_status read_choice(const cli_option *option, const char *text, int *value)
{
    char names[160] = "";
    for (const cli_choice *choice = option->choices; choice->name; ++choice) {
        if (strcmp(choice->name, text) == 0) {
            *value = (int)(choice - option->choices);
            return ENUF_SUCCESS;
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", choice->name);
    }
    return enuf_fail(ENUF_BAD_ARGUMENT, "--%s '%.40s': choose one of %s", option->name, text,
                     names);
}

static enuf_status read_grid(const cli_option *option, const char *text, int64_t grid[3])
{
    int64_t cells[3];
    const char *end = text;
    int good = 1;
    for (int d = 0; d < 3 && good; ++d) {
        good = read_count(d ? end + 1 : text, &end, &cells[d]) &&
               in_range(option, (double)cells[d]) && *end == (d < 2 ? ',' : 0);
    }
    if (!good) {
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--%s '%.40s': give three whole numbers above 0, as in 64,64,80",
                         option->name, text);
    }
    memcpy(grid, cells, sizeof cells);
    return ENUF_SUCCESS;
}

/* N, N,N or N,N,N */
static enuf_status read_modes(const cli_option *option, const char *text, cli_modes *modes)
{
    cli_modes m = {0};
    const char *end = text;
    int good = 1;
    do {
        good = read_count(m.dim ? end + 1 : text, &end, &m.n[m.dim]) &&
               in_range(option, (double)m.n[m.dim]);
        ++m.dim;
    } while (good && *end == ',' && m.dim < 3);
    if (!good || *end)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--%s '%.40s': give one to three whole numbers above 0, as in 64,64,80",
                         option->name, text);
    *modes = m;
    return ENUF_SUCCESS;
}

static enuf_status read_range(const cli_option *option, const char *text, cli_range *range)
{
    cli_range r;
    const char *end;
    const int good = read_real(text, &end, &r.low) && *end == ':' &&
                     read_real(end + 1, &end, &r.high) && *end == ':' &&
                     read_count(end + 1, &end, &r.n) && *end == 0;
    if (!good || !(r.low > 0) || !(r.high >= r.low) || isinf(r.high) || r.n < 1 || r.n > 100000) {
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--%s '%.40s': give LO:HI:N with 0 < LO <= HI and N from 1 to 100000, as "
                         "in 0.4:2.2:37",
                         option->name, text);
    }
    *range = r;
    return ENUF_SUCCESS;
}

/* QMAX[:N] */
static enuf_status read_sphere(const cli_option *option, const char *text, cli_sphere *sphere)
{
    cli_sphere s = {.shells = 100};
    const char *end;
    int good = read_real(text, &end, &s.largest);
    if (good && *end == ':') good = read_count(end + 1, &end, &s.shells);
    if (!good || *end || !(s.largest > 0) || isinf(s.largest) || s.shells < 1 || s.shells > 1000000)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--%s '%.40s': give QMAX or QMAX:N with QMAX above 0 and N from 1 to "
                         "1000000, as in 8:200",
                         option->name, text);
    *sphere = s;
    return ENUF_SUCCESS;
}

static enuf_status add_charge(const char *text, cli_settings *settings)
{
    if (settings->n_rules == CLI_MOST_RULES)
        return enuf_fail(ENUF_BAD_ARGUMENT, "--charge: at most %d of them", CLI_MOST_RULES);
    enuf_charge_rule rule;
    if (enuf_charge_rule_parse(text, &rule)) { /* "charge 'Na': write ..." */
        char reason[256];
        snprintf(reason, sizeof reason, "%s", enuf_last_error());
        return enuf_fail(ENUF_BAD_ARGUMENT, "--%s", reason);
    }
    settings->rules[settings->n_rules++] = rule;
    return ENUF_SUCCESS;
}

static enuf_status read_cell(const char *text, cli_settings *settings)
{
    double numbers[9] = {0, 0, 0, 90, 90, 90};
    const char *end = text;
    int n = 0, good = 1;
    while (good && n < 9) {
        good = read_real(text, &end, &numbers[n]) && isfinite(numbers[n]);
        ++n;
        text = end + strspn(end, ", ");
        if (!*text) break;
    }
    good = good && !*text && (n == 3 || n == 6 || n == 9);
    if (good && n == 9) {
        memcpy(settings->cell, numbers, sizeof numbers);
    } else if (good) {
        enuf_cell_from_constants(numbers, numbers + 3, settings->cell);
        /* impossible angles give no positive height */
        good = numbers[0] > 0 && numbers[1] > 0 && numbers[2] > 0 &&
               settings->cell[8] > FLATTEST * numbers[2];
    }
    settings->cell_given = 1;
    if (good) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "--cell: give three lengths a,b,c, these and angles alpha,beta,gamma in "
                     "degrees that make a cell, or nine numbers, the rows a, b, c");
}

enuf_status cli_option_read(const cli_option *option, const char *text, cli_settings *settings)
{
    char *field = (char *)settings + option->offset;
    const char *end = "";
    double real;
    int64_t count;
    int number = 0;

    switch (option->kind) {
    case CLI_FLAG:
        number = 1;
        memcpy(field, &number, sizeof number);
        return ENUF_SUCCESS;
    case CLI_TEXT:
        if (!*text) return enuf_fail(ENUF_BAD_ARGUMENT, "--%s: empty", option->name);
        memcpy(field, &text, sizeof text);
        return ENUF_SUCCESS;
    case CLI_REAL:
        if (!read_real(text, &end, &real) || *end || isinf(real) || !in_range(option, real))
            return fail_range(option, text, "a number");
        memcpy(field, &real, sizeof real);
        return ENUF_SUCCESS;
    case CLI_COUNT:
    case CLI_NUMBER:
        if (!read_count(text, &end, &count) || *end || !in_range(option, (double)count))
            return fail_range(option, text, "a whole number");
        number = (int)count;
        if (option->kind == CLI_COUNT)
            memcpy(field, &count, sizeof count);
        else
            memcpy(field, &number, sizeof number);
        return ENUF_SUCCESS;
    case CLI_CHOICE:
        ENUF_TRY(read_choice(option, text, &number));
        memcpy(field, &number, sizeof number);
        return ENUF_SUCCESS;
    case CLI_GRID:
        return read_grid(option, text, (int64_t *)(void *)field);
    case CLI_MODES:
        return read_modes(option, text, (cli_modes *)(void *)field);
    case CLI_RANGE:
        return read_range(option, text, (cli_range *)(void *)field);
    case CLI_SPHERE:
        return read_sphere(option, text, (cli_sphere *)(void *)field);
    case CLI_CHARGE:
        return add_charge(text, settings);
    case CLI_CELL:
        return read_cell(text, settings);
    }
    return enuf_fail(ENUF_INTERNAL, "--%s: no such kind of option", option->name);
}
