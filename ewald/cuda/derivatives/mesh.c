/* mesh.c - the mesh of second derivatives, as ewald/derivatives/mesh_slopes.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "steps.h"

#include <math.h>
#include <string.h>

typedef struct mesh {
    enuf_cuda_slope_work *work;
    enuf_cuda_mesh_slopes slopes;
    enuf_cuda_slope_modes modes;
} mesh;

static size_t number_of(const enuf_cuda_slope_work *w)
{
    return enuf_ewald_single_mesh(w->ewald) ? sizeof(float) : sizeof(double);
}

/* Place of a vector among arrays of so many numbers. */
static void *vector_at(const enuf_cuda_slope_work *w, const enuf_device_array *array,
                       int64_t numbers, int vector)
{
    return (char *)array->at + (size_t)(numbers * vector) * number_of(w);
}

static int64_t mode_numbers(const enuf_cuda_slope_work *w)
{
    return 2 * w->ewald->method.n_stored_modes;
}

static void *modes_of(const enuf_cuda_slope_work *w, int vector)
{
    return vector_at(w, &w->room->modes, mode_numbers(w), vector);
}

static int fields_of(const enuf_cuda_slope_work *w)
{
    return w->atoms.motion.moves ? MESH_FIELDS : MESH_FIELDS_AT_REST;
}

/* Modes of the strengths: charges, dipoles, changes. */
static enuf_status transform(const mesh *m)
{
    const enuf_cuda_slope_work *w = m->work;
    ENUF_TRY(enuf_cuda_fill_strengths(&w->atoms, &m->slopes, w->cuda->work));
    for (int v = 0; v < m->slopes.kinds; v += w->each)
        ENUF_TRY(enuf_nufft_type1(w->plan, vector_at(w, &w->room->strengths, w->atoms.n, v),
                                  modes_of(w, v)));
    if (w->ewald->method.grid_bound == 0) return ENUF_SUCCESS; /* all scales are 1 */
    for (int v = 1; v < m->slopes.kinds; v++) {
        const int kind = enuf_cuda_mesh_kind(m->slopes.moves, v);
        ENUF_TRY(enuf_cuda_unscale_modes(w->ewald->method.n_stored_modes, m->slopes.single,
                                         m->slopes.totals + TOTAL_SCALES + kind, modes_of(w, v),
                                         w->cuda->work));
    }
    return ENUF_SUCCESS;
}

/* The modes of all fields. Vectors that the plan has beyond them are 0. */
static enuf_status fill_fields(const mesh *m)
{
    const enuf_cuda_slope_work *w = m->work;
    const enuf_cuda_slope_room *room = w->room;
    const int fields = fields_of(w);
    ENUF_TRY(enuf_cuda_fill_field_modes(&m->modes, room->fields.at, w->cuda->work));
    ENUF_TRY(enuf_cuda_sum_mode_slopes(&m->modes,
                                       vector_at(w, &room->fields, mode_numbers(w), fields - 1),
                                       room->mesh_partial.at, room->totals.at, w->cuda->work));
    if (w->vectors == fields) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaMemsetAsync(vector_at(w, &room->fields, mode_numbers(w), fields), 0,
                                  (size_t)(mode_numbers(w) * (w->vectors - fields)) * number_of(w),
                                  w->cuda->work),
                  "modes of fields");
    return ENUF_SUCCESS;
}

static enuf_status gather(const mesh *m)
{
    const enuf_cuda_slope_work *w = m->work;
    const enuf_cuda_slope_room *room = w->room;
    const int64_t n = w->atoms.n;
    for (int v = 0; v < fields_of(w); v += w->each)
        ENUF_TRY(enuf_nufft_type2(w->plan, vector_at(w, &room->fields, mode_numbers(w), v),
                                  vector_at(w, &room->values, n, v),
                                  vector_at(w, &room->gradients, 3 * n, v)));
    return enuf_cuda_gather_mesh_slopes(&w->atoms, &m->slopes, room->mesh_partial.at,
                                        room->totals.at, w->cuda->work);
}

