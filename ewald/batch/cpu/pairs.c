/*
 * pairs.c - the pairs of a share: each of its atoms with all atoms and their images within the
 * cutoff. Compiled once for each precision.
 *
 * The distance of two atoms is folded once, with all its digits; lanes are atoms. An image n whole
 * cells away along d is tested where the fraction of a lane allows |s_d + n_d| height_d <= cutoff.
 * Pairs within the cutoff are packed, and evaluated some hundred at a time. A pair is summed at
 * both atoms: sums of one atom stay in registers. Operations of a vector: 9 for images that are
 * tested, and 20 with two or four for each coefficient for those within the cutoff.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "precision.h"

/* Lengths in cutoffs. */
typedef struct pair_desk {
    real *apart[3];      /* [room] from each atom to the one that is summed, less whole cells */
    real *fraction[3];   /* [room] in [-1/2, 1/2]; NOWHERE for atoms without charge */
    real *self;          /* [room] 2 for the atom that is summed, else 0 */
    real *charge;        /* [room] */
    OP(_mask) * near[3]; /* [2 images + 1] lanes whose image n along d may be within the cutoff */
    real *x[3], *s,
        *q;        /* [ENUF_BATCH_HITS + ENUF_BATCH_LANES] hits: distance, its square, charge */
    real most2[3]; /* square of the largest fraction within the cutoff */
    real row[9];   /* the cell */
} pair_desk;

static const double NOWHERE = 1e9;

/* Sums of one atom. */
typedef struct atom_sums {
    double potential, field[3], virial[6];
    double closest; /* least square of a distance */
} atom_sums;

/* The distance of the planes of images along d, in cutoffs. */
static double spacing(const enuf_batch_system *system, int d)
{
    double square = 0;
    for (int a = 0; a < 3; a++) square += system->inverse[3 * a + d] * system->inverse[3 * a + d];
    return 1 / (sqrt(square) * system->cutoff);
}

