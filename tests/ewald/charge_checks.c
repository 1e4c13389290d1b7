/* charge_checks.c - see charge_checks.h. SPDX-License-Identifier: BSD-3-Clause */
#include "charge_checks.h"

void check_same_sums(const enuf_charge_set *got, const enuf_charge_set *expected)
{
    CHECK(got->n == expected->n && got->n_all == expected->n_all);
    CHECK(got->n_charged == expected->n_charged);
    CHECK(got->sum == expected->sum);
    CHECK(got->sum_abs == expected->sum_abs);
    CHECK(got->sum_q2 == expected->sum_q2);
    CHECK(got->largest == expected->largest);
    CHECK(got->concentration == expected->concentration);
}

void reverse_atoms(charge_system *s)
{
    for (int64_t i = 0, j = s->n - 1; i < j; i++, j--) {
        const double q = s->q[i];
        s->q[i] = s->q[j];
        s->q[j] = q;
        for (int d = 0; d < 3; d++) {
            const double x = s->x[3 * i + d];
            s->x[3 * i + d] = s->x[3 * j + d];
            s->x[3 * j + d] = x;
        }
    }
}
