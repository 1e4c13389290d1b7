/*
 * costs_file.c - calibration files: a first line that names the format, then one line for each row
 * of rates, "name number number ...", in any order; # begins a comment.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "costs.h"

#include "replacement.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char FORMAT[] = "enuf-calibration 1 "; /* and the backend's name */

typedef struct cost_row {
    const char *name;
    size_t offset; /* in enuf_cost_rates */
    int count;
    int any_sign; /* differences, not rates */
} cost_row;

#define ROW(name, member, any_sign)                                                                \
    {                                                                                              \
        name, offsetof(enuf_cost_rates, member),                                                   \
            (int)(sizeof((enuf_cost_rates *)0)->member / sizeof(double)), any_sign                 \
    }

static const cost_row rows[] = {
    ROW("pairs-gaussian-1e-3", pairs[0][0], 0),
    ROW("pairs-gaussian-1e-9", pairs[0][1], 0),
    ROW("pairs-prolate-1e-3", pairs[1][0], 0),
    ROW("pairs-prolate-1e-9", pairs[1][1], 0),
    ROW("pairs-apart", pairs_apart, 1),
    ROW("ion-in-64-cells", ion[0], 0),
    ROW("ion-in-8-cells", ion[1], 0),
    ROW("ion-in-1-cell", ion[2], 0),
    ROW("ion-apart", ion_apart, 1),
    ROW("transform-1.25", transform[0], 0),
    ROW("transform-2", transform[1], 0),
};

/* rows of both precisions, then the row of messages, which may be missing */
enum {
    N_ROWS = sizeof rows / sizeof *rows,
    MESSAGES = 2 * N_ROWS,
    N_ALL = MESSAGES + 1,
    LONGEST_LINE = 1024,
    LONGEST_ROW_NAME = 64
};

static const cost_row row_of_messages = {"messages", 0,
                                         (int)(sizeof(enuf_message_costs) / sizeof(double)), 0};

static const char *const precisions[2] = {"double", "float"};

static const cost_row *kind_of(int row)
{
    return row == MESSAGES ? &row_of_messages : &rows[row % N_ROWS];
}

static void name_row(int row, char name[LONGEST_ROW_NAME])
{
    if (row == MESSAGES)
        snprintf(name, LONGEST_ROW_NAME, "%s", row_of_messages.name);
    else
        snprintf(name, LONGEST_ROW_NAME, "%s-%s", precisions[row / N_ROWS], kind_of(row)->name);
}

static double *numbers_of(enuf_costs *costs, int row)
{
    if (row == MESSAGES) return &costs->messages.message;
    return (double *)((char *)&costs->rates[row / N_ROWS] + rows[row % N_ROWS].offset);
}

static int find_row(const char *name)
{
    for (int row = 0; row < N_ALL; row++) {
        char full[LONGEST_ROW_NAME];
        name_row(row, full);
        if (strcmp(full, name) == 0) return row;
    }
    return -1;
}

typedef struct cost_reader {
    const char *file;
    int line;
    int seen[N_ALL];
    enuf_costs costs;
} cost_reader;

static enuf_status read_row(cost_reader *reader, char *text)
{
    char *rest = NULL, *name = strtok_r(text, " \t\r\n", &rest);
    if (!name) return ENUF_SUCCESS;
    int row = find_row(name);
    if (row < 0)
        return enuf_fail(ENUF_BAD_FILE, "%s, line %d: %.40s is no row of a calibration file",
                         reader->file, reader->line, name);
    if (reader->seen[row])
        return enuf_fail(ENUF_BAD_FILE, "%s, line %d: %s comes a second time, first in line %d",
                         reader->file, reader->line, name, reader->seen[row]);
    reader->seen[row] = reader->line;
    const cost_row *kind = kind_of(row);
    double *number = numbers_of(&reader->costs, row);
    int count = 0;
    for (char *word; (word = strtok_r(NULL, " \t\r\n", &rest)) != NULL; count++) {
        char *end;
        double value = strtod(word, &end);
        if (*end || !isfinite(value) || fabs(value) > 1e9 || (!kind->any_sign && !(value > 0)))
            return enuf_fail(ENUF_BAD_FILE, "%s, line %d: %s: %.40s is not %s (nanoseconds)",
                             reader->file, reader->line, name, word,
                             kind->any_sign ? "a number" : "a positive number");
        if (count < kind->count) number[count] = value;
    }
    if (count == kind->count) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_FILE, "%s, line %d: %s has %d numbers, it needs %d", reader->file,
                     reader->line, name, count, kind->count);
}

