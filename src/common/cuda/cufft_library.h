/*
 * cufft_library.h - cuFFT's functions, loaded from its shared library at run time. A program with
 * GPU support also starts without cuFFT. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_CUFFT_LIBRARY_H
#define ENUF_CUDA_CUFFT_LIBRARY_H

#include "error.h"
#include "private.h"

#include <cufft.h>

/* X(name): the functions used */
#define ENUF_CUFFT_FUNCTIONS(X)                                                                    \
    X(cufftCreate)                                                                                 \
    X(cufftDestroy)                                                                                \
    X(cufftSetAutoAllocation)                                                                      \
    X(cufftMakePlanMany64)                                                                         \
    X(cufftSetWorkArea)                                                                            \
    X(cufftSetStream)                                                                              \
    X(cufftExecR2C)                                                                                \
    X(cufftExecC2R)                                                                                \
    X(cufftExecC2C)                                                                                \
    X(cufftExecD2Z)                                                                                \
    X(cufftExecZ2D)                                                                                \
    X(cufftExecZ2Z)                                                                                \
    X(cufftGetVersion)

typedef struct enuf_cufft_functions {
#define ENUF_X(name) __typeof__(name) *name;
    ENUF_CUFFT_FUNCTIONS(ENUF_X)
#undef ENUF_X
} enuf_cufft_functions;

/** Valid once enuf_cufft_load() has returned 1. */
ENUF_PRIVATE extern enuf_cufft_functions enuf_cufft;

/** Loads the library once. Returns 0 and sets *reason if it cannot be loaded. */
ENUF_PRIVATE int enuf_cufft_load(const char **reason);

#endif
