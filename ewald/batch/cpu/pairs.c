/*
 * pairs.c - the pairs of a share: each of its atoms with all atoms and their images within the
 * cutoff. Compiled once for each precision.
 *
 * The distance of two atoms is folded once, with all its digits; lanes are then its images. Those
 * within the cutoff are packed, and evaluated some hundred at a time. A pair is summed at both
 * atoms: sums of one atom stay in registers. Operations of a vector: 9 for images that are tested,
 * and 20 with two or four for each coefficient for those within the cutoff.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "precision.h"

/* Lengths in cutoffs. */
typedef struct pair_desk {
    double *apart[3]; /* [room] from each atom to the one that is summed, fractions in
                         [-1/2, 1/2] */
    real *shift[3];   /* [images, padded] lattice vectors; the first is 0 */
    int64_t images;
    real *x[3], *s,
        *q; /* [ENUF_BATCH_HITS + ENUF_BATCH_LANES] hits: distance, its square, charge */
} pair_desk;

/* Sums of one atom. */
typedef struct atom_sums {
    double potential, field[3], virial[6];
    double closest; /* least square of a distance */
} atom_sums;

/* Lattice vectors that may bring an atom within the cutoff; behind them copies that are too far. */
static void list_images(const enuf_batch_system *system, pair_desk *desk)
{
    const int32_t *box = system->images;
    const double per_cutoff = 1 / system->cutoff, far = 4;
    int64_t n = 1;
    for (int a = 0; a < 3; a++) desk->shift[a][0] = 0;
    for (int32_t i = -box[0]; i <= box[0]; i++)
        for (int32_t j = -box[1]; j <= box[1]; j++)
            for (int32_t k = -box[2]; k <= box[2]; k++) {
                double shift[3], square = 0;
                for (int a = 0; a < 3; a++) {
                    shift[a] =
                        i * system->cell[a] + j * system->cell[3 + a] + k * system->cell[6 + a];
                    square += shift[a] * shift[a];
                }
                if ((i == 0 && j == 0 && k == 0) || sqrt(square) > system->reach) continue;
                for (int a = 0; a < 3; a++) desk->shift[a][n] = (real)(per_cutoff * shift[a]);
                n++;
            }
    desk->images = n;
    for (; n % ENUF_BATCH_LANES != 0; n++)
        for (int a = 0; a < 3; a++)
            desk->shift[a][n] = (real)(far * (1 + system->reach * per_cutoff));
}

static pair_desk lay_out(const enuf_batch_share *share)
{
    const enuf_batch_system *system = share->system;
    const int64_t images = enuf_batch_padded(enuf_batch_box_of_images(system));
    const int64_t hits = ENUF_BATCH_HITS + ENUF_BATCH_LANES;
    pair_desk desk = {.images = 0};
    char *at = share->scratch;
    for (int a = 0; a < 3; a++) desk.apart[a] = enuf_batch_carve(&at, share->room);
    for (int a = 0; a < 3; a++) desk.shift[a] = enuf_batch_carve(&at, images);
    for (int a = 0; a < 3; a++) desk.x[a] = enuf_batch_carve(&at, hits);
    desk.s = enuf_batch_carve(&at, hits);
    desk.q = enuf_batch_carve(&at, hits);
    list_images(system, &desk);
    return desk;
}

/* Distances of all atoms from atom i, less whole vectors of the cell. The difference of two numbers
 * and what it loses to rounding (Knuth's two-sum), so that a close pair keeps its digits. */
static void find_distances(const enuf_batch_share *share, const pair_desk *desk, int64_t i)
{
    const enuf_batch_system *system = share->system;
    const double per_cutoff = 1 / system->cutoff;
    double at[3], at_low[3];
    for (int a = 0; a < 3; a++) {
        at[a] = share->place[a][i];
        at_low[a] = share->low[a][i];
    }
#pragma omp simd
    for (int64_t j = 0; j < share->room; j++) {
        double high[3], low[3], whole[3];
        for (int a = 0; a < 3; a++) {
            const double x = share->place[a][j];
            high[a] = at[a] - x;
            const double back = high[a] - at[a];
            low[a] = (at[a] - (high[a] - back)) - (x + back);
            low[a] += at_low[a] - share->low[a][j];
        }
        for (int d = 0; d < 3; d++)
            whole[d] = rint(high[0] * system->inverse[d] + high[1] * system->inverse[3 + d] +
                            high[2] * system->inverse[6 + d]);
        /* whole numbers of 0 and 1: their products are exact */
        for (int a = 0; a < 3; a++)
            desk->apart[a][j] =
                per_cutoff *
                ((((high[a] - whole[0] * system->cell[a]) - whole[1] * system->cell[3 + a]) -
                  whole[2] * system->cell[6 + a]) +
                 (low[a] - (whole[0] * system->cell_low[a] + whole[1] * system->cell_low[3 + a] +
                            whole[2] * system->cell_low[6 + a])));
    }
}

