/*
 * pairs_deterministic.c - pair sums with bits that do not depend on the order of atoms, threads or
 * ranks.
 *
 * Three things make it so. Coordinates are integer fractions of the lattice (cell_grid.h): a
 * difference does not depend on the grid, and changes exactly its sign when the two atoms are
 * exchanged. Every pair goes through the same vector instructions, whole vectors only. Every
 * contribution is rounded to an integer before it is added: integers add in any order.
 *
 * Units and range are those of fixed_sums.h. Far pairs are added in one word, in vectors. Near
 * pairs are few; they are added in two words, one by one. A sum of far pairs that outgrows its word
 * goes on in the second. SPDX-License-Identifier: BSD-3-Clause
 */
#include "sums/fixed_sums.h"
#include "pairs_columns.h"
#include "pairs_deterministic.h"

#define REAL          vd
#define REAL_IS_FLOAT 0

#include "pairs_function.h"
#include "parallel.h"

#include <math.h>
#include <stdlib.h>

enum {
    /* the sum of so many contributions in one lane stays below 2^62 */
    FIXED_STRETCH = 1 << (62 - ENUF_FIXED_BITS),
};

_Static_assert((int)PAIR_GROUP <= (int)FIXED_STRETCH,
               "the sums of a list's atoms stay below 2^62 too");

/* As pair_block, in integers. */
typedef struct enuf_fixed_block {
    PAIR_ALIGNED int64_t turn[3][PAIR_LIST + PAIR_PADDING];
    int64_t sum_j[FIXED_SUMS][PAIR_LIST + PAIR_PADDING];
} fixed_block;

typedef struct fixed_work {
    enuf_pairs *pairs;
    const enuf_fixed_scales *scales;
    int wanted[FIXED_SUMS]; /* which sums */
    double inverse[9], lattice[9], turn_unit[3], periodic[3];
    double fraction_rounding; /* enuf_fixed_fraction_rounding() */
    fixed_block *block;
    enuf_pair_column *column;
} fixed_work;

static int64_t *lower_word(const enuf_pairs *pairs, int c, int64_t atom)
{
    return (int64_t *)pairs->fixed.at + c * pairs->cells.n + atom;
}

static int64_t *upper_word(const enuf_pairs *pairs, int c, int64_t atom)
{
    return (int64_t *)pairs->fixed.at + (FIXED_SUMS + c) * pairs->cells.n + atom;
}

static const int64_t most = INT64_C(1) << 62;

static void add_upper(const fixed_work *w, int c, int64_t atom, int64_t x)
{
    int64_t *to = upper_word(w->pairs, c, atom);
    *to += x;
    if (*to >= most || *to <= -most) {
        w->column->overflowed = 1; /* the result is refused */
        *to = 0;
    }
}

/* Adds x, at most 2^62. The lower word stays below 2^62, so that it never wraps. */
static void flush(const fixed_work *w, int c, int64_t atom, int64_t x)
{
    int64_t *to = lower_word(w->pairs, c, atom);
    *to += x;
    if (llabs(*to) < most) return;
    const int64_t word = INT64_C(1) << ENUF_FIXED_WORD_BITS, carried = *to / word;
    *to -= carried * word;
    add_upper(w, c, atom, carried);
}

/* Adds a contribution of a near pair, in units. */
static void add_near(const fixed_work *w, int c, int64_t atom, double x)
{
    const double word = ldexp(1, ENUF_FIXED_WORD_BITS), upper = rint(x / word);
    add_upper(w, c, atom, (int64_t)upper);
    flush(w, c, atom, (int64_t)rint(x - upper * word));
}

SIMD_INLINE void add_to(int64_t *p, vl x)
{
    vl_store(p, vl_load(p) + x);
}

/* The sums that receive the contributions of a vector of pairs. */
typedef struct pair_target {
    vl *sum; /* [FIXED_SUMS] of atom i; NULL: the pairs are near ones */
    int i, j;
} pair_target;

/* Contributions to the sum c of atom i and of neighbours j. */
SIMD_INLINE void contribute_each(const fixed_work *w, const enuf_pair_block *b,
                                 const pair_target *to, int c, vd x_i, vd x_j, double scale)
{
    x_i *= vd_set(scale);
    x_j *= vd_set(scale);
    if (to->sum) {
        to->sum[c] += vd_to_integer(x_i);
        add_to(w->block->sum_j[c] + to->j, vd_to_integer(x_j));
        return;
    }
    for (int k = 0; k < VD_LANES && to->j + k < b->n_j; k++) {
        if (x_i[k] != 0) add_near(w, c, b->first + to->i, x_i[k]);
        if (x_j[k] != 0) add_near(w, c, b->atom[to->j + k], x_j[k]);
    }
}

