/* completion_words.c - see completion_words.h. SPDX-License-Identifier: BSD-3-Clause */
#include "completion_words.h"

#include "read.h"

#include <string.h>

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
