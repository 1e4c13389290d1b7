/*
 * differentiate.c - slopes of an evaluation along a direction: checks the request, adds up the
 * terms, and hands them to the caller. A device does the last two by itself (slope_backend.h).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "checks.h"
#include "finer.h"
#include "slope_backend.h"
#include "slope_sums.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

enum {
    SLOPES = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL,
};

static enuf_status check_records(const enuf_ewald_direction *direction, int wanted,
                                 const enuf_ewald_slopes *slopes)
{
    if (!direction) return enuf_fail(ENUF_BAD_ARGUMENT, "direction is NULL");
    if (direction->struct_size != sizeof *direction)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "direction->struct_size is %zu: set it to sizeof(enuf_ewald_direction), "
                         "%zu",
                         direction->struct_size, sizeof *direction);
    if (!slopes) return enuf_fail(ENUF_BAD_ARGUMENT, "slopes is NULL");
    if (slopes->struct_size != sizeof *slopes)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "slopes->struct_size is %zu: set it to sizeof(enuf_ewald_slopes), %zu",
                         slopes->struct_size, sizeof *slopes);
    if (wanted & ~SLOPES)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "wanted is %d: it has to be a sum of ENUF_WANT_ENERGY, _FORCES, "
                         "_POTENTIAL and _VIRIAL",
                         wanted);
    return ENUF_SUCCESS;
}

static enuf_status check_arrays(int64_t n, int wanted, const enuf_ewald_slopes *slopes)
{
    if (n > 0 && (wanted & ENUF_WANT_FORCES) && !slopes->forces)
        return enuf_fail(ENUF_BAD_ARGUMENT, "slopes->forces is NULL, but is wanted");
    if (n > 0 && (wanted & ENUF_WANT_POTENTIAL) && !slopes->potential)
        return enuf_fail(ENUF_BAD_ARGUMENT, "slopes->potential is NULL, but is wanted");
    return ENUF_SUCCESS;
}

static enuf_status check_finite(const char *name, int64_t n, int64_t width, const double *numbers)
{
    for (int64_t k = 0; numbers && k < n * width; k++)
        if (!isfinite(numbers[k])) return enuf_direction_not_finite(name, k, numbers[k]);
    return ENUF_SUCCESS;
}

/* The modes left out were measured for one cell; how they change with it is not known. */
static enuf_status check_tail(const enuf_ewald *ewald, const enuf_motion *motion)
{
    if (!motion->strains || ewald->method.tail.energy == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "results contain the modes beyond kmax, whose second derivative by the cell "
                     "is not known: set options.truncated, or take the prolate splitting");
}

static int is_zero(int64_t n, const double *numbers)
{
    for (int64_t k = 0; numbers && k < n; k++)
        if (numbers[k] != 0) return 0;
    return 1;
}

/* Checks that the arrays are finite. *recharges: 1 if a charge changes. */
static enuf_status take(enuf_ewald *ewald, const enuf_motion *motion, int *recharges)
{
    const int64_t n = ewald->charges.n;
    if (ewald->backend->slopes) return ewald->backend->slopes->take(ewald, motion, recharges);
    ENUF_TRY(enuf_ewald_check_positions(ewald, motion->positions, motion->stride));
    ENUF_TRY(check_finite("positions", n, 3, motion->displacements));
    ENUF_TRY(check_finite("charges", n, 1, motion->charges));
    *recharges = !is_zero(n, motion->charges);
    return ENUF_SUCCESS;
}

static enuf_status make_ready(enuf_ewald *ewald, const enuf_motion *motion)
{
    int recharges;
    ENUF_TRY(take(ewald, motion, &recharges));
    enuf_ewald_keep_errors(ewald);
    if (ewald->charges.n_charged == 0 && recharges) return enuf_all_charges_zero();
    ENUF_TRY(enuf_make_derivatives_ready(ewald, motion->positions, motion->stride));
    return check_tail(ewald, motion);
}

static enuf_status add_terms(enuf_ewald *ewald, const enuf_motion *motion, int wanted,
                             const enuf_atoms *atoms, enuf_slope_sums *sums)
{
    if (ewald->charges.n_charged == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_add_pair_slopes(ewald, motion, atoms, wanted, sums));
    enuf_add_exclusion_slopes(ewald, motion, atoms, sums);
    ENUF_TRY(enuf_add_mesh_slopes(ewald, motion, atoms, sums));
    enuf_add_closed_slopes(ewald, motion, atoms, sums);
    return ENUF_SUCCESS;
}

