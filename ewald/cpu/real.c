/* real.c - the pairs inside the cutoff, by the backend's cell lists. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "object/ewald_object.h"

#include <math.h>

enuf_pair_request enuf_request_pairs(const enuf_ewald *ewald, int wanted)
{
    const enuf_charge_set *set = &ewald->charges;
    const enuf_ewald_options *o = &ewald->options;
    return (enuf_pair_request){
        .cell = ewald->geometry.cell,
        .inverse = ewald->geometry.inverse,
        /* a slab too: EW3DC sums the images of the extended cell in all three directions */
        .periodic = {1, 1, 1},
        .stride = 3,
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
}

enuf_status enuf_sum_real(enuf_ewald *ewald, int wanted, const enuf_atoms *atoms,
                          enuf_ewald_sums *sums)
{
    if (ewald->charges.n_charged == 0) return ENUF_SUCCESS;
    enuf_pair_request request = enuf_request_pairs(ewald, wanted);
    request.n = atoms->n;
    request.positions = atoms->positions;
    request.stride = atoms->stride;
    request.charges = atoms->q;
    request.original = atoms->original;
    enuf_pair_sums pairs = {
#define ENUF_X(BIT, name, width, text) .name = sums->name,
        ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    };
    ENUF_TRY(ewald->backend->pairs_sum(ewald->pairs, &request, &pairs));
    sums->parts.real = pairs.energy;
    ewald->close_forces = sqrt(pairs.close_forces2 / (double)ewald->charges.n_charged);
    for (int c = 0; c < 6; c++) sums->virial[c] += pairs.virial[c];
    return ENUF_SUCCESS;
}
