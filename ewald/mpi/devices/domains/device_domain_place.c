/* device_domain_place.c - see device_domain.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_domain.h"
#include "device.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest fraction, as for the pair sums of one device (ewald/cuda/grid.c): cell vectors around the
 * origin. */
static const double farthest = 0x1p24;
/* The pair sums count rows in int. */
static const double most_rows = 0x1p31 - 1;
/* Growth of the fullest domain since the cuts were made. Above `unevenness` the next evaluation
 * makes new cuts: pairs take longer by this part, and a new count takes 2 % of an evaluation (two
 * H200, 4e6 ions each). Above `most_unevenness` this evaluation makes new cuts. */
static const double unevenness = 0.02, most_unevenness = 1.25;

enuf_status enuf_device_domain_create(enuf_device_ranks *devices, enuf_device_domain *d)
{
    *d = (enuf_device_domain){.devices = devices};
    ENUF_TRY(enuf_exchange_create(devices->ranks, &d->own));
    ENUF_TRY(enuf_exchange_create(devices->ranks, &d->ghosts));
    ENUF_TRY(enuf_allocate(&d->counts_here, 4 * (int64_t)devices->ranks->size,
                           sizeof *d->counts_here, "counts of atoms for ranks"));
    void *host_copy = NULL;
    if (enuf_allocation_fails())
        return enuf_fail(ENUF_OUT_OF_MEMORY, "no page-locked memory for counts of atoms");
    ENUF_CUDA_TRY(
        cudaMallocHost(&host_copy, sizeof *d->host_copy + (2 * (size_t)devices->ranks->size + 1) *
                                                              sizeof *d->host_copy->starts),
        "page-locked memory for counts of atoms");
    d->host_copy = host_copy;
    return ENUF_SUCCESS;
}

void enuf_device_domain_release(enuf_device_domain *d)
{
    enuf_domains_release(&d->domains);
    enuf_exchange_release(&d->own);
    enuf_exchange_release(&d->ghosts);
    enuf_release(&d->listed);
    enuf_release(&d->counts_here);
    if (d->host_copy) cudaFreeHost(d->host_copy);
#define ENUF_X(name) enuf_device_array_release(&d->memory, &d->name);
    ENUF_DEVICE_DOMAIN_ARRAYS(ENUF_X)
#undef ENUF_X
    *d = (enuf_device_domain){0};
}

/* ---- Counting ---- */

static enuf_status reserve_home(enuf_device_domain *d, const enuf_device_home *home)
{
    const int64_t ranks = d->devices->ranks->size, blocks = enuf_placing_blocks(home->n);
    const int64_t n_counts = 2 * ranks * blocks + 1;
    size_t bytes = 0;
    if ((double)n_counts > most_rows)
        return enuf_fail(ENUF_UNSUPPORTED, "%lld atoms of one GPU for %lld domains: too many",
                         (long long)home->n, (long long)ranks);
    ENUF_TRY(enuf_placing_scan_bytes(n_counts, &bytes));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->counts, n_counts, sizeof(int),
                                       "counts of atoms for ranks"));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->starts, 2 * ranks + 1, sizeof(int),
                                       "counts of atoms for ranks"));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->scan, (int64_t)bytes, 1,
                                       "counts of atoms for ranks"));
    return enuf_device_array_reserve(&d->memory, &d->slot, home->n, sizeof(int), "places of atoms");
}

/* Fills p, except for the cuts. */
static void describe(enuf_device_domain *d, const enuf_device_home *home)
{
    enuf_placing *p = &d->placing;
    p->n = home->n;
    p->positions = home->positions;
    p->stride = home->stride;
    p->q = home->q;
    p->ranks = d->devices->ranks->size;
    p->me = d->devices->ranks->rank;
    p->unshifted = home->unshifted;
    p->farthest = farthest;
    p->record = home->record;
    memcpy(p->rows, home->cell->cell, sizeof p->rows);
    memcpy(p->inverse, home->cell->inverse, sizeof p->inverse);
}

