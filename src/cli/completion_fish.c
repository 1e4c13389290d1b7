/* completion_fish.c - see completion.h. SPDX-License-Identifier: BSD-3-Clause */
#include "completion_shells.h"
#include "completion_words.h"

#include "crystals.h"
#include "options.h"

#include <string.h>

static const char head[] =
    "# enuf.fish - completion of enuf(1) in fish. Written by `enuf --completion fish`.\n"
    "# SPDX-License-Identifier: BSD-3-Clause\n"
    "\n"
    "complete -c enuf -f\n"
    "complete -c enuf -n __fish_use_subcommand -l help -d 'commands'\n"
    "complete -c enuf -n __fish_use_subcommand -l version -d 'version'\n"
    "complete -c enuf -n __fish_use_subcommand -l man -d 'the manual page, as roff'\n"
    "complete -c enuf -n __fish_use_subcommand -l completion -x -a 'bash zsh fish' "
    "-d 'what a shell reads'\n";

static void write_quoted(const char *text, int length, FILE *out)
{
    fputc('\'', out);
    for (int i = 0; i < length; ++i) fprintf(out, strchr("'\\", text[i]) ? "\\%c" : "%c", text[i]);
    fputc('\'', out);
}

static void write_option(const char *command, const cli_option *option, FILE *out)
{
    fprintf(out, "complete -c enuf -n '__fish_seen_subcommand_from %s' -l %s", command,
            option->name);
    if (option->kind != CLI_FLAG) fprintf(out, cli_takes_file(option->argument) ? " -r -F" : " -x");
    const char *word, *help;
    if (cli_option_word(option, 0, &help)) {
        fprintf(out, " -a \"");
        for (int k = 0; (word = cli_option_word(option, k, &help)); ++k) {
            fprintf(out, "%s%s", k ? " " : "", word);
            if (!*help) continue;
            fprintf(out, "\\t");
            write_quoted(help, (int)strlen(help), out);
        }
        fputc('"', out);
    }
    fprintf(out, " -d ");
    write_quoted(option->help, cli_help_length(option), out);
    fputc('\n', out);
}

static void write_command(const cli_command_entry *command, FILE *out)
{
    const cli_option *option = NULL;
    fputc('\n', out);
    while ((option = cli_options_next(command->bit, option)))
        if (option->name) write_option(command->name, option, out);
    if (cli_takes_file(command->arguments))
        fprintf(out, "complete -c enuf -n '__fish_seen_subcommand_from %s' -F\n", command->name);
    if (!cli_takes_structure(command)) return;
    fprintf(out, "complete -c enuf -n '__fish_seen_subcommand_from %s' -a '", command->name);
    for (int c = 0; c < enuf_crystal_count(); ++c)
        fprintf(out, "%s%s", c ? " " : "", enuf_crystal_at(c)->name);
    fprintf(out, "'\n");
}

void cli_completion_fish(const cli_command_entry *commands, int n_commands, FILE *out)
{
    fputs(head, out);
    for (int c = 0; c < n_commands; ++c) {
        fprintf(out, "complete -c enuf -n __fish_use_subcommand -a %s -d ", commands[c].name);
        write_quoted(commands[c].what, (int)strlen(commands[c].what), out);
        fputc('\n', out);
    }
    for (int c = 0; c < n_commands; ++c) write_command(&commands[c], out);
}
