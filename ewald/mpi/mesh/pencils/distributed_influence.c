/*
 * distributed_influence.c - the weights of influence.c for this rank's modes, divided by the square
 * of the window's transform: the window spreads the charges and interpolates the potentials.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "distributed_grid.h"
#include "parallel.h"
#include "mpi/mesh/window_axis.h"

/* The first axis with the same cells and modes as `axis`; it may be `axis`. */
static int twin_of(const enuf_layout *layout, int axis)
{
    int twin = 0;
    while (layout->grid[twin] != layout->grid[axis] || layout->modes[twin] != layout->modes[axis])
        twin++;
    return twin;
}

enuf_status enuf_distributed_window(enuf_distributed *d)
{
    const enuf_parameters *p = &d->request.ewald->method.parameters;
    for (int axis = 0; axis < 3; axis++) {
        const int twin = twin_of(&d->layout, axis);
        if (twin == axis)
            ENUF_TRY(enuf_window_on_axis(p, d->layout.grid[axis], d->layout.modes[axis],
                                         &d->own_inverse[axis]));
        d->inverse[axis] = d->own_inverse[twin];
    }
    return ENUF_SUCCESS;
}

static int64_t size_of_mode(int64_t m)
{
    return m < 0 ? -m : m;
}

static void weigh_modes(void *context, int64_t begin, int64_t end, int thread)
{
    const enuf_distributed *d = context;
    const enuf_ewald *ewald = d->request.ewald;
    const int64_t *modes = d->layout.modes, count = d->columns * modes[2];
    double *wide = d->weights;
    float *narrow = d->weights;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        int64_t column = i % d->columns, k = i / d->columns;
        int64_t m[3] = {d->share.x_lo + column % d->share.n_x,
                        enuf_layout_mode_y(&d->layout, d->share.y_lo + column / d->share.n_x),
                        k <= modes[2] / 2 ? k : k - modes[2]};
        double weight[2], window = 1;
        enuf_influence_of_mode(&ewald->method, &ewald->geometry,
                               (const double[3]){(double)m[0], (double)m[1], (double)m[2]}, weight);
        for (int a = 0; a < 3; a++) window *= d->inverse[a][size_of_mode(m[a])];
        for (int w = 0; w < 2; w++) {
            double value = weight[w] * window * window;
            if (d->single)
                narrow[w * count + i] = (float)value;
            else
                wide[w * count + i] = value;
        }
    }
}

void enuf_distributed_weigh(enuf_distributed *d)
{
    enuf_parallel_for(d->threads, d->columns * d->layout.modes[2], 0, weigh_modes, d);
}
