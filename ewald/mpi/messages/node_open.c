/* node_open.c - see node_open.h. SPDX-License-Identifier: BSD-3-Clause */
#include "node_open.h"
#include "memory.h"
#include "node.h"
#include "shared_memory.h"

/* Less would hold too few of the messages. */
static const int64_t LEAST_RING = INT64_C(1) << 12;

static int allocate(enuf_ranks *ranks, int64_t rings, int64_t *ring, enuf_shared_memory *block)
{
    for (int64_t total = rings; total >= rings / 4; total /= 4) {
        *ring = enuf_node_ring(ranks->size, total);
        if (*ring < LEAST_RING) return 0;
        if (enuf_shared_memory_allocate(ranks, enuf_node_bytes(ranks->size, *ring), block))
            return 1;
    }
    return 0;
}

enuf_status enuf_node_open(enuf_ranks *ranks, int64_t rings)
{
    enuf_shared_memory block;
    int64_t ring;
    char *room = NULL;
    if (ranks->size == 1 || !allocate(ranks, rings, &ring, &block)) return ENUF_SUCCESS;
    const enuf_status status =
        enuf_ranks_agree(ranks, enuf_allocate(&room, 1, enuf_node_size(), "ranks of a machine"));
    if (status != ENUF_SUCCESS) {
        enuf_release(&room);
        enuf_shared_memory_release(&block);
        return status;
    }
    ranks->node = (enuf_node *)(void *)room;
    enuf_node_start(ranks->rank, ranks->size, ring, block.at, ranks->node);
    return ENUF_SUCCESS;
}

void enuf_node_close(enuf_ranks *ranks)
{
    if (!ranks->node) return;
    const int64_t ring = enuf_node_room(ranks->node);
    enuf_shared_memory block = {enuf_node_block(ranks->node), enuf_node_bytes(ranks->size, ring)};
    enuf_shared_memory_release(&block);
    enuf_release(&ranks->node);
}