/* The same contribution to both, with its sign for neighbours j. */
SIMD_INLINE void contribute(const fixed_work *w, const enuf_pair_block *b, const pair_target *to,
                            int c, vd x, double scale, int sign_j)
{
    if (!to->sum) {
        contribute_each(w, b, to, c, x, sign_j > 0 ? x : -x, scale);
        return;
    }
    const vl fixed = vd_to_integer(x * vd_set(scale));
    to->sum[c] += fixed;
    add_to(w->block->sum_j[c] + to->j, sign_j > 0 ? fixed : -fixed);
}

/*
 * r_i - r_j in cutoffs from integer coordinates. Their difference wraps to the nearest image. The
 * approximate difference (dx, dy, dz) names the image of the pair, a whole number of cell vectors
 * away.
 */
SIMD_INLINE void exact_difference(const fixed_work *w, const int64_t turn_i[3], int j, vd d[3])
{
    vd fraction[3];
    for (int a = 0; a < 3; a++) {
        typedef uint64_t wrapping __attribute__((vector_size(SIMD_BYTES)));
        const vl turns =
            (vl)((wrapping)vl_set(turn_i[a]) - (wrapping)vl_load(w->block->turn[a] + j));
        const vd nearest = __builtin_convertvector(turns, vd) * vd_set(w->turn_unit[a]);
        const vd about = d[0] * vd_set(w->inverse[a]) + d[1] * vd_set(w->inverse[3 + a]) +
                         d[2] * vd_set(w->inverse[6 + a]);
        fraction[a] = nearest + vd_round(about - nearest) * vd_set(w->periodic[a]);
    }
    for (int e = 0; e < 3; e++)
        d[e] = fraction[0] * vd_set(w->lattice[e]) + fraction[1] * vd_set(w->lattice[3 + e]) +
               fraction[2] * vd_set(w->lattice[6 + e]);
}

/* Sums the pairs of atom i with neighbours j ... j + VD_LANES - 1 that are set in hit. */
SIMD_INLINE void sum_pairs(const fixed_work *w, const enuf_pair_block *b, const pair_target *to,
                           vd_mask hit, vd s, const vd d[3])
{
    const enuf_pair_polynomials *p = &w->pairs->polynomials;
    vd g, l;
    pair_function(s, p->n_both, p->force, p->energy, 1, 1, &g, &l);
    g = vd_keep(hit, g);
    l = vd_keep(hit, l);
    const vd q_i = vd_set(b->q_i[to->i]), q_j = vd_load(b->q + to->j), qq = q_i * q_j;
    const double of_square = w->scales->of_square, of_charge = w->scales->of_charge;
    for (int e = 0; e < 3 && w->wanted[FIXED_FORCE]; e++)
        contribute(w, b, to, FIXED_FORCE + e, qq * g * d[e], of_square, -1);
    if (w->wanted[FIXED_ENERGY]) contribute(w, b, to, FIXED_ENERGY, qq * l, of_square, 1);
    if (w->wanted[FIXED_VIRIAL]) {
        const vd dd[6] = {d[0] * d[0], d[1] * d[1], d[2] * d[2],
                          d[0] * d[1], d[0] * d[2], d[1] * d[2]};
        for (int e = 0; e < 6; e++)
            contribute(w, b, to, FIXED_VIRIAL + e, qq * g * dd[e], of_square, 1);
    }
    if (w->wanted[FIXED_POTENTIAL])
        contribute_each(w, b, to, FIXED_POTENTIAL, q_j * l, q_i * l, of_charge);
    for (int e = 0; e < 3 && w->wanted[FIXED_FIELD]; e++)
        contribute_each(w, b, to, FIXED_FIELD + e, q_j * g * d[e], -(q_i * g * d[e]), of_charge);
}

SIMD_INLINE vd size_of(const fixed_work *w, vd q)
{
    return vd_max(vd_max(q, -q), vd_set(w->scales->charge));
}

/* Error of a distance, in cell vectors: each of the two coordinates errs by a unit of its integer
 * and a rounding of long double. */
static const double FRACTION_ROUNDING = 0x1p-63;

/* Adds the squares of the forces of near pairs on atoms that are not ghosts. Each square is
 * enlarged by the share that the rounding of fractions adds to the rounding of doubles. */
