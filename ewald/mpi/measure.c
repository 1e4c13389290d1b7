/* measure.c - the error measured against exact sums. SPDX-License-Identifier: BSD-3-Clause */
#include "exact_ranks.h"
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

/* Rank 0 draws, of all charges; then all ranks know the atoms. */
static enuf_status draw(enuf_ewald_mpi *m, int64_t size, uint64_t seed, enuf_sample *sample)
{
    enuf_charge_set all = m->ewald->charges; /* whose sums are those of all ranks */
    const int first = m->ranks.rank == 0;
    enuf_status status = ENUF_SUCCESS;
    all.q = NULL;
    all.n = m->others.n;
    if (first) status = enuf_allocate(&all.q, all.n, sizeof *all.q, "charges of all ranks");
    status = enuf_ranks_agree(&m->ranks, status);
    if (status == ENUF_SUCCESS) status = enuf_gather_array(m, 1, m->ewald->charges.q, all.q);
    if (status == ENUF_SUCCESS)
        status = enuf_ranks_agree(&m->ranks, first ? enuf_sample_draw(&all, size, seed, sample)
                                                   : ENUF_SUCCESS);
    enuf_release(&all.q);
    ENUF_TRY(status);
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof sample->n, &sample->n);
    const int64_t n = sample->n;
    if (!first) {
        status = enuf_allocate(&sample->atoms, n, sizeof *sample->atoms, "sample of atoms");
        if (status == ENUF_SUCCESS)
            status = enuf_allocate(&sample->weight, n, sizeof *sample->weight, "sample of atoms");
    }
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    enuf_ranks_from_first(&m->ranks, n * (int64_t)sizeof *sample->atoms, sample->atoms);
    enuf_ranks_from_first(&m->ranks, n * (int64_t)sizeof *sample->weight, sample->weight);
    return ENUF_SUCCESS;
}

static enuf_status reserve(int64_t n, enuf_sample *sample, double **q)
{
    ENUF_TRY(enuf_allocate(&sample->forces, 3 * n, sizeof(double), "forces of the sample"));
    ENUF_TRY(enuf_allocate(&sample->potential, n, sizeof(double), "potentials of the sample"));
    ENUF_TRY(enuf_allocate(&sample->exact_forces, 3 * n, sizeof(double), "exact forces"));
    ENUF_TRY(enuf_allocate(&sample->exact_potential, n, sizeof(double), "exact potentials"));
    return enuf_allocate(q, n, sizeof **q, "charges of the sample");
}

/* Collective: what the ranks that have the sample's atoms have found for them. */
static void collect(enuf_ewald_mpi *m, const double *forces, const double *potential,
                    enuf_sample *sample)
{
    for (int64_t k = 0; k < sample->n; k++) {
        const int64_t i = enuf_atom_of_number(m, sample->atoms[k]);
        const int own = i >= 0;
        for (int d = 0; d < 3; d++) sample->forces[3 * k + d] = own ? forces[3 * i + d] : 0;
        sample->potential[k] = own ? potential[i] : 0;
    }
    enuf_ranks_sum_doubles(&m->ranks, 3 * sample->n, sample->forces);
    enuf_ranks_sum_doubles(&m->ranks, sample->n, sample->potential);
}

/* By exact sums that all ranks make together. */
static enuf_status compare(enuf_ewald_mpi *m, const double *positions, int64_t stride, int64_t size,
                           uint64_t seed, const double *forces, const double *potential,
                           enuf_ewald_error *found)
{
    enuf_sample sample = {.n = 0};
    double *q = NULL;
    enuf_status status = draw(m, size, seed, &sample);
    if (status == ENUF_SUCCESS)
        status = enuf_ranks_agree(&m->ranks, reserve(sample.n, &sample, &q));
    if (status == ENUF_SUCCESS) {
        const enuf_exact_atoms atoms = {sample.n, sample.atoms, q, sample.exact_forces,
                                        sample.exact_potential};
        status = enuf_ranks_sum_exactly(m, positions, stride, &atoms);
    }
    if (status == ENUF_SUCCESS) {
        collect(m, forces, potential, &sample);
        for (int64_t k = 0; k < sample.n; k++) sample.atoms[k] = k; /* arrays hold no others */
        enuf_sample_compare(m->ewald->method.parameters.f_ref, q, &sample, found);
    }
    enuf_release(&q);
    enuf_sample_release(&sample);
    return status;
}

/* By those of rank 0 alone, whose bits do not depend on the ranks. */
static enuf_status compare_on_first(enuf_ewald_mpi *m, const double *positions, int64_t stride,
                                    int64_t size, uint64_t seed, const double *forces,
                                    const double *potential, enuf_ewald_error *found)
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
    if (status == ENUF_SUCCESS && alone)
        enuf_sample_compare(alone->method.parameters.f_ref, alone->charges.q, &sample, found);
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
        status = (m->ewald->options.deterministic ? compare_on_first : compare)(
            m, positions, stride, size, seed, forces, potential, &found);
    enuf_release(&forces);
    enuf_release(&potential);
    ENUF_TRY(status);
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof found, &found);
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
        enuf_ranks_agree(&m->ranks, enuf_ewald_host_positions(m->ewald, &positions, stride, &copy));
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
