/*
 * candidates.c - see candidates.h.
 *
 * Cutoffs are tried in small steps. Fine grids have few sizes, so neighbouring cutoffs often share
 * a grid. Of them the smallest cutoff is the cheapest: its modes fill the grid.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "candidates.h"
#include "lattice/cell_shape.h"
#include "costs.h"
#include "mesh_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Upsampling factors compared. Below 1.1 windows widen faster than grids shrink. */
static const double FACTORS[] = {1.1, 1.2, 1.35, 1.5, 1.75, 2.0};
enum { N_FACTORS = sizeof FACTORS / sizeof FACTORS[0] };

/* Mean numbers of neighbours inside the cutoffs compared. */
static const double FEWEST = 15, MOST = 3000;

/*
 * If the cutoff is given, more accurate pairs cost nothing, and some more modes leave more of the
 * budget to the mesh, often enough for a window that is one cell narrower. Water, cutoff 10 A, 17
 * requests, two splittings: three choices of 34 change, and cost 9, 11 and 21 % less. If cutoffs
 * compete, equal shares serve, unless the mesh's rounding takes its whole share.
 */
const double enuf_shares[ENUF_SHARES] = {0, 0.35, 0.2};

static void rank(const enuf_choice_request *request, enuf_mesh_candidate *c)
{
    enuf_mesh_sizes(request, c->choice.k_c, FACTORS[c->factor], &c->mesh);
    c->mesh.width = enuf_mesh_likely_width(request, &c->choice, &c->mesh);
    enuf_parameters p = {
        .splitting = {.cutoff = c->choice.cutoff}, .k_c = c->choice.k_c, .width = c->mesh.width};
    memcpy(p.modes, c->mesh.modes, sizeof p.modes);
    memcpy(p.grid, c->mesh.grid, sizeof p.grid);
    p.cost_pairs = enuf_cost_of_pairs(request, c->choice.split, c->choice.cutoff);
    p.cost_mesh = enuf_cost_of_mesh(request, p.modes, p.grid, p.width);
    c->cost = enuf_cost_of_evaluation(request, &p);
    if (!enuf_mesh_holds_modes(&c->mesh)) c->cost = HUGE_VAL;
}

static int same_grid(const enuf_mesh_candidate *a, const enuf_mesh_candidate *b)
{
    return a->choice.split == b->choice.split && a->choice.others == b->choice.others &&
           a->factor == b->factor && memcmp(a->mesh.grid, b->mesh.grid, sizeof a->mesh.grid) == 0;
}

/* By cost. Candidates whose grid does not hold their modes come last, fewest modes first: the text
 * of the error names the grid for these. */
static int compare(const void *a, const void *b)
{
    const enuf_mesh_candidate *p = a, *q = b;
    if (p->cost != q->cost) return p->cost < q->cost ? -1 : 1;
    return (p->choice.k_c > q->choice.k_c) - (p->choice.k_c < q->choice.k_c);
}

/* Adds a candidate, or replaces one by a better one on the same grid; a full list drops the most
 * expensive. */
static void add(const enuf_mesh_candidate *c, enuf_mesh_candidate *list, int *n)
{
    int dearest = 0;
    for (int k = 0; k < *n; k++) {
        if (same_grid(&list[k], c)) {
            if (compare(c, &list[k]) < 0) list[k] = *c;
            return;
        }
        if (list[k].cost > list[dearest].cost) dearest = k;
    }
    if (*n < ENUF_MOST_CANDIDATES)
        list[(*n)++] = *c;
    else if (c->cost < list[dearest].cost)
        list[dearest] = *c;
}

static void add_cutoff(const enuf_choice_request *request, enuf_split split, double cutoff,
                       double others, enuf_mesh_candidate *list, int *n)
{
    enuf_mesh_candidate c = {.choice = {.split = split, .cutoff = cutoff, .others = others}};
    enuf_share_budget(request, &c.choice);
    int factors =
        request->options->grid[0] > 0 ? 1 : N_FACTORS; /* an explicit grid is the only one */
    for (c.factor = 0; c.factor < factors; c.factor++) {
        rank(request, &c);
        add(&c, list, n);
    }
}

/*
 * For an explicit grid that is too small for the modes of every candidate. Takes the two splittings
 * with the fewest modes and, for each upsampling factor, cuts the modes to as many as leave that
 * factor: modes near the end of the grid have the largest errors.
 */
