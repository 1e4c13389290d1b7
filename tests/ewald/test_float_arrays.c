/*
 * test_float_arrays.c - the calls for arrays of floats give the results of their namesakes rounded
 * to float, bit by bit (deterministic): for strides 3 and 4, every `wanted`, result.add, each of
 * the calls, no atoms, and in the memory of a device (of a stand-in, stand_in_device.h). Errors
 * name the caller's argument and leave the results as they were. 5000 ions are converted by many
 * threads. SPDX-License-Identifier: BSD-3-Clause
 */
#include "float_results.h"
#include "stand_in_device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(call, begins): enuf_ewald_<call>() and enuf_ewald_<call>_f32() */
#define CALLS(X) X(compute, 0) X(real, 0) X(reciprocal, 0) X(begin, 1) X(begin_reciprocal, 1)

typedef struct pair_of_calls {
    const char *name;
    int begins;
    enuf_status (*doubles)(enuf_ewald *, const double *, int64_t, int, enuf_ewald_result *);
    enuf_status (*floats)(enuf_ewald *, const float *, int64_t, int, enuf_ewald_result_f32 *);
} pair_of_calls;

#define ENTRY(call, begins) {#call, begins, enuf_ewald_##call, enuf_ewald_##call##_f32},
static const pair_of_calls calls[] = {CALLS(ENTRY)};
enum { N_CALLS = sizeof calls / sizeof *calls };

static enuf_ewald_options exact_bits(double accuracy)
{
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    options.deterministic = 1;
    return options;
}

static void compare(enuf_ewald *ewald, const float_system *f, const pair_of_calls *call, int wanted,
                    int add)
{
    const int64_t n = f->s.n;
    enuf_ewald_result_f32 got = make_float_result(n), before = make_float_result(n);
    got.add = before.add = add;
    enuf_ewald_result right = double_result(n, &before);
    CHECK_STATUS(call->doubles(ewald, f->s.x, 3, wanted, &right), ENUF_SUCCESS);
    if (call->begins) CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
    CHECK_STATUS(call->floats(ewald, f->x, f->stride, wanted, &got), ENUF_SUCCESS);
    if (call->begins) CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
    check_same(n, wanted, &got, &right, &before);
    free_result(&right);
    free_float_result(&got);
    free_float_result(&before);
}

static void every_call(int64_t stride)
{
    float_system f = make_float_ions(601, 120, CELL_TRICLINIC, stride);
    enuf_ewald_options options = exact_bits(1e-6);
    enuf_ewald *ewald = make_ewald(&options, &f.s, NULL);
    for (int k = 0; k < N_CALLS; k++)
        for (int add = 0; add < 2; add++) {
            printf("%s, stride %lld, add %d\n", calls[k].name, (long long)stride, add);
            compare(ewald, &f, &calls[k], WANT_ALL, add);
        }
    enuf_ewald_destroy(&ewald);
    free_float_system(&f);
}

static void every_wanted(void)
{
    float_system f = make_float_ions(602, 40, CELL_CUBIC, 3);
    enuf_ewald_options options = exact_bits(1e-4);
    enuf_ewald *ewald = make_ewald(&options, &f.s, NULL);
    for (int wanted = 0; wanted <= WANT_ALL; wanted++) compare(ewald, &f, calls, wanted, 0);
    for (int repeat = 0; repeat < 3; repeat++) compare(ewald, &f, calls, WANT_SUMS, 0);
    enuf_ewald_destroy(&ewald);
    free_float_system(&f);
}

