/* factor_request.h - ions whose structure factors are wanted. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_FACTOR_REQUEST_H
#define ENUF_CLI_FACTOR_REQUEST_H

#include "structure.h"

#include "enuf/nufft.h"

typedef struct cli_factor_request {
    const enuf_structure *structure;
    const double *weights; /* [n] */
    double squares;        /* their sum of squares */
    int cartesian;         /* 1: vectors are along x, y, z, in 1/length, else in those of the
                              reciprocal lattice */
    int threads;
    enuf_backend backend;
} cli_factor_request;

#endif
