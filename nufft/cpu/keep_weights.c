/* keep_weights.c - level WEIGHTS: the window's values of each point, axis by axis, where the
 * kernels of spread.c, spread_fixed.c and interpolate.c read them (weights_of() in point.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parallel.h"
#include "point.h"

int ENUF_SUFFIXED(enuf_cpu_row_step)(int width)
{
    return vectors_of(width, 0) * LANES;
}

static void keep(void *context, int64_t begin, int64_t end, int thread)
{
    enuf_nufft *plan = context;
    const enuf_cpu *cpu = plan->workspace;
    const int dim = plan->options.dim, width = cpu->window.width;
    const int64_t row = vectors_of(width, 0) * LANES;
    real *to = (real *)cpu->points.kept.weights + begin * dim * row;
    (void)thread;
    for (int64_t j = begin; j < end; j++)
        for (int d = 0; d < dim; d++, to += row) {
            const double u =
                dim == 1 ? cpu->points.folded[j] : enuf_cpu_sorted_at(plan, j)[1 + d].u;
            double t;
            first_cell(u, 0.5 * width, &t);
            weights(&cpu->window, (real)t, to);
        }
}

void ENUF_SUFFIXED(enuf_cpu_keep_weights)(enuf_nufft *plan, int64_t n)
{
    enuf_parallel_for(plan->threads, n, 0, keep, plan);
}
