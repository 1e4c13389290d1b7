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

/* Starts gnuplot with its output in a pipe. gnuplot does not report a full disk; copy() does. */
static enuf_status start(FILE *script, pid_t *child, FILE **picture)
{
    char *const arguments[] = {"gnuplot", NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (pipe(ends) != 0) return enuf_fail(ENUF_IO, "a pipe from gnuplot: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int failed = posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *picture = failed ? NULL : fdopen(ends[0], "r");
    if (!*picture) close(ends[0]);
    if (failed == ENOENT) return enuf_fail(ENUF_UNSUPPORTED, "gnuplot is not installed");
    if (failed) return enuf_fail(ENUF_IO, "gnuplot: %s", strerror(failed));
    return ENUF_SUCCESS;
}

/* Returns the number of bytes. The caller checks the stream for errors of writing. */
static int64_t copy(FILE *from, FILE *to)
{
    char bytes[4096];
    int64_t count = 0;
    for (size_t n; from && (n = fread(bytes, 1, sizeof bytes, from)) > 0; count += (int64_t)n)
        fwrite(bytes, 1, n, to);
    return count;
}

enuf_status cli_gnuplot_run(FILE *script, FILE *picture)
{
    FILE *drawn;
    pid_t child;
    int status = 0;
    if (fflush(script) || lseek(fileno(script), 0, SEEK_SET) < 0)
        return enuf_fail(ENUF_IO, "cannot write the temporary script for gnuplot: %s",
                         strerror(errno));
    ENUF_TRY(start(script, &child, &drawn));
    const int64_t bytes = copy(drawn, picture);
    if (drawn) fclose(drawn);
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return enuf_fail(ENUF_IO, "gnuplot: %s", strerror(errno));
    }
    if (WIFSIGNALED(status))
        return enuf_fail(ENUF_IO, "gnuplot was ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status) != 0 || bytes == 0)
        return enuf_fail(ENUF_IO, "gnuplot drew nothing (exit status %d)", WEXITSTATUS(status));
    return ENUF_SUCCESS;
}
