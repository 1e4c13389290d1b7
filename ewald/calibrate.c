/*
 * calibrate.c - the error estimate made true for the positions at hand.
 *
 * The estimates hold for charges without correlation. Ions that screen each other make errors
 * several times smaller, a crystal may make larger ones. So the error is measured, on a sample
 * against exact sums or, of many charges, on all against a finer mesh; its ratio to the prediction
 * is the calibration: parameters are chosen again for the request over it until what is measured
 * fits. The reference is made once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "calibration.h"
#include "sample.h"

#include <math.h>

enum { SAMPLE = 128, TRIES = 6 };

/* Of the request, what may be measured on the sample: the error of all atoms lies within some
 * 1/sqrt(2 SAMPLE) of it; and below what part of the request cheaper parameters are looked for. */
static const double MOST = 0.9, LEAST = 0.45;

/* Exact sums take some 15 microseconds a charge on two cores, so that for more charges a finer mesh
 * takes less, and tells of them all. */
static const int64_t MOST_EXACT = 10000;

/* Below this accuracy rounding takes part, which no calibration scales. */
static const double TIGHTEST = 1e-11;

/* The energy is promised to 20 A; half of that stays free for its scatter. */
static const double ENERGY_SHARE = 10;

/* Forces of a crystal vanish, and with them their errors; the energy's do not. */
static double error_in_accuracy(const enuf_ewald_error *e)
{
    double energy = e->energy_scale > 0 ? e->energy / e->energy_scale : 0;
    return fmax(e->accuracy, energy / ENERGY_SHARE);
}

/* The prediction for random charges, without what no order of theirs changes: their own force on
 * the mesh and rounding. */
static double random_error(const enuf_ewald *ewald)
{
    enuf_parameters p = ewald->method.parameters;
    p.own = p.rounding = 0;
    return enuf_total_error(&p) / ewald->calibration;
}

/* Measures the method in use; *ratio: measured over the prediction for random charges. */
static enuf_status measure(const enuf_ewald *ewald, const enuf_calibration_steps *steps,
                           double *error, double *ratio)
{
    enuf_ewald_error found;
    ENUF_TRY(steps->measure(steps->context, &found));
    *error = error_in_accuracy(&found);
    const enuf_parameters *p = &ewald->method.parameters;
    const double others = *error * *error - p->own * p->own - p->rounding * p->rounding;
    *ratio = sqrt(fmax(others, 0)) / random_error(ewald);
    *ratio = fmin(fmax(*ratio, 1e-6), ENUF_GREATEST_CALIBRATION);
    return ENUF_SUCCESS;
}

/*
 * Chooses and measures until the error fits. A choice that fits is kept as the fallback of a bolder
 * one; the grid's sizes are steps, so that the ratio changes from one choice to the next.
 */
enuf_status enuf_calibration_search(enuf_ewald *ewald, const enuf_calibration_steps *steps)
{
    double fitting = 0, error, ratio, used = 0, estimate = 0;
    for (int k = 0; k < TRIES; k++) {
        if (k > 0) ENUF_TRY(steps->choose(steps->context)); /* the first choice is the caller's */
        ENUF_TRY(measure(ewald, steps, &error, &ratio));
        double requested = ewald->method.requested, last = estimate;
        used = ewald->calibration;
        estimate = random_error(ewald);
        int fits = error <= MOST * requested;
        if (fits && (fitting == 0 || used < fitting)) fitting = used;
        int bold_enough = error >= LEAST * requested || used <= ENUF_LEAST_CALIBRATION;
        if (fits && (bold_enough || fitting < used)) break;
        if (!fits && fitting > 0) break; /* the last one that fitted will do */
        if (estimate == last) break;     /* explicit options leave no other choice */
        double next = fits ? fmax(ratio, used / 3) : fmax(ratio, 1.2 * used);
        if (next >= ENUF_GREATEST_CALIBRATION || fabs(next / used - 1) < 0.02) break;
        ewald->calibration = next;
    }
    if (fitting > 0 && fitting != used) {
        ewald->calibration = fitting;
        ENUF_TRY(steps->choose(steps->context));
        ENUF_TRY(measure(ewald, steps, &error, &ratio));
    }
    /* what was measured is what the prediction says from here on; of this configuration even where
     * its charges pull themselves less than others would */
    enuf_parameters *p = &ewald->method.parameters;
    enuf_ewald_apply_calibration(ratio / ewald->calibration, p);
    ewald->calibration = ratio;
    const double of_this = fmin(error / p->predicted, 1);
    p->own *= of_this;
    p->rounding *= of_this;
    enuf_ewald_apply_calibration(of_this, p);
    return ENUF_SUCCESS;
}

int enuf_calibration_by_finer_mesh(const enuf_ewald *ewald)
{
    return ewald->charges.n_charged > MOST_EXACT;
}

int enuf_calibration_is_due(const enuf_ewald *ewald)
{
    /* deterministic: parameters must be the same for other positions */
    return ewald->charges.n_charged > 0 && !ewald->options.deterministic &&
           ewald->method.requested >= TIGHTEST;
}

/* One process. */
typedef struct one_process {
    enuf_ewald *ewald;
    const double *positions;
    int64_t stride;
    enuf_sample sample;
} one_process;

static enuf_status choose_alone(void *context)
{
    return enuf_ewald_choose(((one_process *)context)->ewald);
}

static enuf_status measure_alone(void *context, enuf_ewald_error *found)
{
    one_process *o = context;
    return enuf_sample_measure(o->ewald, o->positions, o->stride, &o->sample, found);
}

static enuf_status make_reference(const enuf_ewald *ewald, const double *positions, int64_t stride,
                                  enuf_sample *sample)
{
    if (enuf_calibration_by_finer_mesh(ewald)) {
        enuf_status status =
            enuf_sample_make(ewald, positions, stride, 0, 1, ENUF_REFERENCE_FINER, sample);
        if (status != ENUF_OUT_OF_MEMORY) return status; /* the finer mesh needs more of it */
        enuf_sample_release(sample);
    }
    return enuf_sample_make(ewald, positions, stride, SAMPLE, 1, ENUF_REFERENCE_EXACT, sample);
}

enuf_status enuf_ewald_calibrate(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    double before = ewald->calibration;
    ewald->calibration = 1;
    enuf_status status = enuf_ewald_choose(ewald);
    if (status == ENUF_SUCCESS && enuf_calibration_is_due(ewald)) {
        one_process one = {.ewald = ewald, .positions = positions, .stride = stride};
        const enuf_calibration_steps steps = {&one, choose_alone, measure_alone};
        status = make_reference(ewald, positions, stride, &one.sample);
        if (status == ENUF_SUCCESS) status = enuf_calibration_search(ewald, &steps);
        enuf_sample_release(&one.sample);
    }
    if (status != ENUF_SUCCESS) {
        ewald->calibration = before;
        ewald->stale = 1;
    }
    return status;
}
