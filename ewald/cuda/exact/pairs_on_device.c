/*
 * pairs_on_device.c - pairs of exact sums: copies bins, atoms and targets to the GPU, sums there,
 * and adds the parts of a target on the host. SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_cuda.h"
#include "exact_device.h"
#include "exact_pairs.h"
#include "memory.h"

#include <string.h>

static const char what[] = "pairs of exact sums";

/* Warps that keep the GPU busy: a target is divided if targets are few. A fixed number, because the
 * order of sums depends on it. */
enum { BUSY = 16384, MOST_PARTS = 32 };

/* Arrays on the host and their copies on the device; all but FOUND are copied there. */
enum { START, HIGH, LOW, CHARGES, TARGET, TARGET_LOW, HOME, OWN, CLASH, FOUND, ARRAYS };

typedef struct staged_array {
    void *here;
    enuf_device_array there;
    int64_t count;
    size_t size;
} staged_array;

typedef struct pair_job {
    const enuf_exact_system *system;
    const enuf_exact_bins *bins;
    int64_t n_bins;
    int64_t *order; /* [targets] in the order of their bins */
    int64_t *place; /* [n] of an atom among those of the bins; -1: no charge */
    staged_array arrays[ARRAYS];
    enuf_exact_device device;
    enuf_exact_pair_arguments a;
} pair_job;

static void release(pair_job *job)
{
    enuf_release(&job->order);
    enuf_release(&job->place);
    for (int k = 0; k < ARRAYS; k++) {
        enuf_release(&job->arrays[k].here);
        enuf_device_array_release(&job->device.memory, &job->arrays[k].there);
    }
    enuf_exact_device_close(&job->device);
}

/* The kernel counts atoms and bins in int. */
static enuf_status check_counts(const pair_job *job)
{
    const enuf_exact_bins *bins = job->bins;
    int64_t most = bins->n_charged > job->n_bins ? bins->n_charged : job->n_bins;
    if (job->system->n_targets > most) most = job->system->n_targets;
    for (int d = 0; d < 3; d++) {
        const int64_t farthest = bins->count[d] + 2 * bins->reach[d];
        if (farthest > most) most = farthest;
    }
    if (most < INT_MAX / 2) return ENUF_SUCCESS;
    return enuf_fail(
        ENUF_UNSUPPORTED,
        "exact sums on the GPU of %lld charges at %lld targets, with a cutoff of %lld, "
        "%lld and %lld bins: each has to be less than 2^30; use the cpu backend",
        (long long)bins->n_charged, (long long)job->system->n_targets, (long long)bins->reach[0],
        (long long)bins->reach[1], (long long)bins->reach[2]);
}

static int parts_of_target(int64_t n_targets)
{
    const int64_t parts = BUSY / n_targets;
    return parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : (int)parts;
}

static enuf_status allocate(pair_job *job)
{
    const int64_t atoms = job->bins->n_charged, targets = job->system->n_targets;
    const int parts = parts_of_target(targets);
    const struct {
        int64_t count;
        size_t size;
    } of[ARRAYS] = {
        [START] = {job->n_bins + 1, sizeof(int)},
        [HIGH] = {3 * atoms, sizeof(double)},
        [LOW] = {3 * atoms, sizeof(double)},
        [CHARGES] = {atoms, sizeof(double)},
        [TARGET] = {3 * targets, sizeof(double)},
        [TARGET_LOW] = {3 * targets, sizeof(double)},
        [HOME] = {3 * targets, sizeof(int)},
        [OWN] = {targets, sizeof(int)},
        [CLASH] = {targets, sizeof(int)},
        [FOUND] = {parts * targets * ENUF_EXACT_TERMS, sizeof(double)},
    };
    job->a.n_targets = (int)targets;
    job->a.parts = parts;
    ENUF_TRY(enuf_allocate(&job->order, targets, sizeof *job->order, what));
    ENUF_TRY(enuf_allocate(&job->place, job->system->n, sizeof *job->place, what));
    for (int k = 0; k < ARRAYS; k++) {
        job->arrays[k].count = of[k].count;
        job->arrays[k].size = of[k].size;
        ENUF_TRY(enuf_allocate(&job->arrays[k].here, of[k].count, of[k].size, what));
    }
    return ENUF_SUCCESS;
}

static double low_digits(long double x)
{
    return (double)(x - (double)x);
}

static void fill_atoms(pair_job *job)
{
    const enuf_exact_system *system = job->system;
    const int64_t n = job->bins->n_charged;
    double *charges = job->arrays[CHARGES].here;
    double *high = job->arrays[HIGH].here, *low = job->arrays[LOW].here;
    int *start = job->arrays[START].here;
    for (int64_t i = 0; i < system->n; i++) job->place[i] = -1;
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = job->bins->atoms[k];
        job->place[i] = k;
        charges[k] = system->charges[i];
        for (int d = 0; d < 3; d++) {
            high[d * n + k] = (double)system->folded[3 * i + d];
            low[d * n + k] = low_digits(system->folded[3 * i + d]);
        }
    }
    for (int64_t b = 0; b <= job->n_bins; b++) start[b] = (int)job->bins->start[b];
}

/* Charged targets in the order of their bins, then those without charge. Each atom is at most one
 * target. */
