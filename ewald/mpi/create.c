/* create.c - an Ewald object on the ranks of a communicator. SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/object/calls.h"
#include "mpi/object/rank_state.h"
#include "parallel.h"
#include "mpi/sharing/sharing.h"

static void destroy(enuf_ewald *ewald)
{
    enuf_rank_state_free(ewald->on_ranks);
}

/* The calls of ranks that compute themselves. */
static const enuf_ewald_calls calls_ranks = {.destroy = destroy,
                                             .get_mpi_report = enuf_ranks_get_mpi_report,
                                             ENUF_CALLS(ENUF_CALL_ENTRY, ranks)};

const enuf_ewald_calls enuf_calls_sharing = {.destroy = enuf_sharing_destroy,
                                             .get_mpi_report = enuf_sharing_get_mpi_report,
                                             ENUF_CALLS(ENUF_CALL_ENTRY, sharing)};

static enuf_status check(const enuf_ewald_options *options, enuf_ewald *const *ewald)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "ewald is NULL");
    if (!options || options->struct_size != sizeof *options)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "options is NULL, or not filled by enuf_ewald_options_init()");
    return ENUF_SUCCESS;
}

/* Number of processors for each rank of this node. */
static int share_of_processors(const enuf_ranks *ranks)
{
    MPI_Comm node;
    int here = 1;
    MPI_Comm_split_type(ranks->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &here);
    MPI_Comm_free(&node);
    return enuf_thread_share(here);
}

/* The options of rank 0. Threads, device, stream, wisdom file and log are this rank's own. */
static void share_options(enuf_ranks *ranks, const enuf_ewald_options *own, enuf_ewald_options *o)
{
    *o = *own;
    enuf_ranks_from_first(ranks, (int64_t)sizeof *o, o);
    o->threads = own->threads;
    o->device = own->device;
    o->stream = own->stream;
    o->fft_wisdom = own->fft_wisdom;
    o->calibration_file = ranks->rank == 0 ? own->calibration_file : NULL;
    o->log = own->log;
    o->log_context = own->log_context;
    const int share = share_of_processors(ranks);
    if (o->threads == 0 && share < enuf_thread_count(0)) o->threads = share;
    if (ranks->size > 1 && o->backend == ENUF_BACKEND_AUTO) o->backend = ENUF_BACKEND_CPU;
}

/* Deterministic sums have the bits of their instruction set: all ranks take the least of theirs. */
static enuf_status choose_isa(enuf_ranks *ranks, enuf_ewald_options *o)
{
    ENUF_TRY(enuf_ranks_agree(ranks, enuf_isa_find(o->isa, &o->isa)));
    if (!o->deterministic) return ENUF_SUCCESS;
    double least = -(double)o->isa;
    enuf_ranks_largest(ranks, 1, &least);
    return enuf_ranks_agree(ranks, enuf_isa_find((enuf_isa)-least, &o->isa));
}

/* Bits differ between libraries of FFTs: all ranks take the one of rank 0. */
static enuf_status choose_fft(enuf_ranks *ranks, enuf_ewald_options *o)
{
    ENUF_TRY(enuf_ranks_agree(ranks, enuf_fft_find(o->fft, &o->fft)));
    enuf_ranks_from_first(ranks, (int64_t)sizeof o->fft, &o->fft);
    return enuf_ranks_agree(ranks, enuf_fft_find(o->fft, &o->fft));
}

/* Ranks that compute themselves. A single rank computes as one process, unless the grid is
 * distributed. */
static enuf_status create_here(const enuf_ranks *ranks, const enuf_ewald_options *options,
                               enuf_led_gpus gpus, enuf_ewald **made)
{
    enuf_rank_state *m;
    if (ranks->size == 1 && options->decomposition != ENUF_DECOMPOSITION_DISTRIBUTED) {
        ENUF_TRY(enuf_ewald_make(options, made));
        (*made)->calls = &enuf_calls_alone;
        return ENUF_SUCCESS;
    }
    ENUF_TRY(enuf_rank_state_make(ranks, options, gpus, &m));
    m->ewald->calls = &calls_ranks;
    *made = m->ewald;
    return ENUF_SUCCESS;
}

/* Ranks that share GPUs. The leaders get an object of their own. */
static enuf_status create_sharing(enuf_ranks *ranks, const enuf_ewald_options *options,
                                  enuf_gpu_share *share, enuf_ewald **made)
{
    enuf_ewald *ewald;
    enuf_status status = ENUF_SUCCESS;
    ENUF_TRY(enuf_sharing_create(ranks, options, share, &ewald));
    ewald->calls = &enuf_calls_sharing;
    enuf_sharing *s = ewald->on_ranks;
    if (s->share.leads) {
        enuf_ranks leaders = s->share.leaders;
        leaders.named = ranks->rank;
        leaders.of = ranks->size;
        const enuf_led_gpus gpus = {s->share.devices, s->share.alone};
        status = create_here(&leaders, options, gpus, &s->leaders);
    }
    status = enuf_ranks_pass_on(ranks, status);
    if (status == ENUF_SUCCESS)
        *made = ewald;
    else
        ewald->calls->destroy(ewald);
    return status;
}

static enuf_status create_on_gpus(enuf_ranks *ranks, enuf_ewald_options *options, enuf_ewald **made)
{
    enuf_gpu_share share;
    ENUF_TRY(enuf_gpu_share_find(ranks, options->device, &share));
    const enuf_led_gpus gpus = {share.devices, share.alone};
    int64_t leaders = share.leads;
    enuf_ranks_sum_integers(ranks, 1, &leaders);
    options->device = share.device;
    const int share_them = leaders < ranks->size;
    if (share_them && options->memory == ENUF_HOST)
        return create_sharing(ranks, options, &share, made);
    enuf_gpu_share_release(&share);
    if (!share_them) return create_here(ranks, options, gpus, made);
    return enuf_fail(ENUF_BAD_MEMORY,
                     "memory is ENUF_DEVICE, but %d ranks share %lld GPUs: arrays in device "
                     "memory want a GPU for each rank",
                     ranks->size, (long long)leaders);
}

static enuf_status create(enuf_ranks *ranks, const enuf_ewald_options *given, enuf_ewald **ewald)
{
    const enuf_led_gpus none = {0, 1};
    enuf_ewald_options options;
    ENUF_TRY(enuf_ranks_agree(ranks, check(given, ewald)));
    share_options(ranks, given, &options);
    ENUF_TRY(choose_isa(ranks, &options));
    ENUF_TRY(choose_fft(ranks, &options));
    if (options.backend == ENUF_BACKEND_CUDA && ranks->size > 1)
        return create_on_gpus(ranks, &options, ewald);
    return create_here(ranks, &options, none, ewald);
}

enuf_status enuf_ewald_create_mpi(MPI_Comm comm, const enuf_ewald_options *options,
                                  enuf_ewald **ewald)
{
    enuf_ranks ranks;
    if (ewald) *ewald = NULL;
    enuf_status status = enuf_ranks_start(comm, &ranks);
    if (status == ENUF_SUCCESS) {
        status = create(&ranks, options, ewald);
        MPI_Comm_free(&ranks.comm);
    }
    return enuf_named(status, __func__);
}
