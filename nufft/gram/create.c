/* create.c - making, reporting and freeing Gram operators. SPDX-License-Identifier: BSD-3-Clause */
#include "finding.h"
#include "plan/options.h"

#include <math.h>
#include <string.h>

static const char CREATE[] = "enuf_gram_create";

static enuf_status check_options(const enuf_nufft_options *o)
{
    ENUF_TRY(enuf_nufft_check_problem(CREATE, o));
    if (o->strengths == ENUF_REAL_STRENGTHS)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "%s: strengths are real: use ENUF_COMPLEX_STRENGTHS, with all modes",
                         CREATE);
    if (o->type3)
        return enuf_fail(ENUF_UNSUPPORTED, "%s: type 3 has no modes: use type 1 and 2", CREATE);
    if (o->point_sets > 1)
        return enuf_fail(ENUF_UNSUPPORTED, "%s: point_sets is %d: make an object for each set",
                         CREATE, o->point_sets);
    if (o->memory_limit < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: memory_limit is %lld: use 0 (none) or bytes",
                         CREATE, (long long)o->memory_limit);
    for (int d = 0; d < o->dim; d++) {
        const int64_t n = o->modes[d], given = o->fine_grid[d];
        if (n < 0 || n > INT64_MAX / 64)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: modes[%d] is %lld: set the number of modes, 0 or more, of each "
                             "of the %d axes",
                             CREATE, d, (long long)n, o->dim);
        if (given != 0 && (given < 2 * n || given < 2 || given % 2 != 0 || given > INT64_MAX / 4))
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: fine_grid[%d] is %lld: use 0, or an even number of at least %lld",
                             CREATE, d, (long long)given, (long long)(n > 0 ? 2 * n : 2));
    }
    return ENUF_SUCCESS;
}

/* Cost of a transform of a length 2^a odd, in passes of radix 2: `passes` are those of the odd
 * part. Odd lengths use vectors badly. */
static double cost_of(int64_t length, double passes, int dim)
{
    int64_t rest = length;
    passes += 1; /* reading and writing */
    for (; rest % 2 == 0; rest /= 2) passes += 1;
    return (length % 2 ? 1.3 : 1) * passes * pow((double)length, dim);
}

/* The cheapest length from n on without a prime factor above 7. Passes of radix 3, 5, 7 are by
 * operators of 62 and 94 cubed with FFTW on one core: with 64 instead of 63 they take half of the
 * time. */
int64_t enuf_gram_length(int64_t n, int dim)
{
    const int64_t most = 2 * n + 2;
    int64_t best = 0;
    double least = INFINITY, p7 = 0;
    for (int64_t f7 = 1; f7 <= most; f7 *= 7, p7 += 4.5) {
        double p5 = p7;
        for (int64_t f5 = f7; f5 <= most; f5 *= 5, p5 += 3.3) {
            double p3 = p5;
            for (int64_t f3 = f5; f3 <= most; f3 *= 3, p3 += 2) {
                int64_t length = f3;
                while (length < n) length *= 2;
                const double cost = cost_of(length, p3, dim);
                if (cost >= least) continue;
                least = cost;
                best = length;
            }
        }
    }
    return best;
}

static void size_axis(const enuf_nufft_options *o, int d, enuf_gram_axis *axis)
{
    const int64_t n = d < o->dim ? o->modes[d] : 1, given = d < o->dim ? o->fine_grid[d] : 2;
    axis->n = n;
    axis->length = given > 0 ? given / 2 : enuf_gram_length(n, o->dim);
    /* the operator sees differences of modes: centred ones may count from 0 */
    axis->low = o->mode_order == ENUF_CENTRED ? n : (n + 1) / 2;
}

