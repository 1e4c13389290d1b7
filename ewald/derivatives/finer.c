/* finer.c - see finer.h. SPDX-License-Identifier: BSD-3-Clause */
#include "finer.h"
#include "slope_sums.h"
#include "object/calls.h"

#include <math.h>

/* Times the accuracy: slopes of the virial that err by up to 600 A, and more where a mode lies just
 * outside the sphere, then err by less than 20 A. Float does not reach less than the second. */
static const double FINER = 100, LEAST_IN_FLOAT = 2e-6;

/* Parameters that are given are those of the slopes too. */
static int leaves_the_choice(const enuf_ewald_options *o)
{
    return o->alpha == 0 && o->c == 0 && o->kmax == 0 && o->width == 0 && o->shape == 0 &&
           o->grid[0] == 0 && o->grid[1] == 0 && o->grid[2] == 0;
}

/* In the arithmetic of the object's own parameters. */
static enuf_status make(enuf_ewald *ewald, enuf_ewald **made)
{
    ENUF_TRY(enuf_ewald_update_method(ewald));
    enuf_ewald_options options = ewald->options;
    const double least =
        options.arithmetic == ENUF_ARITHMETIC_MIXED ? LEAST_IN_FLOAT : ENUF_TIGHTEST_ACCURACY;
    options.accuracy = fmax(options.accuracy / FINER, fmin(options.accuracy, least));
    options.force_error /= FINER;
    options.lammps_accuracy /= FINER;
    options.truncated = 1;
    ENUF_TRY(enuf_ewald_make(&options, made));
    (*made)->costs = ewald->costs;
    return ENUF_SUCCESS;
}

static enuf_status bring_charges(enuf_ewald *ewald, enuf_slope_room *room)
{
    const enuf_charge_set *set = &ewald->charges;
    if (room->charges_of_finer == ewald->charge_changes) return ENUF_SUCCESS;
    ENUF_TRY(enuf_ewald_host_charges(ewald));
    const enuf_exclusions exclusions = {set->n_excluded, set->pairs, set->weights};
    ENUF_TRY(enuf_charges_set(room->finer, set->n, set->q, &exclusions));
    room->charges_of_finer = ewald->charge_changes;
    return ENUF_SUCCESS;
}

enuf_status enuf_finer_find(enuf_ewald *ewald, const enuf_motion *motion, int wanted,
                            enuf_ewald **found)
{
    enuf_slope_room *room;
    *found = ewald;
    if (!motion->strains || ewald->charges.n_charged == 0 || !leaves_the_choice(&ewald->options) ||
        !((wanted & ENUF_WANT_VIRIAL) || ewald->method.tail.energy != 0))
        return ENUF_SUCCESS;
    ENUF_TRY(enuf_slope_room_find(ewald, &room));
    if (room->no_finer) return ENUF_SUCCESS;
    if (!room->finer) ENUF_TRY(make(ewald, &room->finer));
    ENUF_TRY(enuf_alone_set_cell(room->finer, ewald->cell));
    ENUF_TRY(bring_charges(ewald, room));
    *found = room->finer;
    return ENUF_SUCCESS;
}

void enuf_finer_give_up(enuf_ewald *ewald)
{
    enuf_ewald_free(ewald->slope_room->finer);
    ewald->slope_room->finer = NULL;
    ewald->slope_room->no_finer = 1;
}
