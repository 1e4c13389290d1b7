/* least_squares.c - see least_squares.h. SPDX-License-Identifier: BSD-3-Clause */
#include "least_squares.h"
#include "fail.h"

#include <enuf/gram.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The operator on all frames: an object of enuf/gram.h for each trajectory. */
typedef struct normal {
    const measurement *m;
    int64_t pixels;
    enuf_gram **grams;    /* [trajectories] */
    double *shift;        /* [trajectories] lambda tr */
    double complex *seen; /* [frames][coils][pixels] images as coils see them */
    double complex *out;  /* [frames][coils][pixels] */
} normal;

static normal make_normal(const measurement *m, const enuf_nufft_options *method, double lambda)
{
    normal a = {.m = m, .pixels = m->side * m->side};
    enuf_nufft_options options = *method;
    options.batch = (int)(m->frames / m->trajectories * m->coils);
    options.fine_grid[0] = options.fine_grid[1] = 0; /* would be the circulant's size */
    a.grams = allocate(m->trajectories, sizeof *a.grams);
    a.shift = allocate(m->trajectories, sizeof *a.shift);
    for (int64_t t = 0; t < m->trajectories; t++) {
        const double *k = m->k + 2 * t * m->samples, *weights = m->weights + t * m->samples;
        check(enuf_gram_create(&options, &a.grams[t]));
        check(enuf_gram_set_points(a.grams[t], m->samples, k, k + 1, NULL, 2, weights));
        for (int64_t j = 0; j < m->samples; j++) a.shift[t] += lambda * weights[j];
    }
    a.seen = allocate(m->frames * m->coils * a.pixels, sizeof *a.seen);
    a.out = allocate(m->frames * m->coils * a.pixels, sizeof *a.out);
    return a;
}

static void free_normal(normal *a)
{
    for (int64_t t = 0; t < a->m->trajectories; t++) enuf_gram_destroy(&a->grams[t]);
    free(a->grams);
    free(a->shift);
    free(a->seen);
    free(a->out);
}

/* One frame from its coils: sum_c conj(s_c) of_coils_c. */
static void gather(const normal *a, const double complex *of_coils, double complex *image)
{
    memset(image, 0, (size_t)a->pixels * sizeof *image);
    for (int64_t c = 0; c < a->m->coils; c++)
        for (int64_t p = 0; p < a->pixels; p++) {
            const double complex map = a->m->maps ? a->m->maps[c * a->pixels + p] : 1;
            image[p] += conj(map) * of_coils[c * a->pixels + p];
        }
}

/* out = operator in, both [frames][pixels], without the factor 1/pixels^2 that both sides of the
 * equation have. */
static void apply(const normal *a, const double complex *in, double complex *out)
{
    const measurement *m = a->m;
    const int64_t stack = m->coils * a->pixels, together = m->frames / m->trajectories;
    for (int64_t i = 0; i < m->frames * stack; i++) {
        const double complex map = m->maps ? m->maps[i % stack] : 1;
        a->seen[i] = map * in[i / stack * a->pixels + i % a->pixels];
    }
    for (int64_t t = 0; t < m->trajectories; t++)
        check(enuf_gram_apply(a->grams[t], a->seen + t * together * stack,
                              a->out + t * together * stack));
    for (int64_t f = 0; f < m->frames; f++) {
        double complex *image = out + f * a->pixels;
        gather(a, a->out + f * stack, image);
        for (int64_t p = 0; p < a->pixels; p++)
            image[p] += a->shift[f / together] * in[f * a->pixels + p];
    }
}

static double product(int64_t n, const double complex *a, const double complex *b)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += creal(conj(a[i]) * b[i]);
    return sum;
}

/* right [frames][pixels] = pixels sum_c conj(s_c) (adjoint of weighted data_c) */
static void make_right_side(const normal *a, const enuf_nufft_options *method,
                            double complex *right)
{
    gridding_of_coils(a->m, method, a->out);
    for (int64_t f = 0; f < a->m->frames; f++) {
        gather(a, a->out + f * a->m->coils * a->pixels, right + f * a->pixels);
        for (int64_t p = 0; p < a->pixels; p++) right[f * a->pixels + p] *= (double)a->pixels;
    }
}

typedef struct vectors {
    double complex *residual, *direction, *image_of; /* [frames][pixels]; image_of: by operator */
    double *rr, *begin;                              /* [frames] squares of the residual */
} vectors;

/* Below this part of its first square a residual is rounding, and the frame rests. */
static const double SOLVED = 1e-30;

/* A step of each frame with a length of its own. */
static void step(const normal *a, vectors *v, double complex *images)
{
    const int64_t n = a->pixels;
    apply(a, v->direction, v->image_of);
    for (int64_t f = 0; f < a->m->frames; f++) {
        double complex *r = v->residual + f * n, *d = v->direction + f * n;
        const double complex *ad = v->image_of + f * n;
        const double curvature = product(n, d, ad);
        if (!(curvature > 0) || v->rr[f] <= SOLVED * v->begin[f]) continue;
        const double length = v->rr[f] / curvature;
        for (int64_t p = 0; p < n; p++) {
            images[f * n + p] += length * d[p];
            r[p] -= length * ad[p];
        }
        const double rr = product(n, r, r), kept = rr / v->rr[f];
        for (int64_t p = 0; p < n; p++) d[p] = r[p] + kept * d[p];
        v->rr[f] = rr;
    }
}

double least_squares_images(const measurement *m, const enuf_nufft_options *method,
                            const least_squares *request, double complex *images)
{
    normal a = make_normal(m, method, request->lambda);
    const int64_t all = m->frames * a.pixels;
    vectors v = {allocate(all, sizeof *v.residual), allocate(all, sizeof *v.direction),
                 allocate(all, sizeof *v.image_of), allocate(m->frames, sizeof *v.rr),
                 allocate(m->frames, sizeof *v.begin)};
    double worst = 0;
    make_right_side(&a, method, v.residual);
    memcpy(v.direction, v.residual, (size_t)all * sizeof *v.direction);
    memset(images, 0, (size_t)all * sizeof *images);
    for (int64_t f = 0; f < m->frames; f++)
        v.begin[f] = v.rr[f] =
            product(a.pixels, v.residual + f * a.pixels, v.residual + f * a.pixels);
    for (int done = 1; done <= request->iterations; done++) {
        step(&a, &v, images);
        if (request->progress) request->progress(done, request->iterations);
    }
    for (int64_t f = 0; f < m->frames; f++)
        if (v.begin[f] > 0) worst = fmax(worst, sqrt(v.rr[f] / v.begin[f]));
    free(v.residual);
    free(v.direction);
    free(v.image_of);
    free(v.rr);
    free(v.begin);
    free_normal(&a);
    return worst;
}
