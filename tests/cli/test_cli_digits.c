/*
 * test_cli_digits.c - the digits in the tables of `enuf energy` and `enuf madelung` are right.
 *
 * The energy differs from the exact one by no more than the error shown beside it. Its last digit
 * stands where the second digit of the error stands. Decimal points are aligned. Systems: MgO
 * (reference: its Madelung constant), water (reference: A = 1e-12), at accuracies 1e-3 to 1e-12.
 * The table and JSON say whether the error is promised, estimated or measured.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mgo[] = "8\nLattice=\"4.2112 0 0 0 4.2112 0 0 0 4.2112\" "
                          "Properties=species:S:1:pos:R:3:charge:R:1 units=metal\n"
                          "Mg 0 0 0 2\nMg 0 2.1056 2.1056 2\nMg 2.1056 0 2.1056 2\n"
                          "Mg 2.1056 2.1056 0 2\nO 2.1056 2.1056 2.1056 -2\nO 2.1056 0 0 -2\n"
                          "O 0 2.1056 0 -2\nO 0 0 2.1056 -2\n";

/* The number in the row that begins with `label`, and how many decimals it shows. */
static double number_of(const char *table, const char *label, int *decimals)
{
    const char *row = strstr(table, label);
    if (!CHECK(row != NULL)) return NAN;
    row += strlen(label);
    row += strspn(row, " ");
    const size_t length = strcspn(row, " \n"), whole = strcspn(row, ".e \n");
    *decimals = row[whole] == '.' ? (int)(length - whole - 1) : 0;
    return strtod(row, NULL);
}

/* In all rows with the unit, the decimal point stands in one column. */
static void points_are_aligned(const char *table, const char *unit)
{
    long column = -1;
    for (const char *line = table; (line = strchr(line, '\n')); ++line) {
        const size_t length = strcspn(line + 1, "\n");
        const char *in = strstr(line + 1, unit);
        const char *point = strchr(line + 1, '.');
        if (!in || in > line + length || !point || point > in) continue;
        if (point - line > 45) continue; /* this point stands behind the unit */
        if (column < 0) column = point - line;
        if (!CHECK(point - line == column)) printf("  %.*s\n", (int)length, line + 1);
    }
    CHECK(column > 0);
}

static void energy_is_within_its_error(const char *file, const char *accuracy, const char *unit,
                                       double exact, const char *const more[2])
{
    program_run run;
    const char *const words[] = {"energy", file, "--accuracy", accuracy, more[0], more[1], NULL};
    program_start(&run, NULL, words);
    const char *error_at = strstr(run.out, "+/- ");
    if (!CHECK(run.status == 0 && error_at)) return;
    int decimals;
    const double energy = number_of(run.out, "\n  energy ", &decimals);
    const double error = strtod(error_at + 4, NULL);
    printf("%s, %s: %.*f +/- %g, exact %.12g\n", file, accuracy, decimals, energy, error, exact);
    CHECK_BELOW(fabs(energy - exact), error + 0.5 * pow(10, -decimals), "deviation from exact");
    CHECK(decimals == (int)fmax(0, 1 - floor(log10(error))));
    CHECK(error < 3e-5 * (atof(accuracy) / 1e-6) * 1e2 * fabs(exact));
    points_are_aligned(run.out, unit);
    program_free(&run);
}

static void crystals_and_liquids(void)
{
    static const char *const none[2] = {NULL, NULL};
    static const char *const molecule[2] = {"--exclude", "molecule"};
    static const char *const accuracies[] = {"1e-3", "1e-4", "1e-6", "1e-9", "1e-12"};
    /* 4 formula units, each with -4 M C/d; M of rock salt from an Ewald sum with 30 digits */
    const double exact_mgo = -16 * 1.747564594633182191 * 14.399645 / 2.1056;
    cJSON *report =
        JSON("energy", ENUF_EXAMPLES "/water.data", "--exclude", "molecule", "--accuracy", "1e-12");
    const double exact_water = json_number(report, "energy");
    cJSON_Delete(report);
    program_write_file("mgo.xyz", mgo);
    for (size_t k = 0; k < sizeof accuracies / sizeof *accuracies; ++k) {
        energy_is_within_its_error("mgo.xyz", accuracies[k], " eV", exact_mgo, none);
        energy_is_within_its_error(ENUF_EXAMPLES "/water.data", accuracies[k], " kcal/mol",
                                   exact_water, molecule);
    }
}

/* All ions are compared with exact sums: the measured error is shown instead of the promised one.
 */
static void a_measured_error_is_shown(void)
{
    program_run run;
    RUN(&run, "energy", "mgo.xyz", "--measure-error", "8");
    CHECK(strstr(run.out, " measured\n") != NULL);
    program_free(&run);
    cJSON *report = JSON("energy", "mgo.xyz", "--measure-error", "8");
    CHECK(cJSON_IsNull(json_at(report, "accuracy.energy_promised")));
    cJSON_Delete(report);
    report = JSON("energy", "mgo.xyz");
    /* the promise is 20 A 1/2 sum |q phi|; in a crystal every q phi is negative: the sum is |E| */
    CHECK_CLOSE(json_number(report, "accuracy.energy_promised"),
                20e-6 * fabs(json_number(report, "energy")), 1e-3, "promise");
    cJSON_Delete(report);
}

/* The last digit of the virial fits the error of the virial (0.09 here), not that of the energy
 * (3e-8). An error has two digits there, so it is below 100 units of the last place. Reference: the
 * virial at A = 1e-11. */
