/* options.c - defaults and checks of plan options. SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"
#include "caller_options.h"
#include "names.h"
#include "windows/window.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void enuf_nufft_options_init(enuf_nufft_options *options)
{
    if (!options) return;
    memset(options, 0, sizeof *options);
    options->struct_size = sizeof *options;
    options->dim = 1;
    for (int d = 0; d < 3; d++) options->modes[d] = -1;
    options->sign = -1;
    options->batch = 1;
    options->period = 1;
    options->tolerance = 1e-6;
    options->density = 1;
    options->point_sets = 1;
    options->device = -1;
}

enuf_status enuf_nufft_read_options(const char *caller, const enuf_nufft_options *given,
                                    enuf_nufft_options *options)
{
    const enuf_options_record record = {caller, "enuf_nufft_options_init", sizeof *options,
                                        offsetof(enuf_nufft_options, modes)};
    enuf_nufft_options_init(options);
    return enuf_read_options(&record, given, options);
}

static enuf_status refuse_of(const char *caller, const char *what, double value, const char *right)
{
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is %.17g: %s", caller, what, value, right);
}

static enuf_status refuse(const char *what, double value, const char *right)
{
    return refuse_of("enuf_nufft_create", what, value, right);
}

enuf_status enuf_nufft_check_problem(const char *caller, const enuf_nufft_options *o)
{
    if (o->dim < 1 || o->dim > 3) return refuse_of(caller, "dim", o->dim, "use 1, 2 or 3");
    if (o->precision != ENUF_DOUBLE && o->precision != ENUF_FLOAT)
        return refuse_of(caller, "precision", o->precision, "use ENUF_DOUBLE or ENUF_FLOAT");
    if (o->strengths != ENUF_COMPLEX_STRENGTHS && o->strengths != ENUF_REAL_STRENGTHS)
        return refuse_of(caller, "strengths", o->strengths,
                         "use ENUF_COMPLEX_STRENGTHS or ENUF_REAL_STRENGTHS");
    if (o->sign != -1 && o->sign != 1) return refuse_of(caller, "sign", o->sign, "use -1 or +1");
    if (o->type2_sign < -1 || o->type2_sign > 1)
        return refuse_of(caller, "type2_sign", o->type2_sign,
                         "use -1, +1, or 0 for the opposite of sign");
    if (o->mode_order != ENUF_CENTRED && o->mode_order != ENUF_FFT_ORDER)
        return refuse_of(caller, "mode_order", o->mode_order, "use ENUF_CENTRED or ENUF_FFT_ORDER");
    if (o->point_sets != 1 && o->point_sets != o->batch)
        return refuse_of(caller, "point_sets", o->point_sets, "use 1, or the batch");
    if (o->batch < 1) return refuse_of(caller, "batch", o->batch, "use 1 or more");
    if (!(o->period > 0 && isfinite(o->period)))
        return refuse_of(caller, "period", o->period, "it must be positive and finite");
    if (o->threads < 0 || o->threads > ENUF_MAX_THREADS)
        return refuse_of(caller, "threads", o->threads, "use 0 (OpenMP's number) to 4096");
    return ENUF_SUCCESS;
}

/* The enumerations of the method: a value that no list has is refused by name. */
static enuf_status check_choices(const enuf_nufft_options *o)
{
    if (!enuf_window_kind_of(o->window))
        return refuse("window", o->window, "use one of ENUF_WINDOWS");
    if (!enuf_backend_name(o->backend))
        return refuse("backend", o->backend, "use one of ENUF_BACKENDS");
    if (o->memory != ENUF_HOST && o->memory != ENUF_DEVICE)
        return refuse("memory", o->memory, "use ENUF_HOST or ENUF_DEVICE");
    if ((int)o->fft_effort < 0 || o->fft_effort > ENUF_FFT_PATIENT)
        return refuse("fft_effort", o->fft_effort, "use ENUF_FFT_ESTIMATE, _MEASURE or _PATIENT");
    if (!enuf_fft_name(o->fft)) return refuse("fft", o->fft, "use one of ENUF_FFTS");
    if (!enuf_level_name(o->level)) return refuse("level", o->level, "use one of ENUF_LEVELS");
    if (!enuf_strategy_name(o->spreading))
        return refuse("spreading", (int)o->spreading, "use one of ENUF_STRATEGIES");
    if (!enuf_strategy_name(o->interpolation))
        return refuse("interpolation", (int)o->interpolation, "use one of ENUF_STRATEGIES");
    if (o->window_table != 0 && o->window_table != 1)
        return refuse("window_table", o->window_table, "use 0 (polynomials) or 1");
    if ((int)o->point_storage < 0 || o->point_storage > ENUF_POINTS_AUTO)
        return refuse("point_storage", o->point_storage,
                      "use ENUF_POINTS_PACKED, _INDEXED or _AUTO");
    return ENUF_SUCCESS;
}