static void set_number(const enuf_gram *gram, void *array, int64_t at, double value)
{
    if (gram->options.precision == ENUF_FLOAT)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

static enuf_status make_ramp(const enuf_gram *gram, enuf_gram_axis *axis)
{
    const int64_t n = axis->n;
    ENUF_TRY(enuf_allocate(&axis->ramp, 2 * n, enuf_number_size(gram->base),
                           "ramps of a Gram operator"));
    for (int64_t i = 0; i < n; i++) {
        const double m = (double)(i < axis->low ? i : i - n);
        const double angle = -3.14159265358979323846 * (m / (double)axis->length);
        set_number(gram, axis->ramp, 2 * i, cos(angle));
        set_number(gram, axis->ramp, 2 * i + 1, sin(angle));
    }
    return ENUF_SUCCESS;
}

/* A plan of a single cell. */
static enuf_status make_base(const enuf_nufft_options *o, enuf_nufft **base)
{
    enuf_nufft_options cell = *o;
    for (int d = 0; d < 3; d++) {
        cell.modes[d] = 1;
        cell.fine_grid[d] = 0;
    }
    cell.batch = 1;
    cell.tolerance = 0.1;
    cell.window = ENUF_WINDOW_PROLATE;
    cell.width = 0;
    cell.shape = cell.upsampling = 0;
    cell.no_grid = 1;
    cell.level = ENUF_LEVEL_SORTED;
    cell.fft_wisdom = NULL;
    cell.memory_limit = 0;
    return enuf_nufft_create(&cell, base);
}

int64_t enuf_gram_bytes(const enuf_gram *gram)
{
    const int64_t number = (int64_t)enuf_number_size(gram->base);
    int64_t ramps = 0;
    for (int d = 0; d < 3 && gram->n_modes > 0; d++) ramps += 2 * gram->axis[d].n * number;
    return (int64_t)sizeof *gram + ramps + enuf_nufft_bytes(gram->base) +
           gram->base->backend->gram->bytes(gram);
}

static enuf_status too_large(const enuf_gram *gram, double numbers)
{
    const double limit = (double)gram->options.memory_limit;
    const double bytes = numbers * (double)enuf_number_size(gram->base);
    if (numbers < 1e15 && (limit == 0 || bytes <= limit)) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "%s: the spectrum of %lld x %lld x %lld frequencies and a copy of the modes "
                     "take %.3g GB; memory_limit is %.3g GB (0: none)",
                     CREATE, (long long)(2 * gram->axis[0].length),
                     (long long)(gram->options.dim > 1 ? 2 * gram->axis[1].length : 1),
                     (long long)(gram->options.dim > 2 ? 2 * gram->axis[2].length : 1), bytes / 1e9,
                     limit / 1e9);
}

/* Numbers of the arrays, refused where no memory holds them. */
static enuf_status size_arrays(enuf_gram *gram)
{
    const int last = gram->options.dim - 1;
    double spectrum = 1, work = 1;
    gram->n_modes = 1;
    for (int d = 0; d < 3; d++) size_axis(&gram->options, d, &gram->axis[d]);
    for (int d = 0; d <= last; d++) {
        const enuf_gram_axis *axis = &gram->axis[d];
        spectrum *= 2 * (double)axis->length;
        work *= (double)(d == last ? axis->length : axis->n);
        if (axis->n == 0) gram->n_modes = 0;
    }
    if (gram->n_modes == 0) return ENUF_SUCCESS;
    ENUF_TRY(too_large(gram, spectrum + 2 * work));
    for (int d = 0; d <= last; d++) gram->n_modes *= gram->axis[d].n;
    gram->n_spectrum = (int64_t)spectrum;
    gram->n_work = (int64_t)work;
    return ENUF_SUCCESS;
}

static enuf_status make(enuf_gram *gram)
{
    const enuf_nufft_options *o = &gram->options;
    ENUF_TRY(make_base(o, &gram->base));
    const enuf_gram_engine *engine = gram->base->backend->gram;
    if (!engine)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "%s: the %s backend has no Gram operator: use ENUF_BACKEND_CPU, or type 2 "
                         "and its adjoint",
                         CREATE, gram->base->backend->name);
    ENUF_TRY(size_arrays(gram));
    if (gram->n_modes == 0) return ENUF_SUCCESS;
    for (int d = 0; d < 3; d++) ENUF_TRY(make_ramp(gram, &gram->axis[d]));
    return engine->make(gram);
}

enuf_status enuf_gram_create(const enuf_nufft_options *options, enuf_gram **out)
{
    enuf_nufft_options o;
    enuf_gram *made;
    if (!out) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: gram is NULL", CREATE);
    *out = NULL;
    ENUF_TRY(enuf_nufft_read_options(CREATE, options, &o));
    ENUF_TRY(check_options(&o));
    ENUF_TRY(enuf_allocate(&made, 1, sizeof *made, "a Gram operator"));
    memset(made, 0, sizeof *made);
    made->options = o;
    made->options.fft_wisdom = NULL; /* the caller's text */
    const enuf_status status = make(made);
    if (status != ENUF_SUCCESS) {
        enuf_gram_destroy(&made);
        return status;
    }
    *out = made;
    return ENUF_SUCCESS;
}

void enuf_gram_destroy(enuf_gram **gram)
{
    if (!gram || !*gram) return;
    enuf_gram *g = *gram;
    if (g->base && g->base->backend->gram) g->base->backend->gram->destroy(g);
    for (int d = 0; d < 3; d++) enuf_release(&g->axis[d].ramp);
    enuf_nufft_destroy(&g->base);
    enuf_release(gram);
}

enuf_status enuf_gram_get_report(const enuf_gram *gram, enuf_gram_report *report)
{
    static const char function[] = "enuf_gram_get_report";
    if (!gram) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: gram is NULL", function);
    if (!report || report->struct_size != sizeof *report)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: report is NULL, or its struct_size is not "
                         "sizeof(enuf_gram_report), %zu",
                         function, sizeof *report);
    report->backend = gram->base->backend->kind;
    for (int d = 0; d < 3; d++) report->length[d] = gram->axis[d].length;
    report->error = gram->error;
    report->bytes = enuf_gram_bytes(gram);
    return ENUF_SUCCESS;
}
