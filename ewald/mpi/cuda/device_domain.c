/* device_domain.c - see device_domain.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_domain.h"
#include "device.h"
#include "memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Rounding of fractions loses no ghost. */
static const double slack = 1e-9;
/* As the pair sums of one device (ewald/cuda/grid.c): cell vectors around the origin. */
static const double farthest = 0x1p24;
/* Rows are counted in int by the pair sums. */
static const double most_rows = 0x1p31 - 1;

static_assert((int)ENUF_PLACING_BINS == (int)ENUF_DOMAIN_BINS, "bins of domains");

enuf_status enuf_device_domain_create(enuf_device_ranks *devices, enuf_device_domain *d)
{
    *d = (enuf_device_domain){.devices = devices};
    ENUF_TRY(enuf_exchange_create(devices->ranks, &d->own));
    ENUF_TRY(enuf_exchange_create(devices->ranks, &d->ghosts));
    return enuf_allocate(&d->starts_here, 2 * (int64_t)devices->ranks->size + 1,
                         sizeof *d->starts_here, "counts of atoms for ranks");
}

void enuf_device_domain_release(enuf_device_domain *d)
{
    enuf_domains_release(&d->domains);
    enuf_exchange_release(&d->own);
    enuf_exchange_release(&d->ghosts);
    enuf_release(&d->listed);
    enuf_release(&d->starts_here);
#define ENUF_X(name) enuf_device_array_release(&d->memory, &d->name);
    ENUF_DEVICE_DOMAIN_ARRAYS(ENUF_X)
#undef ENUF_X
    *d = (enuf_device_domain){0};
}

/* ---- Domains ---- */

static enuf_status choose_domains(enuf_device_domain *d, const enuf_device_home *home)
{
    enuf_ranks *ranks = d->devices->ranks;
    int count[3] = {1, 1, ranks->size};
    enuf_domains_count(ranks, home->cell, home->cutoff, count);
    if (d->has_domains && memcmp(count, d->domains.count, sizeof count) == 0) return ENUF_SUCCESS;
    enuf_domains_release(&d->domains);
    d->has_domains = 0;
    ENUF_TRY(enuf_ranks_agree(ranks, enuf_domains_create(ranks, count, &d->domains)));
    d->has_domains = 1;
    return ENUF_SUCCESS;
}

static int64_t bins_of(const enuf_domains *domains, int d)
{
    return enuf_domains_pieces_before(domains, d) * ENUF_DOMAIN_BINS;
}

static enuf_status reserve_home(enuf_device_domain *d, int64_t n, enuf_placing *p)
{
    const int64_t ranks = d->devices->ranks->size, blocks = enuf_placing_blocks(n);
    const int64_t n_counts = 2 * ranks * blocks + 1;
    int64_t pieces = 0;
    size_t bytes = 0;
    for (int k = 0; k < 3; k++) pieces += bins_of(&d->domains, k);
    if ((double)n_counts > most_rows)
        return enuf_fail(ENUF_UNSUPPORTED, "%lld atoms of one GPU for %lld domains: too many",
                         (long long)n, (long long)ranks);
    ENUF_TRY(enuf_placing_scan_bytes(n_counts, &bytes));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->pieces, pieces, sizeof(int), "domains"));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->histogram, bins_of(&d->domains, 2),
                                       sizeof(int64_t), "counts of atoms in bins"));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->counts, n_counts, sizeof(int),
                                       "counts of atoms for ranks"));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->starts, 2 * ranks + 1, sizeof(int),
                                       "counts of atoms for ranks"));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->scan, (int64_t)bytes, 1,
                                       "counts of atoms for ranks"));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->slot, n, sizeof(int), "places of atoms"));
    int *piece = d->pieces.at;
    for (int k = 0; k < 3; k++) {
        p->piece[k] = piece;
        piece += bins_of(&d->domains, k);
    }
    p->counts = d->counts.at;
    p->blocks = (int)blocks;
    p->slot = d->slot.at;
    return ENUF_SUCCESS;
}

/* Counting for domains.c. */
typedef struct counting {
    enuf_device_domain *domain;
    const enuf_placing *placing;
    cudaStream_t stream;
} counting;

