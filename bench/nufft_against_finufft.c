/*
 * nufft_against_finufft.c - set points + execute of types 1 and 2 in 3D, beside FINUFFT in the same
 * run: the same points, the same tolerance, the delivered error beside every time.
 *
 *   nufft_against_finufft [--points N] [--threads T] [--csv FILE]
 *
 * Ratios are peer/enuf: above 1 enuf is faster. `real` is enuf with real strengths, which the peer
 * does not have, against the peer's complex transform; `gradient` a type 2 with its gradient,
 * against four type 2 of the peer. SPDX-License-Identifier: BSD-3-Clause
 */
#include "peers/finufft.h"

#include "enuf/nufft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 3, CHECKED = 40 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what)
{
    fprintf(stderr, "nufft_against_finufft: %s\n", what);
    exit(1);
}

/* xorshift64*: the points are random, not cryptic */
static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 0x2545f4914f6cdd1du >> 11) * 0x1p-53;
}

static double number(const void *array, int single, int64_t i)
{
    return single ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static void *random_numbers(int64_t n, int single, uint64_t *state)
{
    void *array = malloc((size_t)n * (single ? sizeof(float) : sizeof(double)));
    if (!array) die("not enough memory");
    for (int64_t i = 0; i < n; i++) {
        double x = uniform(state) - 0.5;
        if (single)
            ((float *)array)[i] = (float)x;
        else
            ((double *)array)[i] = x;
    }
    return array;
}

typedef struct problem {
    peer_problem peer;
    int real;
    int64_t m; /* modes per axis, even */
} problem;

/* Relative l2 error on CHECKED modes (type 1) or points (type 2), by direct sums in double. */
static double error_of(const problem *p, const void *data, const void *result)
{
    const peer_problem *q = &p->peer;
    int64_t m = p->m, h = p->real ? m / 2 : m;
    double error = 0, scale = 0;
    uint64_t state = 77;
    for (int k = 0; k < CHECKED; k++) {
        double re = 0, im = 0, got_re, got_im = 0;
        if (q->type == 1) {
            int64_t i1 = (int64_t)(uniform(&state) * (double)h), at;
            int64_t i2 = 1 + (int64_t)(uniform(&state) * (double)(m - 1));
            int64_t i3 = 1 + (int64_t)(uniform(&state) * (double)(m - 1));
            double k1 = (double)(p->real ? i1 : i1 - m / 2), k2 = (double)(i2 - m / 2);
            double k3 = (double)(i3 - m / 2);
            for (int64_t j = 0; j < q->n; j++) {
                double phase = -6.283185307179586 * (k1 * q->x[j] + k2 * q->y[j] + k3 * q->z[j]);
                double c = cos(phase), s = sin(phase);
                double a = number(data, q->single, p->real ? j : 2 * j);
                double b = p->real ? 0 : number(data, q->single, 2 * j + 1);
                re += a * c - b * s;
                im += a * s + b * c;
            }
            at = (i3 * m + i2) * h + i1;
            got_re = number(result, q->single, 2 * at);
            got_im = number(result, q->single, 2 * at + 1);
        } else {
            int64_t j = (int64_t)(uniform(&state) * (double)q->n);
            for (int64_t at = 0; at < m * m * h; at++) {
                double k1 = (double)(p->real ? at % h : at % h - m / 2);
                double k2 = (double)(at / h % m - m / 2), k3 = (double)(at / h / m - m / 2);
                if (p->real && (at / h % m == 0 || at / h / m == 0)) continue; /* unpaired */
                double phase = 6.283185307179586 * (k1 * q->x[j] + k2 * q->y[j] + k3 * q->z[j]);
                double c = cos(phase), s = sin(phase), w = p->real && k1 > 0 ? 2 : 1;
                double a = number(data, q->single, 2 * at), b = number(data, q->single, 2 * at + 1);
                re += w * (a * c - b * s);
                im += w * (a * s + b * c);
            }
            if (p->real) im = 0;
            got_re = number(result, q->single, p->real ? j : 2 * j);
            got_im = p->real ? 0 : number(result, q->single, 2 * j + 1);
        }
        error += (got_re - re) * (got_re - re) + (got_im - im) * (got_im - im);
        scale += re * re + im * im;
    }
    return sqrt(error / scale);
}

/* Best of REPEATS of set points + execute; gradients NULL: values only. */
static double enuf_time(const problem *p, const void *data, void *result, void *gradients,
                        int *width, double *upsampling)
{
    const peer_problem *q = &p->peer;
    enuf_nufft_options o;
    enuf_nufft *plan;
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft_options_init(&o);
    o.dim = 3;
    for (int d = 0; d < 3; d++) o.modes[d] = p->m;
    o.precision = q->single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.strengths = p->real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    o.tolerance = q->tolerance;
    o.upsampling = q->upsampling;
    o.threads = q->threads;
    o.density = (double)q->n / ((double)p->m * (double)p->m * (double)p->m);
    if (enuf_nufft_create(&o, &plan) != ENUF_SUCCESS) die(enuf_last_error());
    enuf_nufft_get_report(plan, &report);
    *width = report.width;
    *upsampling = report.upsampling;
    double best = 1e30;
    for (int k = 0; k < REPEATS; k++) {
        double start = now();
        enuf_status status = enuf_nufft_set_points(plan, q->n, q->x, q->y, q->z, 1);
        if (status == ENUF_SUCCESS)
            status = q->type == 1 ? enuf_nufft_type1(plan, data, result)
                                  : enuf_nufft_type2(plan, data, result, gradients);
        if (status != ENUF_SUCCESS) die(enuf_last_error());
        best = fmin(best, now() - start);
    }
    enuf_nufft_destroy(&plan);
    return best;
}

typedef struct table {
    FILE *csv;
    double log_sum[3];
    int count[3];
} table;

/* The peer's seconds are NAN where it refused: `status` is what its call returned. */
static void row(table *t, const problem *p, const char *kind, int which, double peer, int status,
                double peer_error, double ours, double error, int width, double upsampling)
{
    const peer_problem *q = &p->peer;
    double density = (double)q->n / pow((double)p->m, 3);
    printf("%-6s %-8s type %d  tol %.0e  density %5.2f  %d thr | ", q->single ? "float" : "double",
           kind, q->type, q->tolerance, density, q->threads);
    if (isnan(peer))
        printf("finufft refuses, status %2d      ", status);
    else
        printf("finufft %7.3f s  err %.1e", peer, peer_error);
    printf(" | enuf %7.3f s  err %.1e  (P %2d, %.2f) | ratio %5.2f\n", ours, error, width,
           upsampling, peer / ours);
    fflush(stdout);
    if (t->csv)
        fprintf(t->csv, "%s,%s,%d,%g,%g,%d,%.6g,%.3g,%.6g,%.3g,%d,%.3f,%.4f\n",
                q->single ? "float" : "double", kind, q->type, q->tolerance, density, q->threads,
                peer, peer_error, ours, error, width, upsampling, peer / ours);
    if (isnan(peer)) return;
    t->log_sum[which] += log(peer / ours);
    t->count[which]++;
}

static void compare(table *t, problem *p)
{
    peer_problem *q = &p->peer;
    int64_t modes = p->m * p->m * p->m;
    uint64_t state = 5;
    void *strengths = random_numbers(2 * q->n, q->single, &state);
    void *spectrum = random_numbers(2 * modes, q->single, &state);
    void *out = random_numbers(2 * (modes > q->n ? modes : q->n), q->single, &state);
    void *gradients = random_numbers(3 * q->n, q->single, &state);
    for (q->type = 1; q->type <= 2; q->type++) {
        const void *data = q->type == 1 ? strengths : spectrum;
        int width;
        double upsampling;
        p->real = 0;
        int status;
        double peer = finufft_time(q, data, out, REPEATS, &status), peer_error = NAN;
        if (peer < 0)
            peer = NAN;
        else
            peer_error = error_of(p, data, out);
        double ours = enuf_time(p, data, out, NULL, &width, &upsampling);
        row(t, p, "complex", 0, peer, status, peer_error, ours, error_of(p, data, out), width,
            upsampling);
        p->real = 1;
        ours = enuf_time(p, data, out, NULL, &width, &upsampling);
        row(t, p, "real", 1, peer, status, peer_error, ours, error_of(p, data, out), width,
            upsampling);
        if (q->type == 1) continue;
        ours = enuf_time(p, data, out, gradients, &width, &upsampling);
        row(t, p, "gradient", 2, 4 * peer, status, peer_error, ours, error_of(p, data, out), width,
            upsampling);
    }
    free(strengths);
    free(spectrum);
    free(out);
    free(gradients);
}

int main(int argc, char **argv)
{
    int64_t n = 1000000;
    int threads = 1;
    table t = {0};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--points") == 0)
            n = atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--csv") == 0)
            t.csv = fopen(argv[i + 1], "w");
        else
            die("usage: [--points N] [--threads T] [--csv FILE]");
    }
    const char *missing = finufft_open();
    if (missing) {
        fprintf(stderr, "skipped: %s\n", missing);
        return 77;
    }
    if (t.csv)
        fputs("precision,kind,type,tolerance,density,threads,finufft_s,finufft_error,enuf_s,"
              "enuf_error,width,upsampling,ratio\n",
              t.csv);
    uint64_t state = 3;
    double *x = malloc((size_t)n * 3 * sizeof *x);
    if (!x) die("not enough memory");
    for (int64_t i = 0; i < 3 * n; i++) x[i] = uniform(&state);
    const double tolerances[] = {1e-3, 1e-6, 1e-9}, densities[] = {0.1, 1, 10};
    for (int single = 0; single < 2; single++)
        for (int a = 0; a < (single ? 2 : 3); a++)
            for (int b = 0; b < 3; b++) {
                problem p = {.m = 2 * (int64_t)(0.5 * cbrt((double)n / densities[b]) + 0.5)};
                p.peer = (peer_problem){.single = single,
                                        .modes = {p.m, p.m, p.m},
                                        .tolerance = tolerances[a],
                                        .threads = threads,
                                        .n = n,
                                        .x = x,
                                        .y = x + n,
                                        .z = x + 2 * n};
                compare(&t, &p);
            }
    static const char *const kinds[] = {"complex", "real", "gradient"};
    for (int k = 0; k < 3; k++)
        printf("geometric mean of the ratios, %s: %.2f over %d rows\n", kinds[k],
               t.count[k] ? exp(t.log_sum[k] / t.count[k]) : NAN, t.count[k]);
    if (t.csv && fclose(t.csv) != 0) die("the CSV file cannot be written");
    free(x);
    return 0;
}
