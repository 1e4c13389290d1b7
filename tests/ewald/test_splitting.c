/*
 * test_splitting.c - both splittings. Their functions agree with quadratures of their definition,
 * to rounding. Sums of prolate pairs and modes give the exact Ewald energy and forces. The
 * estimates of the errors by cutoff and k_c agree within 10 % (slabs: 25 %) with errors measured
 * against exact sums, for 24 systems of 160 uncorrelated charges. Parameters chosen for an error
 * have that error. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "chebyshev.h"
#include "random_system.h"
#include "choose/splitting.h"
#include "choose/transform_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 300, MOST = 160, SYSTEMS = 24 };

static const double pi = 3.14159265358979323846;
static double node[NODES], weight[NODES];

static enuf_splitting gaussian(double alpha, double cutoff)
{
    enuf_splitting splitting;
    CHECK(enuf_splitting_gaussian(alpha, cutoff, &splitting) == ENUF_SUCCESS);
    return splitting;
}

static enuf_splitting prolate(double c, double cutoff)
{
    enuf_splitting splitting;
    CHECK(enuf_splitting_prolate(c, cutoff, &splitting) == ENUF_SUCCESS);
    return splitting;
}

/* ---- the table of the transform ------------------------------------------------------------ */

/* The table agrees with the series, whose n terms of at most psi(0) have roundings too. */
static void check_transform_table(const enuf_splitting *splitting)
{
    enum { STEPS = 5000 };
    static enuf_transform_table table;
    const double band = splitting->kind == ENUF_SPLIT_PROLATE ? enuf_splitting_band(splitting)
                                                              : 12 * splitting->alpha;
    double worst = 0, worst_d = 0, worst_bend = 0, chi, chi_d, at, at_d;
    enuf_transform_table_make(splitting, &table);
    for (int i = 0; i <= STEPS; i++) {
        const double k = band * i / STEPS;
        enuf_splitting_transform(splitting, k, &chi, &chi_d);
        enuf_transform_table_at(&table, splitting, k, &at, &at_d);
        worst = fmax(worst, fabs(at - chi));
        worst_d = fmax(worst_d, fabs(at_d - chi_d));
        const double bend = enuf_transform_table_bend_at(&table, splitting, k);
        worst_bend = fmax(worst_bend, fabs(bend - enuf_splitting_transform_bend(splitting, k)));
    }
    printf("c %g, %d pieces\n", splitting->c, table.n_pieces);
    CHECK_BELOW(worst, 1e-15, "chi_hat of the table");
    /* the slopes of the series lose digits as c grows */
    CHECK_BELOW(worst_d, 2e-15 * fmax(1, splitting->c / 40), "chi_hat D of the table");
    CHECK_BELOW(worst_bend, 1e-11, "(k d/dk)^2 chi_hat of the table");
    enuf_transform_table_at(&table, splitting, 1.001 * band, &at, &at_d);
    if (splitting->kind == ENUF_SPLIT_PROLATE) CHECK(at == 0 && at_d == 0);
}

static void transform_tables_agree_with_the_series(void)
{
    const double bandwidths[] = {0.5, 3, 7.9, 12, 24.3, 38, 70, 128, 131};
    for (size_t i = 0; i < sizeof bandwidths / sizeof *bandwidths; i++) {
        const enuf_splitting splitting = prolate(bandwidths[i], 1.3);
        check_transform_table(&splitting);
    }
    const enuf_splitting splitting = gaussian(2.5, 1.3);
    check_transform_table(&splitting);
}

/* ---- definitions -------------------------------------------------------------------------- */

