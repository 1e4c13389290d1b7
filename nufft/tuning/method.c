/* method.c - a method as one record: out of a plan, into options. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "tuning.h"

#include <math.h>
#include <string.h>

enuf_nufft_method enuf_method_record(const enuf_method *method)
{
    enuf_nufft_method record = {.struct_size = sizeof record,
                                .window = method->window.window,
                                .width = method->window.width,
                                .shape = method->window.shape,
                                .upsampling = method->upsampling};
    memcpy(record.fine_grid, method->grid, sizeof record.fine_grid);
    return record;
}

static enuf_status check_size(const char *function, size_t given)
{
    if (given == sizeof(enuf_nufft_method)) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "%s: method->struct_size is %zu, not sizeof(enuf_nufft_method), %zu", function,
                     given, sizeof(enuf_nufft_method));
}

enuf_status enuf_nufft_get_method(const enuf_nufft *plan, enuf_nufft_method *method)
{
    if (!plan || !method)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_get_method: NULL plan or method");
    ENUF_TRY(check_size("enuf_nufft_get_method", method->struct_size));
    if (plan->type3)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_get_method: a plan of type 3 has methods of its own");
    *method = enuf_method_record(&plan->method);
    method->level = plan->options.level;
    method->spreading = plan->options.spreading;
    method->interpolation = plan->options.interpolation;
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_set_method(enuf_nufft_options *options, const enuf_nufft_method *method)
{
    if (!options || !method)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_set_method: NULL options or method");
    ENUF_TRY(check_size("enuf_nufft_set_method", method->struct_size));
    enuf_nufft_options o;
    ENUF_TRY(enuf_nufft_read_options("enuf_nufft_set_method", options, &o));
    o.window = method->window;
    o.width = method->width;
    o.shape = method->shape;
    o.upsampling = 0;
    o.level = method->level;
    o.spreading = method->spreading;
    o.interpolation = method->interpolation;
    for (int d = 0; d < 3; d++) o.fine_grid[d] = d < o.dim ? method->fine_grid[d] : 0;
    if (method->width == 0 || method->fine_grid[0] == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_set_method: width %d, fine_grid %lld: a whole method has both",
                         method->width, (long long)method->fine_grid[0]);
    enuf_status status = enuf_nufft_check_options(&o);
    if (status != ENUF_SUCCESS) return enuf_fail_in(status, "enuf_nufft_set_method");
    options->window = o.window;
    options->width = o.width;
    options->shape = o.shape;
    options->upsampling = o.upsampling;
    options->level = o.level;
    options->spreading = o.spreading;
    options->interpolation = o.interpolation;
    memcpy(options->fine_grid, o.fine_grid, sizeof o.fine_grid);
    return ENUF_SUCCESS;
}
