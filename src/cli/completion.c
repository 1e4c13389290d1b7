/* completion.c - see completion.h. SPDX-License-Identifier: BSD-3-Clause */
#include "completion.h"
#include "completion_shells.h"

#include "error.h"

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
