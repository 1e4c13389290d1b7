/*
 * enuf/encoding.h - the signal of an image in an uneven field: non-uniform transforms with a field
 * map, decay, and the field's change across a voxel, and the image back from the signal.
 *
 *   forward   data[j]  = sum_k image[k] B(j,k) exp(sign i p(j,k) - R_k t_j)    pixels  -> samples
 *   adjoint   image[k] = sum_j data[j]  B(j,k) exp(-sign i p(j,k) - R_k t_j)   samples -> pixels
 *
 *   p(j,k) = 2 pi k_j . r_k + w_k t_j
 *   B(j,k) = 1, or with voxels prod_d sinc(k_jd v_d + G_kd t_j), sinc(x) = sin(pi x) / (pi x)
 *
 * Pixels are the modes of a transform: r_kd = m_d / n_d, m_d = -(n_d/2) ..., in fields of view.
 * Samples lie anywhere: k_j in cycles per field of view, n_d/2 being the edge of a full Cartesian
 * grid, and a time t_j in s. The field map w is in rad/s, the decay R in 1/s, the gradient G_d in
 * Hz: the change of the field across a voxel along axis d. v_d is the edge of a voxel in fields of
 * view; 1/n_d leaves no gaps. Nothing is normalised. These are the sums of enuf/direct.h, with the
 * same samples and maps.
 *
 * exp((sign i w - R) t) becomes a sum of few products of a function of t and one of w and R. Each
 * product is a transform with weights of its points and modes. The tolerance chooses how many.
 *
 *     enuf_encoding_options options;
 *     enuf_encoding_options_init(&options);
 *     options.dim = 2;
 *     options.pixels[0] = options.pixels[1] = 128;
 *     options.tolerance = 1e-4;
 *     enuf_encoding *encoding;
 *     if (enuf_encoding_create(&options, &encoding) != ENUF_SUCCESS) die(enuf_last_error());
 *     enuf_encoding_set_samples(encoding, n, kx, ky, NULL, 1, times);
 *     enuf_encoding_set_field(encoding, 128 * 128, omega, NULL, NULL, NULL);
 *     enuf_encoding_solve(encoding, data, NULL, NULL, image, NULL);
 *     enuf_encoding_destroy(&encoding);
 *
 * An object may be used by one thread at a time; different objects by different threads.
 *
 * Sources: docs/theory.md, section 4; Sutton, Noll, Fessler, IEEE Trans. Med. Imaging 22 (2003)
 * 178; Fessler et al., IEEE Trans. Signal Process. 53 (2005) 3393.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_H
#define ENUF_ENCODING_H

#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, name, help): how exp((sign i w - R) t) is separated */
#define ENUF_SEPARATIONS(X)                                                                        \
    X(SVD, svd, "singular vectors of the histograms of field and times (default)")                 \
    X(SEGMENTS, segments, "equispaced times, weights by least squares")

typedef enum enuf_separation {
#define ENUF_X(NAME, name, help) ENUF_SEPARATION_##NAME,
    ENUF_SEPARATIONS(ENUF_X)
#undef ENUF_X
} enuf_separation;

/** Name of a separation ("svd"), or NULL; separation of a name (ENUF_BAD_ARGUMENT lists them). */
ENUF_API const char *enuf_separation_name(enuf_separation separation);
ENUF_API enuf_status enuf_separation_parse(const char *name, enuf_separation *separation);

/* X(NAME, name, help): how A^H W A is applied */
#define ENUF_NORMALS(X)                                                                            \
    X(AUTO, auto, "in solve by what takes less time for its iterations, on a CPU (default)")       \
    X(TRANSFORMS, transforms, "forward, weights, adjoint")                                         \
    X(GRAM, gram, "Gram operators, which need the samples only once for each set of weights")

typedef enum enuf_normal {
#define ENUF_X(NAME, name, help) ENUF_NORMAL_##NAME,
    ENUF_NORMALS(ENUF_X)
#undef ENUF_X
} enuf_normal;