static enuf_status read_lines(FILE *stream, cost_reader *reader)
{
    char line[LONGEST_LINE];
    while (fgets(line, sizeof line, stream)) {
        reader->line++;
        if (strlen(line) == sizeof line - 1)
            return enuf_fail(ENUF_BAD_FILE, "%s, line %d: longer than %d characters", reader->file,
                             reader->line, LONGEST_LINE - 2);
        line[strcspn(line, "\r\n")] = 0;
        if (reader->line == 1) {
            const size_t format = strlen(FORMAT);
            if (strncmp(line, FORMAT, format) == 0 &&
                enuf_backend_parse(line + format, &reader->costs.backend) == ENUF_SUCCESS &&
                reader->costs.backend != ENUF_BACKEND_AUTO)
                continue;
            return enuf_fail(ENUF_BAD_FILE,
                             "%s, line 1: a calibration file begins with \"%scpu\" or \"%scuda\"; "
                             "enuf tune --calibrate writes one",
                             reader->file, FORMAT, FORMAT);
        }
        line[strcspn(line, "#")] = 0;
        ENUF_TRY(read_row(reader, line));
    }
    if (ferror(stream))
        return enuf_fail(ENUF_IO, "%s: cannot be read: %s", reader->file, strerror(errno));
    for (int row = 0; row < MESSAGES; row++) {
        if (reader->seen[row]) continue;
        char name[LONGEST_ROW_NAME];
        name_row(row, name);
        return enuf_fail(ENUF_BAD_FILE, "%s: %s is missing: the file is cut short", reader->file,
                         name);
    }
    if (!reader->seen[MESSAGES])
        reader->costs.messages = enuf_costs_shipped_for(reader->costs.backend)->messages;
    return ENUF_SUCCESS;
}

/* Numbers in the file have a decimal point in every locale. */
static locale_t enter_plain_locale(locale_t *plain)
{
    *plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return *plain ? uselocale(*plain) : (locale_t)0;
}

static void leave_plain_locale(locale_t plain, locale_t before)
{
    if (!plain) return;
    uselocale(before);
    freelocale(plain);
}

enuf_status enuf_costs_read(const char *file, enuf_costs *costs)
{
    cost_reader reader = {.file = file};
    FILE *stream = fopen(file, "r");
    if (!stream)
        return enuf_fail(ENUF_IO, "calibration file %s: %s; enuf tune --calibrate writes one", file,
                         strerror(errno));
    locale_t plain, before = enter_plain_locale(&plain);
    enuf_status status = read_lines(stream, &reader);
    leave_plain_locale(plain, before);
    fclose(stream);
    if (status == ENUF_SUCCESS) *costs = reader.costs;
    return status;
}

static void write_lines(FILE *stream, const enuf_costs *costs)
{
    fprintf(stream, "%s%s\n# nanoseconds on one %s; docs/theory.md, \"Cost model\"\n", FORMAT,
            enuf_backend_name(costs->backend),
            costs->backend == ENUF_BACKEND_CUDA ? "GPU" : "core");
    for (int row = 0; row < N_ALL; row++) {
        const double *number = numbers_of((enuf_costs *)costs, row);
        char name[LONGEST_ROW_NAME];
        if (row == MESSAGES && costs->messages.message == 0) continue;
        if (row == MESSAGES) fputs("# a message between ranks, and each byte of it\n", stream);
        name_row(row, name);
        fputs(name, stream);
        for (int k = 0; k < kind_of(row)->count; k++) fprintf(stream, " %.4g", number[k]);
        fputc('\n', stream);
    }
}

static enuf_status open_calibration(const char *name, enuf_replacement *file)
{
    enuf_status status = enuf_replacement_name(name, file);
    if (status == ENUF_SUCCESS) status = enuf_replacement_open(file);
    return status ? enuf_fail_in(status, "calibration file") : ENUF_SUCCESS;
}

enuf_status enuf_costs_check_file(const char *file)
{
    enuf_replacement replacement;
    if (!file || !*file)
        return enuf_fail(ENUF_BAD_ARGUMENT, "file is %s: name the calibration file to write",
                         file ? "empty" : "NULL");
    ENUF_TRY(open_calibration(file, &replacement));
    enuf_replacement_discard(&replacement);
    return ENUF_SUCCESS;
}

enuf_status enuf_costs_write(const char *file, const enuf_costs *costs)
{
    enuf_replacement replacement;
    ENUF_TRY(open_calibration(file, &replacement));
    locale_t plain, before = enter_plain_locale(&plain);
    write_lines(replacement.stream, costs);
    leave_plain_locale(plain, before);
    enuf_replacement *const all[] = {&replacement};
    const enuf_status status = enuf_replacement_commit(1, all);
    return status ? enuf_fail_in(status, "calibration file") : ENUF_SUCCESS;
}
