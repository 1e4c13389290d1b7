/* options.c - options of an Ewald object. SPDX-License-Identifier: BSD-3-Clause */
#include "ewald_object.h"
#include "names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ENUF_DEFINE_NAMES(enuf_split, ENUF_SPLITS, "splitting")
ENUF_DEFINE_NAMES(enuf_arithmetic, ENUF_ARITHMETICS, "arithmetic")

void enuf_ewald_options_init(enuf_ewald_options *options)
{
    if (!options) return;
    *options = (enuf_ewald_options){
        .struct_size = sizeof *options,
        .accuracy = 1e-6,
        .coulomb = 1,
        .device = -1,
    };
}

/* A real option: lowest <= value <= highest, or 0 (unset) if that is allowed. */
static enuf_status check_range(const char *name, double value, int may_be_0, double lowest,
                               double highest)
{
    if (may_be_0 && value == 0) return ENUF_SUCCESS;
    if (value >= lowest && value <= highest && isfinite(value)) return ENUF_SUCCESS;
    char upper[48] = "";
    if (isfinite(highest)) snprintf(upper, sizeof upper, " ... %g", highest);
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s is %g: it has to be %s%g%s%s", name, value,
                     isfinite(highest) ? "" : "at least ", lowest, upper,
                     may_be_0 ? ", or 0 for unset" : "");
}

static enuf_status check_integer(const char *name, int64_t value, int64_t lowest, int64_t highest)
{
    if (value >= lowest && value <= highest) return ENUF_SUCCESS;
    if (highest == INT64_MAX)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s is %lld: it has to be at least %lld", name,
                         (long long)value, (long long)lowest);
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s is %lld: it has to be %lld ... %lld", name,
                     (long long)value, (long long)lowest, (long long)highest);
}

static enuf_status check_accuracy(const enuf_ewald_options *o)
{
    const double least = 1e-300; /* any positive number; F_ref is not known yet */
    if (o->accuracy == 0 && o->force_error == 0 && o->lammps_accuracy == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "accuracy, force_error and lammps_accuracy are all 0: "
                                            "set one of them");
    ENUF_TRY(
        check_range("accuracy", o->accuracy, 1, ENUF_TIGHTEST_ACCURACY, ENUF_LOOSEST_ACCURACY));
    ENUF_TRY(check_range("force_error", o->force_error, 1, least, INFINITY));
    return check_range("lammps_accuracy", o->lammps_accuracy, 1, least, INFINITY);
}

static enuf_status check_splitting(const enuf_ewald_options *o)
{
    const double least = 1e-300;
    ENUF_TRY(check_integer("split", (int)o->split, 0, ENUF_COUNT(enuf_split_names) - 1));
    ENUF_TRY(check_range("cutoff", o->cutoff, 1, least, INFINITY));
    ENUF_TRY(check_range("alpha", o->alpha, 1, least, INFINITY));
    ENUF_TRY(check_range("c", o->c, 1, 1e-3, 300));
    ENUF_TRY(check_range("kmax", o->kmax, 1, least, INFINITY));
    if (o->alpha > 0 && o->c > 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "alpha is %g and c is %g: alpha belongs to the Gaussian splitting, c to "
                         "the prolate one; set one of them",
                         o->alpha, o->c);
    if (o->alpha > 0 && o->split == ENUF_SPLIT_PROLATE)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "alpha is %g, but the splitting is prolate, whose parameter is c",
                         o->alpha);
    if (o->c > 0 && o->split == ENUF_SPLIT_GAUSSIAN)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "c is %g, but the splitting is Gaussian, whose parameter is alpha", o->c);
    return ENUF_SUCCESS;
}

static enuf_status check_mesh(const enuf_ewald_options *o)
{
    static const char *const names[3] = {"grid[0]", "grid[1]", "grid[2]"};
    for (int d = 0; d < 3; d++) ENUF_TRY(check_integer(names[d], o->grid[d], 0, INT32_MAX));
    if (!enuf_window_name(o->window))
        return enuf_fail(ENUF_BAD_ARGUMENT, "window is %d: it has to be one of enuf_window",
                         (int)o->window);
    if (o->width != 0) ENUF_TRY(check_integer("width", o->width, 2, ENUF_MAX_WIDTH));
    ENUF_TRY(check_range("shape", o->shape, 1, 1e-3, 1e3));
    return ENUF_SUCCESS;
}

static enuf_status check_boundary(const enuf_ewald_options *o)
{
    ENUF_TRY(check_range("surroundings", o->surroundings, 1, 1, INFINITY));
    ENUF_TRY(check_range("slab", o->slab, 1, 1, 1e6));
    if (o->surroundings != 0 && o->slab != 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "surroundings is %g and slab is %g: a slab has its own dipole term; "
                         "leave surroundings at 0",
                         o->surroundings, o->slab);
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_check_options(const enuf_ewald_options *o)
{
    if (!o) return enuf_fail(ENUF_BAD_ARGUMENT, "options is NULL");
    if (o->struct_size != sizeof *o)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "options.struct_size is %zu, this library's is %zu: fill the options with "
                         "enuf_ewald_options_init() of the header that belongs to it",
                         o->struct_size, sizeof *o);
    ENUF_TRY(check_accuracy(o));
    ENUF_TRY(check_range("coulomb", o->coulomb, 0, 1e-300, INFINITY));
    ENUF_TRY(check_splitting(o));
    ENUF_TRY(check_mesh(o));
    ENUF_TRY(check_boundary(o));
    ENUF_TRY(
        check_integer("arithmetic", (int)o->arithmetic, 0, ENUF_COUNT(enuf_arithmetic_names) - 1));
    if (!enuf_backend_name(o->backend))
        return enuf_fail(ENUF_BAD_ARGUMENT, "backend is %d: it has to be one of enuf_backend",
                         (int)o->backend);
    ENUF_TRY(check_integer("memory", (int)o->memory, ENUF_HOST, ENUF_DEVICE));
    ENUF_TRY(check_integer("threads", o->threads, 0, ENUF_MAX_THREADS));
    ENUF_TRY(check_integer("fft_effort", (int)o->fft_effort, ENUF_FFT_ESTIMATE, ENUF_FFT_PATIENT));
    if ((int)o->decomposition < ENUF_DECOMPOSITION_AUTO ||
        o->decomposition > ENUF_DECOMPOSITION_DISTRIBUTED)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "decomposition is %d: use ENUF_DECOMPOSITION_AUTO, _REPLICATED or "
                         "_DISTRIBUTED",
                         (int)o->decomposition);
    ENUF_TRY(check_integer("evaluations", o->evaluations, 0, INT64_MAX));
    return check_integer("memory_limit", o->memory_limit, 0, INT64_MAX);
}
