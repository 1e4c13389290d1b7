/* inspect.c - looks at positions and charges in host memory. SPDX-License-Identifier: BSD-3-Clause
 */
#include "numbers.h"
#include "parallel.h"

int enuf_batch_inspect(const enuf_ewald_batch *batch, const enuf_batch_arrays *arrays, int64_t s,
                       enuf_batch_fault *fault)
{
    const enuf_batch_system *system = &batch->systems.at[s];
    *fault = (enuf_batch_fault){.system = s, .atom = system->first};
    for (; fault->atom < system->first + system->n; fault->atom++) {
        const int64_t x = fault->atom * arrays->stride;
        fault->kind = ENUF_BATCH_POSITION;
        for (int a = 0; a < 3; a++)
            if (!isfinite(enuf_batch_number(batch, arrays->positions, x + a))) return 1;
        fault->kind = ENUF_BATCH_CHARGE;
        if (!isfinite(enuf_batch_number(batch, arrays->charges, fault->atom))) return 1;
    }
    if (batch->options.surroundings == 0) return 0;
    const enuf_batch_moments of = enuf_batch_moments_of(batch, arrays, system);
    const double neutral =
        batch->options.precision == ENUF_FLOAT ? ENUF_BATCH_NEUTRAL_IN_FLOAT : ENUF_BATCH_NEUTRAL;
    *fault = (enuf_batch_fault){.kind = ENUF_BATCH_NET, .system = s, .atom = system->first};
    return fabs(of.charge) > neutral * of.magnitude;
}

typedef struct inspection {
    const enuf_ewald_batch *batch;
    const enuf_batch_arrays *arrays;
    _Atomic int64_t bad; /* the first system that is refused */
} inspection;

static void inspect_systems(void *context, int64_t s, int64_t end, int thread)
{
    inspection *loop = context;
    enuf_batch_fault fault;
    (void)thread;
    for (; s < end; s++)
        if (enuf_batch_inspect(loop->batch, loop->arrays, s, &fault)) enuf_lower(&loop->bad, s);
}

enuf_status enuf_batch_inspect_all(const enuf_ewald_batch *batch, const char *function,
                                   const enuf_batch_arrays *arrays)
{
    inspection loop = {batch, arrays, INT64_MAX};
    enuf_batch_fault fault;
    enuf_parallel_for(batch->threads, batch->systems.n, 64, inspect_systems, &loop);
    const int64_t bad = loop.bad;
    if (bad == INT64_MAX) return ENUF_SUCCESS;
    enuf_batch_inspect(batch, arrays, bad, &fault);
    return enuf_batch_refuse(batch, function, &fault);
}
