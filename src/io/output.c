/* output.c - see output.h. SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include "error.h"
#include "interrupted.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct enuf_output {
    FILE *stream;
    char path[PATH_MAX]; /* as resolved: a link stays a link */
    char part[PATH_MAX]; /* the file written to; "": path itself */
    int slot;            /* of the part among the files that a signal removes */
};

static enuf_status fail(const char *path, int reason)
{
    return enuf_fail(ENUF_IO, "cannot write %.300s: %s", path, strerror(reason));
}

/*
 * Devices and pipes cannot be replaced by renaming. Nor should whatever /dev/stdout is sent to: the
 * shell still holds the old file.
 */
static int is_written_directly(const char *path)
{
    struct stat status;
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

static enuf_status open_directly(const char *path, enuf_output *output)
{
    snprintf(output->path, sizeof output->path, "%s", path);
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        output->stream = stdout;
    else
        output->stream = fopen(path, "w");
    return output->stream ? ENUF_SUCCESS : fail(path, errno);
}

static enuf_status open_part(const char *path, enuf_output *output)
{
    char *resolved = realpath(path, NULL); /* NULL: the file is new */
    int length = snprintf(output->path, sizeof output->path, "%s", resolved ? resolved : path);
    int is_old = resolved != NULL;
    free(resolved);
    if (is_old && access(output->path, W_OK) != 0) return fail(path, errno);
    int part_length = snprintf(output->part, sizeof output->part, "%.*s.%ld.part", PATH_MAX - 32,
                               output->path, (long)getpid());
    if (length >= PATH_MAX - 32 || part_length >= PATH_MAX) return fail(path, ENAMETOOLONG);
    output->slot = enuf_interrupted_add(output->part);
    int file = open(output->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) output->stream = fdopen(file, "w");
    if (output->stream) return ENUF_SUCCESS;
    int reason = errno;
    enuf_interrupted_forget(output->slot);
    if (file < 0 && reason == EEXIST)
        return enuf_fail(ENUF_IO, "cannot write %.300s: %.300s is being written already", path,
                         output->part);
    if (file >= 0) {
        close(file);
        unlink(output->part);
    }
    return fail(path, reason);
}

enuf_status enuf_output_open(const char *path, enuf_output **output)
{
    *output = NULL;
    enuf_output *opened;
    if (path[0] == 0) return fail("''", ENOENT);
    if (strlen(path) >= PATH_MAX - 32) return fail(path, ENAMETOOLONG);
    ENUF_TRY(enuf_allocate(&opened, 1, sizeof *opened, "an output file"));
    memset(opened, 0, sizeof *opened);
    opened->slot = -1;
    enuf_status status = strcmp(path, "-") == 0 || is_written_directly(path)
                             ? open_directly(path, opened)
                             : open_part(path, opened);
    if (status == ENUF_SUCCESS)
        *output = opened;
    else
        enuf_release(&opened);
    return status;
}

FILE *enuf_output_stream(enuf_output *output)
{
    return output->stream;
}

/* Everything out of the process; 0 or the reason why not. */
static int finish_stream(FILE *stream)
{
    errno = 0;
    int bad = ferror(stream);
    bad |= fflush(stream) != 0;
    int reason = errno;
    if (stream != stdout && fclose(stream) != 0 && !bad) {
        bad = 1;
        reason = errno;
    }
    if (!bad) return 0;
    return reason ? reason : EIO;
}

enuf_status enuf_output_commit(enuf_output **output)
{
    enuf_output *done = *output;
    int reason = finish_stream(done->stream);
    if (reason == 0 && done->part[0] && rename(done->part, done->path) != 0) reason = errno;
    if (reason != 0 && done->part[0]) unlink(done->part);
    enuf_interrupted_forget(done->slot);
    enuf_status status = reason == 0 ? ENUF_SUCCESS : fail(done->path, reason);
    enuf_release(output);
    return status;
}

void enuf_output_discard(enuf_output **output)
{
    if (!*output) return;
    finish_stream((*output)->stream);
    if ((*output)->part[0]) unlink((*output)->part);
    enuf_interrupted_forget((*output)->slot);
    enuf_release(output);
}
