/* process.c - see process.h. SPDX-License-Identifier: BSD-3-Clause */
#include "process.h"

#include "arguments.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

double bench_apart(const char *program, bench_work work, const void *input, void *output,
                   size_t size)
{
    int ends[2], status;
    if (pipe(ends) != 0) bench_die(program, "there is no pipe to another process");
    fflush(NULL); /* else a child that ends would write buffered output a second time */
    const pid_t child = fork();
    if (child < 0) bench_die(program, "no other process could be started");
    if (child == 0) {
        work(input, output);
        _exit(write(ends[1], output, size) == (ssize_t)size ? 0 : 1);
    }
    struct rusage usage;
    close(ends[1]);
    const ssize_t got =
        read(ends[0], output, size); /* comes in one piece: it is less than a pipe holds */
    close(ends[0]);
    if (wait4(child, &status, 0, &usage) != child || status != 0 || got != (ssize_t)size)
        bench_die(program, "the process of a row failed");
    return 1024.0 * (double)usage.ru_maxrss;
}
