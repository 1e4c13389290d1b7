/*
 * pairs_fixed.c - the pair kernel of deterministic sums. As pairs_kernel.h it finds the hits of an
 * atom, evaluates their pair functions, packed, and adds the results; the sums are integers.
 *
 * What a pair contributes is a function of its two charges and places alone, and changes exactly
 * its sign when the two atoms are exchanged: the differences of coordinates are exact but for one
 * rounding, every pair goes through the same vector instructions, and each contribution is rounded
 * to an integer before it is added.
 *
 * Near pairs (fixed_sums.h) are few: they are added in two words, one by one.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_fixed.h"

#define REAL          vd
#define REAL_IS_FLOAT 0

#include "pairs_hits.h"

#include <math.h>

enum {
    /* the sum of so many contributions in one lane stays below 2^62 */
    FIXED_STRETCH = 1 << (62 - ENUF_FIXED_BITS),
};

_Static_assert((int)PAIR_GROUP <= (int)FIXED_STRETCH,
               "the sums of a list's atoms stay below 2^62 too");

/* Atom i of a group in all lanes. */
typedef struct one_atom {
    int i;
    vd x[3], rest[3];
} one_atom;

SIMD_INLINE one_atom set_atom(const enuf_pair_block *b, int i)
{
    return (one_atom){i,
                      {vd_set(b->x_i[i]), vd_set(b->y_i[i]), vd_set(b->z_i[i])},
                      {vd_set(b->rest_i[0][i]), vd_set(b->rest_i[1][i]), vd_set(b->rest_i[2][i])}};
}

/* r_i - r_j in cutoffs, rounded once. */
SIMD_INLINE void difference(const enuf_pair_block *b, const one_atom *atom, int j, vd d[3])
{
    const double *x[3] = {b->x, b->y, b->z};
    for (int e = 0; e < 3; e++)
        d[e] = (atom->x[e] - vd_load(x[e] + j)) + (atom->rest[e] - vd_load(b->rest[e] + j));
}

/* Contributions of a vector of pairs to the sums of atoms i, and j ... ; of both, but for its sign,
 * where a sum has only one. */
typedef struct contributions {
    vd of_both[FIXED_POTENTIAL]; /* atom j has the opposite force */
    vd of_i[FIXED_SUMS - FIXED_POTENTIAL], of_j[FIXED_SUMS - FIXED_POTENTIAL];
} contributions;

SIMD_INLINE void contribute(const enuf_fixed_work *w, const enuf_pair_block *b, int i, int j,
                            const vd d[3], vd g, vd l, const int count, contributions *to)
{
    const vd q_j = vd_load(b->q + j);
    /* scales are powers of two: they round nothing, and q_i q_j is the same from both sides */
    const vd qq = vd_set(b->q_i[i] * w->scales.of_square) * q_j, force = qq * g;
    for (int e = 0; e < 3; e++) to->of_both[FIXED_FORCE + e] = force * d[e];
    if (count > FIXED_ENERGY) to->of_both[FIXED_ENERGY] = qq * l;
    if (count > FIXED_VIRIAL) {
        const vd dd[6] = {d[0] * d[0], d[1] * d[1], d[2] * d[2],
                          d[0] * d[1], d[0] * d[2], d[1] * d[2]};
        for (int e = 0; e < 6; e++) to->of_both[FIXED_VIRIAL + e] = force * dd[e];
    }
    if (count <= FIXED_POTENTIAL) return;
    const vd scale = vd_set(w->scales.of_charge), from_j = q_j * scale,
             from_i = vd_set(b->q_i[i]) * scale;
    to->of_i[0] = from_j * l;
    to->of_j[0] = from_i * l;
    for (int e = 0; e < 3; e++) {
        to->of_i[1 + e] = from_j * g * d[e];
        to->of_j[1 + e] = -(from_i * g * d[e]);
    }
}

/* Adds the squares of the forces of near pairs on atoms that are not ghosts. */
static void add_forces2(const enuf_fixed_work *w, const enuf_pair_block *b, int i, int j,
                        const double *square)
{
    const double *ghost = w->pairs->cells.ghost;
    for (int k = 0; k < VD_LANES; k++) {
        if (!(square[k] > 0)) continue;
        const double force = b->q_i[i] * b->q[j + k] / square[k];
        const double ghosts = ghost ? ghost[b->first + i] + ghost[b->atom[j + k]] : 0;
        w->column->close_forces2 += (2 - ghosts) * force * force;
    }
}

