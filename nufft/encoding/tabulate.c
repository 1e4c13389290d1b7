/* tabulate.c - see tabulate.h. SPDX-License-Identifier: BSD-3-Clause */
#include "tabulate.h"

/* Of the tolerance: nodes of histograms. */
static const double NODE_SHARE = 0.02;

/* Exponents of the separated exponential from the middle to the end of its ranges. The dense matrix
 * of its nodes takes a minute where it is larger, with 300 interpolators. */
static const double MOST_EXPONENT = 500;
static const double MOST_NODES = 1e7; /* of times, times those of the field */

/* Exponents of exp(-decay t) that either precision has room for. */
static double most_decay(enuf_precision precision)
{
    return precision == ENUF_FLOAT ? 60 : 300;
}

enuf_interpolators enuf_interpolators_of(const enuf_histogram *h, int count)
{
    enuf_interpolators at = {.count = count};
    for (int d = 0; d < 2; d++) {
        at.low[d] = h->low[d];
        at.bins_per_unit[d] = h->bins_per_unit[d];
        at.bins[d] = h->bins[d];
    }
    return at;
}

enuf_sample_terms enuf_sample_terms_of(const enuf_field_problem *problem,
                                       const enuf_field_choice *choice)
{
    return (enuf_sample_terms){.at = enuf_interpolators_of(&choice->times, choice->count),
                               .omega = choice->centre.omega,
                               .decay = choice->centre.decay,
                               .time = choice->centre.time,
                               .samples = problem->samples};
}

enuf_pixel_terms enuf_pixel_terms_of(const enuf_field_problem *problem,
                                     const enuf_field_choice *choice)
{
    return (enuf_pixel_terms){.at = enuf_interpolators_of(&choice->field, choice->count),
                              .time = choice->centre.time,
                              .maps = problem->maps};
}

static double largest(const enuf_range *range, int d)
{
    return fmax(fabs(range->low[d]), fabs(range->high[d]));
}

static double half(const enuf_range *range, int d)
{
    return 0.5 * range->high[d] - 0.5 * range->low[d];
}

/* Extents of the times, and of frequencies and decays. */
typedef struct extents {
    enuf_values times, field;
    enuf_range of_times, of_field;
} extents;

static extents extents_of(const enuf_field_problem *problem)
{
    extents e = {
        .times = {problem->samples.n, 1, problem->samples.times, NULL},
        .field = {problem->maps.n, problem->maps.turn, problem->maps.omega, problem->maps.decay}};
    e.of_times = enuf_range_of(&e.times);
    e.of_field = enuf_range_of(&e.field);
    return e;
}

/* The first pixel whose decay is the largest. */
static int64_t pixel_of(const enuf_maps *maps, double decay)
{
    int64_t k = 0;
    while (k < maps->n - 1 && fabs(maps->decay[k]) < decay) k++;
    return k;
}

enuf_status enuf_field_check_extents(const enuf_field_problem *problem)
{
    const extents all = extents_of(problem), *e = &all;
    const double most = most_decay(problem->precision), t = largest(&e->of_times, 0);
    const double decay = largest(&e->of_field, 1);
    if (decay * t > most) {
        const long long k = (long long)pixel_of(&problem->maps, decay);
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "decay[%lld] is %g 1/s, and times go to %g s: exp(-R t) leaves its range: "
                         "use at most %.3g 1/s",
                         k, problem->maps.decay[k], t, most / t);
    }
    const double exponent =
        hypot(half(&e->of_field, 0), half(&e->of_field, 1)) * half(&e->of_times, 0);
    if (!(exponent <= MOST_EXPONENT))
        return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                         "frequencies from %g to %g rad/s over %g s take some %.0f interpolators, "
                         "of %.0f that can be found: use the sums of enuf/direct.h",
                         e->of_field.low[0], e->of_field.high[0], 2 * half(&e->of_times, 0),
                         2 * exponent / M_PI + 10, 2 * MOST_EXPONENT / M_PI + 10);
    return ENUF_SUCCESS;
}

void enuf_field_free_tables(enuf_field_choice *choice)
{
    enuf_histogram_free(&choice->times);
    enuf_histogram_free(&choice->field);
    enuf_separated_free(&choice->separated);
}

enuf_status enuf_field_tabulate(const enuf_field_problem *problem, double tolerance,
                                enuf_field_choice *choice)
{
    const extents all = extents_of(problem), *e = &all;
    const double t = half(&e->of_times, 0);
    const double time_rate[2] = {hypot(half(&e->of_field, 0), half(&e->of_field, 1)), 0};
    const double field_rate[2] = {t, t};
    const double nodes = fmax(NODE_SHARE * tolerance, 1e-16);
    enuf_field_free_tables(choice);
    choice->centre =
        (enuf_centre){e->of_times.low[0] + t, e->of_field.low[0] + half(&e->of_field, 0),
                      e->of_field.low[1] + half(&e->of_field, 1)};
    ENUF_TRY(enuf_histogram_make(&e->times, &e->of_times, time_rate, nodes, &choice->times));
    ENUF_TRY(enuf_histogram_make(&e->field, &e->of_field, field_rate, nodes, &choice->field));
    if ((double)choice->times.n_nodes * choice->field.n_nodes > MOST_NODES)
        return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                         "%d nodes of times and %d of field and decay make a matrix with too many "
                         "numbers: ask for a larger tolerance, or use the sums of enuf/direct.h",
                         choice->times.n_nodes, choice->field.n_nodes);
    ENUF_TRY(enuf_separate(problem->method, &choice->times, &choice->field, &choice->centre,
                           tolerance, &choice->separated));
    choice->count = choice->separated.count;
    return ENUF_SUCCESS;
}
