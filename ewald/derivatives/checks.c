/* checks.c - see checks.h. SPDX-License-Identifier: BSD-3-Clause */
#include "checks.h"

enuf_status enuf_check_alone(const enuf_ewald *ewald)
{
    if (!ewald->on_ranks) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED, "ranks of MPI do not do that: use an object of one "
                                       "process, by enuf_ewald_create()");
}

enuf_status enuf_all_charges_zero(void)
{
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "all charges are 0, so that no parameters are chosen: set charges of the "
                     "usual size; potentials are linear in them");
}

enuf_status enuf_direction_not_finite(const char *name, int64_t k, double number)
{
    return enuf_fail(ENUF_NOT_FINITE, "direction->%s[%lld] is %g: it has to be finite", name,
                     (long long)k, number);
}

enuf_status enuf_set_not_finite(int64_t n, int64_t k, double charge)
{
    return enuf_fail(ENUF_NOT_FINITE, "charge %lld of vector %lld is %g: it has to be finite",
                     (long long)(k % n), (long long)(k / n), charge);
}

enuf_status enuf_make_derivatives_ready(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    const enuf_evaluation what = enuf_evaluation_of(
        ewald, positions, stride, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, NULL, 1, 1);
    ENUF_TRY(enuf_ewald_update_method(ewald));
    return enuf_ewald_verify_first(ewald, &what);
}
