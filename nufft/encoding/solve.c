/* solve.c - images from data, by conjugate gradients. SPDX-License-Identifier: BSD-3-Clause */
#include "object.h"
#include "caller_options.h"

#include <stddef.h>

static const char FUNCTION[] = "enuf_encoding_solve";

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
    int64_t n; /* real numbers of an image */
    void *residual, *direction, *product;
    void *image;
    double right; /* square of |A^H W data| */
    double left;  /* square of the residual's size */
    int iterations;
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
    ENUF_TRY(enuf_encode_and_decode(g->encoding, g->weights, of, g->product));
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

static enuf_status begin(gradients *g, const void *data)
{
    const int64_t bytes = enuf_image_bytes(g->encoding);
    ENUF_TRY(set_right(g, data));
    if (g->options->start) {
        ENUF_TRY(apply(g, g->image));
        ENUF_TRY(combine(g, 1, g->residual, -1, g->product, g->residual));
    } else {
        ENUF_TRY(g->passes->clear(g->encoding->base, bytes, g->image));
    }
    ENUF_TRY(g->passes->copy(g->encoding->base, bytes, g->residual, g->direction));
    return dot(g, g->residual, g->residual, &g->left);
}

static enuf_status iterate(gradients *g)
{
    const double share = g->options->tolerance;
    for (g->iterations = 0; g->iterations < g->options->iterations; g->iterations++) {
        double curvature, before = g->left;
        if (g->left <= share * share * g->right || g->left == 0) break;
        ENUF_TRY(apply(g, g->direction));
        ENUF_TRY(dot(g, g->direction, g->product, &curvature));
        if (curvature <= 0) break; /* rounding, or negative weights */
        const double step = g->left / curvature;
        ENUF_TRY(combine(g, 1, g->image, step, g->direction, g->image));
        ENUF_TRY(combine(g, 1, g->residual, -step, g->product, g->residual));
        ENUF_TRY(dot(g, g->residual, g->residual, &g->left));
        ENUF_TRY(combine(g, 1, g->residual, g->left / before, g->direction, g->direction));
    }
    return ENUF_SUCCESS;
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
    ENUF_TRY(begin(g, data));
    ENUF_TRY(iterate(g));
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
    for (int k = 0; k < 3; k++)
        ENUF_TRY(enuf_encoding_allocate(encoding, arrays[k], enuf_image_bytes(encoding), 1,
                                        "conjugate gradients"));
    if (weights)
        ENUF_TRY(enuf_encoding_take(encoding, ENUF_ROOM_WEIGHTS, "weights", weights,
                                    enuf_data_bytes(encoding) / 2, &g->weights));
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
