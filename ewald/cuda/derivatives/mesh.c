/* mesh.c - the mesh of second derivatives, by the method's plan, as
 * ewald/derivatives/mesh_slopes.c. SPDX-License-Identifier: BSD-3-Clause */
#include "steps.h"

#include <math.h>
#include <string.h>

typedef struct mesh {
    enuf_cuda_slope_work *work;
    enuf_cuda_mesh_slopes slopes;
    enuf_cuda_slope_modes modes;
} mesh;

static size_t number_of(const mesh *m)
{
    return m->slopes.single ? sizeof(float) : sizeof(double);
}

static void *modes_of(const mesh *m, int kind)
{
    const int64_t numbers = 2 * m->work->ewald->method.n_stored_modes * kind;
    return (char *)m->work->room->modes.at + (size_t)numbers * number_of(m);
}

/* At least the sum of the sizes of the strengths of a kind. */
static double strength_of(const mesh *m, int kind)
{
    const double *survey = m->work->totals + TOTAL_SURVEY;
    if (kind == MESH_CHANGES) return survey[SURVEY_CHANGE];
    const int d = kind - MESH_DIPOLES;
    return survey[SURVEY_DIPOLE + d] + fabs(m->slopes.mean[d]) * survey[SURVEY_CHARGE];
}

static enuf_status transform(const mesh *m, int kind)
{
    const enuf_cuda_slope_work *w = m->work;
    const enuf_method *method = &w->ewald->method;
    const double scale = kind == MESH_CHARGES
                             ? 1
                             : enuf_slope_strength_scale(method->grid_bound, strength_of(m, kind));
    ENUF_TRY(enuf_cuda_fill_strengths(&w->atoms, &m->slopes, kind, scale, w->cuda->work));
    ENUF_TRY(enuf_nufft_type1(method->plan, m->slopes.strengths, modes_of(m, kind)));
    return enuf_cuda_scale_modes(method->n_stored_modes, m->slopes.single, 1 / scale,
                                 modes_of(m, kind), w->cuda->work);
}

static enuf_status gather(const mesh *m, int with_values)
{
    return enuf_nufft_type2(m->work->ewald->method.plan, m->work->room->filtered.at,
                            with_values ? m->slopes.values : NULL, m->slopes.gradients);
}

/* The field of the charges: its share of all slopes. Overwrites the filtered modes. */
static enuf_status add_field(const mesh *m)
{
    const enuf_cuda_slope_work *w = m->work;
    void *filtered = w->room->filtered.at;
    cudaStream_t work = w->cuda->work;
    if (!w->atoms.motion.moves) {
        ENUF_TRY(enuf_cuda_fill_field_modes(&m->modes, -1, filtered, work));
        ENUF_TRY(gather(m, 0));
        return enuf_cuda_add_changes(&w->atoms, &m->slopes, work);
    }
    for (int axis = 0; axis < 3; axis++) {
        ENUF_TRY(enuf_cuda_fill_field_modes(&m->modes, axis, filtered, work));
        ENUF_TRY(gather(m, 1));
        ENUF_TRY(enuf_cuda_add_component(&w->atoms, &m->slopes, axis, w->room->partial.at,
                                         w->room->totals.at, work));
    }
    return ENUF_SUCCESS;
}

static enuf_status reserve(mesh *m)
{
    enuf_cuda_slope_room *room = m->work->room;
    enuf_device_memory *memory = &m->work->cuda->memory;
    const int64_t n = m->work->atoms.n, modes = m->work->ewald->method.n_stored_modes;
    const int kinds = m->work->atoms.motion.moves ? MESH_KINDS : MESH_DIPOLES;
    const size_t number = number_of(m);
    ENUF_TRY(enuf_nufft_reserve(m->work->ewald->method.plan, n));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->strengths, n, number, "strengths"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->values, n, number, "mesh potentials"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->gradients, n, 3 * number, "mesh gradients"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->modes, kinds * modes, 2 * number,
                                       "modes of a direction"));
    ENUF_TRY(
        enuf_device_array_reserve(memory, &room->filtered, modes, 2 * number, "modes of a field"));
    m->slopes.strengths = room->strengths.at;
    m->slopes.values = room->values.at;
    m->slopes.gradients = room->gradients.at;
    m->slopes.forces = room->mesh_forces.at;
    return ENUF_SUCCESS;
}

static void describe_modes(mesh *m)
{
    const enuf_cuda_slope_work *w = m->work;
    const enuf_method *method = &w->ewald->method;
    enuf_cuda_slope_modes *modes = &m->modes;
    enuf_cuda_describe_influence(&method->parameters.splitting, &w->ewald->geometry,
                                 method->parameters.k_c, &modes->influence);
    modes->influence.h1 = (method->plan_modes[0] + 1) / 2;
    modes->influence.n2 = method->plan_modes[1];
    modes->influence.n3 = method->plan_modes[2];
    modes->motion = w->atoms.motion;
    modes->weights = w->cuda->influence.at;
    modes->single = m->slopes.single;
    modes->modes.charges = modes_of(m, MESH_CHARGES);
    if (w->atoms.motion.charges) modes->modes.changes = modes_of(m, MESH_CHANGES);
    for (int d = 0; d < 3 && w->atoms.motion.moves; d++)
        modes->modes.dipoles[d] = modes_of(m, MESH_DIPOLES + d);
}

enuf_status enuf_cuda_enqueue_mesh_slopes(enuf_cuda_slope_work *w)
{
    enuf_nufft *plan = w->ewald->method.plan;
    const enuf_motion *motion = &w->atoms.motion;
    const double *x = motion->positions, *survey = w->totals + TOTAL_SURVEY;
    mesh m = {.work = w, .slopes = {.single = enuf_ewald_single_mesh(w->ewald)}};
    for (int d = 0; d < 3 && motion->moves && !w->ewald->options.keep_net_force; d++)
        m.slopes.mean[d] = survey[SURVEY_MOVED + d] / survey[SURVEY_CHARGED];
    ENUF_TRY(reserve(&m));
    describe_modes(&m);
    ENUF_TRY(enuf_nufft_set_frame(plan, w->ewald->geometry.frame, NULL));
    ENUF_TRY(enuf_nufft_set_points(plan, w->atoms.n, x, x + 1, x + 2, motion->stride));
    ENUF_TRY(transform(&m, MESH_CHARGES));
    if (motion->charges) ENUF_TRY(transform(&m, MESH_CHANGES));
    for (int kind = MESH_DIPOLES; kind < MESH_KINDS && motion->moves; kind++)
        ENUF_TRY(transform(&m, kind));
    ENUF_TRY(add_field(&m));
    ENUF_TRY(enuf_cuda_sum_mode_slopes(&m.modes, w->room->filtered.at, w->room->partial.at,
                                       w->room->totals.at, w->cuda->work));
    ENUF_TRY(gather(&m, 1));
    return enuf_cuda_add_potential(&w->atoms, &m.slopes, w->room->partial.at, w->room->totals.at,
                                   w->cuda->work);
}

void enuf_cuda_add_mesh_totals(const enuf_cuda_slope_work *w, enuf_slope_sums *sums)
{
    const double *modes = w->totals + TOTAL_MODES;
    sums->energy += modes[0];
    enuf_slope_sums_add(&w->atoms.motion, modes + 1, w->totals + TOTAL_STRETCH, modes + 7, sums);
}
