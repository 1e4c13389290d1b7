/*
 * hold.c - holds positions: copies them, and makes the matrix of their pairs; a device does both by
 * itself (held_backend.h). Plans of the mesh are made when they are needed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "hold.h"
#include "checks.h"
#include "held_backend.h"
#include "memory.h"
#include "enuf/ewald_derivatives.h"

#include <math.h>
#include <string.h>

/* The excluded partners of the caller's atoms become entries at the end of their rows. */
static enuf_status exclude(const enuf_ewald *ewald, enuf_held *held)
{
    const enuf_charge_set *set = &ewald->charges;
    enuf_pair_matrix *matrix = &held->matrix;
    const int64_t *order = matrix->order.at, *first = matrix->first.at, *filled = matrix->filled.at;
    const double *x = held->given.at;
    ENUF_TRY(enuf_array_reserve(&held->row, held->n, sizeof(int64_t), "rows of atoms"));
    int64_t *row = held->row.at;
    int32_t *column = matrix->column.at;
    double *value = matrix->value.at;
    for (int64_t a = 0; a < matrix->n; a++) row[order[a]] = a;
    for (int64_t a = 0; a < matrix->n; a++) {
        const int64_t i = order[a];
        int64_t at = first[a] + filled[a];
        for (int64_t p = set->first[i]; p < set->first[i + 1]; p++, at++) {
            const int64_t j = set->partner[p];
            double d[3];
            enuf_nearest_image(&ewald->lattice, x + 3 * i, x + 3 * j, d);
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            column[at] = (int32_t)row[j];
            value[at] = r2 > 0 ? -set->removed[p] / sqrt(r2) : 0;
        }
    }
    return ENUF_SUCCESS;
}

static enuf_status make_matrix(enuf_ewald *ewald, enuf_held *held)
{
    const enuf_charge_set *set = &ewald->charges;
    enuf_pair_request request = enuf_request_pairs(ewald, ENUF_WANT_POTENTIAL);
    int64_t *extra = NULL;
    request.n = held->n;
    request.positions = held->given.at;
    request.charges = set->q;
    if (set->n_excluded > 0) {
        ENUF_TRY(enuf_allocate(&extra, set->n, sizeof *extra, "numbers of exclusions"));
        for (int64_t i = 0; i < set->n; i++) extra[i] = set->first[i + 1] - set->first[i];
    }
    enuf_status status = ewald->backend->matrix_make(ewald->pairs, &request, extra,
                                                     ewald->options.memory_limit, &held->matrix);
    if (status == ENUF_SUCCESS && extra) status = exclude(ewald, held);
    enuf_release(&extra);
    return status;
}

/* Positions in the order of the matrix. */
static enuf_status sort_positions(enuf_held *held)
{
    const int64_t *order = held->matrix.order.at;
    const double *given = held->given.at;
    ENUF_TRY(enuf_array_reserve(&held->positions, held->n, 3 * sizeof(double), "held positions"));
    double *positions = held->positions.at;
    for (int64_t a = 0; a < held->n; a++)
        memcpy(positions + 3 * a, given + 3 * order[a], 3 * sizeof *positions);
    return ENUF_SUCCESS;
}

static enuf_status make(enuf_ewald *ewald, enuf_held *held)
{
    if (ewald->backend->held) return ewald->backend->held->make(ewald);
    ENUF_TRY(make_matrix(ewald, held));
    return sort_positions(held);
}

enuf_status enuf_held_update(enuf_ewald *ewald)
{
    enuf_held *held = ewald->held;
    if (held->n == 0) return ENUF_SUCCESS;
    if (ewald->charges.n_charged == 0) return enuf_all_charges_zero();
    ENUF_TRY(enuf_make_derivatives_ready(ewald, held->x, 3));
    if (held->method_changes == ewald->method_changes &&
        held->charge_changes == ewald->charge_changes)
        return ENUF_SUCCESS;
    held->method_changes = -1;
    enuf_held_release_plans(held);
    ENUF_TRY(make(ewald, held));
    held->method_changes = ewald->method_changes;
    held->charge_changes = ewald->charge_changes;
    return ENUF_SUCCESS;
}

static enuf_status make_held(enuf_ewald *ewald)
{
    enuf_held *made;
    if (ewald->held) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(&made, 1, sizeof *made, "held positions"));
    memset(made, 0, sizeof *made);
    made->method_changes = -1;
    made->n = -1;
    ewald->held = made;
    return ENUF_SUCCESS;
}

static enuf_status check(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    enuf_choice_request request;
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    ENUF_TRY(enuf_check_alone(ewald));
    ENUF_TRY(enuf_ewald_settle_charges(ewald));
    ENUF_TRY(enuf_ewald_request(ewald, &request)); /* cell and charges are set */
    if (ewald->options.memory == ENUF_DEVICE)
        return enuf_check_positions_argument(ewald->charges.n, positions, stride);
    return enuf_ewald_check_positions(ewald, positions, stride);
}

/* Copies positions to the host, and to a device. */
static enuf_status take(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    enuf_held *held = ewald->held;
    const int64_t n = ewald->charges.n;
    if (ewald->options.memory == ENUF_HOST) {
        ENUF_TRY(enuf_array_reserve(&held->given, n, 3 * sizeof(double), "held positions"));
        double *given = held->given.at;
        for (int64_t i = 0; i < n; i++)
            memcpy(given + 3 * i, positions + i * stride, 3 * sizeof *given);
        held->x = given;
    }
    if (!ewald->backend->held) return ENUF_SUCCESS;
    const double *there;
    ENUF_TRY(ewald->backend->held->take(ewald, positions, stride, &there));
    if (ewald->options.memory == ENUF_DEVICE) held->x = there;
    return ENUF_SUCCESS;
}

static enuf_status hold(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_TRY(check(ewald, positions, stride));
    ENUF_TRY(make_held(ewald));
    enuf_held *held = ewald->held;
    held->n = -1;
    held->method_changes = -1;
    ENUF_TRY(take(ewald, positions, stride));
    held->n = ewald->charges.n;
    const enuf_status status = enuf_held_update(ewald);
    if (status != ENUF_SUCCESS) held->n = -1;
    return status;
}

enuf_status enuf_ewald_hold(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    return enuf_named(hold(ewald, positions, stride), __func__);
}
