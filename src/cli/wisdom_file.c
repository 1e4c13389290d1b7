/* wisdom_file.c - see wisdom_file.h. SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom_file.h"

#include "error.h"
#include "safe_text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Refuses a folder in which no file can be made. */
static enuf_status check_folder(const char *path)
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    if (access(folder, W_OK | X_OK) == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_IO, "--wisdom: cannot write %.300s: folder %.300s: %s", path, folder,
                     strerror(errno));
}

enuf_status cli_wisdom_open(const cli_settings *settings, enuf_wisdom **wisdom)
{
    const char *path = settings->wisdom;
    *wisdom = NULL;
    if (!path) return ENUF_SUCCESS;
    ENUF_TRY(enuf_wisdom_create(wisdom));
    if (access(path, F_OK) == 0) return enuf_wisdom_load(*wisdom, path, NULL);
    return check_folder(path);
}

enuf_status cli_wisdom_read(const cli_settings *settings, enuf_wisdom **wisdom)
{
    *wisdom = NULL;
    if (!settings->wisdom) return ENUF_SUCCESS;
    ENUF_TRY(enuf_wisdom_create(wisdom));
    return enuf_wisdom_load(*wisdom, settings->wisdom, NULL);
}

enuf_status cli_wisdom_explain(const cli_settings *settings, enuf_status status)
{
    char text[700], input[CLI_SHOWN_NAME], path[CLI_SHOWN_NAME];
    if (status != ENUF_UNSUPPORTED || !strstr(enuf_last_error(), "wisdom has no entry"))
        return status;
    snprintf(text, sizeof text, "%s", enuf_last_error());
    return enuf_fail(status,
                     "%s: `enuf tune %s --measure%s --wisdom %s`, with the same options, makes one",
                     text, cli_safe_text(settings->input, input, sizeof input),
                     settings->ewald.deterministic ? " --uncorrelated" : "",
                     cli_safe_text(settings->wisdom, path, sizeof path));
}

enuf_status cli_wisdom_keep(const cli_settings *settings, const enuf_wisdom *wisdom,
                            int was_measured)
{
    if (!wisdom || !was_measured) return ENUF_SUCCESS;
    return enuf_wisdom_save(wisdom, settings->wisdom);
}
