/*
 * test_error_scale.c - parameters chosen with positions (by the error scale) serve correlated
 * systems: the measured error is at most the requested accuracy A, at least A/10 where forces do
 * not nearly vanish, and within a factor of 2 of the predicted error. Systems: jittered and perfect
 * crystals, a charged salt, water, charged walls, few strong ions; A = 1e-3 to 1e-10, both
 * splittings. Reference: exact sums. SPDX-License-Identifier: BSD-3-Clause
 */
#include "random_system.h"
#include "verify/sample.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_AXIS = 8 };

/* Alternating charges near the points of a lattice along the cell's axes, `jitter` in spacings. */
static charge_system jittered_lattice(uint64_t seed, double jitter, const double cell[9])
{
    charge_system s = {.n = PER_AXIS * PER_AXIS * PER_AXIS};
    s.x = malloc((size_t)s.n * 3 * sizeof *s.x);
    s.q = malloc((size_t)s.n * sizeof *s.q);
    memcpy(s.cell, cell, sizeof s.cell);
    double *shift = malloc((size_t)s.n * 3 * sizeof *shift);
    random_numbers(seed, 3 * s.n, -jitter, jitter, shift);
    for (int64_t i = 0; i < s.n; i++) {
        const int64_t at[3] = {i % PER_AXIS, i / PER_AXIS % PER_AXIS, i / PER_AXIS / PER_AXIS};
        s.q[i] = (at[0] + at[1] + at[2]) % 2 ? 1 : -1;
        for (int d = 0; d < 3; d++) {
            s.x[3 * i + d] = 0;
            for (int e = 0; e < 3; e++)
                s.x[3 * i + d] += ((double)at[e] + shift[3 * i + e]) / PER_AXIS * cell[3 * e + d];
        }
    }
    free(shift);
    return s;
}

/* The errors of forces decrease with disorder. They are small in a nearly perfect crystal; the
 * choice relies on that only down to a fifth of the estimate. In a perfect crystal they are zero by
 * symmetry, however crude the sums. */
typedef enum force_size { FORCES_USUAL, FORCES_SMALL, FORCES_ZERO } force_size;

static void check_accuracy(const char *name, const charge_system *s,
                           const enuf_exclusions *exclusions, double accuracy, enuf_split split,
                           force_size forces)
{
    enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald *ewald;
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_error error = {.struct_size = sizeof error};
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s->cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s->n, s->q, exclusions), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(ewald, s->x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s->x, 3, 0, 1, &error), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    printf("%s, %s, A %.0e: predicted %.2e, measured %.2e\n", name, enuf_split_name(split),
           accuracy, report.predicted, error.accuracy);
    CHECK_BELOW(error.accuracy, accuracy, "  measured error, A");
    CHECK_BELOW(error.energy / error.energy_scale, 20 * accuracy, "  energy error, 20 A");
    if (forces == FORCES_USUAL) CHECK_BELOW(accuracy / error.accuracy, 10, "  A / measured error");
    /* Where forces are small, the prediction is at least a tenth of the energy's relative error, so
     * that a crystal's energy does not seem more accurate than it is. */
    double measured = error.accuracy;
    if (forces == FORCES_SMALL) measured = fmax(measured, error.energy / error.energy_scale / 10);
    if (forces != FORCES_ZERO)
        CHECK_BELOW(fabs(log2(report.predicted / measured)), 1, "  log2(predicted / measured)");
    enuf_ewald_destroy(&ewald);
}

static void at_every_accuracy(const char *name, const charge_system *s,
                              const enuf_exclusions *exclusions, force_size forces)
{
    const double accuracies[] = {1e-3, 1e-5, 1e-8, 1e-10};
    for (int k = 0; k < 4; k++) {
        check_accuracy(name, s, exclusions, accuracies[k], ENUF_SPLIT_GAUSSIAN, forces);
        check_accuracy(name, s, exclusions, accuracies[k], ENUF_SPLIT_PROLATE, forces);
    }
}

static void correlated_systems(void)
{
    const double tilted[9] = {24, 0, 0, 5, 22, 0, -3, 4, 23},
                 cubic[9] = {22, 0, 0, 0, 22, 0, 0, 0, 22};
    charge_system lattice = jittered_lattice(1, 0.25, tilted);
    charge_system crystal = jittered_lattice(2, 0.03, cubic);
    charge_system perfect = jittered_lattice(3, 0, cubic);
    charge_system salt = make_ions(4, 500, CELL_TRICLINIC, 2);
    int64_t pairs[3 * 200 * 2];
    charge_system water = make_water(5, 200, pairs);
    const enuf_exclusions exclusions = {3 * 200, pairs, NULL};
    at_every_accuracy("jittered lattice, tilted cell", &lattice, NULL, FORCES_USUAL);
    at_every_accuracy("crystal with thermal displacements", &crystal, NULL, FORCES_USUAL);
    at_every_accuracy("perfect crystal", &perfect, NULL, FORCES_ZERO);
    at_every_accuracy("charged salt", &salt, NULL, FORCES_USUAL);
    at_every_accuracy("water", &water, &exclusions, FORCES_USUAL);
    free_system(&lattice);
    free_system(&crystal);
    free_system(&perfect);
    free_system(&salt);
    free_system(&water);
}