/* All functions of a splitting follow from the density Phi'/2, by quadrature over [0, end]. */
static void check_definitions(const enuf_splitting *splitting, double end, const char *name)
{
    double r_c = splitting->cutoff, worst_inside = 0, worst_chi = 0, worst_slope = 0,
           worst_bend = 0;
    double at_0, density;
    enuf_splitting_inside(splitting, 0, &at_0);
    printf("%s\n", name);
    CHECK_BELOW(enuf_splitting_inside(splitting, 0, NULL), 0, "Phi(0)");
    CHECK_CLOSE(enuf_splitting_inside(splitting, end, NULL), 1, 3e-16, "Phi at the end");
    CHECK_CLOSE(splitting->self * r_c, at_0, 4e-16, "self: the limit of Phi/x");
    for (int step = 1; step <= 20; step++) {
        double x = step * end / 20, k = step * 0.7 / r_c, chi, chi_d;
        double inside = 0, transform = 0, slope = 0, bend = 0;
        for (int i = 0; i < NODES; i++) {
            double y = (1 + node[i]) / 2;
            enuf_splitting_inside(splitting, x * y, &density);
            inside += weight[i] * x / 2 * density;
            enuf_splitting_inside(splitting, end * y, &density);
            density *= weight[i] * end / 2;
            transform += density * cos(k * r_c * end * y);
            slope -= density * k * r_c * end * y * sin(k * r_c * end * y);
            bend -= density * k * r_c * end * y *
                    (sin(k * r_c * end * y) + k * r_c * end * y * cos(k * r_c * end * y));
        }
        worst_inside = fmax(worst_inside, fabs(inside - enuf_splitting_inside(splitting, x, NULL)));
        if (k > enuf_splitting_band(splitting)) continue;
        enuf_splitting_transform(splitting, k, &chi, &chi_d);
        worst_chi = fmax(worst_chi, fabs(chi - transform));
        worst_slope = fmax(worst_slope, fabs(chi_d - slope) / (1 + k * r_c));
        worst_bend = fmax(worst_bend, fabs(enuf_splitting_transform_bend(splitting, k) - bend) /
                                          (1 + k * k * r_c * r_c));
    }
    CHECK_BELOW(worst_inside, 2e-15, "Phi: integral of Phi'");
    CHECK_BELOW(worst_chi, 2e-15, "chi_hat: cosine transform of Phi'");
    CHECK_BELOW(worst_slope, 2e-15, "chi_hat D: k times its derivative, over 1 + k r_c");
    CHECK_BELOW(worst_bend, 4e-15, "(k d/dk)^2 chi_hat, over 1 + (k r_c)^2");
    double moment = 0;
    for (int i = 0; i < NODES; i++) {
        double x = end / 2 * (1 + node[i]);
        enuf_splitting_inside(splitting, x, &density);
        moment += weight[i] * end / 2 * x * x * density;
    }
    /* 1/2 of the transform of the pair part at k = 0 */
    CHECK_CLOSE(splitting->background, pi * r_c * r_c * moment, 3e-15, "background: second moment");
}

/*
 * dQ/ds = -R/2, so the integral of R must be a difference of Q; Q(0) is the self term; and
 * Q(s) = Phi/x. These conditions determine Q and R. At `seam`, where a series and a closed form
 * meet, R must not jump.
 */
static void check_pair_functions(const enuf_splitting *splitting, double seam, const char *name)
{
    double r_c = splitting->cutoff, q_0 = enuf_splitting_q(0, splitting), worst = 0;
    double r_0 = enuf_splitting_r(0, splitting), worst_r = 0;
    for (double s = 0x1p-20; s <= 1; s *= 2) {
        double sum = 0, x = sqrt(s), density;
        for (int i = 0; i < NODES; i++)
            sum += weight[i] * s / 4 * enuf_splitting_r(s / 2 * (1 + node[i]), splitting);
        worst = fmax(worst, fabs(q_0 - sum - enuf_splitting_q(s, splitting)));
        double inside = enuf_splitting_inside(splitting, x, &density);
        CHECK(fabs(enuf_splitting_q(s, splitting) - inside / x) <= 6e-16 * q_0);
        worst_r =
            fmax(worst_r, fabs((enuf_splitting_r(s, splitting) * s * x) - (inside - x * density)) /
                              (inside + x * density));
    }
    printf("%s\n", name);
    CHECK_CLOSE(q_0, splitting->self * r_c, 4e-16, "Q(0): the self term");
    CHECK_BELOW(worst / q_0, 3e-15, "Q(s) by integral of R, over Q(0)");
    CHECK_BELOW(worst_r, 5e-16, "R x^3 = Phi - x Phi', over Phi + x Phi'");
    CHECK_CLOSE(enuf_splitting_r(1e-14, splitting), r_0, 1e-11, "R near 0");
    if (seam < 1) {
        double below = enuf_splitting_r(seam * (1 - 1e-15), splitting);
        double above = enuf_splitting_r(seam * (1 + 1e-15), splitting);
        /* R itself changes by 1e-15 s R'/R, at most 2e-15 */
        CHECK_CLOSE(above, below, 4e-15, "R at the seam");
    }
}

