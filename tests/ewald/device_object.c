/* device_object.c - see device_object.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_object.h"

#include <time.h>

void *device_copy(int64_t n, const void *from)
{
    void *array = NULL;
    CHECK_CUDA(cudaMalloc(&array, (size_t)n * sizeof(double) + 1));
    CHECK_CUDA(to_device(array, from, (size_t)n * sizeof(double)));
    return array;
}

enuf_ewald *device_object(const enuf_ewald_options *options, const charge_system *system)
{
    enuf_ewald_options there = *options;
    enuf_ewald *ewald = NULL;
    there.backend = ENUF_BACKEND_CUDA;
    there.memory = ENUF_DEVICE;
    CHECK_STATUS(enuf_ewald_create(&there, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, system->cell), ENUF_SUCCESS);
    return ewald;
}

enuf_ewald_options explicit_options(enuf_ewald_options options, const enuf_ewald_report *report)
{
    options.split = report->split;
    options.alpha = report->alpha;
    options.c = report->c;
    options.cutoff = report->cutoff;
    options.kmax = report->kmax;
    options.window = report->window;
    options.width = report->width;
    options.shape = report->shape;
    for (int d = 0; d < 3; d++) options.grid[d] = report->grid[d];
    return options;
}

static void hold(void *context)
{
    gate *g = context;
    const struct timespec millisecond = {0, 1000000};
    for (int k = 0; k < 10000 && !atomic_load(&g->open); k++) nanosleep(&millisecond, NULL);
    atomic_store(&g->late, !atomic_load(&g->open));
    atomic_store(&g->passed, 1);
}

void gate_hold(gate *g, cudaStream_t stream)
{
    atomic_init(&g->open, 0);
    atomic_init(&g->passed, 0);
    atomic_init(&g->late, 0);
    CHECK_CUDA(cudaLaunchHostFunc(stream, hold, g));
}

int gate_passed(gate *g)
{
    return atomic_load(&g->passed);
}

void gate_open(gate *g)
{
    atomic_store(&g->open, 1);
}

int gate_was_late(gate *g)
{
    return atomic_load(&g->late);
}