static void add_forces2(const fixed_work *w, const enuf_pair_block *b, int i, int j,
                        vd_mask is_near, vd s)
{
    const double *ghost = w->pairs->cells.ghost;
    double square[VD_LANES];
    vd_store(square, vd_keep(is_near, s));
    for (int k = 0; k < VD_LANES; k++) {
        if (!(square[k] > 0)) continue;
        const double force = b->q_i[i] * b->q[j + k] / square[k];
        const double of_fractions = w->fraction_rounding * w->fraction_rounding / square[k];
        const double ghosts = ghost ? ghost[b->first + i] + ghost[b->atom[j + k]] : 0;
        w->column->close_forces2 += (2 - ghosts) * force * force * (1 + of_fractions);
    }
}

/* Sums the near pairs of hit. Returns the mask of the others. */
static __attribute__((noinline)) vd_mask sum_near(const fixed_work *w, const enuf_pair_block *b,
                                                  const pair_target *to, vd_mask hit, vd s,
                                                  const vd d[3])
{
    /* q_i q_j first: the same from both sides */
    const vd near = size_of(w, vd_set(b->q_i[to->i])) * size_of(w, vd_load(b->q + to->j)) *
                    vd_set(w->scales->near_per_charges);
    const vd least = near * vd_set(ldexp(1, -ENUF_FIXED_NEAR_BITS));
    const vd_mask is_near = vd_both(hit, vd_less(s, near));
    if (vd_any(vd_both(hit, vd_less(s, least)))) w->column->overflowed = 1;
    add_forces2(w, b, to->i, to->j, is_near, s);
    sum_pairs(w, b, to, vd_both(is_near, vd_less_equal(least, s)), s, d);
    return vd_both(hit, vd_less_equal(near, s));
}

/* Atom i of the group against neighbours j ... j + VD_LANES - 1. */
SIMD_INLINE void vector_of_pairs(const fixed_work *w, enuf_pair_block *b, int i, int j,
                                 const int64_t turn_i[3], vl sum[FIXED_SUMS])
{
    vd d[3] = {vd_set(b->x_i[i]) - vd_load(b->x + j), vd_set(b->y_i[i]) - vd_load(b->y + j),
               vd_set(b->z_i[i]) - vd_load(b->z + j)};
    exact_difference(w, turn_i, j, d);
    const vd s = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    vd_mask hit = vd_both(vd_less_equal(s, vd_set(1)), vd_first(b->n_j - j));
    if (b->triangle && j <= i) hit = vd_both(hit, vd_after(i - j));
    if (!vd_any(hit)) return;
    double lane[VD_LANES];
    vd_store(lane, vd_min_where(hit, vd_set(1), s));
    for (int k = 0; k < VD_LANES; k++) b->closest = fmin(b->closest, lane[k]);
    const vd_mask may_be_near = vd_both(hit, vd_less(s, vd_set(w->scales->reach)));
    if (vd_any(may_be_near)) {
        const pair_target near = {NULL, i, j};
        hit = sum_near(w, b, &near, hit, s, d);
    }
    const pair_target to = {sum, i, j};
    sum_pairs(w, b, &to, hit, s, d);
}

static void sum_block(enuf_pair_block *b, void *context)
{
    fixed_work *w = context;
    const enuf_cells *cells = &w->pairs->cells;
    fixed_block *fixed = w->block;
    for (int k = 0; k < b->n_j; k++)
        for (int a = 0; a < 3; a++) fixed->turn[a][k] = cells->turn[a][b->atom[k]];
    for (int k = b->n_j; k < b->n_j + PAIR_PADDING; k++)
        for (int a = 0; a < 3; a++) fixed->turn[a][k] = 0;
    for (int c = 0; c < FIXED_SUMS; c++)
        if (w->wanted[c])
            memset(fixed->sum_j[c], 0, (size_t)(b->n_j + PAIR_PADDING) * sizeof(int64_t));

    for (int i = 0; i < b->n_i; i++) {
        const int64_t atom = b->first + i;
        const int64_t turn_i[3] = {cells->turn[0][atom], cells->turn[1][atom],
                                   cells->turn[2][atom]};
        for (int begin = 0; begin < b->n_j; begin += FIXED_STRETCH * VD_LANES) {
            int end = begin + FIXED_STRETCH * VD_LANES;
            if (end > b->n_j) end = b->n_j;
            vl sum[FIXED_SUMS];
            for (int c = 0; c < FIXED_SUMS; c++) sum[c] = vl_set(0);
            for (int j = begin; j < end; j += VD_LANES) vector_of_pairs(w, b, i, j, turn_i, sum);
            for (int c = 0; c < FIXED_SUMS; c++) {
                if (!w->wanted[c]) continue;
                int64_t lane[VD_LANES];
                vl_store(lane, sum[c]);
                for (int k = 0; k < VD_LANES; k++) flush(w, c, atom, lane[k]);
            }
        }
    }
    for (int c = 0; c < FIXED_SUMS; c++)
        for (int k = 0; k < b->n_j && w->wanted[c]; k++)
            flush(w, c, b->atom[k], fixed->sum_j[c][k]);
}

