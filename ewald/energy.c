/*
 * energy.c - compute, and its two halves: checks what is asked, adds up the terms, delivers. The
 * caller's arrays are written last, when nothing can fail any more.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "ewald_object.h"

#include <math.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enuf_status enuf_ewald_check_positions(const enuf_ewald *ewald, const double *positions,
                                       int64_t stride)
{
    int64_t n = ewald->charges.n, first = n;
    if (n > 0 && !positions)
        return enuf_fail(ENUF_BAD_ARGUMENT, "positions is NULL, but there are %lld charges",
                         (long long)n);
    if (stride < 3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "stride is %lld: it has to be at least 3",
                         (long long)stride);
#pragma omp parallel for num_threads(enuf_ewald_threads(ewald)) reduction(min : first)
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            if (!isfinite(positions[i * stride + d]) && i < first) first = i;
    if (first == n) return ENUF_SUCCESS;
    const double *x = &positions[first * stride];
    return enuf_fail(ENUF_NOT_FINITE, "position of atom %lld is (%g, %g, %g): it has to be finite",
                     (long long)first, x[0], x[1], x[2]);
}

static enuf_status check_array(const enuf_evaluation *what, int bit, const void *array,
                               const char *name)
{
    if (!(what->wanted & bit) || array) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT, "result->%s is NULL, but is wanted", name);
}

enuf_status enuf_ewald_check_evaluation(const enuf_ewald *ewald, const enuf_evaluation *what)
{
    const enuf_ewald_result *result = what->result;
    const int all = 2 * ENUF_WANT_FIELD - 1;
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    if (what->wanted & ~all)
        return enuf_fail(ENUF_BAD_ARGUMENT, "wanted is %d: it has to be a sum of ENUF_WANT_...",
                         what->wanted);
    if (!result) return enuf_fail(ENUF_BAD_ARGUMENT, "result is NULL");
    if (result->struct_size != sizeof *result)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "result->struct_size is %zu: set it to sizeof(enuf_ewald_result), %zu",
                         result->struct_size, sizeof *result);
    if (!ewald->has_charges || ewald->charges.n > 0) {
        ENUF_TRY(check_array(what, ENUF_WANT_FORCES, result->forces, "forces"));
        ENUF_TRY(check_array(what, ENUF_WANT_ATOM_ENERGY, result->atom_energy, "atom_energy"));
        ENUF_TRY(check_array(what, ENUF_WANT_ATOM_VIRIAL, result->atom_virial, "atom_virial"));
        ENUF_TRY(check_array(what, ENUF_WANT_POTENTIAL, result->potential, "potential"));
        ENUF_TRY(check_array(what, ENUF_WANT_FIELD, result->field, "field"));
    }
    return ENUF_SUCCESS;
}

static void deliver(int add, double scale, int n, const double *source, double *target)
{
    for (int k = 0; k < n; k++) target[k] = (add ? target[k] : 0) + scale * source[k];
}

/* The same of an array [n][width] of the atoms, into the caller's order. */
static void deliver_atoms(int add, double scale, const enuf_atoms *atoms, int width,
                          const double *source, double *target, int threads)
{
    enum { AHEAD = 16 };
    if (!source) return;
#pragma omp parallel for num_threads(threads) if (atoms->n > 4096)
    for (int64_t a = 0; a < atoms->n; a++) {
        const int64_t ahead = a + AHEAD < atoms->n ? a + AHEAD : a;
        __builtin_prefetch(target + width * enuf_callers_atom(atoms->original, ahead), 1);
        deliver(add, scale, width, source + width * a,
                target + width * enuf_callers_atom(atoms->original, a));
    }
}

static enuf_status deliver_all(const enuf_ewald *ewald, const enuf_evaluation *what,
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

enuf_status enuf_ewald_evaluate(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_ewald_sums sums;
    enuf_atoms atoms;
    ENUF_TRY(enuf_ewald_prepare(ewald));
    ENUF_TRY(enuf_ewald_check_positions(ewald, what->positions, what->stride));
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
    return deliver_all(ewald, what, &atoms, &sums);
}

static enuf_status compute(enuf_ewald *ewald, const double *positions, int64_t stride, int wanted,
                           int real, int reciprocal, enuf_ewald_result *result)
{
    const enuf_evaluation what = {positions, stride, wanted, real, reciprocal, result};
    ENUF_TRY(enuf_ewald_check_evaluation(ewald, &what));
    return enuf_ewald_evaluate(ewald, &what);
}

enuf_status enuf_ewald_compute(enuf_ewald *ewald, const double *positions, int64_t stride,
                               int wanted, enuf_ewald_result *result)
{
    return enuf_named(compute(ewald, positions, stride, wanted, 1, 1, result), __func__);
}

enuf_status enuf_ewald_real(enuf_ewald *ewald, const double *positions, int64_t stride, int wanted,
                            enuf_ewald_result *result)
{
    return enuf_named(compute(ewald, positions, stride, wanted, 1, 0, result), __func__);
}

enuf_status enuf_ewald_reciprocal(enuf_ewald *ewald, const double *positions, int64_t stride,
                                  int wanted, enuf_ewald_result *result)
{
    return enuf_named(compute(ewald, positions, stride, wanted, 0, 1, result), __func__);
}
