/* replacement.c - see replacement.h. SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE, renameat2 */
#endif
#include "replacement.h"

#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40, MOST_PARTS = 100, ROOM_FOR_PART = 40 };

/* How to undo a replacement. */
enum { NOT_AT_ALL, REMOVE, EXCHANGE, RENAME };

static enuf_status fail(const char *name, int reason)
{
    return enuf_fail(ENUF_IO, "cannot write %.300s: %s", *name ? name : "''", strerror(reason));
}

/* The folder of a path that contains a slash; "/" for "/x". */
static void folder_of(const char *path, char folder[PATH_MAX])
{
    const size_t length = (size_t)(strrchr(path, '/') - path);
    memcpy(folder, path, length);
    memcpy(folder + length, length ? "" : "/", length ? 1 : 2);
}

/* Resolves links and dots in the folder of a path and appends the last name. Returns 0 or an errno
 * value. */
static int canonical(const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    const char *last = slash ? slash + 1 : path;
    if (slash) folder_of(path, folder);
    if (!*last || strcmp(last, ".") == 0 || strcmp(last, "..") == 0) return EISDIR;
    if (!realpath(folder, out)) return errno;
    const size_t length = strcmp(out, "/") == 0 ? 0 : strlen(out);
    if (length + strlen(last) + ROOM_FOR_PART >= PATH_MAX) return ENAMETOOLONG;
    out[length] = '/';
    memcpy(out + length + 1, last, strlen(last) + 1);
    return 0;
}

/* Follows links. The target of the last link need not exist. */
static int follow(const char *name, char path[PATH_MAX])
{
    char at[PATH_MAX], target[PATH_MAX], folder[PATH_MAX];
    if (strlen(name) >= PATH_MAX) return ENAMETOOLONG;
    memcpy(at, name, strlen(name) + 1);
    for (int links = 0; links < MOST_LINKS; ++links) {
        const int reason = canonical(at, path);
        if (reason) return reason;
        const ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0) return errno == EINVAL || errno == ENOENT ? 0 : errno;
        target[length] = 0;
        folder_of(path, folder);
        const int size = target[0] == '/' ? snprintf(at, sizeof at, "%s", target)
                                          : snprintf(at, sizeof at, "%s/%s", folder, target);
        if (size >= (int)sizeof at) return ENAMETOOLONG;
    }
    return ELOOP;
}

static int is_stdout(const char *name)
{
    return strcmp(name, "-") == 0 || strcmp(name, "/dev/stdout") == 0;
}

/*
 * Devices and pipes cannot be replaced by renaming. The file behind /dev/fd/3 must not be replaced:
 * the shell has the old file open.
 */
static int is_written_directly(const char *name)
{
    struct stat there;
    return is_stdout(name) || strcmp(name, "/dev/stderr") == 0 ||
           strncmp(name, "/dev/fd/", 8) == 0 || strncmp(name, "/proc/", 6) == 0 ||
           (stat(name, &there) == 0 && !S_ISREG(there.st_mode));
}

/* Checks that the old file may be written and replaced. Returns 0 or an errno value. */
static int refusal(const char *path)
{
    struct stat file, folder;
    char parent[PATH_MAX];
    if (stat(path, &file) != 0) return 0;
    if (access(path, W_OK) != 0) return errno;
    folder_of(path, parent);
    if (stat(parent, &folder) != 0) return errno;
    const uid_t me = geteuid();
    const int mine = me == 0 || me == file.st_uid || me == folder.st_uid;
    return (folder.st_mode & S_ISVTX) && !mine ? EPERM : 0;
}

