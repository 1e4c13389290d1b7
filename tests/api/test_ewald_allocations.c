/*
 * test_ewald_allocations.c - every function of ewald.h, ewald_f32.h, ewald_batch.h,
 * ewald_tuning.h and ewald_derivatives.h returns ENUF_OUT_OF_MEMORY when one of its allocations
 * fails, and the object works afterwards. 64 ions, once with a Gaussian splitting, deterministic,
 * in mixed precision, once with a prolate splitting in double. See allocation_walk.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "allocation_walk.h"

#include "enuf/ewald_batch.h"
#include "enuf/ewald_derivatives.h"
#include "enuf/ewald_f32.h"
#include "enuf/ewald_tuning.h"
#include "error.h"

#include <stdio.h>
#include <stdlib.h>

enum { EDGE = 4, N = EDGE * EDGE * EDGE, EVERYTHING = 127, MOST_CANDIDATES = 100 };

static const double cell[9] = {EDGE, 0, 0, 0.5, EDGE, 0, 0, 0, EDGE};
static const int64_t pairs[4] = {0, 1, 5, 9};
static const enuf_exclusions exclusions = {2, pairs, NULL};
static double positions[3 * N], charges[N];
static double forces[3 * N], atom_energy[N], atom_virial[6 * N], potential[N], field[3 * N];
/* Explicit parameters need no search, which takes most of the time of a call that fails. */
static enuf_ewald_options options, options_to_choose;
static enuf_ewald_result result = {.struct_size = sizeof result,
                                   .forces = forces,
                                   .atom_energy = atom_energy,
                                   .atom_virial = atom_virial,
                                   .potential = potential,
                                   .field = field};
static enuf_ewald *ewald;