static enuf_status check_sizes(const enuf_nufft_options *o)
{
    double most = 1; /* in double, so that no product overflows */
    for (int d = 0; d < o->dim; d++) {
        if (o->modes[d] == -1)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "enuf_nufft_create: modes[%d] is -1, as enuf_nufft_options_init() "
                             "leaves it: set the number of modes of each of the %d axes",
                             d, o->dim);
        if (o->modes[d] < 0)
            return refuse("modes", (double)o->modes[d], "a number of modes is not negative");
        most *= fmax((double)o->modes[d], (double)o->fine_grid[d]) + 1;
        if (most > 1e15) continue; /* modes + 1 may overflow */
        if (o->fine_grid[d] < 0 || (o->fine_grid[d] > 0 && o->fine_grid[d] < o->modes[d] + 1))
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "enuf_nufft_create: fine_grid %lld for %lld modes: use %lld or more",
                             (long long)o->fine_grid[d], (long long)o->modes[d],
                             (long long)o->modes[d] + 1);
        if ((o->fine_grid[d] > 0) != (o->fine_grid[0] > 0))
            return refuse("fine_grid", (double)o->fine_grid[d], "give all axes or none");
    }
    if (most > 1e15)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "enuf_nufft_create: %.3g modes or cells: no memory holds more than 1e15: "
                         "ask for fewer",
                         most);
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_check_options(const enuf_nufft_options *o)
{
    ENUF_TRY(enuf_nufft_check_problem("enuf_nufft_create", o));
    ENUF_TRY(check_choices(o));
    ENUF_TRY(check_sizes(o));
    double least = o->precision == ENUF_FLOAT ? 1e-6 : 1e-14;
    if (o->tolerance == 0 && o->width == 0)
        return refuse("tolerance", 0, "give a tolerance, or a width with tolerance 0");
    if (o->tolerance != 0 && !(o->tolerance >= 0.999 * least && o->tolerance <= 0.1001))
        return enuf_fail(o->tolerance > 0 && o->tolerance < least ? ENUF_UNREACHABLE_ACCURACY
                                                                  : ENUF_BAD_ARGUMENT,
                         "enuf_nufft_create: tolerance %.3g: %s precision serves 1e-1 to %.0e",
                         o->tolerance, o->precision == ENUF_FLOAT ? "float" : "double", least);
    if (o->width != 0 && (o->width < 2 || o->width > ENUF_MAX_WIDTH))
        return refuse("width", o->width, "use 2 to 32 cells, or 0 to let the tolerance choose");
    if (o->shape < 0 || !isfinite(o->shape))
        return refuse("shape", o->shape, "it must be positive, or 0 for the default");
    if (o->upsampling != 0 && !(o->upsampling >= 1 && o->upsampling <= 64))
        return refuse("upsampling", o->upsampling, "use 1 to 64, or 0 to let the tolerance choose");
    if (!(o->density > 0 && isfinite(o->density)))
        return refuse("density", o->density, "it must be positive and finite");
    if (!(o->strength_bound >= 0 && isfinite(o->strength_bound)))
        return refuse("strength_bound", o->strength_bound, "it must be finite and not negative");
    if (o->memory_limit < 0)
        return refuse("memory_limit", (double)o->memory_limit, "use 0 (none) or a number of bytes");
    return ENUF_SUCCESS;
}

ENUF_DEFINE_NAMES(enuf_level, ENUF_LEVELS, "level")
ENUF_DEFINE_NAMES(enuf_strategy, ENUF_STRATEGIES, "strategy")

int enuf_nufft_has_strategy(int dim, int spreads, enuf_strategy strategy)
{
    switch (strategy) {
    case ENUF_STRATEGY_SLIDE:
        return spreads && dim == 3;
    case ENUF_STRATEGY_POINTS:
        return !spreads && dim == 3;
    case ENUF_STRATEGY_GATHER:
        return !spreads;
    default:
        return 1;
    }
}

int enuf_nufft_reads_table(int dim, enuf_strategy strategy)
{
    return dim < 3 || strategy == ENUF_STRATEGY_WINDOWS;
}
