/*
 * library.h - a peer's shared library: found at run time, and named in the head of a table.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_LIBRARY_H
#define BENCH_PEERS_LIBRARY_H

#include <stddef.h>

/**
 * Opens the library whose path the environment variable NAME_LIBRARY gives (name in capitals), else
 * lib<name>.so. NULL: there is none.
 */
void *peer_library_open(const char *name);

/**
 * "finufft 2.5.1, wheel, /.../libfinufft.so": version and build, and the file. A wheel is known by
 * the folder it was installed into. Of another library the environment variable NAME_BUILD tells
 * version and build; without it "build not told".
 */
void peer_library_describe(void *library, const char *name, char *text, size_t size);

#endif
