/*
 * alpha_sweep.h - a crystal's constant as a function of the Gaussian splitting parameter.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_ALPHA_SWEEP_H
#define ENUF_CLI_ALPHA_SWEEP_H

#include "evaluation.h"
#include "lattice_constant.h"

#include <stdio.h>

typedef struct cli_alpha_row {
    double alpha;
    double constant;
    double real;       /* contribution of the pairs to the constant */
    double reciprocal; /* contribution of modes, self and background */
    double deviation;  /* of the constant from the reference, relative; NaN: no reference */
    double predicted;  /* accuracy */
    double cutoff, kmax;
} cli_alpha_row;

typedef struct cli_alpha_sweep {
    int64_t n;
    double requested;    /* accuracy */
    cli_alpha_row *rows; /* owned; release with cli_sweep_free() */
} cli_alpha_sweep;

/** Computes the rows; `constant` is that of the structure. */
enuf_status cli_sweep(const cli_settings *settings, const enuf_structure *structure,
                      const cli_lattice_constant *constant, cli_alpha_sweep *sweep);

void cli_sweep_free(cli_alpha_sweep *sweep);

/** Writes comma-separated values with a line of names. An unknown deviation is empty. */
void cli_sweep_write(const cli_alpha_sweep *sweep, FILE *stream);

#endif
