/* watched_blocks.h - what the library holds of the allocator; all its arrays come from
 * aligned_alloc(). The program is linked with --wrap=aligned_alloc and --wrap=free.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_WATCHED_BLOCKS_H
#define ENUF_WATCHED_BLOCKS_H

#include <stddef.h>

enum { WATCHED_MOST = 4096 };

extern struct watched_blocks {
    void *at[WATCHED_MOST];
    size_t size[WATCHED_MOST], held, peak, most; /* most: more is refused; 0: none is */
    int n;
} watched;

#endif