static void cut_to_grid(const enuf_choice_request *request, enuf_mesh_candidate *list, int *n)
{
    enuf_mesh_candidate fewest[2];
    int splits = 0;
    for (int k = 0; k < *n && splits < 2; k++)
        if (splits == 0 || list[k].choice.split != fewest[0].choice.split)
            fewest[splits++] = list[k];
    *n = 0;
    for (int s = 0; s < splits; s++)
        for (int factor = 0; factor < N_FACTORS; factor++) {
            enuf_mesh_candidate c = fewest[s];
            c.factor = factor;
            c.cut = 1;
            enuf_share_few_modes(request, enuf_band_of_grid(request, FACTORS[factor]), &c.choice);
            rank(request, &c);
            list[(*n)++] = c;
        }
}

void enuf_list_candidates(const enuf_choice_request *request, double step, double others,
                          enuf_mesh_candidate list[ENUF_MOST_CANDIDATES], int *n)
{
    const enuf_ewald_options *o = request->options;
    const int serves[2] = {
        o->split == ENUF_SPLIT_GAUSSIAN || (o->split == ENUF_SPLIT_AUTO && o->c == 0),
        o->split == ENUF_SPLIT_PROLATE || (o->split == ENUF_SPLIT_AUTO && o->alpha == 0)};
    const enuf_split splits[2] = {ENUF_SPLIT_GAUSSIAN, ENUF_SPLIT_PROLATE};
    *n = 0;
    for (int s = 0; s < 2; s++) {
        if (!serves[s]) continue;
        double given = o->cutoff;
        if (given == 0 && splits[s] == ENUF_SPLIT_GAUSSIAN && o->alpha > 0)
            given = enuf_cutoff_for_alpha(request, o->alpha);
        if (given > 0) {
            for (int k = 0; k < ENUF_SHARES; k++)
                add_cutoff(request, splits[s], given, enuf_shares[k], list, n);
            continue;
        }
        const double density = enuf_density(request), most = enuf_cutoff_for(density, MOST);
        for (double cutoff = enuf_cutoff_for(density, FEWEST); cutoff < most; cutoff *= step)
            add_cutoff(request, splits[s], cutoff, others, list, n);
    }
    qsort(list, (size_t)*n, sizeof *list, compare);
    if (list[0].cost < HUGE_VAL || o->kmax > 0) return;
    cut_to_grid(request, list, n);
    qsort(list, (size_t)*n, sizeof *list, compare);
}

enuf_status enuf_candidates_check_shape(const enuf_choice_request *request)
{
    const enuf_ewald_options *o = request->options;
    const double steepness = 4; /* k_c times the cutoff exceeds this even at the loosest accuracy */
    const double density = enuf_density(request);
    const double by_alpha = o->alpha > 0 ? enuf_cutoff_for_alpha(request, o->alpha) : 0;
    const double given = o->cutoff > 0 ? o->cutoff : by_alpha;
    const double least = given > 0 ? given : enuf_cutoff_for(density, FEWEST);
    const double most = given > 0 ? given : enuf_cutoff_for(density, MOST);
    const double k_c = o->kmax > 0 ? o->kmax * enuf_k_unit(request) : steepness / most;
    return enuf_check_shape(request, least, k_c);
}

static enuf_status check_grid(const enuf_mesh_candidate *c)
{
    const enuf_mesh *mesh = &c->mesh;
    for (int d = 0; d < 3; d++)
        if (mesh->grid[d] < mesh->modes[d] + 1)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "grid %lld along axis %d holds %lld modes, the modes up to k = %.4g "
                             "need %lld: use %lld cells or more, or a smaller kmax",
                             (long long)mesh->grid[d], d, (long long)mesh->grid[d] - 1,
                             c->choice.k_c, (long long)mesh->modes[d],
                             (long long)mesh->modes[d] + 1);
    return ENUF_SUCCESS;
}

enuf_status enuf_candidate_parameters(const enuf_choice_request *request,
                                      const enuf_mesh_candidate *candidate, enuf_parameters *p,
                                      int *fits)
{
    const enuf_split_choice *choice = &candidate->choice;
    enuf_mesh mesh = candidate->mesh;
    *p = (enuf_parameters){
        .k_c = choice->k_c, .kmax = choice->k_c / enuf_k_unit(request), .others = choice->others};
    ENUF_TRY(enuf_check_shape(request, choice->cutoff, choice->k_c));
    ENUF_TRY(check_grid(candidate));
    ENUF_TRY(enuf_make_splitting(choice, &p->splitting));
    ENUF_TRY(enuf_choose_mesh(request, choice, &p->splitting, &mesh, fits));
    if (candidate->cut) *fits = 0; /* take the one of least error */
    memcpy(p->modes, mesh.modes, sizeof p->modes);
    memcpy(p->grid, mesh.grid, sizeof p->grid);
    p->window = mesh.window;
    p->width = mesh.width;
    p->shape = mesh.shape;
    return enuf_predict_error(request, p);
}
