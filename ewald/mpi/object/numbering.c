/* numbering.c - see numbering.h. SPDX-License-Identifier: BSD-3-Clause */
#include "numbering.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

enuf_status enuf_numbering_create(int ranks, enuf_numbering *made)
{
    *made = (enuf_numbering){.n = 0};
    for (int k = 0; k < 2; k++)
        ENUF_TRY(
            enuf_allocate(&made->by[k], ranks, sizeof *made->by[k], "numbers of ranks' atoms"));
    return ENUF_SUCCESS;
}

void enuf_numbering_release(enuf_numbering *numbering)
{
    for (int k = 0; k < 2; k++) enuf_release(&numbering->by[k]);
    numbering->n = 0;
}

static int as_leaders_count(const void *a, const void *b)
{
    const int64_t p = ((const enuf_piece *)a)->first[ENUF_LEADERS_COUNT];
    const int64_t q = ((const enuf_piece *)b)->first[ENUF_LEADERS_COUNT];
    return (p > q) - (p < q);
}

void enuf_numbering_sort(enuf_numbering *numbering, int ranks)
{
    enuf_piece *callers = numbering->by[ENUF_CALLERS_COUNT];
    enuf_piece *leaders = numbering->by[ENUF_LEADERS_COUNT];
    numbering->n = 0;
    /* skip ranks without atoms, so that first numbers differ and each number has one piece */
    for (int r = 0; r < ranks; r++)
        if (callers[r].n > 0) callers[numbering->n++] = callers[r];
    const size_t n = (size_t)numbering->n;
    memcpy(leaders, callers, n * sizeof *leaders);
    qsort(leaders, n, sizeof *leaders, as_leaders_count);
}

int64_t enuf_numbering_convert(const enuf_numbering *numbering, enuf_counting from, int64_t number)
{
    if (!numbering) return number;
    const enuf_piece *piece = numbering->by[from];
    /* find the last piece that begins at or before the number */
    int low = 0, high = numbering->n - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (piece[middle].first[from] <= number)
            low = middle;
        else
            high = middle - 1;
    }
    const int64_t *first = piece[low].first;
    return number - first[from] + first[1 - from];
}
