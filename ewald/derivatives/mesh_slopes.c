/*
 * mesh_slopes.c - slopes of the sum over modes, by transforms of the method's plan. With Phi the
 * potential of the modes, and Phi_1 the potential of the modes 2 (dw_0 S + w_0 dS),
 *
 *     dphi_i = Phi_1 + v_i . grad Phi
 *     dF_i   = -w_i grad Phi - q_i [grad Phi_1 - e grad Phi + (v_i . grad) grad Phi]
 *
 * Type 1 of q, w, q v_x, q v_y, q v_z; type 2 with gradients of the three components of grad Phi,
 * and of Phi_1. Source: docs/theory.md, section 1, "Second derivatives".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "slope_sums.h"
#include "charge_sets.h"
#include "mode_slopes.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

enum { CHARGES, CHANGES, DIPOLES, KINDS = DIPOLES + 3, SLICES = 64 };

typedef struct mesh {
    enuf_ewald *ewald;
    enuf_slope_room *room;
    const enuf_motion *motion;
    const enuf_atoms *atoms;
    enuf_slope_sums *sums;
    int single;
    double mean[3];       /* of v over the charges, left out */
    double *forces;       /* [n][3] slopes of the mesh */
    double mean_force[3]; /* over the charges, subtracted */
    int axis;
    double stretch[9]; /* sum F_a v_b */
    double slice[SLICES][3];
} mesh;

static int64_t slice_begin(const mesh *m, int64_t slice)
{
    return m->atoms->n * slice / SLICES;
}

static double change(const mesh *m, int64_t a)
{
    return ((const double *)m->room->changes.at)[a];
}

static int is_charged(const mesh *m, int64_t a)
{
    return m->atoms->q[a] != 0 || change(m, a) != 0;
}

/* v of atom a without the mean. */
static inline void moved(const mesh *m, int64_t a, double v[3])
{
    const double *of_atom = (const double *)m->room->moved.at + 3 * a;
    for (int d = 0; d < 3; d++) v[d] = of_atom[d] - m->mean[d];
}

/* Sums slices of atoms at once, the slices in order. */
static void sum_slices(mesh *m, enuf_loop_body body, double sum[3])
{
    enuf_parallel_for(enuf_ewald_threads(m->ewald), SLICES, 0, body, m);
    for (int d = 0; d < 3; d++) sum[d] = 0;
    for (int s = 0; s < SLICES; s++)
        for (int d = 0; d < 3; d++) sum[d] += m->slice[s][d];
}

static void sum_moved(void *context, int64_t s, int64_t end, int thread)
{
    mesh *m = context;
    (void)thread;
    for (; s < end; s++) {
        double v[3], sum[3] = {0, 0, 0};
        for (int64_t a = slice_begin(m, s); a < slice_begin(m, s + 1); a++) {
            if (!is_charged(m, a)) continue;
            moved(m, a, v);
            for (int d = 0; d < 3; d++) sum[d] += v[d];
        }
        memcpy(m->slice[s], sum, sizeof sum);
    }
}

static void sum_forces(void *context, int64_t s, int64_t end, int thread)
{
    mesh *m = context;
    (void)thread;
    for (; s < end; s++) {
        double sum[3] = {0, 0, 0};
        for (int64_t a = slice_begin(m, s); a < slice_begin(m, s + 1); a++)
            for (int d = 0; d < 3; d++) sum[d] += m->forces[3 * a + d];
        memcpy(m->slice[s], sum, sizeof sum);
    }
}

static int64_t count_charged(const mesh *m)
{
    int64_t n = 0;
    for (int64_t a = 0; a < m->atoms->n; a++) n += is_charged(m, a);
    return n;
}

/* One of the five kinds of strengths at atom a. */
static double strength(const mesh *m, int kind, int64_t a)
{
    double v[3];
    if (kind == CHARGES) return m->atoms->q[a];
    if (kind == CHANGES) return change(m, a);
    moved(m, a, v);
    return m->atoms->q[a] * v[kind - DIPOLES];
}

typedef struct strength_loop {
    const mesh *mesh;
    int kind;
    double scale;
} strength_loop;

static void fill_strengths(void *context, int64_t a, int64_t end, int thread)
{
    const strength_loop *loop = context;
    (void)thread;
    for (; a < end; a++)
        enuf_set_number(loop->mesh->room->strengths.at, loop->mesh->single, a,
                        loop->scale * strength(loop->mesh, loop->kind, a));
}

