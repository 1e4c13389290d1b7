/*
 * object.h - an encoding: samples, the terms that a field has become, and a plan that transforms a
 * few of them at once. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_OBJECT_H
#define ENUF_ENCODING_OBJECT_H

#include "enuf/encoding.h"
#include "enuf/gram.h"
#include "pairs.h"
#include "passes.h"

/* Copies of arrays of the caller's on a GPU, of one vector. */
enum { ENUF_ROOM_IN, ENUF_ROOM_OUT, ENUF_ROOM_WEIGHTS, ENUF_ROOMS };
enum { ENUF_ENCODING_ALLOCATIONS = 32 };

/* A^H W A by Gram operators; of the field, and of weights. */
typedef struct enuf_spectra {
    int count;        /* of the operators; 0: there are none */
    enuf_pairs pairs; /* count 0: plain transforms, one operator */
    double edge[3];   /* of a voxel without gradient; 0: none */
    int has_maps;     /* 0: D_l is 1 */
    /* AUTO: what solve may plan of. Copies [pixels] of maps, NULL: 0 */
    int may_be_planned;
    double turn, *omega, *decay;
    void *of_pixels; /* [count][pixels] complex D_l; NULL: 1 */
    double bytes;    /* that they take at most */
    double saved;    /* nanoseconds of a core that an application saves, of one image of a coil */
    double making;   /* ... and that making them takes */
    /* what the first make allocates */
    int made, weighted; /* 1: they are those of the weights; there are weights */
    enuf_gram **gram;   /* [count] */
    void *weights;      /* [samples] a copy, on the host; NULL: none are kept */
    void *in, *out;     /* [pixels] complex */
} enuf_spectra;

struct enuf_encoding {
    enuf_encoding_options options;
    int64_t n_pixels, n_samples;
    enuf_nufft *base;       /* a plan of a single cell: it holds the backend's device and stream */
    double *places, *times; /* [dim][n] k, [n]; of the backend's memory; times NULL: none */
    int samples_set;
    enuf_nufft *transform;       /* NULL: no field is set */
    int plain;                   /* 1: one transform, without terms */
    int calls;                   /* of the plan, for one image */
    void *of_samples;            /* [calls * at once][samples] complex */
    void *of_pixels;             /* [calls * at once][pixels] complex */
    void *sensitivities;         /* [batch][pixels] complex; NULL: none */
    void *data, *image;          /* one vector of each, on the way through */
    void *room[ENUF_ROOMS];      /* with a GPU and host memory */
    enuf_encoding_report report; /* of the field */
    enuf_spectra spectra;
    struct {
        void *at;
        int64_t bytes;
    } allocation[ENUF_ENCODING_ALLOCATIONS];
};

/** Refuses an object that is NULL, or has no samples, or no field where it is needed. */
enuf_status enuf_encoding_need(const enuf_encoding *encoding, const char *function, int field);

/** Puts the function before the text of an error that arose below it. */
enuf_status enuf_encoding_failed(enuf_status status, const char *function);

/** ENUF_OUT_OF_MEMORY if so many bytes more exceed memory_limit. */
enuf_status enuf_encoding_check_limit(const enuf_encoding *encoding, double more, const char *what);

/** Memory that the backend works in; counted, and held to memory_limit. Release sets the pointer to
 * NULL. */
enuf_status enuf_encoding_allocate(enuf_encoding *encoding, void *pointer, int64_t count,
                                   size_t size, const char *what);
void enuf_encoding_release(enuf_encoding *encoding, void *pointer);

/** Bytes that it holds. */
int64_t enuf_encoding_bytes(const enuf_encoding *encoding);

/** Forgets the field. */
void enuf_encoding_drop_field(enuf_encoding *encoding);

static inline const enuf_encoding_passes *enuf_passes_of(const enuf_encoding *encoding)
{
    return encoding->base->backend->encoding;
}

/** 1 if arrays have to be copied between the caller's memory and the backend's. */
static inline int enuf_encoding_copies(const enuf_encoding *encoding)
{
    return encoding->base->backend->kind != ENUF_BACKEND_CPU &&
           encoding->options.memory == ENUF_HOST;
}

static inline int64_t enuf_image_bytes(const enuf_encoding *encoding)
{
    return 2 * encoding->n_pixels * (int64_t)enuf_number_size(encoding->base);
}

static inline int64_t enuf_data_bytes(const enuf_encoding *encoding)
{
    return 2 * encoding->n_samples * (int64_t)enuf_number_size(encoding->base);
}

/** Images of a call: the batch, or one with sensitivities; and the coils of each. */
static inline int enuf_images_of(const enuf_encoding *encoding)
{
    return encoding->sensitivities ? 1 : encoding->options.batch;
}

static inline int enuf_coils_of(const enuf_encoding *encoding)
{
    return encoding->sensitivities ? encoding->options.batch : 1;
}

/** Sensitivities of a coil; NULL: there are none. */
static inline const void *enuf_sensitivity_of(const enuf_encoding *encoding, int coil)
{
    if (!encoding->sensitivities) return NULL;
    return (const char *)encoding->sensitivities + coil * enuf_image_bytes(encoding);
}

/* ---- execute.c: one image, in the backend's memory ---- */

/** to = A^H W A image, of all coils; weights NULL: 1. */
enuf_status enuf_encode_and_decode(enuf_encoding *encoding, const void *weights, const void *image,
                                   void *to);

/** data = A image of a coil. */
enuf_status enuf_encode_coil(enuf_encoding *encoding, int coil, const void *image, void *data);

/** image = A^H data; with sensitivities that of a coil, added to the image from the second on. */
enuf_status enuf_decode_coil(enuf_encoding *encoding, int coil, const void *data, void *image);

/** W data, in the encoding's own array; NULL: the data themselves. */
enuf_status enuf_weigh_data(enuf_encoding *encoding, const void *weights, const void *data,
                            const void **weighted);

/** Refuses NULL for an array that has numbers. */
enuf_status enuf_encoding_need_array(const void *array, int64_t n, const char *function,
                                     const char *name);

/* ---- memory.c ---- */

/** Makes the rooms, if arrays are copied. */
enuf_status enuf_encoding_make_rooms(enuf_encoding *encoding);

/** An array of the caller's where the backend reads it, or writes it; give() brings it back. */
enuf_status enuf_encoding_take(enuf_encoding *encoding, int room, const char *name,
                               const void *array, int64_t bytes, const void **taken);
enuf_status enuf_encoding_place(enuf_encoding *encoding, int room, const char *name, void *array,
                                void **placed);
enuf_status enuf_encoding_give(enuf_encoding *encoding, void *array, int64_t bytes,
                               const void *placed);

/* ---- finish.c ---- */

/** The end of a call that waits: on a GPU errors of the data are found, and forgotten. */
enuf_status enuf_encoding_finish(enuf_encoding *encoding, enuf_status status);

#endif
