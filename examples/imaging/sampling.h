/*
 * sampling.h - where a measurement takes its samples: readouts of equal length, frame after frame.
 *
 * k is in cycles per field of view; |k_x|, |k_y| <= side / 2.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_SAMPLING_H
#define IMAGING_SAMPLING_H

#include <stdint.h>

/* X(NAME, name, help) */
#define TRAJECTORIES(X)                                                                            \
    X(RADIAL, "radial", "spokes at equal angles")                                                  \
    X(GOLDEN, "golden", "spokes that follow each other at 111.25 degrees")                         \
    X(SPIRAL, "spiral", "spirals of constant angular velocity")                                    \
    X(SPIRAL_CLV, "spiral-clv", "spirals of constant linear velocity")                             \
    X(CARTESIAN, "cartesian", "lines of the grid")

typedef enum trajectory {
#define X(NAME, name, help) TRAJECTORY_##NAME,
    TRAJECTORIES(X)
#undef X
        TRAJECTORY_COUNT
} trajectory;

const char *trajectory_name(trajectory kind);

typedef struct sampling {
    trajectory kind;
    int64_t side;       /* pixels along an axis of the image */
    int64_t frames;     /* golden spokes and spirals go on turning from frame to frame */
    int64_t readouts;   /* of a frame */
    int64_t on_readout; /* samples of a readout */
    double turns;       /* of a spiral */
    double *k;          /* [frames][readouts][on_readout][2] */
} sampling;

/**
 * Makes the samples. Without reduction neighbours are at most a Nyquist step apart, except that
 * golden spokes are unevenly spaced. A reduction R takes readouts / R of them in each frame.
 *
 * Radial and Cartesian samples are those of enuf/trajectories.h. A spiral goes from the centre to
 * side / 2 in about four turns: |k| grows with its angle, its samples stand at equal steps of the
 * angle (constant angular velocity) or of the path (constant linear velocity).
 *
 * Sources. Golden angle: Winkelmann, Schaeffter, Koehler, Eggers, Doessel, IEEE Trans. Med. Imaging
 * 26 (2007) 68. Spirals: Ahn, Kim, Cho, IEEE Trans. Med. Imaging 5 (1986) 2.
 */
sampling sampling_make(trajectory kind, int64_t side, int64_t frames, double reduction);
void sampling_free(sampling *samples);

/** Samples of a frame. */
int64_t sampling_count(const sampling *samples);

#endif