/* Charges in float, with an exclusion; also more atoms than one thread converts. */
static void charges(int64_t n)
{
    static const int64_t pair[2] = {0, 1};
    const enuf_exclusions x = {.n = 1, .pairs = pair};
    float_system f = make_float_ions(603, n, CELL_CUBIC, 4);
    enuf_ewald_options options = exact_bits(1e-3);
    options.threads = 3;
    enuf_ewald *ewald = make_ewald(&options, &f.s, &x);
    enuf_ewald_result right = make_result(n);
    CHECK_STATUS(enuf_ewald_compute(ewald, f.s.x, 3, WANT_ALL, &right), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);

    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, f.s.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, n, f.q, &x), ENUF_SUCCESS);
    enuf_ewald_report before = {.struct_size = sizeof before}, after = before;
    enuf_ewald_result plain = make_result(n);
    CHECK_STATUS(enuf_ewald_compute(ewald, f.s.x, 3, WANT_ALL, &plain), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &before), ENUF_SUCCESS);
    enuf_ewald_result_f32 got = make_float_result(n);
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 4, WANT_ALL, &got), ENUF_SUCCESS);
    check_same(n, WANT_ALL, &got, &right, &got);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &after), ENUF_SUCCESS);
    CHECK(after.bytes - before.bytes >= 8 * (3 + NUMBERS_OF_ATOM) * n);
    enuf_ewald_destroy(&ewald);
    free_result(&right);
    free_result(&plain);
    free_float_result(&got);
    free_float_system(&f);
}

static void no_atoms(void)
{
    const double cell[9] = {5, 0, 0, 0, 5, 0, 0, 0, 5};
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald = NULL;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, 0, NULL, NULL), ENUF_SUCCESS);
    enuf_ewald_result_f32 r = {.struct_size = sizeof r, .energy = 3};
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, NULL, 3, WANT_ALL, &r), ENUF_SUCCESS);
    CHECK(r.energy == 0);
    enuf_ewald_destroy(&ewald);
}

static void errors(void)
{
    float_system f = make_float_ions(604, 50, CELL_CUBIC, 3);
    const int64_t n = f.s.n;
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    enuf_ewald_result_f32 r = make_float_result(n), before = make_float_result(n);
    const enuf_ewald_result unchanged = double_result(n, &before);
    enuf_ewald *ewald = NULL;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 3, 1, &r), ENUF_NO_POINTS_SET);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, f.s.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 3, WANT_ALL, &r), ENUF_NO_POINTS_SET);
    CHECK_TEXT("enuf_ewald_set_charges()");
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, -1, f.q, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("enuf_ewald_set_charges_f32: n is -1");
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, n, NULL, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("charges is NULL");
    CHECK_STATUS(enuf_ewald_set_charges_f32(NULL, n, f.q, NULL), ENUF_BAD_ARGUMENT);
    f.q[7] = NAN;
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, n, f.q, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("charges[7] is nan");
    f.q[7] = 1;
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, n, f.q, NULL), ENUF_SUCCESS);

    CHECK_STATUS(enuf_ewald_compute_f32(NULL, f.x, 3, 1, &r), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("enuf_ewald_compute_f32: ewald is NULL");
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, NULL, 3, 1, &r), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("positions is NULL, but there are 50 charges");
    CHECK_STATUS(enuf_ewald_real_f32(ewald, f.x, 2, 1, &r), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("enuf_ewald_real_f32: stride is 2");
    CHECK_STATUS(enuf_ewald_reciprocal_f32(ewald, f.x, 3, 1, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("enuf_ewald_reciprocal_f32: result is NULL");
    CHECK_STATUS(enuf_ewald_begin_f32(ewald, f.x, 3, 128, &r), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("wanted is 128");
    r.struct_size = 1;
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 3, 1, &r), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("sizeof(enuf_ewald_result_f32)");
    r.struct_size = sizeof r;
    float *field = r.field;
    r.field = NULL;
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 3, WANT_ALL, &r), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("result->field is NULL, but is wanted");
    r.field = field;
    enuf_ewald_totals totals;
    r.totals = &totals;
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 3, 1, &r), ENUF_BAD_MEMORY);
    CHECK_TEXT("result->totals");
    r.totals = NULL;
    f.x[3 * 17 + 1] = NAN;
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 3, WANT_ALL, &r), ENUF_NOT_FINITE);
    CHECK_TEXT("position of atom 17");
    memcpy(f.x + 3 * 17, f.x + 3 * 40, 3 * sizeof *f.x);
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 3, WANT_ALL, &r), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("atoms 17 and 40 are at the same place");
    check_same(n, 0, &r, &unchanged, &before);

    f.x[3 * 17] += 0.5F;
    CHECK_STATUS(enuf_ewald_begin_f32(ewald, f.x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_begin_f32(ewald, f.x, 3, WANT_ALL, &r), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 3, WANT_ALL, &r), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("enuf_ewald_finish() has to come first");
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, n, f.q, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
    CHECK(r.energy != before.energy);
    enuf_ewald_destroy(&ewald);
    enuf_ewald_result also = unchanged;
    free_result(&also);
    free_float_result(&r);
    free_float_result(&before);
    free_float_system(&f);
}

