/* completion_zsh.c - see completion.h. SPDX-License-Identifier: BSD-3-Clause */
#include "completion_shells.h"
#include "completion_words.h"

#include "crystals.h"
#include "options.h"

#include <string.h>

static const char head[] =
    "#compdef enuf\n"
    "# _enuf - completion of enuf(1) in zsh. Written by `enuf --completion zsh`.\n"
    "# SPDX-License-Identifier: BSD-3-Clause\n"
    "\n"
    "local curcontext=$curcontext state line\n"
    "local -a commands\n";

/* Writes a text inside single quotes. [ ] and : are escaped, because they end a part of the
 * specification. */
static void write_quoted(const char *text, int length, FILE *out)
{
    for (int i = 0; i < length; ++i) {
        if (text[i] == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, strchr("[]:\\", text[i]) ? "\\%c" : "%c", text[i]);
    }
}

/* Writes the values: ((name\:"description" ...)), or (name ...) without descriptions. */
static void write_words(const cli_option *option, FILE *out)
{
    const char *word, *help;
    cli_option_word(option, 0, &help);
    const int described = *help != 0;
    fprintf(out, described ? "((" : "(");
    for (int k = 0; (word = cli_option_word(option, k, &help)); ++k) {
        fprintf(out, "%s%s", k ? " " : "", word);
        if (!described) continue;
        fprintf(out, "\\:\"");
        write_quoted(help, (int)strlen(help), out);
        fputc('"', out);
    }
    fprintf(out, described ? "))" : ")");
}

/* Words beside files have no descriptions. */
static void write_words_or_files(const cli_option *option, FILE *out)
{
    const char *word, *help;
    fprintf(out, "_alternative \"words:word:(");
    for (int k = 0; (word = cli_option_word(option, k, &help)); ++k)
        fprintf(out, "%s%s", k ? " " : "", word);
    fprintf(out, ")\" \"files:file:_files\"");
}

/* --charge may stand several times. */
static void write_option(const cli_option *option, FILE *out)
{
    fprintf(out, " \\\n      '%s--%s%s[", option->kind == CLI_CHARGE ? "*" : "", option->name,
            option->kind == CLI_FLAG ? "" : "=");
    write_quoted(option->help, cli_help_length(option), out);
    fputc(']', out);
    if (option->kind != CLI_FLAG) {
        fputc(':', out);
        write_quoted(option->argument, (int)strlen(option->argument), out);
        fputc(':', out);
        const char *help;
        const int words = cli_option_word(option, 0, &help) != NULL;
        const int files = cli_takes_file(option->argument);
        if (words && files)
            write_words_or_files(option, out);
        else if (words)
            write_words(option, out);
        else if (files)
            fprintf(out, "_files");
    }
    fputc('\'', out);
}

static void write_command(const cli_command_entry *command, FILE *out)
{
    fprintf(out, "  %s)\n    _arguments", command->name);
    const cli_option *option = NULL;
    while ((option = cli_options_next(command->bit, option)))
        if (option->name) write_option(option, out);
    if (cli_takes_structure(command)) {
        fprintf(out, " \\\n      '1:%s:_alternative \"structures:structure:(", command->arguments);
        for (int c = 0; c < enuf_crystal_count(); ++c)
            fprintf(out, "%s%s", c ? " " : "", enuf_crystal_at(c)->name);
        fprintf(out, ")\" \"files:file:_files\"'");
    } else if (cli_takes_file(command->arguments)) {
        /* "FILE ...": any number of them */
        const int many = strstr(command->arguments, " ...") != NULL;
        fprintf(out, " \\\n      '%s:FILE:_files'", many ? "*" : "1");
    }
    fprintf(out, "\n    ;;\n");
}

void cli_completion_zsh(const cli_command_entry *commands, int n_commands, FILE *out)
{
    fputs(head, out);
    fprintf(out, "commands=(");
    for (int c = 0; c < n_commands; ++c) {
        fprintf(out, "\n  '%s:", commands[c].name);
        write_quoted(commands[c].what, (int)strlen(commands[c].what), out);
        fputc('\'', out);
    }
    fprintf(out, "\n)\n"
                 "_arguments -C \\\n"
                 "  '(- *)--help[commands]' \\\n"
                 "  '(- *)--version[version]' \\\n"
                 "  '(- *)--man[the manual page, as roff]' \\\n"
                 "  '(- *)--completion[what a shell reads]:shell:(bash zsh fish)' \\\n"
                 "  '1:command:->command' \\\n"
                 "  '*::argument:->argument'\n"
                 "case $state in\n"
                 "command) _describe command commands ;;\n"
                 "argument)\n  case $words[1] in\n");
    for (int c = 0; c < n_commands; ++c) write_command(&commands[c], out);
    fprintf(out, "  esac\n  ;;\nesac\n");
}
