/*
 * engine_cuda.c - batches on a GPU: checks of pointers, copies of arrays in host memory, errors of
 * data in device memory.
 *
 * Host memory: a call waits until its results are there. Device memory: only check waits.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "batch_cuda.h"
#include "batch/numbers.h"
#include "device_arguments.h"
#include "memory.h"

#include <limits.h>
#include <string.h>

static const char FUNCTION[] = "enuf_ewald_batch_compute";

/* Blocks for each multiprocessor that several shares of a system make, and the least atoms of a
 * share: four warps have two atoms each. */
enum { BLOCKS_OF_MULTIPROCESSOR = 4, ATOMS_OF_SHARE = 8 };

/* Calls it on the object's device and returns its status. */
#define ON_DEVICE(batch, call)                                                                     \
    do {                                                                                           \
        int callers, device = enuf_batch_cuda_of(batch)->device;                                   \
        ENUF_TRY(enuf_cuda_enter(device, &callers));                                               \
        enuf_status status = (call);                                                               \
        enuf_cuda_leave(device, callers);                                                          \
        return status;                                                                             \
    } while (0)

/* ---- Making and freeing ---- */

static enuf_status create(enuf_ewald_batch *batch)
{
    enuf_batch_cuda *cuda;
    ENUF_TRY(enuf_allocate(&cuda, 1, sizeof *cuda, "a workspace"));
    memset(cuda, 0, sizeof *cuda);
    batch->workspace = cuda; /* from here on destroy() cleans up */
    cuda->device = -1;
    cuda->stream = batch->options.stream;
    ENUF_TRY(enuf_cuda_device_choose("enuf_ewald_batch_create", batch->options.device, cuda->stream,
                                     &cuda->device));
    ON_DEVICE(batch, enuf_batch_make_workspace(cuda));
}

static void destroy(enuf_ewald_batch *batch)
{
    enuf_batch_cuda *cuda = enuf_batch_cuda_of(batch);
    int callers = -1;
    if (!cuda) return;
    if (cuda->device >= 0 && enuf_cuda_enter(cuda->device, &callers) != ENUF_SUCCESS) callers = -1;
    enuf_batch_free_workspace(cuda);
    if (callers >= 0) enuf_cuda_leave(cuda->device, callers);
    enuf_release(&batch->workspace);
}

/* ---- Systems ---- */

static int32_t parts(const enuf_ewald_batch *batch, int64_t n_systems, int64_t n)
{
    const int64_t blocks =
        (int64_t)BLOCKS_OF_MULTIPROCESSOR * enuf_batch_cuda_of(batch)->multiprocessors;
    const int64_t wanted = blocks / n_systems, most = n / ATOMS_OF_SHARE;
    const int64_t found = wanted < most ? wanted : most;
    return found > 1 ? (int32_t)found : 1;
}

static int64_t shared_bytes(const enuf_ewald_batch *batch, const enuf_batch_system *system,
                            int64_t atoms)
{
    return batch->mixed ? enuf_batch_shared_f32(system, atoms)
                        : enuf_batch_shared_f64(system, atoms);
}

/* Shared memory in which the phases of all systems have room, or the most that there is. */
static enuf_status find_shared(const enuf_ewald_batch *batch, const enuf_batch_systems *systems,
                               int *shared)
{
    int64_t most = 0;
    for (int64_t s = 0; s < systems->n; s++) {
        const enuf_batch_system *system = &systems->at[s];
        if (shared_bytes(batch, system, 1) > ENUF_BATCH_SHARED)
            return enuf_fail(ENUF_UNSUPPORTED,
                             "system %lld: the cell has %d, %d and %d modes along its shortest "
                             "vectors, more than a GPU's shared memory holds: use the cpu backend",
                             (long long)s, 2 * system->modes[0] + 1, 2 * system->modes[1] + 1,
                             2 * system->modes[2] + 1);
        const int64_t bytes = shared_bytes(
            batch, system, system->n < ENUF_BATCH_THREADS ? system->n : ENUF_BATCH_THREADS);
        if (bytes > most) most = bytes;
    }
    *shared = (int)(most < ENUF_BATCH_SHARED ? most : ENUF_BATCH_SHARED);
    return ENUF_SUCCESS;
}

static int same_atoms(const enuf_batch_systems *a, const enuf_batch_systems *b)
{
    int same = a->n == b->n && a->atoms == b->atoms;
    for (int64_t s = 0; same && s < a->n; s++) same = a->at[s].first == b->at[s].first;
    return same;
}

static enuf_status set_systems_here(enuf_ewald_batch *batch, const enuf_batch_systems *systems)
{
    enuf_batch_cuda *cuda = enuf_batch_cuda_of(batch);
    int shared = 0;
    ENUF_TRY(find_shared(batch, systems, &shared));
    if (systems->slots > INT_MAX)
        return enuf_fail(ENUF_UNSUPPORTED, "%lld systems: a GPU takes up to %d in one batch",
                         (long long)systems->n, INT_MAX);
    ENUF_TRY(enuf_batch_room(batch, systems));
    cuda->shared = shared;
    cuda->is_sent = 0; /* compute() sends them */
    if (cuda->unchecked > 0 && !same_atoms(systems, &batch->systems)) cuda->was_changed = 1;
    return ENUF_SUCCESS;
}

static enuf_status set_systems(enuf_ewald_batch *batch, const enuf_batch_systems *systems)
{
    ON_DEVICE(batch, set_systems_here(batch, systems));
}

/* ---- Sums ---- */

