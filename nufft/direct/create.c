/* create.c - making and freeing objects of direct sums. SPDX-License-Identifier: BSD-3-Clause */
#include "engine.h"
#include "caller_options.h"
#include "memory.h"
#include "parallel.h"
#include "plan/backend.h"

#include <string.h>

void enuf_direct_options_init(enuf_direct_options *options)
{
    if (!options) return;
    memset(options, 0, sizeof *options);
    options->struct_size = sizeof *options;
    options->dim = 1;
    options->sign = -1;
    options->batch = 1;
    options->device = -1;
}

static enuf_status read_options(const enuf_direct_options *given, enuf_direct_options *options)
{
    static const enuf_options_record record = {"enuf_direct_create", "enuf_direct_options_init",
                                               sizeof *options,
                                               offsetof(enuf_direct_options, precision)};
    enuf_direct_options_init(options);
    return enuf_read_options(&record, given, options);
}

static enuf_status refuse(const char *what, int value, const char *right)
{
    return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_create: %s is %d: %s", what, value, right);
}

static enuf_status check_options(const enuf_direct_options *o)
{
    if (o->dim < 1 || o->dim > 3) return refuse("dim", o->dim, "use 1, 2 or 3");
    if (o->precision != ENUF_DOUBLE && o->precision != ENUF_FLOAT)
        return refuse("precision", (int)o->precision, "use ENUF_DOUBLE or ENUF_FLOAT");
    if (o->sign != -1 && o->sign != 1) return refuse("sign", o->sign, "use -1 or +1");
    if (o->batch < 1) return refuse("batch", o->batch, "use 1 or more");
    if (o->memory != ENUF_HOST && o->memory != ENUF_DEVICE)
        return refuse("memory", (int)o->memory, "use ENUF_HOST or ENUF_DEVICE");
    if (o->threads < 0 || o->threads > ENUF_MAX_THREADS)
        return refuse("threads", o->threads, "use 0 (OpenMP's number) to 4096");
    if (!enuf_backend_name(o->backend))
        return refuse("backend", (int)o->backend, "use one of ENUF_BACKENDS");
    return ENUF_SUCCESS;
}

static enuf_status fill(enuf_direct *sums, const enuf_direct_options *options)
{
    enuf_direct_options *o = &sums->options;
    const enuf_nufft_backend *backend;
    ENUF_TRY(read_options(options, o));
    ENUF_TRY(check_options(o));
    ENUF_TRY(enuf_nufft_backend_find(o->backend, o->isa, &backend));
    if (o->memory == ENUF_DEVICE && backend->kind == ENUF_BACKEND_CPU)
        return enuf_fail(
            ENUF_BAD_MEMORY,
            "enuf_direct_create: memory ENUF_DEVICE with the cpu backend: use ENUF_HOST");
    if (backend->kind == ENUF_BACKEND_CPU) ENUF_TRY(enuf_isa_find(o->isa, &sums->isa));
    sums->threads = enuf_thread_count(o->threads);
    sums->n_samples = sums->n_pixels = -1;
    sums->has_times = 1;
    sums->engine = backend->direct;
    return sums->engine->create(sums);
}

enuf_status enuf_direct_create(const enuf_direct_options *options, enuf_direct **out)
{
    enuf_direct *sums;
    if (!out) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_create: sums is NULL");
    *out = NULL;
    ENUF_TRY(enuf_allocate(&sums, 1, sizeof *sums, "direct sums"));
    memset(sums, 0, sizeof *sums);
    const enuf_status status = fill(sums, options);
    if (status != ENUF_SUCCESS)
        enuf_direct_destroy(&sums);
    else
        *out = sums;
    return status;
}

void enuf_direct_destroy(enuf_direct **sums)
{
    if (!sums || !*sums) return;
    if ((*sums)->engine) (*sums)->engine->destroy(*sums);
    enuf_release(sums);
}
