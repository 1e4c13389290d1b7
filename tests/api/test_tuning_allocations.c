/*
 * test_tuning_allocations.c - every function of nufft_tuning.h returns ENUF_OUT_OF_MEMORY when one
 * of its allocations fails, and works afterwards. The library leaves out a candidate whose plan
 * finds no memory: here times come from a table, and the level is fixed. Where any level may be
 * chosen, level gram is left out. See allocation_walk.h. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp */
#endif
#include "allocation_walk.h"

#include "enuf/nufft_tuning.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enuf_nufft_options options;
static enuf_nufft *plan;
static enuf_nufft_method method = {.struct_size = sizeof method};
static enuf_wisdom *wisdom, *other;
static enuf_tuning_request request;
static enuf_tuning *tuning;
static char folder[] = "/tmp/enuf_tuning_XXXXXX", path[80];

static enuf_status look_up(void *context, const enuf_nufft_options *o, double *seconds,
                           int64_t *bytes)
{
    (void)context;
    *seconds = (double)o->width;
    *bytes = 1;
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_nufft_get_method(void)
{
    return enuf_nufft_get_method(plan, &method);
}

static enuf_status step_enuf_nufft_set_method(void)
{
    enuf_nufft_options o = options;
    return enuf_nufft_set_method(&o, &method);
}

static enuf_status step_enuf_nufft_aliasing(void)
{
    double amplitude;
    return enuf_nufft_aliasing(&options, &amplitude, NULL);
}

static enuf_status step_enuf_tuning_request_init(void)
{
    enuf_tuning_request_init(&request);
    request.effort = ENUF_TUNE_MEASURE;
    request.timer = look_up;
    request.gram = 3;
    request.wisdom = wisdom;
    return ENUF_SUCCESS;
}

static enuf_status step_enuf_tune_effort_name(void)
{
    return enuf_tune_effort_name(ENUF_TUNE_MEASURE) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_tune_effort_parse(void)
{
    enuf_tune_effort effort;
    return enuf_tune_effort_parse("measure", &effort);
}

static enuf_status step_enuf_candidate_state_text(void)
{
    return enuf_candidate_state_text(ENUF_CANDIDATE_CHOSEN) ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_wisdom_create(void)
{
    return enuf_wisdom_create(&wisdom);
}

static enuf_status step_enuf_nufft_tune(void)
{
    enuf_nufft_options o = options;
    o.level = ENUF_LEVEL_GRAM;
    request.any_level = 0;
    const enuf_status status = enuf_nufft_tune(&o, &request, 0, NULL, NULL, NULL, 1, &tuning);
    CHECK((status == ENUF_SUCCESS) == (o.width > 0) &&
          (status == ENUF_SUCCESS) == (tuning != NULL));
    return status;
}

/* At any level: each of the allocations fails, and a method is found or memory is short. */
static void tune_at_any_level(void)
{
    enum { MORE_THAN_THERE_ARE = 100 };
    int found = 0, short_of = 0;
    step_enuf_tuning_request_init();
    request.wisdom = NULL;
    CHECK(request.any_level);
    for (int n = 1; n <= MORE_THAN_THERE_ARE; n++) {
        enuf_nufft_options o = options;
        enuf_fail_allocation(n);
        const enuf_status status = enuf_nufft_tune(&o, &request, 0, NULL, NULL, NULL, 1, NULL);
        enuf_fail_allocation(0);
        CHECK((status == ENUF_SUCCESS) == (o.width > 0));
        CHECK(status == ENUF_SUCCESS || status == ENUF_OUT_OF_MEMORY);
        found += status == ENUF_SUCCESS;
        short_of += status == ENUF_OUT_OF_MEMORY;
    }
    CHECK(found > 0 && short_of > 0);
}

static enuf_status step_enuf_tuning_count(void)
{
    return enuf_tuning_count(tuning) > 0 ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_tuning_from_wisdom(void)
{
    return enuf_tuning_from_wisdom(tuning) == 0 ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_tuning_get(void)
{
    enuf_candidate candidate = {.struct_size = sizeof candidate};
    return enuf_tuning_get(tuning, 0, &candidate);
}

static enuf_status step_enuf_tuning_destroy(void)
{
    enuf_tuning_destroy(&tuning);
    return tuning ? ENUF_INTERNAL : ENUF_SUCCESS;
}

static enuf_status step_enuf_wisdom_count(void)
{
    return enuf_wisdom_count(wisdom) == 1 ? ENUF_SUCCESS : ENUF_INTERNAL;
}

static enuf_status step_enuf_wisdom_save(void)
{
    return enuf_wisdom_save(wisdom, path);
}

static enuf_status step_enuf_wisdom_load(void)
{
    return enuf_wisdom_load(other, path, NULL);
}

static enuf_status step_enuf_wisdom_merge(void)
{
    enuf_wisdom *empty = NULL;
    enuf_status status = enuf_wisdom_create(&empty);
    if (status == ENUF_SUCCESS) status = enuf_wisdom_merge(empty, wisdom);
    enuf_wisdom_destroy(&empty);
    return status;
}

static enuf_status step_enuf_wisdom_destroy(void)
{
    enuf_wisdom_destroy(&wisdom);
    return wisdom ? ENUF_INTERNAL : ENUF_SUCCESS;
}

/* In the order in which a program calls them. */
static const walk_step steps[] = {
    WALK(enuf_nufft_get_method, NEVER_ALLOCATES),
    WALK(enuf_nufft_set_method, NEVER_ALLOCATES),
    WALK(enuf_nufft_aliasing, MAY_ALLOCATE),
    WALK(enuf_tune_effort_name, NEVER_ALLOCATES),
    WALK(enuf_tune_effort_parse, NEVER_ALLOCATES),
    WALK(enuf_candidate_state_text, NEVER_ALLOCATES),
    WALK(enuf_wisdom_create, ALLOCATES),
    WALK(enuf_tuning_request_init, NEVER_ALLOCATES),
    WALK(enuf_nufft_tune, ALLOCATES),
    WALK(enuf_tuning_count, NEVER_ALLOCATES),
    WALK(enuf_tuning_from_wisdom, NEVER_ALLOCATES),
    WALK(enuf_tuning_get, NEVER_ALLOCATES),
    WALK(enuf_tuning_destroy, NEVER_ALLOCATES),
    WALK(enuf_wisdom_count, NEVER_ALLOCATES),
    WALK(enuf_wisdom_save, ALLOCATES),
    WALK(enuf_wisdom_load, ALLOCATES),
    WALK(enuf_wisdom_merge, ALLOCATES),
    WALK(enuf_wisdom_destroy, NEVER_ALLOCATES),
};

enum { N_STEPS = sizeof steps / sizeof *steps };

int main(int argc, char **argv)
{
    int counts[N_STEPS] = {0};
    if (walk_list(argc, argv, steps, N_STEPS)) return CHECK_PASSED;
    if (!CHECK(mkdtemp(folder) != NULL)) return check_result();
    snprintf(path, sizeof path, "%s/wisdom.json", folder);
    enuf_nufft_options_init(&options);
    options.modes[0] = 30;
    options.tolerance = 1e-4;
    options.threads = 1;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_create(&other), ENUF_SUCCESS);
    tune_at_any_level();
    walk_all(steps, N_STEPS, counts);
    walk_check(steps, N_STEPS, counts);
    enuf_wisdom_destroy(&other);
    enuf_nufft_destroy(&plan);
    remove(path);
    rmdir(folder);
    return check_result();
}
