/* create.c - birth and death of an Ewald object on many ranks. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "context.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void enuf_ewald_mpi_options_init(enuf_ewald_mpi_options *options)
{
    if (!options) return;
    *options = (enuf_ewald_mpi_options){.struct_size = sizeof *options,
                                        .decomposition = ENUF_DECOMPOSITION_AUTO};
    enuf_ewald_options_init(&options->ewald);
}

static void largest(void *context, int64_t n, double *values)
{
    enuf_ranks_largest(context, n, values);
}

static void add(void *context, int64_t n, int64_t *sums)
{
    enuf_ranks_sum_integers(context, n, sums);
}

static void add_doubles(void *context, int64_t n, double *sums)
{
    enuf_ranks_sum_doubles(context, n, sums);
}

static enuf_status check(const enuf_ewald_mpi_options *options)
{
    if (!options || options->struct_size != sizeof *options ||
        options->ewald.struct_size != sizeof options->ewald)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "options is NULL, or not filled by enuf_ewald_mpi_options_init()");
    if ((int)options->decomposition < ENUF_DECOMPOSITION_AUTO ||
        options->decomposition > ENUF_DECOMPOSITION_DISTRIBUTED)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "decomposition is %d: use ENUF_DECOMPOSITION_AUTO, _REPLICATED or "
                         "_DISTRIBUTED",
                         (int)options->decomposition);
    if (options->ewald.memory != ENUF_HOST && options->ewald.backend != ENUF_BACKEND_CUDA)
        return enuf_fail(ENUF_BAD_MEMORY, "memory is not ENUF_HOST: on CPUs arrays live on the "
                                          "host");
    return ENUF_SUCCESS;
}

/* Ranks of this node share its processors. */
static int share_of_processors(const enuf_ranks *ranks)
{
    MPI_Comm node;
    int here = 1;
    MPI_Comm_split_type(ranks->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &here);
    MPI_Comm_free(&node);
    return enuf_thread_share(here);
}

/* Those of rank 0, with what is this rank's own. */
static void share_options(enuf_ranks *ranks, const enuf_ewald_mpi_options *given,
                          enuf_ewald_mpi_options *options)
{
    const enuf_ewald_options own = given->ewald;
    *options = *given;
    enuf_ranks_from_first(ranks, (int64_t)sizeof *options, options);
    enuf_ewald_options *o = &options->ewald;
    o->threads = own.threads;
    o->background_threads = 0;
    o->device = own.device;
    o->stream = own.stream;
    o->fft_wisdom = own.fft_wisdom;
    o->calibration_file = ranks->rank == 0 ? own.calibration_file : NULL;
    o->log = own.log;
    o->log_context = own.log_context;
    const int share = share_of_processors(ranks);
    if (o->threads == 0 && share < enuf_thread_count(0)) o->threads = share;
    if (ranks->size > 1 && o->backend == ENUF_BACKEND_AUTO) o->backend = ENUF_BACKEND_CPU;
}

/* The object of ranks that compute themselves. alone: no two of them lead the same GPU. */
static enuf_status create_here(enuf_ewald_mpi *m, const enuf_ewald_mpi_options *options, int alone)
{
    m->asked = options->decomposition;
    m->reduction = (enuf_reduction){
        .largest = largest, .add = add, .add_doubles = add_doubles, .context = &m->ranks};
    enuf_status status = enuf_ewald_create(&options->ewald, &m->ewald);
    if (status == ENUF_SUCCESS) status = enuf_ghosts_create(&m->ranks, &m->ghosts);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    /* one calibration for all: layouts depend on what messages cost */
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof m->ewald->costs, &m->ewald->costs);
    if (enuf_is_alone(m)) return ENUF_SUCCESS;
    m->ewald->reduction = &m->reduction;
    m->ewald->without_mesh = 1;
    if (m->ewald->backend->kind != ENUF_BACKEND_CUDA) return ENUF_SUCCESS;
    return enuf_devices_cuda.create(m, alone, &m->devices);
}

/* Ranks that share GPUs: their leaders have an object of their own. */
static enuf_status create_led(enuf_ewald_mpi *m, const enuf_ewald_mpi_options *options,
                              const enuf_gpu_share *share)
{
    enuf_status status = enuf_sharing_create(share, m->ranks.rank, m->ranks.size, &m->sharing);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    if (options->decomposition == ENUF_DECOMPOSITION_DISTRIBUTED) m->sharing->starts = 0;
    enuf_ewald_mpi *leaders = m->sharing->leaders;
    if (leaders) {
        MPI_Comm_dup(share->leaders.comm, &leaders->ranks.comm);
        status = create_here(leaders, options, share->alone);
    }
    return enuf_ranks_pass_on(&m->ranks, status);
}