static void functions_agree_with_their_definition(void)
{
    static const double steepness[] = {0.5, 1, 2, 4, 8};
    for (int i = 0; i < 5; i++) {
        char name[64];
        double a = steepness[i];
        enuf_splitting g = gaussian(a / 9, 9);
        snprintf(name, sizeof name, "Gaussian, alpha r_c = %g", a);
        check_definitions(&g, 6.2 / a, name);
        check_pair_functions(&g, 2 / (a * a), name);
        CHECK_CLOSE(enuf_splitting_r(0, &g), 4 * a * a * a / (3 * sqrt(pi)), 1e-15, "R(0)");
    }
    static const double bandwidths[] = {0.5, 3, 10, 20, 40, 100};
    for (int i = 0; i < 6; i++) {
        char name[64];
        double c = bandwidths[i];
        enuf_splitting p = prolate(c, 9);
        snprintf(name, sizeof name, "prolate, c = %g", c);
        check_definitions(&p, 1, name);
        check_pair_functions(&p, 0.25 / c, name);
        double slope, chi, chi_d;
        CHECK(enuf_splitting_inside(&p, 1.5, &slope) == 1 && slope == 0);
        enuf_splitting_transform(&p, enuf_splitting_band(&p) * (1 + 1e-15), &chi, &chi_d);
        CHECK(chi == 0 && chi_d == 0);
    }
}

/* ---- sums with any splitting, one by one -------------------------------------------------- */

typedef struct ions {
    double edge, slab; /* of the cube; factor of the slab, or 0 */
    int64_t n;
    double positions[3 * MOST], charges[MOST], forces[3 * MOST];
    double energy;
} ions;

/* Uncorrelated charges, as the estimates assume. */
static void make_ions(uint64_t seed, int64_t n, double edge, ions *system)
{
    memset(system, 0, sizeof *system);
    system->n = n;
    system->edge = edge;
    random_numbers(seed, 3 * n, 0, edge, system->positions);
    for (int64_t i = 0; i < n; i++) system->charges[i] = i % 2 ? -1 : 1;
}

static double sum_q2(const ions *system)
{
    double sum = 0;
    for (int64_t i = 0; i < system->n; i++) sum += system->charges[i] * system->charges[i];
    return sum;
}

/* Adds the pairs of nearest images, so the cutoff must be at most edge/2. */
static void add_pairs(const enuf_splitting *splitting, ions *system)
{
    double r_c = splitting->cutoff;
    for (int64_t i = 0; i < system->n; i++)
        for (int64_t j = 0; j < i; j++) {
            double x[3], r2 = 0;
            for (int a = 0; a < 3; a++) {
                x[a] = system->positions[3 * i + a] - system->positions[3 * j + a];
                x[a] -= system->edge * round(x[a] / system->edge);
                r2 += x[a] * x[a];
            }
            if (r2 > r_c * r_c) continue;
            double s = r2 / (r_c * r_c), r = sqrt(r2);
            double qq = system->charges[i] * system->charges[j];
            double f = qq * (1 / (r2 * r) - enuf_splitting_r(s, splitting) / (r_c * r_c * r_c));
            system->energy += qq * (1 / r - enuf_splitting_q(s, splitting) / r_c);
            for (int a = 0; a < 3; a++) {
                system->forces[3 * i + a] += f * x[a];
                system->forces[3 * j + a] -= f * x[a];
            }
        }
}

