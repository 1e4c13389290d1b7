/*
 * choose_parameters.c - the choice of parameters: splitting, cutoff, modes, fine grid, window,
 * width.
 *
 * Candidates are ranked by the cost model with a guess of their width; the mesh-error functional
 * then finds width and shape of the cheapest few, and the cheapest of those that keep the budget
 * is taken. If rounding leaves the mesh no budget, pairs and truncation get smaller shares.
 * Explicit options are kept. Nothing depends on threads, ranks on CPUs, or timings. On several GPUs
 * the cost is that of the work that they share, unless it is deterministic.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "candidates.h"
#include "costs.h"
#include "enuf/window.h"
#include "mesh_choice.h"
#include "truncation_error.h"

#include <math.h>
#include <string.h>

/* Candidates that cost more than this times the cheapest cannot win: a guessed width is wrong by at
 * most one cell, in the same direction for all. */
static const double WORTH_A_LOOK = 1.2;
enum { MOST_LOOKS = 18 };

/* An unequal share of the budget often needs a larger grid for its narrower window. Many ranks
 * share the ions better than the grid, so it has to save this fraction of the mesh's cost. */
static const double WORTH_A_SHARE = 0.05;

/* Seconds of a choice on one core (Xeon of 2023): all fine cutoffs, and one candidate. Few
 * evaluations do not repay it. The rule reads no clock: equal requests get equal parameters. */
static const double ALL_CUTOFFS_TAKE = 0.03, A_LOOK_TAKES = 0.003;

/* Part of the cost that fine cutoffs save, compared with coarse ones. */
static const double FINE_CUTOFFS_SAVE = 0.05;

/* Without charges any parameters serve: take the smallest. */
static enuf_status choose_for_nothing(const enuf_choice_request *request, enuf_parameters *p)
{
    double cutoff = cbrt(request->volume);
    memset(p, 0, sizeof *p);
    ENUF_TRY(enuf_splitting_gaussian(3 / cutoff, cutoff, &p->splitting));
    for (int d = 0; d < 3; d++) {
        p->modes[d] = 1;
        p->grid[d] = 2;
    }
    p->window = request->options->window;
    p->width = 4;
    p->shape = enuf_window_shape(p->window, 4, 2);
    return ENUF_SUCCESS;
}

/* More takes most of a day on one core; the cutoff is probably mistyped. */
static const double MOST_PAIRS = 1e13;

/* Refuses explicit lengths for which the sums would not end, before numbers overflow. */
static enuf_status check_lengths(const enuf_choice_request *request)
{
    const enuf_ewald_options *o = request->options;
    const double most = 1e6, spacing = cbrt(1 / enuf_density(request));
    if (o->cutoff > 0 && !(o->cutoff < most * spacing && o->cutoff > spacing / most))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "cutoff is %g, the mean distance of charges %g: it has to be within %g to "
                         "%g",
                         o->cutoff, spacing, spacing / most, most * spacing);
    if (o->alpha > 0 && !(o->alpha < most / spacing && o->alpha > 1 / (most * spacing)))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "alpha is %g, the mean distance of charges %g: it has to be within %g to "
                         "%g",
                         o->alpha, spacing, 1 / (most * spacing), most / spacing);
    const int by_alpha = o->cutoff == 0 && o->alpha > 0;
    const double cutoff = by_alpha ? enuf_cutoff_for_alpha(request, o->alpha) : o->cutoff;
    const double pairs =
        0.5 * (double)request->n_charged * enuf_neighbours(enuf_density(request), cutoff);
    if (pairs <= MOST_PAIRS) return ENUF_SUCCESS;
    const double least = cbrt(MOST_PAIRS / pairs);
    return enuf_fail(
        ENUF_BAD_ARGUMENT,
        "%s %g has %.2g pairs, a day of work or more for one evaluation: use at %s %.3g",
        by_alpha ? "alpha" : "cutoff", by_alpha ? o->alpha : cutoff, pairs,
        by_alpha ? "least" : "most", by_alpha ? o->alpha / least : cutoff * least);
}

/* Candidates with all errors and costs known. */
typedef struct trial {
    enuf_parameters parameters;
    int fits;
    double cost;
} trial;

