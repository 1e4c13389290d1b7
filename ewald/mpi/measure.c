/* measure.c - the error measured against exact sums that rank 0 makes. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "context.h"
#include "memory.h"
#include "sample.h"

static enuf_status check(int64_t size, const enuf_ewald_error *error)
{
    if (!error || error->struct_size != sizeof *error)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "error is NULL, or error->struct_size is not sizeof(enuf_ewald_error)");
    if (size < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "sample is %lld: it has to be at least 0 (all atoms)",
                         (long long)size);
    return ENUF_SUCCESS;
}

/* Forces and potentials of this rank's atoms, by the method in use. */
static enuf_status evaluate(enuf_ewald_mpi *m, const double *positions, int64_t stride,
                            double **forces, double **potential)
{
    const int64_t n = m->ewald->charges.n;
    enuf_status status = enuf_allocate(forces, 3 * n, sizeof **forces, "forces");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(potential, n, sizeof **potential, "potentials");
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = *forces, .potential = *potential};
    const enuf_evaluation what = {positions, stride,   ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, 1, 1,
                                  &result,   ENUF_HOST};
    return enuf_ranks_evaluate(m, &what);
}

static enuf_status compare(enuf_ewald_mpi *m, const double *positions, int64_t stride, int64_t size,
                           uint64_t seed, const double *forces, const double *potential,
                           enuf_ewald_error *found)
{
    enuf_ewald *alone = NULL;
    enuf_sample sample = {.n = 0};
    double *all = NULL;
    ENUF_TRY(enuf_gather_system(m, positions, stride, &alone, &all));
    enuf_status status = ENUF_SUCCESS;
    if (alone) {
        alone->method.parameters = m->ewald->method.parameters;
        status = enuf_sample_make(alone, all, 3, size, seed, ENUF_REFERENCE_EXACT, &sample);
    }
    status = enuf_ranks_agree(&m->ranks, status);
    if (status == ENUF_SUCCESS) status = enuf_gather_array(m, 3, forces, sample.forces);
    if (status == ENUF_SUCCESS) status = enuf_gather_array(m, 1, potential, sample.potential);
    if (status == ENUF_SUCCESS && alone) enuf_sample_compare(alone, &sample, found);
    enuf_sample_release(&sample);
    enuf_ewald_destroy(&alone);
    enuf_release(&all);
    return status;
}

static enuf_status measure(enuf_ewald_mpi *m, const double *positions, int64_t stride, int64_t size,
                           uint64_t seed, enuf_ewald_error *error)
{
    if (enuf_is_alone(m))
        return enuf_ewald_measure_error(m->ewald, positions, stride, size, seed, error);
    double *forces = NULL, *potential = NULL;
    enuf_ewald_error found = {.struct_size = sizeof found};
    ENUF_TRY(enuf_ranks_agree(&m->ranks, check(size, error)));
    enuf_status status = evaluate(m, positions, stride, &forces, &potential);
    if (status == ENUF_SUCCESS && m->ewald->charges.n_charged > 0)
        status = compare(m, positions, stride, size, seed, forces, potential, &found);
    enuf_release(&forces);
    enuf_release(&potential);
    ENUF_TRY(status);
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof found, &found);
    if (m->ewald->charges.n_charged > 0) m->ewald->measured = found.accuracy;
    *error = found;
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_mpi_measure_error(enuf_ewald_mpi *ewald, const double *positions,
                                         int64_t stride, int64_t sample, uint64_t seed,
                                         enuf_ewald_error *error)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: ewald is NULL", __func__);
    return enuf_named(measure(ewald, positions, stride, sample, seed, error), __func__);
}
