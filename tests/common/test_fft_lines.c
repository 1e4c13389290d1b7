/*
 * test_fft_lines.c - every library of FFTs that is there transforms lines as the definition says:
 *
 *     X(k) = sum_j x(j) exp(sign 2 pi i j k/n)
 *
 * Complex lines in place, real lines into complex ones and back, in place and not; one line after
 * the other, and lines side by side; 1 to 37 lines of 1 to 2310 numbers, among them primes; both
 * signs and precisions. The relative l2 error is at most 3e-16 sqrt(8 + log2 n) (measured: half
 * of it), in float 1.6e-7 times that. Numbers between the lines stay as they are. The same call
 * gives the same bits again, on any thread.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "fft/fft_lines.h"
#include "memory.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long double two_pi = 6.283185307179586476925287L;
enum { THREADS = 3 };

/* An array in either precision. */
typedef struct array {
    void *at;
    int single;
    int64_t n;
} array;

static double get(const array *a, int64_t k)
{
    return a->single ? (double)((const float *)a->at)[k] : ((const double *)a->at)[k];
}

static size_t bytes(const array *a)
{
    return (size_t)a->n * (a->single ? sizeof(float) : sizeof(double));
}

static array make_array(int single, int64_t n)
{
    array a = {NULL, single, n};
    if (enuf_allocate(&a.at, 1, bytes(&a), "an array of the test") != ENUF_SUCCESS) abort();
    return a;
}

static void fill(array *a, uint64_t seed)
{
    double *x = malloc((size_t)a->n * sizeof *x);
    random_numbers(seed, a->n, -1, 1, x);
    for (int64_t k = 0; k < a->n; k++)
        if (a->single)
            ((float *)a->at)[k] = (float)x[k];
        else
            ((double *)a->at)[k] = x[k];
    free(x);
}

/* Number j of a line, complex; of the input of ENUF_FFT_INTO_REAL the missing half too. */
static void input(const enuf_fft_batch *b, const array *a, int64_t line, int64_t j, double x[2])
{
    const int mirrored = b->kind == ENUF_FFT_INTO_REAL && j > b->n / 2;
    const int64_t at = line * b->in_distance + (mirrored ? b->n - j : j) * b->in_stride;
    if (b->kind == ENUF_FFT_OF_REAL) {
        x[0] = get(a, at);
        x[1] = 0;
        return;
    }
    x[0] = get(a, 2 * at);
    x[1] = mirrored ? -get(a, 2 * at + 1) : get(a, 2 * at + 1);
    /* imaginary parts of frequencies 0 and n/2 of a real line do not count */
    if (b->kind == ENUF_FFT_INTO_REAL && (j == 0 || 2 * j == b->n)) x[1] = 0;
}

/* Squares of the error and of the result, of one line. */
static void compare(const enuf_fft_batch *b, const array *before, const array *after, int64_t line,
                    double sums[2])
{
    const int sign = b->kind == ENUF_FFT_OF_REAL ? -1 : b->kind == ENUF_FFT_INTO_REAL ? 1 : b->sign;
    const int64_t n_out = b->kind == ENUF_FFT_OF_REAL ? b->n / 2 + 1 : b->n;
    long double *roots = malloc((size_t)b->n * 2 * sizeof *roots);
    for (int64_t j = 0; j < b->n; j++) {
        roots[2 * j] = cosl(two_pi * (long double)j / (long double)b->n);
        roots[2 * j + 1] = sign * sinl(two_pi * (long double)j / (long double)b->n);
    }
    /* of long lines every 13th number */
    for (int64_t k = 0; k<n_out; k += n_out> 400 ? 13 : 1) {
        long double sum[2] = {0, 0};
        double x[2];
        for (int64_t j = 0; j < b->n; j++) {
            const long double *w = roots + 2 * (j * k % b->n);
            input(b, before, line, j, x);
            sum[0] += x[0] * w[0] - x[1] * w[1];
            sum[1] += x[0] * w[1] + x[1] * w[0];
        }
        const int64_t at = line * b->out_distance + k * b->out_stride;
        const int parts = b->kind == ENUF_FFT_INTO_REAL ? 1 : 2;
        for (int part = 0; part < parts; part++) {
            const double error = (double)(get(after, parts * at + part) - sum[part]);
            sums[0] += error * error;
            sums[1] += (double)(sum[part] * sum[part]);
        }
    }
    free(roots);
}

/* Numbers of the output that no line has, that were changed. */
static int64_t count_changed(const enuf_fft_batch *b, const array *before, const array *after)
{
    const int parts = b->kind == ENUF_FFT_INTO_REAL ? 1 : 2;
    const int64_t n_out = b->kind == ENUF_FFT_OF_REAL ? b->n / 2 + 1 : b->n;
    char *written = calloc((size_t)after->n, 1);
    int64_t changed = 0;
    for (int64_t line = 0; line < b->lines; line++)
        for (int64_t k = 0; k < n_out; k++)
            for (int part = 0; part < parts; part++)
                written[parts * (line * b->out_distance + k * b->out_stride) + part] = 1;
    for (int64_t k = 0; k < after->n; k++)
        changed += !written[k] && get(before, k) != get(after, k);
    free(written);
    return changed;
}

static double worst, worst_bound;

