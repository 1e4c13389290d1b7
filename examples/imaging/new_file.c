/* new_file.c - see new_file.h. SPDX-License-Identifier: BSD-3-Clause */
#include "new_file.h"
#include "fail.h"

#include <errno.h>
#include <string.h>

void join_path(char *path, const char *folder, const char *name)
{
    if (snprintf(path, MOST_PATH, "%s/%s", folder, name) >= MOST_PATH)
        fail("%.60s...: a path has at most %d characters", folder, MOST_PATH - 1);
}

/* Names the cause, after the file that was begun is gone. */
static void give_up(new_file *file)
{
    const int cause = errno;
    if (file->stream) fclose(file->stream);
    remove(file->part);
    fail("%s could not be written: %s", file->path, strerror(cause));
}

void new_file_begin(new_file *file, const char *path)
{
    if (snprintf(file->path, sizeof file->path, "%s", path) >= MOST_PATH)
        fail("%.60s...: a path has at most %d characters", path, MOST_PATH - 1);
    snprintf(file->part, sizeof file->part, "%s.part", file->path);
    file->stream = fopen(file->part, "wb");
    if (!file->stream) fail("%s could not be written: %s", file->path, strerror(errno));
}

void new_file_write(new_file *file, const void *bytes, size_t count)
{
    if (fwrite(bytes, 1, count, file->stream) != count) give_up(file);
}

void new_file_end(new_file *file)
{
    FILE *stream = file->stream;
    file->stream = NULL;
    if (fclose(stream) != 0 || rename(file->part, file->path) != 0) give_up(file);
}
