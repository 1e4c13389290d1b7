/* wisdom_save.c - writes a file of wisdom in the place of the old one. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* flock */
#endif
#include "replacement.h"
#include "wisdom_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static void write_mesh(FILE *file, const enuf_nufft_method *m)
{
    fprintf(file, "      \"window\": \"%s\",\n      \"width\": %d,\n      \"shape\": %.17g,\n",
            enuf_window_name(m->window), m->width, m->shape);
}

static void write_grid(FILE *file, const enuf_nufft_method *m)
{
    fprintf(file, "      \"fine_grid\": [%lld, %lld, %lld],\n", (long long)m->fine_grid[0],
            (long long)m->fine_grid[1], (long long)m->fine_grid[2]);
}

/* What only entries of Ewald sums have. */
static void write_splitting(FILE *file, const enuf_wisdom_entry *entry)
{
    fprintf(file, "      \"split\": \"%s\",\n      \"parameter\": %.17g,\n", entry->split,
            entry->parameter);
    fprintf(file, "      \"cutoff\": %.17g,\n      \"band\": %.17g,\n", entry->cutoff, entry->band);
}

static void write_entry(FILE *file, const enuf_wisdom_entry *entry)
{
    const enuf_nufft_method *m = &entry->method;
    const int of_sums = entry->split[0] != 0;
    fprintf(file, "    {\n%s      \"machine\": \"%s\",\n      \"problem\": \"%s\",\n",
            of_sums ? "      \"kind\": \"ewald\",\n" : "", entry->machine, entry->problem);
    fprintf(file, "      \"effort\": \"%s\",\n",
            enuf_tune_effort_name((enuf_tune_effort)entry->effort));
    if (of_sums) write_splitting(file, entry);
    write_mesh(file, m);
    if (!of_sums) fprintf(file, "      \"upsampling\": %.17g,\n", m->upsampling);
    write_grid(file, m);
    if (!of_sums)
        fprintf(file,
                "      \"level\": \"%s\",\n      \"spreading\": \"%s\",\n"
                "      \"interpolation\": \"%s\",\n",
                enuf_level_name(m->level), enuf_strategy_name(m->spreading),
                enuf_strategy_name(m->interpolation));
    fprintf(file,
            "      \"error\": %.17g,\n      \"seconds\": %.17g,\n      \"bytes\": %lld\n    }",
            entry->error, entry->seconds, (long long)entry->bytes);
}

static enuf_status write_all(const enuf_wisdom *wisdom, enuf_replacement *file)
{
    enuf_replacement *const files[] = {file};
    ENUF_TRY(enuf_replacement_open(file));
    fprintf(file->stream, "{\n  \"format\": \"" ENUF_WISDOM_FORMAT "\",\n  \"entries\": [\n");
    for (int64_t i = 0; i < wisdom->n; i++) {
        write_entry(file->stream, &wisdom->entry[i]);
        fputs(i + 1 < wisdom->n ? ",\n" : "\n", file->stream);
    }
    fputs("  ]\n}\n", file->stream);
    return enuf_replacement_commit(1, files);
}

/* The folder of a file, locked until it is closed. A lock of the file itself would go with it. */
static enuf_status lock_folder(const char *path, int *folder)
{
    char name[PATH_MAX];
    const char *end = strrchr(path, '/');
    snprintf(name, sizeof name, "%.*s",
             end == path ? 1
             : end       ? (int)(end - path)
                         : 1,
             end ? path : ".");
    *folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0)
        return enuf_fail(ENUF_IO, "cannot write %s: folder %s: %s", path, name, strerror(errno));
    while (flock(*folder, LOCK_EX) != 0)
        if (errno != EINTR) {
            const int reason = errno;
            close(*folder);
            return enuf_fail(ENUF_IO, "cannot lock folder %s: %s", name, strerror(reason));
        }
    return ENUF_SUCCESS;
}

enuf_status enuf_wisdom_save(const enuf_wisdom *wisdom, const char *path)
{
    enuf_replacement file;
    enuf_wisdom *all;
    int folder;
    if (!wisdom || !path)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_wisdom_save: NULL wisdom or path");
    ENUF_TRY(enuf_replacement_name(path, &file));
    ENUF_TRY(lock_folder(file.path, &folder));
    enuf_status status = enuf_wisdom_create(&all);
    if (status == ENUF_SUCCESS) status = enuf_wisdom_read(all, file.path, 1);
    if (status == ENUF_SUCCESS) status = enuf_wisdom_merge(all, wisdom);
    if (status == ENUF_SUCCESS) {
        status = write_all(all, &file);
        if (status != ENUF_SUCCESS) enuf_replacement_discard(&file);
    }
    enuf_wisdom_destroy(&all);
    close(folder);
    return status;
}
