/* measurement_files.c - see measurement_files.h. SPDX-License-Identifier: BSD-3-Clause */
#include "measurement_files.h"
#include "fail.h"
#include "new_file.h"
#include "npy.h"

#include <math.h>
#include <unistd.h>

#define L(x) ((long long)(x))

typedef struct source {
    char path[MOST_PATH], shape[MOST_SHAPE];
    npy_array array;
} source;

static source read_source(const char *folder, const char *name, npy_type type)
{
    source s;
    join_path(s.path, folder, name);
    s.array = npy_read(s.path, type);
    npy_shape(&s.array, s.shape);
    return s;
}

static void take_data(measurement *m, const source *s)
{
    const int64_t *shape = s->array.shape;
    if (s->array.axes != 3 || npy_count(&s->array) == 0)
        fail("%s has the shape %s: make it (frames, coils, samples), each 1 or more", s->path,
             s->shape);
    if (shape[0] > INT32_MAX / shape[1])
        fail("%s, shape %s: at most %d frames and coils together", s->path, s->shape, INT32_MAX);
    m->frames = shape[0];
    m->coils = shape[1];
    m->samples = shape[2];
    m->data = (double complex *)s->array.numbers;
}

static void take_trajectory(measurement *m, const source *s)
{
    const int axes = s->array.axes;
    const int64_t *shape = s->array.shape;
    if ((axes != 2 && axes != 3) || shape[axes - 1] != 2 || shape[axes - 2] != m->samples ||
        (axes == 3 && shape[0] != 1 && shape[0] != m->frames))
        fail("%s has the shape %s: data.npy needs (%lld, 2) or (%lld, %lld, 2)", s->path, s->shape,
             L(m->samples), L(m->frames), L(m->samples));
    m->trajectories = axes == 3 ? shape[0] : 1;
    m->k = s->array.numbers;
}

/* Farther samples would be folded: their wave cannot be told from another one on the pixels. */
static void check_extent(const measurement *m, const source *s)
{
    const double most = 0.5 * (double)m->side;
    for (int64_t j = 0; j < m->trajectories * m->samples; j++) {
        const double x = m->k[2 * j], y = m->k[2 * j + 1], far = fmax(fabs(x), fabs(y));
        if (far > most * (1 + 1e-12))
            fail("%s, shape %s: sample %lld at (%g, %g) is farther out than side / 2 = %g: give "
                 "--side %.0f or more",
                 s->path, s->shape, L(j), x, y, most, 2 * ceil(far));
    }
}

static void take_maps(measurement *m, const source *s, int64_t side)
{
    const int64_t *shape = s->array.shape;
    if (s->array.axes != 3 || shape[1] != shape[2])
        fail("%s has the shape %s: make it (coils, side, side)", s->path, s->shape);
    if (shape[0] != m->coils)
        fail("%s has the shape %s, with %lld coils, but data.npy has %lld: give as many maps as "
             "coils with data",
             s->path, s->shape, L(shape[0]), L(m->coils));
    if (side > 0 && shape[1] != side)
        fail("%s has the shape %s: --side %lld needs (%lld, %lld, %lld)", s->path, s->shape,
             L(side), L(m->coils), L(side), L(side));
    m->side = shape[1];
    m->maps = (double complex *)s->array.numbers;
}

static void take_weights(measurement *m, const source *s)
{
    const int axes = s->array.axes;
    const int64_t *shape = s->array.shape, n = m->trajectories * m->samples;
    double most = 0;
    if ((axes != 1 && axes != 2) || shape[axes - 1] != m->samples || npy_count(&s->array) != n)
        fail("%s has the shape %s: trajectory.npy needs (%lld, %lld)%s", s->path, s->shape,
             L(m->trajectories), L(m->samples), m->trajectories == 1 ? ", or without the 1" : "");
    for (int64_t j = 0; j < n; j++) {
        if (s->array.numbers[j] < 0)
            fail("%s, shape %s: weight %lld is %g: make it 0 or more, or use --density iterative",
                 s->path, s->shape, L(j), s->array.numbers[j]);
        most = fmax(most, s->array.numbers[j]);
    }
    if (most == 0)
        fail("%s, shape %s: all weights are 0, so that no image is left: write weights above 0, "
             "or use --density iterative",
             s->path, s->shape);
    m->weights = s->array.numbers;
}

measurement measurement_read(const char *folder, int64_t side, int without_weights)
{
    measurement m = {.side = side};
    char path[MOST_PATH];
    const source data = read_source(folder, "data.npy", NPY_COMPLEX);
    take_data(&m, &data);
    const source places = read_source(folder, "trajectory.npy", NPY_DOUBLE);
    take_trajectory(&m, &places);
    join_path(path, folder, "maps.npy");
    if (access(path, F_OK) == 0) {
        const source maps = read_source(folder, "maps.npy", NPY_COMPLEX);
        take_maps(&m, &maps, side);
    }
    if (m.side == 0)
        fail("%s has no maps.npy, which would tell the pixels along an axis: give --side", folder);
    if (m.side < 4 || m.side > 4096)
        fail("%s: maps.npy has %lld pixels along an axis: use 4 to 4096", folder, L(m.side));
    check_extent(&m, &places);
    if (without_weights) {
        m.weights = allocate(m.trajectories * m.samples, sizeof *m.weights);
        return m;
    }
    const source weights = read_source(folder, "weights.npy", NPY_DOUBLE);
    take_weights(&m, &weights);
    return m;
}