/** Name of a way to apply A^H W A ("gram"), or NULL; way of a name (ENUF_BAD_ARGUMENT lists them).
 */
ENUF_API const char *enuf_normal_name(enuf_normal normal);
ENUF_API enuf_status enuf_normal_parse(const char *name, enuf_normal *normal);

/** Options of an encoding. Fill with enuf_encoding_options_init(), then change what differs. */
typedef struct enuf_encoding_options {
    size_t struct_size; /* sizeof(enuf_encoding_options), set by _init */

    /* the sums */
    int dim;                    /* 1, 2, 3 [1] */
    int64_t pixels[3];          /* along x, y, z; must be set; axes past dim are ignored [-1, which
                                   create() refuses] */
    enuf_precision precision;   /* of image, data, weights, sensitivities [ENUF_DOUBLE] */
    int sign;                   /* of the exponent of forward, -1 or +1 [-1] */
    int batch;                  /* images and their data in one call, or coils [1] */
    enuf_mode_order mode_order; /* of the pixels [ENUF_CENTRED] */

    /* the method */
    double tolerance;           /* relative l2 error, 2e-14 (float 2e-6) to 0.1 [1e-4] */
    enuf_separation separation; /* [ENUF_SEPARATION_SVD] */

    /* where and how: as in enuf_nufft_options */
    enuf_backend backend; /* [ENUF_BACKEND_AUTO] */
    enuf_isa isa;         /* [ENUF_ISA_AUTO] */
    enuf_fft fft;         /* [ENUF_FFT_AUTO] */
    enuf_memory memory;   /* where every array argument lives [ENUF_HOST] */
    int device;           /* GPU ordinal; -1: the stream's, or the current one [-1] */
    void *stream;         /* cudaStream_t [NULL] */
    int threads;          /* [0] */
    int64_t memory_limit; /* bytes that the object may hold; fewer transforms then go at once. 0: no
                             limit [0] */

    /* A^H W A in normal and solve */
    enuf_normal normal; /* [ENUF_NORMAL_AUTO] */
} enuf_encoding_options;

/** Fills `options` with the defaults in brackets above. */
ENUF_API void enuf_encoding_options_init(enuf_encoding_options *options);

typedef struct enuf_encoding enuf_encoding;

/** What a set_field has chosen. */
typedef struct enuf_encoding_report {
    size_t struct_size; /* sizeof(enuf_encoding_report), to be set before the call */
    enuf_backend backend;
    enuf_separation separation;
    int interpolators;       /* products that the field has become, transforms of one image */
    int at_once;             /* of which so many go at once */
    double error;            /* predicted relative l2 error of forward, for an image of random
                                pixels */
    double separation_error; /* its part of the separation, found at some pixels and samples */
    double transform_error;  /* its part of the transforms */
    int64_t bytes;           /* that the object holds */
    /* A^H W A: with AUTO in the last solve, before it TRANSFORMS */
    enuf_normal normal;   /* TRANSFORMS or GRAM */
    int normal_terms;     /* Gram operators; TRANSFORMS: 0 */
    double normal_error;  /* predicted relative l2 error, for an image of random pixels */
    int64_t normal_bytes; /* that they take at most; once they are made, bytes has them */
} enuf_encoding_report;

/**
 * Makes an object. Samples and field are set before it is used.
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_UNREACHABLE_ACCURACY for a tolerance below the precision;
 * ENUF_BAD_MEMORY for device memory with the cpu backend; ENUF_NO_BACKEND; ENUF_OUT_OF_MEMORY.
 * *encoding is NULL after an error.
 */
ENUF_API enuf_status enuf_encoding_create(const enuf_encoding_options *options,
                                          enuf_encoding **encoding);

/** Frees the object and sets *encoding to NULL; a NULL object is legal. */
ENUF_API void enuf_encoding_destroy(enuf_encoding **encoding);

