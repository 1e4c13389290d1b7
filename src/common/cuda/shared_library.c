/* shared_library.c - see shared_library.h. SPDX-License-Identifier: BSD-3-Clause */
#include "shared_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *open_library(enuf_shared_library *l)
{
    const char * or = l->files[1] ? " or " : "", *other = l->files[1] ? l->files[1] : "";
    for (int k = 0; k < 2 && l->files[k]; k++) {
        char path[1024];
        void *handle = dlopen(l->files[k], RTLD_NOW | RTLD_LOCAL);
        snprintf(path, sizeof path, "%s/%s", ENUF_CUDA_LIBRARY_DIR, l->files[k]);
        if (!handle) handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (handle) return handle;
    }
    snprintf(l->text, sizeof l->text,
             "%s is missing: %s%s%s is neither in LD_LIBRARY_PATH nor among the system's libraries "
             "nor in %s (%s)",
             l->name, l->files[0], or, other, ENUF_CUDA_LIBRARY_DIR, l->packages);
    return NULL;
}

static int load(enuf_shared_library *l, const enuf_shared_function *functions, int n)
{
    void *handle = open_library(l);
    if (!handle) return 0;
    for (int k = 0; k < n; k++) {
        /* C has no conversion from dlsym's data pointer to a function pointer */
        void *symbol = dlsym(handle, functions[k].name);
        memcpy(functions[k].pointer, &symbol, sizeof symbol);
        if (symbol) continue;
        snprintf(l->text, sizeof l->text, "%s lacks the function %s", l->name, functions[k].name);
        dlclose(handle);
        return 0;
    }
    return 1;
}

int enuf_shared_library_load(enuf_shared_library *l, const enuf_shared_function *functions, int n,
                             const char **reason)
{
    pthread_mutex_lock(&l->lock);
    if (!l->loaded) l->loaded = load(l, functions, n);
    const int result = l->loaded;
    pthread_mutex_unlock(&l->lock);
    if (!result) *reason = l->text;
    return result;
}
