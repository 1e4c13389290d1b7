/*
 * reciprocal.c - the sum over modes: one forward transform; energy and virial from the structure
 * factor; potential and its gradient by one backward transform. Source: docs/theory.md, sections 1
 * and 2. SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "sums/invariant_sum.h"
#include "parallel.h"

static void mesh_force(int64_t i, const void *context, double force[3])
{
    const enuf_mesh_field *mesh = context;
    for (int d = 0; d < 3; d++)
        force[d] = -2 * mesh->q[i] * enuf_number_at(mesh->half_gradient, mesh->single, 3 * i + d);
}

/* Slices of the atoms; they do not depend on the number of threads. */
enum { SLICES = 64 };

typedef struct slice_loop {
    const enuf_mesh_field *mesh;
    int64_t n;
    double slice[SLICES][3];
} slice_loop;

static void sum_some_slices(void *context, int64_t s, int64_t end, int thread)
{
    slice_loop *loop = context;
    const int64_t n = loop->n;
    (void)thread;
    for (; s < end; s++) {
        double force[3], of_slice[3] = {0, 0, 0};
        for (int64_t i = n * s / SLICES; i < n * (s + 1) / SLICES; i++) {
            mesh_force(i, loop->mesh, force);
            for (int d = 0; d < 3; d++) of_slice[d] += force[d];
        }
        for (int d = 0; d < 3; d++) loop->slice[s][d] = of_slice[d];
    }
}

static void sum_slices(const enuf_ewald *ewald, const enuf_mesh_field *mesh, double sum[3])
{
    slice_loop loop = {.mesh = mesh, .n = ewald->charges.n};
    enuf_parallel_for(enuf_ewald_threads(ewald), SLICES, 0, sum_some_slices, &loop);
    for (int d = 0; d < 3; d++) sum[d] = 0;
    for (int s = 0; s < SLICES; s++)
        for (int d = 0; d < 3; d++) sum[d] += loop.slice[s][d];
    if (ewald->reduction) ewald->reduction->add_doubles(ewald->reduction->context, 3, sum);
}

typedef struct atom_loop {
    const enuf_mesh_field *mesh;
    const enuf_ewald_sums *sums;
    double mean[3];
    int component; /* of the virial */
} atom_loop;

static void add_some_forces(void *context, int64_t i, int64_t end, int thread)
{
    const atom_loop *loop = context;
    (void)thread;
    for (; i < end; i++) {
        if (loop->mesh->q[i] == 0) continue;
        double force[3];
        mesh_force(i, loop->mesh, force);
        for (int d = 0; d < 3; d++) loop->sums->forces[3 * i + d] += force[d] - loop->mean[d];
    }
}

/* The net force of the mesh is not 0 but as large as the mesh error. Its mean over the charged
 * atoms is subtracted, unless the options keep it. */
static void add_forces(const enuf_ewald *ewald, const enuf_mesh_field *mesh, enuf_ewald_sums *sums)
{
    const enuf_charge_set *set = &ewald->charges;
    int threads = enuf_ewald_threads(ewald);
    atom_loop loop = {.mesh = mesh, .sums = sums};
    if (ewald->options.deterministic)
        enuf_invariant_vector_sum(ewald->reduction, set->n, mesh_force, mesh, threads,
                                  sums->net_force);
    else
        sum_slices(ewald, mesh, sums->net_force);
    for (int d = 0; d < 3 && !ewald->options.keep_net_force; d++)
        loop.mean[d] = sums->net_force[d] / (double)set->n_charged;
    enuf_parallel_for(threads, set->n, 0, add_some_forces, &loop);
}

static void add_some_potentials(void *context, int64_t i, int64_t end, int thread)
{
    const atom_loop *loop = context;
    const enuf_mesh_field *mesh = loop->mesh;
    const enuf_ewald_sums *sums = loop->sums;
    (void)thread;
    for (; i < end; i++) {
        if (sums->potential)
            sums->potential[i] += 2 * enuf_number_at(mesh->half_potential, mesh->single, i);
        if (sums->atom_energy)
            sums->atom_energy[i] +=
                mesh->q[i] * enuf_number_at(mesh->half_potential, mesh->single, i);
        if (sums->field)
            for (int d = 0; d < 3; d++)
                sums->field[3 * i + d] -=
                    2 * enuf_number_at(mesh->half_gradient, mesh->single, 3 * i + d);
    }
}

static void add_potentials(const enuf_ewald *ewald, const enuf_mesh_field *mesh,
                           enuf_ewald_sums *sums)
{
    atom_loop loop = {.mesh = mesh, .sums = sums};
    if (!sums->potential && !sums->atom_energy && !sums->field) return;
    enuf_parallel_for(enuf_ewald_threads(ewald), ewald->charges.n, 0, add_some_potentials, &loop);
}

