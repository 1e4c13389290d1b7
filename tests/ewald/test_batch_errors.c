/*
 * test_batch_errors.c - wrong options, systems and data are refused with a text that names them;
 * the object keeps what was set, and results do not change. SPDX-License-Identifier: BSD-3-Clause
 */
#include "batch_systems.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SYSTEMS = 3, ATOMS = 9 };

static const int64_t offsets[SYSTEMS + 1] = {0, 2, 5, 9};
static double cells[9 * SYSTEMS], x[3 * ATOMS], q[ATOMS];
static double energies[SYSTEMS], forces[3 * ATOMS], potentials[ATOMS], virials[6 * SYSTEMS];

static void make_data(void)
{
    for (int k = 0; k < 9 * SYSTEMS; k++) cells[k] = k % 9 % 4 == 0 ? 4 : 0.25;
    for (int k = 0; k < 3 * ATOMS; k++) x[k] = 0.37 * k * (1 + k % 3);
    for (int i = 0; i < ATOMS; i++) q[i] = i % 2 ? -1 : 1;
}

static enuf_status compute(enuf_ewald_batch *batch)
{
    return enuf_ewald_batch_compute(batch, x, 3, q, energies, forces, potentials, virials);
}

static void refuses(enuf_ewald_batch_options options, enuf_status status, const char *text)
{
    enuf_ewald_batch *batch = (enuf_ewald_batch *)&options;
    CHECK_STATUS(enuf_ewald_batch_create(&options, &batch), status);
    CHECK_TEXT(text);
    CHECK(batch == NULL);
}

