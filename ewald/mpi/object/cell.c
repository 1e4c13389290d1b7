/*
 * cell.c - the cell of rank 0 becomes the cell of all ranks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "calls.h"
#include "rank_state.h"

#include <string.h>

enuf_status enuf_ranks_cell_of_first(enuf_ranks *ranks, const double cell[9], double shared[9])
{
    const int none = ranks->rank == 0 && !cell;
    memset(shared, 0, 9 * sizeof *shared);
    if (cell) memcpy(shared, cell, 9 * sizeof *shared);
    ENUF_TRY(enuf_ranks_agree(
        ranks, none ? enuf_fail(ENUF_BAD_ARGUMENT, "cell is NULL: it has to hold rows a, b, c")
                    : ENUF_SUCCESS));
    enuf_ranks_from_first(ranks, 9 * (int64_t)sizeof *shared, shared);
    return ENUF_SUCCESS;
}

enuf_status enuf_ranks_set_cell(enuf_ewald *ewald, const double cell[9])
{
    enuf_rank_state *m = ewald->on_ranks;
    double shared[9];
    ENUF_TRY(enuf_ranks_cell_of_first(&m->ranks, cell, shared));
    return enuf_ranks_agree(&m->ranks, enuf_calls_alone.set_cell(ewald, shared));
}
