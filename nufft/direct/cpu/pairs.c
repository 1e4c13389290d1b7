/*
 * pairs.c - sums over pairs of members anywhere, with the terms of field, decay and voxel.
 *
 * A thread owns a strip of outputs, whose members are lanes of vectors: two vectors make a group.
 * Inputs come in blocks that stay in the first cache while all groups of the strip read them. Up to
 * four sums of an output share its phases: vectors of the batch, or a value and its slopes. Runs of
 * ENUF_RUN inputs are summed plainly, and runs with their rounding errors carried along, in the
 * same order whatever the threads are.
 *
 * Operations of a vector of pairs: phase 15 (20 with a field) and sine and cosine 25 in double, 9
 * (12) and 18 in float; a sum 4; decay 20 or 15; an axis of a voxel 17 or 13.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "carried.h"
#include "parallel.h"
#include "turns.h"
#include "kernels_of_set.h"

enum {
    AT_ONCE = 2, /* vectors of a group whose sums are in registers */
    SUMS = 4,    /* of an output */
    GROUPS = 8,  /* most groups of a strip */
    BLOCK = 8 * ENUF_RUN
};

enum { WITH_SLOPES = ENUF_TERMS }; /* a bit behind those of the terms */

/* Sums of a group. */
typedef struct group_totals {
    enuf_totals of[SUMS];
} group_totals;

/* Members of the outputs' side in registers. */
typedef struct group {
    lane_factor turns[ENUF_VECTORS][4], low[ENUF_VECTORS];
    vr decay[ENUF_VECTORS], shift[ENUF_VECTORS][3], slope[ENUF_VECTORS][3];
} group;

/* Inputs begin to end of the sums first, first + 1, ... of the batch. */
typedef struct share {
    const enuf_pair_sum *sum;
    int64_t begin, end;
    int first, sums;
} share;

static vr lanes_of(const enuf_pair_numbers *numbers, const int64_t *member)
{
    real lane[VR_LANES];
    for (int k = 0; k < VR_LANES; ++k) lane[k] = number_at(numbers, member[k]);
    return vr_load(lane);
}

/* Lanes past the last output repeat it. */
static void load_group(const enuf_pair_sum *sum, int64_t first, group *g)
{
    const enuf_pair_side *to = &sum->to;
    const int field = sum->terms & ENUF_TERM_FIELD, sign = sum->sign;
    for (int v = 0; v < ENUF_VECTORS; ++v) {
        int64_t member[VR_LANES];
        for (int k = 0; k < VR_LANES; ++k) {
            const int64_t o = first + v * VR_LANES + k;
            member[k] = o < to->n ? o : to->n - 1;
        }
        for (int d = 0; d < 3 + (field ? 1 : 0); ++d)
            g->turns[v][d] = lane_factor_of(&to->turns[d], member, sign);
#ifndef ENUF_SINGLE
        if (field) g->low[v] = lane_factor_of(&to->low, member, sign);
#endif
        if (sum->terms & ENUF_TERM_DECAY) g->decay[v] = lanes_of(&to->decay, member);
        for (int d = 0; sum->terms & ENUF_TERM_VOXEL && d < sum->dim; ++d) {
            g->shift[v][d] = lanes_of(&to->shift[d], member);
            g->slope[v][d] = lanes_of(&to->slope[d], member);
        }
    }
}

/* The size of a pair's term, and of its derivative along each axis what the mean over the voxel
 * adds, in units of 2 pi sign `unit`. */
SIMD_INLINE vr size_of(const enuf_pair_sum *sum, int terms, const group *g, int v, int64_t i,
                       vr slope[3])
{
    const enuf_pair_side *from = &sum->from;
    vr size = vr_set(1);
    if (terms & ENUF_TERM_VOXEL) {
        const int with_slope = terms & WITH_SLOPES;
        vr_sinc sinc[3];
        vr bottom = size;
        for (int d = 0; d < sum->dim; ++d) {
            sinc[d] = sinc_of(g->shift[v][d] + number_at(&from->shift[d], i) +
                                  g->slope[v][d] * number_at(&from->slope[d], i),
                              with_slope);
            size *= sinc[d].top;
            bottom *= sinc[d].bottom;
        }
        size /= bottom;
        for (int d = 0; with_slope && d < sum->dim; ++d) {
            const double unit = 6.28318530717958647693 * sum->sign * sum->unit[d];
            slope[d] = sinc[d].slope * (real)(sum->edge[d] / unit);
            for (int e = 0; e < sum->dim; ++e)
                if (e != d) slope[d] *= sinc[e].top / sinc[e].bottom;
        }
    }
    if (terms & ENUF_TERM_DECAY) {
        const vr decay = power_of_two(g->decay[v] * number_at(&from->decay, i));
        size *= decay;
        for (int d = 0; terms & ENUF_TERM_VOXEL && terms & WITH_SLOPES && d < sum->dim; ++d)
            slope[d] *= decay;
    }
    return size;
}

