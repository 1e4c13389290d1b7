/*
 * test_wanted.c - results do not depend on which results are wanted: all 128 masks agree to 1e-13,
 * and results that are not wanted do not change. enuf_ewald_real() and, with result.add,
 * enuf_ewald_reciprocal() add up to enuf_ewald_compute(), to 1e-13. Positions can have any stride.
 * Energy and virial need no interpolation. No atoms, and atoms without charge, give zeros. 60
 * random ions with a net charge and exclusions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double UNTOUCHED = 12345.678;

typedef struct array {
    int bit;
    size_t width, offset; /* numbers for an atom; place in enuf_ewald_result */
} array;

static const array arrays[] = {
    {ENUF_WANT_FORCES, 3, offsetof(enuf_ewald_result, forces)},
    {ENUF_WANT_ATOM_ENERGY, 1, offsetof(enuf_ewald_result, atom_energy)},
    {ENUF_WANT_ATOM_VIRIAL, 6, offsetof(enuf_ewald_result, atom_virial)},
    {ENUF_WANT_POTENTIAL, 1, offsetof(enuf_ewald_result, potential)},
    {ENUF_WANT_FIELD, 3, offsetof(enuf_ewald_result, field)},
};
enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

static double *values(const enuf_ewald_result *result, int k)
{
    double *pointer;
    memcpy(&pointer, (const char *)result + arrays[k].offset, sizeof pointer);
    return pointer;
}

static void fill(enuf_ewald_result *result, int64_t n, double value)
{
    for (int k = 0; k < ARRAYS; k++)
        for (size_t i = 0; i < (size_t)n * arrays[k].width; i++) values(result, k)[i] = value;
    result->energy = value;
    for (int c = 0; c < 6; c++) result->virial[c] = value;
}

/* Every mask gives the numbers of the full mask, to rounding, and changes no other result. */
static void every_mask(enuf_ewald *ewald, const charge_system *s, const enuf_ewald_result *all)
{
    enuf_ewald_result r = make_result(s->n);
    double worst = 0;
    int touched = 0;
    for (int wanted = 0; wanted < 128; wanted++) {
        fill(&r, s->n, UNTOUCHED);
        CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, wanted, &r), ENUF_SUCCESS);
        for (int k = 0; k < ARRAYS; k++)
            for (size_t i = 0; i < (size_t)s->n * arrays[k].width; i++) {
                double got = values(&r, k)[i], full = values(all, k)[i];
                if (wanted & arrays[k].bit)
                    worst = fmax(worst, fabs(got - full));
                else
                    touched += got != UNTOUCHED;
            }
        if (wanted & ENUF_WANT_ENERGY)
            worst = fmax(worst, fabs(r.energy / all->energy - 1));
        else
            touched += r.energy != UNTOUCHED;
        for (int c = 0; c < 6; c++)
            if (wanted & ENUF_WANT_VIRIAL)
                worst = fmax(worst, fabs(r.virial[c] - all->virial[c]) / fabs(all->energy));
            else
                touched += r.virial[c] != UNTOUCHED;
    }
    CHECK_BELOW(worst, 1e-13, "largest difference over the 128 masks, rounding");
    CHECK(touched == 0);
    free_result(&r);
}

