/*
 * exact.c - exact sums: plain Ewald sums from the parts in exact_*.c.
 *
 * Every part is a potential at the targets, its field, and a virial; energy = 1/2 sum q phi.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_sums.h"
#include "object/backend.h"
#include "object/exclusions_check.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void enuf_exact_options_init(enuf_exact_options *options)
{
    if (options)
        *options = (enuf_exact_options){.struct_size = sizeof *options, .coulomb = 1, .device = -1};
}

/* Sums over the targets while they grow. */
typedef struct workspace {
    double *part, *potential, *field; /* potentials of one part, of all parts; field of all */
} workspace;

static void release(workspace *space)
{
    enuf_release(&space->part);
    enuf_release(&space->potential);
    enuf_release(&space->field);
}

static enuf_status check_numbers(const enuf_exact_system *system)
{
    const double *charges = system->charges;
    for (int64_t i = 0; i < system->n; i++) {
        const double *x = system->positions + i * system->stride;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return enuf_fail(ENUF_NOT_FINITE, "position of atom %lld is (%g, %g, %g)", (long long)i,
                             x[0], x[1], x[2]);
        if (!isfinite(charges[i]))
            return enuf_fail(ENUF_NOT_FINITE, "charge of atom %lld is %g", (long long)i,
                             charges[i]);
    }
    return ENUF_SUCCESS;
}

static enuf_status check_options(const enuf_exact_options *options)
{
    if (!options) return enuf_fail(ENUF_BAD_ARGUMENT, "options is NULL");
    if (options->struct_size != sizeof *options)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "options.struct_size is %zu, this library's is %zu: call "
                         "enuf_exact_options_init() first",
                         options->struct_size, sizeof *options);
    if (!isfinite(options->coulomb))
        return enuf_fail(ENUF_NOT_FINITE, "options.coulomb is %g", options->coulomb);
    if (!(options->surroundings >= 1) && options->surroundings != 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "options.surroundings = %g: has to be 0 (tinfoil) or at least 1 (vacuum)",
                         options->surroundings);
    if (options->surroundings != 0 && options->slab != 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "options.surroundings is %g and options.slab is %g: a slab has its own "
                         "dipole term; leave surroundings at 0",
                         options->surroundings, options->slab);
    if (options->threads < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "options.threads is %d, has to be 0 or more",
                         options->threads);
    return ENUF_SUCCESS;
}

/* Energy of a part; then adds its potential to the total and clears it. */
static double take_energy(const enuf_exact_system *system, workspace *space)
{
    long double sum = 0;
    for (int64_t t = 0; t < system->n_targets; t++) {
        sum += (long double)system->charges[system->targets[t]] * space->part[t];
        space->potential[t] += space->part[t];
        space->part[t] = 0;
    }
    return (double)(sum / 2);
}

static void add_virial(const double part[6], double virial[6])
{
    for (int a = 0; a < 6; a++) virial[a] += part[a];
}

__attribute__((format(printf, 2, 3))) static void say(const enuf_exact_options *options,
                                                      const char *format, ...)
{
    if (!options->log) return;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    options->log(options->log_context, text);
}

/* All parts, one after the other, with a Coulomb constant of 1. */
static enuf_status sum_parts(const enuf_exact_options *options, const enuf_exact_system *system,
                             const enuf_exclusions *exclusions, workspace *space,
                             enuf_exact_result *found)
{
    double virial[6];
    enuf_exact_sums sums = {.potential = space->part, .field = space->field, .virial = virial};
    enuf_ewald_parts *parts = &found->parts;
    enuf_exact_moments of = enuf_exact_find_moments(system);
    if (options->surroundings != 0 && fabs(of.charge) > 1e-9 * of.magnitude)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "the net charge is %g and surroundings is %g: the dipole of a charged "
                         "cell has no origin; use tinfoil (0) or neutral charges",
                         of.charge, options->surroundings);

    ENUF_TRY(enuf_exact_exclusions(system, exclusions, &sums));
    parts->excluded = take_energy(system, space);
    add_virial(virial, found->virial);

    say(options, "exact Ewald: pairs of %lld atoms, alpha %.6g, cutoff %.6g",
        (long long)system->n_targets, system->alpha, system->cutoff);
    ENUF_TRY(enuf_exact_pairs(system, &sums));
    parts->real = take_energy(system, space);
    add_virial(virial, found->virial);

    say(options, "exact Ewald: modes of %lld atoms, |k| <= %.6g", (long long)system->n,
        system->k_c);
    ENUF_TRY(enuf_exact_modes(system, &sums));
    parts->reciprocal = take_energy(system, space);
    add_virial(virial, found->virial);

    enuf_exact_self(system, &sums);
    parts->self = take_energy(system, space);
    enuf_exact_background(system, &of, &sums);
    parts->background = take_energy(system, space);
    add_virial(virial, found->virial);

    if (options->surroundings != 0 || options->slab != 0) {
        if (options->slab != 0) {
            enuf_exact_slab(system, &of, &sums);
        } else {
            enuf_exact_sphere(system, options->surroundings, &of, &sums);
        }
        parts->surface = take_energy(system, space);
        add_virial(virial, found->virial);
    }
    return ENUF_SUCCESS;
}

