/* create.c - making and freeing batches. SPDX-License-Identifier: BSD-3-Clause */
#include "batch.h"
#include "caller_options.h"
#include "object/backend.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

static const char FUNCTION[] = "enuf_ewald_batch_create";

/* exp(-6.3^2) = 6e-18, as in exact sums: what is left out stays below the rounding of the force
 * between neighbours, even if it adds up coherently, as in a crystal. exp(-4.4^2) = 4e-9 does so
 * for the rounding of floats. */
static const double STEEPEST = 6.3, STEEP_IN_FLOAT = 4.4;

/* Allowed error of the pair polynomials in cutoffs, where the arithmetic is float. */
static const double TABLE_ERROR_IN_FLOAT = 1e-8;

void enuf_ewald_batch_options_init(enuf_ewald_batch_options *options)
{
    if (!options) return;
    memset(options, 0, sizeof *options);
    options->struct_size = sizeof *options;
    options->coulomb = 1;
    options->device = -1;
}

static enuf_status read_options(const enuf_ewald_batch_options *given,
                                enuf_ewald_batch_options *options)
{
    static const enuf_options_record record = {FUNCTION, "enuf_ewald_batch_options_init",
                                               sizeof *options,
                                               offsetof(enuf_ewald_batch_options, precision)};
    enuf_ewald_batch_options_init(options);
    return enuf_read_options(&record, given, options);
}

static enuf_status refuse(const char *what, int value, const char *right)
{
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is %d: %s", FUNCTION, what, value, right);
}

static enuf_status check_numbers(const enuf_ewald_batch_options *o)
{
    if (!isfinite(o->coulomb))
        return enuf_fail(ENUF_NOT_FINITE, "%s: coulomb is %g", FUNCTION, o->coulomb);
    if (!(o->tolerance >= 0 && o->tolerance <= 1e-2))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: tolerance is %g: use 0 (rounding) or a number up to 1e-2", FUNCTION,
                         o->tolerance);
    if (o->surroundings != 0 && !(o->surroundings >= 1 && isfinite(o->surroundings)))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: surroundings is %g: use 0 (tinfoil) or at least 1 (vacuum)", FUNCTION,
                         o->surroundings);
    return ENUF_SUCCESS;
}

static enuf_status check_options(const enuf_ewald_batch_options *o)
{
    if (o->precision != ENUF_DOUBLE && o->precision != ENUF_FLOAT)
        return refuse("precision", (int)o->precision, "use ENUF_DOUBLE or ENUF_FLOAT");
    if (!enuf_arithmetic_name(o->arithmetic) || o->arithmetic == ENUF_ARITHMETIC_BY_ACCURACY)
        return refuse("arithmetic", (int)o->arithmetic,
                      "use ENUF_ARITHMETIC_AUTO, _DOUBLE or _MIXED");
    if (o->memory != ENUF_HOST && o->memory != ENUF_DEVICE)
        return refuse("memory", (int)o->memory, "use ENUF_HOST or ENUF_DEVICE");
    if (o->threads < 0 || o->threads > ENUF_MAX_THREADS)
        return refuse("threads", o->threads, "use 0 (OpenMP's number) to 4096");
    if (!enuf_backend_name(o->backend))
        return refuse("backend", (int)o->backend, "use one of ENUF_BACKENDS");
    return check_numbers(o);
}

/* A tenth of the tolerance is left out, because the charges of a crystal are ordered. */
static double steepness_for(double tolerance, int mixed)
{
    const double steepest = mixed ? STEEP_IN_FLOAT : STEEPEST;
    return tolerance > 0 ? fmin(steepest, sqrt(log(10 / tolerance))) : steepest;
}

static enuf_status make_table(enuf_ewald_batch *batch)
{
    const double tolerance = batch->options.tolerance;
    enuf_splitting splitting;
    ENUF_TRY(enuf_splitting_gaussian(batch->steepness, 1, &splitting));
    return enuf_pair_table_make(
        &splitting, fmax(0.01 * tolerance, batch->mixed ? TABLE_ERROR_IN_FLOAT : 0), &batch->table);
}

static enuf_status fill(enuf_ewald_batch *batch, const enuf_ewald_batch_options *options)
{
    enuf_ewald_batch_options *o = &batch->options;
    const enuf_ewald_backend *backend;
    ENUF_TRY(read_options(options, o));
    ENUF_TRY(check_options(o));
    ENUF_TRY(enuf_ewald_backend_find(o->backend, o->isa, &backend));
    if (o->memory == ENUF_DEVICE && backend->kind == ENUF_BACKEND_CPU)
        return enuf_fail(ENUF_BAD_MEMORY,
                         "%s: memory ENUF_DEVICE with the cpu backend: use ENUF_HOST", FUNCTION);
    if (backend->kind == ENUF_BACKEND_CPU) ENUF_TRY(enuf_isa_find(o->isa, &batch->isa));
    batch->threads = enuf_thread_count(o->threads);
    batch->mixed = o->arithmetic == ENUF_ARITHMETIC_MIXED ||
                   (o->arithmetic == ENUF_ARITHMETIC_AUTO && o->precision == ENUF_FLOAT);
    batch->steepness = steepness_for(o->tolerance, batch->mixed);
    batch->systems.n = -1;
    batch->engine = backend->batch;
    ENUF_TRY(make_table(batch));
    return batch->engine->create(batch);
}

enuf_status enuf_ewald_batch_create(const enuf_ewald_batch_options *options, enuf_ewald_batch **out)
{
    enuf_ewald_batch *batch;
    if (!out) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: batch is NULL", FUNCTION);
    *out = NULL;
    ENUF_TRY(enuf_allocate(&batch, 1, sizeof *batch, "a batch"));
    memset(batch, 0, sizeof *batch);
    const enuf_status status = fill(batch, options);
    if (status != ENUF_SUCCESS)
        enuf_ewald_batch_destroy(&batch);
    else
        *out = batch;
    return status;
}

void enuf_ewald_batch_destroy(enuf_ewald_batch **batch)
{
    if (!batch || !*batch) return;
    if ((*batch)->engine) (*batch)->engine->destroy(*batch);
    enuf_release(&(*batch)->systems.at);
    enuf_release(batch);
}
