/* imaging_cufinufft.c - cuFINUFFT as a peer of images: see imaging_peers.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "direct_device.h"
#include "fail.h"
#include "imaging_peers.h"
#include "peers/cufinufft.h"

#include <math.h>
#include <stdlib.h>

static int here;

const char *imaging_cufinufft_open(void)
{
    const char *missing = cufinufft_open();
    here = !missing;
    return here ? cufinufft_description() : missing;
}

/* Numbers in float on the device; `from` NULL: zeros. */
static void *place(int64_t n, const double *from)
{
    float *numbers = allocate(n, sizeof *numbers);
    for (int64_t i = 0; from && i < n; i++) numbers[i] = (float)from[i];
    void *array = bench_device_array((size_t)n * sizeof *numbers, numbers);
    if (!array) fail("no device memory for %lld numbers", (long long)n);
    free(numbers);
    return array;
}

int imaging_cufinufft_time(const imaging_case *c, imaging_direction direction, double asked,
                           const imaging_clock *clock, imaging_peer *row)
{
    if (!here) return 0;
    const int adjoint = direction == IMAGING_ADJOINT;
    void *radians[2] = {place(c->n, c->radians[0]), place(c->n, c->radians[1])};
    void *strengths = place(2 * c->n, adjoint ? c->values : NULL);
    void *spectrum = place(2 * c->n, adjoint ? NULL : c->image);
    float *result = allocate(2 * c->n, sizeof *result);
    const cufinufft_problem p = {.dim = 2,
                                 .single = 1,
                                 .type = adjoint ? 1 : 2,
                                 .modes = {c->side, c->side, 1},
                                 .tolerance = asked,
                                 .n = c->n,
                                 .radians = {radians[0], radians[1], NULL},
                                 .strengths = strengths,
                                 .spectrum = spectrum,
                                 .methods = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4,
                                 .in_a_row = IMAGING_IN_A_ROW};
    const cufinufft_times once = cufinufft_time(&p, 1);
    if (once.method == 0) fail("cuFINUFFT failed with status %d", once.status);
    const cufinufft_times t = cufinufft_time(&p, imaging_turns(clock, 4 * once.seconds));
    bench_device_read(result, adjoint ? spectrum : strengths, (size_t)(2 * c->n) * sizeof *result);
    *row = (imaging_peer){.name = "cufinufft",
                          .layout = "error",
                          .window = "",
                          .upsampling = NAN,
                          .error = imaging_case_error(c, direction, 1, result),
                          .total = t.execute,
                          .setting = t.seconds - t.execute};
    free(result);
    for (int d = 0; d < 2; d++) bench_device_free(radians[d]);
    bench_device_free(strengths);
    bench_device_free(spectrum);
    return t.method > 0;
}
