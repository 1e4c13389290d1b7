/*
 * test_weights_device.c - weights and adjoints of a plan in device memory give what a plan of the
 * same GPU in host memory gives, to 1e-13, in float 1e-5: sums in another order. 400 points, all
 * signs, complex and real strengths, a batch of 2. Weights that live on the host are refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 400, BATCH = 2 };

/* The four transforms of one plan: modes, values, gradients, values and modes of the adjoints. */
typedef struct results {
    void *array[5];
} results;

static void run(enuf_nufft *plan, const void *strengths, const void *spectrum, results r)
{
    CHECK_STATUS(enuf_nufft_type1(plan, strengths, r.array[0]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, spectrum, r.array[1], r.array[2]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1_adjoint(plan, spectrum, r.array[3]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2_adjoint(plan, strengths, r.array[4]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
}

static void same_in_both_memories(int dim, int kind)
{
    static const char *const names[5] = {"  type 1", "  type 2", "  gradients", "  type 1, adjoint",
                                         "  type 2, adjoint"};
    enuf_nufft_options options = device_options(dim, 16, 15, 12), on_host;
    options.precision = kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE;
    options.strengths = kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.type2_sign = kind & 4 ? -1 : 1;
    options.batch = BATCH;
    options.tolerance = 1e-4;
    on_host = options;
    on_host.memory = ENUF_HOST;
    const enuf_precision p = options.precision;
    const enuf_multiplier of_points = kind & 2 ? ENUF_REAL : ENUF_COMPLEX;
    transform t = transform_make(&options, N, 31);
    device_transform d = device_transform_make(&t);
    void *w = numbers_random(p, 2 * N, 5), *v = numbers_random(p, t.n_modes, 6);
    void *w_there = device_make(p, 2 * N, w), *v_there = device_make(p, t.n_modes, v);
    const int64_t sizes[5] = {t.n_modes, t.n_values, t.n_gradients, t.n_values, t.n_modes};
    results here, there;
    printf("%dD %s %s, type2_sign %d\n", dim, kind & 1 ? "float" : "double",
           kind & 2 ? "real" : "complex", options.type2_sign);
    for (int k = 0; k < 5; k++) {
        here.array[k] = numbers_make(p, sizes[k]);
        there.array[k] = device_make(p, sizes[k], NULL);
    }
    enuf_nufft *host_plan = transform_plan(&t, &on_host), *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_point_weights(host_plan, of_points, 1, w), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_mode_weights(host_plan, ENUF_COMPLEX, BATCH, v), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, of_points, 1, w), ENUF_BAD_MEMORY);
    CHECK_TEXT("weights");
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, of_points, 1, w_there), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_mode_weights(plan, ENUF_COMPLEX, BATCH, v_there), ENUF_SUCCESS);
    run(host_plan, t.strengths, t.spectrum, here);
    run(plan, d.strengths, d.spectrum, there);
    for (int k = 0; k < 5; k++) {
        void *read = device_read(p, sizes[k], there.array[k]);
        CHECK_BELOW(relative_error(p, sizes[k], read, here.array[k]),
                    p == ENUF_FLOAT ? 1e-5 : 1e-13, names[k]);
        free(read);
        free(here.array[k]);
        device_free(there.array[k]);
    }
    enuf_nufft_destroy(&plan);
    enuf_nufft_destroy(&host_plan);
    device_free(w_there);
    device_free(v_there);
    free(w);
    free(v);
    device_transform_free(&d);
    transform_free(&t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++)
        for (int kind = 0; kind < 8; kind++) same_in_both_memories(dim, kind);
}

int main(void)
{
    return device_main(law);
}
