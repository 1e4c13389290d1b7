/* type3_choose.c - the grid and the windows of type 3. SPDX-License-Identifier: BSD-3-Clause */
#include "type3_choose.h"
#include "type3_transform.h"

#include <math.h>
#include <string.h>

/* Of the spreading. A wide passband amplifies rounding: 1.25 at width 15 by 491 along an axis, 2 by
 * 3.4. A grid of few cells a point is most of the time. */
static const double UPSAMPLINGS[] = {1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.6, 1.75, 2};

/* Shares of the tolerance: aliases of the spreading, at most; its rounding. */
static const double ALIAS_SHARE = 0.8, ROUNDING_SHARE = 0.1;

static const double NO_MEMORY = 1e15; /* bytes or cells that no machine has */

/* An upsampling of the spreading under trial. */
typedef struct trial {
    enuf_type3_method method;
    enuf_type3_spreading spreading;
    double expected[ENUF_TYPE3_MOST_FACTORS]; /* cost with each factor of the type 2; tried:
                                                 HUGE_VAL */
} trial;

/* Cells along each axis: kappa >= upsampling S/pi of them for a unit, and a window's room on both
 * sides. An even number has its zero mode in the middle. */
static enuf_status set_cells(const enuf_type3_request *r, enuf_type3_method *m)
{
    const enuf_nufft_options *o = r->options;
    double product = 1;
    for (int d = 0; d < 3; d++) {
        m->cells[d] = 1;
        m->kappa[d] = 1;
        if (d >= o->dim) continue;
        const double X = r->points->half[d], S = r->targets->half[d];
        const double inner = fmax(ceil(2 * m->upsampling * S * X / M_PI), 2);
        product *= inner + m->window.width + 3;
        if (!(product <= NO_MEMORY))
            return enuf_fail(
                ENUF_OUT_OF_MEMORY,
                "enuf_nufft_set_targets: points within %.3g and targets within %.3g on "
                "axis %d take more than 1e15 cells: no memory holds that: sum fewer at "
                "a time, nearer to each other",
                2 * X, 2 * S, d);
        const int64_t cells = (int64_t)inner + m->window.width + 2;
        m->cells[d] = cells + cells % 2;
        const double room = (double)(m->cells[d] - m->window.width - 2);
        if (X > 0)
            m->kappa[d] = room / (2 * X);
        else if (S > 0)
            m->kappa[d] = m->upsampling * S / M_PI;
    }
    return ENUF_SUCCESS;
}

/* The width of a window whose aliases at the targets are few enough. */
static int expected_width(const enuf_type3_request *r, double upsampling)
{
    return enuf_expected_width(ALIAS_SHARE * r->options->tolerance / r->options->dim, upsampling);
}

/* The spreading and its errors with a width: the square of the aliases, HUGE_VAL without a window.
 */
static enuf_status try_width(const enuf_type3_request *r, int width, trial *t, double *alias)
{
    enuf_type3_method *m = &t->method;
    *alias = HUGE_VAL;
    if (enuf_window_form_make(r->options->window, width, 0, m->upsampling, &m->window) !=
        ENUF_SUCCESS)
        return ENUF_SUCCESS;
    ENUF_TRY(set_cells(r, m));
    enuf_type3_spreading_error(r, m, &t->spreading);
    *alias = t->spreading.mean.alias;
    return ENUF_SUCCESS;
}

/* The narrowest window with few enough aliases at the targets (*found 1), and its cells. */
static enuf_status choose_window(const enuf_type3_request *r, trial *t, int *found)
{
    const double share = ALIAS_SHARE * r->options->tolerance, most = share * share;
    const double least_factor = enuf_type3_narrower(t->method.upsampling);
    const int expected = expected_width(r, t->method.upsampling);
    double alias = HUGE_VAL;
    int width = expected;
    for (; width <= ENUF_MAX_WIDTH && alias > most; width++)
        ENUF_TRY(try_width(r, width, t, &alias));
    *found = alias <= most;
    if (width > expected + 1) return ENUF_SUCCESS;
    for (width = expected - 1; width >= 2 && alias * least_factor <= most; width--) {
        trial narrower = *t;
        ENUF_TRY(try_width(r, width, &narrower, &alias));
        if (alias <= most) *t = narrower;
    }
    return ENUF_SUCCESS;
}