/* Adds the modes |k| <= k_c, self term and background. */
static void add_modes(const enuf_splitting *splitting, double k_c, ions *system)
{
    double unit = 2 * pi / system->edge, volume = pow(system->edge, 3), charge = 0;
    int m = (int)(k_c / unit);
    static double c[MOST], s[MOST];
    for (int mx = 0; mx <= m; mx++)
        for (int my = -m; my <= m; my++)
            for (int mz = -m; mz <= m; mz++) {
                double k[3] = {mx * unit, my * unit, mz * unit}, chi, chi_d, re = 0, im = 0;
                double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
                if (k2 == 0 || k2 > k_c * k_c) continue;
                enuf_splitting_transform(splitting, sqrt(k2), &chi, &chi_d);
                double g = (mx > 0 ? 2 : 1) * 4 * pi * chi / (k2 * volume);
                for (int64_t i = 0; i < system->n; i++) {
                    const double *x = system->positions + 3 * i;
                    double phase = k[0] * x[0] + k[1] * x[1] + k[2] * x[2];
                    c[i] = cos(phase);
                    s[i] = sin(phase);
                    re += system->charges[i] * c[i];
                    im += system->charges[i] * s[i];
                }
                system->energy += g / 2 * (re * re + im * im);
                for (int64_t i = 0; i < system->n; i++) {
                    double f = system->charges[i] * g * (re * s[i] - im * c[i]);
                    for (int a = 0; a < 3; a++) system->forces[3 * i + a] += f * k[a];
                }
            }
    for (int64_t i = 0; i < system->n; i++) charge += system->charges[i];
    system->energy -= splitting->self / 2 * sum_q2(system);
    system->energy -= splitting->background * charge * charge / volume;
}

/* enuf_exact_ewald(); it chooses parameters that are 0. */
static void exact(double alpha, double cutoff, double k_c, ions *system)
{
    enuf_exact_options options;
    enuf_exact_options_init(&options);
    double tall = system->slab > 0 ? system->slab : 1;
    options.alpha = alpha;
    options.cutoff = cutoff;
    options.kmax = k_c * system->edge * cbrt(tall) / (2 * pi);
    options.slab = system->slab;
    const double a = system->edge, cell[9] = {a, 0, 0, 0, a, 0, 0, 0, a};
    enuf_exact_result result = {.forces = system->forces};
    CHECK_STATUS(enuf_exact_ewald(&options, cell, system->n, system->positions, 3, system->charges,
                                  NULL, 0, NULL, &result),
                 ENUF_SUCCESS);
    system->energy = result.energy;
}

/* RMS of |difference of the forces| over the atoms. */
static double rms_difference(const ions *a, const ions *b)
{
    double sum = 0;
    for (int64_t i = 0; i < 3 * a->n; i++) sum += pow(a->forces[i] - b->forces[i], 2);
    return sqrt(sum / (double)a->n);
}

/* The RMS force error dF in the unit of the estimates, dF sqrt(N V r_c)/sum q^2. */
static double measured_error(const ions *sum, const ions *reference, double r_c)
{
    double volume = pow(sum->edge, 3) * (sum->slab > 0 ? sum->slab : 1);
    return rms_difference(sum, reference) * sqrt((double)sum->n * volume * r_c) / sum_q2(sum);
}

/* At c = 36 the truncation is 1e-14. One positive ion more, so that the background counts. */
static void prolate_sums_give_the_ewald_energy_and_forces(void)
{
    static ions reference, sum;
    make_ions(5, 41, 6, &reference);
    make_ions(5, 41, 6, &sum);
    enuf_splitting splitting = prolate(36, 2.9);
    exact(0, 0, 0, &reference);
    add_pairs(&splitting, &sum);
    add_modes(&splitting, enuf_splitting_band(&splitting), &sum);
    double eps = enuf_splitting_truncation_error(&splitting, INFINITY);
    double expected = eps * sum_q2(&sum) / sqrt(41 * pow(6, 3) * 2.9);
    printf("predicted error of forces %.1e\n", expected);
    /* three times the truncation, plus rounding: the largest force is about 1e2 */
    CHECK_BELOW(rms_difference(&sum, &reference), 3 * expected + 3e-14, "forces, prolate c = 36");
    CHECK_CLOSE(sum.energy, reference.energy, 5e-14, "energy, prolate c = 36");
}