/**
 * Sets the samples. The object copies them. The field has to be set again.
 *
 * x, y, z  a coordinate of k_j in cycles per field of view is at [j * stride]; y and z are NULL if
 *          dim is smaller
 * times    [n] t_j in s, negative ones are legal; NULL: no times, and then no field map, decay or
 *          gradient
 *
 * The call waits for its data. Errors: ENUF_BAD_ARGUMENT; ENUF_NOT_FINITE names the first bad
 * sample and its array; ENUF_OUT_OF_MEMORY. After an error the object keeps the earlier samples.
 */
ENUF_API enuf_status enuf_encoding_set_samples(enuf_encoding *encoding, int64_t n, const double *x,
                                               const double *y, const double *z, int64_t stride,
                                               const double *times);

/**
 * Sets what happens in the pixels during the readout, chooses the interpolators and makes them. The
 * samples are set before. Each pointer may be NULL; all of them: plain transforms. Maps have the
 * order of the image, in double in both precisions, and are not kept.
 *
 * n         pixels of each map: those of the options
 * omega     [n] w_k in rad/s
 * decay     [n] R_k in 1/s
 * gradient  [dim] arrays [n]: G_kd in Hz; NULL: 0 along this axis. They need a voxel. The array of
 *           pointers is on the host.
 * voxel     [dim] edges v_d > 0 of a voxel in fields of view, on the host. Without gradient B is
 *           prod_d sinc(k_jd v_d).
 *
 * Gradients take more interpolators, and this call more time. They always take singular vectors.
 *
 * The call waits for its data. Errors: ENUF_NO_POINTS_SET; ENUF_BAD_ARGUMENT: another number of
 * pixels, a map without times, a gradient without a voxel, a voxel that is not positive, a decay
 * that leaves the range of exp(-R t); ENUF_NOT_FINITE names the first bad pixel and the map;
 * ENUF_UNREACHABLE_ACCURACY; ENUF_OUT_OF_MEMORY names the number of interpolators, and their bytes:
 * the sums of enuf/direct.h need none. After an error of an argument the object keeps the earlier
 * field; after others it has none.
 */
ENUF_API enuf_status enuf_encoding_set_field(enuf_encoding *encoding, int64_t n,
                                             const double *omega, const double *decay,
                                             const double *const *gradient, const double *voxel);

/**
 * Sets the sensitivities of receive coils; the object copies them. Then there is one image, and the
 * batch is that of the coils: forward gives the data of S_c image, adjoint the sum over the coils
 * of conj(S_c) times the adjoint of their data.
 *
 * sensitivities  [batch][pixels] complex, in the options' precision; NULL removes them
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_OUT_OF_MEMORY; ENUF_NOT_FINITE names the first bad number (in
 * device memory enuf_encoding_check() reports what becomes of it).
 */
ENUF_API enuf_status enuf_encoding_set_sensitivities(enuf_encoding *encoding,
                                                     const void *sensitivities);

/**
 * data = A image, as above.
 *
 * image  [batch][pixels] complex, [pixels] with sensitivities
 * data   [batch][samples] complex
 *
 * Errors: ENUF_NO_POINTS_SET if samples or field are not set; ENUF_NOT_FINITE if a result is not
 * finite, for example because a pixel is not. In device memory the call is asynchronous on the
 * stream, and enuf_encoding_check() reports this. The same holds for adjoint and normal.
 */
ENUF_API enuf_status enuf_encoding_forward(enuf_encoding *encoding, const void *image, void *data);

/** image = A^H data, the adjoint of forward. */
ENUF_API enuf_status enuf_encoding_adjoint(enuf_encoding *encoding, const void *data, void *image);

