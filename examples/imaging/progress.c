/* progress.c - see progress.h. SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

static const char *name = "";

void progress_name(const char *what)
{
    name = what;
}

void progress_step(int done, int all)
{
    if (!isatty(STDERR_FILENO)) return;
    if (done < all)
        fprintf(stderr, "\r%s %d/%d\033[K", name, done, all);
    else
        fputs("\r\033[K", stderr);
    fflush(stderr);
}
