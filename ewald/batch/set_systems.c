/* set_systems.c - the systems of a batch and their cells. SPDX-License-Identifier: BSD-3-Clause */
#include "batch.h"
#include "memory.h"
#include "parallel.h"

#include <stdio.h>
#include <string.h>

/* Atoms of a system: their squares, and the places of all shares' sums, are 64-bit numbers. */
static const int64_t MOST_ATOMS = 1000000000;

static enuf_status check_offsets(const char *function, int64_t n, const int64_t *offsets)
{
    if (n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: n_systems is %lld: use 0 or more", function,
                         (long long)n);
    if (!enuf_fits_in_memory(n, 1, sizeof(enuf_batch_system)))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: n_systems is %lld: no memory is so large",
                         function, (long long)n);
    if (!offsets) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: offsets is NULL", function);
    if (offsets[0] != 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: offsets[0] is %lld: it has to be 0", function,
                         (long long)offsets[0]);
    for (int64_t s = 0; s < n; s++)
        if (offsets[s + 1] <= offsets[s] || offsets[s + 1] - offsets[s] > MOST_ATOMS)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: offsets[%lld] is %lld and offsets[%lld] is %lld: system %lld "
                             "needs 1 to %lld atoms",
                             function, (long long)s, (long long)offsets[s], (long long)s + 1,
                             (long long)offsets[s + 1], (long long)s, (long long)MOST_ATOMS);
    if (!enuf_fits_in_memory(offsets[n], 16, sizeof(double)))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: offsets[%lld] is %lld: no memory is so large",
                         function, (long long)n, (long long)offsets[n]);
    return ENUF_SUCCESS;
}

typedef struct choice_loop {
    const enuf_ewald_batch *batch;
    const double *cells;
    enuf_batch_systems *systems;
    _Atomic int64_t bad; /* the first system that is refused */
} choice_loop;

static void choose_systems(void *context, int64_t s, int64_t end, int thread)
{
    choice_loop *loop = context;
    (void)thread;
    for (; s < end; s++)
        if (enuf_batch_choose(loop->batch, loop->cells + 9 * s, &loop->systems->at[s]) !=
            ENUF_SUCCESS)
            enuf_lower(&loop->bad, s);
}

/* The cells of all systems. The first that is refused is asked again, for its text in this thread.
 */
static enuf_status choose_all(const char *function, const enuf_ewald_batch *batch,
                              const double *cells, enuf_batch_systems *systems)
{
    choice_loop loop = {batch, cells, systems, INT64_MAX};
    char prefix[80];
    if (!cells && systems->n > 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: cells is NULL", function);
    enuf_parallel_for(batch->threads, systems->n, 64, choose_systems, &loop);
    const int64_t bad = loop.bad;
    if (bad == INT64_MAX) return ENUF_SUCCESS;
    snprintf(prefix, sizeof prefix, "%s: system %lld", function, (long long)bad);
    return enuf_fail_in(enuf_batch_choose(batch, cells + 9 * bad, &systems->at[bad]), prefix);
}

static void number(const enuf_ewald_batch *batch, const int64_t *offsets,
                   enuf_batch_systems *systems)
{
    for (int64_t s = 0; s < systems->n; s++) {
        enuf_batch_system *system = &systems->at[s];
        memset(system, 0, sizeof *system);
        system->first = offsets[s];
        system->n = (int32_t)(offsets[s + 1] - offsets[s]);
        system->parts = batch->engine->parts(batch, systems->n, system->n);
        system->slot = systems->slots;
        system->sums = systems->sums;
        systems->slots += system->parts;
        systems->sums += (int64_t)system->parts * system->n;
    }
}

/* Hands the systems over; the object keeps the earlier ones after an error. */
static enuf_status take(enuf_ewald_batch *batch, enuf_batch_systems *systems, enuf_status status)
{
    if (status == ENUF_SUCCESS) status = batch->engine->set_systems(batch, systems);
    if (status != ENUF_SUCCESS) {
        enuf_release(&systems->at);
        return status;
    }
    enuf_release(&batch->systems.at);
    batch->systems = *systems;
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_batch_set_systems(enuf_ewald_batch *batch, int64_t n_systems,
                                         const int64_t *offsets, const double *cells)
{
    static const char function[] = "enuf_ewald_batch_set_systems";
    enuf_batch_systems systems = {.n = n_systems};
    if (!batch) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: batch is NULL", function);
    ENUF_TRY(check_offsets(function, n_systems, offsets));
    systems.atoms = offsets[n_systems];
    ENUF_TRY(enuf_allocate(&systems.at, n_systems, sizeof *systems.at, "systems"));
    number(batch, offsets, &systems);
    return take(batch, &systems, choose_all(function, batch, cells, &systems));
}

enuf_status enuf_ewald_batch_set_cells(enuf_ewald_batch *batch, const double *cells)
{
    static const char function[] = "enuf_ewald_batch_set_cells";
    if (!batch) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: batch is NULL", function);
    enuf_batch_systems systems = batch->systems;
    if (systems.n < 0)
        return enuf_fail(ENUF_NO_POINTS_SET,
                         "%s: set the systems first, by enuf_ewald_batch_set_systems()", function);
    ENUF_TRY(enuf_allocate(&systems.at, systems.n, sizeof *systems.at, "systems"));
    if (systems.n > 0)
        memcpy(systems.at, batch->systems.at, (size_t)systems.n * sizeof *systems.at);
    return take(batch, &systems, choose_all(function, batch, cells, &systems));
}
