/*
 * replicated.c - every rank has the whole mesh. It spreads its own points and transforms; the
 * structure factors inside the sphere |k| <= k_c are summed over ranks; every rank interpolates at
 * its own points. Deterministic: the integers of the fine grid are summed, before the transform.
 *
 * Sent by each rank of P: 2 (P-1)/P times 16 bytes (8 in float) for each of the half-space's modes
 * in the sphere, or 8 bytes for each cell of the grid. The sum over ranks is linear, wherever
 * between spreading and interpolation it is made. SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "reciprocal.h"

#include <string.h>

struct enuf_reciprocal {
    enuf_ranks *ranks;
    const enuf_ewald *ewald;
    enuf_nufft *plan;
    enuf_parameters made_for; /* its modes are those of the plan */
    int64_t n_stored;
    void *influence;  /* [2][n_stored] */
    void *multiplier; /* [n_stored] of the per-atom virial; NULL until wanted */
    int64_t *sphere;  /* [n_sphere] stored modes inside |k| <= k_c */
    int64_t n_sphere;
    int64_t n_points; /* of the last evaluation */
    void *factors;    /* [n_stored] complex: structure factors, n_sphere of them in use */
};

static size_t number_size(const enuf_reciprocal *r)
{
    return enuf_ewald_single_mesh(r->ewald) ? sizeof(float) : sizeof(double);
}

static void destroy(enuf_reciprocal **made)
{
    if (!*made) return;
    enuf_nufft_destroy(&(*made)->plan);
    enuf_release(&(*made)->influence);
    enuf_release(&(*made)->multiplier);
    enuf_release(&(*made)->sphere);
    enuf_release(&(*made)->factors);
    enuf_release(made);
}

static enuf_status make(const enuf_mesh_request *request, enuf_reciprocal *r)
{
    const enuf_parameters *p = &request->ewald->method.parameters;
    enuf_nufft_options plan;
    r->ranks = request->ranks;
    r->ewald = request->ewald;
    r->made_for = *p;
    enuf_ewald_plan_options(r->ewald, p, &plan);
    ENUF_TRY(enuf_nufft_create(&plan, &r->plan));
    r->n_stored = (p->modes[0] + 1) / 2 * p->modes[1] * p->modes[2];
    const size_t size = number_size(r);
    ENUF_TRY(enuf_allocate(&r->influence, 2 * r->n_stored, size, "influence of the modes"));
    ENUF_TRY(enuf_allocate(&r->sphere, r->n_stored, sizeof *r->sphere, "modes of the sphere"));
    return enuf_allocate(&r->factors, 2 * r->n_stored, size, "structure factors");
}

static enuf_status set_cell(enuf_reciprocal *r)
{
    const int single = enuf_ewald_single_mesh(r->ewald);
    enuf_influence_fill(&r->ewald->method, &r->ewald->geometry, r->made_for.modes, single,
                        enuf_ewald_threads(r->ewald), r->influence);
    r->n_sphere = 0;
    for (int64_t k = 0; k < r->n_stored; k++)
        if (enuf_number_at(r->influence, single, k) != 0) r->sphere[r->n_sphere++] = k;
    /* all ranks must send the same modes: different rounding at the edge of the sphere is an
     * error */
    return enuf_ranks_same(r->ranks, "the number of modes", r->n_sphere);
}

static enuf_status create(const enuf_mesh_request *request, enuf_reciprocal **made)
{
    ENUF_TRY(enuf_mesh_make(request, sizeof **made, make, destroy, made));
    const enuf_status status = set_cell(*made);
    if (status != ENUF_SUCCESS) destroy(made);
    return status;
}

static int serves(const enuf_reciprocal *r, const enuf_parameters *p)
{
    return enuf_mesh_serves(&r->made_for, p);
}

static enuf_status spread(enuf_reciprocal *r, const enuf_mesh_points *points)
{
    static const double nowhere[3];
    const double *x = points->n > 0 ? points->positions : nowhere;
    const void *q =
        enuf_ewald_single_mesh(r->ewald) ? (const void *)points->q_single : (const void *)points->q;
    r->n_points = points->n;
    ENUF_TRY(enuf_nufft_set_frame(r->plan, r->ewald->geometry.frame, NULL));
    ENUF_TRY(enuf_nufft_set_points(r->plan, points->n, x, x + 1, x + 2, 3));
    ENUF_TRY(enuf_nufft_spread(r->plan, q));
    return ENUF_SUCCESS;
}

