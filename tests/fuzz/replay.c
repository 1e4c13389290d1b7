/*
 * replay.c - calls a fuzz target with every file of a folder; works with any compiler. So inputs
 * that once showed a defect are tested in every build. Each file is in a block of exactly its size,
 * so that sanitizers find a read beyond its end.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void replay(const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    FUZZ_REQUIRE(file && fstat(fileno(file), &status) == 0);
    const size_t size = (size_t)status.st_size;
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    FUZZ_REQUIRE(bytes && fread(bytes, 1, size, file) == size);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
}

int main(int n_words, char **words)
{
    int files = 0;
    DIR *folder = opendir(n_words == 2 ? words[1] : "");
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER\n", words[0]);
        return 1;
    }
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", words[1], entry->d_name);
        replay(path);
        ++files;
    }
    closedir(folder);
    printf("%d files, %lld readings accepted; files should be accepted and refused\n", files,
           (long long)fuzz_accepted);
    return !(fuzz_accepted > 0 && files > fuzz_accepted / 2);
}
