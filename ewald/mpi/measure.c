/* measure.c - the error measured against exact sums. SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"
#include "sample_ranks.h"

#include <string.h>

enuf_status enuf_ranks_check_measurement(int64_t size, const enuf_ewald_error *error)
{
    if (!error || error->struct_size != sizeof *error)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "error is NULL, or error->struct_size is not sizeof(enuf_ewald_error)");
    if (size < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "sample is %lld: it has to be at least 0 (all atoms)",
                         (long long)size);
    return ENUF_SUCCESS;
}

/* Forces and potentials of this rank's atoms and the virial of all, by the method in use. */
static enuf_status evaluate(enuf_ewald_mpi *m, const double *positions, int64_t stride,
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
    /* the method in use is measured: none is chosen for these positions */
    m->ewald->is_choosing = 1;
    const enuf_status evaluated = enuf_ranks_evaluate(m, &what);
    m->ewald->is_choosing = 0;
    memcpy(virial, result.virial, sizeof result.virial);
    return evaluated;
}

static enuf_status measure(enuf_ewald_mpi *m, const double *positions, int64_t stride, int64_t size,
                           uint64_t seed, enuf_ewald_error *error)
{
    if (enuf_is_alone(m))
        return enuf_ewald_measure_error(m->ewald, positions, stride, size, seed, error);
    double *forces = NULL, *potential = NULL, virial[6] = {0};
    enuf_rank_sample sample = {.q = NULL};
    enuf_ewald_error found = {.struct_size = sizeof found};
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_ranks_check_measurement(size, error)));
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

/* The exact sums read positions on the host. */
enuf_status enuf_ranks_measure(enuf_ewald_mpi *m, const double *positions, int64_t stride,
                               int64_t size, uint64_t seed, enuf_ewald_error *error)
{
    double *copy = NULL;
    if (enuf_is_alone(m)) return measure(m, positions, stride, size, seed, error);
    enuf_status status =
        enuf_ranks_agree(&m->ranks, enuf_ewald_host_positions(m->ewald, m->ewald->options.memory,
                                                              &positions, stride, &copy));
    if (status == ENUF_SUCCESS) status = measure(m, positions, stride, size, seed, error);
    enuf_release(&copy);
    return status;
}

enuf_status enuf_ewald_mpi_measure_error(enuf_ewald_mpi *ewald, const double *positions,
                                         int64_t stride, int64_t sample, uint64_t seed,
                                         enuf_ewald_error *error)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: ewald is NULL", __func__);
    return enuf_named((ewald->sharing ? enuf_sharing_measure : enuf_ranks_measure)(
                          ewald, positions, stride, sample, seed, error),
                      __func__);
}
