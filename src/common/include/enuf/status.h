/*
 * enuf/status.h - the status that functions return, and its text.
 *
 * ENUF_SUCCESS is 0. Any other status is positive. The object is then as it was before the call,
 * and enuf_last_error() returns a text: the argument, its value, and what would be right. Each
 * thread has its own text. The library never prints, aborts, exits or throws.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_STATUS_H
#define ENUF_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define ENUF_API
#else
#define ENUF_API __attribute__((visibility("default")))
#endif

/* X(NAME, value, text) */
#define ENUF_STATUSES(X)                                                                           \
    X(SUCCESS, 0, "success")                                                                       \
    X(BAD_ARGUMENT, 1, "an argument is out of its range")                                          \
    X(NOT_FINITE, 2, "an input value is NaN or infinite")                                          \
    X(OUT_OF_MEMORY, 3, "not enough memory")                                                       \
    X(NO_POINTS_SET, 4, "points (or cell, charges) have to be set first")                          \
    X(UNREACHABLE_ACCURACY, 5, "the accuracy asked for cannot be reached")                         \
    X(UNSUPPORTED, 6, "this backend does not do that")                                             \
    X(NO_BACKEND, 7, "the backend asked for is not built in or finds no device")                   \
    X(BAD_MEMORY, 8, "a pointer lives elsewhere than the options say")                             \
    X(OVERFLOWED, 9, "a sum left the range of its fixed-point numbers")                            \
    X(OUTSIDE_BRICK, 10, "a point lies outside the brick and its halo")                            \
    X(IO, 11, "a file could not be read or written")                                               \
    X(BAD_FILE, 12, "a file holds something other than what its format asks for")                  \
    X(INTERNAL, 13, "a library below failed")

typedef enum enuf_status {
#define ENUF_X(name, value, text) ENUF_##name = value,
    ENUF_STATUSES(ENUF_X)
#undef ENUF_X
} enuf_status;

/** Text of a status, e.g. "not enough memory". Of an unknown value "unknown status", never NULL. */
ENUF_API const char *enuf_status_text(enuf_status status);

/** Text of the last error on this thread; "" before the first. Valid until the next error. */
ENUF_API const char *enuf_last_error(void);

/** Version of the library as "1.2.3". */
ENUF_API const char *enuf_version(void);

typedef enum enuf_precision { ENUF_DOUBLE = 0, ENUF_FLOAT = 1 } enuf_precision;

typedef enum enuf_memory { ENUF_HOST = 0, ENUF_DEVICE = 1 } enuf_memory;

/* X(NAME, name, help) */
#define ENUF_BACKENDS(X)                                                                           \
    X(AUTO, auto, "the CPU; a GPU only if named")                                                  \
    X(CPU, cpu, "this machine's cores")                                                            \
    X(CUDA, cuda, "cuFFT and CUDA kernels on an NVIDIA GPU")

typedef enum enuf_backend {
#define ENUF_X(NAME, name, help) ENUF_BACKEND_##NAME,
    ENUF_BACKENDS(ENUF_X)
#undef ENUF_X
} enuf_backend;

/**
 * Whether this machine and this build can use a backend.
 *
 * reason   on return a static or thread-local text: the device's name if usable, else what is
 *          missing and how to get it. May be NULL.
 * Returns  1 usable, 0 not.
 */
ENUF_API int enuf_backend_usable(enuf_backend backend, const char **reason);

/** Name of a backend ("cpu"), or NULL. */
ENUF_API const char *enuf_backend_name(enuf_backend backend);

/** Backend of a name; ENUF_BAD_ARGUMENT lists the names. */
ENUF_API enuf_status enuf_backend_parse(const char *name, enuf_backend *backend);

/* Instruction sets that the kernels for CPUs may be compiled for: X(NAME, "name", help) */
#define ENUF_ISAS(X)                                                                               \
    X(AUTO, "auto", "the one that ENUF_ISA names, else the best of this processor")                \
    X(X86_64, "x86-64", "SSE2: every 64-bit x86 processor")                                        \
    X(X86_64_V3, "x86-64-v3", "AVX2 and fused multiply-add")                                       \
    X(X86_64_V4, "x86-64-v4", "AVX-512")                                                           \
    X(AARCH64, "aarch64", "NEON: every 64-bit ARM processor")                                      \
    X(NATIVE, "native", "the one of a build with ENUF_ARCH")

typedef enum enuf_isa {
#define ENUF_X(NAME, name, help) ENUF_ISA_##NAME,
    ENUF_ISAS(ENUF_X)
#undef ENUF_X
} enuf_isa;

/**
 * The instruction set that kernels use if `wanted` is asked for.
 *
 * Errors: ENUF_BAD_ARGUMENT if ENUF_ISA names none; ENUF_NO_BACKEND if this library has no kernels
 * for the set, or this processor does not run it.
 */
ENUF_API enuf_status enuf_isa_find(enuf_isa wanted, enuf_isa *found);

/** Name of an instruction set ("x86-64-v3"), or NULL. */
ENUF_API const char *enuf_isa_name(enuf_isa isa);

/** Instruction set of a name; ENUF_BAD_ARGUMENT lists the names. */
ENUF_API enuf_status enuf_isa_parse(const char *name, enuf_isa *isa);

/* Libraries that the cpu backend may take its FFTs from: X(NAME, name, help) */
#define ENUF_FFTS(X)                                                                               \
    X(AUTO, auto, "the one that ENUF_FFT names, else FFTW if it is built in, else DUCC0")          \
    X(FFTW, fftw, "FFTW; a binary with it falls under the GPL")                                    \
    X(DUCC0, ducc0, "the FFT of DUCC0; BSD")                                                       \
    X(MKL, mkl, "Intel's oneMKL, loaded at run time")

typedef enum enuf_fft {
#define ENUF_X(NAME, name, help) ENUF_FFT_##NAME,
    ENUF_FFTS(ENUF_X)
#undef ENUF_X
} enuf_fft;

/**
 * The library that computes FFTs if `wanted` is asked for. Bits of results differ between them.
 *
 * Errors: ENUF_BAD_ARGUMENT if ENUF_FFT names none; ENUF_NO_BACKEND if the library is not there.
 * The texts name those that are.
 */
ENUF_API enuf_status enuf_fft_find(enuf_fft wanted, enuf_fft *found);

/** Whether a library of FFTs is there, as enuf_backend_usable(): `detail` is its version, or what
 * is missing and how to get it. AUTO is none. */
ENUF_API int enuf_fft_usable(enuf_fft fft, const char **detail);

/** Name of a library of FFTs ("fftw"), or NULL. */
ENUF_API const char *enuf_fft_name(enuf_fft fft);

/** Library of FFTs of a name; ENUF_BAD_ARGUMENT lists the names. */
ENUF_API enuf_status enuf_fft_parse(const char *name, enuf_fft *fft);

#ifdef __cplusplus
}
#endif
#endif
