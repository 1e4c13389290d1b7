/*
 * apply.c - potentials of sets of charges at held positions. Up to eight sets go side by side
 * through the pairs, two at a time through the modes. SPDX-License-Identifier: BSD-3-Clause
 */
#include "hold.h"
#include "checks.h"
#include "evaluate/closed_forms.h"
#include "parallel.h"
#include "enuf/ewald_derivatives.h"

#include <math.h>
#include <string.h>

typedef struct sets {
    enuf_ewald *ewald;
    int lanes, used; /* lanes of the arrays; sets in them */
    const double *charges;
    double *potentials;
    enuf_closed_forms forms;
    double sum[ENUF_MATRIX_VECTORS], dipole[ENUF_MATRIX_VECTORS][3], second[ENUF_MATRIX_VECTORS];
} sets;

static void fill_charges(void *context, int64_t a, int64_t end, int thread)
{
    const sets *s = context;
    const enuf_held *held = s->ewald->held;
    const int64_t *order = held->matrix.order.at;
    double *charges = held->charges.at, *potentials = held->potentials.at;
    (void)thread;
    for (; a < end; a++)
        for (int v = 0; v < s->lanes; v++) {
            charges[s->lanes * a + v] = v < s->used ? s->charges[v * held->n + order[a]] : 0;
            potentials[s->lanes * a + v] = 0;
        }
}

/* On one thread: a few operations for each number. */
static void find_moments(sets *s)
{
    const enuf_held *held = s->ewald->held;
    const double *x = held->positions.at, *charges = held->charges.at;
    for (int64_t a = 0; a < held->n; a++)
        for (int v = 0; v < s->lanes; v++) s->sum[v] += charges[s->lanes * a + v];
    if (s->forms.sphere == 0 && s->forms.slab == 0) return;
    for (int64_t a = 0; a < held->n; a++)
        for (int v = 0; v < s->lanes; v++) {
            const double q = charges[s->lanes * a + v], z = x[3 * a + 2];
            for (int d = 0; d < 3; d++) s->dipole[v][d] += q * x[3 * a + d];
            s->second[v] += q * z * z;
        }
}

/* phi of the closed forms, but for that of the charge itself. */
static double closed_potential(const sets *s, int v, const double x[3])
{
    const enuf_closed_forms *f = &s->forms;
    const double *dipole = s->dipole[v], sum = s->sum[v];
    double potential = f->background_of_unit * sum;
    if (f->sphere != 0)
        potential += 2 * f->sphere * (dipole[0] * x[0] + dipole[1] * x[1] + dipole[2] * x[2]);
    if (f->slab != 0)
        potential +=
            2 * f->slab *
            (x[2] * dipole[2] - 0.5 * (s->second[v] + sum * x[2] * x[2]) - sum * f->level_of_unit);
    return potential;
}

static void deliver(void *context, int64_t a, int64_t end, int thread)
{
    const sets *s = context;
    const enuf_held *held = s->ewald->held;
    const int64_t *order = held->matrix.order.at;
    const double *charges = held->charges.at, *potentials = held->potentials.at;
    const double *x = held->positions.at, coulomb = s->ewald->options.coulomb;
    (void)thread;
    for (; a < end; a++)
        for (int v = 0; v < s->used; v++)
            s->potentials[v * held->n + order[a]] =
                coulomb *
                (potentials[s->lanes * a + v] - s->forms.self * charges[s->lanes * a + v] +
                 closed_potential(s, v, x + 3 * a));
}

static enuf_status apply_sets(sets *s)
{
    enuf_ewald *ewald = s->ewald;
    enuf_held *held = ewald->held;
    const int threads = enuf_ewald_threads(ewald);
    const size_t size = (size_t)s->lanes * sizeof(double);
    ENUF_TRY(enuf_array_reserve(&held->charges, held->n, size, "sets of charges"));
    ENUF_TRY(enuf_array_reserve(&held->potentials, held->n, size, "sets of potentials"));
    enuf_parallel_for(threads, held->n, 0, fill_charges, s);
    ewald->backend->matrix_multiply(&held->matrix, threads, s->lanes, held->charges.at,
                                    held->potentials.at);
    for (int v = 0; v < s->used; v += 2)
        ENUF_TRY(enuf_held_add_modes(ewald, s->lanes, v, v + 1 < s->used));
    find_moments(s);
    enuf_parallel_for(threads, held->n, 0, deliver, s);
    return ENUF_SUCCESS;
}

static enuf_status check_charges(int64_t n, int64_t vectors, const double *charges)
{
    for (int64_t k = 0; k < n * vectors; k++)
        if (!isfinite(charges[k]))
            return enuf_fail(ENUF_NOT_FINITE,
                             "charge %lld of vector %lld is %g: it has to be finite",
                             (long long)(k % n), (long long)(k / n), charges[k]);
    return ENUF_SUCCESS;
}

static enuf_status check(const enuf_ewald *ewald, int64_t vectors, const double *charges,
                         const double *potentials)
{
    const int64_t n = ewald->charges.n, held = ewald->held ? ewald->held->n : -1;
    enuf_choice_request request;
    if (vectors < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "vectors is %lld: it has to be 0 or more",
                         (long long)vectors);
    ENUF_TRY(enuf_ewald_request(ewald, &request)); /* cell and charges are set */
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
    return check_charges(n, vectors, charges);
}

static enuf_status apply(enuf_ewald *ewald, int64_t vectors, const double *charges,
                         double *potentials)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    ENUF_TRY(enuf_check_on_cpu(ewald));
    ENUF_TRY(check(ewald, vectors, charges, potentials));
    const int64_t n = ewald->charges.n;
    if (n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_held_update(ewald));
    for (int64_t from = 0; from < vectors; from += ENUF_MATRIX_VECTORS) {
        const int64_t left = vectors - from;
        const int used = left < ENUF_MATRIX_VECTORS ? (int)left : ENUF_MATRIX_VECTORS;
        sets s = {.ewald = ewald,
                  .lanes = used <= 2   ? used
                           : used <= 4 ? 4
                                       : 8,
                  .used = used,
                  .charges = charges + n * from,
                  .potentials = potentials + n * from,
                  .forms = enuf_closed_forms_of(ewald)};
        ENUF_TRY(apply_sets(&s));
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_apply(enuf_ewald *ewald, int64_t vectors, const double *charges,
                             double *potentials)
{
    return enuf_named(apply(ewald, vectors, charges, potentials), __func__);
}
