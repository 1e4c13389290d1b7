/*
 * evaluate.c - an evaluation on the CPU: one term after another. The caller's arrays are written
 * last, when nothing can fail any more. SPDX-License-Identifier: BSD-3-Clause
 */
#include "evaluate.h"
#include "object/ewald_object.h"
#include "parallel.h"

#include <math.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void deliver(int add, double scale, int n, const double *source, double *target)
{
    for (int k = 0; k < n; k++) target[k] = (add ? target[k] : 0) + scale * source[k];
}

typedef struct deliver_loop {
    int add, width;
    double scale;
    const enuf_atoms *atoms;
    const double *source;
    double *target;
} deliver_loop;

static void deliver_some(void *context, int64_t begin, int64_t end, int thread)
{
    enum { AHEAD = 16 };
    const deliver_loop *loop = context;
    const enuf_atoms *atoms = loop->atoms;
    const int width = loop->width;
    (void)thread;
    for (int64_t a = begin; a < end; a++) {
        const int64_t ahead = a + AHEAD < end ? a + AHEAD : a;
        __builtin_prefetch(loop->target + width * enuf_callers_atom(atoms->original, ahead), 1);
        deliver(loop->add, loop->scale, width, loop->source + width * a,
                loop->target + width * enuf_callers_atom(atoms->original, a));
    }
}

/* The same of an array [n][width] of the atoms, into the caller's order. */
static void deliver_atoms(int add, double scale, const enuf_atoms *atoms, int width,
                          const double *source, double *target, int threads)
{
    if (!source) return;
    deliver_loop loop = {add, width, scale, atoms, source, target};
    enuf_parallel_for(atoms->n > 4096 ? threads : 1, atoms->n, 0, deliver_some, &loop);
}

enuf_status enuf_ewald_deliver(const enuf_ewald *ewald, const enuf_evaluation *what,
                               const enuf_atoms *atoms, const enuf_ewald_sums *sums)
{
    enuf_ewald_result *r = what->result;
    const enuf_ewald_parts *p = &sums->parts;
    double c = ewald->options.coulomb;
    double energy = p->real + p->reciprocal + p->self + p->background + p->surface + p->excluded;
    int threads = enuf_ewald_threads(ewald), add = r->add;
    if (!isfinite(energy))
        return enuf_fail(ENUF_NOT_FINITE,
                         "the energy is %g: two charges lie at the same place, or "
                         "numbers are beyond the range of double",
                         energy);
    if (what->wanted & ENUF_WANT_ENERGY) {
        const double from[7] = {energy,        p->real,    p->reciprocal, p->self,
                                p->background, p->surface, p->excluded};
        double *to[7] = {&r->energy,        &r->parts.real,       &r->parts.reciprocal,
                         &r->parts.self,    &r->parts.background, &r->parts.surface,
                         &r->parts.excluded};
        for (int k = 0; k < 7; k++) deliver(add, c, 1, &from[k], to[k]);
    }
    if (what->wanted & ENUF_WANT_VIRIAL) deliver(add, c, 6, sums->virial, r->virial);
    if (what->wanted & ENUF_WANT_FORCES) deliver(add, c, 3, sums->net_force, r->net_force);
    deliver_atoms(add, c, atoms, 3, sums->forces, r->forces, threads);
    deliver_atoms(add, c, atoms, 1, sums->atom_energy, r->atom_energy, threads);
    deliver_atoms(add, c, atoms, 6, sums->atom_virial, r->atom_virial, threads);
    deliver_atoms(add, c, atoms, 1, sums->potential, r->potential, threads);
    deliver_atoms(add, c, atoms, 3, sums->field, r->field, threads);
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_start_cpu(enuf_ewald *ewald, const enuf_evaluation *what)
{
    return enuf_ewald_check_positions(ewald, what->positions, what->stride);
}

enuf_status enuf_ewald_finish_cpu(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_ewald_sums sums;
    enuf_atoms atoms;
    ENUF_TRY(enuf_ewald_reserve(ewald, what->wanted, &sums));
    double start = seconds();
    ENUF_TRY(enuf_order_atoms(ewald, what, &atoms));
    if (what->real) {
        ENUF_TRY(enuf_sum_real(ewald, what->wanted, &atoms, &sums));
        enuf_sum_exclusions(ewald, what, &atoms, &sums);
    }
    double middle = seconds();
    if (what->reciprocal) {
        ENUF_TRY(enuf_sum_reciprocal(ewald, what->wanted, &atoms, &sums));
        enuf_sum_boundary(ewald, &atoms, &sums);
    }
    if (what->real) ewald->seconds_real = middle - start;
    if (what->reciprocal) ewald->seconds_reciprocal = seconds() - middle;
    return enuf_ewald_deliver(ewald, what, &atoms, &sums);
}