static enuf_status step_enuf_ewald_options_init(void)
{
    enuf_ewald_options defaults;
    enuf_ewald_options_init(&defaults);
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_ewald_create(void)
{
    return enuf_ewald_create(&options, &ewald);
}

static enuf_status create_to_choose(void)
{
    return enuf_ewald_create(&options_to_choose, &ewald);
}

static enuf_status step_enuf_ewald_set_cell(void)
{
    return enuf_ewald_set_cell(ewald, cell);
}

static enuf_status step_enuf_ewald_set_charges(void)
{
    return enuf_ewald_set_charges(ewald, N, charges, &exclusions);
}

static enuf_status step_enuf_ewald_tune(void)
{
    return enuf_ewald_tune(ewald, positions, 3);
}

static enuf_status step_enuf_ewald_verify(void)
{
    return enuf_ewald_verify(ewald, positions, 3);
}

static enuf_status step_enuf_ewald_measure_tail(void)
{
    return enuf_ewald_measure_tail(ewald, positions, 3);
}

static enuf_status step_enuf_ewald_list_candidates(void)
{
    static enuf_ewald_candidate candidates[MOST_CANDIDATES] = {{.struct_size = sizeof *candidates}};
    int64_t n;
    return enuf_ewald_list_candidates(ewald, 2, MOST_CANDIDATES, candidates, &n);
}

/* ---- Tuning: times come from a table, because the library's clock leaves out a candidate that
 * finds no memory. Deterministic objects are not timed. ---- */

static enuf_ewald_tuning_request request;
static enuf_ewald_tuning *tuning;

static enuf_status look_up(void *context, const enuf_ewald_candidate *c, double *seconds,
                           int64_t *bytes)
{
    (void)context;
    *seconds = c->cutoff;
    *bytes = 1;
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_ewald_tuning_request_init(void)
{
    enuf_ewald_tuning_request_init(&request);
    request.effort = options.deterministic ? ENUF_TUNE_ESTIMATE : ENUF_TUNE_MEASURE;
    request.timer = look_up;
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_ewald_tune_with(void)
{
    const enuf_status status = enuf_ewald_tune_with(ewald, &request, positions, 3, &tuning);
    CHECK((status == ENUF_SUCCESS) == (tuning != NULL));
    return status;
}

static enuf_status step_enuf_ewald_tuning_count(void)
{
    return enuf_ewald_tuning_count(tuning) > 0 ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_ewald_tuning_from_wisdom(void)
{
    return enuf_ewald_tuning_from_wisdom(tuning) == 0 ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_ewald_tuning_get(void)
{
    enuf_ewald_timed candidate = {.struct_size = sizeof candidate};
    return enuf_ewald_tuning_get(tuning, 0, &candidate);
}

static enuf_status step_enuf_ewald_tuning_destroy(void)
{
    enuf_ewald_tuning_destroy(&tuning);
    return tuning ? ENUF_INTERNAL : ENUF_SUCCESS;
}

static enuf_status step_enuf_ewald_compute(void)
{
    return enuf_ewald_compute(ewald, positions, 3, EVERYTHING, &result);
}

static enuf_status step_enuf_ewald_differentiate(void)
{
    const enuf_ewald_direction direction = {
        .struct_size = sizeof direction, .positions = positions, .charges = charges, .cell = cell};
    enuf_ewald_slopes slopes = {
        .struct_size = sizeof slopes, .forces = forces, .potential = potential};
    return enuf_ewald_differentiate(
        ewald, positions, 3, &direction,
        ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL, &slopes);
}

static enuf_status step_enuf_ewald_hold(void)
{
    return enuf_ewald_hold(ewald, positions, 3);
}

static enuf_status step_enuf_ewald_apply(void)
{
    static double vectors[3 * N], potentials[3 * N];
    for (int k = 0; k < 3 * N; k++) vectors[k] = charges[k % N];
    return enuf_ewald_apply(ewald, 3, vectors, potentials);
}

static enuf_status step_enuf_ewald_real(void)
{
    return enuf_ewald_real(ewald, positions, 3, EVERYTHING, &result);
}

static enuf_status step_enuf_ewald_reciprocal(void)
{
    return enuf_ewald_reciprocal(ewald, positions, 3, EVERYTHING, &result);
}

/* begin and finish: a second begin without finish would be refused in the next round. */
static enuf_status step_enuf_ewald_begin(void)
{
    ENUF_TRY(enuf_ewald_begin(ewald, positions, 3, EVERYTHING, &result));
    return enuf_ewald_finish(ewald);
}

static enuf_status step_enuf_ewald_finish(void)
{
    return step_enuf_ewald_begin();
}

static enuf_status step_enuf_ewald_check(void)
{
    return enuf_ewald_check(ewald);
}

static enuf_status step_enuf_ewald_begin_reciprocal(void)
{
    ENUF_TRY(enuf_ewald_begin_reciprocal(ewald, positions, 3, EVERYTHING, &result));
    return enuf_ewald_finish(ewald);
}

/* ---- Arrays of floats ---- */

static float positions_f32[3 * N], charges_f32[N];
static float results_f32[14 * N];
static enuf_ewald_result_f32 result_f32 = {.struct_size = sizeof result_f32,
                                           .forces = results_f32,
                                           .atom_energy = results_f32 + 3 * N,
                                           .atom_virial = results_f32 + 4 * N,
                                           .potential = results_f32 + 10 * N,
                                           .field = results_f32 + 11 * N};

static enuf_status step_enuf_ewald_set_charges_f32(void)
{
    return enuf_ewald_set_charges_f32(ewald, N, charges_f32, &exclusions);
}

static enuf_status step_enuf_ewald_compute_f32(void)
{
    return enuf_ewald_compute_f32(ewald, positions_f32, 3, EVERYTHING, &result_f32);
}

static enuf_status step_enuf_ewald_real_f32(void)
{
    return enuf_ewald_real_f32(ewald, positions_f32, 3, EVERYTHING, &result_f32);
}

static enuf_status step_enuf_ewald_reciprocal_f32(void)
{
    return enuf_ewald_reciprocal_f32(ewald, positions_f32, 3, EVERYTHING, &result_f32);
}

static enuf_status step_enuf_ewald_begin_f32(void)
{
    ENUF_TRY(enuf_ewald_begin_f32(ewald, positions_f32, 3, EVERYTHING, &result_f32));
    return enuf_ewald_finish(ewald);
}

static enuf_status step_enuf_ewald_begin_reciprocal_f32(void)
{
    ENUF_TRY(enuf_ewald_begin_reciprocal_f32(ewald, positions_f32, 3, EVERYTHING, &result_f32));
    return enuf_ewald_finish(ewald);
}

/* On a machine with a GPU the driver allocates its page tables; enuf allocates nothing. */
static enuf_status step_enuf_ewald_lock_pages(void)
{
    ENUF_TRY(enuf_ewald_lock_pages(ewald, result.forces, (int64_t)sizeof(double)));
    return enuf_ewald_unlock_pages(ewald, result.forces);
}

static enuf_status step_enuf_ewald_unlock_pages(void)
{
    return step_enuf_ewald_lock_pages();
}

static enuf_status step_enuf_ewald_measure_error(void)
{
    enuf_ewald_error error = {.struct_size = sizeof error};
    return enuf_ewald_measure_error(ewald, positions, 3, 5, 1, &error);
}

static enuf_status step_enuf_ewald_get_report(void)
{
    enuf_ewald_report report = {.struct_size = sizeof report};
    return enuf_ewald_get_report(ewald, &report);
}

static enuf_status step_enuf_ewald_destroy(void)
{
    enuf_ewald_destroy(&ewald);
    return ewald ? ENUF_INTERNAL : ENUF_SUCCESS;
}

static enuf_status step_enuf_ewald_calibrate_machine(void)
{
    return enuf_ewald_calibrate_machine(&options, "never_written");
}

static enuf_status step_enuf_pair_functions_make(void)
{
    static enuf_pair_functions functions = {.struct_size = sizeof functions};
    return enuf_pair_functions_make(ENUF_SPLIT_PROLATE, 12, 2, 0, &functions);
}

static enuf_status step_enuf_exact_options_init(void)
{
    enuf_exact_options defaults;
    enuf_exact_options_init(&defaults);
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_exact_ewald(void)
{
    static const int64_t targets[2] = {3, 7};
    enuf_exact_options exact;
    enuf_exact_result out = {.forces = forces, .potential = potential};
    enuf_exact_options_init(&exact);
    exact.threads = 2;
    return enuf_exact_ewald(&exact, cell, N, positions, 3, charges, &exclusions, 2, targets, &out);
}

/* ---- Batches: the ions as two systems ---- */

static const int64_t offsets[3] = {0, N / 4, N};
static const double cells[18] = {EDGE, 0, 0, 0.5, EDGE, 0, 0, 0, EDGE,
                                 EDGE, 0, 0, 0.5, EDGE, 0, 0, 0, EDGE};
static enuf_ewald_batch *batch;

static enuf_status step_enuf_ewald_batch_options_init(void)
{
    enuf_ewald_batch_options defaults;
    enuf_ewald_batch_options_init(&defaults);
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_ewald_batch_create(void)
{
    enuf_ewald_batch_options of_batch;
    enuf_ewald_batch_options_init(&of_batch);
    of_batch.threads = 2;
    return enuf_ewald_batch_create(&of_batch, &batch);
}

static enuf_status step_enuf_ewald_batch_set_systems(void)
{
    return enuf_ewald_batch_set_systems(batch, 2, offsets, cells);
}

static enuf_status step_enuf_ewald_batch_set_cells(void)
{
    return enuf_ewald_batch_set_cells(batch, cells);
}

static enuf_status step_enuf_ewald_batch_compute(void)
{
    return enuf_ewald_batch_compute(batch, positions, 3, charges, NULL, forces, potential, NULL);
}

static enuf_status step_enuf_ewald_batch_check(void)
{
    return enuf_ewald_batch_check(batch, NULL);
}

static enuf_status step_enuf_ewald_batch_destroy(void)
{
    enuf_ewald_batch_destroy(&batch);
    return batch ? ENUF_INTERNAL : ENUF_SUCCESS;
}

static enuf_status step_enuf_split_name(void)
{
    return enuf_split_name(ENUF_SPLIT_PROLATE) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_split_parse(void)
{
    enuf_split split;
    return enuf_split_parse("gaussian", &split);
}

static enuf_status step_enuf_arithmetic_name(void)
{
    return enuf_arithmetic_name(ENUF_ARITHMETIC_MIXED) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_arithmetic_parse(void)
{
    enuf_arithmetic arithmetic;
    return enuf_arithmetic_parse("mixed", &arithmetic);
}

/* A new object. It has computed nothing yet, so the function of the next step makes all allocations
 * that it needs. */
#define FRESH_OBJECT_TO_CHOOSE                                                                     \
    WALK(enuf_ewald_destroy, NEVER_ALLOCATES),                                                     \
        {"enuf_ewald_create", create_to_choose, NULL, ALLOCATES},                                  \
        WALK(enuf_ewald_set_cell, NEVER_ALLOCATES), WALK(enuf_ewald_set_charges, ALLOCATES)
#define FRESH_OBJECT                                                                               \
    WALK(enuf_ewald_destroy, NEVER_ALLOCATES), WALK(enuf_ewald_create, ALLOCATES),                 \
        WALK(enuf_ewald_set_cell, NEVER_ALLOCATES), WALK(enuf_ewald_set_charges, ALLOCATES)

static const walk_step steps[] = {
    WALK(enuf_ewald_options_init, NEVER_ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_compute, ALLOCATES),
    WALK(enuf_ewald_check, NEVER_ALLOCATES),
    WALK(enuf_ewald_get_report, NEVER_ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_differentiate, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_hold, ALLOCATES),
    WALK(enuf_ewald_apply, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_real, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_reciprocal, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_begin, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_finish, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_begin_reciprocal, ALLOCATES),
    WALK(enuf_ewald_lock_pages, NEVER_ALLOCATES),
    WALK(enuf_ewald_unlock_pages, NEVER_ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_set_charges_f32, ALLOCATES),
    WALK(enuf_ewald_compute_f32, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_real_f32, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_reciprocal_f32, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_begin_f32, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_begin_reciprocal_f32, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_measure_error, ALLOCATES),
    FRESH_OBJECT_TO_CHOOSE,
    WALK(enuf_ewald_tune, ALLOCATES),
    FRESH_OBJECT_TO_CHOOSE,
    WALK(enuf_ewald_tuning_request_init, NEVER_ALLOCATES),
    WALK(enuf_ewald_tune_with, ALLOCATES),
    WALK(enuf_ewald_tuning_count, NEVER_ALLOCATES),
    WALK(enuf_ewald_tuning_from_wisdom, NEVER_ALLOCATES),
    WALK(enuf_ewald_tuning_get, NEVER_ALLOCATES),
    WALK(enuf_ewald_tuning_destroy, NEVER_ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_verify, ALLOCATES),
    FRESH_OBJECT,
    WALK(enuf_ewald_measure_tail, ALLOCATES),
    FRESH_OBJECT_TO_CHOOSE,
    WALK(enuf_ewald_list_candidates, ALLOCATES),
    WALK(enuf_ewald_destroy, NEVER_ALLOCATES),
    WALK(enuf_ewald_calibrate_machine, TAKES_LONG),
    WALK(enuf_pair_functions_make, NEVER_ALLOCATES),
    WALK(enuf_exact_options_init, NEVER_ALLOCATES),
    WALK(enuf_exact_ewald, ALLOCATES),
    WALK(enuf_ewald_batch_options_init, NEVER_ALLOCATES),
    WALK(enuf_ewald_batch_create, ALLOCATES),
    WALK(enuf_ewald_batch_set_systems, ALLOCATES),
    WALK(enuf_ewald_batch_set_cells, ALLOCATES),
    WALK(enuf_ewald_batch_compute, NEVER_ALLOCATES),
    WALK(enuf_ewald_batch_check, NEVER_ALLOCATES),
    WALK(enuf_ewald_batch_destroy, NEVER_ALLOCATES),
    WALK(enuf_split_name, NEVER_ALLOCATES),
    WALK(enuf_split_parse, NEVER_ALLOCATES),
    WALK(enuf_arithmetic_name, NEVER_ALLOCATES),
    WALK(enuf_arithmetic_parse, NEVER_ALLOCATES),
};

enum { N_STEPS = sizeof steps / sizeof *steps };

static void walk_configuration(int deterministic, int *counts)
{
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-4;
    options.split = deterministic ? ENUF_SPLIT_GAUSSIAN : ENUF_SPLIT_PROLATE;
    options.arithmetic = deterministic ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
    options.deterministic = deterministic;
    options.threads = 2;
    options_to_choose = options;
    options.cutoff = 1.9;
    options.kmax = 3;
    options.window = ENUF_WINDOW_ES;
    options.width = 7;
    options.shape = 15;
    for (int d = 0; d < 3; ++d) options.grid[d] = 16;
    if (deterministic)
        options.alpha = 1.5;
    else
        options.c = 5;
    walk_all(steps, N_STEPS, counts);
}

int main(int argc, char **argv)
{
    int counts[N_STEPS] = {0};
    if (walk_list(argc, argv, steps, N_STEPS)) return CHECK_PASSED;
    for (int i = 0; i < N; ++i) {
        const int corner[3] = {i % EDGE, i / EDGE % EDGE, i / (EDGE * EDGE)};
        for (int d = 0; d < 3; ++d) {
            positions[3 * i + d] = corner[d] + (7919 * (3 * i + d) % 1000) * 3e-4;
            positions_f32[3 * i + d] = (float)positions[3 * i + d];
        }
        charges[i] = i % 2 ? -1 : 1;
        charges_f32[i] = (float)charges[i];
    }
    for (int deterministic = 0; deterministic < 2; ++deterministic)
        walk_configuration(deterministic, counts);
    walk_check(steps, N_STEPS, counts);
    FILE *written = fopen("never_written", "r");
    CHECK(written == NULL);
    if (written) fclose(written);
    return check_result();
}
