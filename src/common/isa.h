/*
 * isa.h - tables of kernels, one for each instruction set of the build.
 *
 * cmake/EnufKernels.cmake compiles the sources of a table once for each set. Outside of the
 * sources of one set only its table is visible. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ISA_H
#define ENUF_ISA_H

#include "enuf/status.h"
#include "kernel_sets.h" /* made by CMake: ENUF_KERNEL_SETS(X, ...), X(NAME, suffix, ...), ascending */

#include <stddef.h>

/** In the sources of a table: its name in the set that they are compiled for. */
#define ENUF_OF_SET(table)         ENUF_OF_SET_(table, ENUF_KERNEL_SET)
#define ENUF_OF_SET_(table, set)   ENUF_PASTE_SET(table, set)
#define ENUF_PASTE_SET(table, set) table##_##set

/** Declares the table of each set. */
#define ENUF_DECLARE_TABLES(type, table)           ENUF_KERNEL_SETS(ENUF_DECLARE_TABLE, type, table)
#define ENUF_DECLARE_TABLE(NAME, set, type, table) extern const type table##_##set;

/** Defines table_of(isa): the table of a set of this build. */
#define ENUF_DEFINE_TABLE_OF(type, table)                                                          \
    static const type *table##_of(enuf_isa isa)                                                    \
    {                                                                                              \
        switch (isa) {                                                                             \
            ENUF_KERNEL_SETS(ENUF_TABLE_CASE, table)                                               \
        default:                                                                                   \
            return NULL;                                                                           \
        }                                                                                          \
    }
#define ENUF_TABLE_CASE(NAME, set, table)                                                          \
    case ENUF_ISA_##NAME:                                                                          \
        return &table##_##set;

#endif
