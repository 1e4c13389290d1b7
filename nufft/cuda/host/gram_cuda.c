/*
 * gram_cuda.c - a Gram operator of the cuda backend: its arrays are the base plan's, on its device
 * and stream. Host memory: vectors are copied to the device and back, and a call waits.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gram_cuda.h"
#include "cuda/device_memory.h"
#include "cuda/gram/gram.h"
#include "device_copies.h"
#include "on_device.h"
#include "record.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* All parts are transformed at once in so many bytes. */
enum { SMALL_WORK = 1 << 24 };

static enuf_cuda_gram *gram_of(const enuf_gram *gram)
{
    return gram->engine_data;
}

static int64_t vector_bytes(const enuf_gram *gram)
{
    return 2 * gram->n_modes * (int64_t)enuf_cuda_number(gram->base);
}

/* ---- Making ---- */

static enuf_status make_axis(enuf_gram *gram, int d)
{
    const enuf_gram_axis *from = &gram->axis[d];
    enuf_cuda_gram_axis *to = &gram_of(gram)->cells.axis[d];
    const int64_t numbers = 2 * from->n;
    const size_t number = enuf_cuda_number(gram->base);
    void *ramp;
    if (from->length > INT_MAX / 2)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_gram_create: transforms of length %lld: the GPU takes up to %d",
                         (long long)from->length, INT_MAX / 2);
    ENUF_TRY(enuf_cuda_allocate(gram->base, &ramp, numbers, number, "ramps of a Gram operator"));
    *to = (enuf_cuda_gram_axis){(int)from->n, (int)from->length, (int)from->low, ramp};
    return enuf_cuda_copy_in(gram->base, ramp, from->ramp, numbers * (int64_t)number);
}

