/*
 * splitting_functions.h - the functions of a kind of splitting: the table behind splitting.h,
 * filled by gaussian.c and prolate.c. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SPLITTING_FUNCTIONS_H
#define ENUF_SPLITTING_FUNCTIONS_H

#include "splitting.h"

typedef struct enuf_splitting_functions {
    double (*band)(const enuf_splitting *splitting);
    double (*inside)(const enuf_splitting *splitting, double x, double *derivative);
    void (*transform)(const enuf_splitting *splitting, double k, double *chi, double *chi_d);
    double (*q)(const enuf_splitting *splitting, double s);
    double (*r)(const enuf_splitting *splitting, double s);
    double (*real_error)(const enuf_splitting *splitting);
    double (*truncation_error)(const enuf_splitting *splitting, double k_c);
} enuf_splitting_functions;

extern const enuf_splitting_functions enuf_gaussian_functions;
extern const enuf_splitting_functions enuf_prolate_functions;

#endif
