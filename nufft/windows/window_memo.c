/* window_memo.c - see window_memo.h. SPDX-License-Identifier: BSD-3-Clause */
#include "window_memo.h"

#include <pthread.h>
#include <string.h>

enum { SLOTS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enuf_window_form forms[SLOTS];
static enuf_window_fitted fits[SLOTS];
static enuf_window_pieces transforms[SLOTS];
static enuf_alias_table aliases[SLOTS];

/* The values of a table, and which slots are in use: the first `used`, `next` is replaced next. */
static struct {
    unsigned char *values;
    size_t size;
    int used, next;
    enuf_memo_key keys[SLOTS];
} tables[ENUF_MEMO_TABLES] = {
    [ENUF_MEMO_FORM] = {.values = (unsigned char *)forms, .size = sizeof *forms},
    [ENUF_MEMO_FIT] = {.values = (unsigned char *)fits, .size = sizeof *fits},
    [ENUF_MEMO_TRANSFORM] = {.values = (unsigned char *)transforms, .size = sizeof *transforms},
    [ENUF_MEMO_ALIASES] = {.values = (unsigned char *)aliases, .size = sizeof *aliases},
};

static int are_equal(const enuf_memo_key *a, const enuf_memo_key *b)
{
    return a->window == b->window && a->width == b->width && a->shape == b->shape &&
           a->number == b->number;
}

/* The slot of a key, or -1. Under the lock. */
static int slot_of(enuf_memo_table table, const enuf_memo_key *key)
{
    for (int k = 0; k < tables[table].used; k++)
        if (are_equal(&tables[table].keys[k], key)) return k;
    return -1;
}

int enuf_memo_find(enuf_memo_table table, const enuf_memo_key *key, void *value)
{
    const size_t size = tables[table].size;
    pthread_mutex_lock(&lock);
    const int slot = slot_of(table, key);
    if (slot >= 0) memcpy(value, tables[table].values + (size_t)slot * size, size);
    pthread_mutex_unlock(&lock);
    return slot >= 0;
}

void enuf_memo_keep(enuf_memo_table table, const enuf_memo_key *key, const void *value)
{
    const size_t size = tables[table].size;
    pthread_mutex_lock(&lock);
    if (slot_of(table, key) < 0) { /* another thread may have been faster */
        const int slot = tables[table].next;
        memcpy(tables[table].values + (size_t)slot * size, value, size);
        tables[table].keys[slot] = *key;
        tables[table].next = (slot + 1) % SLOTS;
        if (tables[table].used < SLOTS) tables[table].used++;
    }
    pthread_mutex_unlock(&lock);
}