static void sum_column(enuf_pairs *pairs, int64_t at, int thread, const void *common)
{
    fixed_work work = *(const fixed_work *)common;
    enuf_pair_block *block = (enuf_pair_block *)pairs->blocks.at + thread;
    work.block = (fixed_block *)pairs->fixed_blocks.at + thread;
    work.column = (enuf_pair_column *)pairs->columns.at + at;
    *work.column = (enuf_pair_column){.closest = 1};
    block->closest = 1;
    enuf_pair_column_blocks(&pairs->cells, &pairs->rows, at, block, sum_block, &work);
    work.column->closest = block->closest;
}

static enuf_status check_columns(enuf_pairs *pairs, const enuf_pair_request *request,
                                 const enuf_fixed_scales *scales)
{
    const int64_t *count = pairs->cells.grid.count;
    const enuf_pair_column *columns = pairs->columns.at;
    double closest;
    int overflowed = 0;
    ENUF_TRY(enuf_pairs_check_closest(pairs, request, &closest));
    for (int64_t c = 0; c < count[1] * count[2]; c++) overflowed |= columns[c].overflowed;
    return overflowed ? enuf_fixed_overflowed(scales, closest, request->table->cutoff)
                      : ENUF_SUCCESS;
}

__extension__ typedef __int128 wide;

/* The integer of the two words of a sum. */
static wide whole(const enuf_pairs *pairs, int c, int64_t atom)
{
    const wide word = (wide)1 << ENUF_FIXED_WORD_BITS;
    return *upper_word(pairs, c, atom) * word + *lower_word(pairs, c, atom);
}

/* The exact sum over all atoms that are not ghosts. */
static wide total(const enuf_pairs *pairs, int c)
{
    const enuf_cells *cells = &pairs->cells;
    wide sum = 0;
    for (int64_t a = 0; a < cells->n; a++)
        if (!cells->ghost || cells->ghost[a] == 0) sum += whole(pairs, c, a);
    return sum;
}

/* Twice the energy and virial: each pair is in the sums of both its atoms. */
static void add_totals(const enuf_pairs *pairs, int wanted, double unit, enuf_pair_sums *sums)
{
    enuf_pair_totals *totals = sums->totals;
    for (int e = 0; e < 7; e++) {
        const int mask = e == 0 ? ENUF_WANT_ENERGY : ENUF_WANT_VIRIAL;
        const int sum = e == 0 ? FIXED_ENERGY : FIXED_VIRIAL + e - 1;
        const wide twice = wanted & mask ? total(pairs, sum) : 0;
        double *to = e == 0 ? &sums->energy : &sums->virial[e - 1];
        if (!totals) {
            *to += 0.5 * unit * (double)twice;
            continue;
        }
        totals->low[e] = (uint64_t)twice;
        totals->high[e] = (int64_t)(twice >> 64);
        totals->unit = 0.5 * unit;
    }
}

typedef struct hand_out_loop {
    const enuf_pairs *pairs;
    int wanted;
    enuf_fixed_units units;
    const enuf_pair_sums *sums;
} hand_out_loop;

static void hand_out_atoms(void *context, int64_t begin, int64_t end, int thread)
{
    const hand_out_loop *loop = context;
    const enuf_pairs *pairs = loop->pairs;
    const enuf_fixed_units *unit = &loop->units;
    const enuf_pair_sums *sums = loop->sums;
    (void)thread;
    const enuf_cells *cells = &pairs->cells;
    const int w = loop->wanted;
    for (int64_t a = begin; a < end; a++) {
        const int64_t i = cells->original[a];
        for (int e = 0; e < 3; e++) {
            if ((w & ENUF_WANT_FORCES) && sums->forces)
                sums->forces[3 * i + e] += unit->force * (double)whole(pairs, FIXED_FORCE + e, a);
            if ((w & ENUF_WANT_FIELD) && sums->field)
                sums->field[3 * i + e] += unit->field * (double)whole(pairs, FIXED_FIELD + e, a);
        }
        if ((w & ENUF_WANT_ATOM_ENERGY) && sums->atom_energy)
            sums->atom_energy[i] += 0.5 * unit->energy * (double)whole(pairs, FIXED_ENERGY, a);
        if ((w & ENUF_WANT_POTENTIAL) && sums->potential)
            sums->potential[i] += unit->potential * (double)whole(pairs, FIXED_POTENTIAL, a);
        for (int e = 0; e < 6 && (w & ENUF_WANT_ATOM_VIRIAL) && sums->atom_virial; e++)
            sums->atom_virial[6 * i + e] +=
                0.5 * unit->energy * (double)whole(pairs, FIXED_VIRIAL + e, a);
    }
}

