/* pair_bend.c - see pair_bend.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_bend.h"

#include <string.h>

/* The slope of a polynomial errs by up to some hundred times the polynomial, of degree n - 1 in
 * pieces of 1/8: 16 (n - 1)^2 at the ends, much less elsewhere. */
static const double FINER = 1e-3;

/* dt/ds inside a piece. */
static const double PER_SQUARE = 2 * ENUF_PAIR_PIECES;

enuf_status enuf_pair_bend_make(const enuf_splitting *splitting, const enuf_pair_table *table,
                                enuf_pair_bend *bend)
{
    const double parameter =
        splitting->kind == ENUF_SPLIT_GAUSSIAN ? splitting->alpha : splitting->c;
    if (bend->n > 0 && bend->kind == splitting->kind && bend->parameter == parameter &&
        bend->cutoff == splitting->cutoff && bend->error == table->error)
        return ENUF_SUCCESS;
    enuf_pair_table fine;
    ENUF_TRY(enuf_pair_table_make(splitting, FINER * table->error, &fine));
    memset(bend, 0, sizeof *bend);
    bend->kind = splitting->kind;
    bend->parameter = parameter;
    bend->cutoff = splitting->cutoff;
    bend->error = table->error;
    bend->n = fine.n_force - 1;
    for (int k = 1; k < fine.n_force; k++)
        for (int piece = 0; piece < ENUF_PAIR_PIECES; piece++)
            bend->at[k - 1][piece] = -2 * PER_SQUARE * k * fine.force[k][piece];
    return ENUF_SUCCESS;
}
