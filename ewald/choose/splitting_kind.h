/*
 * splitting_kind.h - a splitting, and the functions of its kind: the table behind splitting.h,
 * filled by gaussian.c and prolate.c. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SPLITTING_KIND_H
#define ENUF_SPLITTING_KIND_H

#include "enuf/ewald.h"
#include "prolate_function.h"

typedef struct enuf_splitting {
    enuf_split kind;   /* GAUSSIAN or PROLATE */
    double cutoff;     /* r_c */
    double alpha;      /* Gaussian: 1/length */
    double c;          /* prolate */
    double self;       /* lim_{r->0} Phi/r: 2 alpha/sqrt(pi), psi(0)/(c_0 r_c) */
    double background; /* b: E_bg = -b Qt^2/V */
    enuf_prolate psi;  /* prolate */
} enuf_splitting;

enuf_status enuf_splitting_gaussian(double alpha, double cutoff, enuf_splitting *splitting);
enuf_status enuf_splitting_prolate(double c, double cutoff, enuf_splitting *splitting);

typedef struct enuf_splitting_functions {
    double (*band)(const enuf_splitting *splitting);
    double (*inside)(const enuf_splitting *splitting, double x, double *derivative);
    void (*transform)(const enuf_splitting *splitting, double k, double *chi, double *chi_d);
    double (*transform_bend)(const enuf_splitting *splitting, double k);
    double (*q)(const enuf_splitting *splitting, double s);
    double (*r)(const enuf_splitting *splitting, double s);
    double (*real_error)(const enuf_splitting *splitting);
    double (*truncation_error)(const enuf_splitting *splitting, double k_c);
} enuf_splitting_functions;

extern const enuf_splitting_functions enuf_gaussian_functions;
extern const enuf_splitting_functions enuf_prolate_functions;

/** Smallest alpha whose real error is <= eps at this cutoff; k_c whose truncation error is <= eps.
 */
double enuf_gaussian_alpha_for(double eps, double cutoff);
double enuf_gaussian_band_for(double eps, double alpha, double cutoff);
/** Smallest c whose truncation error is <= eps. */
double enuf_prolate_c_for(double eps);

#endif