static void check_batch(enuf_fft fft, int single, enuf_fft_batch b, int in_place, const char *name)
{
    /* room of the largest: real and complex numbers of all lines, and a guard */
    const int64_t room = 2 * ((b.lines - 1) * (b.in_distance + b.out_distance) +
                              b.n * (b.in_stride + b.out_stride) + 8);
    array in = make_array(single, room), out = in_place ? in : make_array(single, room);
    array before = make_array(single, room), first = make_array(single, room);
    const enuf_fft_planning how = {.fft = fft, .single = single, .threads = THREADS};
    enuf_fft_lines *made = NULL;
    b.in = in.at;
    b.out = out.at;
    fill(&in, 5);
    if (!CHECK_STATUS(enuf_fft_make(&how, 1, &b, &made), ENUF_SUCCESS)) return;
    for (int thread = 0; thread < THREADS; thread++) {
        fill(&in, 7);
        if (!in_place) fill(&out, 8);
        if (thread == 0) memcpy(before.at, in.at, bytes(&in));
        array out_before = make_array(single, room);
        memcpy(out_before.at, out.at, bytes(&out));
        enuf_fft_execute(made, 0, in.at, out.at, thread);
        if (thread == 0) {
            double sums[2] = {0, 0};
            for (int64_t line = 0; line < b.lines; line++) compare(&b, &before, &out, line, sums);
            const double bound = (single ? 1.6e-7 : 3e-16) * sqrt(8 + log2((double)b.n)),
                         error = sqrt(sums[0] / sums[1]);
            if (!(error <= bound)) {
                printf("%s of %lld lines of %lld, %s\n", name, (long long)b.lines, (long long)b.n,
                       single ? "float" : "double");
                CHECK_BELOW(error, bound, name);
            }
            if (error / bound > worst / worst_bound) {
                worst = error;
                worst_bound = bound;
            }
            if (!in_place || b.kind == ENUF_FFT_COMPLEX)
                CHECK(count_changed(&b, &out_before, &out) == 0);
            memcpy(first.at, out.at, bytes(&out));
        } else {
            CHECK(memcmp(first.at, out.at, bytes(&out)) == 0);
        }
        enuf_release(&out_before.at);
    }
    enuf_fft_destroy(&made);
    CHECK(made == NULL);
    enuf_release(&in.at);
    if (!in_place) enuf_release(&out.at);
    enuf_release(&before.at);
    enuf_release(&first.at);
}

static void check_complex(enuf_fft fft, int single, int64_t n, int64_t lines)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        enuf_fft_batch b = {.kind = ENUF_FFT_COMPLEX, .sign = sign, .n = n, .lines = lines};
        b.in_stride = b.out_stride = 1;
        b.in_distance = b.out_distance = n + 3;
        check_batch(fft, single, b, 1, "complex, one after the other");
        b.in_stride = b.out_stride = lines + 5;
        b.in_distance = b.out_distance = 1;
        check_batch(fft, single, b, 1, "complex, side by side");
    }
}

/* Rows of a grid: in place, with 2 (n/2 + 1) real numbers of room for each line; and apart. */
static void check_real(enuf_fft fft, int single, int64_t n, int64_t lines)
{
    const int64_t complex_row = n / 2 + 1;
    enuf_fft_batch b = {.kind = ENUF_FFT_OF_REAL, .n = n, .lines = lines};
    b.in_stride = b.out_stride = 1;
    b.in_distance = 2 * complex_row;
    b.out_distance = complex_row;
    check_batch(fft, single, b, 1, "real to complex, in place");
    b.in_distance = n + 5;
    b.out_distance = complex_row + 2;
    check_batch(fft, single, b, 0, "real to complex");
    b.kind = ENUF_FFT_INTO_REAL;
    b.in_distance = complex_row;
    b.out_distance = 2 * complex_row;
    check_batch(fft, single, b, 1, "complex to real, in place");
    b.in_distance = complex_row + 2;
    b.out_distance = n + 5;
    check_batch(fft, single, b, 0, "complex to real");
}

static void check_library(enuf_fft fft)
{
    static const int64_t sizes[] = {1,  2,  3,  4,  5,   7,   8,   9,    11,   12,  13,
                                    16, 30, 60, 97, 128, 211, 360, 1000, 1021, 2310};
    static const int64_t counts[] = {1, 2, 3, 5, 8, 16, 19, 37};
    for (int single = 0; single < 2; single++) {
        worst = 0;
        worst_bound = 1;
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                if (sizes[s] * counts[c] > 20000) continue;
                check_complex(fft, single, sizes[s], counts[c]);
                check_real(fft, single, sizes[s], counts[c]);
            }
        CHECK_BELOW(worst, worst_bound, single ? "worst error, float" : "worst error, double");
    }
}

/* Transforms without lines are made and never executed. */
static void check_nothing(enuf_fft fft)
{
    const enuf_fft_planning how = {.fft = fft, .threads = 1};
    const enuf_fft_batch none[2] = {{.kind = ENUF_FFT_COMPLEX}, {.kind = ENUF_FFT_OF_REAL}};
    enuf_fft_lines *made;
    CHECK_STATUS(enuf_fft_make(&how, 2, none, &made), ENUF_SUCCESS);
    enuf_fft_destroy(&made);
    enuf_fft_destroy(&made);
}

int main(void)
{
    static const enuf_fft ffts[] = {ENUF_FFT_FFTW, ENUF_FFT_DUCC0, ENUF_FFT_MKL};
    int tried = 0;
    for (size_t k = 0; k < sizeof ffts / sizeof *ffts; k++) {
        const char *detail;
        const int usable = enuf_fft_usable(ffts[k], &detail);
        printf("%s: %s\n", enuf_fft_name(ffts[k]), detail);
        if (!usable) continue;
        tried++;
        check_nothing(ffts[k]);
        check_library(ffts[k]);
    }
    CHECK(tried > 0);
    return check_result();
}