/* Enqueues the counts and their copy to the host. */
static enuf_status enqueue_counts(enuf_device_domain *d, const enuf_device_home *home,
                                  cudaStream_t stream)
{
    enuf_placing *p = &d->placing;
    const size_t n_starts = 2 * (size_t)p->ranks + 1, size = sizeof(int);
    ENUF_TRY(reserve_home(d, home));
    p->counts = d->counts.at;
    p->blocks = enuf_placing_blocks(p->n);
    p->slot = d->slot.at;
    p->targets = d->targets.at;
    p->n_targets = (int)d->n_listed;
    memset(d->host_copy->starts, 0, n_starts * size);
    if (p->n == 0) return ENUF_SUCCESS;
    const int64_t n_counts = 2 * (int64_t)p->ranks * p->blocks + 1;
    ENUF_CUDA_TRY(cudaMemsetAsync(p->counts + n_counts - 1, 0, size, stream), "clearing a count");
    ENUF_TRY(enuf_placing_count(p, stream));
    ENUF_TRY(enuf_placing_scan(p->counts, n_counts, d->scan.at, (size_t)d->scan.bytes, stream));
    ENUF_CUDA_TRY(cudaMemcpy2DAsync(d->starts.at, size, p->counts, (size_t)p->blocks * size, size,
                                    n_starts, cudaMemcpyDeviceToDevice, stream),
                  "gathering counts of atoms");
    ENUF_CUDA_TRY(cudaMemcpyAsync(d->host_copy->starts, d->starts.at, n_starts * size,
                                  cudaMemcpyDeviceToHost, stream),
                  "reading counts of atoms");
    ENUF_CUDA_TRY(cudaMemcpyAsync(&d->host_copy->record, p->record, sizeof d->host_copy->record,
                                  cudaMemcpyDeviceToHost, stream),
                  "reading what was wrong with positions");
    return ENUF_SUCCESS;
}

static enuf_status wait_for_counts(const enuf_device_domain *d, const enuf_device_home *home,
                                   cudaStream_t stream)
{
    const enuf_cuda_pair_record *found = &d->host_copy->record;
    if (home->n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_wait_for_stream(d->devices, stream, "counting atoms for domains"));
    if (found->bad_atom == ENUF_CUDA_NO_ATOM && found->far_atom == ENUF_CUDA_NO_ATOM)
        return ENUF_SUCCESS;
    return home->refuse(home->context, found);
}

/* Collective: exchanges the counts; all counts are 0 after a failure on this rank. */
static void exchange_counts(enuf_device_domain *d, enuf_status status)
{
    enuf_ranks *ranks = d->devices->ranks;
    enuf_placing *p = &d->placing;
    const int *start = d->host_copy->starts;
    if (status != ENUF_SUCCESS)
        memset(d->host_copy->starts, 0, (2 * (size_t)ranks->size + 1) * sizeof *start);
    for (int r = 0; r < ranks->size; r++) {
        d->own.send[r] = r == ranks->rank ? 0 : start[r + 1] - start[r];
        d->ghosts.send[r] = start[ranks->size + r + 1] - start[ranks->size + r];
    }
    p->kept_first = start[ranks->rank];
    p->kept = start[ranks->rank + 1] - start[ranks->rank];
    enuf_exchange_count_two(ranks, d->counts_here, &d->own, &d->ghosts);
    d->n_home = p->n;
    d->n_stayed = p->kept;
    d->n_own = d->n_stayed + d->own.n_receive;
    d->n_ghosts = d->ghosts.n_receive;
}

/* Collective: updates cuts.uneven and the choice of domains. Returns 1 if this evaluation needs new
 * cuts: a domain has grown so much that memory may be too small. */
static int look_at_cuts(enuf_device_domain *d, int just_made)
{
    enuf_device_cuts *c = &d->cuts;
    double of[2] = {(double)d->n_own, (double)d->own.n_send}; /* atoms here, atoms that leave */
    enuf_ranks_largest(d->devices->ranks, 2, of);
    const double most = of[0];
    if (just_made) c->most = (int64_t)most;
    enuf_domain_choice_watch(&d->choice, of[1] / fmax(most, 1));
    c->uneven = most > (1 + unevenness) * (double)c->most;
    return most > most_unevenness * (double)c->most;
}

