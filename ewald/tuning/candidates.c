/* candidates.c - the parameters that come into question, by the cost model and the error model.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tuned.h"
#include "lattice/cell_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The request that candidates were listed for: predictions do not contain the error scale. */
static enuf_status scaled_request(const enuf_ewald *ewald, enuf_choice_request *request)
{
    ENUF_TRY(enuf_ewald_request(ewald, request));
    enuf_ewald_scale_request(ewald->error_scale.ratio, request);
    return ENUF_SUCCESS;
}

enuf_status enuf_tuning_complete(const enuf_ewald *ewald, enuf_parameters *p, int *holds)
{
    enuf_choice_request request;
    ENUF_TRY(scaled_request(ewald, &request));
    p->kmax = p->k_c / enuf_k_unit(&request);
    p->reach = (enuf_reach){0};
    *holds = 0;
    /* before modes are counted: wisdom may be of another system */
    ENUF_TRY(enuf_check_shape(&request, p->splitting.cutoff, p->k_c));
    enuf_modes_of_sphere(request.cell, p->k_c, p->modes);
    for (int d = 0; d < 3; d++)
        if (p->grid[d] < p->modes[d] + 1) return ENUF_SUCCESS;
    *holds = 1;
    ENUF_TRY(enuf_predict_error(&request, p));
    enuf_ewald_apply_error_scale(ewald->error_scale.ratio, p);
    return ENUF_SUCCESS;
}

/* Bytes of grid, spectrum and influence. */
static double mesh_bytes(const enuf_ewald *ewald, const enuf_parameters *p)
{
    const double number = enuf_ewald_single_mesh(ewald) ? sizeof(float) : sizeof(double);
    const double cells = (double)p->grid[0] * (double)p->grid[1] * (double)p->grid[2];
    const double modes =
        (double)((p->modes[0] + 1) / 2) * (double)p->modes[1] * (double)p->modes[2];
    return number * (2 * cells + 4 * modes);
}

static int64_t predicted_bytes(const enuf_tuning_work *w, const enuf_parameters *p)
{
    const enuf_ewald *ewald = w->ewald;
    enuf_ewald_report report = {.struct_size = sizeof report};
    const double difference = mesh_bytes(ewald, p) - mesh_bytes(ewald, &ewald->method.parameters);
    if (enuf_ewald_make_report(ewald, ewald->close_forces, &report) != ENUF_SUCCESS) return 0;
    return (int64_t)fmin(fmax((double)report.bytes + difference, mesh_bytes(ewald, p)), 9e18);
}

void enuf_tuning_describe(const enuf_tuning_work *w, const enuf_parameters *p, enuf_tuned *c)
{
    const int on_cpu = w->ewald->backend->kind == ENUF_BACKEND_CPU;
    *c = (enuf_tuned){.parameters = *p};
    c->timed = (enuf_ewald_timed){.struct_size = sizeof c->timed,
                                  .state = ENUF_CANDIDATE_NOT_TIMED,
                                  .bytes = predicted_bytes(w, p)};
    enuf_report_candidate(p, 0, &c->timed.parameters);
    c->timed.predicted_seconds =
        (p->cost_pairs + p->cost_mesh) / (on_cpu ? enuf_ewald_threads(w->ewald) : 1);
    const double requested = w->choice.requested;
    if (!(p->predicted <= requested))
        c->timed.state = ENUF_CANDIDATE_MISSES_TOLERANCE;
    else if (w->request.memory_limit > 0 && c->timed.bytes > w->request.memory_limit)
        c->timed.state = ENUF_CANDIDATE_TOO_MUCH_MEMORY;
}

/* Two upsampling factors may lead to the same mesh. The smallest cutoff of a mesh is listed first.
 */
static int is_listed(const enuf_tuning_work *w, const enuf_parameters *p)
{
    for (int k = 0; k < w->n; k++) {
        const enuf_parameters *other = &w->candidate[k].parameters;
        if (other->splitting.kind == p->splitting.kind && other->width == p->width &&
            memcmp(other->grid, p->grid, sizeof p->grid) == 0)
            return 1;
    }
    return 0;
}

static int compare(const void *a, const void *b)
{
    const double x = ((const enuf_tuned *)a)->timed.predicted_seconds;
    const double y = ((const enuf_tuned *)b)->timed.predicted_seconds;
    return (x > y) - (x < y);
}

enuf_status enuf_tuning_list_sums(enuf_tuning_work *w)
{
    enuf_choice_request request;
    enuf_mesh_candidate ranked[ENUF_MOST_CANDIDATES];
    int n_ranked;
    ENUF_TRY(scaled_request(w->ewald, &request));
    w->n = 0;
    enuf_tuning_describe(w, &w->model, &w->candidate[w->n++]);
    enuf_list_candidates(&request, ENUF_FINE_CUTOFFS, w->model.others, ranked, &n_ranked);
    for (int k = 0; k < n_ranked && w->n < ENUF_MOST_TIMED; k++) {
        enuf_parameters p;
        int fits;
        if (ranked[k].cost > w->request.dearest * ranked[0].cost || ranked[k].cost == HUGE_VAL)
            break;
        ENUF_TRY(enuf_candidate_parameters(&request, &ranked[k], &p, &fits));
        enuf_ewald_apply_error_scale(w->ewald->error_scale.ratio, &p);
        if (is_listed(w, &p)) continue;
        enuf_tuned *c = &w->candidate[w->n++];
        enuf_tuning_describe(w, &p, c);
        if (!fits) c->timed.state = ENUF_CANDIDATE_MISSES_TOLERANCE;
    }
    qsort(w->candidate, (size_t)w->n, sizeof *w->candidate, compare);
    return ENUF_SUCCESS;
}

const char *enuf_tuning_text(const enuf_ewald_candidate *c, char text[160])
{
    snprintf(text, 160, "%s, cutoff %.4g, grid %lldx%lldx%lld, width %d", enuf_split_name(c->split),
             c->cutoff, (long long)c->grid[0], (long long)c->grid[1], (long long)c->grid[2],
             c->width);
    return text;
}