static void hand_out(const enuf_pairs *pairs, const enuf_pair_request *request,
                     const enuf_fixed_scales *scales, int threads, enuf_pair_sums *sums)
{
    const enuf_fixed_units units = enuf_fixed_units_of(scales, request->table->cutoff);
    hand_out_loop loop = {pairs, request->wanted, units, sums};
    enuf_parallel_for(threads, pairs->cells.n, 0, hand_out_atoms, &loop);
    sums->close_forces2 = enuf_pairs_close_forces2(pairs, request->table->cutoff);
    add_totals(pairs, request->wanted, units.energy, sums);
}

static void want(fixed_work *work, int first, int end, int wanted)
{
    for (int c = first; c < end; c++) work->wanted[c] = wanted != 0;
}

enuf_status enuf_pairs_sum_deterministic(enuf_pairs *pairs, const enuf_pair_request *request,
                                         int threads, enuf_pair_sums *sums)
{
    const enuf_cells *cells = &pairs->cells;
    for (int64_t a = 0; a < cells->n; a++) {
        if (!(fabs(cells->charge[a]) > request->largest_charge)) continue;
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "deterministic: charge %g of atom %lld is above the "
                         "largest charge given, %g",
                         cells->charge[a],
                         (long long)enuf_callers_atom(request->original, cells->original[a]),
                         request->largest_charge);
    }
    ENUF_TRY(enuf_array_reserve(&pairs->fixed, cells->n, 2 * FIXED_SUMS * sizeof(int64_t),
                                "fixed-point sums of atoms"));
    ENUF_TRY(enuf_array_reserve(&pairs->fixed_blocks, threads, sizeof(fixed_block),
                                "fixed-point sums of a block"));
    const enuf_fixed_scales scales = enuf_fixed_scales_for(
        cells->grid.lattice, request->n_charged, request->sum_q2, request->largest_charge);
    fixed_work work = {.pairs = pairs, .scales = &scales};
    const int w = request->wanted;
    want(&work, FIXED_FORCE, FIXED_ENERGY, w & ENUF_WANT_FORCES);
    want(&work, FIXED_ENERGY, FIXED_VIRIAL, w & (ENUF_WANT_ENERGY | ENUF_WANT_ATOM_ENERGY));
    want(&work, FIXED_VIRIAL, FIXED_POTENTIAL, w & (ENUF_WANT_VIRIAL | ENUF_WANT_ATOM_VIRIAL));
    want(&work, FIXED_POTENTIAL, FIXED_FIELD, w & ENUF_WANT_POTENTIAL);
    want(&work, FIXED_FIELD, FIXED_SUMS, w & ENUF_WANT_FIELD);
    for (int c = 0; c < FIXED_SUMS; c++) {
        if (!work.wanted[c]) continue;
        memset(lower_word(pairs, c, 0), 0, (size_t)cells->n * sizeof(int64_t));
        memset(upper_word(pairs, c, 0), 0, (size_t)cells->n * sizeof(int64_t));
    }
    for (int k = 0; k < 9; k++) {
        work.inverse[k] = (double)cells->grid.inverse[k];
        work.lattice[k] = (double)cells->grid.lattice[k];
    }
    work.fraction_rounding =
        enuf_fixed_fraction_rounding(work.lattice, FRACTION_ROUNDING, ENUF_BACKEND_CPU);
    for (int d = 0; d < 3; d++) {
        const int periodic = cells->grid.periodic[d];
        work.periodic[d] = periodic;
        work.turn_unit[d] = (double)(1 / (periodic ? ENUF_TURN_PERIODIC : ENUF_TURN_OPEN));
    }
    enuf_pairs_sum_columns(pairs, threads, sum_column, &work);
    ENUF_TRY(check_columns(pairs, request, &scales));
    hand_out(pairs, request, &scales, threads, sums);
    return ENUF_SUCCESS;
}
