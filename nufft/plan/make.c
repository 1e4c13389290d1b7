/* make.c - making and freeing a plan of type 1 and 2. SPDX-License-Identifier: BSD-3-Clause */
#include "fft/fft_find.h"
#include "options.h"
#include "parallel.h"
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* The caller's options, with a copy of the name of the wisdom file. */
static enuf_status copy_options(const enuf_nufft_options *from, enuf_nufft_options *to)
{
    ENUF_TRY(enuf_nufft_read_options("enuf_nufft_create", from, to));
    const char *wisdom = to->fft_wisdom;
    to->fft_wisdom = NULL;
    if (wisdom) {
        char *copy;
        int64_t length = (int64_t)strlen(wisdom) + 1;
        ENUF_TRY(enuf_allocate(&copy, length, 1, "name of the wisdom file"));
        memcpy(copy, wisdom, (size_t)length);
        to->fft_wisdom = copy;
    }
    return ENUF_SUCCESS;
}

static const double NO_MEMORY = 1e15; /* bytes that no machine has; below, no count overflows */

/* Refuses modes that no memory holds, before the choice of a method. */
static enuf_status check_modes(const enuf_nufft *plan)
{
    const enuf_nufft_options *o = &plan->options;
    const long long n[3] = {o->modes[0], o->modes[1], o->modes[2]};
    double bytes = (o->precision == ENUF_FLOAT ? 4.0 : 8.0) * (plan->real ? 1 : 2) * o->batch;
    for (int d = 0; d < o->dim; d++) bytes *= (double)o->modes[d];
    if (bytes > NO_MEMORY)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "enuf_nufft_create: %d times %lldx%lldx%lld modes take %.3g GB: no memory "
                         "holds that, nor their fine grids: ask for fewer modes",
                         o->batch, n[0], n[1], n[2], bytes / 1e9);
    return ENUF_SUCCESS;
}

/* Memory of grid and spectrum, before any allocation. */
static enuf_status check_memory(const enuf_nufft *plan)
{
    const enuf_nufft_options *o = &plan->options;
    double number = o->precision == ENUF_FLOAT ? 4 : 8, cells = plan->real ? 1 : 2, modes = 2;
    if (o->deterministic && o->precision == ENUF_FLOAT) cells *= 3; /* and in 64-bit integers */
    for (int d = 0; d < o->dim; d++) {
        cells *= (double)plan->method.grid[d] + (plan->real && d == 0 ? 2 : 0);
        modes *= (double)plan->axis[d].n;
    }
    double bytes = number * o->batch * (cells + modes);
    const long long g[3] = {plan->method.grid[0], plan->method.grid[1], plan->method.grid[2]};
    if (bytes > NO_MEMORY)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "enuf_nufft_create: %d fine grids of %lldx%lldx%lld and their modes take "
                         "%.3g GB: no memory holds that: ask for fewer modes or cells",
                         o->batch, g[0], g[1], g[2], bytes / 1e9);
    if (o->memory_limit > 0 && !o->no_grid && bytes > (double)o->memory_limit)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "enuf_nufft_create: %d fine grids of %lldx%lldx%lld and their modes take "
                         "%.3g GB, memory_limit is %.3g GB: ask for fewer modes or cells",
                         o->batch, g[0], g[1], g[2], bytes / 1e9, (double)o->memory_limit / 1e9);
    return ENUF_SUCCESS;
}

/* Refuses levels that the options do not have. On a GPU a level keeps more of a point than its
 * record: points are packed. */
static enuf_status check_level(enuf_nufft_options *o)
{
    const int cuda = o->backend == ENUF_BACKEND_CUDA;
    const int keeps = o->level == ENUF_LEVEL_WEIGHTS || o->level == ENUF_LEVEL_MATRIX;
    if (cuda && o->level == ENUF_LEVEL_NONE)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_create: level none: the cuda backend always sorts its points: "
                         "use another level, or ENUF_BACKEND_CPU");
    if (cuda && keeps && o->point_storage == ENUF_POINTS_INDEXED)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_create: level %s with point_storage ENUF_POINTS_INDEXED: what "
                         "it keeps of a point takes more memory than packing: use "
                         "ENUF_POINTS_PACKED, or ENUF_LEVEL_SORTED",
                         enuf_level_name(o->level));
    if (cuda && keeps) o->point_storage = ENUF_POINTS_PACKED;
    if (o->level == ENUF_LEVEL_MATRIX && o->no_grid)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_create: level matrix with no_grid: the matrix is that of the "
                         "plan's own grid: use another level");
    if (o->level == ENUF_LEVEL_GRAM && (o->no_grid || o->strengths == ENUF_REAL_STRENGTHS))
        return enuf_fail(
            ENUF_UNSUPPORTED, "enuf_nufft_create: level gram with %s: use %s, or another level",
            o->no_grid ? "no_grid" : "real strengths",
            o->no_grid ? "a grid of the plan's own" : "ENUF_COMPLEX_STRENGTHS, with all modes");
    return ENUF_SUCCESS;
}