/* Cuts of the directions before this one are known. */
static enuf_status upload_cuts(enuf_device_domain *d, const enuf_placing *p, int before,
                               cudaStream_t stream)
{
    for (int k = 0; k < before; k++)
        ENUF_CUDA_TRY(cudaMemcpyAsync((void *)(uintptr_t)p->piece[k], d->domains.piece[k],
                                      (size_t)bins_of(&d->domains, k) * sizeof(int),
                                      cudaMemcpyHostToDevice, stream),
                      "copying domains to the GPU");
    return ENUF_SUCCESS;
}

static enuf_status count_bins(void *context, const enuf_domains *domains, int d, int64_t *histogram)
{
    const counting *c = context;
    enuf_device_domain *domain = c->domain;
    const size_t bytes = (size_t)bins_of(domains, d) * sizeof *histogram;
    ENUF_TRY(upload_cuts(domain, c->placing, d, c->stream));
    ENUF_CUDA_TRY(cudaMemsetAsync(domain->histogram.at, 0, bytes, c->stream), "clearing bins");
    ENUF_TRY(enuf_placing_count_bins(c->placing, d, enuf_domains_pieces_before(domains, d),
                                     domain->histogram.at, c->stream));
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(histogram, domain->histogram.at, bytes, cudaMemcpyDeviceToHost, c->stream),
        "reading counts of atoms in bins");
    ENUF_CUDA_TRY(cudaStreamSynchronize(c->stream), "counting atoms in bins");
    return ENUF_SUCCESS;
}

/* ---- Who is near whom ---- */

static enuf_status add_target(enuf_device_domain *d, const enuf_device_target *target)
{
    if (d->n_listed == d->room_listed) {
        const int64_t room = 2 * d->room_listed + 64;
        enuf_device_target *grown = NULL;
        ENUF_TRY(enuf_allocate(&grown, room, sizeof *grown, "images of domains"));
        if (d->n_listed > 0) memcpy(grown, d->listed, (size_t)d->n_listed * sizeof *grown);
        enuf_release(&d->listed);
        d->listed = grown;
        d->room_listed = room;
    }
    d->listed[d->n_listed++] = *target;
    return ENUF_SUCCESS;
}

static enuf_status list_image(enuf_device_domain *d, int rank, const int shift[3],
                              const double reach[3])
{
    const enuf_domain *of = d->domains.domain + rank;
    enuf_device_target t = {.rank = rank};
    for (int k = 0; k < 3; k++) {
        t.shift[k] = shift[k];
        t.low[k] = -INFINITY;
        t.high[k] = INFINITY;
        if (of->low[k] == of->high[k]) return ENUF_SUCCESS; /* no bin, no atom */
        if (d->domains.count[k] == 1) continue;
        t.low[k] = (double)of->low[k] / ENUF_DOMAIN_BINS - reach[k] - shift[k];
        t.high[k] = (double)of->high[k] / ENUF_DOMAIN_BINS + reach[k] - shift[k];
        if (t.low[k] > 1 || t.high[k] < 0) return ENUF_SUCCESS;
    }
    return add_target(d, &t);
}

static enuf_status list_targets(enuf_device_domain *d, const double reach[3])
{
    int most[3];
    d->n_listed = 0;
    for (int k = 0; k < 3; k++) most[k] = d->domains.count[k] > 1 ? (int)floor(reach[k]) + 1 : 0;
    for (int rank = 0; rank < d->devices->ranks->size; rank++)
        for (int z = -most[2]; z <= most[2]; z++)
            for (int y = -most[1]; y <= most[1]; y++)
                for (int x = -most[0]; x <= most[0]; x++)
                    ENUF_TRY(list_image(d, rank, (const int[3]){x, y, z}, reach));
    return ENUF_SUCCESS;
}

/* The box of this rank's rows. */
static void make_box(enuf_device_domain *d, const enuf_device_home *home, const double reach[3])
{
    const enuf_domain *mine = d->domains.domain + d->devices->ranks->rank;
    for (int k = 0; k < 3; k++) {
        double part = 1;
        if (d->domains.count[k] > 1 && !home->once)
            part = (double)(mine->high[k] - mine->low[k]) / ENUF_DOMAIN_BINS + 3 * reach[k];
        for (int e = 0; e < 3; e++) d->box[3 * k + e] = part * home->cell->cell[3 * k + e];
    }
}

static enuf_status upload_targets(enuf_device_domain *d, enuf_placing *p, cudaStream_t stream)
{
    const size_t bytes = (size_t)d->n_listed * sizeof *d->listed;
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->targets, d->n_listed, sizeof *d->listed,
                                       "images of domains"));
    if (bytes > 0)
        ENUF_CUDA_TRY(
            cudaMemcpyAsync(d->targets.at, d->listed, bytes, cudaMemcpyHostToDevice, stream),
            "copying domains to the GPU");
    p->targets = d->targets.at;
    p->n_targets = (int)d->n_listed;
    return ENUF_SUCCESS;
}

