/* real.c - the pairs inside the cutoff, by the backend's cell lists. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "object/ewald_object.h"

#include <math.h>

enuf_status enuf_sum_real(enuf_ewald *ewald, int wanted, const enuf_atoms *atoms,
                          enuf_ewald_sums *sums)
{
    const enuf_charge_set *set = &ewald->charges;
    const enuf_ewald_options *o = &ewald->options;
    if (set->n_charged == 0) return ENUF_SUCCESS;
    const enuf_pair_request request = {
        .cell = ewald->geometry.cell,
        .inverse = ewald->geometry.inverse,
        /* a slab too: EW3DC sums the images of the extended cell in all three directions */
        .periodic = {1, 1, 1},
        .n = atoms->n,
        .positions = atoms->positions,
        .stride = atoms->stride,
        .charges = atoms->q,
        .original = atoms->original,
        .table = &ewald->method.table,
        .arithmetic = o->arithmetic,
        .threads = enuf_ewald_threads(ewald),
        .deterministic = o->deterministic,
        .n_charged = set->n_charged,
        .sum_q2 = set->sum_q2,
        .largest_charge = set->largest,
        .close = ewald->method.parameters.close,
        .wanted = wanted,
    };
    enuf_pair_sums pairs = {
        .forces = sums->forces,
        .atom_energy = sums->atom_energy,
        .atom_virial = sums->atom_virial,
        .potential = sums->potential,
        .field = sums->field,
    };
    ENUF_TRY(ewald->backend->pairs_sum(ewald->pairs, &request, &pairs));
    sums->parts.real = pairs.energy;
    ewald->close_forces = sqrt(pairs.close_forces2 / (double)set->n_charged);
    for (int c = 0; c < 6; c++) sums->virial[c] += pairs.virial[c];
    return ENUF_SUCCESS;
}