static enuf_status sum_factors(enuf_reciprocal *r, enuf_status status)
{
    if (status == ENUF_SUCCESS) status = enuf_nufft_transform(r->plan);
    if (status == ENUF_SUCCESS)
        status = enuf_nufft_get_spectrum(r->plan, r->n_sphere, r->sphere, r->factors);
    ENUF_TRY(enuf_ranks_agree(r->ranks, status));
    if (enuf_ewald_single_mesh(r->ewald))
        enuf_ranks_sum_floats(r->ranks, 2 * r->n_sphere, r->factors);
    else
        enuf_ranks_sum_doubles(r->ranks, 2 * r->n_sphere, r->factors);
    return enuf_nufft_put_spectrum(r->plan, r->n_sphere, r->sphere, r->factors);
}

static enuf_status sum_grids(enuf_reciprocal *r, enuf_status status)
{
    void *cells = NULL;
    int64_t count = 0;
    enuf_cell_type type = ENUF_CELL_INT64;
    if (status == ENUF_SUCCESS) status = enuf_nufft_grid(r->plan, &cells, &count, &type);
    ENUF_TRY(enuf_ranks_agree(r->ranks, status));
    ENUF_TRY(enuf_ranks_same(r->ranks, "the grid's size", count));
    enuf_ranks_sum_integers(r->ranks, count, cells);
    return enuf_nufft_transform(r->plan);
}

static enuf_status gather_virial(enuf_reciprocal *r, int64_t n, void *atom_virial)
{
    const int single = enuf_ewald_single_mesh(r->ewald);
    const size_t size = number_size(r);
    if (!r->multiplier)
        ENUF_TRY(enuf_allocate(&r->multiplier, r->n_stored, size, "multiplier of the modes"));
    for (int c = 0; c < 6; c++) {
        enuf_influence_virial(&r->ewald->geometry, r->made_for.modes, single,
                              enuf_ewald_threads(r->ewald), r->influence, enuf_tensor_row[c],
                              enuf_tensor_column[c], r->multiplier);
        ENUF_TRY(enuf_nufft_backward(r->plan, ENUF_REAL, r->multiplier,
                                     (char *)atom_virial + (size_t)(c * n) * size, NULL));
    }
    return ENUF_SUCCESS;
}

static enuf_status gather(enuf_reciprocal *r, const enuf_mesh_points *points, enuf_mesh_sums *sums)
{
    memset(sums->virial, 0, sizeof sums->virial);
    ENUF_TRY(enuf_sum_modes(r->plan, r->influence, r->ewald->geometry.inverse, sums->with_virial,
                            &sums->energy, sums->virial));
    if (points->n == 0) return ENUF_SUCCESS;
    if (sums->half_potential || sums->half_gradient)
        ENUF_TRY(enuf_nufft_backward(r->plan, ENUF_REAL, r->influence, sums->half_potential,
                                     sums->half_gradient));
    return sums->atom_virial ? gather_virial(r, points->n, sums->atom_virial) : ENUF_SUCCESS;
}

static enuf_status compute(enuf_reciprocal *r, const enuf_mesh_points *points, enuf_mesh_sums *sums)
{
    enuf_status status = spread(r, points);
    status = r->ewald->options.deterministic ? sum_grids(r, status) : sum_factors(r, status);
    if (status == ENUF_SUCCESS) status = gather(r, points, sums);
    return enuf_mesh_agree_sums(r->ranks, status, sums);
}

static enuf_mesh_part part(const enuf_reciprocal *r)
{
    const int64_t *grid = r->made_for.grid;
    enuf_nufft_report plan = {.struct_size = sizeof plan, .bytes = 0};
    enuf_nufft_get_report(r->plan, &plan);
    return (enuf_mesh_part){
        .cells = grid[0] * grid[1] * grid[2],
        .points = r->n_points,
        .bytes = plan.bytes +
                 (4 + (r->multiplier != NULL)) * r->n_stored * (int64_t)number_size(r) +
                 r->n_stored * (int64_t)sizeof *r->sphere,
    };
}

const enuf_reciprocal_table enuf_reciprocal_replicated = {
    .name = "replicated",
    .decomposition = ENUF_DECOMPOSITION_REPLICATED,
    .create = create,
    .destroy = destroy,
    .serves = serves,
    .set_cell = set_cell,
    .compute = compute,
    .part = part,
};