/* Two sheets of opposite charge have a large charge structure factor at few modes. With parameters
 * chosen without positions their error is up to 7 A. */
static void charged_walls(void)
{
    enum { EDGE = 12 };
    const double length = 20;
    charge_system s = {.n = 2 * EDGE * EDGE};
    s.x = malloc((size_t)s.n * 3 * sizeof *s.x);
    s.q = malloc((size_t)s.n * sizeof *s.q);
    for (int d = 0; d < 3; d++) s.cell[4 * d] = length;
    random_numbers(10, 3 * s.n, 0, 1, s.x);
    for (int64_t i = 0; i < s.n; i++) {
        const double place[2] = {(double)(i / 2 % EDGE), (double)(i / 2 / EDGE)};
        for (int d = 0; d < 2; d++) s.x[3 * i + d] = (place[d] + s.x[3 * i + d]) * length / EDGE;
        s.x[3 * i + 2] = i % 2 ? 5 : 12.3;
        s.q[i] = i % 2 ? 1 : -1;
    }
    for (int digits = 3; digits <= 6; digits += 3) {
        check_accuracy("charged walls", &s, NULL, pow(10, -digits), ENUF_SPLIT_GAUSSIAN,
                       FORCES_USUAL);
        check_accuracy("charged walls", &s, NULL, pow(10, -digits), ENUF_SPLIT_PROLATE,
                       FORCES_USUAL);
    }
    free_system(&s);
}

/* Few strong charges have nearly all of the error: the sample of 128 ions must contain them. */
static void strong_ions_among_weak(void)
{
    charge_system s = make_ions(6, 1200, CELL_CUBIC, 0);
    for (int64_t i = 0; i < s.n; i++) s.q[i] *= i % 45 ? 0.05 : 3;
    at_every_accuracy("few strong ions among weak ones", &s, NULL, FORCES_USUAL);
    free_system(&s);
}

/* With displacements of a thousandth of the spacing, the error of the forces nearly vanishes. The
 * energy's error does not, and the parameters have to keep it small. */
static void nearly_perfect_crystal(void)
{
    const double cubic[9] = {22, 0, 0, 0, 22, 0, 0, 0, 22};
    charge_system s = jittered_lattice(7, 1e-3, cubic);
    at_every_accuracy("crystal, tiny displacements", &s, NULL, FORCES_SMALL);
    free_system(&s);
}

/* The other splitting on a finer mesh, the reference for many charges, serves as well as exact
 * sums. Its error is a fiftieth of the measured one. That changes the measured error by 1/5000 if
 * both are independent, by 1/50 at most. The bound is 3 %. */
static void finer_mesh_is_as_good_as_exact_sums(void)
{
    charge_system s = make_ions(8, 600, CELL_TRICLINIC, 0);
    const double accuracies[] = {1e-3, 1e-6, 1e-11};
    for (int k = 0; k < 6; k++) {
        enuf_ewald_options options =
            options_for(accuracies[k / 2], k % 2 ? ENUF_SPLIT_PROLATE : ENUF_SPLIT_GAUSSIAN);
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        enuf_ewald_error by[2];
        const enuf_reference references[2] = {ENUF_REFERENCE_EXACT, ENUF_REFERENCE_FINER};
        for (int r = 0; r < 2; r++) {
            enuf_sample sample;
            CHECK_STATUS(enuf_sample_make(ewald, s.x, 3, 0, 1, references[r], &sample),
                         ENUF_SUCCESS);
            CHECK_STATUS(enuf_sample_measure(ewald, s.x, 3, &sample, &by[r]), ENUF_SUCCESS);
            enuf_sample_release(&sample);
        }
        CHECK_BELOW(by[0].accuracy, accuracies[k / 2], "measured against exact sums, A");
        CHECK_CLOSE(by[1].accuracy, by[0].accuracy, 0.03,
                    "measured against a finer mesh, against exact sums");
        enuf_ewald_destroy(&ewald);
    }
    free_system(&s);
}

/* More than 10,000 charges: the finer mesh is the reference, or exact sums if memory_limit has no
 * room for it. */
