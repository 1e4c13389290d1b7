/* numbers.h - numbers of arrays in host memory in the precision of a batch.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_BATCH_NUMBERS_H
#define ENUF_BATCH_NUMBERS_H

#include "batch.h"

static inline double enuf_batch_number(const enuf_ewald_batch *batch, const void *array, int64_t at)
{
    return batch->options.precision == ENUF_FLOAT ? (double)((const float *)array)[at]
                                                  : ((const double *)array)[at];
}

/** Writes number `at`; a NULL array is legal. */
static inline void enuf_batch_put(const enuf_ewald_batch *batch, void *array, int64_t at,
                                  double value)
{
    if (!array) return;
    if (batch->options.precision == ENUF_FLOAT)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

/** Charge and dipole of a system; positions as they are given. */
typedef struct enuf_batch_moments {
    double charge, magnitude, dipole[3];
} enuf_batch_moments;

static inline enuf_batch_moments enuf_batch_moments_of(const enuf_ewald_batch *batch,
                                                       const enuf_batch_arrays *arrays,
                                                       const enuf_batch_system *system)
{
    enuf_batch_moments of = {0};
    for (int64_t i = system->first; i < system->first + system->n; i++) {
        const double q = enuf_batch_number(batch, arrays->charges, i);
        of.charge += q;
        of.magnitude += fabs(q);
        for (int a = 0; a < 3; a++)
            of.dipole[a] += q * enuf_batch_number(batch, arrays->positions, i * arrays->stride + a);
    }
    return of;
}

/** Looks at the data of a system in host memory. Returns 1 and sets the fault if they are refused.
 */
int enuf_batch_inspect(const enuf_ewald_batch *batch, const enuf_batch_arrays *arrays, int64_t s,
                       enuf_batch_fault *fault);

/** The first system whose data are refused, with its error; ENUF_SUCCESS if there is none. */
enuf_status enuf_batch_inspect_all(const enuf_ewald_batch *batch, const char *function,
                                   const enuf_batch_arrays *arrays);

#endif