static void set_number(enuf_precision precision, void *array, int64_t at, double value)
{
    if (precision == ENUF_FLOAT)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

/* The turn of a factor of a line, in units of 1/(2 length). */
static int turn_of(const enuf_cuda_gram_line *line, int at)
{
    const int small = line->small, large = line->large, length = line->length;
    if (small == 0) return 2 * at;
    const int part = at / length % 2, cell = at % length, back = at >= 2 * length;
    const int j = back ? cell % large : cell / small, k = back ? cell / large : cell % small;
    return j * (2 * k + part);
}

/* Factors of a transform, filled on the host. */
static enuf_status copy_twiddle(enuf_nufft *base, enuf_cuda_gram_line *line, int factors,
                                void *numbers)
{
    const int64_t bytes = 2 * factors * (int64_t)enuf_cuda_number(base);
    void *there;
    for (int k = 0; k < factors; k++) {
        const double angle = -3.14159265358979323846 * turn_of(line, k) / line->length;
        set_number(base->options.precision, numbers, 2 * k, cos(angle));
        set_number(base->options.precision, numbers, 2 * k + 1, sin(angle));
    }
    ENUF_TRY(enuf_cuda_allocate(base, &there, bytes, 1, "factors of a transform"));
    line->twiddle = there;
    ENUF_TRY(enuf_cuda_copy_in(base, there, numbers, bytes));
    return enuf_cuda_wait(base);
}

static enuf_status make_twiddle(enuf_nufft *base, enuf_cuda_gram_line *line)
{
    const int factors = (line->small ? 4 : 1) * line->length;
    void *numbers;
    ENUF_TRY(
        enuf_allocate(&numbers, 2 * factors, enuf_cuda_number(base), "factors of a transform"));
    const enuf_status status = copy_twiddle(base, line, factors, numbers);
    enuf_release(&numbers);
    return status;
}

static enuf_status make_lines(enuf_gram *gram)
{
    enuf_nufft *base = gram->base;
    enuf_cuda_gram *g = gram_of(gram);
    const size_t number = enuf_cuda_number(base);
    for (int d = 0; d < g->cells.dim; d++) ENUF_TRY(make_twiddle(base, &g->lines.line[d]));
    ENUF_TRY(enuf_cuda_allocate(base, &g->lines.rows, g->lines.numbers, number,
                                "a Gram operator's rows"));
    if (g->cells.dim == 2) return ENUF_SUCCESS;
    return enuf_cuda_allocate(base, &g->cells.work, 2 * gram->n_work, number,
                              "a Gram operator's modes");
}

static enuf_status make_parts(enuf_gram *gram)
{
    enuf_nufft *base = gram->base;
    enuf_cuda_gram *g = gram_of(gram);
    enuf_cuda_gram_cells *cells = &g->cells;
    const size_t number = enuf_cuda_number(base);
    const int64_t all = 2 * gram->n_spectrum * (int64_t)number;
    g->at_once = all <= SMALL_WORK ? cells->parts : 1;
    ENUF_TRY(enuf_cuda_allocate(base, &cells->work, 2 * g->at_once * cells->cells, number,
                                "a Gram operator's modes"));
    return enuf_cuda_gram_fft_make(base, cells, g->at_once, gram->options.precision == ENUF_FLOAT,
                                   &g->fft);
}

static enuf_status make_here(enuf_gram *gram)
{
    enuf_nufft *base = gram->base;
    enuf_cuda_gram *g = gram_of(gram);
    enuf_cuda_gram_cells *cells = &g->cells;
    const size_t number = enuf_cuda_number(base);
    cells->dim = gram->options.dim;
    cells->parts = 1 << cells->dim;
    cells->cells = gram->n_spectrum / cells->parts;
    cells->bad_result = &enuf_cuda_of(base)->record->bad_value;
    for (int d = 0; d < 3; d++) ENUF_TRY(make_axis(gram, d));
    ENUF_TRY(enuf_cuda_allocate(base, &cells->spectrum, gram->n_spectrum, number,
                                "a Gram operator's spectrum"));
    g->by_lines = enuf_cuda_gram_lines_find(base, cells, &g->lines);
    ENUF_TRY(g->by_lines ? make_lines(gram) : make_parts(gram));
    if (enuf_cuda_on_host(base)) {
        ENUF_TRY(enuf_cuda_allocate(base, &g->in, vector_bytes(gram), 1, "modes on their way"));
        ENUF_TRY(enuf_cuda_allocate(base, &g->out, vector_bytes(gram), 1, "modes on their way"));
    }
    return enuf_cuda_wait(base); /* the ramps are there */
}

static enuf_status make(enuf_gram *gram)
{
    enuf_cuda_gram *made;
    ENUF_TRY(enuf_allocate(&made, 1, sizeof *made, "a Gram operator"));
    memset(made, 0, sizeof *made);
    gram->engine_data = made;
    gram->base->options.memory_limit = gram->options.memory_limit;
    ON_DEVICE(gram->base, make_here(gram));
}

static enuf_status free_fft(enuf_gram *gram)
{
    enuf_cuda_gram_fft_free(gram->base, &gram_of(gram)->fft);
    return ENUF_SUCCESS;
}

static enuf_status free_here(enuf_gram *gram)
{
    ON_DEVICE(gram->base, free_fft(gram));
}

static void destroy(enuf_gram *gram)
{
    if (!gram->engine_data) return;
    free_here(gram); /* the other arrays go with the base plan */
    enuf_release(&gram->engine_data);
}

static int64_t bytes(const enuf_gram *gram)
{
    return gram->engine_data ? (int64_t)sizeof(enuf_cuda_gram) : 0;
}

/* ---- The spectrum ---- */

/* What filling holds, for a time. */
typedef struct filling {
    double *kernel, *cells; /* on the device; kernel NULL: the caller's is there */
    enuf_cuda_gram_fft fft;
} filling;

static enuf_status fill_parts(enuf_gram *gram, const double *kernel, const filling *f)
{
    const enuf_cuda_gram_cells *cells = &gram_of(gram)->cells;
    for (int part = 0; part < cells->parts; part++) {
        ENUF_TRY(enuf_cuda_gram_fold(gram->base, cells, part, kernel, f->cells));
        ENUF_TRY(enuf_cuda_gram_fft_run(&f->fft, 0, f->cells));
        ENUF_TRY(enuf_cuda_gram_keep(gram->base, cells, part, f->cells));
    }
    return enuf_cuda_wait(gram->base);
}

static enuf_status fill_with(enuf_gram *gram, const enuf_gram_kernel *kernel, filling *f)
{
    enuf_nufft *base = gram->base;
    const enuf_cuda_gram_cells *cells = &gram_of(gram)->cells;
    const double *from = kernel->numbers;
    if (enuf_cuda_on_host(base)) {
        ENUF_TRY(enuf_cuda_allocate(base, &f->kernel, kernel->n, sizeof(double), "T"));
        ENUF_TRY(enuf_cuda_copy_in(base, f->kernel, from, kernel->n * (int64_t)sizeof(double)));
        from = f->kernel;
    }
    ENUF_TRY(enuf_cuda_allocate(base, &f->cells, 2 * cells->cells, sizeof(double), "a part of T"));
    ENUF_TRY(enuf_cuda_gram_fft_make(base, cells, 1, 0, &f->fft));
    return fill_parts(gram, from, f);
}

static enuf_status fill_here(enuf_gram *gram, const enuf_gram_kernel *kernel)
{
    filling f = {0};
    const enuf_status status = fill_with(gram, kernel, &f);
    enuf_cuda_gram_fft_free(gram->base, &f.fft);
    enuf_cuda_release(gram->base, &f.cells);
    enuf_cuda_release(gram->base, &f.kernel);
    return status;
}

static enuf_status fill(enuf_gram *gram, const enuf_gram_kernel *kernel)
{
    ON_DEVICE(gram->base, fill_here(gram, kernel));
}

/* ---- Applying ---- */

static enuf_status apply_parts(enuf_gram *gram, const void *in, void *out)
{
    enuf_nufft *base = gram->base;
    const enuf_cuda_gram *g = gram_of(gram);
    if (g->by_lines) return enuf_cuda_gram_lines_apply(base, &g->cells, &g->lines, in, out);
    for (int first = 0; first < g->cells.parts; first += g->at_once) {
        ENUF_TRY(enuf_cuda_gram_scatter(base, &g->cells, first, g->at_once, in));
        ENUF_TRY(enuf_cuda_gram_fft_run(&g->fft, 0, g->cells.work));
        ENUF_TRY(enuf_cuda_gram_multiply(base, &g->cells, first, g->at_once));
        ENUF_TRY(enuf_cuda_gram_fft_run(&g->fft, 1, g->cells.work));
        ENUF_TRY(enuf_cuda_gram_gather(base, &g->cells, first, g->at_once, out));
    }
    return ENUF_SUCCESS;
}

static enuf_status report(enuf_gram *gram)
{
    const enuf_status status = enuf_cuda_record_report(gram->base, NULL);
    if (status != ENUF_NOT_FINITE) return status;
    return enuf_fail(status, "enuf_gram_apply: a result is NaN or infinite, as a mode may be");
}

static enuf_status apply_here(enuf_gram *gram, const void *in, void *out)
{
    enuf_nufft *base = gram->base;
    const enuf_cuda_gram *g = gram_of(gram);
    ENUF_TRY(enuf_cuda_check_memory(base, in, "in"));
    ENUF_TRY(enuf_cuda_check_memory(base, out, "out"));
    if (!enuf_cuda_on_host(base)) return apply_parts(gram, in, out);
    ENUF_TRY(enuf_cuda_copy_in(base, g->in, in, vector_bytes(gram)));
    ENUF_TRY(apply_parts(gram, g->in, g->out));
    ENUF_TRY(enuf_cuda_copy_out(base, out, g->out, vector_bytes(gram)));
    return report(gram);
}

static enuf_status apply(enuf_gram *gram, const void *in, void *out)
{
    ON_DEVICE(gram->base, apply_here(gram, in, out));
}

static enuf_status check(enuf_gram *gram)
{
    ON_DEVICE(gram->base, report(gram));
}

/* ---- Points in device memory ---- */

static enuf_status allocate(enuf_gram *gram, double **array, int64_t n, const char *what)
{
    ON_DEVICE(gram->base, enuf_cuda_allocate(gram->base, array, n, sizeof **array, what));
}

static enuf_status release_here(enuf_gram *gram, double **array)
{
    enuf_cuda_release(gram->base, array);
    return ENUF_SUCCESS;
}

static enuf_status release(enuf_gram *gram, double **array)
{
    ON_DEVICE(gram->base, release_here(gram, array));
}

static enuf_status weights_here(enuf_gram *gram, int64_t n, const void *weights, double *strengths)
{
    ENUF_TRY(enuf_cuda_check_memory(gram->base, weights, "weights"));
    ENUF_TRY(enuf_cuda_gram_weights(gram->base, n, weights, strengths));
    return enuf_cuda_wait(gram->base); /* the plan of T may have another stream */
}

static enuf_status read_weights(enuf_gram *gram, int64_t n, const void *weights, double *strengths)
{
    ON_DEVICE(gram->base, weights_here(gram, n, weights, strengths));
}

const enuf_gram_engine enuf_cuda_gram_engine = {.make = make,
                                                .destroy = destroy,
                                                .bytes = bytes,
                                                .fill = fill,
                                                .apply = apply,
                                                .check = check,
                                                .allocate = allocate,
                                                .release = release,
                                                .read_weights = read_weights};
