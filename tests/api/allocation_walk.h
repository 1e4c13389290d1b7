/*
 * allocation_walk.h - calls functions of the interface while their allocations fail, one at a time.
 *
 * A step calls one function. It is repeated: in round k its k-th allocation fails. The last round
 * is the first one that makes fewer than k allocations. In every other round the function has to
 * return ENUF_OUT_OF_MEMORY with a text, and the object has to work in the next round.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TESTS_ALLOCATION_WALK_H
#define ENUF_TESTS_ALLOCATION_WALK_H

#include "check.h"

typedef enum walk_kind {
    ALLOCATES,
    NEVER_ALLOCATES,
    MAY_ALLOCATE, /* depends on the options of this build, or on earlier steps */
    TAKES_LONG    /* a successful call takes long, so only its first few allocations fail */
} walk_kind;

typedef struct walk_step {
    const char *function;
    enuf_status (*run)(void); /* NULL: other steps call it */
    void (*address)(void);    /* of the function: it does not link if there is none of this name */
    walk_kind kind;
} walk_step;

/* A step is named after its function: step_enuf_nufft_create() calls enuf_nufft_create(). */
#define WALK(function, kind)                                                                       \
    {                                                                                              \
#function, step_##function, (void (*)(void))function, kind                                 \
    }

/* Is called by functions that have steps, and never allocates itself: no step of its own. */
#define WALKED_WITHIN(function)                                                                    \
    {                                                                                              \
#function, NULL, (void (*)(void))function, NEVER_ALLOCATES                                 \
    }

/** Number of allocations that failed in a step; -1 if the step did not report one of these
 * failures.
 */
int walk_allocations(const walk_step *step);

/**
 * Walks the steps in their order. `counts` [n_steps] adds up the failures: a step may allocate in
 * one configuration and not in another.
 */
void walk_all(const walk_step *steps, int n_steps, int *counts);

/** Checks that the allocating functions allocated, and that the others never did. Prints the
 * counts. */
void walk_check(const walk_step *steps, int n_steps, const int *counts);

/** With the argument --list prints the names, one a line, and returns 1: the program then ends. */
int walk_list(int argc, char **argv, const walk_step *steps, int n_steps);

#endif
