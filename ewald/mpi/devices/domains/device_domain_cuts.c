/*
 * device_domain_cuts.c - cuts the domains of devices, and lists the domains within the cutoff of
 * each other. New cuts need a pass over the atoms and a reduction before all other work, 0.1 to 0.2
 * ms. So cuts change only when the domains have become uneven. The last bits of sums then depend on
 * earlier evaluations, unless the sums are deterministic.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "device_domain.h"
#include "memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Margin of fractions, so that rounding loses no ghost. */
static const double slack = 1e-9;

static_assert((int)ENUF_PLACING_BINS == (int)ENUF_DOMAIN_BINS, "bins of domains");

/* ---- Domains ---- */

int enuf_device_cuts_stand(const enuf_device_domain *d, const enuf_device_home *home)
{
    const enuf_device_cuts *c = &d->cuts;
    return c->exist && !c->uneven && !d->choice.outdated &&
           c->charge_changes == home->charge_changes && c->cutoff == home->cutoff &&
           memcmp(c->cell, home->cell->cell, sizeof c->cell) == 0;
}

/* The largest distance of rows in a copy of rows. */
static const int64_t most_pitch = (1LL << 31) - 1;

/* Copies every so many positions to the host. */
static enuf_status copy_sample(const enuf_device_domain *d, const enuf_device_home *home,
                               double **positions, enuf_domain_sample *sample, cudaStream_t stream)
{
    const int ranks = d->devices->ranks->size;
    const int64_t number = (int64_t)sizeof **positions;
    int64_t pitch = home->stride * enuf_domain_sample_step(ranks, home->n) * number;
    if (pitch > most_pitch) pitch = most_pitch / (home->stride * number) * home->stride * number;
    const int64_t n = enuf_domain_sample_size(ranks, home->n);
    ENUF_TRY(enuf_allocate(positions, 3 * n, sizeof **positions, "a sample of atoms"));
    *sample =
        (enuf_domain_sample){.n = home->n, .n_listed = n, .positions = *positions, .stride = 3};
    if (n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaMemcpy2DAsync(*positions, 3 * (size_t)number, home->positions, (size_t)pitch,
                                    3 * (size_t)number, (size_t)n, cudaMemcpyDeviceToHost, stream),
                  "copying a sample of positions");
    return enuf_device_wait_for_stream(d->devices, stream, "copying a sample of positions");
}

/* Collective, the same status on all: chooses the numbers of domains, if those in use do not
 * serve. */
static enuf_status choose_domains(enuf_device_domain *d, const enuf_device_home *home,
                                  cudaStream_t stream)
{
    enuf_ranks *ranks = d->devices->ranks;
    if (!enuf_domain_choice_serves(ranks, &d->choice, home->cell, home->cutoff)) {
        enuf_domain_sample sample = {0};
        double *positions = NULL;
        enuf_status status = copy_sample(d, home, &positions, &sample, stream);
        status = enuf_domain_choice_make(ranks, status, home->cell, home->cutoff, &home->weights,
                                         &sample, &d->choice);
        enuf_release(&positions);
        ENUF_TRY(status);
    }
    const int *count = d->choice.count;
    if (d->has_domains && memcmp(count, d->domains.count, sizeof d->domains.count) == 0)
        return ENUF_SUCCESS;
    enuf_domains_release(&d->domains);
    d->has_domains = d->cuts.exist = 0;
    ENUF_TRY(enuf_ranks_agree(ranks, enuf_domains_create(ranks, count, &d->domains)));
    d->has_domains = 1;
    return ENUF_SUCCESS;
}

static int64_t bins_of(const enuf_domains *domains, int d)
{
    return enuf_domains_pieces_before(domains, d) * ENUF_DOMAIN_BINS;
}

static enuf_status reserve_cuts(enuf_device_domain *d)
{
    int64_t pieces = 0;
    for (int k = 0; k < 3; k++) pieces += bins_of(&d->domains, k);
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->pieces, pieces, sizeof(int), "domains"));
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->histogram, bins_of(&d->domains, 2),
                                       sizeof(int64_t), "counts of atoms in bins"));
    int *piece = d->pieces.at;
    for (int k = 0; k < 3; k++) {
        d->placing.piece[k] = piece;
        d->placing.count[k] = d->domains.count[k];
        piece += bins_of(&d->domains, k);
    }
    return ENUF_SUCCESS;
}

