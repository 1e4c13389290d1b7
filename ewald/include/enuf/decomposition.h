/*
 * enuf/decomposition.h - how the modes are shared among ranks. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_DECOMPOSITION_H
#define ENUF_DECOMPOSITION_H

/* X(NAME, name, help) */
#define ENUF_DECOMPOSITIONS(X)                                                                     \
    X(AUTO, auto, "the cheaper one")                                                               \
    X(REPLICATED, replicated, "every rank has all modes; structure factors are summed")            \
    X(DISTRIBUTED, distributed, "every rank has a part of the grid")

typedef enum enuf_decomposition {
#define ENUF_X(NAME, name, help) ENUF_DECOMPOSITION_##NAME,
    ENUF_DECOMPOSITIONS(ENUF_X)
#undef ENUF_X
} enuf_decomposition;

#endif
