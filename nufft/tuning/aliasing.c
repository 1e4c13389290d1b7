/* aliasing.c - the aliasing of a method over its modes. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning.h"

#include <math.h>

/* The aliases of several axes: the transform of the window is a product, so the sum over all
 * p != 0 is prod (1 + alias_d) - 1. m and -m have the same. */
static enuf_status add_axis(const enuf_method *method, int64_t modes, int64_t grid, double *most,
                            double *mean)
{
    const enuf_window_form *window = &method->window;
    double largest = 0, sum = 0;
    for (int64_t m = 0; m <= modes / 2; m++) {
        double alias;
        const enuf_aliasing out = {.alias = &alias};
        ENUF_TRY(
            enuf_window_aliasing(window->window, window->width, window->shape, grid, 1, &m, &out));
        largest = fmax(largest, alias);
        sum += (m == 0 || 2 * m == modes ? 1 : 2) * alias;
    }
    *most += log1p(largest);
    *mean += log1p(modes > 0 ? sum / (double)modes : 0);
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_aliasing(const enuf_nufft_options *options, double *amplitude, double *l2)
{
    enuf_nufft_options o;
    enuf_method method;
    double most = 0, mean = 0;
    ENUF_TRY(enuf_nufft_read_options("enuf_nufft_aliasing", options, &o));
    ENUF_TRY(enuf_nufft_check_options(&o));
    if (o.type3)
        return enuf_fail(ENUF_UNSUPPORTED, "enuf_nufft_aliasing: type 3 has several windows");
    ENUF_TRY(enuf_choose_method(&o, &method));
    for (int d = 0; d < o.dim; d++)
        ENUF_TRY(add_axis(&method, o.modes[d], method.grid[d], &most, &mean));
    if (amplitude) *amplitude = sqrt(expm1(most));
    if (l2) *l2 = sqrt(expm1(mean));
    return ENUF_SUCCESS;
}
