/*
 * direct_cuda.h - the workspace of direct sums on a GPU, and its kernels.
 *
 * Every kernel is enqueued on the workspace's stream. Nothing waits or allocates but functions that
 * set samples, pixels and field, and the first call that needs more room. Errors of the data go
 * into a record on the device, which check reads.
 *
 * Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_CUDA_H
#define ENUF_DIRECT_CUDA_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "device.h"
#include "device_array.h"
#include "direct/engine.h"

/* X(NAME, format): numbers that may not be finite, and the text with an index that names them */
#define ENUF_DIRECT_ARRAYS(X)                                                                      \
    X(SAMPLES, "a coordinate of sample %lld is NaN or infinite")                                   \
    X(TIMES, "the time of sample %lld is NaN or infinite")                                         \
    X(PIXELS, "a coordinate of pixel %lld is NaN or infinite")                                     \
    X(OMEGA, "omega of pixel %lld is NaN or infinite")                                             \
    X(DECAY, "decay of pixel %lld is NaN or infinite")                                             \
    X(GRADIENT, "a gradient of pixel %lld is NaN or infinite")                                     \
    X(IMAGE, "image[%lld] is NaN or infinite")                                                     \
    X(VALUES, "values[%lld] is NaN or infinite")                                                   \
    X(RESULT, "result %lld is NaN or infinite: the data are too large, or exp(-R t) is, for a "    \
              "decay R and a time t of opposite signs")

typedef enum enuf_direct_array {
#define ENUF_X(NAME, format) ENUF_DIRECT_##NAME,
    ENUF_DIRECT_ARRAYS(ENUF_X)
#undef ENUF_X
        ENUF_DIRECT_ARRAY_COUNT
} enuf_direct_array;

/** Lowest index of a number that is not finite, in each array; ENUF_DIRECT_NONE: none. */
typedef struct enuf_direct_record {
    unsigned long long bad[ENUF_DIRECT_ARRAY_COUNT];
} enuf_direct_record;

#define ENUF_DIRECT_NONE (~0ULL)

/** Largest sizes of coordinates of pixels along each axis, and of times: the bits of a double. */
typedef struct enuf_direct_extent {
    unsigned long long most[4];
} enuf_direct_extent;

enum { ENUF_DIRECT_MOST_SUMS = 4 }; /* of a pass over the pairs */

/** Device memory. */
typedef struct enuf_direct_cuda {
    int device, multiprocessors;
    cudaStream_t stream;
    enuf_device_memory memory;
    enuf_direct_record *record, *host_copy; /* the copy is page-locked */
    enuf_direct_extent *extent;

    enuf_device_array fixed, samples, pixels, maps, words, partial, input, output;
    double *place[3], *times;            /* of samples; times or NULL */
    void *sample_words;                  /* as the kernels read them: phase.cuh */
    void *factor;                        /* of samples: the mean over a voxel without gradients */
    double *pixel[3];                    /* places of pixels; on a grid those along its axes */
    void *node_words[3];                 /* on a grid */
    double *omega, *decay, *gradient[3]; /* maps or NULL */
    int on_grid;
    enuf_direct_grid grid;
    double voxel[3];
    int words_made; /* what kernels read is that of what is set */
} enuf_direct_cuda;

static inline enuf_direct_cuda *enuf_direct_cuda_of(const enuf_direct *sums)
{
    return (enuf_direct_cuda *)sums->workspace;
}

/** 1 if the mean over a voxel depends on the sample alone. */
static inline int enuf_direct_voxel_separates(const enuf_direct_cuda *cuda)
{
    return cuda->voxel[0] > 0 && !cuda->gradient[0];
}

/** 1 if the phase separates along the axes of a grid; a narrow one leaves most of a tile empty. */
static inline int enuf_direct_is_lattice(const enuf_direct_cuda *cuda)
{
    const int64_t *counts = cuda->grid.counts, least = 16;
    return cuda->on_grid && counts[0] >= least && counts[1] * counts[2] >= least && !cuda->omega &&
           !cuda->decay && !cuda->gradient[0];
}

/* ---- prepare.cu ---- */

/** Bytes of a sample or pixel as the kernels read it. A node along an axis has 8. */
int64_t enuf_direct_word_bytes(const enuf_direct *sums);

/** Packs n numbers; those that are not finite go into the record; `most` grows to the largest size,
 * NULL: not asked for. */
enuf_status enuf_direct_pack(const enuf_direct *sums, int64_t n, const double *from, int64_t stride,
                             double *to, enuf_direct_array array, unsigned long long *most);

/** Places of the nodes of a grid along its axes. */
enuf_status enuf_direct_pack_nodes(const enuf_direct *sums);

/** Makes sample_words, factor and node_words, and words if there is room for them. */
enuf_status enuf_direct_make_words(const enuf_direct *sums);

/** The first of n complex numbers [batch][n] that is not finite goes into the record. */
enuf_status enuf_direct_look_at(const enuf_direct *sums, int64_t n, const void *numbers,
                                enuf_direct_array array);

/* ---- pairs_*.cu, lattice_*.cu: each in double and in float ---- */

/** A pass: some sums of the batch, or a value and its slopes. */
typedef struct enuf_direct_pass {
    int forward;       /* else adjoint */
    int slopes;        /* sums: the value, and one for each axis */
    int sums;          /* at most ENUF_DIRECT_MOST_SUMS */
    const void *input; /* [sums, of slopes 1][inputs] complex */
    void *output;      /* [sums, of slopes 1][outputs] complex, or NULL */
    void *gradients;   /* slopes: [outputs][dim] complex */
} enuf_direct_pass;

/** Sums over pairs anywhere. */
enuf_status enuf_direct_pairs_f64(const enuf_direct *sums, const enuf_direct_pass *pass);
enuf_status enuf_direct_pairs_f32(const enuf_direct *sums, const enuf_direct_pass *pass);

/** Sums over a lattice; no slopes. */
enuf_status enuf_direct_lattice_f64(const enuf_direct *sums, const enuf_direct_pass *pass);
enuf_status enuf_direct_lattice_f32(const enuf_direct *sums, const enuf_direct_pass *pass);

/** Complex numbers that a pass needs for partial sums. */
int64_t enuf_direct_pairs_partial_f64(const enuf_direct *sums, const enuf_direct_pass *pass);
int64_t enuf_direct_pairs_partial_f32(const enuf_direct *sums, const enuf_direct_pass *pass);
int64_t enuf_direct_lattice_partial_f64(const enuf_direct *sums, const enuf_direct_pass *pass);
int64_t enuf_direct_lattice_partial_f32(const enuf_direct *sums, const enuf_direct_pass *pass);

#ifdef __cplusplus
}
#endif
#endif
