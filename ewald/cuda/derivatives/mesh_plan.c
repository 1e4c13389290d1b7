/*
 * mesh_plan.c - the plan of second derivatives. One that takes all vectors of a direction at once
 * has the FFTs of small meshes, which leave most of a GPU idle, run together; where there is no
 * memory for it, the method's plan takes one after the other. SPDX-License-Identifier: BSD-3-Clause
 */
#include "steps.h"

static enum { AT_REST, MOVING, MOVING_CHANGES } plan_of(const enuf_motion *motion)
{
    if (!motion->moves) return AT_REST;
    return motion->charges ? MOVING_CHANGES : MOVING;
}

static int vectors_of(const enuf_motion *motion)
{
    static const int vectors[ENUF_CUDA_SLOPE_PLANS] = {
        [AT_REST] = MESH_FIELDS_AT_REST, [MOVING] = MESH_FIELDS, [MOVING_CHANGES] = MESH_KINDS};
    return vectors[plan_of(motion)];
}

/* Makes the plan with room for the points, unless it is there. */
static enuf_status make(const enuf_ewald *ewald, int vectors, enuf_nufft **plan)
{
    const enuf_ewald_method *method = &ewald->method;
    enuf_nufft_options options;
    if (!*plan) {
        enuf_ewald_plan_options(ewald, &method->parameters, &options);
        for (int d = 0; d < 3; d++) options.modes[d] = method->plan_modes[d];
        options.batch = vectors;
        ENUF_TRY(enuf_nufft_create(&options, plan));
    }
    return enuf_nufft_reserve(*plan, ewald->charges.n);
}

enuf_status enuf_cuda_find_slope_plan(enuf_cuda_slope_work *w)
{
    enuf_cuda_slope_room *room = w->room;
    const int kind = plan_of(&w->atoms.motion);
    if (room->plan_changes != w->ewald->plan_changes) enuf_cuda_release_slope_plans(room);
    room->plan_changes = w->ewald->plan_changes;
    w->vectors = w->each = vectors_of(&w->atoms.motion);
    if (!room->too_large[kind]) {
        const enuf_status status = make(w->ewald, w->vectors, &room->plans[kind]);
        w->plan = room->plans[kind];
        if (status != ENUF_OUT_OF_MEMORY) return status;
        enuf_nufft_destroy(&room->plans[kind]);
        room->too_large[kind] = 1;
    }
    w->each = 1;
    w->plan = w->ewald->method.plan;
    return enuf_nufft_reserve(w->plan, w->atoms.n);
}
