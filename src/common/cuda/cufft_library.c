/* cufft_library.c - see cufft_library.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cufft_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)
#define LIBRARY      "libcufft.so." STRING(CUFFT_VER_MAJOR)

enuf_cufft_functions enuf_cufft;

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

/* By the linker's own search (LD_LIBRARY_PATH, ld.so.conf), then where the build found it. */
static int load(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen(ENUF_CUDA_LIBRARY_DIR "/" LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(text, sizeof text,
                 "cuFFT is missing: %s is neither in LD_LIBRARY_PATH nor among the system's "
                 "libraries nor in %s (CUDA's package libcufft, or pip's nvidia-cufft)",
                 LIBRARY, ENUF_CUDA_LIBRARY_DIR);
        return 0;
    }
#define ENUF_X(name)                                                                               \
    if (!find(library, #name, &enuf_cufft.name)) {                                                 \
        dlclose(library);                                                                          \
        return 0;                                                                                  \
    }
    ENUF_CUFFT_FUNCTIONS(ENUF_X)
#undef ENUF_X
    return 1;
}

int enuf_cufft_load(const char **reason)
{
    pthread_mutex_lock(&lock);
    if (!loaded) loaded = load();
    int result = loaded;
    pthread_mutex_unlock(&lock);
    if (!result) *reason = text;
    return result;
}
