/* gridding.c - see gridding.h. SPDX-License-Identifier: BSD-3-Clause */
#include "gridding.h"
#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enuf_nufft_options gridding_options(int64_t side, double tolerance)
{
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 2;
    options.modes[0] = options.modes[1] = side;
    options.sign = 1;
    options.tolerance = tolerance;
    options.period = (double)side; /* of k */
    return options;
}

/* Copies an array of each trajectory for each coil: [trajectories][n] to [trajectories][coils][n].
 */
static double *for_each_coil(const measurement *m, const double *array, int64_t n)
{
    double *copy = allocate(m->trajectories * m->coils * n, sizeof *copy);
    for (int64_t v = 0; v < m->trajectories * m->coils; v++)
        memcpy(copy + v * n, array + v / m->coils * n, (size_t)n * sizeof *copy);
    return copy;
}

void gridding_of_coils(const measurement *m, const enuf_nufft_options *method,
                       double complex *images)
{
    enuf_nufft_options options = *method;
    enuf_nufft *plan;
    options.batch = (int)(m->frames * m->coils);
    const int moving = m->trajectories > 1;
    options.point_sets = moving ? options.batch : 1;
    check(enuf_nufft_create(&options, &plan));
    if (moving) {
        double *k = for_each_coil(m, m->k, 2 * m->samples);
        double *weights = for_each_coil(m, m->weights, m->samples);
        check(enuf_nufft_set_points(plan, m->samples, k, k + 1, NULL, 2));
        check(enuf_nufft_set_point_weights(plan, ENUF_REAL, options.batch, weights));
        free(k);
        free(weights);
    } else {
        check(enuf_nufft_set_points(plan, m->samples, m->k, m->k + 1, NULL, 2));
        check(enuf_nufft_set_point_weights(plan, ENUF_REAL, 1, m->weights));
    }
    check(enuf_nufft_type1(plan, m->data, images));
    enuf_nufft_destroy(&plan);
}

static double complex combined(const measurement *m, const double complex *of_coils, int64_t pixel)
{
    const int64_t pixels = m->side * m->side;
    double complex sum = 0;
    double size = 0;
    if (!m->maps && m->coils == 1) return of_coils[pixel];
    for (int64_t c = 0; c < m->coils; c++) {
        const double complex value = of_coils[c * pixels + pixel];
        const double complex map = m->maps ? m->maps[c * pixels + pixel] : value;
        sum += conj(map) * value;
        size += creal(conj(map) * map);
    }
    if (!m->maps) return sqrt(creal(sum));
    return size > 0 ? sum / size : 0; /* where no coil sees, there is nothing to show */
}

void gridding_images(const measurement *m, const enuf_nufft_options *method, double complex *images)
{
    const int64_t pixels = m->side * m->side;
    double complex *of_coils = allocate(m->frames * m->coils * pixels, sizeof *of_coils);
    gridding_of_coils(m, method, of_coils);
    for (int64_t f = 0; f < m->frames; f++)
        for (int64_t p = 0; p < pixels; p++)
            images[f * pixels + p] = combined(m, of_coils + f * m->coils * pixels, p);
    free(of_coils);
}