static enuf_status look(const enuf_choice_request *request, const enuf_mesh_candidate *candidate,
                        trial *t)
{
    enuf_parameters *p = &t->parameters;
    ENUF_TRY(enuf_candidate_parameters(request, candidate, p, &t->fits));
    t->cost = enuf_cost_of_evaluation(request, p);
    /* shared work knows what a grid costs on its GPUs */
    if (candidate->choice.others > 0 && !request->shared_work)
        t->cost += WORTH_A_SHARE * p->cost_mesh;
    return ENUF_SUCCESS;
}

/* Seconds that all coming evaluations can save, of `seconds` each. */
static double saved(const enuf_choice_request *request, double seconds)
{
    const int64_t evaluations = request->options->evaluations;
    return evaluations > 0 ? (double)evaluations * seconds : HUGE_VAL;
}

static void list_candidates(const enuf_choice_request *request, double others,
                            enuf_mesh_candidate *list, int *n)
{
    if (request->options->evaluations > 0) {
        enuf_list_candidates(request, ENUF_COARSE_CUTOFFS, others, list, n);
        if (saved(request, FINE_CUTOFFS_SAVE * list[0].cost) < ALL_CUTOFFS_TAKE) return;
    }
    enuf_list_candidates(request, ENUF_FINE_CUTOFFS, others, list, n);
}

/* 1 if `a` is better. */
static int better(const trial *a, const trial *b)
{
    const double errors = a->parameters.predicted / b->parameters.predicted;
    if (a->fits != b->fits) return a->fits;
    /* if rounding makes the request unreachable: least error, not least work */
    if (!a->fits && fabs(errors - 1) > 0.05) return errors < 1;
    return a->cost < b->cost;
}

/* The best candidate with a share of the budget for pairs and truncation, or *best, if that is
 * better. */
static enuf_status choose_with(const enuf_choice_request *request, double others, int is_first,
                               trial *best)
{
    enuf_mesh_candidate list[ENUF_MOST_CANDIDATES];
    int n, looks = 0;
    list_candidates(request, others, list, &n);
    for (int k = 0; k < n; k++) {
        trial now;
        if (best->fits && (looks >= MOST_LOOKS || list[k].cost > WORTH_A_LOOK * list[0].cost))
            break;
        if (best->fits && saved(request, best->cost - list[k].cost / WORTH_A_LOOK) < A_LOOK_TAKES)
            break;
        if (looks > 0 && list[k].cost == HUGE_VAL) break;
        if (looks == 3 * MOST_LOOKS) break;
        ENUF_TRY(look(request, &list[k], &now));
        if ((is_first && looks == 0) || better(&now, best)) *best = now;
        looks++;
    }
    return ENUF_SUCCESS;
}

/* From this part of the request on, rounding narrows the mesh's share of the budget so much that
 * another share may be cheaper. */
static const double MUCH_ROUNDING = 0.5;

/* Whether other shares are worth a look. Cutoffs that are given have been tried with all, and no
 * share helps where rounding alone is more than the request. The rounding of deterministic sums is
 * known too roughly to build on it: it is predicted up to 2.7 times too large. */
static int share_matters(const enuf_choice_request *request, const trial *equal)
{
    const enuf_ewald_options *o = request->options;
    if (o->cutoff > 0 || o->alpha > 0 || o->grid[0] > 0 || o->grid[1] > 0 || o->grid[2] > 0 ||
        o->deterministic)
        return 0;
    const double rounding =
        equal->parameters.rounding / (request->error_scale * request->requested);
    return rounding < 1 && (!equal->fits || rounding > MUCH_ROUNDING);
}

enuf_status enuf_choose_parameters(const enuf_choice_request *request, enuf_parameters *out)
{
    if (request->n_charged == 0) return choose_for_nothing(request, out);
    ENUF_TRY(check_lengths(request));
    ENUF_TRY(enuf_candidates_check_shape(request));
    trial best = {.fits = 0};
    ENUF_TRY(choose_with(request, enuf_shares[0], 1, &best));
    if (share_matters(request, &best))
        for (int s = 1; s < ENUF_SHARES; s++)
            ENUF_TRY(choose_with(request, enuf_shares[s], 0, &best));
    *out = best.parameters;
    return ENUF_SUCCESS;
}
