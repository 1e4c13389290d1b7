/* compiler.h - the compiler of this enuf. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CLI_COMPILER_H
#define ENUF_CLI_COMPILER_H

#ifdef __clang__
#define CLI_COMPILER __VERSION__
#else
#define CLI_COMPILER "GCC " __VERSION__
#endif

#endif