static void real_and_reciprocal_add_up(enuf_ewald *ewald, const charge_system *s,
                                       const enuf_ewald_result *all)
{
    enuf_ewald_result r = make_result(s->n);
    CHECK_STATUS(enuf_ewald_real(ewald, s->x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    CHECK(r.parts.self == 0 && r.parts.reciprocal == 0 && r.parts.background == 0);
    CHECK(r.parts.real != 0 && r.parts.excluded != 0);
    double real = r.energy;
    r.add = 1;
    CHECK_STATUS(enuf_ewald_reciprocal(ewald, s->x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    CHECK(r.energy != real);
    for (int k = 0; k < ARRAYS; k++)
        CHECK_BELOW(
            largest_difference(s->n * (int64_t)arrays[k].width, values(&r, k), values(all, k)),
            1e-13, "real() + reciprocal() - compute(), rounding");
    CHECK_CLOSE(r.energy, all->energy, 1e-13, "energy of real() + reciprocal(), rounding");
    CHECK_CLOSE(r.parts.real, all->parts.real, 0, "real part");
    CHECK_CLOSE(r.parts.excluded, all->parts.excluded, 0, "excluded part");
    for (int c = 0; c < 6; c++)
        CHECK_BELOW((r.virial[c] - all->virial[c]) / all->energy, 1e-13, "virials, rounding");
    free_result(&r);
}

static void any_stride(enuf_ewald *ewald, const charge_system *s, const enuf_ewald_result *all)
{
    enum { STRIDE = 7 };
    double *x = malloc(STRIDE * (size_t)s->n * sizeof *x);
    if (!x) abort();
    for (int64_t i = 0; i < s->n; i++)
        for (int d = 0; d < STRIDE; d++) x[STRIDE * i + d] = d < 3 ? s->x[3 * i + d] : NAN;
    enuf_ewald_result r = make_result(s->n);
    CHECK_STATUS(enuf_ewald_compute(ewald, x, STRIDE, WANT_ALL, &r), ENUF_SUCCESS);
    for (int k = 0; k < ARRAYS; k++)
        CHECK_BELOW(
            largest_difference(s->n * (int64_t)arrays[k].width, values(&r, k), values(all, k)), 0,
            "stride 7 against stride 3, bits");
    CHECK_CLOSE(r.energy, all->energy, 0, "energy, bits");
    free_result(&r);
    free(x);
}

/* Energy and virial come from the modes, without a transform back and interpolation. Forces alone
 * need no sum over the modes. */
static void energy_needs_no_interpolation(enuf_ewald *ewald, const charge_system *s)
{
    double seconds[ENUF_STAGE_COUNT];
    enuf_ewald_result r = make_result(s->n);
    CHECK_STATUS(enuf_nufft_elapsed(ewald->method.plan, ENUF_STAGE_COUNT, seconds), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_VIRIAL, &r),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_elapsed(ewald->method.plan, ENUF_STAGE_COUNT, seconds), ENUF_SUCCESS);
    CHECK(seconds[ENUF_STAGE_SPREAD] > 0 && seconds[ENUF_STAGE_REDUCE] > 0);
    CHECK(seconds[ENUF_STAGE_INTERPOLATE] == 0);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_elapsed(ewald->method.plan, ENUF_STAGE_COUNT, seconds), ENUF_SUCCESS);
    CHECK(seconds[ENUF_STAGE_REDUCE] == 0 && seconds[ENUF_STAGE_INTERPOLATE] > 0);
    free_result(&r);
}

/* No atoms, and atoms without charge, are allowed and give zeros. */
static void no_charges(void)
{
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    charge_system none = {.n = 0, .cell = {3, 0, 0, 0, 3, 0, 0, 0, 3}};
    enuf_ewald *ewald = make_ewald(&options, &none, NULL);
    enuf_ewald_result empty = {.struct_size = sizeof empty, .energy = 1};
    CHECK_STATUS(enuf_ewald_compute(ewald, NULL, 3, WANT_ALL, &empty), ENUF_SUCCESS);
    CHECK(empty.energy == 0);
    enuf_ewald_destroy(&ewald);

    charge_system s = make_ions(82, 20, CELL_CUBIC, 0);
    for (int64_t i = 0; i < s.n; i++) s.q[i] = 0;
    enuf_ewald_result zeros = make_result(s.n);
    fill(&zeros, s.n, UNTOUCHED);
    ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &zeros), ENUF_SUCCESS);
    for (int k = 0; k < ARRAYS; k++)
        for (size_t i = 0; i < (size_t)s.n * arrays[k].width; i++) CHECK(values(&zeros, k)[i] == 0);
    CHECK(zeros.energy == 0 && zeros.virial[0] == 0);
    enuf_ewald_destroy(&ewald);
    free_result(&zeros);
    free_system(&s);
}

int main(void)
{
    charge_system s = make_ions(81, 60, CELL_TRICLINIC, 1);
    int64_t pairs[6] = {0, 1, 5, 2, 9, 40};
    const enuf_exclusions exclusions = {3, pairs, NULL};
    enuf_ewald_options options = options_for(1e-7, ENUF_SPLIT_PROLATE);
    options.deterministic = 1; /* so that evaluations can be compared bit by bit */
    enuf_ewald *ewald = make_ewald(&options, &s, &exclusions);
    enuf_ewald_result all = make_result(s.n);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &all), ENUF_SUCCESS);
    every_mask(ewald, &s, &all);
    real_and_reciprocal_add_up(ewald, &s, &all);
    any_stride(ewald, &s, &all);
    energy_needs_no_interpolation(ewald, &s);
    no_charges();
    enuf_ewald_destroy(&ewald);
    free_result(&all);
    free_system(&s);
    return check_result();
}
