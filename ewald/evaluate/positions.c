/* positions.c - checks the caller's positions: given, finite, on the host.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "object/ewald_object.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>

typedef struct finite_loop {
    const double *positions;
    int64_t stride;
    _Atomic int64_t first_bad;
} finite_loop;

static void look_at_positions(void *context, int64_t i, int64_t end, int thread)
{
    finite_loop *loop = context;
    (void)thread;
    for (; i < end; i++)
        for (int d = 0; d < 3; d++)
            if (!isfinite(loop->positions[i * loop->stride + d])) enuf_lower(&loop->first_bad, i);
}

enuf_status enuf_check_positions_argument(int64_t n, const void *positions, int64_t stride)
{
    if (n > 0 && !positions)
        return enuf_fail(ENUF_BAD_ARGUMENT, "positions is NULL, but there are %lld charges",
                         (long long)n);
    if (stride < 3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "stride is %lld: it has to be at least 3",
                         (long long)stride);
    if (!enuf_fits_in_memory(n, stride, sizeof(double)))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "stride is %lld: no memory holds %lld positions so far apart",
                         (long long)stride, (long long)n);
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_check_positions(const enuf_ewald *ewald, const double *positions,
                                       int64_t stride)
{
    const int64_t n = ewald->charges.n;
    ENUF_TRY(enuf_check_positions_argument(n, positions, stride));
    finite_loop loop = {positions, stride, n};
    enuf_parallel_for(enuf_ewald_threads(ewald), n, 0, look_at_positions, &loop);
    const int64_t first = loop.first_bad;
    if (first == n) return ENUF_SUCCESS;
    const double *x = &positions[first * stride];
    return enuf_fail(ENUF_NOT_FINITE, "position of atom %lld is (%g, %g, %g): it has to be finite",
                     (long long)first, x[0], x[1], x[2]);
}

enuf_status enuf_ewald_host_positions(enuf_ewald *ewald, enuf_memory memory,
                                      const double **positions, int64_t stride, double **copy)
{
    const int64_t n = ewald->charges.n;
    if (!*positions || stride < 3 || n == 0 || !enuf_fits_in_memory(n, stride, sizeof **positions))
        return ENUF_SUCCESS; /* the check of positions reports the error */
    if (ewald->backend->check_place)
        ENUF_TRY(ewald->backend->check_place(ewald, *positions, memory, "positions"));
    if (memory == ENUF_HOST) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(copy, n * stride, sizeof **copy, "positions"));
    ENUF_TRY(ewald->backend->to_host(ewald, (n - 1) * stride + 3, *positions, *copy));
    *positions = *copy;
    return ENUF_SUCCESS;
}
