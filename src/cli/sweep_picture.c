/* sweep_picture.c - see sweep_picture.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sweep_picture.h"

#include "gnuplot.h"
#include "memory.h"
#include "messages.h"
#include "safe_text.h"

#include <errno.h>
#include <string.h>

static enuf_status open_numbers(const char *picture, enuf_output **numbers)
{
    char *path;
    const size_t stem = strlen(picture) - strlen(".png");
    ENUF_TRY(enuf_allocate(&path, (int64_t)stem + 5, 1, "a file name"));
    memcpy(path, picture, stem);
    memcpy(path + stem, ".csv", 5);
    const enuf_status status = enuf_output_open(path, numbers);
    enuf_release(&path);
    return status;
}

enuf_status cli_picture_open(const cli_settings *settings, cli_sweep_picture *files)
{
    *files = (cli_sweep_picture){0};
    if (!settings->plot) return ENUF_SUCCESS;
    ENUF_TRY(cli_gnuplot_terminal(settings->plot, &files->terminal));
    ENUF_TRY(enuf_output_open(settings->plot, &files->picture));
    return open_numbers(settings->plot, &files->numbers);
}

/* In gnuplot's single quotes a quote is doubled; the rest is taken as it is (noenhanced). */
static void write_quoted(const char *text, FILE *script)
{
    char shown[CLI_SHOWN_NAME];
    fputc('\'', script);
    for (cli_safe_text(text, shown, sizeof shown), text = shown; *text; ++text) {
        if (*text == '\'') fputc('\'', script);
        fputc(*text, script);
    }
    fputc('\'', script);
}

static void write_title(const cli_settings *settings, const cli_alpha_sweep *sweep,
                        const cli_lattice_constant *constant, const char *length, FILE *script)
{
    char title[CLI_SHOWN_NAME];
    snprintf(title, sizeof title,
             "%.3000s: Madelung constant %s, cutoff %.4g %s, modes |k| ≤ 2π %.4g/V^(1/3)",
             constant->crystal ? constant->crystal->name : settings->input, constant->symbol,
             sweep->rows[0].cutoff, length, sweep->rows[0].kmax);
    fputs("set title ", script);
    write_quoted(title, script);
    fputs(" noenhanced\n", script);
}

/* Two plots: the constant and its two parts above, the deviation from the reference below. */
static void write_script(const cli_settings *settings, const cli_alpha_sweep *sweep,
                         const cli_lattice_constant *constant, const char *units,
                         const char *terminal, FILE *script)
{
    const char *length = strcmp(units, "Angstrom") == 0 ? "Å" : units;
    fprintf(script, "set terminal %s\nset datafile separator ','\n$sweep << END\n", terminal);
    cli_sweep_write(sweep, script);
    fprintf(script,
            "END\nset multiplot layout 2,1\nset xlabel 'splitting parameter α (1/%s)'\nset grid\n"
            "set key autotitle columnhead right center\nset ylabel 'Madelung constant %s'\n",
            length, constant->symbol);
    write_title(settings, sweep, constant, length, script);
    fprintf(script,
            "plot $sweep using 1:2 with linespoints pt 7 ps 0.6 title 'constant', "
            "'' using 1:3 with lines title 'real', "
            "'' using 1:4 with lines title 'reciprocal and self', "
            "%.17g with lines dt 2 title '%s'\n",
            constant->reference, constant->converged ? "converged" : "reference");
    fputs("unset title\nset logscale y\nset format y '10^{%T}'\nset ylabel '|relative deviation|'\n"
          "plot $sweep using 1:(abs($5) > 1e-17 ? abs($5) : 1e-17) with linespoints "
          "pt 7 ps 0.6 notitle\nunset multiplot\n",
          script);
}

static enuf_status draw(const cli_settings *settings, const cli_alpha_sweep *sweep,
                        const cli_lattice_constant *constant, const char *length,
                        const cli_sweep_picture *files)
{
    FILE *script = tmpfile();
    if (!script) return enuf_fail(ENUF_IO, "a temporary file: %s", strerror(errno));
    write_script(settings, sweep, constant, length, files->terminal, script);
    const enuf_status status = cli_gnuplot_run(script, enuf_output_stream(files->picture));
    fclose(script);
    return status;
}

enuf_status cli_picture_draw(const cli_settings *settings, const cli_alpha_sweep *sweep,
                             const cli_lattice_constant *constant, const char *length,
                             cli_sweep_picture *files)
{
    if (!files->picture) return ENUF_SUCCESS;
    cli_sweep_write(sweep, enuf_output_stream(files->numbers));
    const enuf_status drawn = draw(settings, sweep, constant, length, files);
    if (drawn == ENUF_UNSUPPORTED) {
        cli_warn(settings, "%s: only the numbers are written, not %s", enuf_last_error(),
                 settings->plot);
        enuf_output_discard(&files->picture);
        return enuf_output_commit(&files->numbers);
    }
    ENUF_TRY(drawn);
    enuf_output **const both[] = {&files->picture, &files->numbers};
    return enuf_output_commit_all(2, both);
}

void cli_picture_discard(cli_sweep_picture *files)
{
    enuf_output_discard(&files->picture);
    enuf_output_discard(&files->numbers);
}
