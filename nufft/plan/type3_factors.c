/* type3_factors.c - phases, windows and weights at the points and targets of type 3.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"
#include "turns.h"

#include <math.h>
#include <string.h>

/* Minus the binary logarithm of psi's transform, in t = 2 (theta/edge)^2 - 1: a smooth function,
 * whose rounding is that of the transform's relative size. */
typedef struct logarithm {
    const enuf_window_form *window;
    double edge;
} logarithm;

static double edge_of(const enuf_type3 *t)
{
    return M_PI / t->method.upsampling;
}

static double minus_logarithm(double t, const void *context)
{
    const logarithm *l = context;
    return -log2(enuf_window_transform(l->window, l->edge * sqrt(fmax(0.5 * (t + 1), 0))));
}

/* Its polynomial, with as many terms as the tolerance needs. The last term is 2^(n - 1) times that
 * of T_(n - 1), and terms fall fast: what is left out is smaller. */
void enuf_type3_fit_logarithm(enuf_type3 *t)
{
    enum { FIRST = 8, STEP = 4 };
    const logarithm l = {&t->method.window, edge_of(t)};
    const double error = fmax(0.01 * t->options.tolerance, 1e-16);
    for (t->n_terms = FIRST; t->n_terms <= ENUF_TYPE3_TERMS; t->n_terms += STEP) {
        const int n = t->n_terms;
        enuf_fit_polynomial(minus_logarithm, &l, -1, 1, n, t->term);
        if (fabs(ldexp(t->term[n - 1], 1 - n)) + fabs(ldexp(t->term[n - 2], 2 - n)) < error) return;
    }
    t->n_terms = ENUF_TYPE3_TERMS;
}

/* Weights of one set for all vectors become a part of the factors. */
static enuf_status fold(enuf_nufft *plan, const enuf_weights *weights, int64_t n, void *factors)
{
    if (!weights->numbers || weights->sets > 1 || weights->n != n) return ENUF_SUCCESS;
    const enuf_type3_product product = {.n = n,
                                        .vectors = 1,
                                        .weights = weights->numbers,
                                        .complex_weights = weights->kind == ENUF_COMPLEX,
                                        .from = factors,
                                        .to = factors};
    return plan->backend->type3->multiply(plan, &product);
}

/* exp(i D.x). */
enuf_status enuf_type3_factors_of_points(enuf_nufft *plan)
{
    const enuf_type3 *t = plan->type3;
    enuf_type3_factors spec = {.dim = plan->options.dim};
    for (int d = 0; d < spec.dim; d++) spec.wave[d] = t->options.sign * t->targets.centre[d];
    ENUF_TRY(plan->backend->type3->make_factors(plan, t->n_points, t->packed_points, &spec,
                                                t->of_points));
    return fold(plan, &plan->point_weights, t->n_points, t->of_points);
}

/* exp(i (s - D).C) over psi's transform. */
enuf_status enuf_type3_factors_of_targets(enuf_nufft *plan)
{
    const enuf_type3 *t = plan->type3;
    enuf_type3_factors spec = {.dim = plan->options.dim, .n_terms = t->n_terms};
    memcpy(spec.terms, t->term, sizeof spec.terms);
    for (int d = 0; d < spec.dim; d++) {
        spec.wave[d] = t->options.sign * t->points.centre[d];
        spec.turns -= enuf_turns_of_product(spec.wave[d], t->targets.centre[d]);
        spec.centre[d] = t->targets.centre[d];
        spec.scale[d] = 1 / (t->method.kappa[d] * edge_of(t));
    }
    ENUF_TRY(plan->backend->type3->make_factors(plan, t->n_targets, t->packed_targets, &spec,
                                                t->of_targets));
    return fold(plan, &plan->mode_weights, t->n_targets, t->of_targets);
}
