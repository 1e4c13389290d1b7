/* list_candidates.c - the table of admissible parameters, for the caller to read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "choose/candidates.h"
#include "object/calls.h"

#include <math.h>
#include <string.h>

void enuf_report_candidate(const enuf_parameters *p, int chosen, enuf_ewald_candidate *c)
{
    *c = (enuf_ewald_candidate){
        .struct_size = sizeof *c,
        .chosen = chosen,
        .split = p->splitting.kind,
        .alpha = p->splitting.kind == ENUF_SPLIT_GAUSSIAN ? p->splitting.alpha : 0,
        .c = p->splitting.kind == ENUF_SPLIT_PROLATE ? p->splitting.c : 0,
        .cutoff = p->splitting.cutoff,
        .kmax = p->kmax,
        .window = p->window,
        .width = p->width,
        .shape = p->shape,
        .predicted = p->predicted,
        .seconds_real = p->cost_pairs,
        .seconds_reciprocal = p->cost_mesh,
    };
    memcpy(c->modes, p->modes, sizeof c->modes);
    memcpy(c->grid, p->grid, sizeof c->grid);
}

/* Two upsampling factors may lead to the same mesh; the parameters in use are listed already. */
static int is_listed(const enuf_ewald_candidate *candidates, int64_t n, const enuf_parameters *p)
{
    for (int64_t k = 0; k < n; k++)
        if (candidates[k].split == p->splitting.kind && candidates[k].width == p->width &&
            memcmp(candidates[k].grid, p->grid, sizeof p->grid) == 0)
            return 1;
    return 0;
}

enuf_status enuf_ewald_check_listing(double dearest, int64_t capacity,
                                     const enuf_ewald_candidate *candidates, const int64_t *n)
{
    if (capacity < 1 || !candidates || candidates->struct_size != sizeof *candidates || !n)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "candidates and n must not be NULL, candidates[0].struct_size has to be %zu, and "
            "capacity, %lld, at least 1",
            sizeof *candidates, (long long)capacity);
    if (!(dearest >= 1))
        return enuf_fail(ENUF_BAD_ARGUMENT, "dearest is %g: it has to be at least 1", dearest);
    return ENUF_SUCCESS;
}

enuf_status enuf_alone_list_candidates(enuf_ewald *ewald, double dearest, int64_t capacity,
                                       enuf_ewald_candidate *candidates, int64_t *n)
{
    enuf_choice_request request;
    ENUF_TRY(enuf_ewald_check_listing(dearest, capacity, candidates, n));
    ENUF_TRY(enuf_ewald_update_method(ewald));
    ENUF_TRY(enuf_ewald_request(ewald, &request));
    *n = 0;
    if (request.n_charged == 0) return ENUF_SUCCESS;
    enuf_parameters chosen;
    ENUF_TRY(enuf_ewald_predicted(ewald, &chosen));
    enuf_report_candidate(&chosen, 1, &candidates[(*n)++]);
    enuf_ewald_scale_request(ewald->error_scale.ratio, &request);
    enuf_mesh_candidate ranked[ENUF_MOST_CANDIDATES];
    int n_ranked;
    enuf_list_candidates(&request, ENUF_FINE_CUTOFFS, chosen.others, ranked, &n_ranked);
    for (int k = 0; k < n_ranked && *n < capacity; k++) {
        enuf_parameters p;
        int fits;
        /* an explicit grid may hold the modes of the first candidates only */
        if (ranked[k].cost > dearest * ranked[0].cost || ranked[k].cost == HUGE_VAL) break;
        ENUF_TRY(enuf_candidate_parameters(&request, &ranked[k], &p, &fits));
        enuf_ewald_apply_error_scale(ewald->error_scale.ratio, &p);
        if (!fits || is_listed(candidates, *n, &p)) continue;
        enuf_report_candidate(&p, 0, &candidates[(*n)++]);
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_list_candidates(enuf_ewald *ewald, double dearest, int64_t capacity,
                                       enuf_ewald_candidate *candidates, int64_t *n)
{
    ENUF_CALL(ewald, list_candidates, (ewald, dearest, capacity, candidates, n));
}
