/*
 * held_mesh.c - potentials of the modes at held positions. Two vectors are one of complex charges:
 * their transform takes less time than two of real ones. SPDX-License-Identifier: BSD-3-Clause
 */
#include "hold.h"
#include "charge_sets.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>

/* The weights w_0 of all modes, from those of the half space, times 2. */
static void fill_weights(const enuf_ewald_method *method, int single, void *weights)
{
    const int64_t *n = method->plan_modes, h1 = (n[0] + 1) / 2;
    int64_t at = 0;
    for (int64_t m3 = -(n[2] / 2); m3 <= n[2] / 2; m3++)
        for (int64_t m2 = -(n[1] / 2); m2 <= n[1] / 2; m2++)
            for (int64_t m1 = -(n[0] / 2); m1 <= n[0] / 2; m1++, at++) {
                const int64_t sign = m1 < 0 ? -1 : 1;
                const int64_t row = (sign * m3 + n[2] / 2) * n[1] + sign * m2 + n[1] / 2;
                enuf_set_number(
                    weights, single, at,
                    2 * enuf_number_at(method->influence, single, row * h1 + sign * m1));
            }
}

static enuf_status set_points(const enuf_ewald *ewald, const double *positions, int64_t n,
                              enuf_nufft *plan)
{
    ENUF_TRY(enuf_nufft_set_frame(plan, ewald->geometry.frame, NULL));
    return enuf_nufft_set_points(plan, n, positions, positions + 1, positions + 2, 3);
}

enuf_status enuf_held_make_plan(const enuf_ewald *ewald, int vectors, const double *positions,
                                int64_t n, enuf_nufft **made)
{
    const enuf_ewald_method *method = &ewald->method;
    enuf_nufft_options options;
    enuf_ewald_plan_options(ewald, &method->parameters, &options);
    for (int d = 0; d < 3; d++) options.modes[d] = method->plan_modes[d];
    options.gradients = 0;
    if (vectors > 1) {
        options.strengths = ENUF_COMPLEX_STRENGTHS;
        options.batch = vectors / 2;
    }
    ENUF_TRY(enuf_nufft_create(&options, made));
    const enuf_status status = set_points(ewald, positions, n, *made);
    if (status != ENUF_SUCCESS) enuf_nufft_destroy(made);
    return status;
}

static enuf_status make_plan(const enuf_ewald *ewald, int two, const double *positions, int64_t n,
                             enuf_held_plan *made)
{
    const enuf_ewald_method *method = &ewald->method;
    const int single = enuf_ewald_single_mesh(ewald);
    const int64_t modes = method->plan_modes[0] * method->plan_modes[1] * method->plan_modes[2];
    ENUF_TRY(enuf_held_make_plan(ewald, two ? 2 : 1, positions, n, &made->plan));
    if (!two) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(&made->weights, modes, single ? sizeof(float) : sizeof(double),
                           "weights of the modes"));
    fill_weights(method, single, made->weights);
    return ENUF_SUCCESS;
}

static enuf_status find_plan(const enuf_ewald *ewald, int two, enuf_held_plan **found)
{
    enuf_held *held = ewald->held;
    *found = &held->plans[two];
    if ((*found)->plan) return ENUF_SUCCESS;
    enuf_held_plan made = {0};
    const enuf_status status = make_plan(ewald, two, held->positions.at, held->n, &made);
    if (status == ENUF_SUCCESS) {
        **found = made;
        return ENUF_SUCCESS;
    }
    enuf_nufft_destroy(&made.plan);
    enuf_release(&made.weights);
    return status;
}

typedef struct lane_loop {
    const enuf_held *held;
    int lanes, from, each, single; /* each: vectors of the transform */
    double scale;
    double potential_scale;
} lane_loop;

static void fill_strengths(void *context, int64_t a, int64_t end, int thread)
{
    const lane_loop *loop = context;
    const double *charges = loop->held->charges.at;
    (void)thread;
    for (; a < end; a++)
        for (int v = 0; v < loop->each; v++)
            enuf_set_number(loop->held->strengths.at, loop->single, loop->each * a + v,
                            loop->scale * charges[loop->lanes * a + loop->from + v]);
}

static void add_values(void *context, int64_t a, int64_t end, int thread)
{
    const lane_loop *loop = context;
    double *potentials = loop->held->potentials.at;
    (void)thread;
    for (; a < end; a++)
        for (int v = 0; v < loop->each; v++)
            potentials[loop->lanes * a + loop->from + v] +=
                loop->potential_scale *
                enuf_number_at(loop->held->values.at, loop->single, loop->each * a + v);
}

static double scale_of(const enuf_ewald *ewald, const lane_loop *loop)
{
    const double bound = ewald->method.grid_bound, *charges = loop->held->charges.at;
    double size = 0;
    if (bound == 0) return 1;
    for (int64_t a = 0; a < loop->held->n; a++)
        for (int v = 0; v < loop->each; v++)
            size += fabs(charges[loop->lanes * a + loop->from + v]);
    return enuf_set_scale(bound, size);
}

enuf_status enuf_held_add_modes(enuf_ewald *ewald, int lanes, int from, int two)
{
    enuf_held *held = ewald->held;
    lane_loop loop = {.held = held,
                      .lanes = lanes,
                      .from = from,
                      .each = two ? 2 : 1,
                      .single = enuf_ewald_single_mesh(ewald)};
    const size_t number = (loop.single ? sizeof(float) : sizeof(double)) * (size_t)loop.each;
    const int threads = enuf_ewald_threads(ewald);
    enuf_held_plan *plan;
    ENUF_TRY(find_plan(ewald, two, &plan));
    ENUF_TRY(enuf_array_reserve(&held->strengths, held->n, number, "strengths"));
    ENUF_TRY(enuf_array_reserve(&held->values, held->n, number, "mesh potentials"));
    loop.scale = scale_of(ewald, &loop);
    /* the weights of the half space give half of the potential */
    loop.potential_scale = (two ? 1 : 2) / loop.scale;
    enuf_parallel_for(threads, held->n, 0, fill_strengths, &loop);
    ENUF_TRY(enuf_nufft_spread(plan->plan, held->strengths.at));
    ENUF_TRY(enuf_nufft_filter(plan->plan, two ? plan->weights : ewald->method.influence,
                               held->values.at, NULL));
    enuf_parallel_for(threads, held->n, 0, add_values, &loop);
    return ENUF_SUCCESS;
}
