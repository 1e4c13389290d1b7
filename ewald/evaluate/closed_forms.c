/* closed_forms.c - see closed_forms.h. SPDX-License-Identifier: BSD-3-Clause */
#include "closed_forms.h"
#include "object/ewald_object.h"

#include <string.h>

static const double two_pi = 6.283185307179586476925;

enuf_closed_forms enuf_closed_forms_of(const enuf_ewald *ewald)
{
    const enuf_ewald_options *o = &ewald->options;
    const enuf_splitting *splitting = &ewald->method.parameters.splitting;
    const enuf_mode_tail *tail = &ewald->method.tail;
    const double volume = ewald->geometry.volume, height = ewald->geometry.cell[8];
    enuf_closed_forms forms = {
        .self = splitting->self - 2 * tail->energy,
        .self_energy = -0.5 * splitting->self,
        .tail_energy = tail->energy,
        .background_of_unit = -2 * splitting->background / volume,
    };
    memcpy(forms.tail, tail->virial, sizeof tail->virial);
    if (o->surroundings != 0) forms.sphere = two_pi / ((2 * o->surroundings + 1) * volume);
    if (o->slab != 0) {
        forms.slab = two_pi / volume;
        forms.level_of_unit = height * height / 12;
    }
    enuf_closed_forms_set_charge(&forms, ewald->charges.sum);
    return forms;
}
