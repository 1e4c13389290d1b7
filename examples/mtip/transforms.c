/* transforms.c - see transforms.h. SPDX-License-Identifier: BSD-3-Clause */
#include "transforms.h"

enuf_nufft_options transform_options(const settings *s)
{
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    for (int d = 0; d < 3; d++) options.modes[d] = s->side;
    options.backend = s->backend;
    options.device = s->device;
    return options;
}
