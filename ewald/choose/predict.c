/* predict.c - the errors of given parameters. SPDX-License-Identifier: BSD-3-Clause */
#include "budget.h"
#include "costs.h"
#include "mesh_choice.h"
#include "mesh_error.h"
#include "truncation_error.h"

#include <math.h>
#include <string.h>

double enuf_total_error(const enuf_parameters *p)
{
    return sqrt(p->real * p->real + p->truncation * p->truncation + p->mesh * p->mesh +
                p->own * p->own + p->rounding * p->rounding);
}

void enuf_describe_parameters(const enuf_choice_request *request, enuf_parameters *p)
{
    const double n = (double)request->n_charged;
    p->close = p->f_ref = p->cost_pairs = p->cost_mesh = 0;
    p->is_predicted = 0;
    if (request->n_charged == 0) return;
    p->close = enuf_close_distance(request, p->splitting.cutoff);
    p->f_ref =
        request->options->coulomb * (request->sum_q2 / n) * pow(enuf_density(request), 2.0 / 3);
    p->cost_pairs = enuf_cost_of_pairs(request, p->splitting.kind, p->splitting.cutoff);
    p->cost_mesh = enuf_cost_of_mesh(request, p->modes, p->grid, p->width);
}

/* Errors of the modes |k| <= k_c on the mesh; modes beyond `left_out` are left out. */
static enuf_status predict(const enuf_choice_request *request, double left_out, enuf_parameters *p)
{
    enuf_mesh mesh = {.window = p->window, .width = p->width, .shape = p->shape};
    memcpy(mesh.modes, p->modes, sizeof mesh.modes);
    memcpy(mesh.grid, p->grid, sizeof mesh.grid);
    double unit = enuf_accuracy_unit(request, p->splitting.cutoff);
    enuf_mesh_errors of_mesh;
    enuf_influence_table influence;
    enuf_influence_tabulate(&p->splitting, p->k_c, request->structure_factor, &influence);
    ENUF_TRY(enuf_mesh_error(request->cell, &influence, &mesh,
                             enuf_grid_rounding(request, p->width), ENUF_MESH_FINE, &of_mesh));
    p->mesh = of_mesh.aliasing / unit;
    p->own = of_mesh.own * sqrt(request->concentration) / unit;
    double scatter;
    p->truncation = enuf_truncation_error(request->cell, request->structure_factor, &p->splitting,
                                          left_out, &scatter) /
                    unit;
    p->real = enuf_splitting_real_error(&p->splitting) / unit *
              enuf_pair_error_factor(request->structure_factor, &p->splitting);
    p->rounding = hypot(of_mesh.rounding / unit, enuf_pair_rounding(request, p->splitting.cutoff));
    p->predicted = enuf_total_error(p);
    return ENUF_SUCCESS;
}

enuf_status enuf_predict_error(const enuf_choice_request *request, enuf_parameters *p)
{
    p->reach = (enuf_reach){.strain = 0};
    p->real = p->truncation = p->mesh = p->own = p->rounding = p->predicted = 0;
    enuf_describe_parameters(request, p);
    p->is_predicted = 1;
    return request->n_charged > 0 ? predict(request, p->k_c, p) : ENUF_SUCCESS;
}

/*
 * A strain F with |F - 1|_2 <= s takes each |k| to between |k|/(1 + s) and |k|/(1 - s). chi_hat/k^2
 * falls with |k|: of all strained cells, the one that is 1 + s times as large has the largest
 * values and the most modes within k_c. Lengths, reciprocal vectors and volumes are within factors
 * of (1 + s)^2, (1 + s)^2 and (1 + s)^6 of that cell's; the errors of the mesh go with the second
 * and with the power -1/3 of the third. Modes that are left out, |k| > k_c in the strained cell,
 * are beyond k_c (1 - s)/(1 + s) in the large one.
 */
enuf_status enuf_bound_error(const enuf_choice_request *request, double strain, enuf_parameters *p)
{
    const double larger = 1 + strain, closer = (1 - strain) / (1 + strain);
    double cell[9];
    enuf_cell_geometry large;
    for (int k = 0; k < 9; k++) cell[k] = larger * request->cell->cell[k];
    ENUF_TRY(enuf_cell_geometry_make(cell, &large));
    enuf_choice_request worst = *request;
    worst.cell = &large;
    worst.volume *= larger * larger * larger;
    /* explicit kmax: k_c changes with the cell */
    const double lowest = request->options->kmax > 0 ? p->k_c / larger : p->k_c;
    const int few = enuf_few_modes(&large, closer * lowest);
    ENUF_TRY(predict(&worst, few ? closer * lowest : lowest, p));
    const double turned = larger * larger;
    p->mesh *= turned * turned;
    p->own *= turned * turned;
    p->rounding *= turned * turned;
    p->truncation *= turned;
    p->predicted = enuf_total_error(p);
    return ENUF_SUCCESS;
}