/* Adds lane k of the contributions to the sums of the two atoms of a near pair. */
static void add_near_pair(const enuf_fixed_work *w, const enuf_pair_block *b, int i, int j, int k,
                          const contributions *add)
{
    const int64_t atom_i = b->first + i, atom_j = b->atom[j + k];
    for (int c = 0; c < w->words.count; c++) {
        const int both = c < FIXED_POTENTIAL, own = c - FIXED_POTENTIAL;
        const double of_i = both ? add->of_both[c][k] : add->of_i[own][k];
        const double of_j = !both ? add->of_j[own][k] : c < FIXED_ENERGY ? -of_i : of_i;
        if (!enuf_fixed_add_near(&w->words, c, atom_i, of_i) ||
            (c < w->words.of_both && !enuf_fixed_add_near(&w->words, c, atom_j, of_j)))
            w->column->overflowed = 1;
    }
}

SIMD_INLINE vd size_of(const enuf_fixed_work *w, vd q)
{
    return vd_max(vd_max(q, -q), vd_set(w->scales.charge));
}

/* Sums the near pairs of hit. Returns the mask of the others. */
static __attribute__((noinline)) vd_mask sum_near(const enuf_fixed_work *w, enuf_pair_block *b,
                                                  int i, int j, vd_mask hit, vd s, const vd d[3])
{
    const enuf_pair_polynomials *p = &w->pairs->polynomials;
    /* q_i q_j first: the same from both sides */
    const vd near = size_of(w, vd_set(b->q_i[i])) * size_of(w, vd_load(b->q + j)) *
                    vd_set(w->scales.near_per_charges);
    const vd least = near * vd_set(ldexp(1, -ENUF_FIXED_NEAR_BITS));
    const vd_mask is_near = vd_both(hit, vd_less(s, near));
    if (!vd_any(is_near)) return hit;
    double square[VD_LANES], closest[VD_LANES];
    vd_store(square, vd_keep(is_near, s));
    vd_store(closest, vd_min_where(is_near, vd_set(1), s));
    for (int k = 0; k < VD_LANES; k++) b->closest = fmin(b->closest, closest[k]);
    if (vd_any(vd_both(hit, vd_less(s, least)))) w->column->overflowed = 1;
    add_forces2(w, b, i, j, square);
    vd g, l;
    contributions add = {0};
    pair_function(s, p->n_both, p->force, p->energy, 1, 1, &g, &l);
    contribute(w, b, i, j, d, g, l, FIXED_SUMS, &add);
    vd_store(square, vd_keep(vd_both(is_near, vd_less_equal(least, s)), s));
    for (int k = 0; k < VD_LANES; k++)
        if (square[k] > 0) add_near_pair(w, b, i, j, k, &add);
    return vd_both(hit, vd_less_equal(near, s));
}

SIMD_INLINE void find_hits(const enuf_fixed_work *w, enuf_pair_block *b, const one_atom *atom,
                           kernel_hits *hits)
{
    const vd one = vd_set(1), reach = vd_set(w->scales.reach);
    const int i = atom->i;
    int n = 0, n_vectors = 0;
    /* of the group itself only the atoms after i; from a whole vector on, to stay aligned */
    int j = b->triangle ? (i + 1) / LANES * LANES : 0;
    vd_mask allowed = vd_after(b->triangle ? i - j : -1);
    for (; j < b->n_j; j += LANES) {
        vd d[3];
        difference(b, atom, j, d);
        const vd s = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        vd_mask lanes = vd_both(vd_less_equal(s, one), allowed);
        allowed = vd_after(-1);
        if (__builtin_expect(vd_any(vd_both(lanes, vd_less(s, reach))), 0))
            lanes = sum_near(w, b, i, j, lanes, s, d);
        vd_pack(hits->s + n, lanes, s);
        hits->vector[n_vectors] = j;
        hits->lanes[n_vectors] = lanes;
        n += vd_count(lanes);
        n_vectors += vd_any(lanes);
    }
    vd_store(hits->s + n, one); /* the rest of the last vector: at the cutoff, never read back */
    hits->n = n;
    hits->n_vectors = n_vectors;
}

SIMD_INLINE void add_to(int64_t *p, vl x)
{
    vl_store(p, vl_load(p) + x);
}

SIMD_INLINE void add_sums_of_atom(const enuf_fixed_work *w, int64_t atom, const int count,
                                  const vl *sum)
{
    for (int c = 0; c < count; c++) {
        int64_t lane[VD_LANES];
        vl_store(lane, sum[c]);
        if (!enuf_fixed_add_lanes(&w->words, c, atom, lane)) w->column->overflowed = 1;
    }
}

