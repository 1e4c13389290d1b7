/* deliver.c - hands the sums over to the caller, in the caller's order of atoms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "object/ewald_object.h"
#include "parallel.h"

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
        enuf_deliver(loop->add, loop->scale, width, loop->source + width * a,
                     loop->target + width * enuf_callers_atom(atoms->original, a));
    }
}

/* Adds, or stores, scale * source [n][width] of the atoms. */
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
    const double c = ewald->options.coulomb;
    const int threads = enuf_ewald_threads(ewald), add = r->add;
    double energy;
    ENUF_TRY(enuf_total_energy(&sums->parts, &energy));
    enuf_deliver_totals(what, c, energy, &sums->parts, sums->virial, sums->net_force);
#define ENUF_X(BIT, name, width, text)                                                             \
    deliver_atoms(add, c, atoms, width, sums->name, r->name, threads);
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}