/* ---- The memory of a device ---- */

/* A copy [n] of floats in the memory of the stand-in. */
static float *there(int64_t n, const float *from)
{
    double *room = calloc((size_t)n, sizeof *room);
    memcpy(room, from, (size_t)n * sizeof *from);
    float *array = stand_in_array(n, room);
    free(room);
    return array;
}

static enuf_ewald_result_f32 result_there(int64_t n, const enuf_ewald_result_f32 *from)
{
    enuf_ewald_result_f32 r = *from;
#define ENUF_X(BIT, name, width, text) r.name = there((width)*n, from->name);
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return r;
}

static void device_memory(void)
{
    float_system f = make_float_ions(605, 100, CELL_CUBIC, 4);
    const int64_t n = f.s.n;
    enuf_ewald_options options = exact_bits(1e-5);
    options.backend = ENUF_BACKEND_CPU; /* the stand-in's */
    enuf_ewald *host = make_ewald(&options, &f.s, NULL);
    enuf_ewald_result_f32 before = make_float_result(n);
    enuf_ewald_result right = double_result(n, &before);
    CHECK_STATUS(enuf_ewald_compute(host, f.s.x, 3, WANT_ALL, &right), ENUF_SUCCESS);
    enuf_ewald_destroy(&host);

    enuf_ewald *ewald = stand_in_make(&options, &f.s);
    stand_in_refuses_host = 1;
    float *x = there(4 * n, f.x), *q = there(n, f.q);
    enuf_ewald_result_f32 got = result_there(n, &before);
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, n, q, NULL), ENUF_SUCCESS);
    CHECK(stand_in_calls.sums == 1);
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 4, WANT_ALL, &got), ENUF_BAD_MEMORY);
    CHECK_TEXT("enuf_ewald_compute_f32: positions");
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, x, 4, WANT_ALL, &before), ENUF_BAD_MEMORY);
    CHECK_TEXT("result->forces");

    /* with totals the arrays are enqueued, and the record stays; before finish() they are too */
    enuf_ewald_totals *totals = stand_in_array((int64_t)(sizeof *totals / 8), &right.parts);
    got.totals = totals;
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, x, 4, WANT_ALL, &got), ENUF_SUCCESS);
    CHECK(stand_in_calls.narrowed == 5 && got.energy == before.energy);
    CHECK(totals->energy == right.energy);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_SUCCESS);
    got.totals = NULL;
    CHECK_STATUS(enuf_ewald_begin_f32(ewald, x, 4, WANT_ALL, &got), ENUF_SUCCESS);
    CHECK(stand_in_calls.narrowed == 10 && got.energy == before.energy);
    CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
    CHECK(got.energy == right.energy);

    /* charges of the host, and with an error */
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, n, f.q, NULL), ENUF_SUCCESS);
    CHECK(stand_in_calls.sums == 1);
    q[11] = NAN;
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, n, q, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("charges[11] is nan");
    stand_in_destroy(&ewald);
    free_result(&right);
    free_float_result(&before);
    free_float_system(&f);
}

int main(void)
{
    every_call(3);
    every_call(4);
    every_wanted();
    charges(60);
    charges(5000);
    no_atoms();
    errors();
    device_memory();
    return check_result();
}
