/*
 * test_method_aliasing.c - enuf_nufft_aliasing(): the amplitude is the RMS error, over random
 * points, of a type 2 of the mode with the largest aliasing alone, to 5 %; l2 is the RMS of these
 * errors over all modes (1D), to 5 %. 60 seeded combinations of window, width, upsampling and
 * dimension whose aliasing lies above rounding. SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/nufft_tuning.h"
#include "enuf/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 7;

static int draw(int least, int most)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return least + (int)((state >> 33) % (uint64_t)(most - least + 1));
}

/* RMS over the points of the difference over the RMS of the exact sums. */
static double measured(transform *t)
{
    transform_sum(t);
    enuf_nufft *plan = transform_plan(t, NULL);
    const double error = plan ? type2_error(t, plan) : NAN;
    enuf_nufft_destroy(&plan);
    return error;
}

/* The flat index of the mode of largest aliasing: it is not always the last one. */
static int64_t worst_mode(const enuf_nufft_options *o)
{
    enuf_nufft_method method = {.struct_size = sizeof method};
    enuf_nufft *plan = NULL;
    int64_t flat = 0, stride = 1;
    CHECK_STATUS(enuf_nufft_create(o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_method(plan, &method), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    for (int d = 0; d < o->dim; d++) {
        double most = -1;
        int64_t at = 0;
        for (int64_t i = 0; i < o->modes[d]; i++) {
            const int64_t m = i - o->modes[d] / 2;
            double alias = 0;
            const enuf_aliasing out = {.alias = &alias};
            CHECK_STATUS(enuf_window_aliasing(method.window, method.width, method.shape,
                                              method.fine_grid[d], 1, &m, &out),
                         ENUF_SUCCESS);
            if (alias > most) at = i;
            most = fmax(most, alias);
        }
        flat += at * stride;
        stride *= o->modes[d];
    }
    return flat;
}

/* RMS over the modes of the errors of each mode alone. */
static double over_all_modes(const enuf_nufft_options *o)
{
    double square = 0;
    for (int64_t m = 0; m < o->modes[0]; m++) {
        transform t = transform_make(o, 3000, (uint64_t)m + 1);
        for (int64_t i = 0; i < t.n_modes; i++)
            number_set(o->precision, t.spectrum, i, i == 2 * m ? 1 : 0);
        square += pow(measured(&t), 2) / (double)o->modes[0];
        transform_free(&t);
    }
    return sqrt(square);
}

int main(void)
{
    double worst = 0, worst_l2 = 0;
    int done = 0;
    while (done < 60) {
        const int dim = draw(1, 3);
        int64_t n[3] = {0};
        for (int d = 0; d < dim; d++) n[d] = 2 * draw(3, dim == 1 ? 16 : 5);
        enuf_nufft_options o = conformance_options_of(dim, n);
        o.tolerance = 0;
        o.window = (enuf_window)draw(0, 5);
        o.width = draw(2, 7);
        o.upsampling = 1.25 + 0.25 * draw(0, 4);
        double amplitude = 0, l2 = 0;
        CHECK_STATUS(enuf_nufft_aliasing(&o, &amplitude, &l2), ENUF_SUCCESS);
        CHECK(l2 <= amplitude);
        if (amplitude < 1e-9) continue;
        const int64_t mode = worst_mode(&o);
        transform t = transform_make(&o, 6000, (uint64_t)done + 1);
        for (int64_t i = 0; i < t.n_modes; i++)
            number_set(o.precision, t.spectrum, i, i == 2 * mode ? 1 : 0);
        worst = fmax(worst, fabs(measured(&t) / amplitude - 1));
        transform_free(&t);
        if (dim == 1) worst_l2 = fmax(worst_l2, fabs(over_all_modes(&o) / l2 - 1));
        done++;
    }
    CHECK_BELOW(worst, 0.05, "amplitude: deviation from the RMS error of its mode");
    CHECK_BELOW(worst_l2, 0.05, "l2: deviation from the RMS over the modes, in 1D");
    enuf_nufft_options bad = conformance_options(1, -3, 0, 0);
    CHECK_STATUS(enuf_nufft_aliasing(&bad, NULL, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_nufft_aliasing(NULL, NULL, NULL), ENUF_BAD_ARGUMENT);
    return check_result();
}
