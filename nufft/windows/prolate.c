/* prolate.c - the prolate window psi_0^c(z)/psi_0^c(0). SPDX-License-Identifier: BSD-3-Clause */
#include "window_kind.h"

#include <math.h>

/* Source: docs/theory.md, "Windows": the band that the aliases of the outermost mode leave free. */
static double default_shape(int width, double upsampling)
{
    return M_PI * width * (1 - 0.5 / upsampling) - 0.05;
}

static long double value(const enuf_window_parameters *parameters, long double z)
{
    return enuf_prolate_value_long(&parameters->psi, z) / parameters->psi.at_0;
}

const enuf_window_kind enuf_window_prolate = {default_shape, 0, ENUF_MAX_SHAPE, value};
