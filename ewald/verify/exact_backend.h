/*
 * exact_backend.h - the parts of exact sums that take the time, on one kind of processor: a table
 * that exact_backend_cpu.c and ewald/cuda/exact fill. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EXACT_BACKEND_H
#define ENUF_EXACT_BACKEND_H

#include "exact_sums.h"

/** Bins divide the cell evenly along its axes; a bin is about a third of the cutoff long. The
 * cutoff spans `reach` bins to each side, counted without folding: a bin beyond the cell's face is
 * an image of one inside. */
typedef struct enuf_exact_bins {
    int64_t count[3], reach[3]; /* along an axis: bins; bins that the cutoff spans */
    int64_t *start;             /* [bins + 1], into atoms; axis 0 runs fastest */
    int64_t n_charged;
    int64_t *atoms; /* [n_charged] by bin, in a bin by index */
} enuf_exact_bins;

enuf_status enuf_exact_bins_make(const enuf_exact_system *system, enuf_exact_bins *bins);
void enuf_exact_bins_release(enuf_exact_bins *bins);
/** The bin of a fraction along axis d. */
int64_t enuf_exact_bin_along(const enuf_exact_bins *bins, const long double *fraction, int d);

/* sums of pairs at a target: potential; field x y z; field times distance xx yy zz xy xz yz */
enum { ENUF_EXACT_POTENTIAL, ENUF_EXACT_FIELD, ENUF_EXACT_VIRIAL = 4, ENUF_EXACT_TERMS = 10 };

typedef struct enuf_exact_target {
    long double sum[ENUF_EXACT_TERMS];
} enuf_exact_target;

typedef struct enuf_exact_backend {
    /* times of a pair (with candidates beyond the cutoff), and of an atom and a mode in
     * structure() and gather(); only their ratios count */
    double pair_time, structure_time, gather_time;
    /* found [n_targets]. clash: the first target that lies at the place of another charge, and the
     * atom there; clash[0] = -1: none */
    enuf_status (*pairs)(const enuf_exact_system *system, const enuf_exact_bins *bins,
                         enuf_exact_target *found, int64_t clash[2]);
    /* sum q exp(-2 pi i m.s) over all atoms: factors [modes][2] */
    enuf_status (*structure)(const enuf_exact_system *system, const enuf_mode_rows *modes,
                             double *factors);
    /* Re sum F exp(2 pi i m.s) and its derivatives by s1, s2, s3 over 2 pi, at targets first ...
     * last - 1: at [last - first][4]. F: factors [modes][2] */
    enuf_status (*gather)(const enuf_exact_system *system, const enuf_mode_rows *modes,
                          const double *factors, int64_t first, int64_t last, double *at);
} enuf_exact_backend;

extern const enuf_exact_backend enuf_exact_backend_cpu, enuf_exact_backend_cuda;

#endif
