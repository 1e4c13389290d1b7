/*
 * no_unnamed_files.c - preloaded into a program, it refuses O_TMPFILE (files without a name), as
 * NFS and some other file systems do.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_named(const char *path, int flags, int mode)
{
    if ((flags & O_TMPFILE) != O_TMPFILE)
        return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    errno = EOPNOTSUPP;
    return -1;
}

/* A program calls open or open64, depending on its compiler options. */
#define OPEN(name)                                                                                 \
    __attribute__((visibility("default"))) int name(const char *path, int flags, ...)              \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;               \
        va_end(arguments);                                                                         \
        return open_named(path, flags, mode);                                                      \
    }

OPEN(open)
#undef open64
OPEN(open64)
