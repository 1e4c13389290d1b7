/* fftw.c - FFTW, linked. Plans have one thread. SPDX-License-Identifier: BSD-3-Clause */
#include "fftw_interface.h"
#include "fftw_planner.h"
#include "fftw_wisdom.h"

#include <fftw3.h>
#include <stdlib.h>

/* The type of the pointer stands for FFTW's own: they differ in the types behind pointers. */
#define ENUF_X(type, name, arguments) .name = (type(*) arguments)fftw_##name,
static const enuf_fftw_functions of_double = {ENUF_FFTW_FUNCTIONS(ENUF_X)};
#undef ENUF_X
#define ENUF_X(type, name, arguments) .name = (type(*) arguments)fftwf_##name,
static const enuf_fftw_functions of_float = {ENUF_FFTW_FUNCTIONS(ENUF_X)};
#undef ENUF_X

_Static_assert(sizeof(enuf_fftw_dimension) == sizeof(fftw_iodim64), "fftw_iodim64");

static int usable(const char **detail)
{
    *detail = fftw_version;
    return 1;
}

/* Settings of the planner that belong to the process, which may be a host with plans of its own. */
typedef struct settings {
    int threads;
    char *wisdom;
} settings;

static settings prepare(const enuf_fft_planning *how)
{
    settings before = {0};
    ENUF_FFTW(how->single, init_threads)();
    before.threads = ENUF_FFTW(how->single, planner_nthreads)();
    if (how->deterministic) {
        /* wisdom of a measured plan would change an ESTIMATE plan, and most bits of results */
        before.wisdom = ENUF_FFTW(how->single, export_wisdom_to_string)();
        ENUF_FFTW(how->single, forget_wisdom)();
    }
    ENUF_FFTW(how->single, plan_with_nthreads)(1);
    return before;
}

static void restore(const enuf_fft_planning *how, settings *before)
{
    ENUF_FFTW(how->single, plan_with_nthreads)(before->threads);
    if (before->wisdom) ENUF_FFTW(how->single, import_wisdom_from_string)(before->wisdom);
    free(before->wisdom);
}

static enuf_status make(const enuf_fft_planning *how, enuf_fft_lines *lines)
{
    static const unsigned efforts[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT};
    const unsigned flags = how->deterministic ? FFTW_ESTIMATE : efforts[how->effort];
    const char *wisdom = how->deterministic ? NULL : how->wisdom;
    enuf_status status = ENUF_SUCCESS;
    enuf_fftw_lock();
    settings before = prepare(how);
    lines->turns = flags == FFTW_ESTIMATE; /* others find by themselves what is fastest */
    if (wisdom) status = enuf_fftw_read_wisdom(how->single, wisdom);
    if (status == ENUF_SUCCESS)
        status = enuf_fftw_make(how->single ? &of_float : &of_double, flags, lines);
    restore(how, &before);
    enuf_fftw_unlock();
    if (status == ENUF_SUCCESS && wisdom && flags != FFTW_ESTIMATE)
        status = enuf_fftw_write_wisdom(how->single, wisdom);
    return status;
}

static void destroy(enuf_fft_lines *lines)
{
    enuf_fftw_lock();
    enuf_fftw_destroy(lines);
    enuf_fftw_unlock();
}

const enuf_fft_library enuf_fft_library_fftw = {.title = "FFTW",
                                                .usable = usable,
                                                .make = make,
                                                .execute = enuf_fftw_execute,
                                                .destroy = destroy};
