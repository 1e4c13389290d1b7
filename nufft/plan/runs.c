/* runs.c - points of a plan given as runs. SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"
#include "wall_clock.h"

#include <math.h>
#include <string.h>

static const char function[] = "enuf_nufft_set_runs";

/* The caller's arrays. */
typedef struct given_runs {
    int64_t count;
    const int64_t *lengths;
    const double *start, *step;
} given_runs;

/* Copies of them on the host. */
typedef struct read_runs {
    void *block;
    int64_t bytes;
    int64_t *first;
    double *start, *step; /* [vectors][count][dim] */
} read_runs;

static enuf_status check_arguments(const enuf_nufft *plan, const given_runs *given)
{
    const long long count = given->count;
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan is NULL", function);
    if (plan->type3)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "%s: a plan of type 3 has no runs: use enuf_nufft_set_points()", function);
    if (count < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %lld runs: use 0 or more", function, count);
    /* the copies have an entry more, and fewer than 8 numbers of 8 bytes a run */
    if (!enuf_fits_in_memory(count, 8, sizeof(double) * (size_t)(1 + plan->n_others)))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %lld runs: no memory is so large", function,
                         count);
    const char *missing = !given->lengths ? "lengths"
                          : !given->start ? "start"
                          : !given->step  ? "step"
                                          : NULL;
    if (missing && count > 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is NULL", function, missing);
    return ENUF_SUCCESS;
}

/* An array of the caller's to the host. */
static enuf_status read_array(enuf_nufft *plan, const char *name, const void *array, int64_t bytes,
                              void *to)
{
    if (bytes == 0) return ENUF_SUCCESS;
    if (plan->backend->read_runs) return plan->backend->read_runs(plan, name, array, bytes, to);
    memcpy(to, array, (size_t)bytes);
    return ENUF_SUCCESS;
}

/* Lengths, in first[1 ...], become places: first[r] is the first point of run r. */
static enuf_status add_lengths(const enuf_nufft *plan, int64_t count, int64_t *first)
{
    const size_t size = enuf_number_size(plan) * (size_t)(1 + plan->n_others);
    first[0] = 0;
    for (int64_t r = 0; r < count; r++) {
        const int64_t length = first[r + 1];
        if (length < 0)
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s: lengths[%lld] is %lld: use 0 or more",
                             function, (long long)r, (long long)length);
        if (length > INT64_MAX - first[r] ||
            !enuf_fits_in_memory(first[r] + length, plan->options.dim, size))
            return enuf_fail(
                ENUF_BAD_ARGUMENT,
                "%s: lengths[0] ... lengths[%lld] sum to more points than any memory holds",
                function, (long long)r);
        first[r + 1] += first[r];
    }
    return ENUF_SUCCESS;
}

/* Numbers [vectors][count][dim] of runs that have points. */
static enuf_status check_numbers(const enuf_nufft *plan, const char *name, int64_t count,
                                 const int64_t *first, const double *numbers)
{
    const int dim = plan->options.dim;
    for (int64_t k = 0; k < (1 + plan->n_others) * count; k++)
        for (int d = 0; d < dim; d++) {
            const int64_t r = k % count;
            if (isfinite(numbers[k * dim + d]) || first[r] == first[r + 1]) continue;
            const enuf_status status =
                enuf_fail(ENUF_NOT_FINITE, "%s: %s of run %lld along %c is %g", function, name,
                          (long long)r, "xyz"[d], numbers[k * dim + d]);
            return plan->n_others ? enuf_fail_of_vector(status, (int)(k / count)) : status;
        }
    return ENUF_SUCCESS;
}

/* Counts bytes as the plan's, if its limit allows. */
static enuf_status hold(enuf_nufft *plan, int64_t bytes, const char *what)
{
    const double limit = (double)plan->options.memory_limit,
                 all = (double)enuf_nufft_bytes(plan) + (double)bytes;
    if (limit > 0 && all > limit)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "%s: with %s the plan takes %.3g GB, memory_limit is %.3g GB", function,
                         what, all / 1e9, limit / 1e9);
    plan->more_bytes += bytes;
    return ENUF_SUCCESS;
}