static double scale_of(const mesh *m, int kind)
{
    const double bound = m->ewald->method.grid_bound;
    double sum = 0;
    if (bound == 0 || kind == CHARGES) return 1;
    for (int64_t a = 0; a < m->atoms->n; a++) sum += fabs(strength(m, kind, a));
    return enuf_set_scale(bound, sum);
}

static void scale_modes(const mesh *m, double scale, void *modes)
{
    const int64_t n = 2 * m->ewald->method.n_stored_modes;
    for (int64_t k = 0; k < n && scale != 1; k++)
        enuf_set_number(modes, m->single, k, scale * enuf_number_at(modes, m->single, k));
}

static void *modes_of(const mesh *m, int kind)
{
    const size_t number = m->single ? sizeof(float) : sizeof(double);
    return (char *)m->room->modes.at +
           (size_t)(2 * m->ewald->method.n_stored_modes * kind) * number;
}

static enuf_status transform(const mesh *m, int kind)
{
    strength_loop loop = {m, kind, scale_of(m, kind)};
    enuf_parallel_for(enuf_ewald_threads(m->ewald), m->atoms->n, 0, fill_strengths, &loop);
    ENUF_TRY(enuf_nufft_type1(m->ewald->method.plan, m->room->strengths.at, modes_of(m, kind)));
    scale_modes(m, 1 / loop.scale, modes_of(m, kind));
    return ENUF_SUCCESS;
}

/* F_axis v_b of the mesh; grad Phi is in values. */
static void sum_stretch(void *context, int64_t s, int64_t end, int thread)
{
    mesh *m = context;
    (void)thread;
    for (; s < end; s++) {
        double v[3], sum[3] = {0, 0, 0};
        for (int64_t a = slice_begin(m, s); a < slice_begin(m, s + 1); a++) {
            const double force = -m->atoms->q[a] * enuf_number_at(m->room->values.at, m->single, a);
            moved(m, a, v);
            for (int d = 0; d < 3; d++) sum[d] += force * v[d];
        }
        memcpy(m->slice[s], sum, sizeof sum);
    }
}

/* The terms of one component of grad Phi, in values, and of its gradient. */
static void add_component(void *context, int64_t a, int64_t end, int thread)
{
    const mesh *m = context;
    const int axis = m->axis;
    (void)thread;
    for (; a < end; a++) {
        const double q = m->atoms->q[a], w = change(m, a);
        const double gradient = enuf_number_at(m->room->values.at, m->single, a);
        double v[3], along = 0;
        moved(m, a, v);
        for (int d = 0; d < 3; d++)
            along += v[d] * enuf_number_at(m->room->gradients.at, m->single, 3 * a + d);
        m->forces[3 * a + axis] -= w * gradient + q * along;
        for (int d = 0; d < 3; d++)
            m->forces[3 * a + d] += q * m->motion->strain[3 * d + axis] * gradient;
        m->sums->potential[a] += v[axis] * gradient;
    }
}

/* The slopes of the potential's modes. */
static void add_potential(void *context, int64_t a, int64_t end, int thread)
{
    const mesh *m = context;
    (void)thread;
    for (; a < end; a++) {
        m->sums->potential[a] += enuf_number_at(m->room->values.at, m->single, a);
        for (int d = 0; d < 3; d++)
            m->forces[3 * a + d] -=
                m->atoms->q[a] * enuf_number_at(m->room->gradients.at, m->single, 3 * a + d);
    }
}

/* w grad Phi alone. */
static void add_changes(void *context, int64_t a, int64_t end, int thread)
{
    const mesh *m = context;
    (void)thread;
    for (; a < end; a++) {
        const double w = change(m, a);
        for (int d = 0; d < 3; d++)
            m->forces[3 * a + d] -= w * enuf_number_at(m->room->gradients.at, m->single, 3 * a + d);
    }
}

/* Subtracts the mean and adds to the sums. */
static void deliver(void *context, int64_t a, int64_t end, int thread)
{
    const mesh *m = context;
    (void)thread;
    for (; a < end; a++) {
        const int charged = is_charged(m, a);
        for (int d = 0; d < 3; d++)
            m->sums->forces[3 * a + d] += m->forces[3 * a + d] - (charged ? m->mean_force[d] : 0);
    }
}

static enuf_status gather(mesh *m, const void *modes, int with_values)
{
    return enuf_nufft_type2(m->ewald->method.plan, modes, with_values ? m->room->values.at : NULL,
                            m->room->gradients.at);
}

static void for_atoms(mesh *m, enuf_loop_body body)
{
    enuf_parallel_for(enuf_ewald_threads(m->ewald), m->atoms->n, 0, body, m);
}

