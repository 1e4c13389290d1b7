/* gnuplot.c - see gnuplot.h. SPDX-License-Identifier: BSD-3-Clause */
#include "gnuplot.h"

#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enuf_status cli_gnuplot_terminal(const char *path, const char **terminal)
{
    static const struct {
        const char *ending, *terminal;
    } formats[] = {{".png", "pngcairo size 900,800 font 'Sans,11'"},
                   {".svg", "svg size 900,800 font 'Sans,11' background 'white'"}};
    const size_t length = strlen(path);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; ++f) {
        const size_t ending = strlen(formats[f].ending);
        if (length > ending && strcmp(path + length - ending, formats[f].ending) == 0) {
            *terminal = formats[f].terminal;
            return ENUF_SUCCESS;
        }
    }
    return enuf_fail(ENUF_BAD_ARGUMENT, "--plot '%.80s': give a name that ends in .png or .svg",
                     path);
}

enuf_status cli_gnuplot_run(FILE *script, FILE *picture)
{
    char *const arguments[] = {"gnuplot", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;

    if (fflush(script) || fflush(picture) || lseek(fileno(script), 0, SEEK_SET) < 0)
        return enuf_fail(ENUF_IO, "the script for gnuplot: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int failed = posix_spawnp(&child, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT) return enuf_fail(ENUF_UNSUPPORTED, "gnuplot is not installed");
    if (failed) return enuf_fail(ENUF_IO, "gnuplot: %s", strerror(failed));
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return enuf_fail(ENUF_IO, "gnuplot: %s", strerror(errno));
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return enuf_fail(ENUF_IO, "gnuplot failed with status %d", status);
    return ENUF_SUCCESS;
}
