/*
 * evaluate.c - an evaluation on the CPU: one term after another. The caller's arrays are written
 * last, after every step that can fail. SPDX-License-Identifier: BSD-3-Clause
 */
#include "evaluate.h"
#include "object/ewald_object.h"
#include "wall_clock.h"

enuf_status enuf_ewald_start_cpu(enuf_ewald *ewald, const enuf_evaluation *what)
{
    return enuf_ewald_check_positions(ewald, what->positions, what->stride);
}

enuf_status enuf_ewald_finish_cpu(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_ewald_sums sums;
    enuf_atoms atoms;
    ENUF_TRY(enuf_ewald_reserve(ewald, what->wanted, &sums));
    double start = enuf_seconds();
    ENUF_TRY(enuf_order_atoms(ewald, what, &atoms));
    if (what->real) {
        ENUF_TRY(enuf_sum_real(ewald, what->wanted, &atoms, &sums));
        enuf_sum_exclusions(ewald, what, &atoms, &sums);
    }
    double middle = enuf_seconds();
    if (what->reciprocal) {
        ENUF_TRY(enuf_sum_reciprocal(ewald, what->wanted, &atoms, &sums));
        enuf_sum_boundary(ewald, &atoms, &sums);
    }
    if (what->real) ewald->seconds_real = middle - start;
    if (what->reciprocal) ewald->seconds_reciprocal = enuf_seconds() - middle;
    return enuf_ewald_deliver(ewald, what, &atoms, &sums);
}
