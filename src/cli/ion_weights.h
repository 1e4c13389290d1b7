/*
 * ion_weights.h - the weights of ions in structure factors (--weights).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_ION_WEIGHTS_H
#define ENUF_CLI_ION_WEIGHTS_H

#include "settings.h"
#include "structure.h"

/** Fills weights [n]. *squares: their sum of squares, which is not 0. Errors: ENUF_BAD_ARGUMENT
 * names a species without atomic number, or says that all charges are 0. */
enuf_status cli_ion_weights(const cli_settings *settings, const enuf_structure *structure,
                            double *weights, double *squares);

/** Atomic number of the symbol that a name begins with: 11 of Na, Na+ and Na1, 8 of O and OW. No
 * small letter follows the symbol. 0: none. */
int cli_atomic_number(const char *name);

#endif