/* The context of the function that counts atoms for domains.c. */
typedef struct counting {
    enuf_device_domain *domain;
    const enuf_placing *placing;
    cudaStream_t stream;
} counting;

/* Copies the cuts of the directions before this one to the device. */
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
    return enuf_device_wait_for_stream(domain->devices, c->stream, "counting atoms in bins");
}

/* ---- Domains near each other ---- */

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
        if (of->low[k] == of->high[k]) return ENUF_SUCCESS; /* a domain without bins has no atoms */
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

/* Makes the box of this rank's rows. */
static void make_box(enuf_device_domain *d, const enuf_device_home *home, const double reach[3])
{
    const enuf_domain *mine = d->domains.domain + d->devices->ranks->rank;
    for (int k = 0; k < 3; k++) {
        double part = 1;
        if (d->domains.count[k] > 1 && !home->unshifted)
            part = (double)(mine->high[k] - mine->low[k]) / ENUF_DOMAIN_BINS + 3 * reach[k];
        for (int e = 0; e < 3; e++) d->box[3 * k + e] = part * home->cell->cell[3 * k + e];
    }
}

static enuf_status upload_targets(enuf_device_domain *d, cudaStream_t stream)
{
    const size_t bytes = (size_t)d->n_listed * sizeof *d->listed;
    ENUF_TRY(enuf_device_array_reserve(&d->memory, &d->targets, d->n_listed, sizeof *d->listed,
                                       "images of domains"));
    if (bytes > 0)
        ENUF_CUDA_TRY(
            cudaMemcpyAsync(d->targets.at, d->listed, bytes, cudaMemcpyHostToDevice, stream),
            "copying domains to the GPU");
    return ENUF_SUCCESS;
}

/* Finds the images and the box of the rows, for the present cell. */
static enuf_status find_images(enuf_device_domain *d, const enuf_device_home *home,
                               const double reach[3], cudaStream_t stream)
{
    ENUF_TRY(list_targets(d, reach));
    ENUF_TRY(upload_targets(d, stream));
    make_box(d, home, reach);
    return ENUF_SUCCESS;
}

static enuf_status make_cuts(enuf_device_domain *d, cudaStream_t stream)
{
    counting context = {d, &d->placing, stream};
    ENUF_TRY(enuf_ranks_agree(d->devices->ranks, reserve_cuts(d)));
    const enuf_status status =
        enuf_domains_cut_by(d->devices->ranks, &d->domains, count_bins, &context);
    ENUF_TRY(status);
    return upload_cuts(d, &d->placing, 3, stream);
}

enuf_status enuf_device_domain_cut(enuf_device_domain *d, const enuf_device_home *home, int anew,
                                   int *made, cudaStream_t stream)
{
    enuf_device_cuts *c = &d->cuts;
    double reach[3];
    *made = 0;
    if (!anew && enuf_device_cuts_stand(d, home)) return ENUF_SUCCESS;
    ENUF_TRY(choose_domains(d, home, stream));
    for (int k = 0; k < 3; k++)
        reach[k] = home->cutoff / home->cell->height[k] * (1 + slack) + slack;
    *made = anew || !c->exist || c->uneven || c->charge_changes != home->charge_changes;
    c->exist = 0; /* 1 after all steps have succeeded */
    enuf_status status = *made ? make_cuts(d, stream) : ENUF_SUCCESS;
    if (status == ENUF_SUCCESS) status = find_images(d, home, reach, stream);
    ENUF_TRY(enuf_ranks_agree(d->devices->ranks, status));
    *c = (enuf_device_cuts){.exist = 1,
                            .cutoff = home->cutoff,
                            .charge_changes = home->charge_changes,
                            .most = c->most};
    memcpy(c->cell, home->cell->cell, sizeof c->cell);
    return ENUF_SUCCESS;
}