/* ---- error estimates ---------------------------------------------------------------------- */

/*
 * Just beyond a sphere there are few modes, in shells, while the estimates are integrals. So errors
 * are RMS over systems of different sizes, which scatters by a few per cent.
 */
static const double scatter = 0.1;

typedef void (*method)(const enuf_splitting *splitting, double k_c, ions *system);

static void gaussian_pairs_only_cut(const enuf_splitting *splitting, double k_c, ions *system)
{
    (void)k_c;
    exact(splitting->alpha, splitting->cutoff, 0, system);
}

static void gaussian_modes_only_cut(const enuf_splitting *splitting, double k_c, ions *system)
{
    exact(splitting->alpha, 0, k_c, system);
}

static void prolate_modes_cut(const enuf_splitting *splitting, double k_c, ions *system)
{
    add_pairs(splitting, system);
    add_modes(splitting, k_c, system);
}

static void make_system(int number, double slab, ions *system)
{
    make_ions((uint64_t)number + 1, MOST, 9 + 0.1 * number, system);
    system->slab = slab;
}

static double measure(method calculate, const enuf_splitting *splitting, double k_c, double slab)
{
    static ions references[SYSTEMS], sum;
    double square = 0;
    for (int i = 0; i < SYSTEMS; i++) {
        if (references[i].n == 0 || references[i].slab != slab) {
            make_system(i, slab, &references[i]);
            exact(0, 0, 0, &references[i]);
        }
        make_system(i, slab, &sum);
        calculate(splitting, k_c, &sum);
        square += pow(measured_error(&sum, &references[i], splitting->cutoff), 2) / SYSTEMS;
    }
    return sqrt(square);
}

static void gaussian_estimates_are_measured(void)
{
    for (double a = 1.5; a < 4.5; a += 1) {
        enuf_splitting g = gaussian(a / 3.5, 3.5);
        double k_c = 5 * a / 3.5;
        printf("alpha r_c = %g\n", a);
        CHECK_CLOSE(measure(gaussian_pairs_only_cut, &g, 0, 0), enuf_splitting_real_error(&g),
                    scatter, "real error, measured and predicted");
        CHECK_CLOSE(measure(gaussian_modes_only_cut, &g, k_c, 0),
                    enuf_splitting_truncation_error(&g, k_c), scatter,
                    "truncation, measured and predicted");
    }
}

/* With the whole band, and with 0.9 and 0.7 of it. */
static void prolate_estimates_are_measured(void)
{
    static const double parts[] = {1, 0.9, 0.7};
    for (double c = 7; c < 14; c += 3)
        for (int i = 0; i < 3; i++) {
            enuf_splitting p = prolate(c, 3.5);
            double k_c = parts[i] * enuf_splitting_band(&p);
            printf("c = %g, %g of the band\n", c, parts[i]);
            CHECK_CLOSE(measure(prolate_modes_cut, &p, k_c, 0),
                        enuf_splitting_truncation_error(&p, k_c), scatter,
                        "truncation, measured and predicted");
        }
}

/*
 * In a slab the charges near an atom fill the slab's volume, not the extended cell, and the error
 * field of a truncation has a range of only 1/(its width in k). So both errors are those of the
 * slab's volume, up to a half less near its faces. The extended volume would predict sqrt(3) less.
 */
static void slab_estimates_use_the_slabs_own_volume(void)
{
    for (double a = 1.5; a < 4; a += 1) {
        enuf_splitting g = gaussian(a / 3.5, 3.5);
        double k_c = 5 * a / 3.5;
        double modes = measure(gaussian_modes_only_cut, &g, k_c, 3) / sqrt(3);
        double pairs = measure(gaussian_pairs_only_cut, &g, 0, 3) / sqrt(3);
        printf("slab, alpha r_c = %g\n", a);
        CHECK_CLOSE(modes, enuf_splitting_truncation_error(&g, k_c), 0.25, "truncation");
        CHECK_CLOSE(pairs, enuf_splitting_real_error(&g), 0.25, "real error");
    }
}

