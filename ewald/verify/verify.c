/*
 * verify.c - verifies parameters that were chosen without positions, at the first positions.
 *
 * The estimates hold for uncorrelated charges. Charged walls and shaken lattices have strong modes
 * and may err several times more, by truncation or by aliasing of modes far beyond k_c; s(k) near
 * k_c does not show both. So the first evaluation is compared, at all atoms, with exact sums or
 * with the other splitting on a finer mesh. If its error exceeds the request, the error scale
 * multiplies predictions, and parameters are chosen again. They serve uncorrelated charges as well,
 * because positions may lose their correlation. SPDX-License-Identifier: BSD-3-Clause
 */
#include "error_scale.h"
#include "object/calls.h"
#include "memory.h"

#include <math.h>

enum { TRIES = 5 };

/* Exact sums of so many charges are faster than the choice of a finer mesh. */
static const int64_t MOST_EXACT = 200;

/* Below this accuracy no mesh is fine enough as a reference. */
static const double TIGHTEST_COMPARED = 20 * ENUF_TIGHTEST_ACCURACY;

/* Largest error found, over the request: for the first choice (the reference has an error too), and
 * for a new choice (positions will change). */
static const double MOST = 0.95, MOST_ANEW = 0.9;

/* More expensive parameters are taken only if they reduce the error by this factor. */
static const double WORTH_KEEPING = 0.8;

/* Promise for energy and virial, in A. */
static const double TOTALS_PROMISE = 20;

/* With options.evaluations a comparison may take this many seconds on one core, or this fraction of
 * all evaluations. */
static const double ALWAYS_SPENT = 5e-3, SHARE_SPENT = 0.1;

/* Its cost: a choice and three evaluations, or exact sums per charge. */
static const double CHOICE_TAKES = 15e-3, EVALUATIONS = 3, EXACT_SUM_TAKES = 30e-6;

static enuf_reference reference_for(const enuf_ewald *ewald, enuf_reference by_mesh)
{
    return ewald->charges.n_charged <= MOST_EXACT ? ENUF_REFERENCE_EXACT : by_mesh;
}

/* By the cost model, so that it is the same on all ranks and in every run. */
static int pays(const enuf_ewald *ewald)
{
    const double to_come = (double)ewald->options.evaluations;
    const enuf_parameters *p = &ewald->method.parameters;
    const double each = p->cost_pairs + p->cost_mesh;
    const double takes = reference_for(ewald, ENUF_REFERENCE_FINE) == ENUF_REFERENCE_EXACT
                             ? EXACT_SUM_TAKES * (double)ewald->charges.n_charged
                             : CHOICE_TAKES + EVALUATIONS * each;
    return to_come == 0 || takes <= fmax(ALWAYS_SPENT, SHARE_SPENT * to_come * each);
}

static int can_compare(const enuf_ewald *ewald)
{
    return ewald->method.is_made && ewald->charges.n_charged > 0 &&
           (reference_for(ewald, ENUF_REFERENCE_FINE) == ENUF_REFERENCE_EXACT ||
            ewald->method.requested >= TIGHTEST_COMPARED);
}

/* A caller of the modes alone sums the pairs itself, with a splitting that must not change. */
static int may_choose_for(const enuf_ewald *ewald, const enuf_evaluation *what)
{
    const enuf_ewald_options *o = &ewald->options;
    const int is_given = o->cutoff > 0 && (o->alpha > 0 || o->c > 0);
    return what->reciprocal && (what->real || is_given);
}

int enuf_verification_is_due(const enuf_ewald *ewald, const enuf_evaluation *what)
{
    return may_choose_for(ewald, what) && !ewald->is_choosing && !ewald->method.is_verified &&
           can_compare(ewald) && pays(ewald);
}

/* The error of energy and virial, as A; known for few charges only. */
static double error_of_totals(const enuf_ewald_error *e)
{
    const double off = isnan(e->virial) ? e->energy : fmax(e->energy, e->virial);
    return e->energy_scale > 0 ? off / (TOTALS_PROMISE * e->energy_scale) : 0;
}

static enuf_status compare(enuf_ewald *ewald, const enuf_error_scale_steps *steps, int *keeps)
{
    enuf_ewald_error e;
    ENUF_TRY(steps->refer(steps->context, reference_for(ewald, ENUF_REFERENCE_FINE), 0));
    ENUF_TRY(steps->measure(steps->context, &e));
    ewald->method.found = fmax(e.accuracy, error_of_totals(&e));
    *keeps = ewald->method.found <= MOST * ewald->method.requested;
    return ENUF_SUCCESS;
}

/* The next quarter power of two, so that different rounding on ranks gives the same choice. */
static double step_above(double ratio)
{
    return fmin(exp2(ceil(4 * log2(ratio)) / 4), ENUF_GREATEST_ERROR_SCALE);
}

/* Chooses for a ratio and measures; *is_other is 0 if options leave no other choice. */
static enuf_status try_ratio(enuf_ewald *ewald, const enuf_error_scale_steps *steps, double ratio,
                             enuf_measurement *m, int *is_other)
{
    const double before = enuf_error_scale_estimate(ewald);
    ewald->error_scale.ratio = ratio;
    ENUF_TRY(steps->choose(steps->context));
    *is_other = fabs(enuf_error_scale_estimate(ewald) / before - 1) > 1e-9;
    return enuf_error_scale_measure(ewald, steps, m);
}

