/*
 * problem.h - input of a direct sum over a lattice of modes: the checked options, the mode numbers
 * of each axis, the fractional coordinates, arrays of either precision. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_DIRECT_PROBLEM_H
#define ENUF_DIRECT_PROBLEM_H

#include "enuf/direct.h"
#include "direct/cpu/kernels.h"

typedef struct enuf_direct_problem {
    int dim;
    int real;     /* real strengths: half of the modes are stored */
    int in_float; /* strengths, modes and values are float arrays */
    int sign;     /* of the exponent of this transform */
    int batch;
    int threads;
    enuf_isa isa;    /* of this library and this processor */
    int64_t n[3];    /* modes stored along each axis; 1 past dim */
    int64_t modes;   /* n[0] n[1] n[2] */
    int64_t full[3]; /* modes along each axis as in the options; 1 for axes from dim on */
    enuf_mode_order order;
    double T[9]; /* s = T (x - origin), or x / period */
    double origin[3];
    double period;
    int framed;
    const char *caller; /* begins the error texts */
} enuf_direct_problem;

/** Checks the options that a direct sum reads, and the points' arguments. type: 1 or 2. */
enuf_status enuf_direct_read(const char *caller, const enuf_nufft_options *options, int type,
                             const double T[9], const double origin[3],
                             const enuf_direct_points *points, enuf_direct_problem *problem);

/** 1 where a flat index is an unpaired mode -n/2 of real strengths, which takes no part. */
int enuf_direct_unpaired(const enuf_direct_problem *problem, int64_t mode);

/** The lattice of the modes, and the points' fractional coordinates, folded exactly into [-1/2,
 * 1/2]. It holds memory of its own until enuf_direct_free_lattice(), after an error too.
 * ENUF_NOT_FINITE names the first bad point. */
typedef struct enuf_mode_lattice {
    enuf_lattice lattice;
    double *numbers; /* of the modes along each axis */
    double *s;       /* [n][dim] */
} enuf_mode_lattice;

enuf_status enuf_direct_make_lattice(const enuf_direct_problem *problem,
                                     const enuf_direct_points *points, enuf_mode_lattice *made);
void enuf_direct_free_lattice(enuf_mode_lattice *made);

/**
 * Reads n entries from entry `begin` on, complex (interleaved) or real, as complex doubles.
 * ENUF_NOT_FINITE names the first entry that is not finite.
 */
enuf_status enuf_direct_load(const enuf_direct_problem *problem, const char *what,
                             const void *array, int is_complex, int64_t begin, int64_t n,
                             double *loaded);

/** Writes number `at` of an array of the problem's precision. */
void enuf_direct_store(const enuf_direct_problem *problem, void *array, int64_t at, double value);

#endif
