/*
 * test_grid_given.c - a given grid is kept even if it is too small for the requested accuracy. The
 * report then predicts a larger error, within a factor of 2 of the measured one (exact sums). A
 * cell that grows until the grid is too small does not end a simulation. 400 random ions in cubic
 * and triclinic cells, grids of 4 to 12 cells, both splittings. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

static double measured_error(enuf_ewald *ewald, const enuf_ewald_options *options,
                             const charge_system *s)
{
    enuf_ewald_result exact = evaluate_exactly(options, s, NULL), result = make_result(s->n);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    const double error = rms_difference(s->n, result.forces, exact.forces) / reference_force(s);
    free_result(&exact);
    free_result(&result);
    return error;
}

static void check_report(enuf_ewald *ewald, const enuf_ewald_options *o, double error)
{
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    printf("%s, cutoff %g, grid %lld %lld %lld: modes %lld %lld %lld, kmax %.2f, requested "
           "%.0e, predicted %.2e, measured %.2e\n",
           enuf_split_name(o->split), report.cutoff, (long long)report.grid[0],
           (long long)report.grid[1], (long long)report.grid[2], (long long)report.modes[0],
           (long long)report.modes[1], (long long)report.modes[2], report.kmax, report.requested,
           report.predicted, error);
    for (int d = 0; d < 3; d++) {
        CHECK(report.grid[d] == o->grid[d]);
        CHECK(report.modes[d] < report.grid[d]);
    }
    /* if the cutoff is chosen too, the request may be met */
    CHECK(report.predicted > report.requested || (o->cutoff == 0 && error < report.requested));
    CHECK_BELOW(fabs(log2(report.predicted / error)), 1, "  log2(predicted / measured)");
}

/* Small grids, with a given or a chosen cutoff (0). */
static void small_grids(cell_shape shape, double cutoff)
{
    charge_system s = make_ions(31, 400, shape, 0);
    for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++)
        for (int64_t grid = 4; grid <= 10; grid += 2) {
            enuf_ewald_options options = options_for(1e-6, (enuf_split)split);
            options.cutoff = cutoff;
            for (int d = 0; d < 3; d++) options.grid[d] = grid + (d == 2 ? 2 : 0);
            enuf_ewald *ewald = make_ewald(&options, &s, NULL);
            check_report(ewald, &options, measured_error(ewald, &options, &s));
            enuf_ewald_destroy(&ewald);
        }
    free_system(&s);
}

/* A cell grows by 1 % a step, as with a barostat, until the given grid is too small and the
 * predicted error exceeds the request. */
static void growing_cell(enuf_split split)
{
    charge_system s = make_ions(32, 400, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-4, split);
    enuf_ewald_report report = {.struct_size = sizeof report};
    options.cutoff = 8;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    for (int d = 0; d < 3; d++) options.grid[d] = report.grid[d];
    ewald = make_ewald(&options, &s, NULL);
    report.predicted = 0;
    for (int step = 0; step < 200 && !(report.predicted > report.requested); step++) {
        for (int k = 0; k < 9; k++) s.cell[k] *= 1.01;
        for (int64_t k = 0; k < 3 * s.n; k++) s.x[k] *= 1.01;
        CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
        enuf_ewald_result result = make_result(s.n);
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
        free_result(&result);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    }
    check_report(ewald, &options, measured_error(ewald, &options, &s));
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

int main(void)
{
    small_grids(CELL_CUBIC, 8);
    small_grids(CELL_TRICLINIC, 8);
    small_grids(CELL_CUBIC, 0);
    growing_cell(ENUF_SPLIT_GAUSSIAN);
    growing_cell(ENUF_SPLIT_PROLATE);
    return check_result();
}
