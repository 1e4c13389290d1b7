/* choose.c - see choose.h. SPDX-License-Identifier: BSD-3-Clause */
#include "choose.h"
#include "measure.h"
#include "tabulate.h"

#include <string.h>

/* Of the tolerance: what separation leaves out, and what it may be found to miss. The transforms
 * have the rest: transform.c. */
static const double SEPARATION_SHARE = 0.8, ACCEPTED = 0.86;

static int has_gradients(const enuf_maps *maps)
{
    for (int d = 0; d < 3; d++)
        for (int64_t k = 0; maps->gradient[d] && k < maps->n; k++)
            if (maps->gradient[d][k] != 0) return 1;
    return 0;
}

static enuf_status choose(const enuf_field_problem *problem, double tolerance,
                          enuf_field_choice *choice)
{
    if (!choice->is_drawn) return enuf_field_tabulate(problem, tolerance, choice);
    enuf_drawn_free(&choice->drawn);
    ENUF_TRY(enuf_drawn_make(problem, tolerance, &choice->drawn));
    choice->count = choice->drawn.count;
    return ENUF_SUCCESS;
}

enuf_status enuf_field_choose(const enuf_field_problem *problem, enuf_field_choice *choice)
{
    double tolerance = SEPARATION_SHARE * problem->tolerance;
    memset(choice, 0, sizeof *choice);
    choice->is_drawn = has_gradients(&problem->maps);
    ENUF_TRY(enuf_field_check_extents(problem));
    /* errors at other samples and pixels may be larger than those that the choice has seen */
    for (int attempt = 0; attempt < 6; attempt++, tolerance *= 0.7) {
        ENUF_TRY(choose(problem, tolerance, choice));
        ENUF_TRY(enuf_field_measure(problem, choice));
        if (choice->error <= ACCEPTED * problem->tolerance) return ENUF_SUCCESS;
    }
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "tolerance %.2g: %d interpolators reach %.2g for these samples and maps; ask "
                     "for that",
                     problem->tolerance, choice->count, choice->error);
}

void enuf_field_choice_free(enuf_field_choice *choice)
{
    enuf_field_free_tables(choice);
    enuf_drawn_free(&choice->drawn);
}
