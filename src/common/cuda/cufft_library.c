/* cufft_library.c - see cufft_library.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cufft_library.h"
#include "shared_library.h"

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)

enuf_cufft_functions enuf_cufft;

static enuf_shared_library library = {.name = "cuFFT",
                                      .file = "libcufft.so." STRING(CUFFT_VER_MAJOR),
                                      .packages = "CUDA's package libcufft, or pip's nvidia-cufft",
                                      .lock = PTHREAD_MUTEX_INITIALIZER};

static const enuf_shared_function functions[] = {
#define ENUF_X(name) {#name, &enuf_cufft.name},
    ENUF_CUFFT_FUNCTIONS(ENUF_X)
#undef ENUF_X
};

int enuf_cufft_load(const char **reason)
{
    return enuf_shared_library_load(&library, functions,
                                    (int)(sizeof functions / sizeof *functions), reason);
}
