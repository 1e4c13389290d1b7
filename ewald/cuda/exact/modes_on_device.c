/*
 * modes_on_device.c - exact sums over modes on the GPU: points go by in batches, whose phases fit
 * into a part of the memory. Sums have an order that depends on the problem only.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_cuda.h"
#include "exact_device.h"
#include "memory.h"
#include "mode_tiles.h"

#include <limits.h>
#include <string.h>

static const char what[] = "modes of exact sums";

/* Points of a batch are a multiple of POINTS, of MOST_CHUNKS chunks at most; a chunk is long enough
 * for sums to be few, and short enough for their rounding. */
enum { POINTS = 64, CHUNK = 4096, MOST_CHUNKS = 8 };

/* Bytes of the phases, and of the sums, of a batch. */
static const int64_t BUDGET = (int64_t)1 << 28;

/* On the device. */
enum { ROWS, TILES, JOBS, FRACTIONS, WEIGHTS, PHASES, SUMS, TOTAL, FACTORS, COEFFICIENTS, ARRAYS };

typedef struct mode_job {
    enuf_mode_tiles tiles;
    enuf_device_array arrays[ARRAYS];
    enuf_exact_device device;
    enuf_device_modes modes;
    enuf_device_phases phases;
    int chunk; /* points */
} mode_job;

static void release(mode_job *job)
{
    enuf_mode_tiles_release(&job->tiles);
    for (int k = 0; k < ARRAYS; k++)
        enuf_device_array_release(&job->device.memory, &job->arrays[k]);
    enuf_exact_device_close(&job->device);
}

static enuf_status reserve(mode_job *job, int array, int64_t count, size_t size)
{
    return enuf_device_array_reserve(&job->device.memory, &job->arrays[array], count, size, what);
}

static enuf_status upload(mode_job *job, int array, const void *from, int64_t count, size_t size)
{
    return enuf_exact_upload(&job->device, &job->arrays[array], from, count, size, what);
}

/* ---- Modes ---- */

static enuf_status upload_modes(mode_job *job)
{
    const enuf_mode_tiles *t = &job->tiles;
    ENUF_TRY(upload(job, ROWS, t->rows, t->n_tiles * ENUF_TILE_ROWS, sizeof *t->rows));
    ENUF_TRY(upload(job, TILES, t->tiles, t->n_tiles, sizeof *t->tiles));
    ENUF_TRY(upload(job, JOBS, t->jobs, t->n_jobs, sizeof *t->jobs));
    job->modes = (enuf_device_modes){.rows = job->arrays[ROWS].at,
                                     .tiles = job->arrays[TILES].at,
                                     .jobs = job->arrays[JOBS].at,
                                     .n_tiles = (int)t->n_tiles,
                                     .n_jobs = (int)t->n_jobs,
                                     .n_cells = t->n_cells};
    return ENUF_SUCCESS;
}

/* ---- Points ---- */

/* Points of a chunk and of a batch. */
static void divide(const enuf_mode_rows *modes, int64_t n, mode_job *job)
{
    int64_t phases = 0, points = (n + POINTS - 1) / POINTS * POINTS;
    for (int d = 0; d < 3; d++) {
        job->phases.largest[d] = (int)modes->largest[d];
        phases += modes->largest[d] + 1;
    }
    int64_t chunks = BUDGET / (job->tiles.n_cells * 2 * (int64_t)sizeof(double2));
    chunks = chunks < 1 ? 1 : chunks > MOST_CHUNKS ? MOST_CHUNKS : chunks;
    int64_t most = BUDGET / (phases * (int64_t)sizeof(double2)) / POINTS * POINTS;
    if (most > chunks * CHUNK) most = chunks * CHUNK;
    if (most < POINTS) most = POINTS;
    if (points > most) points = most;
    job->phases.points = (int)points;
    job->chunk = points < CHUNK ? (int)points : CHUNK;
}

static int chunks_of(const mode_job *job)
{
    return (job->phases.points + job->chunk - 1) / job->chunk;
}

static enuf_status reserve_phases(mode_job *job)
{
    int64_t first[4] = {0};
    for (int d = 0; d < 3; d++)
        first[d + 1] = first[d] + (job->phases.largest[d] + (int64_t)1) * job->phases.points;
    ENUF_TRY(reserve(job, PHASES, first[3], sizeof(double2)));
    for (int d = 0; d < 3; d++)
        job->phases.phase[d] = (const double2 *)job->arrays[PHASES].at + first[d];
    return ENUF_SUCCESS;
}

/* A fraction in units of 2^-64; rounding may have made it 1. */
static uint64_t in_64_bits(long double s)
{
    return s < 1 ? (uint64_t)(s * 0x1p64L) : 0;
}

/* Copies the fractions of atoms; atoms NULL: the first n. */
static enuf_status upload_fractions(mode_job *job, const enuf_exact_system *system, int64_t n,
                                    const int64_t *atoms)
{
    uint64_t *s = NULL;
    ENUF_TRY(enuf_allocate(&s, 3 * n, sizeof *s, what));
    for (int64_t k = 0; k < n; k++) {
        const long double *of = system->fractions + 3 * (atoms ? atoms[k] : k);
        for (int d = 0; d < 3; d++) s[3 * k + d] = in_64_bits(of[d]);
    }
    const enuf_status status = upload(job, FRACTIONS, s, 3 * n, sizeof *s);
    enuf_release(&s);
    return status;
}

