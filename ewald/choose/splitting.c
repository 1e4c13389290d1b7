/* splitting.c - calls the functions of the kind of splitting. SPDX-License-Identifier: BSD-3-Clause
 */
#include "splitting.h"

static const enuf_splitting_functions *functions_of(const enuf_splitting *splitting)
{
    return splitting->kind == ENUF_SPLIT_PROLATE ? &enuf_prolate_functions
                                                 : &enuf_gaussian_functions;
}

double enuf_splitting_band(const enuf_splitting *splitting)
{
    return functions_of(splitting)->band(splitting);
}

double enuf_splitting_inside(const enuf_splitting *splitting, double x, double *derivative)
{
    return functions_of(splitting)->inside(splitting, x, derivative);
}

void enuf_splitting_transform(const enuf_splitting *splitting, double k, double *chi, double *chi_d)
{
    functions_of(splitting)->transform(splitting, k, chi, chi_d);
}

double enuf_splitting_transform_bend(const enuf_splitting *splitting, double k)
{
    return functions_of(splitting)->transform_bend(splitting, k);
}

double enuf_splitting_q(double s, const void *splitting)
{
    return functions_of(splitting)->q(splitting, s);
}

double enuf_splitting_r(double s, const void *splitting)
{
    return functions_of(splitting)->r(splitting, s);
}

double enuf_splitting_real_error(const enuf_splitting *splitting)
{
    return functions_of(splitting)->real_error(splitting);
}

double enuf_splitting_truncation_error(const enuf_splitting *splitting, double k_c)
{
    return functions_of(splitting)->truncation_error(splitting, k_c);
}
