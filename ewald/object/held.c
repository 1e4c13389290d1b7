/* held.c - see held.h. SPDX-License-Identifier: BSD-3-Clause */
#include "held.h"
#include "memory.h"

/* X(array): all arrays of enuf_held */
#define ARRAYS(X)                                                                                  \
    X(given)                                                                                       \
    X(matrix.order)                                                                                \
    X(matrix.first)                                                                                \
    X(matrix.column)                                                                               \
    X(matrix.value)                                                                                \
    X(matrix.filled)                                                                               \
    X(row) X(positions) X(strengths) X(values) X(charges) X(potentials)

void enuf_held_release_plans(enuf_held *held)
{
    for (int k = 0; k < ENUF_HELD_PLANS; k++) {
        enuf_nufft_destroy(&held->plans[k].plan);
        enuf_release(&held->plans[k].weights);
    }
}

void enuf_held_release(enuf_held **held)
{
    if (!*held) return;
    enuf_held_release_plans(*held);
#define RELEASE(array) enuf_array_release(&(*held)->array);
    ARRAYS(RELEASE)
#undef RELEASE
    enuf_release(held);
}

int64_t enuf_held_bytes(const enuf_held *held)
{
    int64_t bytes = 0;
    if (!held) return 0;
#define ADD(array) bytes += held->array.bytes;
    ARRAYS(ADD)
#undef ADD
    for (int k = 0; k < ENUF_HELD_PLANS; k++) {
        enuf_nufft_report report = {.struct_size = sizeof report};
        if (held->plans[k].plan && enuf_nufft_get_report(held->plans[k].plan, &report) == 0)
            bytes += report.bytes;
    }
    return bytes + (int64_t)sizeof *held;
}
