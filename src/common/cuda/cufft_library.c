/* cufft_library.c - see cufft_library.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cufft_library.h"
#include "shared_library.h"

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)

enuf_cufft_functions enuf_cufft;

/* CUDA 12 has libcufft.so.11, CUDA 13 libcufft.so.12: the functions used are the same. */
#if CUFFT_VER_MAJOR == 11
#define OTHER "libcufft.so.12"
#else
#define OTHER "libcufft.so.11"
#endif

static enuf_shared_library library = {.name = "cuFFT",
                                      .files = {"libcufft.so." STRING(CUFFT_VER_MAJOR), OTHER},
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
