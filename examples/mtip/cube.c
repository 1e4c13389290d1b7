/* cube.c - see cube.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cube.h"
#include "fail.h"

#include <math.h>
#include <stdlib.h>

static int64_t number_of(int64_t side, int64_t voxel, int axis)
{
    for (int d = 0; d < axis; d++) voxel /= side;
    return voxel % side - side / 2;
}

cube cube_make(const settings *s)
{
    enuf_nufft_options options = transform_options(s);
    const int64_t side = s->side;
    cube c = {.side = side, .voxels = side * side * side};
    double *points = allocate(3 * c.voxels, sizeof *points);
    for (int64_t k = 0; k < 3 * c.voxels; k++)
        points[k] = (double)number_of(side, k / 3, (int)(k % 3)) / (double)side;
    options.sign = -1;
    options.tolerance = 1e-7;
    check(enuf_nufft_create(&options, &c.plan));
    check(enuf_nufft_set_points(c.plan, c.voxels, points, points + 1, points + 2, 3));
    free(points);
    return c;
}

void cube_free(cube *c)
{
    enuf_nufft_destroy(&c->plan);
}

void cube_forward(const cube *c, const double complex *here, double complex *there)
{
    check(enuf_nufft_type1(c->plan, here, there));
}

void cube_backward(const cube *c, const double complex *there, double complex *here)
{
    check(enuf_nufft_type2(c->plan, there, here, NULL)); /* of the opposite sign */
    for (int64_t k = 0; k < c->voxels; k++) here[k] /= (double)c->voxels;
}

void cube_q(const cube *c, int64_t voxel, double q[3])
{
    for (int d = 0; d < 3; d++)
        q[d] = 2 * M_PI * (double)number_of(c->side, voxel, d) / (double)c->side;
}
