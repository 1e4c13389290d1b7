/*
 * test_madelung_ranks.c - the Madelung constant of fluorite, E per formula unit = -A / d, on
 * several ranks with replicated modes and with a distributed grid: to 2e-12, 20 times the accuracy.
 * Forces vanish to 1e-13 F_ref. The trace of the virial is the energy to 6e-12. Source of the
 * constant: docs/theory.md, "Reference values".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "shared_system.h"

#include <math.h>
#include <stdio.h>

enum { CELLS = 3, UNITS = 4 * CELLS * CELLS * CELLS, IONS = 3 * UNITS };

static const double constant = 5.038784879848567245, d = 0.43301270189221932338;

/* Fluorite with the cubic cell's edge 1. */
static void fill(double *x, double *q)
{
    static const double corner[4][3] = {{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}};
    int64_t n = 0;
    for (int cell = 0; cell < CELLS * CELLS * CELLS; cell++) {
        const int at[3] = {cell % CELLS, cell / CELLS % CELLS, cell / CELLS / CELLS};
        for (int ion = 0; ion < 12; ion++, n++) {
            q[n] = ion < 4 ? 2 : -1;
            for (int e = 0; e < 3; e++) {
                const double quarter = ((ion - 4) >> e & 1) ? .75 : .25;
                x[3 * n + e] = at[e] + (ion < 4 ? corner[ion][e] : quarter);
            }
        }
    }
}

int main(int argc, char **argv)
{
    static double x[3 * IONS], q[IONS];
    const double accuracy = 1e-13;
    int rank;
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fill(x, q);
    charge_system s = {.n = IONS, .x = x, .q = q, .cell = {CELLS, 0, 0, 0, CELLS, 0, 0, 0, CELLS}};
    for (int how = ENUF_DECOMPOSITION_REPLICATED; how <= ENUF_DECOMPOSITION_DISTRIBUTED; how++) {
        enuf_ewald_options options = shared_options(accuracy, ENUF_SPLIT_AUTO);
        options.decomposition = (enuf_decomposition)how;
        dealt_system dealt = deal_out(&s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
        enuf_ewald *ewald = make_shared(&options, &s);
        enuf_ewald_result r = make_result(dealt.n);
        if (ewald && set_shared(ewald, &dealt, NULL) &&
            CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &r), ENUF_SUCCESS)) {
            const double found = -r.energy / UNITS * d;
            double square = 0;
            for (int64_t k = 0; k < 3 * dealt.n; k++) square += r.forces[k] * r.forces[k];
            MPI_Allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            if (rank == 0) printf("fluorite: %.15f\n", found);
            CHECK_CLOSE(found, constant, 20 * accuracy, "Madelung constant, 20 A");
            CHECK_BELOW(sqrt(square / IONS) / reference_force(&s), accuracy,
                        "RMS force / F_ref, A");
            CHECK_CLOSE(r.virial[0] + r.virial[1] + r.virial[2], r.energy, 60 * accuracy,
                        "trace of the virial, 3 x 20 A");
        }
        enuf_ewald_destroy(&ewald);
        free_result(&r);
        free_dealt(&dealt);
    }
    return finish_ranks();
}
