/* pair_slopes.c - slopes of the pairs inside the cutoff, by the backend's cell lists.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "slope_sums.h"

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
    const enuf_pair_direction direction = {
        .moved = motion->moves ? room->moved.at : NULL,
        .charges = motion->charges ? room->changes.at : NULL,
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
