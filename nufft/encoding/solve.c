/* solve.c - images from data, by conjugate gradients. SPDX-License-Identifier: BSD-3-Clause */
#include "caller_options.h"
#include "normal.h"
#include "spectra.h"

#include <stddef.h>

static const char FUNCTION[] = "enuf_encoding_solve";

/* Gram operators miss those of the transforms by an error. Residuals that have shrunk to so many
 * errors are found anew by transforms: below it, what is left lies in directions that the data do
 * not see, and further iterations put it into the image. Spirals, radial and random samples of half
 * a pixel to three, 2D, 750 iterations: without it the image is wrong by factors of 2 to 2000. */
static const double TRUSTED = 10;

/* Iterations without a smaller residual, after which transforms take over. */
enum { PATIENCE = 20 };

void enuf_encoding_solve_options_init(enuf_encoding_solve_options *options)
{
    if (!options) return;
    *options = (enuf_encoding_solve_options){
        .struct_size = sizeof *options, .iterations = 30, .tolerance = 1e-6};
}

static enuf_status read_options(const enuf_encoding_solve_options *given,
                                enuf_encoding_solve_options *o)
{
    static const enuf_options_record record = {FUNCTION, "enuf_encoding_solve_options_init",
                                               sizeof *o,
                                               offsetof(enuf_encoding_solve_options, lambda)};
    enuf_encoding_solve_options_init(o);
    if (!given) return ENUF_SUCCESS;
    ENUF_TRY(enuf_read_options(&record, given, o));
    if (!(o->lambda >= 0 && isfinite(o->lambda)))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: lambda is %g: it must be finite and not negative",
                         FUNCTION, o->lambda);
    if (o->iterations < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: iterations is %d: use 0 or more", FUNCTION,
                         o->iterations);
    if (!(o->tolerance >= 0 && o->tolerance < 1))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: tolerance is %g: use 0 or more, below 1", FUNCTION,
                         o->tolerance);
    return ENUF_SUCCESS;
}

/* Weights on the host. */
static enuf_status check_weights(const enuf_encoding *encoding, const void *weights)
{
    const int single = encoding->options.precision == ENUF_FLOAT;
    const int64_t n = weights && encoding->options.memory == ENUF_HOST ? encoding->n_samples : 0;
    for (int64_t j = 0; j < n; j++) {
        const double w =
            single ? (double)((const float *)weights)[j] : ((const double *)weights)[j];
        if (!isfinite(w))
            return enuf_fail(ENUF_NOT_FINITE, "%s: weights[%lld] is NaN or infinite", FUNCTION,
                             (long long)j);
        if (w < 0)
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s: weights[%lld] is %g: use 0 or more", FUNCTION,
                             (long long)j, w);
    }
    return ENUF_SUCCESS;
}

/* One image under way; all arrays where the backend works, [pixels] complex. */
typedef struct gradients {
    enuf_encoding *encoding;
    const enuf_encoding_passes *passes;
    const enuf_encoding_solve_options *options;
    const void *weights;
    int spectra;    /* 1: there are Gram operators */
    int by_spectra; /* 1: A^H W A is applied by them */
    int64_t n;      /* real numbers of an image */
    void *residual, *direction, *product;
    void *image;
    double right; /* square of |A^H W data| */
    double left;  /* square of the residual's size */
    double begun; /* ... where it was found by transforms */
    double least; /* ... since then */
    int idle;     /* iterations since the least */
    int iterations;
    int stopped; /* 1: A^H W A is not positive */
} gradients;

static enuf_status combine(const gradients *g, double a, const void *x, double b, const void *y,
                           void *to)
{
    return g->passes->combine(g->encoding->base, g->n, a, x, b, y, to);
}

static enuf_status dot(const gradients *g, const void *x, const void *y, double *sum)
{
    ENUF_TRY(g->passes->dot(g->encoding->base, g->n, x, y, sum));
    if (isfinite(*sum)) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NOT_FINITE,
                     "the data, the weights or the image have NaN or infinite numbers, or sums of "
                     "their squares are too large");
}

/* product = (A^H W A + lambda) of. */
static enuf_status apply(const gradients *g, const void *of)
{
    ENUF_TRY(g->by_spectra ? enuf_spectra_apply(g->encoding, of, g->product)
                           : enuf_encode_and_decode(g->encoding, g->weights, of, g->product));
    return g->options->lambda > 0 ? combine(g, 1, g->product, g->options->lambda, of, g->product)
                                  : ENUF_SUCCESS;
}