/* sums += a number times (c, s) */
SIMD_INLINE void add_term(vr c, vr s, real re, real im, vr *sum_re, vr *sum_im)
{
    *sum_re += re * c - im * s;
    *sum_im += re * s + im * c;
}

/* One run of inputs for some vectors of a group. `one`: a single sum, in registers. */
SIMD_INLINE void add_run(const share *w, int terms, int one, const group *g, int first,
                         int64_t begin, int64_t end, vr re[SUMS][ENUF_VECTORS],
                         vr im[SUMS][ENUF_VECTORS])
{
    const enuf_pair_sum *sum = w->sum;
    const int64_t n = sum->from.n;
    const int dim = terms & WITH_SLOPES ? sum->dim : 0, sums = one ? 1 : w->sums;
    const real *input = (const real *)sum->input + 2 * w->first * n;
    vr sum_re[SUMS][AT_ONCE] = {{{0}}}, sum_im[SUMS][AT_ONCE] = {{{0}}};
    for (int64_t i = begin; i < end; ++i) {
        const real a_re = input[2 * i], a_im = input[2 * i + 1];
        for (int at = 0; at < AT_ONCE; ++at) {
            const int v = first + at;
            vr c, s, slope[3] = {{0}};
            phase_of(g->turns[v], &g->low[v], &sum->from, i, terms & ENUF_TERM_FIELD ? 4 : 3, &c,
                     &s);
            if (terms & (ENUF_TERM_DECAY | ENUF_TERM_VOXEL)) {
                const vr size = size_of(sum, terms, g, v, i, slope);
                for (int d = 0; terms & ENUF_TERM_VOXEL && d < dim; ++d)
                    /* minus i times the term */
                    add_term(slope[d] * c, slope[d] * s, a_im, -a_re, &sum_re[1 + d][at],
                             &sum_im[1 + d][at]);
                c *= size;
                s *= size;
            }
            add_term(c, s, a_re, a_im, &sum_re[0][at], &sum_im[0][at]);
            for (int d = 0; d < dim; ++d) {
                const real place = place_at(&sum->from.turns[d], i);
                add_term(c, s, place * a_re, place * a_im, &sum_re[1 + d][at], &sum_im[1 + d][at]);
            }
            for (int b = 1; !(terms & WITH_SLOPES) && b < sums; ++b)
                add_term(c, s, input[2 * (b * n + i)], input[2 * (b * n + i) + 1], &sum_re[b][at],
                         &sum_im[b][at]);
        }
    }
    for (int b = 0; b < sums; ++b)
        for (int at = 0; at < AT_ONCE; ++at) {
            re[b][first + at] = sum_re[b][at];
            im[b][first + at] = sum_im[b][at];
        }
}

/* The runs of a share, compiled for each set of terms. */
#define DEFINE_ADD_RUNS(name, terms, one)                                                          \
    static void name(const share *w, const group *g, group_totals *totals)                         \
    {                                                                                              \
        for (int64_t begin = w->begin; begin < w->end; begin += ENUF_RUN) {                        \
            const int64_t end = begin + ENUF_RUN < w->end ? begin + ENUF_RUN : w->end;             \
            vr re[SUMS][ENUF_VECTORS], im[SUMS][ENUF_VECTORS];                                     \
            for (int v = 0; v < ENUF_VECTORS; v += AT_ONCE)                                        \
                add_run(w, terms, one, g, v, begin, end, re, im);                                  \
            for (int b = 0; b < ((one) ? 1 : w->sums); ++b)                                        \
                enuf_carry_vectors(&totals->of[b], re[b], im[b]);                                  \
        }                                                                                          \
    }

/* X(name, terms) */
#define KINDS(X)                                                                                   \
    X(plain, 0)                                                                                    \
    X(field, ENUF_TERM_FIELD)                                                                      \
    X(decay, ENUF_TERM_FIELD | ENUF_TERM_DECAY)                                                    \
    X(voxel, ENUF_TERM_FIELD | ENUF_TERM_VOXEL)                                                    \
    X(all, ENUF_TERM_FIELD | ENUF_TERM_DECAY | ENUF_TERM_VOXEL)

