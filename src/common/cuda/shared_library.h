/*
 * shared_library.h - functions of an optional shared library, found at run time: a program with GPU
 * support starts where cuFFT or NCCL is not installed. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_SHARED_LIBRARY_H
#define ENUF_CUDA_SHARED_LIBRARY_H

#include "private.h"

#include <pthread.h>

/** A function's name, and the pointer to it that is to be filled. */
typedef struct enuf_shared_function {
    const char *name;
    void *pointer; /* to a pointer to a function */
} enuf_shared_function;

typedef struct enuf_shared_library {
    const char *name, *file; /* "cuFFT", "libcufft.so.12" */
    const char *packages;    /* that have it, for the text of an error */
    pthread_mutex_t lock;    /* PTHREAD_MUTEX_INITIALIZER; then the library's own */
    int loaded;
    char text[384]; /* of the last failure */
} enuf_shared_library;

/** Loads the library, once, and finds functions [n]: by the linker's own search (LD_LIBRARY_PATH,
 * ld.so.conf), then where the build found CUDA. 1, or 0 with a text of what is missing. */
ENUF_PRIVATE int enuf_shared_library_load(enuf_shared_library *library,
                                          const enuf_shared_function *functions, int n,
                                          const char **reason);

#endif