static enuf_status create_on_gpus(enuf_ewald_mpi *m, enuf_ewald_mpi_options *options)
{
    enuf_gpu_share share;
    ENUF_TRY(enuf_gpu_share_find(&m->ranks, options->ewald.device, &share));
    int64_t leaders = share.leads;
    enuf_ranks_sum_integers(&m->ranks, 1, &leaders);
    m->n_devices = share.devices;
    options->ewald.device = share.device;
    if (leaders == m->ranks.size) {
        const int alone = share.alone;
        enuf_gpu_share_release(&share);
        return create_here(m, options, alone);
    }
    if (options->ewald.memory != ENUF_HOST) {
        enuf_gpu_share_release(&share);
        return enuf_fail(ENUF_BAD_MEMORY,
                         "memory is ENUF_DEVICE, but %d ranks share %lld GPUs: arrays in device "
                         "memory want a GPU for each rank",
                         m->ranks.size, (long long)leaders);
    }
    const enuf_status status = create_led(m, options, &share);
    if (!m->sharing) enuf_gpu_share_release(&share); /* else the object's */
    return status;
}

static enuf_status create(enuf_ewald_mpi *m, const enuf_ewald_mpi_options *given)
{
    enuf_ewald_mpi_options options;
    ENUF_TRY(enuf_ranks_agree(&m->ranks, check(given)));
    share_options(&m->ranks, given, &options);
    if (options.ewald.backend == ENUF_BACKEND_CUDA && m->ranks.size > 1)
        return create_on_gpus(m, &options);
    return create_here(m, &options, 1);
}

enuf_status enuf_ewald_mpi_create(MPI_Comm comm, const enuf_ewald_mpi_options *options,
                                  enuf_ewald_mpi **ewald)
{
    enuf_ranks ranks;
    if (ewald) *ewald = NULL;
    const enuf_status started = enuf_ranks_start(comm, &ranks);
    if (started != ENUF_SUCCESS) return enuf_named(started, __func__);
    enuf_ewald_mpi *made = NULL;
    enuf_status status = ewald ? enuf_allocate(&made, 1, sizeof *made, "an Ewald object")
                               : enuf_fail(ENUF_BAD_ARGUMENT, "ewald is NULL");
    status = enuf_ranks_agree(&ranks, status);
    if (status != ENUF_SUCCESS) {
        enuf_release(&made);
        MPI_Comm_free(&ranks.comm);
        return enuf_named(status, __func__);
    }
    memset(made, 0, sizeof *made);
    made->ranks = ranks;
    status = create(made, options);
    if (status != ENUF_SUCCESS) {
        enuf_ewald_mpi_destroy(&made);
        return enuf_named(status, __func__);
    }
    *ewald = made;
    return ENUF_SUCCESS;
}

static void destroy_mesh(enuf_ewald_mpi *m)
{
    int callers = 0;
    if (!m->table) return;
    const int entered = m->devices && enuf_devices_cuda.enter(m->devices, &callers) == ENUF_SUCCESS;
    m->table->destroy(&m->mesh);
    if (entered) enuf_devices_cuda.leave(m->devices, callers);
}

void enuf_ewald_mpi_destroy(enuf_ewald_mpi **ewald)
{
    if (!ewald || !*ewald) return;
    enuf_ewald_mpi *m = *ewald;
    enuf_sharing_destroy(&m->sharing);
    destroy_mesh(m);
    if (m->devices) enuf_devices_cuda.destroy(&m->devices);
    enuf_ewald_destroy(&m->ewald);
    enuf_migration_release(&m->migration);
    enuf_ghosts_release(&m->ghosts);
    enuf_remote_exclusions_release(&m->remote_exclusions);
    enuf_release(&m->excluded_pairs);
    enuf_release(&m->excluded_weights);
    enuf_array *scratch[] = {
        &m->forces,         &m->atom_energy,   &m->atom_virial,   &m->potential, &m->field,
        &m->mesh_potential, &m->mesh_gradient, &m->mesh_virial,   &m->q_single,  &m->home,
        &m->home_gradient,  &m->home_virial,   &m->home_positions};
    for (size_t k = 0; k < sizeof scratch / sizeof *scratch; k++) enuf_array_release(scratch[k]);
    if (m->ranks.comm != MPI_COMM_NULL) MPI_Comm_free(&m->ranks.comm);
    enuf_release(ewald);
}

enuf_status enuf_ranks_set_cell(enuf_ewald_mpi *m, const double cell[9])
{
    double shared[9];
    const int none = m->ranks.rank == 0 && !cell;
    for (int k = 0; k < 9; k++) shared[k] = cell ? cell[k] : NAN;
    ENUF_TRY(enuf_ranks_agree(
        &m->ranks, none ? enuf_fail(ENUF_BAD_ARGUMENT, "cell is NULL: it has to hold rows a, b, c")
                        : ENUF_SUCCESS));
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof shared, shared);
    return enuf_ranks_agree(&m->ranks, enuf_ewald_set_cell(m->ewald, shared));
}

enuf_status enuf_ewald_mpi_set_cell(enuf_ewald_mpi *ewald, const double cell[9])
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: ewald is NULL", __func__);
    return enuf_named((ewald->sharing ? enuf_sharing_set_cell : enuf_ranks_set_cell)(ewald, cell),
                      __func__);
}