static enuf_status read_here(enuf_nufft *plan, const given_runs *given, const read_runs *read)
{
    const int64_t numbers =
        given->count * plan->options.dim * (1 + plan->n_others) * (int64_t)sizeof(double);
    ENUF_TRY(read_array(plan, "lengths", given->lengths, given->count * (int64_t)sizeof(int64_t),
                        read->first + 1));
    ENUF_TRY(add_lengths(plan, given->count, read->first));
    ENUF_TRY(read_array(plan, "start", given->start, numbers, read->start));
    ENUF_TRY(read_array(plan, "step", given->step, numbers, read->step));
    ENUF_TRY(check_numbers(plan, "start", given->count, read->first, read->start));
    return check_numbers(plan, "step", given->count, read->first, read->step);
}

static enuf_status make_copies(enuf_nufft *plan, int64_t count, read_runs *read)
{
    const int64_t numbers = count * plan->options.dim * (1 + plan->n_others),
                  words = count + 1 + 2 * numbers;
    ENUF_TRY(hold(plan, words * (int64_t)sizeof(double), "copies of the runs"));
    read->bytes = words * (int64_t)sizeof(double);
    ENUF_TRY(enuf_allocate(&read->block, words, sizeof(double), "copies of the runs"));
    read->first = read->block;
    read->start = (double *)read->block + count + 1;
    read->step = read->start + numbers;
    return ENUF_SUCCESS;
}

static enuf_coordinates coordinates_at(const enuf_nufft *plan, int64_t n, void *numbers)
{
    enuf_coordinates c = {.n = n, .stride = 1, .precision = plan->options.precision};
    for (int d = 0; numbers && d < plan->options.dim; d++)
        c.axis[d] = (char *)numbers + (size_t)(d * n) * enuf_number_size(plan);
    return c;
}

/* By way of coordinates on the host, which kernels of the CPU fill. */
static enuf_status set_on_host(enuf_nufft *plan, const enuf_runs *runs)
{
    const int64_t count = runs->n * plan->options.dim;
    const int64_t bytes = count * (int64_t)enuf_number_size(plan);
    const enuf_nufft_backend *cpu = plan->backend;
    void *numbers = NULL;
    if (cpu->kind != ENUF_BACKEND_CPU)
        ENUF_TRY(enuf_nufft_backend_find(ENUF_BACKEND_CPU, plan->options.isa, &cpu));
    ENUF_TRY(hold(plan, bytes, "the coordinates of its runs"));
    enuf_status status =
        enuf_allocate(&numbers, count, enuf_number_size(plan), "coordinates of runs");
    const double start = enuf_seconds();
    if (status == ENUF_SUCCESS) status = cpu->fill_runs(plan, runs, numbers);
    if (status == ENUF_SUCCESS) {
        plan->seconds[ENUF_STAGE_SORT] += enuf_seconds() - start;
        const enuf_coordinates coordinates = coordinates_at(plan, runs->n, numbers);
        status = enuf_plan_set_points(plan, &coordinates);
    }
    enuf_release(&numbers);
    plan->more_bytes -= bytes;
    return status;
}

/* Device memory: room for the coordinates of n points. The former one, if there is one, may be read
 * by points that are set. */
static enuf_status make_room(enuf_nufft *plan, int64_t n, enuf_run_room *former)
{
    enuf_run_room *room = &plan->run_room;
    if (plan->point_storage != ENUF_POINTS_INDEXED) {
        plan->backend->type3->release(plan, &room->numbers);
        room->room = 0;
    }
    *former = *room;
    const enuf_status status = plan->backend->type3->allocate(
        plan, &room->numbers, n * plan->options.dim, enuf_number_size(plan), "coordinates of runs");
    if (status == ENUF_SUCCESS)
        room->room = n;
    else
        room->numbers = former->numbers;
    return status;
}

/* Keeps the new room, or after an error the former one, and frees the other. */
static void settle_room(enuf_nufft *plan, enuf_run_room *former, int keep)
{
    enuf_run_room *room = &plan->run_room;
    void *other = keep ? former->numbers : room->numbers;
    if (!keep) {
        room->numbers = former->numbers;
        room->room = former->room;
    }
    plan->backend->type3->release(plan, &other);
}

