/* messages.c - see messages.h. SPDX-License-Identifier: BSD-3-Clause */
#include "messages.h"

#include "rank.h"
#include "safe_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cli_warn(const cli_settings *settings, const char *format, ...)
{
    if (settings->quiet || cli_rank() > 0) return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: warning: ", settings->name);
    cli_put_safe(text, stderr);
    fputc('\n', stderr);
}

const char *cli_without_functions(const char *text)
{
    for (;;) {
        const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (strncmp(text, "enuf_", 5) != 0 || strncmp(text + length, ": ", 2) != 0) return text;
        text += length + 2;
    }
}

cli_exit cli_fail(const char *name, enuf_status status)
{
    const cli_exit code = status == ENUF_INTERNAL ? CLI_INTERNAL : CLI_MENDABLE;
    const char *text = cli_without_functions(enuf_last_error());
    if (cli_rank() > 0) return code; /* only rank 0 prints */
    fprintf(stderr, "%s: ", name);
    if (!*text) text = enuf_status_text(status);
    cli_put_safe(text, stderr);
    fputc('\n', stderr);
    return code;
}

cli_exit cli_flush_stdout(const char *name)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return CLI_SUCCESS;
    fprintf(stderr, "%s: standard output: %s\n", name, strerror(errno));
    return CLI_MENDABLE;
}
