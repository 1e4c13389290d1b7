/* room.c - scratch of the slopes. SPDX-License-Identifier: BSD-3-Clause */
#include "slope_sums.h"
#include "memory.h"
#include "parallel.h"

#include <string.h>

enuf_status enuf_slope_room_find(enuf_ewald *ewald, enuf_slope_room **room)
{
    if (!ewald->slope_room) {
        enuf_slope_room *made;
        ENUF_TRY(enuf_allocate(&made, 1, sizeof *made, "room for slopes"));
        memset(made, 0, sizeof *made);
        ewald->slope_room = made;
    }
    *room = ewald->slope_room;
    return ENUF_SUCCESS;
}

typedef struct sort_loop {
    const enuf_motion *motion;
    const enuf_atoms *atoms;
    double *moved, *changes;
} sort_loop;

static void sort_some(void *context, int64_t a, int64_t end, int thread)
{
    const sort_loop *loop = context;
    (void)thread;
    for (; a < end; a++) {
        const int64_t i = enuf_callers_atom(loop->atoms->original, a);
        enuf_motion_moved(loop->motion, i, &loop->moved[3 * a]);
        loop->changes[a] = enuf_motion_charge(loop->motion, i);
    }
}

enuf_status enuf_slope_room_sort(enuf_ewald *ewald, const enuf_motion *motion,
                                 const enuf_atoms *atoms)
{
    enuf_slope_room *room = ewald->slope_room;
    ENUF_TRY(enuf_array_reserve(&room->moved, atoms->n, 3 * sizeof(double), "displacements"));
    ENUF_TRY(enuf_array_reserve(&room->changes, atoms->n, sizeof(double), "changes of charges"));
    sort_loop loop = {motion, atoms, room->moved.at, room->changes.at};
    enuf_parallel_for(enuf_ewald_threads(ewald), atoms->n, 0, sort_some, &loop);
    return ENUF_SUCCESS;
}
