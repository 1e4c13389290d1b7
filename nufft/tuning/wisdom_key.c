/* wisdom_key.c - what an entry of wisdom is of: the machine, and the problem.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The processor's name of /proc/cpuinfo, in characters that JSON need not escape. */
static void processor(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown processor");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value) continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    fclose(file);
    for (char *c = name; *c; c++)
        if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\') *c = '_';
}

/* A processor's model, the kernels and the FFT library. */
static enuf_status machine_of_cpu(const enuf_nufft_options *o, char *name, size_t size)
{
    char model[120];
    const char *version = NULL;
    enuf_isa isa;
    enuf_fft fft;
    ENUF_TRY(enuf_isa_find(o->isa, &isa));
    ENUF_TRY(enuf_fft_find(o->fft, &fft));
    enuf_fft_usable(fft, &version);
    processor(model, sizeof model);
    snprintf(name, size, "%s, %s, %s %.60s", model, enuf_isa_name(isa), enuf_fft_name(fft),
             version ? version : "");
    return ENUF_SUCCESS;
}

enuf_status enuf_wisdom_machine(const enuf_nufft_options *o, char *name)
{
    char what[ENUF_WISDOM_MACHINE - 40];
    const enuf_nufft_backend *backend;
    ENUF_TRY(enuf_nufft_backend_find(o->backend, o->isa, &backend));
    ENUF_TRY((backend->machine ? backend->machine : machine_of_cpu)(o, what, sizeof what));
    snprintf(name, ENUF_WISDOM_MACHINE, "%s, enuf %s", what, enuf_version());
    for (char *c = name; *c; c++)
        if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\') *c = '_';
    return ENUF_SUCCESS;
}

/* How near neighbours in the caller's order are: runs of points cover 2^-power of the box, in the
 * geometric mean. 0 of points at random. Even, so that points that move a little keep their entry.
 */
static int power_of_runs(const enuf_nufft_options *o, const enuf_tuning_points *points)
{
    enum { LEAST_EXTENT_POWER = -20 };
    enuf_point_runs runs;
    double sum = 0;
    enuf_point_runs_of(o, points, &runs);
    for (int k = 0; k < runs.n; k++)
        for (int d = 0; d < o->dim; d++) sum -= fmax(log2(runs.extent[k][d]), LEAST_EXTENT_POWER);
    return 2 * (int)round(0.5 * sum / runs.n);
}

static void append(char *name, const char *what, const char *value)
{
    const size_t length = strlen(name);
    snprintf(name + length, ENUF_WISDOM_KEY - length, ", %s%s", what, value);
}

void enuf_wisdom_problem(const enuf_nufft_options *o, const enuf_tuning_request *request,
                         const enuf_tuning_points *points, char *name)
{
    const int power = power_of_runs(o, points);
    char text[24];
    double density = o->density, modes = 1;
    long long n[3] = {1, 1, 1}, grid[3] = {0, 0, 0};
    for (int d = 0; d < o->dim; d++) {
        n[d] = o->modes[d];
        grid[d] = o->fine_grid[d];
        modes *= fmax((double)o->modes[d], 1);
    }
    if (points->n > 0) density = (double)points->n / modes;
    density = exp2(round(log2(density)));
    const int used =
        snprintf(name, ENUF_WISDOM_KEY,
                 "%dD, modes %lldx%lldx%lld, %s, %s, tolerance %.6g%s%s, batch %d, density %.6g, "
                 "threads %d, type1 %.6g, type2 %.6g, fft effort %d",
                 o->dim, n[0], n[1], n[2], o->precision == ENUF_FLOAT ? "float" : "double",
                 o->strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", o->tolerance,
                 o->gradients ? ", gradients" : "", o->deterministic ? ", deterministic" : "",
                 o->batch, density, o->threads, request->type1, request->type2, (int)o->fft_effort);
    snprintf(name + used, (size_t)(ENUF_WISDOM_KEY - used),
             ", window %s, width %d, shape %.17g, upsampling %.17g, grid %lldx%lldx%lld",
             request->any_window ? "any" : enuf_window_name(o->window), o->width, o->shape,
             o->upsampling, grid[0], grid[1], grid[2]);
    snprintf(text, sizeof text, "%d", power);
    if (power != 0) append(name, "neighbours in 2^-", text);
    if (enuf_tuning_on_gpu(o))
        append(name, o->memory == ENUF_DEVICE ? "device" : "host", " memory");
    snprintf(text, sizeof text, "%.6g", request->gram);
    if (request->gram > 0) append(name, "gram ", text);
    if (o->spreading) append(name, "spreading ", enuf_strategy_name(o->spreading));
    if (o->interpolation) append(name, "interpolation ", enuf_strategy_name(o->interpolation));
    if (o->window_table) append(name, "window ", "table");
    if (request->any_level || o->level != ENUF_LEVEL_SORTED) /* as before levels were tuned */
        append(name, "level ", request->any_level ? "any" : enuf_level_name(o->level));
}
