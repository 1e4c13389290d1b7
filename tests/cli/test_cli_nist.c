/*
 * test_cli_nist.c - `enuf energy` reproduces each part of the Ewald sum of NIST's SPC/E reference
 * calculation, configuration 1 (100 molecules), to half a unit of the last of NIST's six digits.
 *
 * alpha = 5.6/L, modes k^2 < 27, cutoff 10 Angstrom, L = 20 Angstrom; energies in Kelvin. Source:
 * NIST Standard Reference Simulation Website, "SPC/E Water Reference Calculations - 10 A cutoff".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IONS = 300, SITES = 3 };

static const double alpha = 0.28;

/* Position and charge of each ion; molecules are whole and three ions long. */
static int read_water(double ions[IONS][4])
{
    char *text = program_read_file(ENUF_EXAMPLES "/spce_nist1.xyz"), *at = text;
    int n = 0;
    for (int skip = 0; skip < 2; ++skip) at += strcspn(at, "\n") + 1;
    for (; *at && n < IONS; ++n) {
        at += strcspn(at, " ");
        for (int k = 0; k < 4; ++k) ions[n][k] = strtod(at, &at);
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    free(text);
    return n;
}

/* sum q q erfc(alpha r)/r over the pairs inside molecules. NIST's real part lacks these pairs, and
 * its intramolecular part subtracts q q erf/r. enuf's real part has them, and its part `excluded`
 * subtracts q q/r. */
static double screened_inside_molecules(double ions[IONS][4])
{
    double sum = 0;
    for (int i = 0; i < IONS; ++i) {
        for (int j = i + 1; j < (i / SITES + 1) * SITES; ++j) {
            const double r = hypot(hypot(ions[i][0] - ions[j][0], ions[i][1] - ions[j][1]),
                                   ions[i][2] - ions[j][2]);
            sum += ions[i][3] * ions[j][3] * erfc(alpha * r) / r;
        }
    }
    return sum;
}

int main(void)
{
    /* e^2/(4 pi epsilon_0 k_B) in Kelvin Angstrom, CODATA 2018 */
    const double e = 1.602176634e-19, k = 1.380649e-23, epsilon = 8.8541878128e-12;
    const double kelvin = e * e / (4 * 3.14159265358979323846 * epsilon * k * 1e-10);
    static double ions[IONS][4];
    program_enter_directory();
    CHECK(read_water(ions) == IONS);
    /* lj: the Coulomb constant is 1. k^2 = 27 is left out: its root is 5.19615242... */
    cJSON *report =
        JSON("energy", ENUF_EXAMPLES "/spce_nist1.xyz", "--exclude", "molecule", "--units", "lj",
             "--alpha", "0.28", "--cutoff", "10", "--kmax", "5.196152", "--accuracy", "1e-8");
    const double screened = screened_inside_molecules(ions);
    const struct {
        const char *part;
        double value, nist, digit; /* digit: a unit of the sixth digit */
    } parts[] = {
        {"real", json_number(report, "parts.real") - screened, -5.58889e5, 1},
        {"Fourier", json_number(report, "parts.reciprocal"), 6.27009e3, 0.01},
        {"self", json_number(report, "parts.self"), -2.84469e6, 10},
        {"intra", json_number(report, "parts.excluded") + screened, 2.80999e6, 10},
        /* the sum of four rounded parts, of which two are rounded to 10 K */
        {"sum", json_number(report, "energy"), -5.87319e5, 10},
    };
    for (size_t p = 0; p < sizeof parts / sizeof *parts; ++p) {
        const double value = kelvin * parts[p].value;
        printf("%s %.8g K, NIST %.6g K\n", parts[p].part, value, parts[p].nist);
        /* half a unit of the last digit */
        CHECK_BELOW((value - parts[p].nist) / parts[p].digit, 0.5, parts[p].part);
    }
    cJSON_Delete(report);
    program_leave_directory();
    return check_result();
}