/* Adds the hits from `from` to `to` - 1 of the vectors; returns the number of hits in them. */
SIMD_INLINE int add_hits(const enuf_fixed_work *w, const enuf_pair_block *b, const one_atom *atom,
                         const kernel_hits *hits, int from, int to, int packed, const int count,
                         const int of_both)
{
    int64_t(*sum_j)[PAIR_LIST + PAIR_PADDING] = w->block->sum_j;
    vl sum[FIXED_SUMS];
    for (int c = 0; c < count; c++) sum[c] = vl_set(0);
    for (int v = from; v < to; v++) {
        const int j = hits->vector[v];
        const vd_mask lanes = hits->lanes[v];
        vd d[3], l = vd_set(0);
        difference(b, atom, j, d);
        const vd g = vd_unpack(hits->g + packed, lanes);
        if (count > FIXED_ENERGY) l = vd_unpack(hits->l + packed, lanes);
        packed += vd_count(lanes);
        contributions add;
        contribute(w, b, atom->i, j, d, g, l, count, &add);
        for (int c = 0; c < count; c++) {
            const int both = c < FIXED_POTENTIAL, own = c - FIXED_POTENTIAL;
            const vl of_i = vd_to_integer(both ? add.of_both[c] : add.of_i[own]);
            sum[c] += of_i;
            if (c >= of_both) continue;
            add_to(sum_j[c] + j, !both              ? vd_to_integer(add.of_j[own])
                                 : c < FIXED_ENERGY ? -of_i
                                                    : of_i);
        }
    }
    add_sums_of_atom(w, b->first + atom->i, count, sum);
    return packed;
}

SIMD_INLINE void sum_pairs(const enuf_fixed_work *w, enuf_pair_block *b, const int count,
                           const int of_both)
{
    const enuf_pair_polynomials *p = &w->pairs->polynomials;
    const int with_energy = count > FIXED_ENERGY;
    kernel_hits hits;
    vd closest = vd_set(1);
    for (int c = 0; c < count && c < (of_both + 3) / 4 * 4; c++)
        memset(w->block->sum_j[c], 0, (size_t)(b->n_j + PAIR_PADDING) * sizeof(int64_t));
    for (int i = 0; i < b->n_i; i++) {
        const one_atom atom = set_atom(b, i);
        find_hits(w, b, &atom, &hits);
        evaluate_hits(&hits, with_energy ? p->n_both : p->n_force, p->force, p->energy, 1,
                      with_energy, &closest);
        for (int from = 0, packed = 0; from < hits.n_vectors; from += FIXED_STRETCH) {
            const int to = from + FIXED_STRETCH;
            packed = add_hits(w, b, &atom, &hits, from, to < hits.n_vectors ? to : hits.n_vectors,
                              packed, count, of_both);
        }
    }
    b->closest = fmin(b->closest, vd_least(closest));
    if (!enuf_fixed_add_block(&w->words, b, w->block)) w->column->overflowed = 1;
}

enuf_fixed_words enuf_fixed_words_for(int wanted, int ghosts)
{
    const int of_atoms = wanted & (ENUF_WANT_ATOM_ENERGY | ENUF_WANT_ATOM_VIRIAL);
    enuf_fixed_words words = {.count = FIXED_ENERGY};
    if (wanted & (ENUF_WANT_ENERGY | ENUF_WANT_ATOM_ENERGY)) words.count = FIXED_VIRIAL;
    if (wanted & (ENUF_WANT_VIRIAL | ENUF_WANT_ATOM_VIRIAL)) words.count = FIXED_POTENTIAL;
    if (wanted & (ENUF_WANT_POTENTIAL | ENUF_WANT_FIELD)) words.count = FIXED_SUMS;
    words.of_both = of_atoms || ghosts || words.count == FIXED_SUMS ? words.count : FIXED_ENERGY;
    return words;
}

void enuf_fixed_sum_block(const enuf_fixed_work *w, enuf_pair_block *b)
{
    const int both = w->words.of_both == w->words.count;
    if (w->words.count == FIXED_ENERGY)
        sum_pairs(w, b, FIXED_ENERGY, FIXED_ENERGY);
    else if (w->words.count == FIXED_VIRIAL && both)
        sum_pairs(w, b, FIXED_VIRIAL, FIXED_VIRIAL);
    else if (w->words.count == FIXED_VIRIAL)
        sum_pairs(w, b, FIXED_VIRIAL, FIXED_ENERGY);
    else if (w->words.count == FIXED_POTENTIAL && both)
        sum_pairs(w, b, FIXED_POTENTIAL, FIXED_POTENTIAL);
    else if (w->words.count == FIXED_POTENTIAL)
        sum_pairs(w, b, FIXED_POTENTIAL, FIXED_ENERGY);
    else
        sum_pairs(w, b, FIXED_SUMS, FIXED_SUMS);
}