/* The field of the charges: its share of all slopes. Overwrites the filtered modes. */
static enuf_status add_field(mesh *m)
{
    void *filtered = m->room->filtered.at;
    if (!m->motion->moves) {
        enuf_fill_field_modes(m->ewald, modes_of(m, CHARGES), -1, filtered);
        ENUF_TRY(gather(m, filtered, 0));
        for_atoms(m, add_changes);
        return ENUF_SUCCESS;
    }
    for (m->axis = 0; m->axis < 3; m->axis++) {
        enuf_fill_field_modes(m->ewald, modes_of(m, CHARGES), m->axis, filtered);
        ENUF_TRY(gather(m, filtered, 1));
        for_atoms(m, add_component);
        sum_slices(m, sum_stretch, &m->stretch[3 * m->axis]);
    }
    return ENUF_SUCCESS;
}

static enuf_status reserve(mesh *m)
{
    enuf_slope_room *room = m->room;
    const enuf_ewald_method *method = &m->ewald->method;
    const int64_t n = m->atoms->n, modes = method->n_stored_modes;
    const size_t number = m->single ? sizeof(float) : sizeof(double);
    const int kinds = m->motion->moves ? KINDS : DIPOLES;
    ENUF_TRY(enuf_array_reserve(&room->strengths, n, number, "strengths"));
    ENUF_TRY(enuf_array_reserve(&room->values, n, number, "mesh potentials"));
    ENUF_TRY(enuf_array_reserve(&room->gradients, n, 3 * number, "mesh gradients"));
    ENUF_TRY(enuf_array_reserve(&room->mesh_forces, n, 3 * sizeof(double), "mesh forces"));
    ENUF_TRY(enuf_array_reserve(&room->modes, kinds * modes, 2 * number, "modes of a direction"));
    ENUF_TRY(enuf_array_reserve(&room->filtered, modes, 2 * number, "modes of a field"));
    ENUF_TRY(enuf_array_reserve(&room->row_sums, method->plan_modes[1] * method->plan_modes[2],
                                sizeof(enuf_mode_slopes), "sums over modes"));
    m->forces = room->mesh_forces.at;
    memset(m->forces, 0, (size_t)n * 3 * sizeof *m->forces);
    return ENUF_SUCCESS;
}

/* Finds the mean of the forces and adds the others to the sums. */
static void deliver_forces(mesh *m)
{
    double sum[3];
    if (!m->ewald->options.keep_net_force) {
        sum_slices(m, sum_forces, sum);
        for (int d = 0; d < 3; d++) m->mean_force[d] = sum[d] / (double)count_charged(m);
    }
    for_atoms(m, deliver);
}

enuf_status enuf_add_mesh_slopes(enuf_ewald *ewald, const enuf_motion *motion,
                                 const enuf_atoms *atoms, enuf_slope_sums *sums)
{
    mesh m = {.ewald = ewald,
              .room = ewald->slope_room,
              .motion = motion,
              .atoms = atoms,
              .sums = sums,
              .single = enuf_ewald_single_mesh(ewald)};
    const double *x = atoms->positions;
    ENUF_TRY(reserve(&m));
    if (motion->moves && !ewald->options.keep_net_force) {
        double sum[3];
        sum_slices(&m, sum_moved, sum);
        for (int d = 0; d < 3; d++) m.mean[d] = sum[d] / (double)count_charged(&m);
    }
    ENUF_TRY(enuf_nufft_set_frame(ewald->method.plan, ewald->geometry.frame, NULL));
    ENUF_TRY(enuf_nufft_set_points(ewald->method.plan, atoms->n, x, x + 1, x + 2, atoms->stride));
    ENUF_TRY(transform(&m, CHARGES));
    if (motion->charges) ENUF_TRY(transform(&m, CHANGES));
    for (int kind = DIPOLES; kind < KINDS && motion->moves; kind++) ENUF_TRY(transform(&m, kind));
    ENUF_TRY(add_field(&m));
    enuf_slope_modes modes = {.charges = modes_of(&m, CHARGES),
                              .changes = motion->charges ? modes_of(&m, CHANGES) : NULL};
    for (int d = 0; d < 3 && motion->moves; d++) modes.dipoles[d] = modes_of(&m, DIPOLES + d);
    const enuf_mode_slopes slopes =
        enuf_sum_mode_slopes(ewald, motion, &modes, m.room->row_sums.at, m.room->filtered.at);
    sums->energy += slopes.energy;
    enuf_slope_sums_add(motion, slopes.virial, m.stretch, slopes.virial_slope, sums);
    ENUF_TRY(gather(&m, m.room->filtered.at, 1));
    for_atoms(&m, add_potential);
    deliver_forces(&m);
    return ENUF_SUCCESS;
}
