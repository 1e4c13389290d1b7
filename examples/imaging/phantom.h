/*
 * phantom.h - objects made of ellipses, whose signal is known exactly.
 *
 * Places r are in fields of view, -1/2 ... 1/2; k is in cycles per field of view. The signal is
 * F(k) = integral rho(r) exp(-2 pi i k . r) dr.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_PHANTOM_H
#define IMAGING_PHANTOM_H

#include <complex.h>
#include <stdint.h>

typedef struct ellipse {
    double x, y; /* centre */
    double a, b; /* half axes */
    double turn; /* of the axis a against x, in radians */
    double value;
} ellipse;

enum { MOST_ELLIPSES = 16 };

/* X(NAME, name, help) */
#define PHANTOMS(X)                                                                                \
    X(SHEPP_LOGAN, "shepp-logan", "head of ten ellipses, with visible contrast")                   \
    X(HEART, "heart", "chest with a beating heart")

typedef enum phantom {
#define X(NAME, name, help) PHANTOM_##NAME,
    PHANTOMS(X)
#undef X
        PHANTOM_COUNT
} phantom;

const char *phantom_name(phantom kind);

/** The ellipses at a time in beats; returns their number. The head does not move. */
int phantom_ellipses(phantom kind, double beats, ellipse out[MOST_ELLIPSES]);

/**
 * The Fourier transform of ellipses: value a b exp(-2 pi i k . r) J_1(2 pi q) / q each,
 * q = |(a k_u, b k_v)|, k_u and k_v along the axes.
 *
 * Source: Van de Walle et al., IEEE Trans. Med. Imaging 19 (2000) 1160.
 */
double complex phantom_signal(int n, const ellipse *ellipses, double kx, double ky);

/** image [side][side]: the mean of rho over each pixel, by 8 x 8 places in it. */
void phantom_pixels(int n, const ellipse *ellipses, int64_t side, double *image);

#endif