static void many_charges(void)
{
    charge_system s = make_ions(9, 10200, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_GAUSSIAN);
    enuf_ewald_error error = {.struct_size = sizeof error};
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 500, 2, &error), ENUF_SUCCESS);
    CHECK_BELOW(error.accuracy, 1e-4, "10,200 ions: measured error, A");
    CHECK_CLOSE(report.predicted, error.accuracy, 0.2, "  predicted, measured on 500 ions");
    enuf_ewald_destroy(&ewald);

    /* With a large cutoff the grid fits into little memory. The size of the finer mesh depends on
     * the backend's cost rates. So the limit decreases until the finer mesh does not fit. */
    options.cutoff = 11;
    options.threads = 1; /* each thread has its own tiles */
    enuf_status finer = ENUF_SUCCESS;
    ewald = NULL;
    for (double limit = 2000000; limit > 200000 && finer == ENUF_SUCCESS; limit *= 0.9) {
        enuf_sample sample;
        enuf_ewald_destroy(&ewald);
        options.memory_limit = (int64_t)limit;
        ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        finer = enuf_sample_make(ewald, s.x, 3, 0, 1, ENUF_REFERENCE_FINER, &sample);
        enuf_sample_release(&sample);
    }
    CHECK_STATUS(finer, ENUF_OUT_OF_MEMORY);
    /* If pairs are cheap, the finer mesh has a larger cutoff and needs no more memory than the
     * object's mesh. Then an evaluation does not fit either. Tuning and measuring return the same
     * error, or find room. */
    enuf_ewald_result result = make_result(s.n);
    const enuf_status evaluation = enuf_ewald_compute(ewald, s.x, 3, ENUF_WANT_FORCES, &result);
    free_result(&result);
    if (tested_backend() == ENUF_BACKEND_CPU) CHECK_STATUS(evaluation, ENUF_SUCCESS);
    const enuf_status tuned = enuf_ewald_tune(ewald, s.x, 3);
    if (tuned != ENUF_SUCCESS) CHECK_STATUS(tuned, evaluation);
    if (tuned == ENUF_SUCCESS) {
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        const enuf_status measured = enuf_ewald_measure_error(ewald, s.x, 3, 500, 2, &error);
        if (measured != ENUF_SUCCESS) CHECK_STATUS(measured, evaluation);
        if (measured == ENUF_SUCCESS) {
            CHECK_BELOW(error.accuracy, 1e-4, "10,200 ions in little memory: measured error, A");
            CHECK_CLOSE(report.predicted, error.accuracy, 0.3, "  predicted on 128, on 500");
        }
    }
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* Explicit parameters are kept, and the positions make the prediction true. */
static void explicit_values_are_kept(void)
{
    const double cubic[9] = {22, 0, 0, 0, 22, 0, 0, 0, 22};
    charge_system s = jittered_lattice(2, 0.03, cubic);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_GAUSSIAN);
    options.alpha = 0.4;
    options.cutoff = 7;
    options.kmax = 6;
    options.width = 6;
    for (int d = 0; d < 3; d++) options.grid[d] = 20;
    enuf_ewald *ewald;
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_error error = {.struct_size = sizeof error};
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 0, 1, &error), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK(report.alpha == 0.4 && report.cutoff == 7 && report.width == 6 && report.grid[0] == 20);
    CHECK_CLOSE(report.kmax, 6, 1e-14, "kmax as given");
    CHECK_BELOW(fabs(log2(report.predicted / error.accuracy)), 1,
                "log2(predicted / measured) of explicit parameters");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* enuf_ewald_tune() without positions drops the error scale. Deterministic parameters do not depend
 * on positions. */
static void error_scale_can_be_dropped(void)
{
    const double cubic[9] = {22, 0, 0, 0, 22, 0, 0, 0, 22};
    charge_system s = jittered_lattice(2, 0.03, cubic);
    for (int deterministic = 0; deterministic < 2; deterministic++) {
        enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_PROLATE);
        options.deterministic = deterministic;
        enuf_ewald *ewald;
        enuf_ewald_report plain = {.struct_size = sizeof plain}, tuned = plain, again = plain;
        CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &plain), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &tuned), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &again), ENUF_SUCCESS);
        CHECK(again.predicted == plain.predicted && again.cutoff == plain.cutoff &&
              again.width == plain.width && again.grid[0] == plain.grid[0]);
        CHECK((tuned.predicted == plain.predicted) == deterministic);
        enuf_ewald_destroy(&ewald);
    }
    free_system(&s);
}

