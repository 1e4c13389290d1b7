/*
 * pair_functions.c - the pair polynomials for hosts that sum the pairs themselves.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "pair_table.h"

#include <math.h>
#include <string.h>

static enuf_status make(enuf_split split, double parameter, double cutoff, double error,
                        enuf_pair_functions *functions)
{
    if (!functions || functions->struct_size != sizeof *functions)
        return enuf_fail(ENUF_BAD_ARGUMENT, "functions is NULL, or functions->struct_size is not "
                                            "sizeof(enuf_pair_functions)");
    if (split != ENUF_SPLIT_GAUSSIAN && split != ENUF_SPLIT_PROLATE)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "split is %d: it has to be ENUF_SPLIT_GAUSSIAN or ENUF_SPLIT_PROLATE",
                         (int)split);
    if (!(cutoff > 0) || !isfinite(cutoff))
        return enuf_fail(ENUF_BAD_ARGUMENT, "cutoff = %g has to be positive and finite", cutoff);
    enuf_splitting splitting;
    enuf_pair_table table;
    ENUF_TRY(split == ENUF_SPLIT_GAUSSIAN ? enuf_splitting_gaussian(parameter, cutoff, &splitting)
                                          : enuf_splitting_prolate(parameter, cutoff, &splitting));
    ENUF_TRY(enuf_pair_table_make(&splitting, error, &table));
    functions->cutoff = cutoff;
    functions->n_energy = table.n_energy;
    functions->n_force = table.n_force;
    memcpy(functions->energy, table.energy, sizeof functions->energy);
    memcpy(functions->force, table.force, sizeof functions->force);
    return ENUF_SUCCESS;
}

enuf_status enuf_pair_functions_make(enuf_split split, double parameter, double cutoff,
                                     double error, enuf_pair_functions *functions)
{
    enuf_status status = make(split, parameter, cutoff, error, functions);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, __func__);
}
