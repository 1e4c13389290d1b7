/*
 * test_lost_context.c - an error that destroys the CUDA context of the process is reported with a
 * text that says so. Later calls on the GPU fail and do not crash. The CPU still works: type 1 has
 * a relative l2 error of at most 4 tolerances.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

static void law(void)
{
    enuf_nufft_options options = device_options(3, 8, 8, 8);
    transform t = transform_make(&options, 100, 1);
    transform_sum(&t);
    device_transform d = device_transform_make(&t);
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);

    /* points 64 GB apart: most addresses have no memory */
    const double *x = d.points;
    enuf_status status = enuf_nufft_set_points(plan, 100, x, x, x, (int64_t)1 << 33);
    if (status == ENUF_SUCCESS) /* the kernel that fails may still be running */
        status = enuf_nufft_check(plan, NULL);
    CHECK_STATUS(status, ENUF_INTERNAL);
    CHECK_TEXT("CUDA context of this process is lost");
    CHECK_TEXT("use the cpu backend");
    CHECK(enuf_nufft_type1(plan, d.strengths, d.modes) != ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    CHECK(plan == NULL);
    CHECK(enuf_nufft_create(&options, &plan) != ENUF_SUCCESS);
    CHECK(plan == NULL);

    options.backend = ENUF_BACKEND_CPU;
    options.memory = ENUF_HOST;
    plan = transform_plan(&t, &options);
    CHECK(plan != NULL);
    if (plan) CHECK_BELOW(type1_error(&t, plan), 4 * options.tolerance, "type 1 on the CPU");
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

int main(void)
{
    return device_main(law);
}