/* ---- Counting, packing ---- */

/* Places of the rows for each rank; waits. */
static enuf_status find_starts(enuf_device_domain *d, const enuf_device_home *home,
                               const enuf_placing *p, cudaStream_t stream)
{
    enuf_cuda_pair_record found;
    const int64_t n_counts = 2 * (int64_t)p->ranks * p->blocks + 1;
    const size_t n_starts = 2 * (size_t)p->ranks + 1, size = sizeof(int);
    memset(d->starts_here, 0, n_starts * size);
    if (p->n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaMemsetAsync(p->counts + n_counts - 1, 0, size, stream), "clearing a count");
    ENUF_TRY(enuf_placing_count(p, stream));
    ENUF_TRY(enuf_placing_scan(p->counts, n_counts, d->scan.at, (size_t)d->scan.bytes, stream));
    ENUF_CUDA_TRY(cudaMemcpy2DAsync(d->starts.at, size, p->counts, (size_t)p->blocks * size, size,
                                    n_starts, cudaMemcpyDeviceToDevice, stream),
                  "gathering counts of atoms");
    ENUF_CUDA_TRY(cudaMemcpyAsync(d->starts_here, d->starts.at, n_starts * size,
                                  cudaMemcpyDeviceToHost, stream),
                  "reading counts of atoms");
    ENUF_CUDA_TRY(cudaMemcpyAsync(&found, p->record, sizeof found, cudaMemcpyDeviceToHost, stream),
                  "reading what was wrong with positions");
    ENUF_CUDA_TRY(cudaStreamSynchronize(stream), "counting atoms for domains");
    if (found.bad_atom == ENUF_CUDA_NO_ATOM && found.far_atom == ENUF_CUDA_NO_ATOM)
        return ENUF_SUCCESS;
    return home->refuse(home->context, &found);
}

static enuf_status count(enuf_device_domain *d, const enuf_device_home *home, enuf_placing *p,
                         cudaStream_t stream)
{
    enuf_ranks *ranks = d->devices->ranks;
    const int *start = d->starts_here;
    ENUF_TRY(enuf_ranks_agree(ranks, find_starts(d, home, p, stream)));
    for (int r = 0; r < ranks->size; r++) {
        d->own.send[r] = r == ranks->rank ? 0 : start[r + 1] - start[r];
        d->ghosts.send[r] = start[ranks->size + r + 1] - start[ranks->size + r];
    }
    p->kept_first = start[ranks->rank];
    p->kept = start[ranks->rank + 1] - start[ranks->rank];
    enuf_exchange_count(ranks, &d->own);
    enuf_exchange_count(ranks, &d->ghosts);
    d->n_home = p->n;
    d->n_stayed = p->kept;
    d->n_own = d->n_stayed + d->own.n_receive;
    d->n_ghosts = d->ghosts.n_receive;
    return ENUF_SUCCESS;
}

