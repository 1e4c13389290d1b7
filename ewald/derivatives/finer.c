/* finer.c - see finer.h. SPDX-License-Identifier: BSD-3-Clause */
#include "finer.h"
#include "slope_sums.h"
#include "object/calls.h"

#include <math.h>
#include <string.h>

/* At the edge of the band each derivative multiplies by up to c^2/2, two of them by c^4/4. What is
 * left out averages over modes, so that c^4/1000 serves: slopes of the virial of 8 to 300 ions at
 * A = 1e-4 ... 1e-10 err by up to 10 A. */
static const double AVERAGED = 1000;

/* Of the object's cutoff, then and now, and of c that is kept and needed. What is left out may grow
 * by SPARE before c is chosen anew: charges that change a little keep it. */
static const double MOST_RATIO = 1.5, SPARE = 1.25;

/* Parameters that are given are those of the slopes too. */
static int leaves_the_choice(const enuf_ewald_options *o)
{
    return o->alpha == 0 && o->c == 0 && o->kmax == 0 && o->width == 0 && o->shape == 0 &&
           o->grid[0] == 0 && o->grid[1] == 0 && o->grid[2] == 0;
}

/* What the object's splitting leaves out, and c of a prolate one that leaves out as much. */
typedef struct left_out {
    double error, c;
} left_out;

static left_out left_out_by(const enuf_ewald *ewald)
{
    const enuf_parameters *p = &ewald->method.parameters;
    const double error = enuf_splitting_truncation_error(&p->splitting, p->k_c);
    return (left_out){error, enuf_prolate_c_for(error)};
}

/* c of a prolate splitting that leaves out so much less, over `spare`. */
static double needed_c(left_out own, double spare)
{
    return enuf_prolate_c_for(spare * own.error / fmax(1, pow(own.c, 4) / AVERAGED));
}

/*
 * Of the growth of c, the share that a larger cutoff takes; modes take the rest. A product
 * transforms nine times. Its pairs take about twice those of an evaluation on a CPU, and four times
 * on a GPU, where an evaluation meets each pair once. In evaluations: CPU, 3000 ions 3.4 to 3.9 by
 * the cutoff alone, 4.7 to 5.6 by halves; H200, 10,000 and 100,000 ions up to 3.8 by
 * halves; while the host took 90 us more, up to 5.1 by the cutoff, 4.7 by modes.
 */
static const double ON_CPU = 1, ON_GPU = 0.5;

/* A prolate splitting that leaves out less. Its mesh errs as the object's own. */
static enuf_status make(const enuf_ewald *ewald, enuf_ewald **made)
{
    const left_out own = left_out_by(ewald);
    const double share = ewald->costs.backend == ENUF_BACKEND_CUDA ? ON_GPU : ON_CPU;
    enuf_ewald_options options = ewald->options;
    options.split = ENUF_SPLIT_PROLATE;
    options.c = needed_c(own, 1);
    options.cutoff = own.c / ewald->method.parameters.k_c * pow(options.c / own.c, share);
    options.truncated = 1;
    ENUF_TRY(enuf_ewald_make(&options, made));
    (*made)->costs = ewald->costs;
    return ENUF_SUCCESS;
}

/* The object chooses its mesh anew by itself where its error would grow. Its splitting serves while
 * it leaves out little enough, with more charge and a force_error too; its cutoff serves systems of
 * about the same density. */
static int serves(const enuf_ewald *ewald, const enuf_slope_room *room)
{
    const double ratio = ewald->method.parameters.splitting.cutoff / room->cutoff_of_finer;
    const double c = room->finer->options.c, needed = needed_c(left_out_by(ewald), SPARE);
    return ratio < MOST_RATIO && ratio > 1 / MOST_RATIO && c >= needed && c < MOST_RATIO * needed;
}

/* To find the c that is needed takes longer than the product of a small system: it is found for
 * other parameters alone. */
static enuf_status update(enuf_ewald *ewald, enuf_slope_room *room)
{
    ENUF_TRY(enuf_ewald_update_method(ewald));
    const enuf_parameters *p = &ewald->method.parameters;
    const double now[4] = {p->splitting.cutoff, p->splitting.alpha, p->splitting.c, p->k_c};
    if (room->finer && memcmp(now, room->served, sizeof now) == 0) return ENUF_SUCCESS;
    if (!room->finer || !serves(ewald, room)) {
        enuf_ewald_free(room->finer);
        room->finer = NULL;
        room->charges_of_finer = -1;
        room->cutoff_of_finer = p->splitting.cutoff;
        ENUF_TRY(make(ewald, &room->finer));
    }
    memcpy(room->served, now, sizeof now);
    return ENUF_SUCCESS;
}

static enuf_status bring_charges(enuf_ewald *ewald, enuf_slope_room *room)
{
    if (room->charges_of_finer == ewald->charge_changes) return ENUF_SUCCESS;
    ENUF_TRY(enuf_charges_share(ewald, room->finer));
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
    ENUF_TRY(update(ewald, room));
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
