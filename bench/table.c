/* table.c - see table.h. SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include "arguments.h"
#include "cpu_description.h"
#include "version.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int bench_output_argument(bench_output *output, int argc, char **argv, int *i)
{
    output->argc = argc;
    output->argv = argv;
    if (strcmp(argv[*i], "--markdown") == 0) {
        output->markdown = 1;
        return 1;
    }
    if (strcmp(argv[*i], "--csv") != 0 || *i + 1 >= argc) return 0;
    output->csv = argv[++*i];
    return 1;
}

/* Command line (without --csv), versions, machine and day. */
static void csv_head(const bench_table *t, const char *peers)
{
    char cpu[200], date[40];
    const time_t now = time(NULL);
    cli_cpu_name(cpu, sizeof cpu);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    fprintf(t->csv, "# %s", t->output->program);
    for (int i = 1; i < t->output->argc; i++) {
        if (strcmp(t->output->argv[i], "--csv") == 0)
            i++;
        else
            fprintf(t->csv, " %s", t->output->argv[i]);
    }
    fprintf(t->csv, "\n# enuf %s, compiler %s%s%s; %s; %s\n", ENUF_VERSION, __VERSION__,
            peers ? ", " : "", peers ? peers : "", cpu, date);
}

static void print_cell(const bench_table *t, int k, const char *text)
{
    const bench_column *column = &t->columns[k];
    const int title = (int)strlen(column->title), left = column->width < 0;
    const int width = abs(column->width) > title ? abs(column->width) : title;
    const char *before = t->output->markdown ? (k == 0 ? "| " : " | ") : (k == 0 ? "" : "  ");
    printf("%s%*s", before, left ? -width : width, text);
    if (k + 1 < t->n) return;
    puts(t->output->markdown ? " |" : "");
    fflush(stdout);
}

void bench_table_begin(bench_table *t, const bench_output *output, const char *peers,
                       const bench_column *columns, int n)
{
    *t = (bench_table){.output = output, .columns = columns, .n = n};
    for (int k = 0; k < n; k++) print_cell(t, k, columns[k].title);
    if (output->markdown) {
        for (int k = 0; k < n; k++) fputs(columns[k].width < 0 ? "|---" : "|---:", stdout);
        puts("|");
    }
    if (!output->csv) return;
    t->csv = fopen(output->csv, "w");
    if (!t->csv) bench_die(output->program, "%s cannot be written", output->csv);
    csv_head(t, peers);
    for (int k = 0; k < n; k++) {
        fputs(k ? "," : "", t->csv);
        for (const char *c = columns[k].title; *c; c++) fputc(*c == ' ' ? '_' : *c, t->csv);
    }
    fputc('\n', t->csv);
    fflush(t->csv);
}

static void cell(bench_table *t, const char *printed, const char *written)
{
    print_cell(t, t->at, printed);
    if (t->csv) fprintf(t->csv, "%s%s%s", t->at ? "," : "", written, t->at + 1 < t->n ? "" : "\n");
    if (t->csv) fflush(t->csv); /* a long run that is stopped keeps its rows */
    t->at = (t->at + 1) % t->n;
}

void bench_text(bench_table *t, const char *text)
{
    cell(t, text, text);
}

void bench_number(bench_table *t, const char *format, double value)
{
    char printed[64] = "", written[64] = "";
    if (!isnan(value)) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(printed, sizeof printed, format, value);
#pragma GCC diagnostic pop
        snprintf(written, sizeof written, "%.10g", value);
    }
    cell(t, printed, written);
}

void bench_remark(bench_table *t, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("%s%s\n", t->output->markdown ? "\n" : "", text);
    fflush(stdout);
    if (t->csv) fprintf(t->csv, "# %s\n", text);
}

void bench_table_end(bench_table *t)
{
    if (t->csv && fclose(t->csv) != 0)
        bench_die(t->output->program, "%s cannot be written", t->output->csv);
    t->csv = NULL;
}

void bench_progress(const char *format, ...)
{
    if (!isatty(STDERR_FILENO)) return;
    va_list arguments;
    va_start(arguments, format);
    fputs("  ... ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}
