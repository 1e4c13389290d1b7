/* measure.c - the error measured against exact sums. SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/object/calls.h"
#include "mpi/evaluate/evaluate.h"
#include "memory.h"
#include "sample_ranks.h"

#include <string.h>

/* Forces and potentials of this rank's atoms and the virial of all, by the present method. */
static enuf_status evaluate(enuf_rank_state *m, const double *positions, int64_t stride,
                            double **forces, double **potential, double virial[6])
{
    const int64_t n = m->ewald->charges.n;
    enuf_status status = enuf_allocate(forces, 3 * n, sizeof **forces, "forces");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(potential, n, sizeof **potential, "potentials");
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = *forces, .potential = *potential};
    const int wanted = ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL;
    const enuf_evaluation what = {positions, stride, wanted, 1, 1, &result, ENUF_HOST};
    ENUF_TRY(enuf_ranks_prepare_for(m, &what));
    ENUF_TRY(enuf_ranks_sum(m, &what));
    memcpy(virial, result.virial, sizeof result.virial);
    return ENUF_SUCCESS;
}

static enuf_status measure(enuf_rank_state *m, const double *positions, int64_t stride,
                           int64_t size, uint64_t seed, enuf_ewald_error *error)
{
    double *forces = NULL, *potential = NULL, virial[6] = {0};
    enuf_rank_sample sample = {.q = NULL};
    enuf_ewald_error found = {.struct_size = sizeof found};
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_ewald_check_measurement(size, error)));
    enuf_status status = evaluate(m, positions, stride, &forces, &potential, virial);
    if (status == ENUF_SUCCESS && m->ewald->charges.n_charged > 0) {
        status = enuf_rank_sample_make(m, positions, stride, size, seed, &sample);
        if (status == ENUF_SUCCESS)
            enuf_rank_sample_compare(m, forces, potential, virial, &sample, &found);
    }
    enuf_rank_sample_release(&sample);
    enuf_release(&forces);
    enuf_release(&potential);
    ENUF_TRY(status);
    if (m->ewald->charges.n_charged > 0) m->ewald->measured = found.accuracy;
    *error = found;
    return ENUF_SUCCESS;
}

/* Positions are on the host, because the exact sums read them there. */
enuf_status enuf_ranks_measure_error(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     int64_t size, uint64_t seed, enuf_ewald_error *error)
{
    enuf_rank_state *m = ewald->on_ranks;
    double *copy = NULL;
    enuf_status status =
        enuf_ranks_agree(&m->ranks, enuf_ewald_host_positions(ewald, ewald->options.memory,
                                                              &positions, stride, &copy));
    if (status == ENUF_SUCCESS) status = measure(m, positions, stride, size, seed, error);
    enuf_release(&copy);
    return status;
}
