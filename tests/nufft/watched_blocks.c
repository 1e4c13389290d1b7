/* watched_blocks.c - see watched_blocks.h. SPDX-License-Identifier: BSD-3-Clause */
#include "watched_blocks.h"

#include "check.h"

struct watched_blocks watched;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void __wrap_free(void *block);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    if (watched.most > 0 && watched.held + size > watched.most) return NULL;
    void *block = __real_aligned_alloc(alignment, size);
    if (!block || !CHECK(watched.n < WATCHED_MOST)) return block;
    watched.at[watched.n] = block;
    watched.size[watched.n++] = size;
    watched.held += size;
    if (watched.held > watched.peak) watched.peak = watched.held;
    return block;
}

void __wrap_free(void *block)
{
    for (int i = watched.n - 1; block && i >= 0; i--) {
        if (watched.at[i] != block) continue;
        watched.held -= watched.size[i];
        watched.n--;
        watched.at[i] = watched.at[watched.n];
        watched.size[i] = watched.size[watched.n];
        break;
    }
    __real_free(block);
}
