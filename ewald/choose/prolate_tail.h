/*
 * prolate_tail.h - the prolate transform beyond its band; the splitting leaves it out.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PROLATE_TAIL_H
#define ENUF_PROLATE_TAIL_H

#include "prolate_function.h"

/* chi_hat^2 at u = t/c = cosh w, in equal steps of w from u = 1 on. */
enum { ENUF_TAIL_STEPS = 400 };
typedef struct enuf_prolate_tail {
    double step, last; /* of w; the last u tabulated */
    double square[ENUF_TAIL_STEPS + 1];
    double c, rest; /* integral of chi_hat^2 over t beyond the last u */
} enuf_prolate_tail;

/** Makes the tail, scaled so that the integral of chi_hat^2 over all t > c is `total`. */
void enuf_prolate_tail_make(const enuf_prolate *psi, double total, enuf_prolate_tail *tail);

/** chi_hat^2 at u, 1 <= u <= tail->last. */
double enuf_prolate_tail_at(const enuf_prolate_tail *tail, double u);

/** The integral of chi_hat^2 over t beyond u, 1 <= u <= tail->last. */
double enuf_prolate_tail_beyond(const enuf_prolate_tail *tail, double u);

#endif