/* Restores the first choice, with its measured error. */
static enuf_status restore(enuf_ewald *ewald, const enuf_error_scale_steps *steps, double ratio,
                           double error)
{
    ewald->error_scale.ratio = ratio;
    const enuf_status status = steps->choose(steps->context);
    if (status != ENUF_SUCCESS) ewald->stale = 1;
    ewald->method.found = error;
    return status;
}

static enuf_status tighten(enuf_ewald *ewald, const enuf_error_scale_steps *steps)
{
    const double requested = ewald->method.requested, before = ewald->error_scale.ratio;
    enuf_measurement first, m;
    int is_other = 1;
    if (reference_for(ewald, ENUF_REFERENCE_FINER) != ENUF_REFERENCE_EXACT)
        ENUF_TRY(steps->refer(steps->context, ENUF_REFERENCE_FINER, 0));
    ENUF_TRY(enuf_error_scale_measure(ewald, steps, &first));
    m = first;
    if (first.error <= MOST * requested) { /* the error was that of the reference */
        ewald->method.found = first.error;
        return ENUF_SUCCESS;
    }
    for (int k = 0; k < TRIES && m.error > MOST_ANEW * requested && is_other; k++) {
        if (ewald->error_scale.ratio >= ENUF_GREATEST_ERROR_SCALE) break;
        /* of a given splitting only the modes' error falls, so that m.ratio hardly grows */
        const double excess = fmax(m.error / (MOST_ANEW * requested), 1.1);
        const double next = step_above(fmax(m.ratio, excess * ewald->error_scale.ratio));
        const enuf_status status = try_ratio(ewald, steps, next, &m, &is_other);
        if (status != ENUF_SUCCESS) {
            ENUF_TRY(restore(ewald, steps, before, first.error));
            return ENUF_SUCCESS;
        }
    }
    if (m.error > requested && !(m.error < WORTH_KEEPING * first.error))
        return restore(ewald, steps, before, first.error);
    /* in a crystal it differs from grid to grid: keep the largest, for later cells */
    const double ratio = fmax(m.ratio, ewald->error_scale.ratio);
    enuf_ewald_apply_error_scale(ratio / ewald->error_scale.ratio, &ewald->method.parameters);
    ewald->error_scale.ratio = ratio;
    ewald->method.found = m.error;
    return ENUF_SUCCESS;
}

enuf_status enuf_verification_run(enuf_ewald *ewald, const enuf_error_scale_steps *steps)
{
    int keeps = 1;
    if (ewald->method.is_verified || !can_compare(ewald)) return ENUF_SUCCESS;
    ewald->is_choosing = 1;
    enuf_status status = compare(ewald, steps, &keeps);
    /* if the prediction exceeds the request, options leave no better choice */
    if (status == ENUF_SUCCESS && !keeps && enuf_error_scale_may_choose(ewald) &&
        ewald->method.tolerated == 0)
        status = tighten(ewald, steps);
    ewald->is_choosing = 0;
    ewald->method.is_verified = status == ENUF_SUCCESS;
    return status;
}

enuf_status enuf_verification_forgive(enuf_ewald *ewald, const enuf_evaluation *what,
                                      enuf_status status)
{
    if (status == ENUF_SUCCESS || ewald->stale) return status;
    switch (status) {
    case ENUF_NOT_FINITE:
        return ENUF_SUCCESS; /* the evaluation reports it; other atoms are compared */
    case ENUF_BAD_ARGUMENT:  /* also here; but only pairs detect two charges at one place */
        ewald->method.is_verified = !what->real;
        return ENUF_SUCCESS;
    case ENUF_OUT_OF_MEMORY:
        /* too little memory for the reference, by a limit or on a GPU: skip it */
        if (ewald->options.memory_limit == 0 && ewald->backend->kind == ENUF_BACKEND_CPU)
            return status;
        break;
    case ENUF_UNREACHABLE_ACCURACY:
        break;
    default:
        return status;
    }
    ewald->method.is_verified = 1;
    return ENUF_SUCCESS;
}

/* Positions on the host. */
static enuf_status verify(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    enuf_error_scale_alone one = {.ewald = ewald, .positions = positions, .stride = stride};
    const enuf_error_scale_steps steps = enuf_error_scale_steps_alone(&one);
    enuf_status status = enuf_ewald_check_positions(ewald, positions, stride);
    if (status == ENUF_SUCCESS) status = enuf_ewald_host_charges(ewald);
    if (status == ENUF_SUCCESS) status = enuf_verification_run(ewald, &steps);
    enuf_sample_release(&one.sample);
    return status;
}

static enuf_status verify_copy(enuf_ewald *ewald, const double *positions, int64_t stride,
                               enuf_memory memory)
{
    double *copy = NULL;
    enuf_status status = enuf_ewald_host_positions(ewald, memory, &positions, stride, &copy);
    if (status == ENUF_SUCCESS) status = verify(ewald, positions, stride);
    enuf_release(&copy);
    return status;
}

enuf_status enuf_ewald_verify_first(enuf_ewald *ewald, const enuf_evaluation *what)
{
    if (!enuf_verification_is_due(ewald, what)) return ENUF_SUCCESS;
    return enuf_verification_forgive(
        ewald, what, verify_copy(ewald, what->positions, what->stride, what->memory));
}

enuf_status enuf_alone_verify(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_TRY(enuf_ewald_update_method(ewald));
    return verify_copy(ewald, positions, stride, ewald->options.memory);
}

enuf_status enuf_ewald_verify(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_CALL(ewald, verify, (ewald, positions, stride));
}
