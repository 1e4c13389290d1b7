/*
 * molten_salt.c - molecular dynamics of molten NaCl: Coulomb forces by enuf, the rest by the
 * potential of Fumi and Tosi (J. Phys. Chem. Solids 25 (1964) 31, 45). A lattice of 1000 ions at
 * 1.5 g/cm3 is melted at 3000 K, cooled to 1200 K, and left alone for the last tenth of the time,
 * in which the energy has to stay. Lengths in Angstrom, energies in eV, times in fs. Usage:
 * molten_salt [FOLDER [STEPS]]; FOLDER gets molten_nacl.xyz. `molten_salt . 20000` made the file in
 * examples/data. SPDX-License-Identifier: BSD-3-Clause
 */
#include <enuf/ewald.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 10, IONS = SIDE * SIDE * SIDE, BINS = 50 };

static const double edge = 31.862;              /* 1.5 g/cm3 */
static const double cutoff = 10, step = 2;      /* of the other forces; fs */
static const double mass[2] = {22.990, 35.453}; /* Na, Cl */
static const double boltzmann = 8.617333e-5, acceleration = 9.648533e-3; /* eV/(Angstrom amu) */

static double x[3 * IONS], v[3 * IONS], force[3 * IONS], charge[IONS], travelled[3 * IONS];

static void check(enuf_status status)
{
    if (status == ENUF_SUCCESS) return;
    fprintf(stderr, "molten_salt: %s\n", enuf_last_error());
    exit(1);
}

/* A pseudo-random number in (0, 1) (Knuth's MMIX generator), the same on every machine. */
static double random_number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

static double gaussian_number(void)
{
    return sqrt(-2 * log(random_number())) * cos(6.283185307179586 * random_number());
}

static double separation(int i, int j, double r[3])
{
    double square = 0;
    for (int d = 0; d < 3; d++) {
        r[d] = x[3 * i + d] - x[3 * j + d];
        r[d] -= edge * round(r[d] / edge);
        square += r[d] * r[d];
    }
    return square;
}

/* A exp((sigma - r)/0.317) - C/r^6 - D/r^8 for the pairs Na-Na, Na-Cl, Cl-Cl; shifted at the
 * cutoff, where it is 1e-4 eV. Adds to `force`, gives the energy. */
static double short_range(void)
{
    static const double a[3] = {0.2637, 0.2110, 0.1582}, sigma[3] = {2.340, 2.755, 3.170},
                        c[3] = {1.0486, 6.9906, 72.4022}, d8[3] = {0.4993, 8.6757, 145.4285};
    const double rho = 0.317;
    double energy = 0, r[3];
    for (int i = 0; i < IONS; i++)
        for (int j = 0; j < i; j++) {
            const double square = separation(i, j, r);
            if (square >= cutoff * cutoff) continue;
            const int k = (charge[i] < 0) + (charge[j] < 0);
            const double far = sqrt(square), born = a[k] * exp((sigma[k] - far) / rho);
            const double inverse = 1 / square, cube = inverse * inverse * inverse;
            const double six = c[k] * cube, eight = d8[k] * cube * inverse;
            const double f = born / (rho * far) - (6 * six + 8 * eight) * inverse;
            energy += born - six - eight + c[k] / pow(cutoff, 6) + d8[k] / pow(cutoff, 8);
            for (int d = 0; d < 3; d++) {
                force[3 * i + d] += f * r[d];
                force[3 * j + d] -= f * r[d];
            }
        }
    return energy;
}

static double forces(enuf_ewald *ewald)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = force};
    check(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result));
    return result.energy + short_range();
}

static double mass_of(int i)
{
    return mass[charge[i] < 0];
}

static double kinetic_energy(void)
{
    double sum = 0;
    for (int k = 0; k < 3 * IONS; k++) sum += mass_of(k / 3) * v[k] * v[k];
    return 0.5 * sum / acceleration;
}

static void kick(double time)
{
    for (int k = 0; k < 3 * IONS; k++) v[k] += time * acceleration / mass_of(k / 3) * force[k];
}

static void drift(double time)
{
    for (int k = 0; k < 3 * IONS; k++) {
        x[k] += time * v[k];
        travelled[k] += time * v[k];
    }
}

