/* cpu_description.c - see cpu_description.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cpu_description.h"

#include <stdio.h>
#include <string.h>

void cli_cpu_name(char *name, size_t size)
{
    char line[256];
    snprintf(name, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value) continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    fclose(file);
}

void cli_cpu_vectors(char *names, size_t size)
{
    size_t used = 0;
    names[0] = 0;
#if defined(__x86_64__) || defined(__i386__)
#define ADD_IF_THERE(feature)                                                                      \
    if (__builtin_cpu_supports(feature) && used < size)                                            \
    used += (size_t)snprintf(names + used, size - used, "%s" feature, used ? " " : "")
    ADD_IF_THERE("sse4.2");
    ADD_IF_THERE("avx");
    ADD_IF_THERE("avx2");
    ADD_IF_THERE("fma");
    ADD_IF_THERE("avx512f");
#elif defined(__aarch64__)
    snprintf(names, size, "neon");
    (void)used;
#else
    (void)used, (void)size;
#endif
}
