/*
 * boundary.c - what is neither a pair nor a mode of the mesh: the self term, the background that
 * neutralises a net charge, the modes left out (mode_tail.h), and the dipole term of the
 * surroundings (sphere in a dielectric, or slab). Each is E = 1/2 sum q phi of a potential given in
 * closed form.
 * Source: docs/theory.md, section 1; slab: Yeh, Berkowitz, J. Chem. Phys. 111 (1999) 3155; charged:
 * Ballenegger, Arnold, Cerda, J. Chem. Phys. 131 (2009) 094107.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "sums/invariant_sum.h"
#include "parallel.h"

#include <math.h>

static const double two_pi = 6.283185307179586476925;

/* phi_i of all terms: constants that are found once, then each atom's own. */
typedef struct boundary {
    const double *q, *positions;
    int64_t n, stride;
    double self;         /* phi_i = -self q_i */
    enuf_mode_tail tail; /* phi_i = 2 energy q_i */
    double background;   /* phi_i = background */
    double dipole[3];    /* M = sum q x */
    double sphere;       /* phi_i = 2 sphere M . x_i */
    double slab;         /* phi_i = 2 slab (z_i M_z - (second + Qt z_i^2)/2 - level) */
    double charge, second, level;
} boundary;

static void moments(int64_t i, const void *context, double moment[3])
{
    const boundary *b = context;
    for (int d = 0; d < 3; d++) moment[d] = b->q[i] * b->positions[i * b->stride + d];
}

static double second_moment(int64_t i, const void *context)
{
    const boundary *b = context;
    double z = b->positions[i * b->stride + 2];
    return b->q[i] * z * z;
}

static boundary find_constants(const enuf_ewald *ewald, const enuf_atoms *atoms)
{
    const enuf_charge_set *set = &ewald->charges;
    const enuf_ewald_options *o = &ewald->options;
    const enuf_splitting *splitting = &ewald->method.parameters.splitting;
    int threads = enuf_ewald_threads(ewald);
    double volume = ewald->geometry.volume;
    boundary b = {
        .q = atoms->q,
        .positions = atoms->positions,
        .n = atoms->n,
        .stride = atoms->stride,
        .self = splitting->self,
        .tail = ewald->method.tail,
        .background = -2 * splitting->background * set->sum / volume,
        .charge = set->sum,
    };
    if (o->surroundings != 0 || o->slab != 0)
        enuf_invariant_vector_sum_with(ewald->reduction, b.n, moments, &b, threads, b.dipole);
    if (o->surroundings != 0) b.sphere = two_pi / ((2 * o->surroundings + 1) * volume);
    if (o->slab != 0) {
        double height = ewald->geometry.cell[8];
        b.slab = two_pi / volume;
        b.dipole[0] = b.dipole[1] = 0; /* the slab's own directions do not count */
        b.second = enuf_invariant_sum_with(ewald->reduction, b.n, second_moment, &b, threads);
        b.level = b.charge * height * height / 12;
    }
    return b;
}

/* phi of sphere or slab at x, and its field. */
static double surface_potential(const boundary *b, const double x[3], double field[3])
{
    double along = b->dipole[0] * x[0] + b->dipole[1] * x[1] + b->dipole[2] * x[2];
    for (int d = 0; d < 3; d++) field[d] = -2 * b->sphere * b->dipole[d];
    field[2] -= 2 * b->slab * (b->dipole[2] - b->charge * x[2]);
    return 2 * b->sphere * along +
           2 * b->slab *
               (x[2] * b->dipole[2] - 0.5 * (b->second + b->charge * x[2] * x[2]) - b->level);
}

/* Virial of background energy, surface energy and (sphere) the dipole that moves with the cell. */
static void add_virial(const boundary *b, double background, double surface, const double x[3],
                       double q, double virial[6])
{
    double zz = b->slab != 0 ? -surface : surface;
    virial[0] += background + surface;
    virial[1] += background + surface;
    virial[2] += background + zz;
    for (int c = 0; c < 6; c++) {
        int row = enuf_tensor_row[c], column = enuf_tensor_column[c];
        virial[c] -= b->sphere * q * (x[row] * b->dipole[column] + x[column] * b->dipole[row]);
    }
}

static void add_totals(const boundary *b, const enuf_charge_set *set, enuf_ewald_sums *sums)
{
    const double *m = b->dipole;
    double m2 = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
    double surface =
        b->sphere * m2 + b->slab * (m[2] * m[2] - b->charge * b->second - b->charge * b->level);
    sums->parts.self = -0.5 * b->self * set->sum_q2;
    sums->parts.background = 0.5 * b->background * set->sum;
    sums->parts.surface = surface;
    sums->parts.reciprocal += b->tail.energy * set->sum_q2;
    for (int c = 0; c < 6; c++) sums->virial[c] += b->tail.virial[c] * set->sum_q2;
    /* the sum over atoms of the share below: sum q x is the dipole */
    add_virial(b, sums->parts.background, surface, m, 1, sums->virial);
}

static void add_atom_virial(const boundary *b, double surface, const double x[3], double q,
                            double virial[6])
{
    add_virial(b, 0.5 * q * b->background, 0.5 * q * surface, x, q, virial);
    for (int c = 0; c < 6; c++) virial[c] += b->tail.virial[c] * q * q;
}

typedef struct share_loop {
    const boundary *b;
    const enuf_atoms *atoms;
    double *forces, *fields;
    const enuf_ewald_sums *sums;
} share_loop;

static void add_shares(void *context, int64_t i, int64_t end, int thread)
{
    const share_loop *loop = context;
    const boundary *b = loop->b;
    const enuf_atoms *atoms = loop->atoms;
    const enuf_ewald_sums *sums = loop->sums;
    (void)thread;
    for (; i < end; i++) {
        const double *x = &atoms->positions[i * atoms->stride];
        double q = atoms->q[i], field[3], surface = surface_potential(b, x, field);
        const double potential = surface + b->background + (2 * b->tail.energy - b->self) * q;
        if (sums->potential) sums->potential[i] += potential;
        if (sums->atom_energy) sums->atom_energy[i] += 0.5 * q * potential;
        if (sums->atom_virial) add_atom_virial(b, surface, x, q, &sums->atom_virial[6 * i]);
        for (int d = 0; d < 3; d++) {
            if (loop->forces) loop->forces[3 * i + d] += q * field[d];
            if (loop->fields) loop->fields[3 * i + d] += field[d];
        }
    }
}

void enuf_sum_boundary(const enuf_ewald *ewald, const enuf_atoms *atoms, enuf_ewald_sums *sums)
{
    const enuf_charge_set *set = &ewald->charges;
    if (set->n_charged == 0) return;
    const boundary b = find_constants(ewald, atoms);
    add_totals(&b, set, sums);
    const int pulls = b.sphere != 0 || b.slab != 0; /* self term and background do not */
    double *const forces = pulls ? sums->forces : NULL, *const fields = pulls ? sums->field : NULL;
    if (!forces && !fields && !sums->potential && !sums->atom_energy && !sums->atom_virial) return;
    share_loop loop = {&b, atoms, forces, fields, sums};
    enuf_parallel_for(enuf_ewald_threads(ewald), atoms->n, 0, add_shares, &loop);
}