/* Friction and noise of a heat bath of this temperature, over `time`; 200 fs correlation. */
static void heat_bath(double temperature, double time)
{
    const double keep = exp(-time / 200);
    for (int k = 0; k < 3 * IONS; k++)
        v[k] = keep * v[k] +
               sqrt((1 - keep * keep) * boltzmann * temperature * acceleration / mass_of(k / 3)) *
                   gaussian_number();
}

/* Position and height of the highest bin of the pair distribution of like or unlike charges. */
static double first_peak(int like, double *height)
{
    const double width = 0.2, ideal = IONS * (IONS / 2 - like) / 2. / pow(edge, 3);
    double count[BINS] = {0}, r[3];
    int top = 0;
    for (int i = 0; i < IONS; i++)
        for (int j = 0; j < i; j++) {
            const double bin = sqrt(separation(i, j, r)) / width;
            if ((charge[i] * charge[j] > 0) == like && bin < BINS) count[(int)bin] += 1;
        }
    for (int b = 0; b < BINS; b++) {
        count[b] /= ideal * 4.18879020479 * pow(width, 3) * (3. * b * b + 3 * b + 1);
        if (count[b] > count[top]) top = b;
    }
    *height = count[top];
    return (top + 0.5) * width;
}

static int write(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/molten_nacl.xyz", folder);
    FILE *file = fopen(path, "w");
    if (!file) return perror(path), 1;
    fprintf(file,
            "%d\nLattice=\"%g 0 0 0 %g 0 0 0 %g\" Properties=species:S:1:pos:R:3:charge:R:1 "
            "pbc=\"T T T\" units=metal source=\"examples/molten_salt.c\"\n",
            IONS, edge, edge, edge);
    for (int i = 0; i < IONS; i++) {
        fputs(charge[i] > 0 ? "Na" : "Cl", file);
        for (int d = 0; d < 3; d++)
            fprintf(file, " %.4f", x[3 * i + d] - edge * floor(x[3 * i + d] / edge));
        fprintf(file, " %g\n", charge[i]);
    }
    return fclose(file) != 0 ? perror(path), 1 : 0;
}

int main(int n_words, char **words)
{
    const int steps = n_words > 2 ? atoi(words[2]) : 300, alone = steps - steps / 10;
    const double cell[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    for (int i = 0; i < IONS; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        charge[i] = (at[0] + at[1] + at[2]) % 2 ? -1 : 1;
        for (int d = 0; d < 3; d++) x[3 * i + d] = edge / SIDE * at[d];
    }
    enuf_ewald *ewald;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-4;
    options.coulomb = 14.399645; /* eV Angstrom */
    check(enuf_ewald_create(&options, &ewald));
    check(enuf_ewald_set_cell(ewald, cell));
    check(enuf_ewald_set_charges(ewald, IONS, charge, NULL));

    double potential = forces(ewald), total = 0, left = 0, strayed = 0, temperature = 0;
    for (int n = 0; n < steps; n++) {
        kick(step / 2);
        drift(step / 2);
        if (n < alone) heat_bath(n < steps / 4 ? 3000 : 1200, step);
        drift(step / 2);
        potential = forces(ewald);
        kick(step / 2);
        total = potential + kinetic_energy();
        if (n + 1 == alone) left = total;
        if (n >= alone) strayed = fmax(strayed, fabs(total - left));
        temperature = 2 * kinetic_energy() / (3 * IONS * boltzmann);
        if ((n + 1) % (steps >= 10 ? steps / 10 : 1) == 0)
            printf("%8.2f ps  %6.0f K  potential %10.4f  total %10.4f eV\n", 1e-3 * step * (n + 1),
                   temperature, potential, total);
    }
    enuf_ewald_destroy(&ewald);
    double msd = 0, unlike, like;
    for (int k = 0; k < 3 * IONS; k++) msd += travelled[k] * travelled[k] / IONS;
    const double near = first_peak(0, &unlike), next = first_peak(1, &like);
    printf("\nfirst peak of g(r): Na-Cl %.2f Angstrom, %.1f high; like ions %.2f, %.1f\n"
           "mean square displacement %.1f Angstrom^2\n"
           "without the bath the energy strayed by %.1e of the kinetic energy\n",
           near, unlike, next, like, msd, strayed / kinetic_energy());
    if (write(n_words > 1 ? words[1] : ".")) return 1;
    return !(strayed < 1e-3 * kinetic_energy() && fabs(near - 2.7) < 0.4 && next > near + 0.8 &&
             fabs(temperature / 1200 - 1) < 0.5);
}
