/*
 * test_measure_error.c - enuf_ewald_measure_error() gives the errors of forces and energy against
 * exact sums, to 1e-8 and 1e-4 on all charged atoms; a sample of 40 agrees within 4 standard
 * deviations. accuracy, force_error and lammps_accuracy request what the header says. The report
 * contains errors and parameters. 200 and 300 random ions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

static void measure(void)
{
    charge_system s = make_ions(141, 300, CELL_TRICLINIC, 1);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_PROLATE);
    options.coulomb = 332.06371;
    s.q[3] = s.q[8] = 0; /* atoms without charge are not measured */
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result r = make_result(s.n), exact = evaluate_exactly(&options, &s, NULL);
    enuf_ewald_error all = {.struct_size = sizeof all}, some = all, again = all, other = all;
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK(isnan(report.measured));
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 0, 7, &all), ENUF_SUCCESS);

    double f_ref = options.coulomb * reference_force(&s), charged = 0;
    for (int64_t i = 0; i < s.n; i++) charged += s.q[i] != 0;
    double rms = rms_difference(s.n, r.forces, exact.forces) * sqrt((double)s.n / charged);
    double forces = rms_difference(s.n, exact.forces, NULL) * sqrt((double)s.n / charged);
    double worst = 0, scale = 0;
    for (int64_t i = 0; i < s.n; i++) {
        worst = fmax(worst, rms_difference(1, &r.forces[3 * i], &exact.forces[3 * i]));
        scale += 0.5 * fabs(s.q[i] * exact.potential[i]);
    }
    CHECK(all.sample == (int64_t)charged && charged < (double)s.n);
    CHECK_CLOSE(all.rms_force, rms, 1e-8, "RMS force error, all atoms");
    CHECK_CLOSE(all.worst_force, worst, 1e-8, "worst force error");
    CHECK_CLOSE(all.accuracy, rms / f_ref, 1e-8, "accuracy A");
    CHECK_CLOSE(all.rms_of_forces, forces, 1e-8, "RMS force");
    CHECK_CLOSE(all.energy_scale, scale, 1e-8, "energy scale");
    CHECK_CLOSE(all.energy, fabs(r.energy - exact.energy), 1e-4, "energy error");
    CHECK_BELOW(all.accuracy, 1e-4, "measured error, A");

    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK_CLOSE(report.measured, all.accuracy, 0, "measured in the report");
    CHECK_CLOSE(report.f_ref, f_ref, 1e-13, "F_ref in the report");
    CHECK_CLOSE(report.requested, 1e-4, 0, "requested in the report");
    double net = 0;
    for (int64_t i = 0; i < s.n; i++) net += s.q[i];
    CHECK_CLOSE(report.net_charge, net, 1e-13, "net charge in the report");
    CHECK(report.bytes > 0 && report.threads > 0 && report.split == ENUF_SPLIT_PROLATE);
    CHECK(report.c > 0 && report.alpha == 0 && report.seconds_real > 0);

    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 40, 7, &some), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 40, 7, &again), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 40, 8, &other), ENUF_SUCCESS);
    CHECK(some.sample == 40);
    CHECK_CLOSE(again.rms_force, some.rms_force, 1e-6, "the same seed");
    CHECK(fabs(other.rms_force / some.rms_force - 1) > 1e-6); /* another sample */
    /* the mean of 40 squared errors, each about chi^2 of 3 degrees, scatters by sqrt(2/120) */
    CHECK_CLOSE(some.rms_force, all.rms_force, 4 * 0.5 * sqrt(2.0 / 120),
                "RMS force error on a sample of 40, 4 standard deviations");
    enuf_ewald_destroy(&ewald);
    free_result(&r);
    free_result(&exact);
    free_system(&s);
}

static enuf_ewald_report tuned(const enuf_ewald_options *options, const charge_system *s)
{
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald *ewald = make_ewald(options, s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    return report;
}

static void three_kinds_of_request(void)
{
    charge_system s = make_ions(142, 200, CELL_CUBIC, 0);
    for (int64_t i = 0; i < 100; i++) s.q[i] = 0; /* half of the atoms have no charge */
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_GAUSSIAN);
    options.coulomb = 14.399645;
    double f_ref = options.coulomb * reference_force(&s);
    options.accuracy = 0;
    options.force_error = 3e-4;
    CHECK_CLOSE(tuned(&options, &s).requested, 3e-4 / f_ref, 1e-13, "A of force_error");
    options.force_error = 0;
    /* in units of C, and an RMS over all atoms; over the charged half it is sqrt(2) times larger */
    options.lammps_accuracy = 1e-5;
    CHECK_CLOSE(tuned(&options, &s).requested, sqrt(2) * 1e-5 * options.coulomb / f_ref, 1e-13,
                "A of lammps_accuracy");
    options.lammps_accuracy = 10; /* more than the largest A */
    CHECK_CLOSE(tuned(&options, &s).requested, 1e-2, 0, "loosest A");
    options.lammps_accuracy = 1e-17;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("lammps_accuracy 1e-17");
    CHECK_TEXT("the least that can be reached");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

static void explicit_values(void)
{
    charge_system s = make_ions(143, 200, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_GAUSSIAN);
    options.cutoff = 5;
    options.alpha = 0.7;
    options.kmax = 9.3;
    options.grid[0] = options.grid[1] = options.grid[2] = 40;
    options.window = ENUF_WINDOW_KAISER_BESSEL;
    options.width = 9;
    enuf_ewald_report report = tuned(&options, &s);
    CHECK_CLOSE(report.cutoff, 5, 0, "cutoff kept");
    CHECK_CLOSE(report.alpha, 0.7, 0, "alpha kept");
    CHECK_CLOSE(report.kmax, 9.3, 1e-13, "kmax kept");
    CHECK(report.grid[0] == 40 && report.grid[1] == 40 && report.grid[2] == 40);
    CHECK(report.window == ENUF_WINDOW_KAISER_BESSEL && report.width == 9);
    CHECK(report.modes[0] == 19);
    free_system(&s);
}

int main(void)
{
    measure();
    three_kinds_of_request();
    explicit_values();
    return check_result();
}