#define DEFINE_KIND(name, terms)                                                                   \
    DEFINE_ADD_RUNS(add_##name, terms, 1)                                                          \
    DEFINE_ADD_RUNS(add_##name##_batch, terms, 0)                                                  \
    DEFINE_ADD_RUNS(add_##name##_slopes, (terms) | WITH_SLOPES, 0)
KINDS(DEFINE_KIND)

typedef void (*add_runs)(const share *w, const group *g, group_totals *totals);

static add_runs add_runs_of(const enuf_pair_sum *sum, int sums)
{
    switch (sum->terms) {
#define CASE(name, terms)                                                                          \
    case terms:                                                                                    \
        return sum->slopes ? add_##name##_slopes : sums > 1 ? add_##name##_batch : add_##name;
        KINDS(CASE)
    default:
        return 0;
    }
}

/* A derivative is 2 pi i sign times the total. */
static void put_slope(const enuf_pair_sum *sum, const enuf_totals *totals, int k, int d, int64_t at)
{
    const double unit = 6.28318530717958647693 * sum->sign * sum->unit[d];
    real *slope = (real *)sum->slopes + 2 * at;
    slope[0] = (real)(-unit * (totals->im[k] + totals->lost_im[k]));
    slope[1] = (real)(unit * (totals->re[k] + totals->lost_re[k]));
}

static void store(const share *w, int64_t first, const group_totals *totals)
{
    const enuf_pair_sum *sum = w->sum;
    const int64_t n = sum->to.n;
    for (int k = 0; k < ENUF_LANES && first + k < n; ++k) {
        const int64_t at = w->first * n + first + k;
        for (int b = 0; sum->output && b < (sum->slopes ? 1 : w->sums); ++b)
            enuf_put_total(&totals->of[b], k, sum->output, at + b * n);
        for (int d = 0; sum->slopes && d < sum->dim; ++d)
            put_slope(sum, &totals->of[1 + d], k, d, at * sum->dim + d);
    }
}

/* The outputs of a strip, for some sums of the batch. */
static void sum_strip(const enuf_pair_sum *sum, int64_t first_group, int groups, int first,
                      int sums)
{
    group_totals totals[GROUPS] = {0};
    const add_runs add = add_runs_of(sum, sums);
    for (int64_t begin = 0; begin < sum->from.n; begin += BLOCK) {
        const int64_t end = begin + BLOCK < sum->from.n ? begin + BLOCK : sum->from.n;
        const share w = {sum, begin, end, first, sums};
        for (int at = 0; at < groups; ++at) {
            group g;
            load_group(sum, (first_group + at) * ENUF_LANES, &g);
            add(&w, &g, &totals[at]);
        }
    }
    const share all = {sum, 0, sum->from.n, first, sums};
    for (int at = 0; at < groups; ++at) store(&all, (first_group + at) * ENUF_LANES, &totals[at]);
}

/* Strips of equal length. */
typedef struct strips {
    const enuf_pair_sum *sum;
    int64_t all_groups;
    int groups;
} strips;

static void sum_strips(void *context, int64_t strip, int64_t end, int thread)
{
    const strips *s = context;
    const enuf_pair_sum *sum = s->sum;
    (void)thread;
    for (; strip < end; ++strip) {
        const int64_t first = strip * s->groups, left = s->all_groups - first;
        const int groups = left < s->groups ? (int)left : s->groups;
        int sums;
        for (int b = 0; b < sum->batch; b += sum->slopes ? 1 : sums) {
            sums = sum->slopes ? 1 + sum->dim : sum->batch - b < SUMS ? sum->batch - b : SUMS;
            sum_strip(sum, first, groups, b, sums);
        }
    }
}

void ENUF_SUFFIXED(enuf_sum_pairs)(const enuf_pair_sum *sum)
{
    const int64_t all = (sum->to.n + ENUF_LANES - 1) / ENUF_LANES;
    const int64_t most = all / ((int64_t)4 * sum->threads);
    strips s = {sum, all, most < 1 ? 1 : most < GROUPS ? (int)most : GROUPS};
    enuf_parallel_for(sum->threads, (all + s.groups - 1) / s.groups, 1, sum_strips, &s);
}
