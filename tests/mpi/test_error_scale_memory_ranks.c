/*
 * test_error_scale_memory_ranks.c - tune() with positions on ranks with little memory. If only a
 * choice without the positions fits memory_limit, tune() makes that choice: its status is always
 * that of tune() without positions. Both outcomes must occur. 3000 random ions with a large cutoff:
 * the mesh is small, but the transforms for the charge structure factor are large.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "shared_system.h"

#include <stdio.h>

enum { IONS = 3000 };

static int rank;

/* Lowers memory_limit until even the choice without positions does not fit. */
static void fits_without_positions(const charge_system *s)
{
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    options.cutoff = 12;
    options.threads = 1;
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    int n_without = 0, n_with = 0;
    enuf_status without = ENUF_SUCCESS;
    for (double limit = 1.4e6; limit > 1e5 && without == ENUF_SUCCESS; limit *= 0.97) {
        options.memory_limit = (int64_t)limit;
        enuf_ewald *ewald = make_shared(&options, s);
        enuf_ewald_report report = {.struct_size = sizeof report};
        enuf_ewald_result result = {.struct_size = sizeof result};
        if (!ewald || !set_shared(ewald, &dealt, NULL)) break;
        without = enuf_ewald_tune(ewald, NULL, 3);
        CHECK_STATUS(enuf_ewald_tune(ewald, dealt.x, 3), without);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        /* with the least memory the points do not fit */
        const int serves =
            without == ENUF_SUCCESS &&
            enuf_ewald_compute(ewald, dealt.x, 3, ENUF_WANT_ENERGY, &result) == ENUF_SUCCESS;
        n_with += serves && report.calibrated;
        n_without += serves && !report.calibrated;
        enuf_ewald_destroy(&ewald);
    }
    if (rank == 0) printf("%d limits serve with positions, %d without\n", n_with, n_without);
    CHECK(n_with > 0 && n_without > 0); /* else nothing was tested */
    free_dealt(&dealt);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    charge_system s = make_ions(21, IONS, CELL_CUBIC, 0);
    fits_without_positions(&s);
    free_system(&s);
    return finish_ranks();
}
