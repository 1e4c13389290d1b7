/*
 * modes.c - the sum over modes, at the caller's atoms or at the domains' atoms. In the second case
 * results are sent back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "terms.h"

#include <string.h>

int enuf_modes_at_home(const enuf_rank_state *m)
{
    return m->table->decomposition == ENUF_DECOMPOSITION_DISTRIBUTED || m->is_balanced;
}

static size_t number_size(const enuf_rank_state *m)
{
    return enuf_ewald_single_mesh(m->ewald) ? sizeof(float) : sizeof(double);
}

/* The caller's atoms; strided positions are packed. */
static enuf_status points_at_home(enuf_rank_state *m, const enuf_evaluation *what,
                                  enuf_mesh_points *points)
{
    const enuf_charge_set *set = &m->ewald->charges;
    *points = (enuf_mesh_points){
        .n = set->n, .positions = what->positions, .q = set->q, .q_single = set->q_single};
    if (what->stride == 3) return ENUF_SUCCESS;
    ENUF_TRY(enuf_array_reserve(&m->home_positions, set->n, 3 * sizeof(double), "positions"));
    double *packed = m->home_positions.at;
    for (int64_t i = 0; i < set->n; i++)
        memcpy(packed + 3 * i, what->positions + i * what->stride, 3 * sizeof *packed);
    points->positions = packed;
    return ENUF_SUCCESS;
}

static enuf_status points_of_domain(enuf_rank_state *m, enuf_mesh_points *points)
{
    const enuf_atom_arrays *atoms = &m->migration.atoms;
    *points = (enuf_mesh_points){.n = atoms->n, .positions = atoms->positions, .q = atoms->q};
    if (!enuf_ewald_single_mesh(m->ewald)) return ENUF_SUCCESS;
    ENUF_TRY(enuf_array_reserve(&m->q_single, atoms->n, sizeof(float), "charges in float"));
    float *q = m->q_single.at;
    for (int64_t i = 0; i < atoms->n; i++) q[i] = (float)atoms->q[i];
    points->q_single = q;
    return ENUF_SUCCESS;
}

/* An array of results of the mesh: for the domain's atoms, and for the caller's atoms. */
typedef struct found {
    enuf_array *domain, *home;
    int width;      /* numbers for each atom */
    void **of_mesh; /* where the mesh writes; NULL: not wanted */
} found;

static enuf_status reserve(const enuf_rank_state *m, const found *f, int at_home, int64_t n)
{
    static const char what[] = "mesh results of atoms";
    const size_t size = (size_t)f->width * number_size(m);
    ENUF_TRY(enuf_array_reserve(f->home, m->ewald->charges.n, size, what));
    if (!at_home) ENUF_TRY(enuf_array_reserve(f->domain, n, size, what));
    *f->of_mesh = at_home ? f->home->at : f->domain->at;
    return ENUF_SUCCESS;
}

enum { POTENTIAL, GRADIENT, VIRIAL, ARRAYS };

static void name_arrays(enuf_rank_state *m, const enuf_ewald_sums *sums, enuf_mesh_sums *mesh,
                        found arrays[ARRAYS])
{
    arrays[POTENTIAL] = (found){&m->mesh_potential, &m->home, 1, NULL};
    arrays[GRADIENT] = (found){&m->mesh_gradient, &m->home_gradient, 3, NULL};
    arrays[VIRIAL] = (found){&m->mesh_virial, &m->home_virial, 6, NULL};
    if (sums->potential || sums->atom_energy) arrays[POTENTIAL].of_mesh = &mesh->half_potential;
    if (sums->forces || sums->field) arrays[GRADIENT].of_mesh = &mesh->half_gradient;
    if (sums->atom_virial) arrays[VIRIAL].of_mesh = &mesh->atom_virial;
}

/* Sends arrays [n][width] back. The virial [6][n] has one array for each component. */
static enuf_status bring_home(enuf_rank_state *m, const found *f, int is_virial)
{
    const int pieces = is_virial ? f->width : 1;
    const size_t size = (size_t)(f->width / pieces) * number_size(m);
    for (int c = 0; c < pieces; c++) {
        const size_t from = (size_t)(c * m->migration.atoms.n) * size;
        const size_t to = (size_t)(c * m->ewald->charges.n) * size;
        ENUF_TRY(enuf_migrate_back(&m->ranks, &m->migration, size,
                                   (const char *)f->domain->at + from, (char *)f->home->at + to));
    }
    return ENUF_SUCCESS;
}

static void add_virial(const enuf_rank_state *m, double *atom_virial)
{
    const enuf_charge_set *set = &m->ewald->charges;
    const int single = enuf_ewald_single_mesh(m->ewald);
    const void *virial = m->home_virial.at;
    for (int c = 0; c < 6; c++)
        for (int64_t i = 0; i < set->n; i++) {
            const int64_t at = c * set->n + i;
            atom_virial[6 * i + c] += set->q[i] * enuf_number_at(virial, single, at);
        }
}

static void add_all(const enuf_rank_state *m, const found arrays[ARRAYS], enuf_ewald_sums *sums)
{
    const enuf_mesh_field field = {
        .half_potential = arrays[POTENTIAL].of_mesh ? m->home.at : NULL,
        .half_gradient = arrays[GRADIENT].of_mesh ? m->home_gradient.at : NULL,
        .single = enuf_ewald_single_mesh(m->ewald),
        .q = m->ewald->charges.q,
    };
    if (field.half_potential || field.half_gradient) enuf_add_mesh_field(m->ewald, &field, sums);
    if (sums->atom_virial) add_virial(m, sums->atom_virial);
}

enuf_status enuf_ranks_sum_modes(enuf_rank_state *m, const enuf_evaluation *what,
                                 enuf_status status, enuf_ewald_sums *sums)
{
    const int at_home = enuf_modes_at_home(m);
    enuf_mesh_points points;
    enuf_mesh_sums mesh = {.with_virial = (what->wanted & ENUF_WANT_VIRIAL) != 0};
    found arrays[ARRAYS];
    if (status == ENUF_SUCCESS) {
        name_arrays(m, sums, &mesh, arrays);
        status = at_home ? points_at_home(m, what, &points) : points_of_domain(m, &points);
    }
    for (int k = 0; k < ARRAYS && status == ENUF_SUCCESS; k++)
        if (arrays[k].of_mesh) status = reserve(m, &arrays[k], at_home, points.n);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    ENUF_TRY(m->table->compute(m->mesh, &points, &mesh));
    sums->parts.reciprocal = mesh.energy;
    for (int c = 0; c < 6 && mesh.with_virial; c++) sums->virial[c] += mesh.virial[c];
    for (int k = 0; k < ARRAYS && !at_home; k++)
        if (arrays[k].of_mesh) ENUF_TRY(bring_home(m, &arrays[k], k == VIRIAL));
    add_all(m, arrays, sums);
    return ENUF_SUCCESS;
}
