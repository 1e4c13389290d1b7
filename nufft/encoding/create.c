/* create.c - options, making, reporting and freeing encodings. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "caller_options.h"
#include "spectra.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char CREATE[] = "enuf_encoding_create";

void enuf_encoding_options_init(enuf_encoding_options *options)
{
    if (!options) return;
    memset(options, 0, sizeof *options);
    options->struct_size = sizeof *options;
    options->dim = 1;
    for (int d = 0; d < 3; d++) options->pixels[d] = -1;
    options->sign = -1;
    options->batch = 1;
    options->tolerance = 1e-4;
    options->device = -1;
}

static enuf_status read_options(const enuf_encoding_options *given, enuf_encoding_options *options)
{
    static const enuf_options_record record = {CREATE, "enuf_encoding_options_init",
                                               sizeof *options,
                                               offsetof(enuf_encoding_options, pixels)};
    enuf_encoding_options_init(options);
    return enuf_read_options(&record, given, options);
}

static enuf_status refuse(const char *what, double value, const char *right)
{
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is %.17g: %s", CREATE, what, value, right);
}

/* What the plan of one cell does not check, or calls otherwise. */
static enuf_status check_options(const enuf_encoding_options *o)
{
    double pixels = 1;
    if (o->dim < 1 || o->dim > 3) return refuse("dim", o->dim, "use 1, 2 or 3");
    if (o->precision != ENUF_DOUBLE && o->precision != ENUF_FLOAT)
        return refuse("precision", o->precision, "use ENUF_DOUBLE or ENUF_FLOAT");
    for (int d = 0; d < o->dim; d++) {
        if (o->pixels[d] < 0)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: pixels[%d] is %lld: set the number of pixels, 0 or more, of each "
                             "of the %d axes",
                             CREATE, d, (long long)o->pixels[d], o->dim);
        pixels *= (double)o->pixels[d];
    }
    if (pixels * o->batch > 1e15)
        return enuf_fail(ENUF_OUT_OF_MEMORY, "%s: %d times %.3g pixels: no memory holds them",
                         CREATE, o->batch, pixels);
    const double least = o->precision == ENUF_FLOAT ? 2e-6 : 2e-14;
    if (!(o->tolerance >= 0.999 * least && o->tolerance <= 0.1001))
        return enuf_fail(o->tolerance > 0 && o->tolerance < least ? ENUF_UNREACHABLE_ACCURACY
                                                                  : ENUF_BAD_ARGUMENT,
                         "%s: tolerance %.3g: %s precision serves 1e-1 to %.0e", CREATE,
                         o->tolerance, o->precision == ENUF_FLOAT ? "float" : "double", least);
    if (!enuf_separation_name(o->separation))
        return refuse("separation", o->separation, "use one of ENUF_SEPARATIONS");
    if (!enuf_normal_name(o->normal)) return refuse("normal", o->normal, "use one of ENUF_NORMALS");
    if (o->memory_limit < 0)
        return refuse("memory_limit", (double)o->memory_limit, "use 0 (none) or a number of bytes");
    return ENUF_SUCCESS;
}

/* A plan of a single cell. */
static enuf_status make_base(const enuf_encoding_options *o, enuf_nufft **base)
{
    enuf_nufft_options cell;
    enuf_nufft_options_init(&cell);
    cell.dim = o->dim;
    for (int d = 0; d < 3; d++) cell.modes[d] = 1;
    cell.precision = o->precision;
    cell.sign = o->sign;
    cell.mode_order = o->mode_order;
    cell.batch = o->batch;
    cell.tolerance = 0.1;
    cell.backend = o->backend;
    cell.isa = o->isa;
    cell.fft = o->fft;
    cell.memory = o->memory;
    cell.device = o->device;
    cell.stream = o->stream;
    cell.threads = o->threads;
    cell.no_grid = 1;
    return enuf_nufft_create(&cell, base);
}

enuf_status enuf_encoding_create(const enuf_encoding_options *options, enuf_encoding **out)
{
    enuf_encoding_options o;
    enuf_encoding *made;
    if (!out) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: encoding is NULL", CREATE);
    *out = NULL;
    ENUF_TRY(read_options(options, &o));
    ENUF_TRY(check_options(&o));
    ENUF_TRY(enuf_allocate(&made, 1, sizeof *made, "an encoding"));
    memset(made, 0, sizeof *made);
    for (int d = o.dim; d < 3; d++) o.pixels[d] = 1;
    made->options = o;
    made->n_pixels = o.pixels[0] * o.pixels[1] * o.pixels[2];
    const enuf_status status = make_base(&o, &made->base);
    if (status != ENUF_SUCCESS) {
        enuf_release(&made);
        return enuf_encoding_failed(status, CREATE);
    }
    made->options.device = made->base->options.device;
    *out = made;
    return ENUF_SUCCESS;
}

void enuf_encoding_drop_field(enuf_encoding *encoding)
{
    void *arrays[] = {&encoding->of_samples, &encoding->of_pixels, &encoding->data,
                      &encoding->image};
    enuf_nufft_destroy(&encoding->transform);
    enuf_spectra_free(encoding);
    void *of_maps[] = {&encoding->spectra.of_pixels, &encoding->spectra.omega,
                       &encoding->spectra.decay};
    for (size_t k = 0; k < sizeof of_maps / sizeof *of_maps; k++)
        enuf_encoding_release(encoding, of_maps[k]);
    enuf_pairs_free(&encoding->spectra.pairs);
    memset(&encoding->spectra, 0, sizeof encoding->spectra);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        enuf_encoding_release(encoding, arrays[k]);
    for (int k = 0; k < ENUF_ROOMS; k++) enuf_encoding_release(encoding, &encoding->room[k]);
    encoding->calls = encoding->plain = 0;
}

void enuf_encoding_destroy(enuf_encoding **encoding)
{
    if (!encoding || !*encoding) return;
    enuf_encoding *e = *encoding;
    enuf_encoding_drop_field(e);
    enuf_encoding_release(e, &e->places);
    enuf_encoding_release(e, &e->times);
    enuf_encoding_release(e, &e->sensitivities);
    enuf_nufft_destroy(&e->base);
    enuf_release(encoding);
}

enuf_status enuf_encoding_get_report(const enuf_encoding *encoding, enuf_encoding_report *report)
{
    static const char function[] = "enuf_encoding_get_report";
    ENUF_TRY(enuf_encoding_need(encoding, function, 1));
    if (!report || report->struct_size != sizeof *report)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: report is NULL, or its struct_size is not "
                         "sizeof(enuf_encoding_report), %zu",
                         function, sizeof *report);
    *report = encoding->report;
    report->bytes = enuf_encoding_bytes(encoding);
    return ENUF_SUCCESS;
}

/* ---- Errors and memory ---- */

enuf_status enuf_encoding_need(const enuf_encoding *encoding, const char *function, int field)
{
    if (!encoding) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: encoding is NULL", function);
    if (!encoding->samples_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_encoding_set_samples() first",
                         function);
    if (field && !encoding->transform)
        return enuf_fail(ENUF_NO_POINTS_SET,
                         "%s: call enuf_encoding_set_field() first, after "
                         "enuf_encoding_set_samples(); all maps may be NULL",
                         function);
    return ENUF_SUCCESS;
}

enuf_status enuf_encoding_failed(enuf_status status, const char *function)
{
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, function);
}
