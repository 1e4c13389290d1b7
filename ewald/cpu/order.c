/*
 * order.c - see order.h: a counting sort by boxes. It keeps the caller's order inside a box, so
 * that its result does not depend on the number of threads. SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* Below this number all atoms fit the second cache, and their order does not matter. A million ions
 * in random order: the sort takes 25 ns an ion and saves 100 of 780 (double, A = 1e-4, one core of
 * an EPYC, November 2026). The order is found anew in each evaluation, so that a result does not
 * depend on earlier evaluations. */
static const int64_t fewest_atoms = 30000;
/* Atoms of a box, on the average: they fit the first cache, and the boxes' ends the second. */
static const double atoms_of_box = 1024;
/* The caller's order is good if a smaller share of neighbours in memory are in different boxes. */
static const double good_order = 0.25;

/* Number of atoms to prefetch ahead. */
enum { AHEAD = 16 };

typedef struct boxes {
    const double *inverse; /* of the cell */
    int64_t count[3], n;
} boxes;

static boxes cut(const enuf_cell_geometry *cell, int64_t n)
{
    const double *h = cell->height;
    boxes b = {.inverse = cell->inverse, .n = 1};
    const double width = cbrt(h[0] * h[1] * h[2] * atoms_of_box / (double)n);
    for (int d = 0; d < 3; d++) {
        b.count[d] = (int64_t)fmin(fmax(1, rint(h[d] / width)), (double)n / atoms_of_box);
        b.n *= b.count[d];
    }
    return b;
}

static inline uint32_t box_of(const boxes *b, const double *x)
{
    int64_t box = 0;
    for (int d = 2; d >= 0; d--) {
        const double s = x[0] * b->inverse[d] + x[1] * b->inverse[3 + d] + x[2] * b->inverse[6 + d];
        const double at = (s - floor(s)) * (double)b->count[d];
        /* s overflows for positions that are refused later: any box serves them */
        const int64_t here = at > 0 ? (int64_t)at : 0;
        box = box * b->count[d] + (here < b->count[d] ? here : b->count[d] - 1);
    }
    return (uint32_t)box;
}

/* Finds the boxes of atoms [from, to) and counts their atoms. Returns how often the box changes
 * from atom to atom. */
static int64_t count_atoms(const boxes *b, const enuf_atoms *atoms, int64_t from, int64_t to,
                           uint32_t *box, int64_t *count)
{
    int64_t changes = 0;
    memset(count, 0, (size_t)b->n * sizeof *count);
    for (int64_t i = from; i < to; i++) {
        box[i] = box_of(b, atoms->positions + i * atoms->stride);
        count[box[i]]++;
        changes += i > from && box[i] != box[i - 1];
    }
    return changes;
}

/* counts [threads][boxes] become the place of the first atom of each. */
static void prefix_sums(int64_t n_boxes, int threads, int64_t *counts)
{
    int64_t place = 0;
    for (int64_t k = 0; k < n_boxes; k++)
        for (int t = 0; t < threads; t++) {
            const int64_t n = counts[t * n_boxes + k];
            counts[t * n_boxes + k] = place;
            place += n;
        }
}

typedef struct ordered {
    double *positions, *q;
    float *q_single;
    int64_t *original;
} ordered;

static void move_atoms(const enuf_atoms *from_atoms, int64_t from, int64_t to, const uint32_t *box,
                       int64_t *place, const ordered *out)
{
    for (int64_t i = from; i < to; i++) {
        const int64_t ahead = place[box[i + AHEAD < to ? i + AHEAD : i]], a = place[box[i]]++;
        const double *x = from_atoms->positions + i * from_atoms->stride;
        __builtin_prefetch(out->positions + 3 * ahead, 1);
        __builtin_prefetch(out->original + ahead, 1);
        for (int d = 0; d < 3; d++) out->positions[3 * a + d] = x[d];
        out->q[a] = from_atoms->q[i];
        if (out->q_single) out->q_single[a] = from_atoms->q_single[i];
        out->original[a] = i;
    }
}

/* The atoms in as many runs as threads, each with counts of its own. */
typedef struct order_loop {
    const boxes *boxes;
    const enuf_atoms *atoms;
    int runs;
    uint32_t *box;
    int64_t *counts;
    const ordered *out;
    _Atomic int64_t changes;
} order_loop;

static void count_run(void *context, int64_t run, int64_t end, int thread)
{
    order_loop *loop = context;
    const int64_t n = loop->atoms->n;
    (void)thread;
    for (; run < end; run++)
        loop->changes +=
            count_atoms(loop->boxes, loop->atoms, n * run / loop->runs, n * (run + 1) / loop->runs,
                        loop->box, loop->counts + run * loop->boxes->n);
}

static void move_run(void *context, int64_t run, int64_t end, int thread)
{
    const order_loop *loop = context;
    const int64_t n = loop->atoms->n;
    (void)thread;
    for (; run < end; run++)
        move_atoms(loop->atoms, n * run / loop->runs, n * (run + 1) / loop->runs, loop->box,
                   loop->counts + run * loop->boxes->n, loop->out);
}

static enuf_status order(enuf_ewald *ewald, enuf_atoms *atoms)
{
    const boxes b = cut(&ewald->geometry, atoms->n);
    const int threads = enuf_ewald_threads(ewald);
    const int64_t n = atoms->n;
    ENUF_TRY(enuf_array_reserve(&ewald->order_box, n, sizeof(uint32_t), "boxes of atoms"));
    ENUF_TRY(enuf_array_reserve(&ewald->order_count, b.n * threads, sizeof(int64_t),
                                "counts of atoms in boxes"));
    order_loop loop = {.boxes = &b,
                       .atoms = atoms,
                       .runs = threads,
                       .box = ewald->order_box.at,
                       .counts = ewald->order_count.at};
    enuf_parallel_for(threads, threads, 1, count_run, &loop);
    if ((double)loop.changes < good_order * (double)n) return ENUF_SUCCESS;

    ENUF_TRY(enuf_array_reserve(&ewald->order_positions, n, 3 * sizeof(double), "ordered atoms"));
    ENUF_TRY(enuf_array_reserve(&ewald->order_q, n, sizeof(double), "ordered charges"));
    if (atoms->q_single)
        ENUF_TRY(enuf_array_reserve(&ewald->order_q_single, n, sizeof(float), "ordered charges"));
    ENUF_TRY(enuf_array_reserve(&ewald->order_original, n, sizeof(int64_t), "order of atoms"));
    const ordered out = {ewald->order_positions.at, ewald->order_q.at,
                         atoms->q_single ? ewald->order_q_single.at : NULL,
                         ewald->order_original.at};
    prefix_sums(b.n, threads, loop.counts);
    loop.out = &out;
    enuf_parallel_for(threads, threads, 1, move_run, &loop);
    *atoms = (enuf_atoms){.n = n,
                          .positions = out.positions,
                          .stride = 3,
                          .q = out.q,
                          .q_single = out.q_single,
                          .original = out.original};
    return ENUF_SUCCESS;
}

enuf_status enuf_order_atoms(enuf_ewald *ewald, const enuf_evaluation *what, enuf_atoms *atoms)
{
    const enuf_charge_set *set = &ewald->charges;
    *atoms = (enuf_atoms){.n = set->n,
                          .positions = what->positions,
                          .stride = what->stride,
                          .q = set->q,
                          .q_single = set->q_single};
    return set->n < fewest_atoms ? ENUF_SUCCESS : order(ewald, atoms);
}
