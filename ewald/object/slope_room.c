/* slope_room.c - see slope_room.h. SPDX-License-Identifier: BSD-3-Clause */
#include "slope_room.h"
#include "memory.h"

void enuf_slope_room_release(enuf_slope_room **room)
{
    if (!*room) return;
#define ENUF_X(name) enuf_array_release(&(*room)->name);
    ENUF_SLOPE_ARRAYS(ENUF_X)
#undef ENUF_X
    enuf_release(room);
}

int64_t enuf_slope_room_bytes(const enuf_slope_room *room)
{
    int64_t bytes = 0;
    if (!room) return 0;
#define ENUF_X(name) bytes += room->name.bytes;
    ENUF_SLOPE_ARRAYS(ENUF_X)
#undef ENUF_X
    return bytes + (int64_t)sizeof *room;
}