static void a_virial_shows_digits_of_its_own(void)
{
    static const char file[] = ENUF_EXAMPLES "/water.data";
    program_run run;
    int decimals;
    cJSON *report = JSON("energy", file, "--exclude", "bonds", "--accuracy", "1e-11", "--virial");
    const double exact = json_number(report, "virial.xx");
    RUN(&run, "energy", file, "--exclude", "bonds", "--accuracy", "1e-4", "--virial",
        "--measure-error", "300");
    const double shown = number_of(run.out, "\n  virial xx ", &decimals);
    printf("virial xx %.*f, exact %.12g\n", decimals, shown, exact);
    CHECK_BELOW(fabs(shown - exact), 100 * pow(10, -decimals), "error of the virial in the table");
    program_free(&run);
    cJSON_Delete(report);
}

/* 11,664 ions: pairs of Na and Cl, one in each cube of edge 6. With so many ions `enuf energy` does
 * not compute potentials for the promise alone. */
static void write_dumbbells(const char *name)
{
    enum { EDGE = 18, N = 2 * EDGE * EDGE * EDGE };
    char *text = malloc(N * 64), *at = text;
    if (!CHECK(text != NULL)) return;
    at += sprintf(at, "%d\nLattice=\"%d 0 0 0 %d 0 0 0 %d\" ", N, 6 * EDGE, 6 * EDGE, 6 * EDGE);
    at += sprintf(at, "Properties=species:S:1:pos:R:3:charge:R:1 units=metal\n");
    for (int i = 0; i < N / 2; ++i) {
        const int x = 6 * (i % EDGE), y = 6 * (i / EDGE % EDGE), z = 6 * (i / EDGE / EDGE);
        at += sprintf(at, "Na %d %d %d 1\nCl %d.5 %d.%d %d -1\n", x, y, z, x + 1, y, i % 10, z);
    }
    program_write_file(name, text);
    free(text);
}

static double promise(cJSON *report, const char *source)
{
    CHECK(strcmp(json_text(report, "accuracy.energy_error_is"), source) == 0);
    const double promised = json_number(report, "accuracy.energy_promised");
    cJSON_Delete(report);
    return promised;
}

/* With many ions the error is promised only if the energy of each ion is known, as beside forces.
 * Else it is estimated, from charges and density or from a sample, and the report names it so. The
 * ions of a dumbbell are so close that the estimate from charges and density would be too small by
 * a factor of 2.5; the energy itself bounds it from below. */
static void an_estimate_is_named_so(void)
{
    program_run run;
    write_dumbbells("many.xyz");
    const double promised = promise(JSON("energy", "many.xyz", "--forces", "f.xyz"), "promised");
    const double estimated = promise(JSON("energy", "many.xyz"), "estimated");
    const double sampled =
        promise(JSON("energy", "many.xyz", "--measure-error", "50"), "estimated");
    printf("promised %g, estimated %g, by a sample %g\n", promised, estimated, sampled);
    CHECK_CLOSE(estimated, promised, 1e-3, "estimate");
    CHECK_CLOSE(sampled, promised, 0.1, "estimate by a sample");
    RUN(&run, "energy", "many.xyz");
    CHECK(strstr(run.out, " estimated\n") != NULL);
    program_free(&run);
}

/* The table has a row for the energy of the modes left out if there is such an energy (Gaussian
 * splitting only). Beside the predicted error it says whether it holds for these positions
 * (calibrated) or for uncorrelated charges. */
static void rows_depend_on_the_method(void)
{
    for (int prolate = 0; prolate < 2; ++prolate) {
        program_run run;
        RUN(&run, "energy", ENUF_EXAMPLES "/molten_nacl.xyz", "--split",
            prolate ? "prolate" : "gaussian");
        CHECK((strstr(run.out, "modes left out") == NULL) == prolate);
        cJSON *report = JSON("energy", ENUF_EXAMPLES "/molten_nacl.xyz", "--split",
                             prolate ? "prolate" : "gaussian");
        const int calibrated = cJSON_IsTrue(json_at(report, "accuracy.calibrated"));
        CHECK((json_number(report, "accuracy.energy_tail") == 0) == prolate);
        CHECK(strstr(run.out, calibrated ? " for these positions\n"
                                         : " for uncorrelated charges\n") != NULL);
        cJSON_Delete(report);
        program_free(&run);
    }
}

/* A, and the energy of a formula unit in eV and kJ/mol. The energies show no digit below 3e-8, the
 * relative error of LAMMPS' Coulomb constant. */
static void formula_units_of_a_file(void)
{
    program_run run;
    int ev_decimals, kj_decimals;
    RUN(&run, "madelung", "mgo.xyz");
    const double value = number_of(run.out, "Madelung constant A ", &ev_decimals);
    CHECK_CLOSE(value, 4 * 1.747564594633182191, 1e-11, "A");
    const char *formula = strstr(run.out, "energy per formula unit");
    const char *ev = formula ? strchr(formula, '\n') : NULL, *kj = ev ? strchr(ev + 1, '\n') : NULL;
    if (CHECK(kj != NULL)) {
        const double energy = number_of(ev, "\n", &ev_decimals);
        const double molar = number_of(kj, "\n", &kj_decimals);
        printf("%.*f eV, %.*f kJ/mol\n", ev_decimals, energy, kj_decimals, molar);
        CHECK_CLOSE(energy, -4 * 1.747564594633182191 * 14.399645 / 2.1056, 1e-8, "eV");
        CHECK_CLOSE(molar, 96.48533212331 * energy, 1e-8, "kJ/mol");
        CHECK(ev_decimals == 7 && kj_decimals == 5);
    }
    points_are_aligned(run.out, "e");
    program_free(&run);
}

int main(void)
{
    program_enter_directory();
    crystals_and_liquids();
    a_measured_error_is_shown();
    a_virial_shows_digits_of_its_own();
    an_estimate_is_named_so();
    rows_depend_on_the_method();
    formula_units_of_a_file();
    program_leave_directory();
    return check_result();
}
