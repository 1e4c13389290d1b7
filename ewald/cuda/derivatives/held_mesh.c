/*
 * held_mesh.c - potentials of the modes at held positions, as ewald/derivatives/held_mesh.c. Two
 * vectors are one of complex charges: points are spread with one set of weights, which takes half
 * to two thirds of the time of two real vectors (H100, nufft/cuda/spread/spread.c), and a complex
 * FFT takes as long as two real ones. Four and eight vectors are batches of these, whose FFTs run
 * together: those of small meshes leave most of a GPU idle. SPDX-License-Identifier: BSD-3-Clause
 */
#include "derivatives/hold.h"
#include "held_steps.h"

static int plan_of(int lanes)
{
    return lanes == 1 ? 0 : lanes == 2 ? 1 : lanes == 4 ? 2 : 3;
}

static enuf_status make_weights(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_held_room *room = &cuda->held;
    const int64_t *modes = ewald->method.plan_modes;
    const int single = enuf_ewald_single_mesh(ewald);
    if (room->has_weights) return ENUF_SUCCESS;
    ENUF_TRY(
        enuf_device_array_reserve(&cuda->memory, &room->weights, modes[0] * modes[1] * modes[2],
                                  single ? sizeof(float) : sizeof(double), "weights of all modes"));
    ENUF_TRY(
        enuf_cuda_hold_weights(modes, single, cuda->influence.at, room->weights.at, cuda->work));
    room->has_weights = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_find_held_plan(enuf_ewald *ewald, int lanes, enuf_nufft **plan, int *each)
{
    enuf_cuda_held_room *room = &enuf_cuda_ewald_of(ewald)->held;
    enuf_held *held = ewald->held;
    *each = lanes < room->most_lanes ? lanes : room->most_lanes;
    enuf_nufft **found = &held->plans[plan_of(*each)].plan;
    if (*each > 1) ENUF_TRY(make_weights(ewald));
    if (!*found) {
        const enuf_status status =
            enuf_held_make_plan(ewald, *each, room->positions.at, held->n, found);
        if (status == ENUF_OUT_OF_MEMORY && *each > 2) {
            room->most_lanes = 2;
            return enuf_cuda_find_held_plan(ewald, lanes, plan, each);
        }
        ENUF_TRY(status);
    }
    *plan = *found;
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_enqueue_held_mesh(const enuf_cuda_held_work *w)
{
    const enuf_cuda_sets *s = &w->sets;
    const size_t vector = (size_t)s->sets.n * (s->mesh_single ? sizeof(float) : sizeof(double));
    const void *weights = w->each == 1 ? w->cuda->influence.at : w->room->weights.at;
    for (int v = 0; v < s->sets.used; v += w->each) {
        ENUF_TRY(enuf_nufft_spread(w->plan, (const char *)s->strengths + (size_t)v * vector));
        ENUF_TRY(enuf_nufft_filter(w->plan, weights, (char *)s->values + (size_t)v * vector, NULL));
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_check_held_plans(const enuf_ewald *ewald)
{
    enuf_status first = ENUF_SUCCESS;
    for (int k = 0; k < ENUF_HELD_PLANS; k++) {
        enuf_nufft *plan = ewald->held->plans[k].plan;
        const enuf_status status = plan ? enuf_nufft_check(plan, NULL) : ENUF_SUCCESS;
        if (first == ENUF_SUCCESS) first = status;
    }
    return first;
}