static void wrong_options(void)
{
    const enuf_ewald_batch_options right = batch_options();
    enuf_ewald_batch_options wrong = right;
    enuf_ewald_batch *batch;
    wrong.struct_size = sizeof wrong + 8;
    refuses(wrong, ENUF_BAD_ARGUMENT, "options.struct_size is");
    wrong = right;
    wrong.precision = (enuf_precision)2;
    refuses(wrong, ENUF_BAD_ARGUMENT, "precision is 2: use ENUF_DOUBLE or ENUF_FLOAT");
    wrong = right;
    wrong.arithmetic = (enuf_arithmetic)9;
    refuses(wrong, ENUF_BAD_ARGUMENT, "arithmetic is 9");
    wrong.arithmetic = ENUF_ARITHMETIC_BY_ACCURACY;
    refuses(wrong, ENUF_BAD_ARGUMENT, "use ENUF_ARITHMETIC_AUTO, _DOUBLE or _MIXED");
    wrong = right;
    wrong.tolerance = 0.1;
    refuses(wrong, ENUF_BAD_ARGUMENT, "tolerance is 0.1: use 0");
    wrong.tolerance = NAN;
    refuses(wrong, ENUF_BAD_ARGUMENT, "tolerance is nan");
    wrong = right;
    wrong.coulomb = INFINITY;
    refuses(wrong, ENUF_NOT_FINITE, "coulomb is inf");
    wrong = right;
    wrong.surroundings = 0.5;
    refuses(wrong, ENUF_BAD_ARGUMENT, "surroundings is 0.5: use 0 (tinfoil)");
    wrong = right;
    wrong.threads = -1;
    refuses(wrong, ENUF_BAD_ARGUMENT, "threads is -1");
    wrong = right;
    wrong.memory = (enuf_memory)5;
    refuses(wrong, ENUF_BAD_ARGUMENT, "memory is 5");
    wrong = right;
    wrong.backend = ENUF_BACKEND_CPU;
    wrong.memory = ENUF_DEVICE;
    refuses(wrong, ENUF_BAD_MEMORY, "memory ENUF_DEVICE with the cpu backend");
    wrong = right;
    wrong.backend = (enuf_backend)77;
    refuses(wrong, ENUF_BAD_ARGUMENT, "backend is 77");
    CHECK_STATUS(enuf_ewald_batch_create(NULL, &batch), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_batch_create(&right, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_batch_compute(NULL, x, 3, q, NULL, NULL, NULL, NULL),
                 ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_batch_set_systems(NULL, 1, offsets, cells), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_batch_set_cells(NULL, cells), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_batch_check(NULL, NULL), ENUF_BAD_ARGUMENT);
    enuf_ewald_batch_destroy(NULL);
}

static void wrong_systems(enuf_ewald_batch *batch)
{
    const int64_t backwards[SYSTEMS + 1] = {0, 2, 2, 9}, late[2] = {1, 2};
    double wrong[9 * SYSTEMS];
    CHECK_STATUS(enuf_ewald_batch_set_cells(batch, cells), ENUF_NO_POINTS_SET);
    CHECK_STATUS(compute(batch), ENUF_NO_POINTS_SET);
    CHECK_TEXT("set the systems first");
    CHECK_STATUS(enuf_ewald_batch_set_systems(batch, 0, offsets, NULL), ENUF_SUCCESS);
    CHECK_STATUS(compute(batch), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_set_systems(batch, SYSTEMS, offsets, cells), ENUF_SUCCESS);
    CHECK_STATUS(compute(batch), ENUF_SUCCESS);
    const double energy = energies[1];
    CHECK_STATUS(enuf_ewald_batch_set_systems(batch, -1, offsets, cells), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_batch_set_systems(batch, 1, NULL, cells), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_batch_set_systems(batch, 1, offsets, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_batch_set_systems(batch, 1, late, cells), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("offsets[0] is 1: it has to be 0");
    CHECK_STATUS(enuf_ewald_batch_set_systems(batch, SYSTEMS, backwards, cells), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("offsets[1] is 2 and offsets[2] is 2: system 1 needs 1 to");
    memcpy(wrong, cells, sizeof wrong);
    wrong[9 + 4] = NAN;
    CHECK_STATUS(enuf_ewald_batch_set_cells(batch, wrong), ENUF_NOT_FINITE);
    CHECK_TEXT("enuf_ewald_batch_set_cells: system 1: cell vector b, component y, is nan");
    memcpy(wrong + 9, wrong, 3 * sizeof *wrong);
    memcpy(wrong + 12, wrong, 3 * sizeof *wrong);
    CHECK_STATUS(enuf_ewald_batch_set_cells(batch, wrong), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("system 1: cell volume");
    memcpy(wrong, cells, sizeof wrong);
    for (int k = 18; k < 21; k++) wrong[k] *= 1e9;
    CHECK_STATUS(enuf_ewald_batch_set_cells(batch, wrong), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("system 2: the cell is too thin or too long for its 4 atoms");
    CHECK_STATUS(compute(batch), ENUF_SUCCESS);
    CHECK(energies[1] == energy); /* of the earlier cells */
}

/* compute() refuses the data, and leaves the results as they were. */
static void refuses_data(enuf_ewald_batch *batch, enuf_status status, const char *text)
{
    energies[0] = forces[0] = potentials[ATOMS - 1] = virials[0] = 7;
    CHECK_STATUS(compute(batch), status);
    CHECK_TEXT(text);
    CHECK(energies[0] == 7 && forces[0] == 7 && potentials[ATOMS - 1] == 7 && virials[0] == 7);
    make_data();
    CHECK_STATUS(compute(batch), ENUF_SUCCESS);
    CHECK(energies[0] != 7 && forces[0] != 7 && potentials[ATOMS - 1] != 7 && virials[0] != 7);
}

static void wrong_data(enuf_ewald_batch *batch)
{
    CHECK_STATUS(enuf_ewald_batch_compute(batch, NULL, 3, q, energies, NULL, NULL, NULL),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("positions is NULL");
    CHECK_STATUS(enuf_ewald_batch_compute(batch, x, 3, NULL, energies, NULL, NULL, NULL),
                 ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_batch_compute(batch, x, 2, q, energies, NULL, NULL, NULL),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("stride is 2: use 3 or more");
    CHECK_STATUS(enuf_ewald_batch_compute(batch, x, INT64_MAX, q, energies, NULL, NULL, NULL),
                 ENUF_BAD_ARGUMENT);
    x[3 * 4 + 1] = INFINITY;
    refuses_data(batch, ENUF_NOT_FINITE, "system 1, atom 2: a coordinate is NaN or infinite");
    q[6] = NAN;
    refuses_data(batch, ENUF_NOT_FINITE, "system 2, atom 1: charges[6] is NaN or infinite");
    memcpy(x + 3 * 8, x + 3 * 6, 3 * sizeof *x);
    refuses_data(batch, ENUF_BAD_ARGUMENT, "system 2: atoms 1 and 3 lie at the same place");
    for (int d = 0; d < 3; d++) {
        x[3 * 3 + d] = 0.5 + d;
        x[3 * 4 + d] = 0.5 + d + cells[9 + d] - cells[9 + 6 + d]; /* round numbers */
    }
    refuses_data(batch, ENUF_BAD_ARGUMENT, "system 1: atoms 1 and 2 lie at the same place");
    memcpy(x + 3, x, 3 * sizeof *x);
    q[0] = q[1] = 0; /* neither has an energy */
    CHECK_STATUS(compute(batch), ENUF_SUCCESS);
    CHECK(energies[0] == 0);
    make_data();
}

static void net_charge(void)
{
    enuf_ewald_batch_options options = batch_options();
    enuf_ewald_batch *batch;
    options.surroundings = 1;
    CHECK_STATUS(enuf_ewald_batch_create(&options, &batch), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_set_systems(batch, SYSTEMS, offsets, cells), ENUF_SUCCESS);
    CHECK_STATUS(compute(batch), ENUF_BAD_ARGUMENT); /* 3 ions */
    CHECK_TEXT("system 1 has a net charge, and surroundings is 1");
    q[3] = -2;
    q[2] = 1;
    q[4] = 1;
    CHECK_STATUS(compute(batch), ENUF_SUCCESS);
    enuf_ewald_batch_destroy(&batch);
    CHECK(batch == NULL);
    make_data();
}

/* Results that are not wanted change nothing; a stride may leave room between atoms. */
static void parts_of_results(enuf_ewald_batch *batch)
{
    double wide[5 * ATOMS], other[3 * ATOMS], energy[SYSTEMS];
    for (int i = 0; i < ATOMS; i++) {
        memcpy(wide + 5 * i, x + 3 * i, 3 * sizeof *x);
        wide[5 * i + 3] = wide[5 * i + 4] = NAN;
    }
    CHECK_STATUS(compute(batch), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_compute(batch, wide, 5, q, energy, other, NULL, NULL),
                 ENUF_SUCCESS);
    CHECK(memcmp(other, forces, sizeof other) == 0);
    CHECK(memcmp(energy, energies, sizeof energy) == 0);
    CHECK_STATUS(enuf_ewald_batch_compute(batch, x, 3, q, NULL, NULL, NULL, NULL), ENUF_SUCCESS);
}

/* Systems that get no memory leave the earlier ones, and room for them. */
static void no_memory(enuf_ewald_batch *batch)
{
    system_batch larger = mixed_batch(601, 40);
    CHECK_STATUS(enuf_ewald_batch_set_systems(batch, SYSTEMS, offsets, cells), ENUF_SUCCESS);
    CHECK_STATUS(compute(batch), ENUF_SUCCESS);
    const double energy = energies[2];
    int failures = 0;
    for (enuf_status status = ENUF_OUT_OF_MEMORY; status != ENUF_SUCCESS; failures++) {
        enuf_fail_allocation(failures + 1);
        status = enuf_ewald_batch_set_systems(batch, larger.n, larger.offsets, larger.cells);
        enuf_fail_allocation(0);
        if (status == ENUF_SUCCESS) break;
        CHECK_STATUS(status, ENUF_OUT_OF_MEMORY);
        CHECK_STATUS(compute(batch), ENUF_SUCCESS);
        CHECK(energies[2] == energy);
    }
    CHECK(failures >= 3);
    free_batch(&larger);
}

int main(void)
{
    const enuf_ewald_batch_options options = batch_options();
    enuf_ewald_batch *batch;
    make_data();
    wrong_options();
    CHECK_STATUS(enuf_ewald_batch_create(&options, &batch), ENUF_SUCCESS);
    wrong_systems(batch);
    wrong_data(batch);
    parts_of_results(batch);
    no_memory(batch);
    enuf_ewald_batch_destroy(&batch);
    net_charge();
    return check_result();
}
