/*
 * library.h - opens the shared library of a peer at run time, and describes it for the head of a
 * table.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_LIBRARY_H
#define BENCH_PEERS_LIBRARY_H

#include <stddef.h>

/**
 * Opens the library whose path the environment variable NAME_LIBRARY gives (name in capitals), else
 * lib<name>.so. NULL if there is none.
 */
void *peer_library_open(const char *name);

/**
 * Version and build, and the file: "finufft 2.5.1, wheel, /.../libfinufft.so". A wheel is
 * recognised by its folder. For any other library the environment variable NAME_BUILD gives version
 * and build; without it the text says "build not told".
 */
void peer_library_describe(void *library, const char *name, char *text, size_t size);

#endif
