/* float_results.c - see float_results.h. SPDX-License-Identifier: BSD-3-Clause */
#include "float_results.h"
#include "object/atom_results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

float_system make_float_ions(uint64_t seed, int64_t n, cell_shape shape, int64_t stride)
{
    float_system f = {.s = make_ions(seed, n, shape, 0.75), .stride = stride};
    f.x = malloc((size_t)(n * stride) * sizeof *f.x);
    f.q = malloc((size_t)n * sizeof *f.q);
    for (int64_t k = 0; k < n * stride; k++) f.x[k] = NAN;
    for (int64_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            f.x[i * stride + d] = (float)f.s.x[3 * i + d];
            f.s.x[3 * i + d] = (double)f.x[i * stride + d];
        }
        f.q[i] = (float)f.s.q[i];
        f.s.q[i] = (double)f.q[i];
    }
    return f;
}

void free_float_system(float_system *f)
{
    free(f->x);
    free(f->q);
    free_system(&f->s);
}

enuf_ewald_result_f32 make_float_result(int64_t n)
{
    enuf_ewald_result_f32 r = {.struct_size = sizeof r, .energy = 5, .virial = {1, 2, 3, 4, 5, 6}};
    float *block = malloc((size_t)(n * NUMBERS_OF_ATOM + 1) * sizeof *block);
    for (int64_t k = 0; k < n * NUMBERS_OF_ATOM; k++) block[k] = 0.1F * (float)k;
#define ENUF_X(BIT, name, width, text)                                                             \
    r.name = block;                                                                                \
    block += (width)*n;
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return r;
}

void free_float_result(enuf_ewald_result_f32 *r)
{
    free(r->forces);
    r->forces = NULL;
}

enuf_ewald_result double_result(int64_t n, const enuf_ewald_result_f32 *from)
{
    enuf_ewald_result r = make_result(n);
    r.add = from->add;
    r.energy = from->energy;
    memcpy(r.virial, from->virial, sizeof r.virial);
#define ENUF_X(BIT, name, width, text)                                                             \
    for (int64_t k = 0; k < (width)*n; k++) r.name[k] = (double)from->name[k];
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return r;
}

static int64_t differences(int64_t n, const float *got, const double *right, const float *before)
{
    int64_t different = 0;
    for (int64_t k = 0; k < n; k++) {
        const float expected = right ? (float)right[k] : before[k];
        different += memcmp(&got[k], &expected, sizeof expected) != 0;
    }
    return different;
}

void check_same(int64_t n, int wanted, const enuf_ewald_result_f32 *got,
                const enuf_ewald_result *right, const enuf_ewald_result_f32 *before)
{
#define ENUF_X(BIT, name, width, text)                                                             \
    CHECK(differences((width)*n, got->name, wanted &ENUF_WANT_##BIT ? right->name : NULL,          \
                      before->name) == 0);
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    CHECK(got->energy == right->energy);
    CHECK(memcmp(&got->parts, &right->parts, sizeof right->parts) == 0);
    CHECK(memcmp(got->virial, right->virial, sizeof right->virial) == 0);
    CHECK(memcmp(got->net_force, right->net_force, sizeof right->net_force) == 0);
}
