/*
 * exact_system.c - sets up the problem of exact sums: cell, targets, folded positions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_sums.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* Extends c of a slab. It has to be open along z, with a and b perpendicular to z. */
static enuf_status extend(double slab, double cell[9])
{
    if (slab == 0) return ENUF_SUCCESS;
    if (!(slab >= 1) || !isfinite(slab))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "slab = %g: has to be 0 (no slab) or a factor of at least 1", slab);
    double rounding = 1e-12 * fabs(cell[8]);
    if (fabs(cell[2]) > rounding || fabs(cell[5]) > rounding || fabs(cell[6]) > rounding ||
        fabs(cell[7]) > rounding)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "a slab needs a and b in the xy plane and c along z, but a_z = %g, "
                         "b_z = %g, c_x = %g, c_y = %g",
                         cell[2], cell[5], cell[6], cell[7]);
    for (int a = 0; a < 3; a++) cell[6 + a] *= slab;
    return ENUF_SUCCESS;
}

static long double dot(const long double *a, const long double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Adds m u + n v to `row` if the sum is shorter by more than rounding. Returns 1 if it did. */
static int shortened(long double *row, long double m, const long double *u, long double n,
                     const long double *v)
{
    long double sum[3];
    for (int a = 0; a < 3; a++) sum[a] = row[a] + m * u[a] + n * v[a];
    if (dot(sum, sum) > 0.999999L * dot(row, row)) return 0;
    memcpy(row, sum, sizeof sum);
    return 1;
}

/* Shortens the first n lattice vectors by whole multiples of each other, so that the boxes searched
 * for modes and images hold few outside of the spheres. */
static void shorten(int n, long double rows[9])
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int i = 0; i < n; i++) {
            long double *a = rows + 3 * i, *b = rows + 3 * ((i + 1) % n);
            long double *c = rows + 3 * ((i + n - 1) % n);
            changed |= shortened(a, -rintl(dot(a, b) / dot(b, b)), b, 0, b);
            changed |= shortened(a, -rintl(dot(a, c) / dot(c, c)), c, 0, c);
            for (int sign = 0; sign < 4 && n == 3 && !changed; sign++)
                changed |= shortened(a, sign & 1 ? 1 : -1, b, sign & 2 ? 1 : -1, c);
        }
    }
}

/* Cross products of two rows each: the determinant times columns of the inverse. */
static long double cross_products(const long double h[9], long double cross[3][3])
{
    for (int d = 0; d < 3; d++) {
        const long double *u = h + 3 * ((d + 1) % 3), *v = h + 3 * ((d + 2) % 3);
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            cross[d][a] = u[b] * v[c] - u[c] * v[b];
        }
    }
    return dot(h, cross[0]);
}

static enuf_status set_cell(const double cell[9], double slab, enuf_exact_system *system)
{
    double given[9];
    long double *h = system->cell, cross[3][3], lengths = 1;
    for (int i = 0; i < 9; i++)
        if (!isfinite(cell[i]))
            return enuf_fail(ENUF_NOT_FINITE, "cell vector %c, component %c, is %g", "abc"[i / 3],
                             "xyz"[i % 3], cell[i]);
    memcpy(given, cell, sizeof given);
    ENUF_TRY(extend(slab, given));
    for (int i = 0; i < 9; i++) h[i] = given[i];
    for (int d = 0; d < 3; d++) {
        const long double length = sqrtl(dot(h + 3 * d, h + 3 * d));
        if (length != 0 && !(length >= 1e-40L && length <= 1e40L))
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "cell vector %c is %Lg long: it has to be 1e-40 ... 1e40; take other "
                             "units of length",
                             "abc"[d], length);
        lengths *= length;
    }
    system->volume = (double)fabsl(cross_products(h, cross));
    if (!(system->volume > 1e-12L * lengths))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "the cell is flat: volume %g, lengths of a, b, c multiply to %Lg",
                         system->volume, lengths);
    shorten(slab > 0 ? 2 : 3, h);
    const long double determinant = cross_products(h, cross);
    for (int d = 0; d < 3; d++) {
        for (int a = 0; a < 3; a++) system->inverse[3 * a + d] = cross[d][a] / determinant;
        system->height[d] = (double)(fabsl(determinant) / sqrtl(dot(cross[d], cross[d])));
    }
    return ENUF_SUCCESS;
}

static enuf_status set_targets(int64_t n_targets, const int64_t *targets, enuf_exact_system *system)
{
    if (!targets) n_targets = system->n;
    if (n_targets < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "n_targets is %lld, has to be 0 or more",
                         (long long)n_targets);
    ENUF_TRY(enuf_allocate(&system->targets, n_targets, sizeof *system->targets, "targets"));
    system->n_targets = n_targets;
    for (int64_t t = 0; t < n_targets; t++) {
        int64_t i = targets ? targets[t] : t;
        if (i < 0 || i >= system->n)
            return enuf_fail(ENUF_BAD_ARGUMENT, "targets[%lld] is %lld: atoms are 0 ... %lld",
                             (long long)t, (long long)i, (long long)(system->n - 1));
        system->targets[t] = i;
    }
    return ENUF_SUCCESS;
}

static void fold(void *context, int64_t i, int64_t end, int thread)
{
    const enuf_exact_system *system = context;
    const long double *g = system->inverse, *h = system->cell;
    (void)thread;
    for (; i < end; i++) {
        const double *x = system->positions + i * system->stride;
        long double *s = system->fractions + 3 * i, *y = system->folded + 3 * i;
        for (int a = 0; a < 3; a++) y[a] = x[a];
        for (int d = 0; d < 3; d++) {
            s[d] = x[0] * g[d] + x[1] * g[3 + d] + x[2] * g[6 + d];
            long double whole = floorl(s[d]);
            s[d] -= whole;
            for (int a = 0; a < 3; a++) y[a] -= whole * h[3 * d + a];
        }
    }
}

static enuf_status fold_positions(enuf_exact_system *system)
{
    int64_t n = system->n;
    ENUF_TRY(enuf_allocate(&system->fractions, 3 * n, sizeof *system->fractions, "fractions"));
    ENUF_TRY(enuf_allocate(&system->folded, 3 * n, sizeof *system->folded, "folded positions"));
    enuf_parallel_for(system->threads, n, 1024, fold, system);
    return ENUF_SUCCESS;
}

enuf_status enuf_exact_system_make(const double cell[9], double slab, int64_t n_targets,
                                   const int64_t *targets, enuf_exact_system *system)
{
    ENUF_TRY(set_cell(cell, slab, system));
    ENUF_TRY(set_targets(n_targets, targets, system));
    return fold_positions(system);
}

void enuf_exact_system_release(enuf_exact_system *system)
{
    enuf_release(&system->targets);
    enuf_release(&system->fractions);
    enuf_release(&system->folded);
}