/* Adds the first n hits and clears the list. */
static void take_hits(const enuf_batch_share *share, const pair_desk *desk, int64_t n,
                      atom_sums *sums)
{
    const enuf_batch_polynomials *p = share->polynomials;
    REAL potential = OP(_set)(0), field[3] = {{0}}, virial[6] = {{0}}, closest = OP(_set)(1);
    OP(_store)(desk->s + n, OP(_set)(1));
    OP(_store)(desk->q + n, OP(_set)(0));
    for (int a = 0; a < 3; a++) OP(_store)(desk->x[a] + n, OP(_set)(0));
    for (int64_t k = 0; k < n; k += LANES) {
        const REAL s = OP(_load)(desk->s + k), q = OP(_load)(desk->q + k);
        REAL g, l, x[3], of[3];
        closest = OP(_min)(closest, s);
#if REAL_IS_FLOAT
        pair_function(s, p->n, p->force_f32, p->energy_f32, 1, 1, &g, &l);
#else
        pair_function(s, p->n, p->force, p->energy, 1, 1, &g, &l);
#endif
        potential += q * l;
        for (int a = 0; a < 3; a++) {
            x[a] = OP(_load)(desk->x[a] + k);
            of[a] = q * g * x[a];
            field[a] += of[a];
        }
        if (!share->with_virial) continue;
        for (int a = 0; a < 3; a++) virial[a] += of[a] * x[a];
        virial[3] += of[0] * x[1];
        virial[4] += of[0] * x[2];
        virial[5] += of[1] * x[2];
    }
    sums->potential += (double)OP(_sum)(potential);
    for (int a = 0; a < 3; a++) sums->field[a] += (double)OP(_sum)(field[a]);
    for (int a = 0; a < 6; a++) sums->virial[a] += (double)OP(_sum)(virial[a]);
    sums->closest = fmin(sums->closest, (double)OP(_least)(closest));
}

/* Packs the images of atom j within the cutoff; returns the number of hits. */
static int64_t find_hits(const enuf_batch_share *share, const pair_desk *desk, int64_t i, int64_t j,
                         int64_t hits, atom_sums *sums)
{
    const REAL x = OP(_set)((real)desk->apart[0][j]), y = OP(_set)((real)desk->apart[1][j]),
               z = OP(_set)((real)desk->apart[2][j]), q = OP(_set)((real)share->charge[j]),
               one = OP(_set)(1);
    OP(_mask) allowed = OP(_after)(i == j ? 0 : -1); /* not the atom itself */
    for (int64_t k = 0; k < desk->images; k += LANES) {
        const REAL dx = x + OP(_load)(desk->shift[0] + k), dy = y + OP(_load)(desk->shift[1] + k),
                   dz = z + OP(_load)(desk->shift[2] + k);
        const REAL s = dx * dx + dy * dy + dz * dz;
        const OP(_mask) lanes = OP(_both)(OP(_less_equal)(s, one), allowed);
        allowed = OP(_after)(-1);
        if (!OP(_any)(lanes)) continue;
        OP(_pack)(desk->s + hits, lanes, s);
        OP(_pack)(desk->x[0] + hits, lanes, dx);
        OP(_pack)(desk->x[1] + hits, lanes, dy);
        OP(_pack)(desk->x[2] + hits, lanes, dz);
        OP(_store)(desk->q + hits, q);
        hits += OP(_count)(lanes);
        if (hits <= ENUF_BATCH_HITS - LANES) continue;
        take_hits(share, desk, hits, sums);
        hits = 0;
    }
    return hits;
}

/* The charged atom at the place of atom i. */
static int64_t find_clash(const enuf_batch_share *share, const pair_desk *desk, int64_t i)
{
    for (int64_t j = 0; j < share->system->n; j++) {
        const real x = (real)desk->apart[0][j], y = (real)desk->apart[1][j],
                   z = (real)desk->apart[2][j];
        if (j != i && share->charge[j] != 0 && x * x + y * y + z * z == 0) return j;
    }
    return -1;
}

static void deliver(enuf_batch_share *share, int64_t i, const atom_sums *sums)
{
    const double per_cutoff = 1 / share->system->cutoff;
    share->sums[0][i] += per_cutoff * sums->potential;
    for (int a = 0; a < 3; a++) share->sums[1 + a][i] += per_cutoff * per_cutoff * sums->field[a];
    for (int a = 0; a < 6; a++)
        share->virial[a] += 0.5 * per_cutoff * share->charge[i] * sums->virial[a];
}

void ENUF_SUFFIXED(enuf_batch_pairs)(enuf_batch_share *share)
{
    const enuf_batch_system *system = share->system;
    const pair_desk desk = lay_out(share);
    for (int64_t i = share->part; i < system->n; i += system->parts) {
        atom_sums sums = {.closest = 1};
        int64_t hits = 0;
        find_distances(share, &desk, i);
        for (int64_t j = 0; j < system->n; j++)
            if (share->charge[j] != 0) hits = find_hits(share, &desk, i, j, hits, &sums);
        take_hits(share, &desk, hits, &sums);
        if (sums.closest == 0) {
            share->clash[0] = i;
            share->clash[1] = find_clash(share, &desk, i);
            return;
        }
        deliver(share, i, &sums);
    }
}