static enuf_status run(const enuf_ewald_batch *batch, const enuf_batch_arrays *arrays)
{
    enuf_batch_cuda *cuda = enuf_batch_cuda_of(batch);
    const enuf_batch_systems *systems = &batch->systems;
    ENUF_TRY(enuf_batch_room(batch, systems)); /* set_systems may have failed since */
    ENUF_TRY(enuf_batch_send(batch));
    cuda->unchecked++;
    const enuf_batch_arguments arguments = {
        .systems = cuda->systems.at,
        .owners =
            (const int *)((const char *)cuda->systems.at + enuf_batch_offset_of_owners(systems)),
        .n_systems = systems->n,
        .slots = systems->slots,
        .in_float = batch->options.precision == ENUF_FLOAT,
        .positions = arrays->positions,
        .charges = arrays->charges,
        .stride = arrays->stride,
        .energies = arrays->energies,
        .forces = arrays->forces,
        .potentials = arrays->potentials,
        .virials = arrays->virials,
        .coulomb = batch->options.coulomb,
        .surroundings = batch->options.surroundings,
        .neutral = batch->options.precision == ENUF_FLOAT ? ENUF_BATCH_NEUTRAL_IN_FLOAT
                                                          : ENUF_BATCH_NEUTRAL,
        .sums = cuda->sums.at,
        .found = cuda->found.at,
        .record = cuda->record.at,
        .shared = cuda->shared,
    };
    ENUF_TRY(batch->mixed ? enuf_batch_launch_f32(&arguments, cuda->stream)
                          : enuf_batch_launch_f64(&arguments, cuda->stream));
    if (systems->slots == systems->n) return ENUF_SUCCESS;
    return enuf_batch_deliver_launch(&arguments, cuda->stream);
}

/* ---- Arrays in host memory ---- */

static enuf_status copy(const enuf_batch_cuda *cuda, void *to, const void *from, int64_t count,
                        size_t size, enum cudaMemcpyKind kind)
{
    if (!to || count == 0) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaMemcpyAsync(to, from, (size_t)count * size, kind, cuda->stream),
                  "copying atoms or results");
    return ENUF_SUCCESS;
}

static enuf_status run_host(const enuf_ewald_batch *batch, const enuf_batch_arrays *arrays)
{
    enuf_batch_cuda *cuda = enuf_batch_cuda_of(batch);
    const int64_t n = batch->systems.n, atoms = batch->systems.atoms;
    const int64_t coordinates = (atoms - 1) * arrays->stride + 3;
    const size_t number = enuf_batch_number_size(batch);
    const void *const charges = arrays->charges;
    ENUF_TRY(enuf_batch_inspect_all(batch, FUNCTION, arrays));
    ENUF_TRY(enuf_batch_room(batch, &batch->systems));
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->positions, coordinates, number,
                                       "positions"));
    const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
    ENUF_TRY(copy(cuda, cuda->positions.at, arrays->positions, coordinates, number, in));
    ENUF_TRY(copy(cuda, cuda->charges.at, charges, atoms, number, in));
    void *const host[4] = {arrays->energies, arrays->virials, arrays->forces, arrays->potentials};
    const int64_t counts[4] = {n, 6 * n, 3 * atoms, atoms};
    void *there[4];
    char *at = cuda->results.at;
    for (int k = 0; k < 4; at += (size_t)counts[k++] * number) there[k] = host[k] ? at : NULL;
    const enuf_batch_arrays device = {.positions = cuda->positions.at,
                                      .stride = arrays->stride,
                                      .charges = cuda->charges.at,
                                      .energies = there[0],
                                      .virials = there[1],
                                      .forces = there[2],
                                      .potentials = there[3]};
    ENUF_TRY(run(batch, &device));
    ENUF_TRY(enuf_batch_read_record(batch, FUNCTION, NULL));
    for (int k = 0; k < 4; k++) ENUF_TRY(copy(cuda, host[k], there[k], counts[k], number, out));
    return enuf_batch_wait(cuda);
}

/* ---- Calls ---- */

static enuf_status check_places(const enuf_ewald_batch *batch, const enuf_batch_arrays *arrays)
{
    const struct {
        const void *at;
        const char *name;
    } each[] = {{arrays->positions, "positions"},   {arrays->charges, "charges"},
                {arrays->energies, "energies"},     {arrays->forces, "forces"},
                {arrays->potentials, "potentials"}, {arrays->virials, "virials"}};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        ENUF_TRY(enuf_cuda_check_place(each[k].at, batch->options.memory,
                                       enuf_batch_cuda_of(batch)->device, each[k].name));
    return ENUF_SUCCESS;
}

static enuf_status compute_here(const enuf_ewald_batch *batch, const enuf_batch_arrays *arrays)
{
    ENUF_TRY(check_places(batch, arrays));
    if (batch->options.memory == ENUF_HOST) return run_host(batch, arrays);
    return run(batch, arrays);
}

static enuf_status compute(enuf_ewald_batch *batch, const enuf_batch_arrays *arrays)
{
    ON_DEVICE(batch, compute_here(batch, arrays));
}

static enuf_status check_here(const enuf_ewald_batch *batch, int64_t *system)
{
    if (batch->options.memory == ENUF_HOST) return ENUF_SUCCESS; /* compute() returned all errors */
    return enuf_batch_read_record(batch, "enuf_ewald_batch_check", system);
}

static enuf_status check(enuf_ewald_batch *batch, int64_t *system)
{
    ON_DEVICE(batch, check_here(batch, system));
}

/* Instructions in double, as the kernels count them. */
const enuf_batch_engine enuf_batch_engine_cuda = {
    .pair_time = 130,
    .mode_time = 11,
    .mode_atoms = 10,
    .create = create,
    .destroy = destroy,
    .parts = parts,
    .set_systems = set_systems,
    .compute = compute,
    .check = check,
};