void enuf_add_mesh_field(const enuf_ewald *ewald, const enuf_mesh_field *mesh,
                         enuf_ewald_sums *sums)
{
    if (sums->forces) add_forces(ewald, mesh, sums);
    add_potentials(ewald, mesh, sums);
}

static enuf_status gather(enuf_ewald *ewald, const double *q, enuf_ewald_sums *sums)
{
    const enuf_ewald_method *method = &ewald->method;
    int single = enuf_ewald_single_mesh(ewald);
    size_t real = single ? sizeof(float) : sizeof(double);
    int64_t n = ewald->charges.n;
    int values = sums->potential || sums->atom_energy, gradients = sums->forces || sums->field;
    if (!values && !gradients) return ENUF_SUCCESS;
    if (values) ENUF_TRY(enuf_array_reserve(&ewald->mesh_potential, n, real, "mesh potentials"));
    if (gradients)
        ENUF_TRY(enuf_array_reserve(&ewald->mesh_gradient, n, 3 * real, "mesh gradients"));
    ENUF_TRY(enuf_nufft_backward(method->plan, ENUF_REAL, method->influence,
                                 values ? ewald->mesh_potential.at : NULL,
                                 gradients ? ewald->mesh_gradient.at : NULL));
    const enuf_mesh_field mesh = {ewald->mesh_potential.at, ewald->mesh_gradient.at, single, q};
    enuf_add_mesh_field(ewald, &mesh, sums);
    return ENUF_SUCCESS;
}

static void add_some_virials(void *context, int64_t i, int64_t end, int thread)
{
    const atom_loop *loop = context;
    const enuf_mesh_field *mesh = loop->mesh;
    (void)thread;
    for (; i < end; i++)
        loop->sums->atom_virial[6 * i + loop->component] +=
            mesh->q[i] * enuf_number_at(mesh->half_potential, mesh->single, i);
}

static enuf_status gather_virial(enuf_ewald *ewald, const double *q, const enuf_ewald_sums *sums)
{
    const enuf_ewald_method *method = &ewald->method;
    const enuf_charge_set *set = &ewald->charges;
    int single = enuf_ewald_single_mesh(ewald), threads = enuf_ewald_threads(ewald);
    size_t real = single ? sizeof(float) : sizeof(double);
    ENUF_TRY(enuf_array_reserve(&ewald->mesh_potential, set->n, real, "mesh potentials"));
    ENUF_TRY(enuf_array_reserve(&ewald->mesh_multiplier, method->n_stored_modes, real,
                                "multiplier of the modes"));
    const enuf_mesh_field mesh = {ewald->mesh_potential.at, NULL, single, q};
    for (int c = 0; c < 6; c++) {
        atom_loop loop = {.mesh = &mesh, .sums = sums, .component = c};
        enuf_influence_virial(&ewald->geometry, method->plan_modes, single, threads,
                              method->influence, enuf_tensor_row[c], enuf_tensor_column[c],
                              ewald->mesh_multiplier.at);
        ENUF_TRY(enuf_nufft_backward(method->plan, ENUF_REAL, ewald->mesh_multiplier.at,
                                     ewald->mesh_potential.at, NULL));
        enuf_parallel_for(threads, set->n, 0, add_some_virials, &loop);
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_sum_reciprocal(enuf_ewald *ewald, int wanted, const enuf_atoms *atoms,
                                enuf_ewald_sums *sums)
{
    if (ewald->charges.n_charged == 0) return ENUF_SUCCESS;
    enuf_nufft *plan = ewald->method.plan;
    const double *x = atoms->positions;
    ENUF_TRY(enuf_nufft_set_frame(plan, ewald->geometry.frame, NULL));
    ENUF_TRY(enuf_nufft_set_points(plan, atoms->n, x, x + 1, x + 2, atoms->stride));
    ENUF_TRY(enuf_nufft_forward(plan, enuf_ewald_single_mesh(ewald) ? (const void *)atoms->q_single
                                                                    : (const void *)atoms->q));
    if (wanted & (ENUF_WANT_ENERGY | ENUF_WANT_VIRIAL))
        ENUF_TRY(enuf_sum_modes(plan, ewald->method.influence, ewald->geometry.inverse,
                                (wanted & ENUF_WANT_VIRIAL) != 0, &sums->parts.reciprocal,
                                sums->virial));
    ENUF_TRY(gather(ewald, atoms->q, sums));
    return sums->atom_virial ? gather_virial(ewald, atoms->q, sums) : ENUF_SUCCESS;
}
