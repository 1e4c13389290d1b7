/* command_simulate.c - writes what a phantom gives. SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"
#include "fail.h"
#include "measurement.h"
#include "new_file.h"
#include "npy.h"

#include <stdlib.h>

static void write_array(const char *folder, const char *name, npy_type type, int axes,
                        const int64_t *shape, const void *numbers)
{
    char path[MOST_PATH];
    join_path(path, folder, name);
    npy_write(path, type, axes, shape, numbers);
}

static void write_truth(const settings *s, int64_t side)
{
    double *truth = allocate(s->frames * side * side, sizeof *truth);
    for (int64_t f = 0; f < s->frames; f++) {
        ellipse ellipses[MOST_ELLIPSES];
        const int n =
            phantom_ellipses((phantom)s->phantom, measurement_time(f, s->frames), ellipses);
        phantom_pixels(n, ellipses, side, truth + f * side * side);
    }
    write_array(s->folder, "truth.npy", NPY_DOUBLE, 3, (int64_t[]){s->frames, side, side}, truth);
    free(truth);
}

void command_simulate(const settings *s)
{
    const int64_t side = s->side > 0 ? s->side : 128;
    sampling samples = sampling_make((trajectory)s->trajectory, side, s->frames, s->reduction);
    measurement m =
        measurement_make(&samples, (phantom)s->phantom, s->coils, s->noise, (uint64_t)s->seed);
    write_array(s->folder, "trajectory.npy", NPY_DOUBLE, 3, (int64_t[]){m.frames, m.samples, 2},
                m.k);
    write_array(s->folder, "weights.npy", NPY_DOUBLE, 2, (int64_t[]){m.frames, m.samples},
                m.weights);
    write_array(s->folder, "data.npy", NPY_COMPLEX, 3, (int64_t[]){m.frames, m.coils, m.samples},
                m.data);
    write_array(s->folder, "maps.npy", NPY_COMPLEX, 3, (int64_t[]){m.coils, side, side}, m.maps);
    write_truth(s, side);
    printf("%s: %lld frames, %lld coils, %lld readouts of %lld samples, %lld x %lld pixels\n",
           s->folder, (long long)m.frames, (long long)m.coils, (long long)samples.readouts,
           (long long)samples.on_readout, (long long)side, (long long)side);
    measurement_free(&m);
    sampling_free(&samples);
}
