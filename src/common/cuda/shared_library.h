/*
 * shared_library.h - functions of an optional shared library, loaded at run time. A program with
 * GPU support also starts without cuFFT or NCCL. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_SHARED_LIBRARY_H
#define ENUF_CUDA_SHARED_LIBRARY_H

#include "private.h"

#include <pthread.h>

/** A function's name, and the pointer that receives its address. */
typedef struct enuf_shared_function {
    const char *name;
    void *pointer; /* to a pointer to a function */
} enuf_shared_function;

typedef struct enuf_shared_library {
    const char *name;     /* "cuFFT" */
    const char *files[2]; /* "libcufft.so.12", and what serves as well where it is missing */
    const char *packages; /* packages that contain the library, for error texts */
    pthread_mutex_t lock; /* PTHREAD_MUTEX_INITIALIZER; then the library's own */
    int loaded;
    char text[384]; /* of the last failure */
} enuf_shared_library;

/** Loads the library once and finds functions [n]. The linker's search (LD_LIBRARY_PATH,
 * ld.so.conf) comes first, then the folder in which the build found CUDA. Returns 1, or 0 with a
 * text that names the missing part. */
ENUF_PRIVATE int enuf_shared_library_load(enuf_shared_library *library,
                                          const enuf_shared_function *functions, int n,
                                          const char **reason);

#endif
