/*
 * allocation_walk.h - calls every function of the interface with too little memory.
 *
 * A step calls one function. It is repeated: in round k its k-th allocation fails, until a round
 * needs fewer allocations. Each failure has to return ENUF_OUT_OF_MEMORY with a text, and the
 * object has to work in the next round. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TESTS_ALLOCATION_WALK_H
#define ENUF_TESTS_ALLOCATION_WALK_H

#include "check.h"

typedef enum walk_kind {
    ALLOCATES,
    NEVER_ALLOCATES,
    MAY_ALLOCATE, /* depends on what this enuf was built with, or on what ran before */
    TAKES_LONG    /* when it succeeds: only its first few allocations fail */
} walk_kind;

typedef struct walk_step {
    const char *function;
    enuf_status (*run)(void); /* NULL: others call it */
    void (*address)(void);    /* the name is one of a function that there is */
    walk_kind kind;
} walk_step;

/* A step is named after its function: step_enuf_nufft_create() calls enuf_nufft_create(). */
#define WALK(function, kind)                                                                       \
    {                                                                                              \
#function, step_##function, (void (*)(void))function, kind                                 \
    }

/* Runs within what is walked here, and never allocates itself. */
#define WALKED_WITHIN(function)                                                                    \
    {                                                                                              \
#function, NULL, (void (*)(void))function, NEVER_ALLOCATES                                 \
    }

/** Number of allocations that failed in a step; -1 if the step did not report one of them. */
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
