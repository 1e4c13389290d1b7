/* pair_slopes.c - slopes of the pairs inside the cutoff, by the backend's cell lists.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "slope_sums.h"
#include "parallel.h"

typedef struct moved_loop {
    const enuf_motion *motion;
    const enuf_atoms *atoms;
    double *moved, *charges;
} moved_loop;

static void find_moved(void *context, int64_t a, int64_t end, int thread)
{
    const moved_loop *loop = context;
    (void)thread;
    for (; a < end; a++) {
        const int64_t i = enuf_callers_atom(loop->atoms->original, a);
        enuf_motion_moved(loop->motion, i, &loop->moved[3 * a]);
        loop->charges[a] = enuf_motion_charge(loop->motion, i);
    }
}

enuf_status enuf_add_pair_slopes(enuf_ewald *ewald, const enuf_motion *motion,
                                 const enuf_atoms *atoms, int wanted, enuf_slope_sums *sums)
{
    enuf_slope_room *room = ewald->slope_room;
    const int with_potential = motion->charges || (wanted & ENUF_WANT_POTENTIAL);
    enuf_pair_request request =
        enuf_request_pairs(ewald, ENUF_WANT_FORCES | (with_potential ? ENUF_WANT_POTENTIAL : 0));
    request.n = atoms->n;
    request.positions = atoms->positions;
    request.stride = atoms->stride;
    request.charges = atoms->q;
    request.original = atoms->original;
    ENUF_TRY(enuf_pair_bend_make(&ewald->method.parameters.splitting, &ewald->method.table,
                                 &room->bend));
    ENUF_TRY(enuf_array_reserve(&room->moved, 4 * atoms->n, sizeof(double), "a direction"));
    moved_loop loop = {motion, atoms, room->moved.at, (double *)room->moved.at + 3 * atoms->n};
    enuf_parallel_for(enuf_ewald_threads(ewald), atoms->n, 0, find_moved, &loop);
    const enuf_pair_direction direction = {
        .moved = motion->moves ? loop.moved : NULL,
        .charges = motion->charges ? loop.charges : NULL,
        .strain = motion->strains ? motion->strain : NULL,
        .bend = &room->bend,
        .with_virial = (wanted & ENUF_WANT_VIRIAL) != 0,
    };
    enuf_pair_slopes slopes = {.forces = sums->forces, .potential = sums->potential};
    ENUF_TRY(ewald->backend->pairs_differentiate(ewald->pairs, &request, &direction, &slopes));
    sums->energy += slopes.energy;
    for (int k = 0; k < 9; k++) sums->product[k] += slopes.product[k];
    for (int c = 0; c < 6; c++) sums->virial[c] += slopes.virial[c];
    return ENUF_SUCCESS;
}
