/*
 * private.h - functions of libenuf that libenuf_mpi calls and programs do not.
 *
 * libenuf hides what no public header declares. A declaration that begins with ENUF_PRIVATE is
 * exported all the same, under a version of its own (cmake/EnufExports.cmake): libenuf_mpi loads
 * with the libenuf of its own build only.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PRIVATE_H
#define ENUF_PRIVATE_H

#if defined(_WIN32)
#define ENUF_PRIVATE
#else
#define ENUF_PRIVATE __attribute__((visibility("default")))
#endif

#endif
