/* picture.c - see picture.h. SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"

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

enuf_status cli_picture_open(const cli_settings *settings, cli_picture *files)
{
    *files = (cli_picture){0};
    if (!settings->plot) return ENUF_SUCCESS;
    ENUF_TRY(cli_gnuplot_terminal(settings->plot, &files->terminal));
    ENUF_TRY(enuf_output_open(settings->plot, &files->picture));
    return open_numbers(settings->plot, &files->numbers);
}

static enuf_status draw(const cli_drawing *drawing, const cli_picture *files)
{
    FILE *script = tmpfile();
    if (!script) return enuf_fail(ENUF_IO, "a temporary file: %s", strerror(errno));
    fprintf(script, "set terminal %s\nset datafile separator ','\n$numbers << END\n",
            files->terminal);
    drawing->write_numbers(drawing->context, script);
    fputs("END\n", script);
    drawing->write_script(drawing->context, script);
    const enuf_status status = cli_gnuplot_run(script, enuf_output_stream(files->picture));
    fclose(script);
    return status;
}

enuf_status cli_picture_draw(const cli_settings *settings, const cli_drawing *drawing,
                             cli_picture *files)
{
    if (!files->picture) return ENUF_SUCCESS;
    drawing->write_numbers(drawing->context, enuf_output_stream(files->numbers));
    const enuf_status drawn = draw(drawing, files);
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

void cli_picture_discard(cli_picture *files)
{
    enuf_output_discard(&files->picture);
    enuf_output_discard(&files->numbers);
}

/* In gnuplot's single quotes a quote is doubled; the rest is taken as it is (noenhanced). */
void cli_picture_title(const char *text, FILE *script)
{
    char shown[CLI_SHOWN_NAME];
    fputs("set title '", script);
    for (cli_safe_text(text, shown, sizeof shown), text = shown; *text; ++text) {
        if (*text == '\'') fputc('\'', script);
        fputc(*text, script);
    }
    fputs("' noenhanced\n", script);
}

const char *cli_picture_length(const char *unit)
{
    return strcmp(unit, "Angstrom") == 0 ? "Å" : unit;
}
