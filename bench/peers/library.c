/* library.c - see library.h. SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dlinfo */
#include "library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The environment variable of the peer, e.g. FINUFFT_LIBRARY. */
static const char *setting(const char *name, const char *what)
{
    char variable[64];
    snprintf(variable, sizeof variable, "%s%s", name, what);
    for (char *c = variable; *c; c++) *c = (char)toupper((unsigned char)*c);
    return getenv(variable);
}

void *peer_library_open(const char *name)
{
    char file[64];
    const char *path = setting(name, "_LIBRARY");
    snprintf(file, sizeof file, "lib%s.so", name);
    return dlopen(path ? path : file, RTLD_NOW | RTLD_LOCAL);
}

/* The version of the wheel that installed the file: its folder NAME-VERSION.dist-info is in
 * site-packages or dist-packages. Returns 0 if the file is not from a wheel. */
static int wheel_version(const char *file, const char *name, char *version, size_t size)
{
    static const char packages[] = "-packages/";
    const char *end = strstr(file, packages);
    if (!end) return 0;
    char pattern[4096];
    const int before = (int)(end - file + (ptrdiff_t)sizeof packages - 1);
    const int at = snprintf(pattern, sizeof pattern, "%.*s%s-", before, file, name);
    glob_t found = {0};
    version[0] = '\0';
    if (at + 12 < (int)sizeof pattern) {
        strcat(pattern, "*.dist-info");
        if (glob(pattern, 0, NULL, &found) == 0) {
            const char *text = found.gl_pathv[0] + at;
            snprintf(version, size, "%.*s", (int)(strstr(text, ".dist-info") - text), text);
        }
        globfree(&found);
    }
    return 1;
}

void peer_library_describe(void *library, const char *name, char *text, size_t size)
{
    struct link_map *map = NULL;
    char version[64];
    char *file = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? realpath(map->l_name, NULL) : NULL;
    const char *build = setting(name, "_BUILD");
    if (file && wheel_version(file, name, version, sizeof version))
        snprintf(text, size, "%s %s, wheel, %s", name, version, file);
    else
        snprintf(text, size, "%s %s, %s", name, build ? build : "(build not told)",
                 file ? file : "?");
    free(file);
}
