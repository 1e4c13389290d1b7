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

static enuf_status transform(const mesh *m, int kind)
{
    const enuf_cuda_slope_work *w = m->work;
    const enuf_ewald_method *method = &w->ewald->method;
    ENUF_TRY(enuf_cuda_fill_strengths(&w->atoms, &m->slopes, kind, w->cuda->work));
    ENUF_TRY(enuf_nufft_type1(method->plan, m->slopes.strengths, modes_of(m, kind)));
    if (method->grid_bound == 0 || kind == MESH_CHARGES) return ENUF_SUCCESS; /* the scale is 1 */
    return enuf_cuda_unscale_modes(method->n_stored_modes, m->slopes.single,
                                   m->slopes.totals + TOTAL_SCALES + kind, modes_of(m, kind),
                                   w->cuda->work);
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

enuf_status enuf_cuda_prepare_mesh_slopes(enuf_cuda_slope_work *w)
{
    enuf_cuda_slope_room *room = w->room;
    enuf_device_memory *memory = &w->cuda->memory;
    const int64_t n = w->atoms.n, modes = w->ewald->method.n_stored_modes;
    const int kinds = w->atoms.motion.moves ? MESH_KINDS : MESH_DIPOLES;
    const size_t number = enuf_ewald_single_mesh(w->ewald) ? sizeof(float) : sizeof(double);
    ENUF_TRY(enuf_nufft_reserve(w->ewald->method.plan, n));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->strengths, n, number, "strengths"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->values, n, number, "mesh potentials"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->gradients, n, 3 * number, "mesh gradients"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->modes, kinds * modes, 2 * number,
                                       "modes of a direction"));
    return enuf_device_array_reserve(memory, &room->filtered, modes, 2 * number,
                                     "modes of a field");
}

static void describe_modes(mesh *m)
{
    const enuf_cuda_slope_work *w = m->work;
    const enuf_ewald_method *method = &w->ewald->method;
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
    const enuf_cuda_slope_room *room = w->room;
    const double *x = motion->positions;
    const uint64_t *bad;
    mesh m = {.work = w,
              .slopes = {.single = enuf_ewald_single_mesh(w->ewald),
                         .totals = room->totals.at,
                         .strengths = room->strengths.at,
                         .values = room->values.at,
                         .gradients = room->gradients.at,
                         .forces = room->mesh_forces.at}};
    describe_modes(&m);
    ENUF_TRY(enuf_nufft_set_frame(plan, w->ewald->geometry.frame, NULL));
    ENUF_TRY(enuf_nufft_set_points(plan, w->atoms.n, x, x + 1, x + 2, motion->stride));
    ENUF_TRY(enuf_nufft_first_bad(plan, &bad));
    ENUF_CUDA_TRY(cudaMemcpyAsync(&w->outcome->bad_point, bad, sizeof *bad, cudaMemcpyDeviceToHost,
                                  w->cuda->work),
                  "reading errors of the mesh");
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

/* Whether all numbers are below a bound, and not NaN. */
static int all_below(double bound, int n, const double *numbers)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(numbers[k]) < bound)) return 0;
    return 1;
}

/* The plan's check waits once more, so it is called only if the plan may have met bad data: points,
 * strengths whose sums may overflow, or results that are not finite, which reach a total. */
enuf_status enuf_cuda_report_mesh_slopes(const enuf_cuda_slope_work *w)
{
    const double *totals = w->outcome->totals, *survey = totals + TOTAL_SURVEY;
    const double safe = enuf_ewald_single_mesh(w->ewald) ? 1e30 : 1e300;
    double strengths[MESH_KINDS] = {survey[SURVEY_CHARGE], survey[SURVEY_CHANGE]};
    for (int d = 0; d < 3; d++)
        strengths[MESH_DIPOLES + d] =
            survey[SURVEY_DIPOLE + d] + fabs(totals[TOTAL_MEAN + d]) * survey[SURVEY_CHARGE];
    if (!w->ewald->options.deterministic && w->outcome->bad_point == UINT64_MAX &&
        all_below(safe, MESH_KINDS, strengths) && all_below(INFINITY, 9, totals + TOTAL_STRETCH) &&
        all_below(INFINITY, MODE_TOTALS, totals + TOTAL_MODES) &&
        all_below(INFINITY, 3, totals + TOTAL_NET))
        return ENUF_SUCCESS;
    return enuf_nufft_check(w->ewald->method.plan, NULL);
}

void enuf_cuda_add_mesh_totals(const enuf_cuda_slope_work *w, enuf_slope_sums *sums)
{
    const double *modes = w->outcome->totals + TOTAL_MODES;
    sums->energy += modes[0];
    enuf_slope_sums_add(&w->atoms.motion, modes + 1, w->outcome->totals + TOTAL_STRETCH, modes + 7,
                        sums);
}