enuf_status enuf_replacement_name(const char *name, enuf_replacement *file)
{
    struct stat there;
    file->stream = NULL;
    file->name = name;
    file->path[0] = file->part[0] = 0;
    file->named = 0;
    file->undo = NOT_AT_ALL;
    if (is_written_directly(name)) return ENUF_SUCCESS;
    int reason = *name ? follow(name, file->path) : ENOENT;
    if (!reason) reason = refusal(file->path);
    if (reason) return fail(name, reason);
    /* a process of the same number on another machine may use the same name */
    for (int k = 0; k < MOST_PARTS; ++k) {
        const int length = (int)strlen(file->path); /* with ROOM_FOR_PART behind it */
        snprintf(file->part, sizeof file->part, "%.*s.%ld.%d.part", length, file->path,
                 (long)getpid(), k);
        if (lstat(file->part, &there) != 0) return ENUF_SUCCESS;
    }
    return enuf_fail(ENUF_IO, "cannot write %.300s: too many files like %.300s", name, file->part);
}

/* If the group cannot be kept, the new group gets the permissions of others only. */
static void take_permissions(int new, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    if (fchown(new, old->st_uid, old->st_gid) != 0 && fchown(new, (uid_t)-1, old->st_gid) != 0)
        mode &= 0707 | (mode & 0007) << 3;
    fchmod(new, mode);
}

#ifdef O_TMPFILE
/* Gives an unnamed file its name, through /proc. Returns 0 or an errno value. */
static int give_name(int unnamed, const char *name)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", unnamed);
    return linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

/* Opens a file without a name; -1 on failure. First a second unnamed file is given a name as a
 * test. That file is not used: a file cannot get a name again after unlink(). */
static int create_unnamed(const enuf_replacement *file, mode_t mode)
{
    char folder[PATH_MAX];
    folder_of(file->path, folder);
    const int tried = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (tried < 0) return -1;
    const int reason = give_name(tried, file->part);
    if (!reason) unlink(file->part);
    close(tried);
    return reason ? -1 : open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}
#endif

