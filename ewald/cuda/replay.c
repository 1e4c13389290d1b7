/*
 * replay.c - a whole evaluation: kernel by kernel the first time, later, with the same request, as
 * a CUDA graph. A host takes some 4 microseconds to launch a kernel, and an evaluation has more
 * than twenty; small systems would wait for the launches. Within the graph most kernels start while
 * the one before them ends (chain.cuh). SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda_ewald.h"

#include <assert.h>
#include <string.h>

static enuf_cuda_request_key key_of(const enuf_ewald *ewald, const enuf_evaluation *what)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_charge_set *set = &ewald->charges;
    enuf_cuda_request_key key;
    memset(&key, 0, sizeof key); /* keys are compared as bytes */
    key.positions = cuda->atoms.positions;
    key.stride = cuda->atoms.stride;
    key.to = cuda->to;
    key.totals = what->result->totals;
    key.wanted = what->wanted;
    key.real = what->real;
    key.reciprocal = what->reciprocal;
    key.add = what->memory == ENUF_DEVICE && what->result->add;
    key.number_changes = cuda->number_changes;
    key.n_charged = set->n_charged;
    key.n_excluded = set->n_excluded;
    key.lists = set->n_excluded > 0 ? cuda->excluded_first.at : NULL;
    key.largest = enuf_cuda_largest_charge(ewald);
    key.sum_q2 = set->on_device && !ewald->options.deterministic ? 0 : set->sum_q2;
    key.net_charge = set->on_device ? 0 : set->sum;
    key.on_device = set->on_device;
    key.method_changes = ewald->method_changes;
    key.allocations = cuda->memory.allocations;
    memcpy(key.cell, ewald->geometry.cell, sizeof key.cell);
    return key;
}

typedef struct request {
    enuf_ewald *ewald;
    const enuf_evaluation *what;
} request;

static enuf_status enqueue(void *context)
{
    const request *r = context;
    return enuf_cuda_enqueue(r->ewald, r->what);
}

/* Kernel by kernel on the object's own streams, in order with the caller's stream. */
static enuf_status run_once(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    ENUF_TRY(enuf_cuda_order(cuda->stream, cuda->event[EVENT_FORK], cuda->work));
    ENUF_TRY(enuf_cuda_enqueue(ewald, what));
    return enuf_cuda_order(cuda->work, cuda->event[EVENT_JOIN], cuda->stream);
}

enuf_status enuf_cuda_start(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    ENUF_TRY(enuf_cuda_prepare(ewald, what));
    /* the plan may have moved its arrays */
    if (cuda->n != ewald->charges.n) cuda->number_changes++;
    cuda->n = ewald->charges.n;
    const enuf_cuda_request_key key = key_of(ewald, what);
    request r = {ewald, what};
    const enuf_cuda_sequence sequence = {.enqueue = enqueue,
                                         .context = &r,
                                         .stream = cuda->work,
                                         .recording = &cuda->recording,
                                         .what = "recording an evaluation"};
    cudaGraphExec_t graph;
    static_assert(sizeof key <= ENUF_CUDA_KEY_BYTES, "room for the key");
    ENUF_TRY(enuf_cuda_find_graph(&cuda->recordings, &key, sizeof key, &sequence, &graph));
    ENUF_TRY(enuf_cuda_time(cuda, EVENT_START, cuda->stream));
    if (graph)
        ENUF_CUDA_TRY(cudaGraphLaunch(graph, cuda->stream), "replaying an evaluation");
    else
        ENUF_TRY(run_once(ewald, what));
    ENUF_TRY(enuf_cuda_time(cuda, EVENT_END, cuda->stream));
    if (what->result->totals) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_send_results(ewald, what));
    cuda->sums_sent = 1;
    return ENUF_SUCCESS;
}