/* Whether all charged atoms are targets; refuses a target that is listed twice. */
static int has_all_charges(const enuf_exact_system *system)
{
    int64_t others = 0;
    for (int64_t i = 0; i < system->n; i++) others += system->charges[i] != 0;
    for (int64_t t = 0; t < system->n_targets; t++)
        others -= system->charges[system->targets[t]] != 0;
    return others == 0;
}

/* Multiplies by the Coulomb constant and writes the result; nothing else writes it. */
static void hand_over(double coulomb, const enuf_exact_system *system, const workspace *space,
                      const enuf_exact_result *found, enuf_exact_result *result)
{
    const enuf_ewald_parts *p = &found->parts;
    result->parts = (enuf_ewald_parts){
        .real = coulomb * p->real,
        .reciprocal = coulomb * p->reciprocal,
        .self = coulomb * p->self,
        .background = coulomb * p->background,
        .surface = coulomb * p->surface,
        .excluded = coulomb * p->excluded,
    };
    result->energy =
        coulomb * (p->real + p->reciprocal + p->self + p->background + p->surface + p->excluded);
    const int is_known = has_all_charges(system);
    for (int a = 0; a < 6; a++) result->virial[a] = is_known ? coulomb * found->virial[a] : NAN;
    for (int64_t t = 0; t < system->n_targets; t++) {
        double q = system->charges[system->targets[t]];
        if (result->potential) result->potential[t] = coulomb * space->potential[t];
        for (int a = 0; a < 3 && result->forces; a++)
            result->forces[3 * t + a] = coulomb * q * space->field[3 * t + a];
    }
}

static enuf_status allocate_sums(int64_t n_targets, workspace *space)
{
    ENUF_TRY(enuf_allocate(&space->part, n_targets, sizeof(double), "potentials"));
    ENUF_TRY(enuf_allocate(&space->potential, n_targets, sizeof(double), "potentials"));
    ENUF_TRY(enuf_allocate(&space->field, 3 * n_targets, sizeof(double), "fields"));
    memset(space->part, 0, (size_t)n_targets * sizeof(double));
    memset(space->potential, 0, (size_t)n_targets * sizeof(double));
    memset(space->field, 0, (size_t)n_targets * 3 * sizeof(double));
    return ENUF_SUCCESS;
}

static enuf_status evaluate(const enuf_exact_options *options, const enuf_exclusions *exclusions,
                            enuf_exact_system *system, workspace *space, enuf_exact_result *result)
{
    enuf_exact_result found = {0};
    ENUF_TRY(allocate_sums(system->n_targets, space));
    if (system->n_targets > 0) {
        ENUF_TRY(enuf_exact_choose(options, system));
        ENUF_TRY(sum_parts(options, system, exclusions, space, &found));
    }
    hand_over(options->coulomb, system, space, &found, result);
    return ENUF_SUCCESS;
}

static enuf_status check_arguments(const enuf_exact_options *options, const double *cell,
                                   const enuf_exact_system *system,
                                   const enuf_exclusions *exclusions,
                                   const enuf_exact_result *result)
{
    ENUF_TRY(check_options(options));
    if (!cell || !result) return enuf_fail(ENUF_BAD_ARGUMENT, "cell or result is NULL");
    if (system->n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "n is %lld, has to be 0 or more", (long long)system->n);
    if (system->stride < 3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "stride is %lld, has to be 3 or more",
                         (long long)system->stride);
    if (!enuf_fits_in_memory(system->n, system->stride, sizeof(double)))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "stride is %lld: no memory holds %lld positions so far apart",
                         (long long)system->stride, (long long)system->n);
    if (system->n > 0 && (!system->positions || !system->charges))
        return enuf_fail(ENUF_BAD_ARGUMENT, "positions or charges is NULL, but n is %lld",
                         (long long)system->n);
    ENUF_TRY(check_numbers(system));
    return enuf_exclusions_check(exclusions, system->n);
}

static enuf_status find_backend(const enuf_exact_options *options, enuf_exact_system *system)
{
    const enuf_ewald_backend *found;
    ENUF_TRY(enuf_ewald_backend_find(options->backend, options->isa, &found));
    system->backend = found->exact;
    system->device = options->device;
    system->threads = enuf_thread_count(options->threads);
    system->isa = options->isa;
    return ENUF_SUCCESS;
}

enuf_status enuf_exact_ewald(const enuf_exact_options *options, const double cell[9], int64_t n,
                             const double *positions, int64_t stride, const double *charges,
                             const enuf_exclusions *exclusions, int64_t n_targets,
                             const int64_t *targets, enuf_exact_result *result)
{
    enuf_exact_system system = {
        .n = n, .positions = positions, .stride = stride, .charges = charges};
    workspace space = {0};
    enuf_status status = check_arguments(options, cell, &system, exclusions, result);
    if (status == ENUF_SUCCESS) status = find_backend(options, &system);
    if (status == ENUF_SUCCESS)
        status = enuf_exact_system_make(cell, options->slab, n_targets, targets, &system);
    if (status == ENUF_SUCCESS) status = evaluate(options, exclusions, &system, &space, result);
    release(&space);
    enuf_exact_system_release(&system);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, __func__);
}
