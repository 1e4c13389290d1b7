/*
 * test_reach.c - when the cell changes step by step, as at constant pressure, errors are not
 * predicted again in every step. A prediction holds for all strains of the cell up to its reach:
 * predicted errors are then at most 0.97 of the requested accuracy A, and the report gives that of
 * the present cell. On a long path of strains, forces have the accuracy A against exact sums. The
 * number of predictions on typical paths is bounded. 200 to 10000 random ions, A = 1e-3 to 1e-11.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include "object/ewald_object.h"
#include "verify/random.h"
#include "choose/reach.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* to = from F, for rows of three numbers. */
static void strained(int64_t rows, const double *from, const double f[9], double *to)
{
    for (int64_t r = 0; r < rows; r++) {
        const double v[3] = {from[3 * r], from[3 * r + 1], from[3 * r + 2]};
        for (int d = 0; d < 3; d++) to[3 * r + d] = v[0] * f[d] + v[1] * f[3 + d] + v[2] * f[6 + d];
    }
}

static void set_strained(enuf_ewald *ewald, const double cell[9], const double f[9])
{
    double now[9];
    strained(3, cell, f, now);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, now), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
}

static enuf_ewald_report report_of(const enuf_ewald *ewald)
{
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    return report;
}

/* The error that a fresh object predicts with the parameters and the cell of this one. */
static double predicted_by_fresh_object(const enuf_ewald *ewald, const charge_system *s)
{
    const enuf_ewald_report r = report_of(ewald);
    enuf_ewald_options options = ewald->options;
    options.split = r.split;
    options.cutoff = r.cutoff;
    options.alpha = r.alpha;
    options.c = r.c;
    options.kmax = r.kmax;
    options.width = r.width;
    options.shape = r.shape;
    memcpy(options.grid, r.grid, sizeof options.grid);
    charge_system now = *s;
    memcpy(now.cell, ewald->geometry.cell, sizeof now.cell);
    enuf_ewald *fresh = make_ewald(&options, &now, NULL);
    CHECK_STATUS(enuf_ewald_update_method(fresh), ENUF_SUCCESS);
    const double predicted = report_of(fresh).predicted;
    enuf_ewald_destroy(&fresh);
    return predicted;
}

/* In [-1, 1). */
static double uniform(uint64_t *state)
{
    return 2 * ldexp((double)(enuf_random(state) >> 11), -53) - 1;
}

/* Strains of the largest size within reach need no new prediction. Their largest predicted error is
 * at most 0.97 A. Without tuning, the report has the prediction of a fresh object in that cell. */
static void errors_within_reach(const charge_system *s, double accuracy, enuf_split split,
                                int tuned)
{
    enum { PLACES = 24 };
    enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    uint64_t state = 9;
    double worst = 0;
    if (tuned) CHECK_STATUS(enuf_ewald_tune(ewald, s->x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
    double f[9], here[9];
    for (int k = 0; k < 9; k++) f[k] = identity[k] * (1 + 1e-6);
    set_strained(ewald, s->cell, f);
    CHECK(ewald->method.parameters.is_predicted);
    memcpy(here, ewald->cell, sizeof here);
    const double reach = ewald->method.parameters.reach.strain;
    CHECK(reach > 0);
    int predictions = 0;
    for (int place = 0; place < PLACES && reach > 0; place++) {
        double strain[9], size = 0;
        /* a smaller cell, a larger one, then random strains */
        for (int k = 0; k < 9; k++)
            strain[k] = place < 2 ? identity[k] * (place ? 1 : -1) : uniform(&state);
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < 9; k++)
                f[k] = identity[k] + (pass ? 0.999 * reach / size : 1e-3) * strain[k];
            double now[9];
            strained(3, here, f, now);
            size = 1e3 * enuf_strain_of(ewald->method.parameters.reach.frame, now);
        }
        set_strained(ewald, here, f);
        predictions += ewald->method.parameters.is_predicted;
        const enuf_ewald_report report = report_of(ewald);
        worst = fmax(worst, report.predicted);
        if (!tuned && place % 6 == 0)
            CHECK_CLOSE(report.predicted, predicted_by_fresh_object(ewald, s), 1e-6,
                        "reported error, predicted by a fresh object");
    }
    printf("%lld ions, %g, %s%s: reach %.2g\n", (long long)s->n, accuracy, enuf_split_name(split),
           tuned ? ", tuned" : "", reach);
    CHECK(predictions == 0);
    CHECK_BELOW(worst, 0.97 * accuracy, "largest predicted error within reach, 0.97 A");
    enuf_ewald_destroy(&ewald);
}

