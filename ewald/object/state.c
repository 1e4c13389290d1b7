/* state.c - checks of the object that every call begins with. SPDX-License-Identifier: BSD-3-Clause
 */
#include "ewald_object.h"
#include "parallel.h"

enuf_status enuf_named(enuf_status status, const char *function)
{
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, function);
}

enuf_status enuf_ewald_check_idle(const enuf_ewald *ewald)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "ewald is NULL: enuf_ewald_create() makes one");
    if (ewald->begun)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "an evaluation has begun: enuf_ewald_finish() has to come first");
    return ENUF_SUCCESS;
}

int enuf_ewald_single_mesh(const enuf_ewald *ewald)
{
    return ewald->options.arithmetic == ENUF_ARITHMETIC_MIXED;
}

int enuf_ewald_threads(const enuf_ewald *ewald)
{
    return enuf_thread_count(ewald->options.threads);
}

enuf_evaluation enuf_evaluation_of(const enuf_ewald *ewald, const double *positions, int64_t stride,
                                   int wanted, enuf_ewald_result *result, int real, int reciprocal)
{
    return (enuf_evaluation){positions,
                             stride,
                             wanted,
                             real,
                             reciprocal,
                             result,
                             ewald ? ewald->options.memory : ENUF_HOST};
}
