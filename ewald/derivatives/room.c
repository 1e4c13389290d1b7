/* room.c - scratch of the slopes, and the shares of a term. SPDX-License-Identifier: BSD-3-Clause
 */
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

void enuf_slope_sums_add(const enuf_motion *motion, const double virial[6], const double stretch[9],
                         const double virial_slope[6], enuf_slope_sums *sums)
{
    double w[9], slope[9];
    for (int c = 0; c < 6; c++) {
        const int a = enuf_tensor_row[c], b = enuf_tensor_column[c];
        w[3 * a + b] = w[3 * b + a] = virial[c];
        slope[3 * a + b] = slope[3 * b + a] = virial_slope[c];
        sums->virial[c] += virial_slope[c];
    }
    for (int a = 0; a < 3; a++) {
        double strained[3];
        enuf_motion_strain(motion, &w[3 * a], strained);
        for (int b = 0; b < 3; b++)
            sums->product[3 * a + b] += slope[3 * a + b] - strained[b] - stretch[3 * a + b];
    }
}