enuf_status enuf_cuda_prepare_mesh_slopes(enuf_cuda_slope_work *w)
{
    enuf_cuda_slope_room *room = w->room;
    enuf_device_memory *memory = &w->cuda->memory;
    ENUF_TRY(enuf_cuda_find_slope_plan(w));
    const int64_t n = w->atoms.n * w->vectors, modes = mode_numbers(w) * w->vectors;
    const size_t number = number_of(w);
    ENUF_TRY(enuf_device_array_reserve(memory, &room->strengths, n, number, "strengths"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->values, n, number, "mesh potentials"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->gradients, n, 3 * number, "mesh gradients"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->mesh_partial,
                                       ENUF_CUDA_PARTIAL_ROWS * ENUF_CUDA_PARTIAL_WIDTH,
                                       sizeof(double), "partial sums"));
    ENUF_TRY(
        enuf_device_array_reserve(memory, &room->modes, modes, number, "modes of a direction"));
    return enuf_device_array_reserve(memory, &room->fields, modes, number, "modes of fields");
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
    for (int v = 0; v < m->slopes.kinds; v++) {
        const int kind = enuf_cuda_mesh_kind(m->slopes.moves, v);
        if (kind == MESH_CHARGES)
            modes->modes.charges = modes_of(w, v);
        else if (kind == MESH_CHANGES)
            modes->modes.changes = modes_of(w, v);
        else
            modes->modes.dipoles[kind - MESH_DIPOLES] = modes_of(w, v);
    }
}

enuf_status enuf_cuda_enqueue_slope_points(enuf_cuda_slope_work *w)
{
    const double *x = w->atoms.motion.positions;
    const uint64_t *bad;
    ENUF_TRY(enuf_nufft_set_frame(w->plan, w->ewald->geometry.frame, NULL));
    ENUF_TRY(enuf_nufft_set_points(w->plan, w->atoms.n, x, x + 1, x + 2, w->atoms.motion.stride));
    ENUF_TRY(enuf_nufft_first_bad(w->plan, &bad));
    ENUF_CUDA_TRY(cudaMemcpyAsync(&w->outcome->bad_point, bad, sizeof *bad, cudaMemcpyDeviceToHost,
                                  w->cuda->work),
                  "reading errors of the mesh");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_enqueue_mesh_slopes(enuf_cuda_slope_work *w)
{
    const enuf_motion *motion = &w->atoms.motion;
    const enuf_cuda_slope_room *room = w->room;
    mesh m = {.work = w,
              .slopes = {.single = enuf_ewald_single_mesh(w->ewald),
                         .moves = motion->moves,
                         .kinds = (motion->moves ? 4 : 1) + (motion->charges != NULL),
                         .totals = room->totals.at,
                         .strengths = room->strengths.at,
                         .values = room->values.at,
                         .gradients = room->gradients.at,
                         .forces = room->mesh_forces.at,
                         .potential = room->mesh_potential.at}};
    describe_modes(&m);
    ENUF_TRY(transform(&m));
    ENUF_TRY(fill_fields(&m));
    return gather(&m);
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
        all_below(safe, MESH_KINDS, strengths) &&
        all_below(INFINITY, MESH_TOTALS, totals + TOTAL_STRETCH) &&
        all_below(INFINITY, MODE_TOTALS, totals + TOTAL_MODES))
        return ENUF_SUCCESS;
    return enuf_nufft_check(w->plan, NULL);
}

void enuf_cuda_add_mesh_totals(const enuf_cuda_slope_work *w, enuf_slope_sums *sums)
{
    const double *modes = w->outcome->totals + TOTAL_MODES;
    sums->energy += modes[0];
    enuf_slope_sums_add(&w->atoms.motion, modes + 1, w->outcome->totals + TOTAL_STRETCH, modes + 7,
                        sums);
}