/* ---- parameters for a given error --------------------------------------------------------- */

static void parameters_give_the_requested_error(void)
{
    for (double eps = 1; eps > 5e-16; eps /= 10) {
        double alpha = enuf_gaussian_alpha_for(eps, 9), c = enuf_prolate_c_for(eps);
        double k_c = enuf_gaussian_band_for(eps, alpha, 9);
        enuf_splitting g = gaussian(alpha, 9), p = prolate(c, 9);
        printf("eps %.0e: alpha r_c %.3f, k_c r_c %.3f, c %.3f\n", eps, 9 * alpha, 9 * k_c, c);
        CHECK_CLOSE(enuf_splitting_real_error(&g), eps, 1e-12, "real error, eps");
        CHECK_CLOSE(enuf_splitting_truncation_error(&g, k_c), eps, 1e-12, "truncation, eps");
        double band = enuf_splitting_band(&p), error = enuf_splitting_truncation_error(&p, band);
        CHECK_CLOSE(error, eps, 2e-6, "prolate truncation, eps");
        CHECK(error <= eps);
        CHECK(enuf_splitting_real_error(&p) == 0);
        /* the whole band and a band that ends just before agree */
        CHECK_CLOSE(enuf_splitting_truncation_error(&p, band * (1 - 1e-9)), error, 1e-5,
                    "prolate truncation just inside the band");
        /* the error is 1 - 0.17/c times the leading term 4 sqrt(pi c) exp(-c) */
        if (c > 5) CHECK_CLOSE(error, 4 * sqrt(pi * c) * exp(-c), 0.2 / c, "leading term");
    }
    CHECK(isnan(enuf_gaussian_alpha_for(0, 9)) && isnan(enuf_prolate_c_for(-1)));
    CHECK(isnan(enuf_gaussian_band_for(NAN, 1, 9)));
    CHECK(enuf_prolate_c_for(1e-200) == 300 && enuf_prolate_c_for(10) <= 1e-3);
}

/* At c = 12 the estimate changes between two forms of 1 - mu. */
static void prolate_error_has_no_step(void)
{
    enuf_splitting below = prolate(12 * (1 - 1e-9), 1), above = prolate(12 * (1 + 1e-9), 1);
    CHECK_CLOSE(enuf_splitting_truncation_error(&above, INFINITY),
                enuf_splitting_truncation_error(&below, INFINITY), 2e-5, "prolate error at c = 12");
}

static void impossible_splittings_are_refused(void)
{
    enuf_splitting splitting = gaussian(1, 2);
    CHECK_STATUS(enuf_splitting_gaussian(-1, 9, &splitting), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("alpha = -1");
    CHECK_STATUS(enuf_splitting_gaussian(0.3, INFINITY, &splitting), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("cutoff = inf");
    CHECK_STATUS(enuf_splitting_prolate(301, 9, &splitting), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("c = 301");
    CHECK_STATUS(enuf_splitting_prolate(10, 0, &splitting), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("cutoff = 0");
    CHECK_STATUS(enuf_splitting_prolate(NAN, 9, &splitting), ENUF_BAD_ARGUMENT);
    CHECK(splitting.alpha == 1 && splitting.cutoff == 2);
}

int main(void)
{
    enuf_gauss_legendre(NODES, node, weight);
    functions_agree_with_their_definition();
    transform_tables_agree_with_the_series();
    prolate_sums_give_the_ewald_energy_and_forces();
    gaussian_estimates_are_measured();
    prolate_estimates_are_measured();
    slab_estimates_use_the_slabs_own_volume();
    parameters_give_the_requested_error();
    prolate_error_has_no_step();
    impossible_splittings_are_refused();
    return check_result();
}