/* Parameters chosen for a crystal, which then melts: the error is at most 5 A. */
static void crystal_that_melts(void)
{
    const double cubic[9] = {22, 0, 0, 0, 22, 0, 0, 0, 22};
    const enuf_split splits[2] = {ENUF_SPLIT_GAUSSIAN, ENUF_SPLIT_PROLATE};
    const double jitters[2] = {0, 0.05};
    charge_system melt = jittered_lattice(3, 0.45, cubic);
    for (int k = 0; k < 4; k++) {
        charge_system crystal = jittered_lattice(2, jitters[k / 2], cubic);
        for (int digits = 3; digits <= 6; digits++) {
            enuf_ewald_options options = options_for(pow(10, -digits), splits[k % 2]);
            options.cutoff = 9;
            enuf_ewald *ewald = make_ewald(&options, &crystal, NULL);
            enuf_ewald_error error = {.struct_size = sizeof error};
            CHECK_STATUS(enuf_ewald_tune(ewald, crystal.x, 3), ENUF_SUCCESS);
            CHECK_STATUS(enuf_ewald_measure_error(ewald, melt.x, 3, 256, 1, &error), ENUF_SUCCESS);
            printf("%s, jitter %g, A 1e-%d: ", enuf_split_name(splits[k % 2]), jitters[k / 2],
                   digits);
            CHECK_BELOW(error.accuracy / options.accuracy, 5, "molten, measured error over A");
            enuf_ewald_destroy(&ewald);
        }
        free_system(&crystal);
    }
    free_system(&melt);
}

/*
 * Order of the charges reduces the errors of the forces, not that of the energy. So in any system
 * the pairs beyond the cutoff are left out only as far as their error for uncorrelated charges is
 * 0.3 A. That error is estimated as in LAMMPS, 2 C sum q^2 exp(-(alpha r_c)^2)/sqrt(N r_c V), and
 * divided by F_ref.
 */
static void pairs_left_out_do_not_depend_on_order(void)
{
    const double cubic[9] = {22, 0, 0, 0, 22, 0, 0, 0, 22}, given_cutoff[3] = {0, 9, 0},
                 given_alpha[3] = {0, 0, 0.35};
    charge_system systems[3] = {jittered_lattice(2, 0.05, cubic), jittered_lattice(3, 0.35, cubic),
                                make_water(5, 200, NULL)};
    const char *names[3] = {"crystal", "melt", "water"}, *suffixes[3] = {"", ", cutoff", ", alpha"};
    for (int k = 0; k < 9; k++) {
        const charge_system *s = &systems[k / 3];
        for (int digits = 3; digits <= 5; digits++) {
            enuf_ewald_options options = options_for(pow(10, -digits), ENUF_SPLIT_GAUSSIAN);
            enuf_ewald_report report = {.struct_size = sizeof report};
            options.cutoff = given_cutoff[k % 3];
            options.alpha = given_alpha[k % 3];
            enuf_ewald *ewald = make_ewald(&options, s, NULL);
            CHECK_STATUS(enuf_ewald_tune(ewald, s->x, 3), ENUF_SUCCESS);
            CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
            const double density = (double)s->n / (s->cell[0] * s->cell[4] * s->cell[8]),
                         spacing = 1 / cbrt(density);
            const double pairs =
                2 * exp(-pow(report.alpha * report.cutoff, 2)) / sqrt(report.cutoff / spacing);
            printf("%s%s, A 1e-%d: alpha %.3f, cutoff %.2f: ", names[k / 3], suffixes[k % 3],
                   digits, report.alpha, report.cutoff);
            CHECK_BELOW(pairs / options.accuracy, 0.3, "error of the pairs, uncorrelated, over A");
            enuf_ewald_destroy(&ewald);
        }
    }
    for (int k = 0; k < 3; k++) free_system(&systems[k]);
}

/* Another number of charges is another system: the error scale is dropped. */
static void another_system_drops_the_error_scale(void)
{
    const double cubic[9] = {22, 0, 0, 0, 22, 0, 0, 0, 22};
    charge_system s = jittered_lattice(2, 0.03, cubic);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_GAUSSIAN);
    enuf_ewald *tuned = make_ewald(&options, &s, NULL), *fresh;
    enuf_ewald_report a = {.struct_size = sizeof a}, b = a;
    CHECK_STATUS(enuf_ewald_tune(tuned, s.x, 3), ENUF_SUCCESS);
    s.n -= 2;
    fresh = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_set_charges(tuned, s.n, s.q, NULL), ENUF_SUCCESS);
    enuf_ewald_result r = make_result(s.n);
    CHECK_STATUS(enuf_ewald_compute(tuned, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(fresh, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(tuned, &a), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(fresh, &b), ENUF_SUCCESS);
    CHECK(a.predicted == b.predicted && a.cutoff == b.cutoff && a.width == b.width);
    enuf_ewald_destroy(&tuned);
    enuf_ewald_destroy(&fresh);
    free_result(&r);
    free_system(&s);
}

int main(void)
{
    correlated_systems();
    strong_ions_among_weak();
    charged_walls();
    nearly_perfect_crystal();
    finer_mesh_is_as_good_as_exact_sums();
    many_charges();
    crystal_that_melts();
    pairs_left_out_do_not_depend_on_order();
    another_system_drops_the_error_scale();
    explicit_values_are_kept();
    error_scale_can_be_dropped();
    return check_result();
}
