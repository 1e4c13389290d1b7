/*
 * drawn.h - terms of voxels in which the field changes.
 *
 * Element (j, k) then depends on the time and place of a sample, and on frequency, decay and three
 * gradients of a pixel: too many for tables. Singular vectors of the elements of drawn samples with
 * drawn pixels, continued to all others: for the matrix A = U S V^H of the drawn,
 *
 *   element(j, k) ~ sum_l [sum_p element(j, p) V_pl / S_l] [sum_q conj(U_ql) element(q, k)].
 *
 * Pixels are drawn half evenly and half by their squared gradients, samples evenly; rows and
 * columns have the weights of the draw. Source: Nystrom's method, Williams, Seeger, NIPS 13 (2000)
 * 682. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_DRAWN_H
#define ENUF_ENCODING_DRAWN_H

#include "element.h"
#include "error.h"
#include "enuf/encoding.h"

/** What a field does, and to what tolerance. */
typedef struct enuf_field_problem {
    enuf_separation method;
    enuf_precision precision;
    double tolerance;
    enuf_samples samples;
    enuf_maps maps;
} enuf_field_problem;

/** Places in the samples or pixels, and how many of all each stands for. */
typedef struct enuf_draw {
    int64_t *index;
    double *weight;
} enuf_draw;

/** n samples, or pixels, the same for the same seed. Free both arrays with enuf_draw_free(), after
 * an error too. */
enuf_status enuf_draw_samples(const enuf_field_problem *problem, int n, uint64_t seed,
                              enuf_draw *draw);
enuf_status enuf_draw_pixels(const enuf_field_problem *problem, int n, uint64_t seed,
                             enuf_draw *draw);
void enuf_draw_free(enuf_draw *draw);

typedef struct enuf_drawn {
    int n, count;
    enuf_sample *samples; /* [n] */
    enuf_pixel *pixels;   /* [n] */
    double *of_samples;   /* [n][2][count], times elements with the pixels */
    double *of_pixels;    /* [n][2][count], times elements with the samples */
} enuf_drawn;

/** The fewest terms whose error is at most the tolerance among the drawn. Free with
 * enuf_drawn_free(), after an error too. */
enuf_status enuf_drawn_make(const enuf_field_problem *problem, double tolerance, enuf_drawn *made);
void enuf_drawn_free(enuf_drawn *drawn);

#endif
