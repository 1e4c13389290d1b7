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

void enuf_closed_forms_set_charge(enuf_closed_forms *f, double charge)
{
    f->charge = charge;
    f->background = charge * f->background_of_unit;
    f->level = charge * f->level_of_unit;
}

void enuf_add_closed_virial(const enuf_closed_forms *f, double background, double surface,
                            const double dipole[3], const double x[3], double q, double virial[6])
{
    virial[0] += background + surface;
    virial[1] += background + surface;
    virial[2] += background + (f->slab != 0 ? -surface : surface);
    for (int c = 0; c < 6; c++) {
        const int row = enuf_tensor_row[c], column = enuf_tensor_column[c];
        virial[c] -= f->sphere * q * (x[row] * dipole[column] + x[column] * dipole[row]);
    }
}

void enuf_add_closed_forms(const enuf_ewald *ewald, const enuf_closed_forms *f,
                           const double dipole[3], double second, enuf_ewald_parts *parts,
                           double virial[6])
{
    const enuf_charge_set *set = &ewald->charges;
    const double m2 = dipole[0] * dipole[0] + dipole[1] * dipole[1] + dipole[2] * dipole[2];
    parts->self = -0.5 * ewald->method.parameters.splitting.self * set->sum_q2;
    parts->background = 0.5 * f->background * set->sum;
    parts->surface = f->sphere * m2 +
                     f->slab * (dipole[2] * dipole[2] - f->charge * second - f->charge * f->level);
    parts->reciprocal += ewald->method.tail.energy * set->sum_q2;
    for (int c = 0; c < 6; c++) virial[c] += f->tail[c] * set->sum_q2;
    /* the sum over atoms of their shares: sum q x is the dipole */
    enuf_add_closed_virial(f, parts->background, parts->surface, dipole, dipole, 1, virial);
}
