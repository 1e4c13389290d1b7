/* mkl_library.c - see mkl_library.h. SPDX-License-Identifier: BSD-3-Clause */
#include "mkl_library.h"
#include "names.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Names with the version come first: without one it is a file of the packages for developers. */
static const char *const files[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1",
                                    "libmkl_rt.so"};

/* mkl_service.h: MKL_THREADING_SEQUENTIAL */
enum { SEQUENTIAL = 1 };

static enuf_mkl mkl;
static int loaded;
static char missing[256]; /* if not loaded */

/* C has no conversion from dlsym's data pointer to a pointer to a function. */
static int find(void *library, const char *prefix, const char *name, void *pointer)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    void *symbol = dlsym(library, whole);
    memcpy(pointer, &symbol, sizeof symbol);
    if (!symbol) snprintf(missing, sizeof missing, "MKL lacks the function %s", whole);
    return symbol != NULL;
}

static int find_functions(void *library, const char *prefix, enuf_fftw_functions *f)
{
#define ENUF_X(type, name, arguments) &&find(library, prefix, #name, &f->name)
    return 1 ENUF_FFTW_FUNCTIONS(ENUF_X);
#undef ENUF_X
}

/* Threads of MKL would compete with ours. The layer is chosen before the first use of MKL. */
static int start(void *library)
{
    int (*set_layer)(int);
    void (*get_version)(char *, int);
    if (!find(library, "", "MKL_Set_Threading_Layer", &set_layer) ||
        !find(library, "", "MKL_Get_Version_String", &get_version))
        return 0;
    set_layer(SEQUENTIAL);
    get_version(mkl.version, sizeof mkl.version - 1);
    for (char *end = mkl.version + strlen(mkl.version); end > mkl.version && end[-1] == ' '; end--)
        end[-1] = 0;
    return 1;
}

static void *open_library(void)
{
    for (int k = 0; k < ENUF_COUNT(files); k++) {
        void *library = dlopen(files[k], RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    snprintf(missing, sizeof missing,
             "MKL is missing: libmkl_rt.so.3, .2 or .1 is neither in LD_LIBRARY_PATH nor among the "
             "system's libraries (pip install mkl)");
    return NULL;
}

static void load(void)
{
    void *library = open_library();
    if (!library) return;
    loaded = find_functions(library, "fftw_", &mkl.of_precision[0]) &&
             find_functions(library, "fftwf_", &mkl.of_precision[1]) && start(library);
    if (!loaded) dlclose(library);
}

const enuf_mkl *enuf_mkl_load(const char **reason)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *reason = missing;
    return loaded ? &mkl : NULL;
}
