/* arrays.c - the scratch arrays of an evaluation. SPDX-License-Identifier: BSD-3-Clause */
#include "ewald_object.h"

#include <string.h>

/* Reserves [n][width] doubles and sets them to zero. */
static enuf_status zeroed(enuf_array *array, int64_t n, int width, const char *what, double **view)
{
    ENUF_TRY(enuf_array_reserve(array, n, (size_t)width * sizeof(double), what));
    *view = array->at;
    memset(*view, 0, (size_t)n * (size_t)width * sizeof(double));
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_reserve(enuf_ewald *ewald, int wanted, enuf_ewald_sums *sums)
{
    int64_t n = ewald->charges.n;
    memset(sums, 0, sizeof *sums);
#define ENUF_X(BIT, name, width, text)                                                             \
    if (wanted & ENUF_WANT_##BIT) ENUF_TRY(zeroed(&ewald->name, n, width, text, &sums->name));
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

#define ARRAYS(X)                                                                                  \
    X(forces)                                                                                      \
    X(atom_energy)                                                                                 \
    X(atom_virial)                                                                                 \
    X(potential)                                                                                   \
    X(field)                                                                                       \
    X(mesh_potential)                                                                              \
    X(mesh_gradient)                                                                               \
    X(mesh_multiplier)                                                                             \
    X(float_room)                                                                                  \
    X(order_box) X(order_count) X(order_positions) X(order_q) X(order_q_single) X(order_original)

void enuf_ewald_release_arrays(enuf_ewald *ewald)
{
#define RELEASE(name) enuf_array_release(&ewald->name);
    ARRAYS(RELEASE)
#undef RELEASE
}

int64_t enuf_ewald_array_bytes(const enuf_ewald *ewald)
{
    int64_t bytes = enuf_slope_room_bytes(ewald->slope_room) + enuf_held_bytes(ewald->held);
#define ADD(name) bytes += ewald->name.bytes;
    ARRAYS(ADD)
#undef ADD
    return bytes;
}