/* One step of a random walk of the deformation f, with a small drift back to no deformation. */
static void step(uint64_t *state, double size, int is_isotropic, double f[9])
{
    const double all = uniform(state);
    for (int k = 0; k < 9; k++) {
        const double by = is_isotropic ? all * identity[k] : k % 3 > k / 3 ? 0 : uniform(state);
        f[k] += size * by - 0.01 * (f[k] - identity[k]);
    }
}

/* Counts the predictions on a random walk, as with a barostat. A report every 50 steps, from the
 * second object, changes nothing. */
static void barostat(const charge_system *s, double accuracy, enuf_split split, double size,
                     int is_isotropic, int most)
{
    enum { STEPS = 1000 };
    enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald *ewald[2] = {make_ewald(&options, s, NULL), make_ewald(&options, s, NULL)};
    uint64_t state = 11;
    int predictions = 0;
    double f[9];
    memcpy(f, identity, sizeof f);
    for (int e = 0; e < 2; e++) {
        ewald[e]->without_mesh = 1; /* the mesh takes most of the time and affects no prediction */
        CHECK_STATUS(enuf_ewald_update_method(ewald[e]), ENUF_SUCCESS);
    }
    for (int k = 0; k < STEPS; k++) {
        step(&state, size, is_isotropic, f);
        for (int e = 0; e < 2; e++) set_strained(ewald[e], s->cell, f);
        if (k % 50 == 0) (void)report_of(ewald[1]);
        predictions += ewald[0]->method.parameters.is_predicted;
    }
    const enuf_parameters *a = &ewald[0]->method.parameters, *b = &ewald[1]->method.parameters;
    CHECK(memcmp(&a->reach, &b->reach, sizeof a->reach) == 0 && a->k_c == b->k_c);
    printf("%lld ions, %g, %s, steps of %g%s\n", (long long)s->n, accuracy, enuf_split_name(split),
           size, is_isotropic ? "" : ", sheared");
    CHECK_BELOW(predictions, most, "predictions in 1000 steps");
    enuf_ewald_destroy(&ewald[0]);
    enuf_ewald_destroy(&ewald[1]);
}

/* The tilt fluctuates about half an edge, where two bases are equally short. With `flips` the host
 * takes the shorter tilt, as LAMMPS flips its box; else it keeps the tilt. */