static pair_desk lay_out(const enuf_batch_share *share)
{
    const enuf_batch_system *system = share->system;
    const int64_t hits = ENUF_BATCH_HITS + ENUF_BATCH_LANES;
    pair_desk desk = {.self = NULL};
    char *at = share->scratch;
    for (int d = 0; d < 3; d++)
        desk.near[d] =
            enuf_batch_carve(&at, ENUF_BATCH_MASK * (2 * (int64_t)system->images[d] + 1));
    for (int a = 0; a < 3; a++) desk.apart[a] = enuf_batch_carve(&at, share->room);
    for (int a = 0; a < 3; a++) desk.fraction[a] = enuf_batch_carve(&at, share->room);
    desk.self = enuf_batch_carve(&at, share->room);
    desk.charge = enuf_batch_carve(&at, share->room);
    for (int a = 0; a < 3; a++) desk.x[a] = enuf_batch_carve(&at, hits);
    desk.s = enuf_batch_carve(&at, hits);
    desk.q = enuf_batch_carve(&at, hits);
    for (int64_t j = 0; j < share->room; j++) {
        desk.self[j] = 0;
        desk.charge[j] = (real)share->charge[j];
    }
    for (int d = 0; d < 3; d++) desk.most2[d] = (real)(pow(1 / spacing(system, d), 2) * (1 + 1e-5));
    for (int k = 0; k < 9; k++) desk.row[k] = (real)(system->cell[k] / system->cutoff);
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
        for (int d = 0; d < 3; d++) {
            const double s = high[0] * system->inverse[d] + high[1] * system->inverse[3 + d] +
                             high[2] * system->inverse[6 + d];
            whole[d] = rint(s);
            desk->fraction[d][j] = (real)(share->charge[j] != 0 ? s - whole[d] : NOWHERE);
        }
        /* whole numbers of 0 and 1: their products are exact */
        for (int a = 0; a < 3; a++)
            desk->apart[a][j] =
                (real)(per_cutoff *
                       ((((high[a] - whole[0] * system->cell[a]) - whole[1] * system->cell[3 + a]) -
                         whole[2] * system->cell[6 + a]) +
                        (low[a] -
                         (whole[0] * system->cell_low[a] + whole[1] * system->cell_low[3 + a] +
                          whole[2] * system->cell_low[6 + a]))));
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

/* Lanes of the atoms from j on whose image n along d may be within the cutoff. */
static void find_near(const enuf_batch_system *system, const pair_desk *desk, int64_t j)
{
    for (int d = 0; d < 3; d++) {
        const REAL fraction = OP(_load)(desk->fraction[d] + j), most2 = OP(_set)(desk->most2[d]);
        for (int32_t n = -system->images[d]; n <= system->images[d]; n++) {
            const REAL s = fraction + OP(_set)((real)n);
            desk->near[d][system->images[d] + n] = OP(_less_equal)(s * s, most2);
        }
    }
}

/* Packs the pairs within the cutoff of these lanes of the atoms from j on, moved by `shift`.
 * Returns the number of hits. */
SIMD_INLINE int64_t pack(const pair_desk *desk, int64_t j, OP(_mask) lanes, const real shift[3],
                         int64_t hits)
{
    const REAL x = OP(_load)(desk->apart[0] + j) + shift[0],
               y = OP(_load)(desk->apart[1] + j) + shift[1],
               z = OP(_load)(desk->apart[2] + j) + shift[2];
    const REAL s = x * x + y * y + z * z;
    lanes = OP(_both)(lanes, OP(_less_equal)(s, OP(_set)(1)));
    OP(_pack)(desk->s + hits, lanes, s);
    OP(_pack)(desk->x[0] + hits, lanes, x);
    OP(_pack)(desk->x[1] + hits, lanes, y);
    OP(_pack)(desk->x[2] + hits, lanes, z);
    OP(_pack)(desk->q + hits, lanes, OP(_load)(desk->charge + j));
    return hits + OP(_count)(lanes);
}

/* All images of the atoms from j on. Evaluates hits where there is no room for more. */
static int64_t find_hits(const enuf_batch_share *share, const pair_desk *desk, int64_t j,
                         int64_t hits, atom_sums *sums)
{
    const int32_t *most = share->system->images;
    const OP(_mask) others = OP(_less_equal)(OP(_load)(desk->self + j), OP(_set)(1));
    const real *row = desk->row;
    find_near(share->system, desk, j);
    for (int32_t n3 = -most[2]; n3 <= most[2]; n3++) {
        const OP(_mask) in_3 = desk->near[2][most[2] + n3];
        if (!OP(_any)(in_3)) continue;
        for (int32_t n2 = -most[1]; n2 <= most[1]; n2++) {
            const OP(_mask) in_2 = OP(_both)(in_3, desk->near[1][most[1] + n2]);
            if (!OP(_any)(in_2)) continue;
            for (int32_t n1 = -most[0]; n1 <= most[0]; n1++) {
                OP(_mask) lanes = OP(_both)(in_2, desk->near[0][most[0] + n1]);
                real shift[3];
                if (n1 == 0 && n2 == 0 && n3 == 0) lanes = OP(_both)(lanes, others);
                if (!OP(_any)(lanes)) continue;
                for (int a = 0; a < 3; a++)
                    shift[a] = (real)n1 * row[a] + (real)n2 * row[3 + a] + (real)n3 * row[6 + a];
                hits = pack(desk, j, lanes, shift, hits);
                if (hits <= ENUF_BATCH_HITS - LANES) continue;
                take_hits(share, desk, hits, sums);
                hits = 0;
            }
        }
    }
    return hits;
}

/* The charged atom at the place of atom i. */
static int64_t find_clash(const enuf_batch_share *share, const pair_desk *desk, int64_t i)
{
    for (int64_t j = 0; j < share->system->n; j++) {
        const real x = desk->apart[0][j], y = desk->apart[1][j], z = desk->apart[2][j];
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
        desk.self[i] = 2;
        for (int64_t j = 0; j < system->n; j += LANES)
            hits = find_hits(share, &desk, j, hits, &sums);
        desk.self[i] = 0;
        take_hits(share, &desk, hits, &sums);
        if (sums.closest == 0) {
            share->clash[0] = i;
            share->clash[1] = find_clash(share, &desk, i);
            return;
        }
        deliver(share, i, &sums);
    }
}