/* Phases of points first ... first + n - 1; axis 2 times the weights (NULL: 1). */
static enuf_status fill_phases(mode_job *job, int64_t first, int n, const double *weights)
{
    const uint64_t *s = (const uint64_t *)job->arrays[FRACTIONS].at + 3 * first;
    for (int d = 0; d < 3; d++)
        ENUF_TRY(enuf_exact_phases_launch(s, d == 2 && weights ? weights + first : NULL, n, d,
                                          job->phases.largest[d], job->phases.points,
                                          (double2 *)job->phases.phase[d], job->device.stream));
    return ENUF_SUCCESS;
}

static int points_left(const mode_job *job, int64_t n, int64_t first)
{
    return n - first < job->phases.points ? (int)(n - first) : job->phases.points;
}

static enuf_status start(mode_job *job, const enuf_exact_system *system,
                         const enuf_mode_rows *modes, int64_t n)
{
    memset(job, 0, sizeof *job);
    ENUF_TRY(enuf_mode_tiles_make(modes, &job->tiles));
    divide(modes, n, job);
    ENUF_TRY(enuf_exact_device_open(system->device, &job->device));
    ENUF_TRY(upload_modes(job));
    return reserve_phases(job);
}

/* ---- Structure factors ---- */

static enuf_status add_structure(mode_job *job, const enuf_exact_system *system,
                                 const enuf_mode_rows *modes, double *factors)
{
    const cudaStream_t stream = job->device.stream;
    const int chunks = chunks_of(job);
    ENUF_TRY(upload_fractions(job, system, system->n, NULL));
    ENUF_TRY(upload(job, WEIGHTS, system->charges, system->n, sizeof *system->charges));
    ENUF_TRY(reserve(job, SUMS, chunks * job->modes.n_cells * 2, sizeof(double2)));
    ENUF_TRY(reserve(job, TOTAL, job->modes.n_cells * 2, sizeof(double2)));
    ENUF_TRY(reserve(job, FACTORS, modes->n_modes, sizeof(double2)));
    double2 *sums = job->arrays[SUMS].at, *total = job->arrays[TOTAL].at;
    for (int64_t first = 0; first < system->n; first += job->phases.points) {
        const int n = points_left(job, system->n, first);
        ENUF_TRY(fill_phases(job, first, n, job->arrays[WEIGHTS].at));
        ENUF_TRY(enuf_exact_structure_launch(&job->modes, &job->phases, job->chunk, sums, stream));
        ENUF_TRY(
            enuf_exact_add_chunks_launch(&job->modes, sums, chunks, first == 0, total, stream));
    }
    ENUF_TRY(enuf_exact_factors_launch(&job->modes, total, job->arrays[FACTORS].at, stream));
    return enuf_exact_download(&job->device, &job->arrays[FACTORS], factors,
                               (size_t)modes->n_modes * sizeof(double2), what);
}

enuf_status enuf_exact_structure_cuda(const enuf_exact_system *system, const enuf_mode_rows *modes,
                                      double *factors)
{
    mode_job job;
    memset(factors, 0, (size_t)modes->n_modes * 2 * sizeof *factors);
    if (modes->n_modes == 0 || system->n == 0) return ENUF_SUCCESS;
    enuf_status status = start(&job, system, modes, system->n);
    if (status == ENUF_SUCCESS) status = add_structure(&job, system, modes, factors);
    release(&job);
    return status;
}

/* ---- Sums at targets ---- */

static enuf_status gather(mode_job *job, const enuf_exact_system *system,
                          const enuf_mode_rows *modes, const double *factors, int64_t n,
                          const int64_t *targets, double *at)
{
    const cudaStream_t stream = job->device.stream;
    const int chunks = (job->modes.n_tiles + ENUF_TILES_OF_CHUNK - 1) / ENUF_TILES_OF_CHUNK;
    ENUF_TRY(upload_fractions(job, system, n, targets));
    ENUF_TRY(upload(job, FACTORS, factors, modes->n_modes, sizeof(double2)));
    ENUF_TRY(reserve(job, COEFFICIENTS, job->modes.n_cells * 2, sizeof(double2)));
    ENUF_TRY(reserve(job, SUMS, (int64_t)chunks * job->phases.points * 4, sizeof *at));
    ENUF_TRY(reserve(job, TOTAL, 4 * n, sizeof *at));
    double2 *coefficients = job->arrays[COEFFICIENTS].at;
    double *sums = job->arrays[SUMS].at, *total = job->arrays[TOTAL].at;
    ENUF_TRY(
        enuf_exact_coefficients_launch(&job->modes, job->arrays[FACTORS].at, coefficients, stream));
    for (int64_t first = 0; first < n; first += job->phases.points) {
        const int left = points_left(job, n, first);
        ENUF_TRY(fill_phases(job, first, left, NULL));
        ENUF_TRY(enuf_exact_gather_launch(&job->modes, &job->phases, coefficients, sums, stream));
        ENUF_TRY(enuf_exact_add_gathered_launch(sums, chunks, job->phases.points, left,
                                                total + 4 * first, stream));
    }
    return enuf_exact_download(&job->device, &job->arrays[TOTAL], at, (size_t)n * 4 * sizeof *at,
                               what);
}

enuf_status enuf_exact_gather_cuda(const enuf_exact_system *system, const enuf_mode_rows *modes,
                                   const double *factors, int64_t first, int64_t last, double *at)
{
    mode_job job;
    const int64_t n = last - first;
    memset(at, 0, (size_t)n * 4 * sizeof *at);
    if (modes->n_modes == 0 || n == 0) return ENUF_SUCCESS;
    enuf_status status = start(&job, system, modes, n);
    if (status == ENUF_SUCCESS)
        status = gather(&job, system, modes, factors, n, system->targets + first, at);
    release(&job);
    return status;
}
