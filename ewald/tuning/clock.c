/* clock.c - puts parameters to use, and times evaluations with them. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "tuned.h"
#include "evaluate/floats.h"
#include "memory.h"
#include "wall_clock.h"

#include <math.h>

/* Evaluations before a timing: the first touches memory; a GPU records its work in the second. */
enum { TO_WARM_A_CPU = 1, TO_WARM_A_GPU = 3 };

/* A timing lasts so long at least: the fastest of several short evaluations counts. */
static const double SHORTEST = 20e-3;

enuf_status enuf_tuning_apply(enuf_tuning_work *w, const enuf_parameters *p)
{
    w->replaced = 1;
    enuf_method_release(&w->ewald->method); /* two meshes may not fit into the memory */
    return enuf_ewald_apply_parameters(w->ewald, &w->choice, p, 1);
}

static enuf_status evaluate(const enuf_tuning_work *w, const enuf_evaluation *what, double *seconds)
{
    const double start = enuf_seconds();
    ENUF_TRY(enuf_ewald_sum(w->ewald, what));
    *seconds = enuf_seconds() - start;
    return ENUF_SUCCESS;
}

/* Room for forces in the memory of the option: of the tuning, or on a device of the object. */
static enuf_status find_room(enuf_tuning_work *w, double **forces)
{
    const int64_t numbers = 3 * w->ewald->charges.n;
    if (w->ewald->options.memory == ENUF_DEVICE)
        return enuf_floats_reserve(w->ewald, numbers, forces);
    if (!w->forces) ENUF_TRY(enuf_allocate(&w->forces, numbers, sizeof *w->forces, "forces"));
    *forces = w->forces;
    return ENUF_SUCCESS;
}

enuf_status enuf_tuning_clock(enuf_tuning_work *w, const enuf_parameters *p, double *seconds,
                              int64_t *bytes)
{
    enuf_ewald *ewald = w->ewald;
    const int warm = ewald->backend->kind == ENUF_BACKEND_CPU ? TO_WARM_A_CPU : TO_WARM_A_GPU;
    const int wanted =
        ENUF_WANT_ENERGY | ENUF_WANT_FORCES | (w->request.with_virial ? ENUF_WANT_VIRIAL : 0);
    enuf_ewald_result result = {.struct_size = sizeof result};
    enuf_ewald_report report = {.struct_size = sizeof report};
    double each = 0;
    ENUF_TRY(find_room(w, &result.forces));
    ENUF_TRY(enuf_tuning_apply(w, p));
    const enuf_evaluation what =
        enuf_evaluation_of(ewald, w->positions, w->stride, wanted, &result, 1, 1);
    for (int k = 0; k < warm; k++) ENUF_TRY(evaluate(w, &what, &each));
    *seconds = HUGE_VAL;
    for (const double start = enuf_seconds();
         *seconds == HUGE_VAL || enuf_seconds() - start < SHORTEST;) {
        ENUF_TRY(evaluate(w, &what, &each));
        *seconds = fmin(*seconds, each);
    }
    ENUF_TRY(enuf_ewald_make_report(ewald, ewald->close_forces, &report));
    *bytes = report.bytes;
    return ENUF_SUCCESS;
}
