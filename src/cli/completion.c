/* completion.c - see completion.h. SPDX-License-Identifier: BSD-3-Clause */
#include "completion.h"

#include "error.h"
#include "read.h"

#include <string.h>

static const struct {
    const char *name;
    void (*write)(const cli_command_entry *commands, int n_commands, FILE *out);
} shells[] = {
    {"bash", cli_completion_bash}, {"zsh", cli_completion_zsh}, {"fish", cli_completion_fish}};

enuf_status cli_completion(const char *shell, const cli_command_entry *commands, int n_commands,
                           FILE *out)
{
    for (size_t s = 0; s < sizeof shells / sizeof *shells; ++s) {
        if (strcmp(shell, shells[s].name) != 0) continue;
        shells[s].write(commands, n_commands, out);
        return ENUF_SUCCESS;
    }
    return enuf_fail(ENUF_BAD_ARGUMENT, "--completion '%.40s': choose one of bash, zsh, fish",
                     shell);
}

const char *cli_option_word(const cli_option *option, int index, const char **help)
{
    *help = "";
    if (option->choices) {
        *help = option->choices[index].help;
        return option->choices[index].name;
    }
    if (option->argument && strcmp(option->argument, "FORMAT") == 0) return enuf_format_name(index);
    return NULL;
}

int cli_takes_file(const char *argument)
{
    return argument && strstr(argument, "FILE") != NULL;
}

int cli_takes_structure(const cli_command_entry *command)
{
    return strstr(command->arguments, "STRUCTURE") != NULL;
}

int cli_help_length(const cli_option *option)
{
    return (int)strcspn(option->help, "\n");
}