static enuf_status reserve(const enuf_ewald *ewald, enuf_slope_sums *sums)
{
    enuf_slope_room *room = ewald->slope_room;
    const int64_t n = ewald->charges.n;
    ENUF_TRY(enuf_array_reserve(&room->forces, n, 3 * sizeof(double), "slopes of forces"));
    ENUF_TRY(enuf_array_reserve(&room->potential, n, sizeof(double), "slopes of potentials"));
    *sums = (enuf_slope_sums){.forces = room->forces.at, .potential = room->potential.at};
    memset(sums->forces, 0, (size_t)n * 3 * sizeof *sums->forces);
    memset(sums->potential, 0, (size_t)n * sizeof *sums->potential);
    return ENUF_SUCCESS;
}

typedef struct deliver_loop {
    const enuf_atoms *atoms;
    const enuf_slope_sums *sums;
    double scale, *forces, *potential;
} deliver_loop;

static void deliver_some(void *context, int64_t a, int64_t end, int thread)
{
    const deliver_loop *loop = context;
    (void)thread;
    for (; a < end; a++) {
        const int64_t i = enuf_callers_atom(loop->atoms->original, a);
        for (int d = 0; d < 3 && loop->forces; d++)
            loop->forces[3 * i + d] = loop->scale * loop->sums->forces[3 * a + d];
        if (loop->potential) loop->potential[i] = loop->scale * loop->sums->potential[a];
    }
}

static void deliver(const enuf_ewald *ewald, int wanted, const enuf_atoms *atoms,
                    const enuf_slope_sums *sums, enuf_ewald_slopes *slopes)
{
    double forces_x[9] = {0};
    for (int64_t k = 0; k < atoms->n && (wanted & ENUF_WANT_VIRIAL); k++)
        for (int c = 0; c < 9; c++)
            forces_x[c] +=
                sums->forces[3 * k + c / 3] * atoms->positions[k * atoms->stride + c % 3];
    enuf_slope_sums_deliver(ewald, wanted, sums, forces_x, slopes);
    deliver_loop loop = {atoms, sums, ewald->options.coulomb,
                         wanted & ENUF_WANT_FORCES ? slopes->forces : NULL,
                         wanted & ENUF_WANT_POTENTIAL ? slopes->potential : NULL};
    enuf_parallel_for(enuf_ewald_threads(ewald), atoms->n, 0, deliver_some, &loop);
}

static enuf_status sum_and_deliver(enuf_ewald *ewald, const enuf_motion *motion, int wanted,
                                   enuf_ewald_slopes *slopes)
{
    const enuf_evaluation what =
        enuf_evaluation_of(ewald, motion->positions, motion->stride, wanted, NULL, 1, 1);
    enuf_slope_room *room;
    enuf_slope_sums sums;
    enuf_atoms atoms;
    ENUF_TRY(enuf_slope_room_find(ewald, &room));
    ENUF_TRY(ewald->backend->order(ewald, &what, &atoms));
    ENUF_TRY(reserve(ewald, &sums));
    ENUF_TRY(enuf_slope_room_sort(ewald, motion, &atoms));
    ENUF_TRY(add_terms(ewald, motion, wanted, &atoms, &sums));
    ENUF_TRY(enuf_slope_sums_check(&sums));
    deliver(ewald, wanted, &atoms, &sums, slopes);
    return ENUF_SUCCESS;
}

static enuf_status differentiate(enuf_ewald *ewald, const double *positions, int64_t stride,
                                 const enuf_ewald_direction *direction, int wanted,
                                 enuf_ewald_slopes *slopes)
{
    enuf_ewald *finer;
    enuf_choice_request request;
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    ENUF_TRY(enuf_check_alone(ewald));
    ENUF_TRY(check_records(direction, wanted, slopes));
    ENUF_TRY(enuf_ewald_settle_charges(ewald));
    ENUF_TRY(enuf_ewald_request(ewald, &request)); /* cell and charges are set */
    ENUF_TRY(enuf_check_positions_argument(ewald->charges.n, positions, stride));
    ENUF_TRY(check_arrays(ewald->charges.n, wanted, slopes));
    ENUF_TRY(check_finite("cell", 1, 9, direction->cell));
    const enuf_motion motion = enuf_motion_of(ewald, positions, stride, direction);
    ENUF_TRY(enuf_finer_find(ewald, &motion, wanted, &finer));
    enuf_status status = make_ready(finer, &motion);
    if (status == ENUF_UNREACHABLE_ACCURACY && finer != ewald) {
        enuf_finer_give_up(ewald);
        finer = ewald;
        status = make_ready(ewald, &motion);
    }
    ENUF_TRY(status);
    if (finer->backend->slopes)
        return finer->backend->slopes->differentiate(finer, &motion, wanted, slopes);
    return sum_and_deliver(finer, &motion, wanted, slopes);
}

enuf_status enuf_ewald_differentiate(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     const enuf_ewald_direction *direction, int wanted,
                                     enuf_ewald_slopes *slopes)
{
    return enuf_named(differentiate(ewald, positions, stride, direction, wanted, slopes), __func__);
}
