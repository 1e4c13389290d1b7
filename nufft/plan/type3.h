/*
 * type3.h - type 3: sums at targets anywhere, as a spreading and a type 2.
 *
 * With points x = C + x', |x'_d| <= X_d, and targets s = D + s', |s'_d| <= S_d,
 *
 *   exp(i s.x) = exp(i D.x) exp(i s'.x') exp(i (s - D).C).
 *
 * Strengths times exp(i D.x) are spread with a window psi on cells of a grid that does not wrap,
 * kappa cells for a unit of x. A target is the frequency theta = s'/kappa of that grid, |theta| <=
 * pi/upsampling, and the cells are modes of a type 2 at theta. Its values are divided by psi's
 * transform at theta. Sources: Lee & Greengard, J. Comput. Phys. 206 (2005) 1; Barnett, Magland, af
 * Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479, section 3.3.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TYPE3_H
#define ENUF_NUFFT_TYPE3_H

#include "plan.h"
#include "type3_choose.h"

/**
 * Type 3 of a plan. Its own grid is a single cell: it holds the backend's device and stream, and
 * the caller's weights: point_weights of the points, mode_weights of the targets.
 *
 * A pass takes `together` vectors of the batch. The last pass ends with the last vector, and may
 * begin with vectors of the one before.
 *
 * Plans and arrays take longer to make than coordinates to set. Those of the last targets stay for
 * the next while the numbers of points and targets are the same; plans, while the method is.
 */
typedef struct enuf_type3 {
    enuf_nufft_options options; /* as given */
    int64_t n_points, n_targets;
    int points_set, targets_set;
    enuf_type3_extent points, targets;
    double *packed_points, *packed_targets; /* [dim][n] */
    enuf_type3_method method;
    double term[ENUF_TYPE3_TERMS]; /* of the logarithm of psi's transform: type3_factors.c */
    int n_terms;
    enuf_nufft *spreading, *transform; /* of the points to cells, and of cells to the targets */
    int together;                      /* batch of both */
    void *cells;                       /* [together][cells] complex */
    void *of_points, *of_targets;      /* [n] factors, complex; times weights of a single set */
    void *work;                /* [together][n], complex numbers of the points or of the targets */
    void *room;                /* of the same size, for arrays of the caller's that are copied */
    int64_t bytes, pass_bytes; /* on the host: of these arrays; of a pass's */
} enuf_type3;

static inline size_t enuf_type3_complex_size(const enuf_nufft *plan)
{
    return 2 * enuf_number_size(plan);
}

/* ---- type3.c ---- */

/** A plan of type 3; refuses options that it does not have. */
enuf_status enuf_type3_make(const enuf_nufft_options *options, enuf_nufft **plan);
void enuf_type3_free(enuf_nufft *plan);

/** 1 if the caller's arrays are copied to a device. */
int enuf_type3_copies(const enuf_nufft *plan);

/** Plans and arrays of a pass. */
void enuf_type3_drop_passes(enuf_nufft *plan);

/** All that set_targets has made; counts the plan's bytes again. */
void enuf_type3_drop_targets(enuf_nufft *plan);
void enuf_type3_count_bytes(enuf_nufft *plan);

/** An array in the memory that the backend works in, counted in `bytes` where that is the host. */
enuf_status enuf_type3_allocate(enuf_nufft *plan, void *pointer, int64_t count, size_t size,
                                const char *what);
void enuf_type3_release(enuf_nufft *plan, void *pointer);

/** Method and error, for a report of the plan's. */
void enuf_type3_report(const enuf_nufft *plan, enuf_nufft_report *report);

/** The first error of the data of its plans; adds up their times. */
enuf_status enuf_type3_check(enuf_nufft *plan);
void enuf_type3_add_seconds(enuf_nufft *plan);

/* ---- type3_set.c ---- */

enuf_status enuf_type3_set_points(enuf_nufft *plan, const enuf_coordinates *points);

/* ---- type3_passes.c ---- */

/** Both plans and the arrays of a pass: of the whole batch, or of what memory_limit leaves room
 * for. Sets the points of both. */
enuf_status enuf_type3_make_passes(enuf_nufft *plan);

/** 1 if passes made for one method serve another. */
int enuf_type3_serves(const enuf_type3_method *made, const enuf_type3_method *other);

/** Sets the points of plans that are there. */
enuf_status enuf_type3_set_inner_points(enuf_nufft *plan);

/* ---- type3_factors.c ---- */

/** The logarithm of psi's transform, which factors of targets take. */
void enuf_type3_fit_logarithm(enuf_type3 *t);

/** Factors of the points and of the targets, times their weights if one set holds for all vectors.
 * Both need their arrays. */
enuf_status enuf_type3_factors_of_points(enuf_nufft *plan);
enuf_status enuf_type3_factors_of_targets(enuf_nufft *plan);

#endif