/* Returns this rank's status. */
static enuf_status count_anew(enuf_device_domain *d, const enuf_device_home *home,
                              cudaStream_t stream)
{
    ENUF_TRY(enqueue_counts(d, home, stream));
    return wait_for_counts(d, home, stream);
}

void enuf_device_domain_begin(enuf_device_domain *d, const enuf_device_home *home,
                              cudaStream_t stream)
{
    d->begun = enuf_device_cuts_stand(d, home);
    if (!d->begun) return;
    describe(d, home);
    d->status = enqueue_counts(d, home, stream);
    if (d->status != ENUF_SUCCESS) snprintf(d->text, sizeof d->text, "%s", enuf_last_error());
}

static enuf_status finish_counts(const enuf_device_domain *d, const enuf_device_home *home,
                                 cudaStream_t stream)
{
    if (d->status != ENUF_SUCCESS) return enuf_fail(d->status, "%s", d->text);
    return wait_for_counts(d, home, stream);
}

/* Collective: finds the numbers of rows. Returns this rank's status, or a common status. */
static enuf_status count(enuf_device_domain *d, const enuf_device_home *home, cudaStream_t stream)
{
    enuf_status status;
    int made = 0;
    if (d->begun) {
        d->begun = 0;
        status = finish_counts(d, home, stream);
        exchange_counts(d, status);
        if (!look_at_cuts(d, 0)) return status;
        ENUF_TRY(enuf_ranks_agree(d->devices->ranks, status));
    }
    describe(d, home);
    ENUF_TRY(enuf_device_domain_cut(d, home, d->cuts.uneven, &made, stream));
    status = count_anew(d, home, stream);
    exchange_counts(d, status);
    if (!look_at_cuts(d, made)) return status;
    ENUF_TRY(enuf_ranks_agree(d->devices->ranks, status));
    ENUF_TRY(enuf_device_domain_cut(d, home, 1, &made, stream));
    status = count_anew(d, home, stream);
    exchange_counts(d, status);
    look_at_cuts(d, made);
    return status;
}

/* ---- Packing ---- */

static enuf_status reserve_rows(enuf_device_domain *d)
{
    enuf_placing *p = &d->placing;
    const int64_t n = d->n_own + d->n_ghosts, n_sent = d->own.n_send + d->ghosts.n_send;
    const char *what = "atoms of a domain";
    if ((double)n > most_rows)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "a domain holds %lld atoms and %lld ghosts: a GPU takes "
                         "2^31 at the most; use more GPUs",
                         (long long)d->n_own, (long long)d->n_ghosts);
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->rows, n, sizeof *d->row, what));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->sent, n_sent, sizeof *d->row, what));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->source, n_sent, sizeof(int), what));
    d->row = p->here = d->rows.at;
    p->sent = d->sent.at;
    p->source = d->source.at;
    return ENUF_SUCCESS;
}

static enuf_status exchange(enuf_device_domain *d, cudaStream_t stream)
{
    const enuf_placing *p = &d->placing;
    const size_t size = sizeof *d->row;
    enuf_status status = enuf_placing_pack(p, stream);
    enuf_status next = enuf_device_group_begin(d->devices);
    if (status == ENUF_SUCCESS) status = next;
    next = enuf_device_exchange_forth(d->devices, &d->own, size, p->sent, d->row + d->n_stayed,
                                      stream);
    if (status == ENUF_SUCCESS) status = next;
    next = enuf_device_exchange_forth(d->devices, &d->ghosts, size, p->sent + d->own.n_send,
                                      d->row + d->n_own, stream);
    if (status == ENUF_SUCCESS) status = next;
    next = enuf_device_group_end(d->devices);
    if (status == ENUF_SUCCESS) status = next;
    return enuf_ranks_agree(d->devices->ranks, status);
}

enuf_status enuf_device_domain_place(enuf_device_domain *d, const enuf_device_home *home,
                                     cudaStream_t stream)
{
    enuf_status status = count(d, home, stream);
    if (status == ENUF_SUCCESS) status = reserve_rows(d);
    ENUF_TRY(enuf_ranks_agree(d->devices->ranks, status));
    return exchange(d, stream);
}
