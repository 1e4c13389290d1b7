/* salt.c - see salt.h. SPDX-License-Identifier: BSD-3-Clause */
#include "salt.h"

#include "enuf/ewald.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DENSITY = 0.1, CLOSEST = 1.3;

static void *array(int64_t n, size_t size)
{
    void *memory = calloc((size_t)(n > 0 ? n : 1), size);
    if (memory) return memory;
    fputs("not enough memory for the ions\n", stderr);
    exit(1);
}

bench_salt bench_salt_make(int64_t n)
{
    bench_salt s = {.n = n, .edge = cbrt((double)n / DENSITY)};
    for (int d = 0; d < 3; d++) s.cell[4 * d] = s.edge;
    s.x = array(3 * n, sizeof *s.x);
    s.q = array(n, sizeof *s.q);
    random_ions(20, n, s.cell, CLOSEST, s.x, s.q);
    return s;
}

typedef struct placed_ion {
    int64_t box, index;
} placed_ion;

static int by_box(const void *a, const void *b)
{
    const placed_ion *p = a, *q = b;
    if (p->box != q->box) return p->box > q->box ? 1 : -1;
    return (p->index > q->index) - (p->index < q->index);
}

void bench_salt_order(bench_salt *salt)
{
    const int64_t n = salt->n, boxes = (int64_t)fmax(cbrt((double)n / 8), 1);
    placed_ion *ions = malloc((size_t)n * sizeof *ions);
    double *x = malloc((size_t)n * 3 * sizeof *x), *q = malloc((size_t)n * sizeof *q);
    if (!ions || !x || !q) abort();
    for (int64_t i = 0; i < n; i++) {
        ions[i] = (placed_ion){0, i};
        for (int d = 2; d >= 0; d--) {
            const double s = salt->x[3 * i + d] / salt->edge;
            ions[i].box = ions[i].box * boxes + (int64_t)((s - floor(s)) * (double)boxes);
        }
    }
    qsort(ions, (size_t)n, sizeof *ions, by_box);
    for (int64_t k = 0; k < n; k++) {
        for (int d = 0; d < 3; d++) x[3 * k + d] = salt->x[3 * ions[k].index + d];
        q[k] = salt->q[ions[k].index];
    }
    free(ions);
    free(salt->x);
    free(salt->q);
    salt->x = x;
    salt->q = q;
}

void bench_salt_free(bench_salt *s)
{
    free(s->x);
    free(s->q);
    *s = (bench_salt){0};
}

static double distance2(const bench_salt *s, int64_t i, int64_t j, double d[3])
{
    double r2 = 0;
    for (int e = 0; e < 3; e++) {
        d[e] = s->x[3 * i + e] - s->x[3 * j + e];
        d[e] -= s->edge * rint(d[e] / s->edge);
        r2 += d[e] * d[e];
    }
    return r2;
}

/* The ions of each cubic cell, as linked lists; a cell is at least as large as the cutoff. */
typedef struct cell_lists {
    int64_t m;
    int64_t *first, *next;
} cell_lists;

static int64_t count_with_cell(const bench_salt *s, const cell_lists *lists, int64_t i,
                               int64_t cell, double cutoff)
{
    int64_t pairs = 0;
    double d[3];
    for (int64_t j = lists->first[cell]; j >= 0; j = lists->next[j])
        pairs += j < i && distance2(s, i, j, d) <= cutoff * cutoff;
    return pairs;
}

int64_t bench_salt_pairs(const bench_salt *s, double cutoff)
{
    cell_lists lists = {.m = (int64_t)(s->edge / cutoff)};
    int64_t m = lists.m, pairs = 0;
    if (m < 3) m = lists.m = 1; /* with 2 cells along an edge, neighbours would be visited twice */
    lists.first = array(m * m * m, sizeof *lists.first);
    lists.next = array(s->n, sizeof *lists.next);
    for (int64_t c = 0; c < m * m * m; c++) lists.first[c] = -1;
    for (int64_t i = 0; i < s->n; i++) {
        int64_t b[3], near = m == 1 ? 0 : 1, c = 0;
        for (int e = 2; e >= 0; e--) {
            b[e] = (int64_t)(s->x[3 * i + e] / s->edge * (double)m);
            if (b[e] == m) b[e]--; /* the product was rounded up */
            c = c * m + b[e];
        }
        lists.next[i] = lists.first[c];
        lists.first[c] = i;
        for (int64_t dz = -near; dz <= near; dz++)
            for (int64_t dy = -near; dy <= near; dy++)
                for (int64_t dx = -near; dx <= near; dx++) {
                    int64_t x = (b[0] + dx + m) % m, y = (b[1] + dy + m) % m;
                    int64_t z = (b[2] + dz + m) % m;
                    pairs += count_with_cell(s, &lists, i, (z * m + y) * m + x, cutoff);
                }
    }
    free(lists.first);
    free(lists.next);
    return pairs;
}

int64_t *bench_salt_sample(const bench_salt *s, int64_t count)
{
    int64_t *sample = array(count, sizeof *sample);
    /* the ions were drawn one after the other, so any subset is random */
    for (int64_t k = 0; k < count; k++) sample[k] = k * s->n / count;
    return sample;
}

double bench_salt_pair_forces(const bench_salt *s, double alpha, double cutoff, int64_t count,
                              const int64_t *sample, double *forces)
{
    const double slope = 2 * alpha / sqrt(acos(-1.0));
    double energy = 0;
#pragma omp parallel for reduction(+ : energy)
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = sample[k];
        double f[3] = {0}, d[3];
        for (int64_t j = 0; j < s->n; j++) {
            const double r2 = distance2(s, i, j, d);
            if (j == i || r2 > cutoff * cutoff) continue;
            const double r = sqrt(r2), qq = s->q[i] * s->q[j];
            const double l = erfc(alpha * r) / r;
            const double g = qq * (l + slope * exp(-alpha * alpha * r2)) / r2;
            energy += 0.5 * qq * l;
            for (int e = 0; e < 3; e++) f[e] += g * d[e];
        }
        memcpy(forces + 3 * k, f, sizeof f);
    }
    return energy;
}

int bench_salt_exact_forces(const bench_salt *s, int64_t count, const int64_t *sample,
                            double *forces)
{
    enuf_exact_options options;
    enuf_exact_options_init(&options);
    enuf_exact_result result = {.forces = forces};
    return enuf_exact_ewald(&options, s->cell, s->n, s->x, 3, s->q, NULL, count, sample, &result) ==
           ENUF_SUCCESS;
}

double bench_salt_error(const bench_salt *s, int64_t count, const int64_t *sample,
                        const double *forces, const double *reference)
{
    const double f_ref = pow((double)s->n, 2.0 / 3) / (s->edge * s->edge); /* q^2 = 1 */
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        for (int e = 0; e < 3; e++) {
            const double difference = forces[3 * sample[k] + e] - reference[3 * k + e];
            sum += difference * difference;
        }
    return sqrt(sum / (double)count) / f_ref;
}