static void tilts_about_half_an_edge(const charge_system *s, double accuracy, enuf_split split,
                                     int flips)
{
    enum { STEPS = 300 };
    enuf_ewald_options options = options_for(accuracy, split);
    charge_system now = copy_system(s);
    enuf_ewald *ewald = make_ewald(&options, &now, NULL);
    uint64_t state = 13;
    int predictions = 0;
    const double edge = now.cell[0];
    ewald->without_mesh = 1;
    for (int step = 0; step < STEPS; step++) {
        const double tilt = edge * (0.5 + 1e-4 * uniform(&state));
        now.cell[3] = flips && tilt > 0.5 * edge ? tilt - edge : tilt;
        CHECK_STATUS(enuf_ewald_set_cell(ewald, now.cell), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
        predictions += ewald->method.parameters.is_predicted;
    }
    printf("tilts about half an edge, %s%s: ", enuf_split_name(split), flips ? ", flipped" : "");
    CHECK_BELOW(predictions, 3, "predictions in 300 steps");
    enuf_ewald_destroy(&ewald);
    free_system(&now);
}

/* Charges fluctuate by 0.1 %, as with charge equilibration or polarizable models. */
static void fluctuating_charges(const charge_system *s)
{
    enum { STEPS = 100 };
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    charge_system now = copy_system(s);
    uint64_t state = 12;
    int predictions = 0;
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
    for (int k = 0; k < STEPS; k++) {
        for (int64_t i = 0; i < s->n; i += 2) {
            const double by = 1e-3 * uniform(&state);
            now.q[i] = s->q[i] + by;
            now.q[i + 1] = s->q[i + 1] - by;
        }
        CHECK_STATUS(enuf_ewald_set_charges(ewald, s->n, now.q, NULL), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
        predictions += ewald->method.parameters.is_predicted;
    }
    CHECK_BELOW(predictions, 2, "predictions as charges fluctuate by 0.1 %, in 100 steps");
    enuf_ewald_destroy(&ewald);
    free_system(&now);
}

/* The cell becomes a tenth smaller, a tenth larger, goes back edge by edge, is tilted by 0.6 edges
 * and back, and tilted along another edge: 100 steps each. */
static void long_path(double accuracy, enuf_split split)
{
    enum { LEG = 100, LEGS = 6, COMPARED = 20 };
    const double leg[LEGS][9] = {
        {-0.1, 0, 0, 0, -0.1, 0, 0, 0, -0.1}, {0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2},
        {-0.1, 0, 0, 0, 0, 0, 0, 0, 0},       {0, 0, 0, 0, -0.1, 0, 0, 0, -0.1},
        {0, 0, 0, 0.6, 0, 0, 0, 0, 0},        {0, 0, 0, -0.6, 0, 0, 0.6, 0, 0},
    };
    charge_system s = make_ions(301, 200, CELL_CUBIC, 0);
    charge_system now = copy_system(&s);
    enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result r = make_result(s.n);
    double f[9], measured = 0, predicted = 0;
    int predictions = 0, choices = 0;
    double cutoff = 0;
    memcpy(f, identity, sizeof f);
    for (int k = 0; k < LEG * LEGS; k++) {
        for (int c = 0; c < 9; c++) f[c] += leg[k / LEG][c] / LEG;
        set_strained(ewald, s.cell, f);
        predictions += ewald->method.parameters.is_predicted;
        choices += ewald->method.parameters.splitting.cutoff != cutoff;
        cutoff = ewald->method.parameters.splitting.cutoff;
        if (k % COMPARED != COMPARED - 1) continue;
        memcpy(now.cell, ewald->cell, sizeof now.cell);
        strained(s.n, s.x, f, now.x);
        CHECK_STATUS(enuf_ewald_compute(ewald, now.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
        predicted = fmax(predicted, report_of(ewald).predicted);
        enuf_ewald_result exact = evaluate_exactly(&options, &now, NULL);
        measured =
            fmax(measured, rms_difference(s.n, r.forces, exact.forces) / reference_force(&now));
        free_result(&exact);
    }
    printf("%s, %g: %d predictions, %d choices in %d steps\n", enuf_split_name(split), accuracy,
           predictions, choices, LEG * LEGS);
    CHECK_BELOW(measured, accuracy, "largest RMS force error / F_ref on a long path, A");
    CHECK_BELOW(predicted, accuracy, "largest predicted error, A");
    CHECK_BELOW(predictions, LEG * LEGS * 2 / 3, "predictions on a long path");
    enuf_ewald_destroy(&ewald);
    free_result(&r);
    free_system(&now);
    free_system(&s);
}

/* enuf_strain_of() is |F - 1|_2 for a stretch and a shear, and at least that for a rotation. */
static void strain_is_a_bound(void)
{
    const double cell[9] = {3, 0, 0, 1, 4, 0, -1, 0.5, 5}, angle = 0.01;
    const double turned[9] = {cos(angle), sin(angle), 0, -sin(angle), cos(angle), 0, 0, 0, 1};
    const double stretched[9] = {1.02, 0, 0, 0, 0.99, 0, 0, 0, 1};
    const double sheared[9] = {1, 0, 0, 0.03, 1, 0, 0, 0, 1};
    enuf_cell_geometry geometry;
    double now[9];
    CHECK_STATUS(enuf_cell_geometry_make(cell, &geometry), ENUF_SUCCESS);
    strained(3, cell, stretched, now);
    CHECK_CLOSE(enuf_strain_of(geometry.frame, now), 0.02, 1e-12, "strain of a stretched cell");
    strained(3, cell, sheared, now);
    CHECK_CLOSE(enuf_strain_of(geometry.frame, now), 0.03, 1e-12, "strain of a sheared cell");
    strained(3, cell, turned, now);
    CHECK(enuf_strain_of(geometry.frame, now) >= 2 * sin(angle / 2) * (1 - 1e-12));
}

int main(void)
{
    const enuf_split splits[2] = {ENUF_SPLIT_GAUSSIAN, ENUF_SPLIT_PROLATE};
    charge_system few = make_ions(302, 200, CELL_CUBIC, 0);
    charge_system some = make_ions(303, 1000, CELL_TRICLINIC, 0);
    charge_system many = make_ions(304, 10000, CELL_CUBIC, 0);
    strain_is_a_bound();
    for (int k = 0; k < 2; k++) {
        errors_within_reach(&few, 1e-3, splits[k], 0);
        errors_within_reach(&some, 1e-4, splits[k], 0);
        errors_within_reach(&some, 1e-6, splits[k], 1);
        errors_within_reach(&many, 1e-6, splits[k], 0);
        errors_within_reach(&few, 1e-11, splits[k], 0);
        barostat(&some, 1e-4, splits[k], 1e-6, 0, 3);
        barostat(&some, 1e-4, splits[k], 1e-4, 1, 3);
        barostat(&many, 1e-6, splits[k], 1e-5, 0, 3);
        barostat(&many, 1e-4, splits[k], 1e-3, 1, 20);
        long_path(k ? 1e-7 : 1e-4, splits[k]);
    }
    for (int k = 0; k < 4; k++) tilts_about_half_an_edge(&few, 1e-5, splits[k / 2], k % 2);
    fluctuating_charges(&some);
    free_system(&few);
    free_system(&some);
    free_system(&many);
    return check_result();
}