static enuf_status reserve_rows(enuf_device_domain *d, enuf_placing *p)
{
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

static enuf_status exchange(enuf_device_domain *d, const enuf_placing *p, cudaStream_t stream)
{
    const size_t size = sizeof *d->row;
    ENUF_TRY(enuf_ranks_agree(d->devices->ranks, enuf_placing_pack(p, stream)));
    enuf_status status = enuf_device_exchange_forth(d->devices, &d->own, size, p->sent,
                                                    d->row + d->n_stayed, stream);
    const enuf_status of_ghosts = enuf_device_exchange_forth(
        d->devices, &d->ghosts, size, p->sent + d->own.n_send, d->row + d->n_own, stream);
    if (status == ENUF_SUCCESS) status = of_ghosts;
    return enuf_ranks_agree(d->devices->ranks, status);
}

enuf_status enuf_device_domain_place(enuf_device_domain *d, const enuf_device_home *home,
                                     cudaStream_t stream)
{
    enuf_ranks *ranks = d->devices->ranks;
    enuf_placing p = {
        .n = home->n,
        .positions = home->positions,
        .stride = home->stride,
        .q = home->q,
        .ranks = ranks->size,
        .me = ranks->rank,
        .once = home->once,
        .farthest = farthest,
        .record = home->record,
    };
    double reach[3];
    memcpy(p.rows, home->cell->cell, sizeof p.rows);
    memcpy(p.inverse, home->cell->inverse, sizeof p.inverse);
    ENUF_TRY(choose_domains(d, home));
    for (int k = 0; k < 3; k++) {
        p.count[k] = d->domains.count[k];
        reach[k] = home->cutoff / home->cell->height[k] * (1 + slack) + slack;
    }
    ENUF_TRY(enuf_ranks_agree(ranks, reserve_home(d, home->n, &p)));
    counting context = {d, &p, stream};
    enuf_status status = enuf_domains_cut_by(ranks, &d->domains, count_bins, &context);
    if (status == ENUF_SUCCESS) status = upload_cuts(d, &p, 3, stream);
    if (status == ENUF_SUCCESS) status = list_targets(d, reach);
    if (status == ENUF_SUCCESS) status = upload_targets(d, &p, stream);
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    make_box(d, home, reach);
    ENUF_TRY(count(d, home, &p, stream));
    ENUF_TRY(enuf_ranks_agree(ranks, reserve_rows(d, &p)));
    return exchange(d, &p, stream);
}

/* ---- The way back ---- */

enuf_status enuf_device_domain_bring_home(enuf_device_domain *d, int width, const double *found,
                                          const enuf_cuda_sorted_field *field,
                                          enuf_cuda_pair_record *record, double *home,
                                          cudaStream_t stream)
{
    const size_t size = (size_t)width * sizeof *found;
    ENUF_TRY(enuf_ranks_agree(
        d->devices->ranks,
        enuf_device_array_reserve(&d->memory, &d->back, d->own.n_send, size, "results of atoms")));
    ENUF_TRY(enuf_device_exchange_back(d->devices, &d->own, size, found + d->n_stayed * width,
                                       d->back.at, stream));
    if (field)
        return enuf_placing_bring_forces(d->n_home, d->slot.at, field, d->row, d->back.at, home,
                                         record, stream);
    return enuf_placing_bring_home(d->n_home, width, d->slot.at, found, d->back.at, home, stream);
}

/* Numbers of the rows that go to others, and of those that stay. */
static enuf_status number_rows(const enuf_device_domain *d, const int64_t *numbers, int64_t *sent,
                               int64_t *of_rows, cudaStream_t stream)
{
    const int64_t n_sent = d->own.n_send + d->ghosts.n_send;
    int *index = NULL;
    const int64_t most = n_sent > d->n_home ? n_sent : d->n_home;
    ENUF_TRY(enuf_allocate(&index, most, sizeof *index, "numbers of atoms"));
    cudaError_t error = cudaMemcpyAsync(index, d->source.at, (size_t)n_sent * sizeof *index,
                                        cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    for (int64_t k = 0; k < n_sent && error == cudaSuccess; k++) sent[k] = numbers[index[k]];
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(index, d->slot.at, (size_t)d->n_home * sizeof *index,
                                cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    for (int64_t i = 0; i < d->n_home && error == cudaSuccess; i++)
        if (index[i] >= 0) of_rows[index[i]] = numbers[i];
    enuf_release(&index);
    return error == cudaSuccess ? ENUF_SUCCESS : enuf_cuda_status(error, "reading places of atoms");
}

enuf_status enuf_device_domain_numbers(enuf_device_domain *d, const int64_t *numbers,
                                       int64_t **of_rows, cudaStream_t stream)
{
    enuf_ranks *ranks = d->devices->ranks;
    int64_t *sent = NULL;
    const int64_t n = d->n_own + d->n_ghosts, n_sent = d->own.n_send + d->ghosts.n_send;
    const size_t size = sizeof *sent;
    *of_rows = NULL;
    enuf_status status = enuf_allocate(of_rows, n, size, "numbers of atoms");
    if (status == ENUF_SUCCESS) status = enuf_allocate(&sent, n_sent, size, "numbers of atoms");
    if (status == ENUF_SUCCESS) status = number_rows(d, numbers, sent, *of_rows, stream);
    status = enuf_ranks_agree(ranks, status);
    if (status == ENUF_SUCCESS) {
        enuf_exchange_forth(ranks, &d->own, size, sent, *of_rows + d->n_stayed);
        enuf_exchange_forth(ranks, &d->ghosts, size, sent + d->own.n_send, *of_rows + d->n_own);
    } else {
        enuf_release(of_rows);
    }
    enuf_release(&sent);
    return status;
}