static int create(enuf_replacement *file, mode_t mode)
{
    int created = -1;
#ifdef O_TMPFILE
    created = create_unnamed(file, mode);
#endif
    if (created >= 0) return created;
    created = open(file->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    file->named = created >= 0;
    return created;
}

enuf_status enuf_replacement_open(enuf_replacement *file)
{
    if (!file->part[0]) {
        file->stream = is_stdout(file->name) ? stdout : fopen(file->name, "we");
        return file->stream ? ENUF_SUCCESS : fail(file->name, errno);
    }
    struct stat old;
    const int is_old = stat(file->path, &old) == 0;
    const int created = create(file, is_old ? 0600 : 0666);
    if (created < 0) return fail(file->name, errno);
    if (is_old) take_permissions(created, &old);
    file->stream = fdopen(created, "w");
    if (file->stream) return ENUF_SUCCESS;
    const int reason = errno;
    close(created);
    enuf_replacement_discard(file);
    return fail(file->name, reason);
}

/* Finds the errno value of an earlier failed write by writing one more byte. The file is discarded
 * afterwards, so the byte does no harm. */
static int reason_of_failure(enuf_replacement *file)
{
    clearerr(file->stream);
    errno = 0;
    if (file->part[0] && (fputc('\n', file->stream) == EOF || fflush(file->stream) != 0))
        return errno;
    return EIO;
}

/* Flushes the stream, and writes a plain file to the disk. Returns 0 or an errno value. */
static int flush_whole(enuf_replacement *file)
{
    if (ferror(file->stream)) return reason_of_failure(file);
    if (fflush(file->stream) != 0) return errno;
    if (!file->part[0] || fsync(fileno(file->stream)) == 0) return 0;
    return errno == EINVAL || errno == ENOTSUP ? 0 : errno; /* file systems without fsync */
}

static int name_part(enuf_replacement *file)
{
    int reason = 0;
    if (!file->part[0] || file->named) return 0;
#ifdef O_TMPFILE
    reason = give_name(fileno(file->stream), file->part);
#endif
    file->named = !reason;
    return reason;
}

static int close_stream(enuf_replacement *file)
{
    FILE *stream = file->stream;
    file->stream = NULL;
    return stream && stream != stdout && fclose(stream) != 0 ? errno : 0;
}

/* Second name of the old file, used while the replacement can be undone. */
static void backup_of(const enuf_replacement *file, char backup[PATH_MAX])
{
    const int length = (int)strlen(file->part); /* `part` leaves room for ".old" */
    snprintf(backup, PATH_MAX, "%.*s.old", length, file->part);
}

/*
 * Moves the new file into place. If may_be_undone, the old file is kept: an exchange leaves it as
 * `part`. Some file systems (NFS, parallel ones) have no exchange; there the old file gets a second
 * name first.
 */
static int put(enuf_replacement *file, int may_be_undone)
{
    char backup[PATH_MAX];
    struct stat old;
    if (!file->part[0]) return 0;
    const int is_new = lstat(file->path, &old) != 0;
    if (!is_new && S_ISDIR(old.st_mode)) return EISDIR; /* an exchange would move the directory */
    backup_of(file, backup);
#ifdef RENAME_EXCHANGE
    if (may_be_undone && !is_new &&
        renameat2(AT_FDCWD, file->part, AT_FDCWD, file->path, RENAME_EXCHANGE) == 0) {
        file->undo = EXCHANGE;
        return 0;
    }
#endif
    const int is_kept = may_be_undone && !is_new && link(file->path, backup) == 0;
    if (rename(file->part, file->path) != 0) {
        const int reason = errno;
        if (is_kept) unlink(backup);
        return reason;
    }
    file->named = 0;
    file->undo = is_new ? REMOVE : is_kept ? RENAME : NOT_AT_ALL;
    return 0;
}

static void take_back(enuf_replacement *file)
{
    char backup[PATH_MAX];
    backup_of(file, backup);
    if (file->undo == REMOVE) unlink(file->path);
    if (file->undo == RENAME) rename(backup, file->path);
#ifdef RENAME_EXCHANGE
    if (file->undo == EXCHANGE)
        renameat2(AT_FDCWD, file->part, AT_FDCWD, file->path, RENAME_EXCHANGE);
#endif
}

/* Removes the kept old file: the replacement is final. */
static void drop_backup(const enuf_replacement *file)
{
    char backup[PATH_MAX];
    backup_of(file, backup);
    if (file->undo == RENAME) unlink(backup);
}

static void sync_folder(const enuf_replacement *file)
{
    char folder[PATH_MAX];
    if (!file->part[0]) return;
    folder_of(file->path, folder);
    const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    fsync(opened);
    close(opened);
}

static int put_all(int n, enuf_replacement *const files[], int *failed)
{
    for (int k = 0; k < n; ++k) {
        const int reason = put(files[k], k + 1 < n);
        if (!reason) continue;
        *failed = k;
        while (--k >= 0) take_back(files[k]);
        return reason;
    }
    return 0;
}

enuf_status enuf_replacement_commit(int n, enuf_replacement *const files[])
{
    int reason = 0, failed = 0;
    for (int k = 0; k < n; ++k) {
        int bad = flush_whole(files[k]);
        if (!bad && !reason) bad = name_part(files[k]);
        const int not_closed = close_stream(files[k]);
        if (!bad) bad = not_closed;
        if (bad && !reason) {
            reason = bad;
            failed = k;
        }
    }
    if (!reason) reason = put_all(n, files, &failed);
    const enuf_status status = reason ? fail(files[failed]->name, reason) : ENUF_SUCCESS;
    for (int k = 0; k < n; ++k) {
        enuf_replacement_discard(files[k]);
        if (!reason) drop_backup(files[k]);
        if (!reason) sync_folder(files[k]);
    }
    return status;
}

void enuf_replacement_discard(enuf_replacement *file)
{
    close_stream(file);
    if (file->named) unlink(file->part);
    file->named = 0;
}
