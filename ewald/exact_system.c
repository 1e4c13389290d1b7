/*
 * exact_system.c - the problem of the ground truth made ready: cell, targets, folded positions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_sums.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* c of a slab is made longer; that needs one open direction, z, with a and b across it. */
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

static enuf_status set_cell(const double cell[9], double slab, enuf_exact_system *system)
{
    double *h = system->cell, lengths = 1;
    for (int i = 0; i < 9; i++)
        if (!isfinite(cell[i]))
            return enuf_fail(ENUF_NOT_FINITE, "cell vector %c, component %c, is %g", "abc"[i / 3],
                             "xyz"[i % 3], cell[i]);
    memcpy(h, cell, sizeof system->cell);
    ENUF_TRY(extend(slab, h));

    /* columns of the inverse: cross products of two rows over the determinant */
    long double cross[3][3], determinant = 0;
    for (int d = 0; d < 3; d++) {
        const double *u = h + 3 * ((d + 1) % 3), *v = h + 3 * ((d + 2) % 3);
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            cross[d][a] = (long double)u[b] * v[c] - (long double)u[c] * v[b];
        }
        lengths *=
            sqrt(h[3 * d] * h[3 * d] + h[3 * d + 1] * h[3 * d + 1] + h[3 * d + 2] * h[3 * d + 2]);
    }
    for (int a = 0; a < 3; a++) determinant += h[a] * cross[0][a];
    system->volume = (double)fabsl(determinant);
    if (!(system->volume > 1e-12 * lengths))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "the cell is flat: volume %g, lengths of a, b, c multiply to %g",
                         system->volume, lengths);
    for (int d = 0; d < 3; d++) {
        long double area2 = 0;
        for (int a = 0; a < 3; a++) {
            system->inverse[3 * a + d] = cross[d][a] / determinant;
            area2 += cross[d][a] * cross[d][a];
        }
        system->height[d] = (double)(fabsl(determinant) / sqrtl(area2));
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

static enuf_status fold_positions(enuf_exact_system *system)
{
    int64_t n = system->n;
    const long double *g = system->inverse;
    ENUF_TRY(enuf_allocate(&system->fractions, 3 * n, sizeof *system->fractions, "fractions"));
    ENUF_TRY(enuf_allocate(&system->folded, 3 * n, sizeof *system->folded, "folded positions"));
    for (int64_t i = 0; i < n; i++) {
        const double *x = system->positions + i * system->stride;
        long double *s = system->fractions + 3 * i, *y = system->folded + 3 * i;
        for (int a = 0; a < 3; a++) y[a] = x[a];
        for (int d = 0; d < 3; d++) {
            s[d] = x[0] * g[d] + x[1] * g[3 + d] + x[2] * g[6 + d];
            long double whole = floorl(s[d]);
            s[d] -= whole;
            for (int a = 0; a < 3; a++) y[a] -= whole * system->cell[3 * d + a];
        }
    }
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