/* residual = A^H W data of the image's coils. */
static enuf_status set_right(gradients *g, const void *data)
{
    enuf_encoding *encoding = g->encoding;
    const int64_t bytes = enuf_data_bytes(encoding);
    for (int coil = 0; coil < enuf_coils_of(encoding); coil++) {
        const void *from, *weighted;
        ENUF_TRY(enuf_encoding_take(encoding, ENUF_ROOM_IN, "data",
                                    (const char *)data + coil * bytes, bytes, &from));
        ENUF_TRY(enuf_weigh_data(encoding, g->weights, from, &weighted));
        ENUF_TRY(enuf_decode_coil(encoding, coil, weighted, g->residual));
    }
    return dot(g, g->residual, g->residual, &g->right);
}

/* residual = A^H W (data - A image) - lambda image, by transforms. */
static enuf_status find_residual(gradients *g, const void *data)
{
    enuf_encoding *encoding = g->encoding;
    const int64_t bytes = enuf_data_bytes(encoding), n = 2 * encoding->n_samples;
    for (int coil = 0; coil < enuf_coils_of(encoding); coil++) {
        const void *from, *weighted;
        ENUF_TRY(enuf_encode_coil(encoding, coil, g->image, encoding->data));
        ENUF_TRY(enuf_encoding_take(encoding, ENUF_ROOM_IN, "data",
                                    (const char *)data + coil * bytes, bytes, &from));
        ENUF_TRY(
            g->passes->combine(encoding->base, n, 1, from, -1, encoding->data, encoding->data));
        ENUF_TRY(enuf_weigh_data(encoding, g->weights, encoding->data, &weighted));
        ENUF_TRY(enuf_decode_coil(encoding, coil, weighted, g->residual));
    }
    if (g->options->lambda == 0) return ENUF_SUCCESS;
    return combine(g, 1, g->residual, -g->options->lambda, g->image, g->residual);
}

/* The first direction. */
static enuf_status begin(gradients *g)
{
    const int64_t bytes = enuf_image_bytes(g->encoding);
    ENUF_TRY(g->passes->copy(g->encoding->base, bytes, g->residual, g->direction));
    ENUF_TRY(dot(g, g->residual, g->residual, &g->left));
    g->begun = g->least = g->left;
    g->idle = 0;
    return ENUF_SUCCESS;
}

static enuf_status set_start(gradients *g, const void *data)
{
    ENUF_TRY(set_right(g, data));
    if (g->options->start) return find_residual(g, data);
    return g->passes->clear(g->encoding->base, enuf_image_bytes(g->encoding), g->image);
}

static int is_solved(const gradients *g)
{
    const double share = g->options->tolerance;
    return g->left <= share * share * g->right || g->left == 0;
}

/* 1: the residual is to be found by transforms. */
static int is_doubtful(const gradients *g)
{
    const double share = fmin(0.5, TRUSTED * g->encoding->report.normal_error);
    if (!g->by_spectra) return 0;
    return g->left <= share * share * g->begun || g->idle == PATIENCE || g->stopped;
}

static enuf_status iterate(gradients *g)
{
    while (g->iterations < g->options->iterations && !is_solved(g) && !is_doubtful(g)) {
        double curvature, before = g->left;
        ENUF_TRY(apply(g, g->direction));
        ENUF_TRY(dot(g, g->direction, g->product, &curvature));
        g->stopped = curvature <= 0; /* rounding, or negative weights */
        if (g->stopped) break;
        const double step = g->left / curvature;
        ENUF_TRY(combine(g, 1, g->image, step, g->direction, g->image));
        ENUF_TRY(combine(g, 1, g->residual, -step, g->product, g->residual));
        ENUF_TRY(dot(g, g->residual, g->residual, &g->left));
        ENUF_TRY(combine(g, 1, g->residual, g->left / before, g->direction, g->direction));
        g->idle = g->left < g->least ? 0 : g->idle + 1;
        g->least = fmin(g->least, g->left);
        g->iterations++;
    }
    return ENUF_SUCCESS;
}

/* By Gram operators in parts, as long as each of them makes the residual smaller; the rest by
 * transforms. */
