/*
 * ids.h - finds an ion by the file's atom id. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_IDS_H
#define ENUF_IDS_H

#include "enuf/status.h"

typedef struct enuf_id {
    int64_t id;
    int64_t ion;
} enuf_id;

/** Sorts ids [n] by value, equal ones by ion, into a new array; release with enuf_release(). */
enuf_status enuf_ids_sort(int64_t n, const int64_t *ids, enuf_id **sorted);

/** First k with sorted[k].id == sorted[k + 1].id; -1: all ids are distinct. */
int64_t enuf_ids_repeated(int64_t n, const enuf_id *sorted);

/** The ion of an id, or -1. */
int64_t enuf_ids_find(int64_t n, const enuf_id *sorted, int64_t id);

#endif
