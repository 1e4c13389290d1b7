/*
 * input.h - the maps of a set_field, on the host and where the backend works.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_INPUT_H
#define ENUF_ENCODING_INPUT_H

#include "choose.h"
#include "object.h"

enum { ENUF_MAPS = 5, ENUF_INPUT_TABLES = 9 }; /* omega, decay, three gradients */

typedef struct enuf_field_input {
    int64_t n;
    const double *given[ENUF_MAPS]; /* of the caller; NULL: 0 */
    const double *voxel;
    enuf_maps here, there;        /* on the host, and where the backend works */
    const double *places, *times; /* on the host */
    /* copies of maps, places and times of a GPU on the host; of maps of the host on a GPU; tables
     * of interpolators on a GPU. NULL: none is needed */
    double *host[ENUF_MAPS + 2], *working[ENUF_MAPS];
    void *table[ENUF_INPUT_TABLES];
} enuf_field_input;

/** Refuses arguments of set_field. */
enuf_status enuf_input_check(const enuf_encoding *encoding, const enuf_field_input *input);

/** 1 if the sums are plain transforms. */
int enuf_input_is_plain(const enuf_encoding *encoding, const enuf_field_input *input);

/** Fills `here`, `there`, places and times; refuses maps that are not finite. Waits. Free with
 * enuf_input_free(), after an error too. */
enuf_status enuf_input_bring(enuf_encoding *encoding, enuf_field_input *input);
void enuf_input_free(enuf_encoding *encoding, enuf_field_input *input);

/** What is to be chosen for, with arrays on the host. */
enuf_field_problem enuf_input_problem(const enuf_encoding *encoding, const enuf_field_input *input);

static inline int enuf_on_gpu(const enuf_encoding *encoding)
{
    return encoding->base->backend->kind != ENUF_BACKEND_CPU;
}

#endif