static enuf_status iterate_all(gradients *g, const void *data)
{
    g->iterations = g->stopped = 0;
    g->by_spectra = g->spectra;
    ENUF_TRY(begin(g));
    for (;;) {
        const double before = g->begun;
        ENUF_TRY(iterate(g));
        if (!is_doubtful(g) || g->left == 0) return ENUF_SUCCESS;
        ENUF_TRY(find_residual(g, data));
        const int served = g->idle < PATIENCE && !g->stopped;
        ENUF_TRY(begin(g));
        g->by_spectra = served && g->begun < 0.25 * before;
        g->stopped = 0;
    }
}

/* One image: data and image are the caller's. */
static enuf_status solve_one(gradients *g, const void *data, void *image,
                             enuf_encoding_solution *solution)
{
    enuf_encoding *encoding = g->encoding;
    const int64_t bytes = enuf_image_bytes(encoding);
    const void *start;
    ENUF_TRY(enuf_encoding_place(encoding, ENUF_ROOM_OUT, "image", image, &g->image));
    if (g->options->start)
        ENUF_TRY(enuf_encoding_take(encoding, ENUF_ROOM_OUT, "image", image, bytes, &start));
    ENUF_TRY(set_start(g, data));
    ENUF_TRY(iterate_all(g, data));
    ENUF_TRY(enuf_encoding_give(encoding, image, bytes, g->image));
    const double residual = g->right > 0 ? sqrt(g->left / g->right) : sqrt(g->left);
    if (g->iterations > solution->iterations) solution->iterations = g->iterations;
    solution->residual = fmax(solution->residual, residual);
    return ENUF_SUCCESS;
}

static enuf_status solve_all(gradients *g, const void *data, const void *weights, void *image,
                             enuf_encoding_solution *solution)
{
    enuf_encoding *encoding = g->encoding;
    void *arrays[3] = {&g->residual, &g->direction, &g->product};
    const int64_t of_data = enuf_coils_of(encoding) * enuf_data_bytes(encoding);
    const double applications = (double)enuf_images_of(encoding) * enuf_coils_of(encoding) *
                                ((double)g->options->iterations + g->options->start);
    for (int k = 0; k < 3; k++)
        ENUF_TRY(enuf_encoding_allocate(encoding, arrays[k], enuf_image_bytes(encoding), 1,
                                        "conjugate gradients"));
    if (weights)
        ENUF_TRY(enuf_encoding_take(encoding, ENUF_ROOM_WEIGHTS, "weights", weights,
                                    enuf_data_bytes(encoding) / 2, &g->weights));
    ENUF_TRY(enuf_normal_for_solve(encoding, applications, weights, &g->spectra));
    for (int v = 0; v < enuf_images_of(encoding); v++)
        ENUF_TRY(solve_one(g, (const char *)data + v * of_data,
                           (char *)image + v * enuf_image_bytes(encoding), solution));
    return ENUF_SUCCESS;
}

enuf_status enuf_encoding_solve(enuf_encoding *encoding, const void *data, const void *weights,
                                const enuf_encoding_solve_options *options, void *image,
                                enuf_encoding_solution *solution)
{
    enuf_encoding_solve_options o;
    enuf_encoding_solution found = {.struct_size = sizeof found};
    ENUF_TRY(enuf_encoding_need(encoding, FUNCTION, 1));
    ENUF_TRY(enuf_encoding_need_array(data, encoding->n_samples, FUNCTION, "data"));
    ENUF_TRY(enuf_encoding_need_array(image, encoding->n_pixels, FUNCTION, "image"));
    ENUF_TRY(read_options(options, &o));
    ENUF_TRY(check_weights(encoding, weights));
    if (solution && solution->struct_size != sizeof *solution)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "%s: solution->struct_size is %zu, not sizeof(enuf_encoding_solution), %zu", FUNCTION,
            solution->struct_size, sizeof *solution);
    gradients g = {.encoding = encoding,
                   .passes = enuf_passes_of(encoding),
                   .options = &o,
                   .n = 2 * encoding->n_pixels};
    const enuf_status status =
        enuf_encoding_finish(encoding, solve_all(&g, data, weights, image, &found));
    enuf_encoding_release(encoding, &g.residual);
    enuf_encoding_release(encoding, &g.direction);
    enuf_encoding_release(encoding, &g.product);
    if (status != ENUF_SUCCESS) return enuf_encoding_failed(status, FUNCTION);
    if (solution) *solution = found;
    return ENUF_SUCCESS;
}