/* Spreading with this upsampling and both its errors (*serves: they are small enough). */
static enuf_status try_spreading(const enuf_type3_request *r, trial *t, int *serves)
{
    const enuf_nufft_options *o = r->options;
    ENUF_TRY(choose_window(r, t, serves));
    if (!*serves) return ENUF_SUCCESS;
    const double noise = sqrt(t->spreading.mean.noise);
    *serves = enuf_type3_rounding(o) * noise <= ROUNDING_SHARE * o->tolerance;
    /* a power of two: points that move a little do not change it */
    const double tolerance = exp2(floor(log2(o->tolerance / noise)));
    t->method.spreading_tolerance = enuf_type3_plan_tolerance(o, tolerance);
    return ENUF_SUCCESS;
}

/* Costs that this upsampling will hardly stay below, without a look at any window. */
static enuf_status expect(const enuf_type3_request *r, trial *t)
{
    enuf_type3_method *m = &t->method;
    m->window.width = expected_width(r, m->upsampling);
    ENUF_TRY(set_cells(r, m));
    for (int k = 0; k < ENUF_TYPE3_MOST_FACTORS; k++)
        t->expected[k] = enuf_type3_expected_cost(r, m, k);
    m->window.width = 0;
    return ENUF_SUCCESS;
}

/* The trial and factor that are expected to be cheapest. */
static double cheapest(const trial *trials, int n, int *which, int *factor)
{
    double least = HUGE_VAL;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < ENUF_TYPE3_MOST_FACTORS; l++)
            if (trials[k].expected[l] < least) {
                least = trials[k].expected[l];
                *which = k;
                *factor = l;
            }
    return least;
}

static void forget(trial *t)
{
    for (int k = 0; k < ENUF_TYPE3_MOST_FACTORS; k++) t->expected[k] = HUGE_VAL;
}

/* Factors of one grid have one cost: one of them is tried. */
static void forget_cost(trial *t, double cost)
{
    for (int k = 0; k < ENUF_TYPE3_MOST_FACTORS; k++)
        if (t->expected[k] == cost) t->expected[k] = HUGE_VAL;
}

/* The cheapest that serves (*chosen 1); those first that are expected to be. */
static enuf_status choose_among(const enuf_type3_request *r, trial *trials, int n,
                                enuf_type3_method *method, int *chosen)
{
    double least = HUGE_VAL;
    int which = 0, factor = 0;
    while (cheapest(trials, n, &which, &factor) < least) {
        trial *t = &trials[which];
        int serves = 1;
        if (t->method.window.width == 0) ENUF_TRY(try_spreading(r, t, &serves));
        if (!serves) {
            forget(t);
            continue;
        }
        enuf_type3_method m = t->method;
        const double cost = enuf_type3_choose_transform(r, &t->spreading, factor, least, &m);
        forget_cost(t, t->expected[factor]);
        if (!(cost < least)) continue;
        *method = m;
        least = cost;
        *chosen = 1;
    }
    return ENUF_SUCCESS;
}

static enuf_status choose(const enuf_type3_request *r, enuf_type3_method *method, int *chosen)
{
    enum { n = sizeof UPSAMPLINGS / sizeof *UPSAMPLINGS };
    trial *trials;
    *chosen = 0;
    ENUF_TRY(enuf_allocate(&trials, n, sizeof *trials, "methods of type 3 under trial"));
    memset(trials, 0, (size_t)n * sizeof *trials);
    enuf_status status = ENUF_SUCCESS;
    for (int k = 0; k < n && status == ENUF_SUCCESS; k++) {
        trials[k].method.upsampling = UPSAMPLINGS[k];
        status = expect(r, &trials[k]);
    }
    if (status == ENUF_SUCCESS) status = choose_among(r, trials, n, method, chosen);
    enuf_release(&trials);
    return status;
}

enuf_status enuf_type3_choose(const enuf_nufft_options *options, int64_t n_points,
                              const enuf_type3_extent *points, int64_t n_targets,
                              const enuf_type3_extent *targets, enuf_type3_method *method)
{
    enuf_nufft_options o = *options;
    enuf_type3_request r = {&o, n_points, n_targets, points, targets, 1, 1};
    int chosen;
    enuf_type3_count_independent(&r);
    ENUF_TRY(choose(&r, method, &chosen));
    if (chosen) return ENUF_SUCCESS;
    while (!chosen && o.tolerance < 0.05) {
        o.tolerance *= 2;
        ENUF_TRY(choose(&r, method, &chosen));
    }
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "enuf_nufft_set_targets: tolerance %.2g: %s precision and the %s window reach "
                     "%.2g for these points and targets; ask for that",
                     options->tolerance, o.precision == ENUF_FLOAT ? "float" : "double",
                     enuf_window_name(o.window), o.tolerance);
}
