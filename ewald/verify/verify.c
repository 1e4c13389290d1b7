/*
 * verify.c - parameters chosen without positions, verified where positions are first known.
 *
 * The estimates hold for uncorrelated charges. Charged walls and shaken lattices gather their
 * charge in a few modes and may err several times more, by truncation or by aliasing of modes far
 * beyond k_c: no property of the spectrum near k_c tells of both. So the first evaluation is
 * compared, at all atoms, with exact sums or with the other splitting on a finer mesh. Where it
 * errs by more than was asked for, the ratio of the error found to the one predicted multiplies
 * predictions, and parameters are chosen again: they serve uncorrelated charges as well, as
 * positions may lose theirs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "error_scale.h"
#include "object/calls.h"
#include "memory.h"

#include <math.h>

enum { TRIES = 5 };

/* So many charges are summed exactly in less time than a finer mesh is chosen in. */
static const int64_t MOST_EXACT = 200;

/* Below this no mesh is so much finer. */
static const double TIGHTEST_COMPARED = 20 * ENUF_TIGHTEST_ACCURACY;

/* Of the request, what a choice may be found to err by, as the reference errs itself; and one that
 * is made anew, as positions move on. */
static const double MOST = 0.95, MOST_ANEW = 0.9;

/* Parameters that cost more have to err by so much less. */
static const double WORTH_KEEPING = 0.8;

/* Energy and virial are promised to so many times A. */
static const double TOTALS_PROMISE = 20;

/* Where few evaluations are to come, a comparison may take this, in seconds on one core, or so
 * much of all of them. */
static const double ALWAYS_SPENT = 5e-3, SHARE_SPENT = 0.1;

/* What it takes: a choice and three evaluations, or exact sums a charge. */
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

/* Whoever asks for the modes alone sums pairs with a splitting that has to stay. */
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

/* The error of energy and virial (of few charges; else it is not known), as A. */
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

/* The next quarter power of two: ranks that round otherwise than one process choose the same. */
static double step_above(double ratio)
{
    return fmin(exp2(ceil(4 * log2(ratio)) / 4), ENUF_GREATEST_ERROR_SCALE);
}

/* Chooses for a ratio and measures; *is_other: 0 where options leave no other choice. */
static enuf_status try_ratio(enuf_ewald *ewald, const enuf_error_scale_steps *steps, double ratio,
                             enuf_measurement *m, int *is_other)
{
    const double before = enuf_error_scale_estimate(ewald);
    ewald->error_scale.ratio = ratio;
    ENUF_TRY(steps->choose(steps->context));
    *is_other = fabs(enuf_error_scale_estimate(ewald) / before - 1) > 1e-9;
    return enuf_error_scale_measure(ewald, steps, m);
}

/* The choice there was; it errs as measured. */
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
    if (first.error <= MOST * requested) { /* it was the reference that erred */
        ewald->method.found = first.error;
        return ENUF_SUCCESS;
    }
    for (int k = 0; k < TRIES && m.error > MOST_ANEW * requested && is_other; k++) {
        if (ewald->error_scale.ratio >= ENUF_GREATEST_ERROR_SCALE) break;
        const double next = step_above(fmax(m.ratio, 1.1 * ewald->error_scale.ratio));
        const enuf_status status = try_ratio(ewald, steps, next, &m, &is_other);
        if (status != ENUF_SUCCESS) {
            ENUF_TRY(restore(ewald, steps, before, first.error));
            return ENUF_SUCCESS;
        }
    }
    if (m.error > requested && !(m.error < WORTH_KEEPING * first.error))
        return restore(ewald, steps, before, first.error);
    /* of a crystal it changes from one grid to the next: the largest holds for cells to come */
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
    /* where the prediction says more than was asked for, options leave no choice that errs less */
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
        return ENUF_SUCCESS; /* the evaluation says so; others are compared */
    case ENUF_BAD_ARGUMENT:  /* so here; but of two charges at one place only pairs know */
        ewald->method.is_verified = !what->real;
        return ENUF_SUCCESS;
    case ENUF_OUT_OF_MEMORY:
        /* what fits without a reference serves without it: within a limit, or on a GPU */
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
