/* completion_bash.c - see completion.h. SPDX-License-Identifier: BSD-3-Clause */
#include "completion_shells.h"
#include "completion_words.h"

#include "crystals.h"
#include "options.h"

/* bash splits words at '=': --split=gauss arrives as three words. */
static const char head[] =
    "# enuf.bash - completion of enuf(1) in bash. Written by `enuf --completion bash`.\n"
    "# SPDX-License-Identifier: BSD-3-Clause\n"
    "\n"
    "_enuf_files()\n"
    "{\n"
    "    local IFS=$'\\n'\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    COMPREPLY+=($(compgen -f -- \"$1\"))\n"
    "}\n"
    "\n"
    "_enuf()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command= options= words= files=\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == = && $COMP_CWORD -gt 2 ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    [[ $COMP_CWORD -gt 1 ]] && command=${COMP_WORDS[1]}\n"
    "    COMPREPLY=()\n"
    "    case $command in\n";

static const char foot[] = "    --completion) [[ $COMP_CWORD -eq 2 ]] && words='bash zsh fish' ;;\n"
                           "    esac\n"
                           "    [[ $cur == -* && $cur != - ]] && words=$options\n"
                           "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                           "    [[ -n $files && $cur != -* ]] && _enuf_files \"$cur\"\n"
                           "    return 0\n"
                           "}\n"
                           "\n"
                           "complete -F _enuf enuf\n";

/* Completes the value of an option that takes a file or one of several words. */
static void write_values(const cli_option *option, FILE *out)
{
    const char *word, *help;
    fprintf(out, "        --%s) ", option->name);
    if (cli_option_word(option, 0, &help)) {
        fprintf(out, "words='");
        for (int k = 0; (word = cli_option_word(option, k, &help)); ++k)
            fprintf(out, "%s%s", k ? " " : "", word);
        fprintf(out, "'%s ;;\n", cli_takes_file(option->argument) ? " files=1" : "");
    } else {
        fprintf(out, "files=1 ;;\n");
    }
}

static int can_be_completed(const cli_option *option)
{
    const char *help;
    return cli_option_word(option, 0, &help) || cli_takes_file(option->argument);
}

/* Offers nothing behind an option that takes a number. */
static void write_unknown_values(const cli_command_entry *command, FILE *out)
{
    const cli_option *option = NULL;
    int n = 0;
    while ((option = cli_options_next(command->bit, option))) {
        if (!option->name || option->kind == CLI_FLAG || can_be_completed(option)) continue;
        fprintf(out, "%s--%s", n++ ? " | " : "        ", option->name);
    }
    if (n) fprintf(out, ") return 0 ;;\n");
}

/* Completes the arguments of a command. */
static void write_arguments(const cli_command_entry *command, FILE *out)
{
    fprintf(out, "        *)");
    if (cli_takes_structure(command)) {
        fprintf(out, " words='");
        for (int c = 0; c < enuf_crystal_count(); ++c)
            fprintf(out, "%s%s", c ? " " : "", enuf_crystal_at(c)->name);
        fprintf(out, "'");
    }
    if (cli_takes_file(command->arguments)) fprintf(out, " files=1");
    if (!*command->arguments) fprintf(out, " words=$options");
    fprintf(out, " ;;\n");
}

static void write_command(const cli_command_entry *command, FILE *out)
{
    const cli_option *option = NULL;
    int n = 0;
    fprintf(out, "    %s)\n        options='", command->name);
    while ((option = cli_options_next(command->bit, option)))
        if (option->name) fprintf(out, "%s--%s", n++ ? " " : "", option->name);
    fprintf(out, "'\n        case $prev in\n");
    while ((option = cli_options_next(command->bit, option)))
        if (option->name && can_be_completed(option)) write_values(option, out);
    write_unknown_values(command, out);
    write_arguments(command, out);
    fprintf(out, "        esac\n        ;;\n");
}

void cli_completion_bash(const cli_command_entry *commands, int n_commands, FILE *out)
{
    fputs(head, out);
    fprintf(out, "    '')\n        words='");
    for (int c = 0; c < n_commands; ++c) fprintf(out, "%s%s", c ? " " : "", commands[c].name);
    fprintf(out, "'\n        options='--completion --help --man --version'\n        ;;\n");
    for (int c = 0; c < n_commands; ++c) write_command(&commands[c], out);
    fputs(foot, out);
}
