/* window_axis.c - see window_axis.h. SPDX-License-Identifier: BSD-3-Clause */
#include "window_axis.h"
#include "memory.h"

#include "enuf/nufft_stages.h"

enuf_status enuf_window_on_axis(const enuf_parameters *p, int64_t grid, int64_t modes,
                                double **inverse)
{
    const int64_t most = modes / 2;
    ENUF_TRY(enuf_allocate(inverse, most + 1, sizeof **inverse, "transform of the window"));
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.modes[0] = modes;
    options.fine_grid[0] = grid;
    options.tolerance = 0;
    options.window = p->window;
    options.width = p->width;
    options.shape = p->shape;
    options.backend = ENUF_BACKEND_CPU;
    options.threads = 1;
    options.no_grid = 1;
    enuf_nufft *plan = NULL;
    double *ones = NULL;
    enuf_status status = enuf_nufft_create(&options, &plan);
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&ones, 2 * (most + 1), sizeof *ones, "transform of the window");
    if (status == ENUF_SUCCESS) {
        for (int64_t m = 0; m <= most; m++) {
            ones[2 * m] = 1;
            ones[2 * m + 1] = 0;
        }
        enuf_spectral_box box = {
            .global_grid = {grid}, .modes = {options.modes[0]}, .n = {most + 1}, .half_axis = -1};
        status = enuf_stage_deconvolve(plan, &box, ones);
        for (int64_t m = 0; m <= most; m++) (*inverse)[m] = ones[2 * m];
    }
    enuf_release(&ones);
    enuf_nufft_destroy(&plan);
    return status;
}
