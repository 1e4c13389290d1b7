/* pair_times.c - see pair_times.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_times.h"
#include "low_rank.h"
#include "memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double MOST_NODES = 1e7; /* of times, times those of the pairs */
static const double LEAST = 16 * DBL_EPSILON;

/* What is separated: rows are times, numbers are pairs. */
typedef struct rows {
    const enuf_histogram *times, *pairs;
    double *size;        /* [nodes of pairs] */
    double shift;        /* the largest exponent */
    double complex *row; /* [nodes of times][nodes of pairs], what is left of it */
    double complex *q;   /* [nodes of pairs] */
    double *found;       /* [nodes of times][most]: coefficients of the directions */
    double *square;      /* [nodes of times] of a whole row */
    int *chosen;         /* [most] */
    int n, m, most;      /* nodes of times, of pairs; directions */
} rows;

static double square(int n, const double complex *a)
{
    return creal(enuf_inner(n, a, a));
}

/* The largest exponent of exp(-decay t): squares of larger numbers would leave their range. */
static double largest_exponent(const rows *r)
{
    double most = -INFINITY;
    for (int t = 0; t < r->n; t++)
        for (int p = 0; p < r->m; p++)
            most = fmax(most, -r->pairs->node[p][1] * r->times->node[t][0]);
    return most;
}

static void fill_rows(rows *r)
{
    r->shift = largest_exponent(r);
    for (int t = 0; t < r->n; t++) {
        const double time = r->times->node[t][0];
        double complex *row = r->row + (size_t)t * r->m;
        for (int p = 0; p < r->m; p++) {
            const double *pair = r->pairs->node[p];
            row[p] = sqrt(r->pairs->weight[p]) * exp(-pair[1] * time - r->shift) *
                     cexp(-I * pair[0] * time);
        }
        r->square[t] = square(r->m, row);
    }
}

/* Takes from all rows what the largest of them has. Real multiples only: so B_l is real. */
static void take_direction(rows *r, int k, int at)
{
    memcpy(r->q, r->row + (size_t)at * r->m, (size_t)r->m * sizeof *r->q);
    const double norm = sqrt(square(r->m, r->q));
    for (int p = 0; p < r->m; p++) r->q[p] /= norm;
    for (int t = 0; t < r->n; t++) {
        double complex *row = r->row + (size_t)t * r->m;
        const double part = creal(enuf_inner(r->m, r->q, row));
        r->found[(size_t)t * r->most + k] = part;
        enuf_subtract(r->m, part, r->q, row);
    }
    r->chosen[k] = at;
}

/* Directions until less than the tolerance is left; their number. */
static int take_directions(rows *r, double tolerance)
{
    double all = 0;
    for (int t = 0; t < r->n; t++) all += r->times->weight[t] * r->square[t];
    for (int k = 0;; k++) {
        double left = 0, most = 0;
        int at = 0;
        for (int t = 0; t < r->n; t++) {
            const double rest = square(r->m, r->row + (size_t)t * r->m);
            left += r->times->weight[t] * rest;
            if (rest > most) at = t;
            most = fmax(most, rest);
        }
        if (k == r->most || (k > 0 && left <= tolerance * tolerance * all) || most == 0) return k;
        take_direction(r, k, at);
    }
}

/* B_l at a node of the times: sum_l B_l found[chosen_l][k] = found[t][k]. */
static void solve_weights(const rows *r, int count, int t, double *weights)
{
    for (int k = count - 1; k >= 0; k--) {
        double right = r->found[(size_t)t * r->most + k];
        for (int l = k + 1; l < count; l++)
            right -= weights[l] * r->found[(size_t)r->chosen[l] * r->most + k];
        weights[k] = right / r->found[(size_t)r->chosen[k] * r->most + k];
    }
}

static enuf_status tabulate(const rows *r, int count, enuf_pairs *made)
{
    double sum = 0, all = 0;
    made->count = count;
    ENUF_TRY(enuf_allocate(&made->time, count, sizeof *made->time, "times of pairs"));
    ENUF_TRY(enuf_allocate(&made->table, (int64_t)r->n * count, sizeof *made->table,
                           "weights of pairs"));
    for (int l = 0; l < count; l++) made->time[l] = r->times->node[r->chosen[l]][0];
    for (int t = 0; t < r->n; t++) {
        double *weights = made->table + (size_t)t * count;
        solve_weights(r, count, t, weights);
        for (int l = 0; l < count; l++)
            sum += r->times->weight[t] * weights[l] * weights[l] * r->square[r->chosen[l]];
        all += r->times->weight[t] * r->square[t];
        const double factor = exp(made->decay * (r->times->node[t][0] - made->middle));
        for (int l = 0; l < count; l++) weights[l] *= factor;
    }
    made->gain = all > 0 ? fmax(1, sqrt(sum / all)) : 1;
    return ENUF_SUCCESS;
}

static enuf_status allocate(rows *r)
{
    const size_t number = sizeof(double complex);
    ENUF_TRY(enuf_allocate(&r->row, (int64_t)r->n * r->m, number, "pairs at all times"));
    ENUF_TRY(enuf_allocate(&r->q, r->m, number, "a direction"));
    ENUF_TRY(enuf_allocate(&r->found, (int64_t)r->n * r->most, sizeof(double), "coefficients"));
    ENUF_TRY(enuf_allocate(&r->square, r->n, sizeof(double), "sizes of times"));
    return enuf_allocate(&r->chosen, r->most, sizeof(int), "chosen times");
}

enuf_status enuf_pair_times_choose(const enuf_histogram *pairs, double tolerance, enuf_pairs *made)
{
    rows r = {.times = &made->times, .pairs = pairs, .n = made->times.n_nodes, .m = pairs->n_nodes};
    if ((double)r.n * r.m > MOST_NODES)
        return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                         "%d nodes of times and %d of pairs of pixels make a matrix with too many "
                         "numbers: ask for a larger tolerance, or use ENUF_NORMAL_TRANSFORMS",
                         r.n, r.m);
    r.most = r.n < 2 * r.m ? r.n : 2 * r.m;
    enuf_status status = allocate(&r);
    if (status == ENUF_SUCCESS) {
        fill_rows(&r);
        status = tabulate(&r, take_directions(&r, fmax(tolerance, LEAST)), made);
    }
    void *arrays[] = {&r.row, &r.q, &r.found, &r.square, &r.chosen};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) enuf_release(arrays[k]);
    return status;
}
