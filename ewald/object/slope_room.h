/* slope_room.h - scratch of derivatives/. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_SLOPE_ROOM_H
#define ENUF_EWALD_SLOPE_ROOM_H

#include "ewald_object.h"
#include "evaluate/pair_bend.h"

/** Scratch, kept between calls. `moved` [n][3] is v and `changes` [n] is w, in the order of the
 * atoms. */
typedef struct enuf_slope_room enuf_slope_room;

/* X(name): arrays of the room */
#define ENUF_SLOPE_ARRAYS(X)                                                                       \
    X(forces)                                                                                      \
    X(potential)                                                                                   \
    X(moved)                                                                                       \
    X(changes)                                                                                     \
    X(mesh_forces) X(strengths) X(values) X(gradients) X(modes) X(filtered) X(row_sums)

struct enuf_slope_room {
#define ENUF_X(name) enuf_array name;
    ENUF_SLOPE_ARRAYS(ENUF_X)
#undef ENUF_X
    enuf_pair_bend bend;
    enuf_ewald *finer;        /* for slopes along a strain (derivatives/finer.c); NULL: not made */
    double cutoff_of_finer;   /* of the object that it was made for */
    double served[4];         /* cutoff, alpha, c and k_c of the object that it served last */
    int64_t charges_of_finer; /* number of changes of the charges that it has */
    int no_finer;             /* 1: it could not be made */
};

#endif
