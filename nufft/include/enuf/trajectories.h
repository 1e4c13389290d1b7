/*
 * enuf/trajectories.h - sample positions of magnetic resonance imaging, and random ones: points for
 * transforms of an image of n_1 x n_2 x n_3 pixels.
 *
 *     enuf_trajectory_options options;
 *     enuf_trajectory_options_init(&options);
 *     options.kind = ENUF_TRAJECTORY_RADIAL;
 *     options.dim = 2;
 *     options.modes[0] = options.modes[1] = 128;
 *     if (enuf_trajectory_count(&options, &n, NULL) != ENUF_SUCCESS) die(enuf_last_error());
 *     double *x = malloc(2 * n * sizeof *x);
 *     enuf_trajectory_fill(&options, n, x, x + n, NULL, 1);
 *     enuf_nufft_set_points(plan, n, x, x + n, NULL, 1);
 *
 * Coordinates are those of enuf_nufft_set_points(): s = x / period in [-1/2, 1/2]. The pixels are
 * the modes, so k_d = n_d s_d is in cycles per field of view, |k_d| <= n_d/2. One cycle per field
 * of view is a Nyquist step.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TRAJECTORIES_H
#define ENUF_TRAJECTORIES_H

#include "enuf/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * X(NAME, name, help): how the samples lie, and how many there are. A readout is a run of samples
 * that are taken one after the other. N is the largest of the modes (of stack_of_stars: of the
 * first two), R = options.reduction >= 1. Without reduction neighbours are at most a Nyquist step
 * apart at the edge, in units of the axis with N modes. Other axes are scaled, so that an ellipse
 * or ellipsoid touches the box.
 *
 * RADIAL          2D, 3D: spokes through the centre, N samples each at the radii i/N, i = -N/2 ...
 *                 N/2-1 (integer division). 2D: ceil(pi N / (2 R)) spokes at equal angles over half
 *                 a turn: an arc of pi N/2 steps. 3D: ceil(pi N^2 / (2 R)) spokes, a half sphere of
 *                 so many square steps. Their ends lie on a spiral of equal areas: spoke i of n has
 *                 the height (i + 1/2) / n and i golden angles
 * STACK_OF_STARS  3D: n_3 planes, with ceil(pi N / (2 R)) spokes of 2D each. Plane p is turned by
 *                 {p g} times the angle between spokes; {} is the fractional part, g the golden
 *                 ratio
 * CONES           3D: C = ceil(pi N / 2) cones around z, at the polar angles pi (c + 1/2) / C. A
 *                 cone has ceil(pi N sin / sqrt(1 + a^2)) readouts, a = 4 pi sin, sin that of its
 *                 polar angle. A readout goes from the centre to the edge in two turns, whose angle
 *                 grows with the radius; at the edge neighbours are a step apart across the path.
 *                 Samples stand at equal lengths of the path, at most a step. Cone c is turned by
 *                 {c g} times the angle between its readouts. R > 1 keeps ceil(readouts / R) of
 *                 all, evenly by their number
 * RANDOM          ceil(n_1 n_2 n_3 / R) points, uniform in the box, a readout each
 * CLUSTER         as many, uniform in a box of edge 4 / n_d around the centre
 * CARTESIAN       the points i/n_d, i = -n_d/2 ... n_d/2-1; readouts are lines along x. R > 1 keeps
 *                 ceil(n_2 n_3 / R) of them, evenly by their number
 *
 * Sources. Numbers of spokes: Bernstein, King, Zhou, Handbook of MRI Pulse Sequences (2004),
 * chapter 17. Spiral: Saff, Kuijlaars, Math. Intelligencer 19 (1997) 5; Piccini et al., Magn.
 * Reson. Med. 66 (2011) 1049. Turned planes: Zhou et al., Magn. Reson. Med. 78 (2017) 2290. Cones:
 * Irarrazabal, Nishimura, Magn. Reson. Med. 33 (1995) 656; Gurney, Hargreaves, Nishimura, Magn.
 * Reson. Med. 55 (2006) 575, without the limits of gradients. Cluster: Shih et al.,
 * arXiv:2102.08463. Reductions of such trajectories: T. Ou, UCB/EECS-2017-90.
 */
#define ENUF_TRAJECTORY_KINDS(X)                                                                   \
    X(RADIAL, radial, "spokes through the centre, 2D or 3D")                                       \
    X(STACK_OF_STARS, stack_of_stars, "spokes in planes, turned from plane to plane, 3D")          \
    X(CONES, cones, "spirals on cones around z, 3D")                                               \
    X(RANDOM, random, "uniform random")                                                            \
    X(CLUSTER, cluster, "uniform random in a box of four Nyquist steps")                           \
    X(CARTESIAN, cartesian, "lines of the grid")

typedef enum enuf_trajectory_kind {
#define ENUF_X(NAME, name, help) ENUF_TRAJECTORY_##NAME,
    ENUF_TRAJECTORY_KINDS(ENUF_X)
#undef ENUF_X
} enuf_trajectory_kind;

/** Name of a kind ("cones"), or NULL; kind of a name (ENUF_BAD_ARGUMENT lists them). */
ENUF_API const char *enuf_trajectory_kind_name(enuf_trajectory_kind kind);
ENUF_API enuf_status enuf_trajectory_kind_parse(const char *name, enuf_trajectory_kind *kind);

/** Which samples. Fill with enuf_trajectory_options_init(), then change what differs. */
typedef struct enuf_trajectory_options {
    size_t struct_size;        /* sizeof(enuf_trajectory_options), set by _init */
    enuf_trajectory_kind kind; /* [ENUF_TRAJECTORY_RADIAL] */
    int dim;                   /* 1 (random, cluster, cartesian), 2, 3 [2] */
    int64_t modes[3];          /* n_1, n_2, n_3 along x, y, z, 1 or more; must be set [-1, which is
                                  refused] */
    double reduction;          /* R >= 1 [1] */
    double period;             /* of the coordinates, > 0 [1] */
    uint64_t seed;             /* of random and cluster [0] */
} enuf_trajectory_options;

/** Fills `options` with the defaults in brackets above. */
ENUF_API void enuf_trajectory_options_init(enuf_trajectory_options *options);

/**
 * The number n of samples, and how many readouts they belong to; readouts may be NULL.
 *
 * Errors: ENUF_BAD_ARGUMENT, also for more than 1e15 samples without reduction. n stays as it was.
 */
ENUF_API enuf_status enuf_trajectory_count(const enuf_trajectory_options *options, int64_t *n,
                                           int64_t *readouts);

/**
 * Writes the samples, readout after readout. The same options give the same bits on every machine.
 *
 * n        of enuf_trajectory_count()
 * x, y, z  a coordinate of sample j goes to [j * stride]; y and z are NULL if dim is smaller. For
 *          positions [n][3]: (p, p + 1, p + 2, 3)
 *
 * Errors: ENUF_BAD_ARGUMENT; nothing is written then.
 */
ENUF_API enuf_status enuf_trajectory_fill(const enuf_trajectory_options *options, int64_t n,
                                          double *x, double *y, double *z, int64_t stride);

#ifdef __cplusplus
}
#endif
#endif