/**
 * to = A^H W A image: forward, weights, adjoint. The samples' weights are real.
 *
 * weights  [samples] W_j, in the options' precision; NULL: 1
 *
 * With ENUF_NORMAL_GRAM the samples are needed only once: A^H W A is a sum of Gram operators
 * (enuf/gram.h) between exponentials of the pixels, 1.2 to 1.8 times as many as interpolators.
 * set_field chooses them. The first call with other weights makes their spectra, and waits; in
 * device memory each call does so. Afterwards a call takes the same time for any number of samples.
 * The operator is Hermitian to rounding. Eigenvalues of A^H W A near 0 may become negative, by the
 * tolerance. memory_limit holds. set_field refuses gradients, as ENUF_UNSUPPORTED, and operators
 * that do not fit, as ENUF_OUT_OF_MEMORY, and, as ENUF_UNREACHABLE_ACCURACY, more than half as
 * many operators as samples.
 */
ENUF_API enuf_status enuf_encoding_normal(enuf_encoding *encoding, const void *weights,
                                          const void *image, void *to);

/** Options of a solution. Fill with enuf_encoding_solve_options_init(), then change what differs.
 */
typedef struct enuf_encoding_solve_options {
    size_t struct_size;
    double lambda;    /* >= 0 [0] */
    int iterations;   /* at most [30] */
    double tolerance; /* ends where the residual is so much of A^H W data; 0: never before the last
                         iteration [1e-6] */
    int start;        /* 1: from the given image, 0: from zero [0] */
} enuf_encoding_solve_options;

ENUF_API void enuf_encoding_solve_options_init(enuf_encoding_solve_options *options);

typedef struct enuf_encoding_solution {
    size_t struct_size; /* sizeof(enuf_encoding_solution), to be set before the call */
    int iterations;     /* the most over the images of a batch */
    double residual;    /* |A^H W (data - A image) - lambda image| / |A^H W data|, the largest over
                           them */
} enuf_encoding_solution;

/**
 * Solves (A^H W A + lambda) image = A^H W data by conjugate gradients: the image with the least
 * sum_j W_j |data_j - (A image)_j|^2 + lambda sum_k |image_k|^2. A^H A has the samples' number on
 * its diagonal; lambda is in these units. Images of a batch are solved one after the other; coils
 * with sensitivities have one image together. On a GPU all arrays stay there; each iteration brings
 * two numbers to the host, so that the call waits.
 *
 * options.normal tells how A^H W A is applied. ENUF_NORMAL_AUTO takes Gram operators where making
 * and applying them takes less time than transforms, by a model of one CPU, and memory_limit has
 * room for them. It takes transforms with gradients and on a GPU. Spectra stay for other data with
 * the same weights. With Gram operators the residual is found anew by transforms whenever it has
 * shrunk to ten times the operators' error; if it does not shrink any more, transforms take over.
 *
 * data      [batch][samples] complex
 * weights   [samples] W_j >= 0, in the options' precision; NULL: 1
 * options   NULL: the defaults
 * image     as in forward
 * solution  may be NULL
 *
 * Errors: ENUF_NO_POINTS_SET; ENUF_BAD_ARGUMENT; ENUF_NOT_FINITE; ENUF_OUT_OF_MEMORY. The image is
 * then undefined.
 * Source: Hestenes, Stiefel, J. Res. Natl. Bur. Stand. 49 (1952) 409.
 */
ENUF_API enuf_status enuf_encoding_solve(enuf_encoding *encoding, const void *data,
                                         const void *weights,
                                         const enuf_encoding_solve_options *options, void *image,
                                         enuf_encoding_solution *solution);

/** Reports the method: enuf_encoding_report report = {.struct_size = sizeof report}. Error:
 * ENUF_NO_POINTS_SET before samples and field are set. */
ENUF_API enuf_status enuf_encoding_get_report(const enuf_encoding *encoding,
                                              enuf_encoding_report *report);

/** Waits for all earlier calls, returns the first error of their data and clears it. */
ENUF_API enuf_status enuf_encoding_check(enuf_encoding *encoding);

#ifdef __cplusplus
}
#endif
#endif