/* Device memory: by way of coordinates there. */
static enuf_status set_on_device(enuf_nufft *plan, const enuf_runs *runs)
{
    const int grows = runs->n > plan->run_room.room;
    enuf_run_room former = {0};
    if (grows) ENUF_TRY(make_room(plan, runs->n, &former));
    void *numbers = plan->run_room.numbers;
    const enuf_coordinates coordinates = coordinates_at(plan, runs->n, numbers);
    enuf_status status = plan->backend->fill_runs(plan, runs, numbers);
    if (status == ENUF_SUCCESS) status = enuf_plan_set_points(plan, &coordinates);
    if (grows)
        settle_room(plan, &former, status == ENUF_SUCCESS);
    else if (status != ENUF_SUCCESS && plan->point_storage == ENUF_POINTS_INDEXED)
        enuf_nufft_void_points(plan); /* their coordinates are overwritten */
    return status;
}

static enuf_status set_runs(enuf_nufft *plan, const enuf_runs *runs)
{
    if (plan->options.memory == ENUF_DEVICE) return set_on_device(plan, runs);
    /* level GRAM keeps a copy on the host */
    if (plan->backend->kind == ENUF_BACKEND_CPU || plan->options.level == ENUF_LEVEL_GRAM)
        return set_on_host(plan, runs);
    enuf_coordinates coordinates = coordinates_at(plan, runs->n, NULL);
    coordinates.runs = runs; /* the backend fills room of its own */
    return enuf_plan_set_points(plan, &coordinates);
}

/* The points of all vectors. After an error in one of several there are none. */
static enuf_status set_vectors(enuf_nufft *plan, const enuf_runs *all)
{
    enuf_runs runs = *all;
    for (int b = 0; b <= plan->n_others; b++) {
        const enuf_status status = set_runs(enuf_vector(plan, b), &runs);
        runs.start += runs.count * plan->options.dim;
        runs.step += runs.count * plan->options.dim;
        if (status == ENUF_SUCCESS) continue;
        if (plan->n_others == 0) return status;
        for (int k = 0; k <= plan->n_others; k++) enuf_nufft_void_points(enuf_vector(plan, k));
        return enuf_fail_of_vector(status, b);
    }
    return ENUF_SUCCESS;
}

/* By way of copies on the host. Of runs in device memory they tell what is wrong. */
static enuf_status set_copies(enuf_nufft *plan, const given_runs *given)
{
    read_runs read = {0};
    enuf_status status = make_copies(plan, given->count, &read);
    if (status == ENUF_SUCCESS) status = read_here(plan, given, &read);
    if (status == ENUF_SUCCESS && plan->options.memory == ENUF_DEVICE)
        status = enuf_fail(ENUF_OUT_OF_MEMORY, "%s: a run has more samples than any GPU holds",
                           function);
    if (status == ENUF_SUCCESS) {
        const enuf_runs runs = {given->count, read.first[given->count], read.first, read.start,
                                read.step};
        status = set_vectors(plan, &runs);
    }
    enuf_release(&read.block);
    plan->more_bytes -= read.bytes;
    return status;
}

/* Device memory: the arrays stay there. */
static enuf_status set_given(enuf_nufft *plan, const given_runs *given)
{
    enuf_runs runs = {.count = given->count, .start = given->start, .step = given->step};
    ENUF_TRY(plan->backend->count_runs(plan, given->lengths, &runs));
    const size_t size = enuf_number_size(plan) * (size_t)(1 + plan->n_others);
    if (runs.n < 0 || !enuf_fits_in_memory(runs.n, plan->options.dim, size))
        return set_copies(plan, given);
    ENUF_TRY(set_vectors(plan, &runs));
    plan->run_room.runs = runs.count;
    plan->run_room.points = runs.n;
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_set_runs(enuf_nufft *plan, int64_t runs, const int64_t *lengths,
                                const double *start, const double *step)
{
    const given_runs given = {runs, lengths, start, step};
    ENUF_TRY(check_arguments(plan, &given));
    return plan->options.memory == ENUF_DEVICE ? set_given(plan, &given) : set_copies(plan, &given);
}
