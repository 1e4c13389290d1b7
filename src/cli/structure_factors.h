/*
 * structure_factors.h - S(q) = sum w exp(i q.r) over the ions of a structure, and s(q) = |S|^2 /
 * sum w^2, which is 1 for uncorrelated ions. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_STRUCTURE_FACTORS_H
#define ENUF_CLI_STRUCTURE_FACTORS_H

#include "factor_request.h"
#include "progress.h"
#include "q_vectors.h"

/** At one wave vector. */
typedef struct cli_q_factor {
    double q; /* its length */
    double re, im, s;
} cli_q_factor;

/** Mean over a shell. */
typedef struct cli_q_shell {
    double q, s;   /* means over the vectors of the shell */
    int64_t count; /* vectors, q and -q both counted */
} cli_q_shell;

/** factors [vectors->n]: direct sums, or one transform where that is faster for many vectors of
 * the reciprocal lattice. */
enuf_status cli_factors_at(const cli_factor_request *request, const cli_q_vectors *vectors,
                           cli_q_factor *factors);

/**
 * Shells of equal width that end at sphere->largest: [sphere->shells]. A shell has the vectors of
 * the reciprocal lattice, 0 < |q|, or none. All come from one transform.
 */
enuf_status cli_factors_of_lattice(const cli_factor_request *request, const cli_sphere *sphere,
                                   cli_q_shell *shells);

/**
 * Shells of |q| = sphere->largest i/shells, i = 1 ... shells, over all directions: by a Gauss rule
 * that is exact to rounding while |q| times the extent of the ions is below 80; above that a
 * sample of 8192 directions.
 */
enuf_status cli_factors_of_directions(const cli_factor_request *request, const cli_sphere *sphere,
                                      cli_progress *progress, cli_q_shell *shells);

#endif
