/* nccl_library.c - see nccl_library.h. SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libnccl.so.2"

enuf_nccl_functions enuf_nccl;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int loaded;
static char text[320]; /* of the last failure */

/* dlsym gives a pointer to data, which C does not turn into one to a function. */
static int find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    if (!symbol) snprintf(text, sizeof text, "%s lacks the function %s", LIBRARY, name);
    return symbol != NULL;
}

/* By the linker's own search (LD_LIBRARY_PATH, ld.so.conf), then where the build found CUDA. */
static int load(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen(ENUF_CUDA_LIBRARY_DIR "/" LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(text, sizeof text,
                 "%s is neither in LD_LIBRARY_PATH nor among the system's libraries nor in %s "
                 "(package libnccl2, or pip's nvidia-nccl)",
                 LIBRARY, ENUF_CUDA_LIBRARY_DIR);
        return 0;
    }
    int found = find(library, "ncclGetErrorString", &enuf_nccl.GetErrorString);
#define ENUF_X(name, arguments) found = found && find(library, "nccl" #name, &enuf_nccl.name);
    ENUF_NCCL_FUNCTIONS(ENUF_X)
#undef ENUF_X
    if (!found) dlclose(library);
    return found;
}

int enuf_nccl_load(const char **reason)
{
    pthread_mutex_lock(&lock);
    if (!loaded) loaded = load();
    const int result = loaded;
    pthread_mutex_unlock(&lock);
    if (!result) *reason = text;
    return result;
}
