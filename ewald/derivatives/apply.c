/*
 * apply.c - potentials of sets of charges at held positions. Up to eight sets go side by side
 * through the pairs, two at a time through the modes. A device sums them by itself
 * (held_backend.h). SPDX-License-Identifier: BSD-3-Clause
 */
#include "hold.h"
#include "checks.h"
#include "held_backend.h"
#include "parallel.h"
#include "enuf/ewald_derivatives.h"

#include <math.h>

/* A loop over the atoms in the order of the matrix. */
typedef struct sets_loop {
    const enuf_ewald *ewald;
    const enuf_charge_sets *sets;
    double moment[ENUF_MATRIX_VECTORS][SET_MOMENTS];
} sets_loop;

static void fill_charges(void *context, int64_t a, int64_t end, int thread)
{
    const sets_loop *loop = context;
    const enuf_charge_sets *s = loop->sets;
    const enuf_held *held = loop->ewald->held;
    const int64_t *order = held->matrix.order.at;
    double *charges = held->charges.at, *potentials = held->potentials.at;
    (void)thread;
    for (; a < end; a++)
        for (int v = 0; v < s->lanes; v++) {
            charges[s->lanes * a + v] = v < s->used ? s->charges[v * s->n + order[a]] : 0;
            potentials[s->lanes * a + v] = 0;
        }
}

/* On one thread: a few operations for each number. */
static void find_moments(sets_loop *loop)
{
    const enuf_charge_sets *s = loop->sets;
    const enuf_held *held = loop->ewald->held;
    const double *x = held->positions.at, *charges = held->charges.at;
    for (int64_t a = 0; a < s->n; a++)
        for (int v = 0; v < s->lanes; v++)
            enuf_add_set_moments(&s->forms, charges[s->lanes * a + v], x + 3 * a, loop->moment[v]);
}

static void deliver(void *context, int64_t a, int64_t end, int thread)
{
    const sets_loop *loop = context;
    const enuf_charge_sets *s = loop->sets;
    const enuf_held *held = loop->ewald->held;
    const int64_t *order = held->matrix.order.at;
    const double *charges = held->charges.at, *potentials = held->potentials.at;
    const double *x = held->positions.at, coulomb = loop->ewald->options.coulomb;
    (void)thread;
    for (; a < end; a++)
        for (int v = 0; v < s->used; v++) {
            const double q = charges[s->lanes * a + v];
            s->potentials[v * s->n + order[a]] =
                coulomb * (potentials[s->lanes * a + v] +
                           enuf_set_potential(&s->forms, q, x + 3 * a, loop->moment[v]));
        }
}

static enuf_status add(enuf_ewald *ewald, const enuf_charge_sets *s)
{
    enuf_held *held = ewald->held;
    const int threads = enuf_ewald_threads(ewald);
    const size_t size = (size_t)s->lanes * sizeof(double);
    sets_loop loop = {.ewald = ewald, .sets = s};
    ENUF_TRY(enuf_array_reserve(&held->charges, s->n, size, "sets of charges"));
    ENUF_TRY(enuf_array_reserve(&held->potentials, s->n, size, "sets of potentials"));
    enuf_parallel_for(threads, s->n, 0, fill_charges, &loop);
    ewald->backend->matrix_multiply(&held->matrix, threads, s->lanes, held->charges.at,
                                    held->potentials.at);
    for (int v = 0; v < s->used; v += 2)
        ENUF_TRY(enuf_held_add_modes(ewald, s->lanes, v, v + 1 < s->used));
    find_moments(&loop);
    enuf_parallel_for(threads, s->n, 0, deliver, &loop);
    return ENUF_SUCCESS;
}

static enuf_status check_charges(int64_t n, int64_t vectors, const double *charges)
{
    for (int64_t k = 0; k < n * vectors; k++)
        if (!isfinite(charges[k])) return enuf_set_not_finite(n, k, charges[k]);
    return ENUF_SUCCESS;
}

static enuf_status check(enuf_ewald *ewald, int64_t vectors, const double *charges,
                         const double *potentials)
{
    enuf_choice_request request;
    if (vectors < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "vectors is %lld: it has to be 0 or more",
                         (long long)vectors);
    ENUF_TRY(enuf_ewald_settle_charges(ewald));
    ENUF_TRY(enuf_ewald_request(ewald, &request)); /* cell and charges are set */
    const int64_t n = ewald->charges.n, held = ewald->held ? ewald->held->n : -1;
    if (held < 0)
        return enuf_fail(ENUF_NO_POINTS_SET, "no positions are held: call enuf_ewald_hold() first");
    if (held != n)
        return enuf_fail(ENUF_NO_POINTS_SET,
                         "positions of %lld atoms are held, but there are %lld charges: call "
                         "enuf_ewald_hold() again",
                         (long long)held, (long long)n);
    if (n > 0 && vectors > 0 && !charges) return enuf_fail(ENUF_BAD_ARGUMENT, "charges is NULL");
    if (n > 0 && vectors > 0 && !potentials)
        return enuf_fail(ENUF_BAD_ARGUMENT, "potentials is NULL");
    return ewald->backend->held ? ENUF_SUCCESS : check_charges(n, vectors, charges);
}

static enuf_status add_all(enuf_ewald *ewald, int64_t vectors, const double *charges,
                           double *potentials)
{
    const int64_t n = ewald->charges.n;
    for (int64_t first = 0; first < vectors; first += ENUF_MATRIX_VECTORS) {
        const int64_t left = vectors - first;
        const int used = left < ENUF_MATRIX_VECTORS ? (int)left : ENUF_MATRIX_VECTORS;
        const enuf_charge_sets sets = {.n = n,
                                       .first = first,
                                       .lanes = used <= 2   ? used
                                                : used <= 4 ? 4
                                                            : 8,
                                       .used = used,
                                       .charges = charges + n * first,
                                       .potentials = potentials + n * first,
                                       .forms = enuf_closed_forms_of(ewald)};
        ENUF_TRY(ewald->backend->held ? ewald->backend->held->add(ewald, &sets)
                                      : add(ewald, &sets));
    }
    return ENUF_SUCCESS;
}

static enuf_status apply(enuf_ewald *ewald, int64_t vectors, const double *charges,
                         double *potentials)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    ENUF_TRY(enuf_check_alone(ewald));
    ENUF_TRY(check(ewald, vectors, charges, potentials));
    const enuf_held_backend *device = ewald->backend->held;
    if (ewald->charges.n == 0 || vectors == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_held_update(ewald));
    if (!device) return add_all(ewald, vectors, charges, potentials);
    ENUF_TRY(device->begin(ewald, vectors, charges, potentials));
    return device->end(ewald, add_all(ewald, vectors, charges, potentials));
}

enuf_status enuf_ewald_apply(enuf_ewald *ewald, int64_t vectors, const double *charges,
                             double *potentials)
{
    return enuf_named(apply(ewald, vectors, charges, potentials), __func__);
}