static enuf_status sort_targets(pair_job *job)
{
    const enuf_exact_system *system = job->system;
    const int64_t n = job->bins->n_charged;
    int64_t *target_at = NULL, next = 0;
    ENUF_TRY(enuf_allocate(&target_at, n, sizeof *target_at, what));
    for (int64_t k = 0; k < n; k++) target_at[k] = -1;
    for (int64_t t = 0; t < system->n_targets; t++)
        if (job->place[system->targets[t]] >= 0) target_at[job->place[system->targets[t]]] = t;
    for (int64_t k = 0; k < n; k++)
        if (target_at[k] >= 0) job->order[next++] = target_at[k];
    for (int64_t t = 0; t < system->n_targets; t++)
        if (job->place[system->targets[t]] < 0) job->order[next++] = t;
    enuf_release(&target_at);
    return ENUF_SUCCESS;
}

static void fill_targets(pair_job *job)
{
    const enuf_exact_system *system = job->system;
    double *target = job->arrays[TARGET].here, *target_low = job->arrays[TARGET_LOW].here;
    int *home = job->arrays[HOME].here, *own = job->arrays[OWN].here;
    int *clash = job->arrays[CLASH].here;
    for (int64_t k = 0; k < system->n_targets; k++) {
        const int64_t i = system->targets[job->order[k]];
        own[k] = (int)job->place[i];
        clash[k] = ENUF_EXACT_NO_CLASH;
        for (int d = 0; d < 3; d++) {
            home[3 * k + d] = (int)enuf_exact_bin_along(job->bins, system->fractions + 3 * i, d);
            target[3 * k + d] = (double)system->folded[3 * i + d];
            target_low[3 * k + d] = low_digits(system->folded[3 * i + d]);
        }
    }
}

static enuf_status upload(pair_job *job)
{
    for (int k = 0; k < FOUND; k++) {
        staged_array *array = &job->arrays[k];
        ENUF_TRY(enuf_exact_upload(&job->device, &array->there, array->here, array->count,
                                   array->size, what));
    }
    const staged_array *found = &job->arrays[FOUND];
    return enuf_device_array_reserve(&job->device.memory, &job->arrays[FOUND].there, found->count,
                                     found->size, what);
}

static enuf_status download(pair_job *job, int k)
{
    staged_array *array = &job->arrays[k];
    return enuf_exact_download(&job->device, &array->there, array->here,
                               (size_t)array->count * array->size, what);
}

static void fill_arguments(pair_job *job)
{
    const enuf_exact_system *system = job->system;
    const int64_t n = job->bins->n_charged;
    const staged_array *arrays = job->arrays;
    enuf_exact_pair_arguments *a = &job->a;
    a->alpha = system->alpha;
    a->cutoff2 = system->cutoff * system->cutoff;
    for (int c = 0; c < 9; c++) {
        a->cell[c] = (double)system->cell[c];
        a->cell_low[c] = low_digits(system->cell[c]);
    }
    for (int d = 0; d < 3; d++) {
        a->count[d] = (int)job->bins->count[d];
        a->reach[d] = (int)job->bins->reach[d];
        a->at[d] = (const double *)arrays[HIGH].there.at + d * n;
        a->at_low[d] = (const double *)arrays[LOW].there.at + d * n;
    }
    a->start = arrays[START].there.at;
    a->charges = arrays[CHARGES].there.at;
    a->target = arrays[TARGET].there.at;
    a->target_low = arrays[TARGET_LOW].there.at;
    a->home = arrays[HOME].there.at;
    a->own = arrays[OWN].there.at;
    a->found = arrays[FOUND].there.at;
    a->clash = arrays[CLASH].there.at;
}

static void add_parts(const pair_job *job, enuf_exact_target *found, int64_t clash[2])
{
    const int64_t n = job->system->n_targets;
    const int *atom = job->arrays[CLASH].here;
    clash[0] = clash[1] = -1;
    for (int64_t k = 0; k < n; k++) {
        const int64_t t = job->order[k];
        memset(&found[t], 0, sizeof found[t]);
        for (int part = 0; part < job->a.parts; part++) {
            const double *sum = job->arrays[FOUND].here;
            sum += (part * n + k) * ENUF_EXACT_TERMS;
            for (int c = 0; c < ENUF_EXACT_TERMS; c++) found[t].sum[c] += sum[c];
        }
        if (atom[k] == ENUF_EXACT_NO_CLASH || (clash[0] >= 0 && clash[0] < t)) continue;
        clash[0] = t;
        clash[1] = job->bins->atoms[atom[k]];
    }
}

static enuf_status sum(pair_job *job)
{
    ENUF_TRY(check_counts(job));
    ENUF_TRY(allocate(job));
    fill_atoms(job);
    ENUF_TRY(sort_targets(job));
    fill_targets(job);
    ENUF_TRY(enuf_exact_device_open(job->system->device, &job->device));
    ENUF_TRY(upload(job));
    fill_arguments(job);
    ENUF_TRY(enuf_exact_pairs_launch(&job->a, job->device.stream));
    ENUF_TRY(download(job, CLASH));
    return download(job, FOUND);
}

enuf_status enuf_exact_pairs_cuda(const enuf_exact_system *system, const enuf_exact_bins *bins,
                                  enuf_exact_target *found, int64_t clash[2])
{
    pair_job job = {
        .system = system, .bins = bins, .n_bins = bins->count[0] * bins->count[1] * bins->count[2]};
    const enuf_status status = sum(&job);
    if (status == ENUF_SUCCESS) add_parts(&job, found, clash);
    release(&job);
    return status;
}
