/*
 * totals.h - energy, virial and net force of an evaluation from its scalars: on the host, or on the
 * device, where they are delivered without the host. Read by C and by CUDA files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_TOTALS_H
#define ENUF_EWALD_CUDA_TOTALS_H

#include "evaluate/totals.h"
#include "evaluation.h"

/** What the totals follow from, beside the scalars. */
typedef struct enuf_cuda_totals {
    int wanted, has_pairs, has_modes, deterministic;
    int64_t n; /* atoms on all devices */
    double sum_q2;
    enuf_closed_forms closed;
    double modes_energy, modes_virial[6]; /* sums of the mesh */
} enuf_cuda_totals;

/** Totals without the Coulomb constant. */
ENUF_CLOSED_INLINE void enuf_cuda_find_totals(const enuf_cuda_totals *of,
                                              const enuf_cuda_scalars *scalars,
                                              enuf_ewald_totals *to)
{
    const enuf_closed_forms *f = &of->closed;
    double dipole[3] = {0, 0, 0}, second = 0;
    memset(to, 0, sizeof *to);
    if (of->has_pairs) {
        to->parts.real = scalars->pairs[0];
        if (of->wanted & ENUF_WANT_ENERGY)
            to->parts.excluded = enuf_cuda_term_sum(scalars, TERM_EXCLUDED, of->n);
        for (int c = 0; c < 6 && (of->wanted & ENUF_WANT_VIRIAL); c++)
            to->virial[c] +=
                scalars->pairs[1 + c] + enuf_cuda_term_sum(scalars, TERM_VIRIAL + c, of->n);
    }
    if (of->has_modes) {
        to->parts.reciprocal = of->modes_energy;
        for (int c = 0; c < 6; c++) to->virial[c] += of->modes_virial[c];
        for (int d = 0; d < 3; d++)
            to->net_force[d] = of->deterministic ? enuf_cuda_term_sum(scalars, TERM_NET + d, of->n)
                                                 : scalars->net[d];
        for (int d = 0; d < 3; d++)
            if (f->sphere != 0 || (f->slab != 0 && d == 2))
                dipole[d] = enuf_cuda_term_sum(scalars, TERM_DIPOLE + d, of->n);
        if (f->slab != 0) second = enuf_cuda_term_sum(scalars, TERM_SECOND, of->n);
        enuf_add_closed_forms(f, of->sum_q2, dipole, second, &to->parts, to->virial);
    }
    to->energy = enuf_sum_of_parts(&to->parts);
}

/** The sums of the plan's modes, from the scalars. */
ENUF_CLOSED_INLINE void enuf_cuda_read_modes(const enuf_cuda_scalars *scalars,
                                             const double inverse[9], int wanted, double *energy,
                                             double virial[6])
{
    *energy = scalars->reduced[0][0];
    for (int c = 0; c < 6; c++) virial[c] = 0;
    if (wanted & ENUF_WANT_VIRIAL)
        enuf_add_mode_virial(inverse, *energy, scalars->reduced[1] + 1, virial);
}

/** The first evaluation with bad data since the last check. */
typedef struct enuf_cuda_fault {
    int64_t evaluations; /* since the last check */
    int64_t number;      /* of that evaluation, from 1; 0: there is none */
    enuf_cuda_pair_record record;
    double x[3];   /* position of its bad or far atom */
    double energy; /* not finite where the record does not say what is wrong */
} enuf_cuda_fault;

/** The inputs and results of the kernel that delivers totals on the device. */
typedef struct enuf_cuda_totals_delivery {
    enuf_cuda_totals of;   /* without the sums of the mesh */
    int charges_on_device; /* 1: sum_q2 and net charge are those of the scalars */
    double inverse[9];
    double scale;
    int add;
    enuf_ewald_totals *to;
} enuf_cuda_totals_delivery;

#ifdef __cplusplus
extern "C" {
#endif

/** Writes the wanted totals, after all other kernels of an evaluation; of bad data none, but a
 * fault.
 */
enuf_status enuf_cuda_deliver_totals(const enuf_cuda_atoms *atoms,
                                     const enuf_cuda_totals_delivery *delivery,
                                     const enuf_cuda_scalars *scalars, enuf_cuda_fault *fault,
                                     cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
