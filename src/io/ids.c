/* ids.c - see ids.h. SPDX-License-Identifier: BSD-3-Clause */
#include "ids.h"

#include "memory.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const enuf_id *p = a, *q = b;
    if (p->id != q->id) return p->id < q->id ? -1 : 1;
    return (p->ion > q->ion) - (p->ion < q->ion);
}

enuf_status enuf_ids_sort(int64_t n, const int64_t *ids, enuf_id **sorted)
{
    ENUF_TRY(enuf_allocate(sorted, n, sizeof **sorted, "atom ids"));
    int in_order = 1; /* files written by one process mostly are */
    for (int64_t i = 0; i < n; ++i) {
        (*sorted)[i] = (enuf_id){ids[i], i};
        if (i > 0 && ids[i] <= ids[i - 1]) in_order = 0;
    }
    if (!in_order) qsort(*sorted, (size_t)n, sizeof **sorted, compare);
    return ENUF_SUCCESS;
}

int64_t enuf_ids_repeated(int64_t n, const enuf_id *sorted)
{
    for (int64_t k = 0; k + 1 < n; ++k)
        if (sorted[k].id == sorted[k + 1].id) return k;
    return -1;
}

int64_t enuf_ids_find(int64_t n, const enuf_id *sorted, int64_t id)
{
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (sorted[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && sorted[low].id == id ? sorted[low].ion : -1;
}
