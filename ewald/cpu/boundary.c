/*
 * boundary.c - the closed forms (closed_forms.h) at the atoms: moments of all charges, then each
 * atom's own terms. SPDX-License-Identifier: BSD-3-Clause
 */
#include "evaluate/totals.h"
#include "object/ewald_object.h"
#include "sums/invariant_sum.h"
#include "parallel.h"

/* The closed forms and the moments of all charges. */
typedef struct boundary {
    enuf_closed_forms forms;
    const double *q, *positions;
    int64_t n, stride;
    double dipole[3]; /* M = sum q x */
    double second;    /* sum q z^2 */
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

static boundary find_moments(const enuf_ewald *ewald, const enuf_atoms *atoms)
{
    const int threads = enuf_ewald_threads(ewald);
    boundary b = {
        .forms = enuf_closed_forms_of(ewald),
        .q = atoms->q,
        .positions = atoms->positions,
        .n = atoms->n,
        .stride = atoms->stride,
    };
    if (b.forms.sphere != 0 || b.forms.slab != 0)
        enuf_invariant_vector_sum(ewald->reduction, b.n, moments, &b, threads, b.dipole);
    if (b.forms.slab != 0) {
        b.dipole[0] = b.dipole[1] = 0; /* a slab needs the dipole along z only */
        b.second = enuf_invariant_sum(ewald->reduction, b.n, second_moment, &b, threads);
    }
    return b;
}

/* phi of sphere or slab at x, and its field. */
static double surface_potential(const boundary *b, const double x[3], double field[3])
{
    const enuf_closed_forms *f = &b->forms;
    double along = b->dipole[0] * x[0] + b->dipole[1] * x[1] + b->dipole[2] * x[2];
    for (int d = 0; d < 3; d++) field[d] = -2 * f->sphere * b->dipole[d];
    field[2] -= 2 * f->slab * (b->dipole[2] - f->charge * x[2]);
    return 2 * f->sphere * along +
           2 * f->slab *
               (x[2] * b->dipole[2] - 0.5 * (b->second + f->charge * x[2] * x[2]) - f->level);
}

static void add_atom_virial(const boundary *b, double surface, const double x[3], double q,
                            double virial[6])
{
    const enuf_closed_forms *f = &b->forms;
    enuf_add_closed_virial(f, 0.5 * q * f->background, 0.5 * q * surface, b->dipole, x, q, virial);
    for (int c = 0; c < 6; c++) virial[c] += f->tail[c] * q * q;
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
        const double potential = surface + b->forms.background - b->forms.self * q;
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
    if (ewald->charges.n_charged == 0) return;
    const boundary b = find_moments(ewald, atoms);
    enuf_add_closed_forms(&b.forms, ewald->charges.sum_q2, b.dipole, b.second, &sums->parts,
                          sums->virial);
    const int pulls =
        b.forms.sphere != 0 || b.forms.slab != 0; /* self energy and background exert no force */
    double *const forces = pulls ? sums->forces : NULL, *const fields = pulls ? sums->field : NULL;
    if (!forces && !fields && !sums->potential && !sums->atom_energy && !sums->atom_virial) return;
    share_loop loop = {&b, atoms, forces, fields, sums};
    enuf_parallel_for(enuf_ewald_threads(ewald), atoms->n, 0, add_shares, &loop);
}