/* Refuses a way between points and cells that the backend does not have. */
static enuf_status check_strategy(const enuf_nufft_options *o, enuf_backend kind, int spreads)
{
    const char *what = spreads ? "spreading" : "interpolation";
    const enuf_strategy given = spreads ? o->spreading : o->interpolation;
    if (given == ENUF_STRATEGY_AUTO) return ENUF_SUCCESS;
    if (kind != ENUF_BACKEND_CUDA)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_create: %s %s: the cpu backend has one way: use "
                         "ENUF_STRATEGY_AUTO, or ENUF_BACKEND_CUDA",
                         what, enuf_strategy_name(given));
    if (o->window_table && !enuf_nufft_reads_table(o->dim, given))
        return enuf_fail(
            ENUF_UNSUPPORTED,
            "enuf_nufft_create: %s %s with window_table in 3D: it evaluates polynomials: "
            "use auto or windows",
            what, enuf_strategy_name(given));
    if (enuf_nufft_has_strategy(o->dim, spreads, given)) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "enuf_nufft_create: %s %s in %dD: use auto, windows, tiles%s%s", what,
                     enuf_strategy_name(given), o->dim,
                     spreads && o->dim == 3 ? ", slide"
                     : spreads              ? ""
                                            : ", gather",
                     !spreads && o->dim == 3 ? ", points" : "");
}

static enuf_status fill(enuf_nufft *plan, const enuf_nufft_options *options,
                        const enuf_method *method)
{
    enuf_nufft_options *o = &plan->options;
    ENUF_TRY(copy_options(options, o));
    ENUF_TRY(enuf_nufft_check_options(o));
    for (int d = o->dim; d < 3; d++) {
        o->modes[d] = 1;
        o->fine_grid[d] = 0;
    }
    plan->real = o->strengths == ENUF_REAL_STRENGTHS;
    plan->type2_sign = o->type2_sign ? o->type2_sign : -o->sign;
    plan->forward_sign = o->sign;
    plan->backward_sign = plan->type2_sign;
    plan->threads = enuf_thread_count(o->threads);
    const enuf_nufft_backend *backend;
    ENUF_TRY(check_level(o));
    ENUF_TRY(enuf_nufft_backend_find(o->backend, o->isa, &backend));
    for (int spreads = 0; spreads < 2; spreads++)
        ENUF_TRY(check_strategy(o, backend->kind, spreads));
    if (o->memory == ENUF_DEVICE && backend->kind == ENUF_BACKEND_CPU)
        return enuf_fail(
            ENUF_BAD_MEMORY,
            "enuf_nufft_create: memory ENUF_DEVICE with the cpu backend: use ENUF_HOST");
    if (o->point_storage == ENUF_POINTS_INDEXED && backend->kind == ENUF_BACKEND_CPU)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_create: point_storage ENUF_POINTS_INDEXED: the cpu backend "
                         "packs its points: use ENUF_POINTS_PACKED or _AUTO");
    if (backend->kind == ENUF_BACKEND_CPU && !o->no_grid)
        ENUF_TRY(enuf_fft_choose(o->fft, o->fft_wisdom, &o->fft));
    plan->point_storage = backend->kind == ENUF_BACKEND_CPU ? ENUF_POINTS_PACKED : o->point_storage;
    ENUF_TRY(check_modes(plan));
    if (method)
        plan->method = *method;
    else
        ENUF_TRY(enuf_choose_method(o, &plan->method));
    plan->n_modes = 1;
    for (int d = 0; d < 3; d++) {
        enuf_mode_axis_size(plan, d, &plan->axis[d]);
        plan->n_modes *= plan->axis[d].n;
    }
    ENUF_TRY(check_memory(plan));
    /* the large arrays first: a lack of memory shows before any work */
    plan->backend = backend;
    ENUF_TRY(backend->create(plan));
    for (int d = 0; d < 3; d++) ENUF_TRY(enuf_mode_axis_make(plan, d, &plan->axis[d]));
    if (backend->take_axes) ENUF_TRY(backend->take_axes(plan));
    if (o->memory_limit > 0 && enuf_nufft_bytes(plan) > o->memory_limit)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "enuf_nufft_create: without points the plan takes %.3g GB, memory_limit "
                         "is %.3g GB",
                         (double)enuf_nufft_bytes(plan) / 1e9, (double)o->memory_limit / 1e9);
    return ENUF_SUCCESS;
}

enuf_status enuf_plan_make_by(const enuf_nufft_options *options, const enuf_method *method,
                              enuf_nufft **out)
{
    enuf_nufft *plan;
    *out = NULL;
    ENUF_TRY(enuf_allocate(&plan, 1, sizeof *plan, "a plan"));
    memset(plan, 0, sizeof *plan);
    enuf_status status = fill(plan, options, method);
    if (status != ENUF_SUCCESS)
        enuf_plan_free(&plan);
    else
        *out = plan;
    return status;
}

enuf_status enuf_plan_make(const enuf_nufft_options *options, enuf_nufft **out)
{
    return enuf_plan_make_by(options, NULL, out);
}

void enuf_plan_free(enuf_nufft **plan_pointer)
{
    enuf_nufft *plan = *plan_pointer;
    if (!plan) return;
    if (plan->gram) plan->gram->destroy(plan);
    enuf_coordinates_free(plan);
    if (plan->backend) plan->backend->destroy(plan);
    for (int d = 0; d < 3; d++) enuf_mode_axis_free(&plan->axis[d]);
    char *wisdom = (char *)(uintptr_t)plan->options.fft_wisdom;
    enuf_release(&wisdom);
    enuf_release(plan_pointer);
}
