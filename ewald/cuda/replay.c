/*
 * replay.c - a whole evaluation: kernel by kernel the first time, later, with the same request, as
 * a CUDA graph. A host takes some 4 microseconds to launch a kernel, and an evaluation has more
 * than twenty; small systems would wait for the launches. Within the graph most kernels start while
 * the one before them ends (chain.cuh). SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda_ewald.h"

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

static void forget(enuf_cuda_recording *recording)
{
    if (recording->graph) cudaGraphExecDestroy(recording->graph);
    memset(recording, 0, sizeof *recording);
}

void enuf_cuda_forget_recordings(enuf_cuda_ewald *cuda)
{
    for (int k = 0; k < RECORDINGS; k++) forget(&cuda->recording_of[k]);
    cudaGetLastError();
}

/* The recording of a request. A new request replaces the oldest recording. */
static enuf_cuda_recording *find(enuf_cuda_ewald *cuda, const enuf_cuda_request_key *key)
{
    enuf_cuda_recording *oldest = &cuda->recording_of[0];
    for (int k = 0; k < RECORDINGS; k++) {
        enuf_cuda_recording *r = &cuda->recording_of[k];
        if (r->evaluations > 0 && memcmp(&r->key, key, sizeof *key) == 0) return r;
        if (r->latest < oldest->latest) oldest = r;
    }
    forget(oldest);
    oldest->key = *key;
    return oldest;
}

static enuf_status record(enuf_ewald *ewald, const enuf_evaluation *what, cudaGraphExec_t *made)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    cudaGraph_t graph = NULL;
    ENUF_CUDA_TRY(cudaStreamBeginCapture(cuda->work, cudaStreamCaptureModeThreadLocal),
                  "recording an evaluation");
    cuda->recording = 1;
    enuf_status status = enuf_cuda_enqueue(ewald, what);
    cuda->recording = 0;
    cudaError_t error = cudaStreamEndCapture(cuda->work, &graph);
    if (status == ENUF_SUCCESS && error == cudaSuccess)
        error = cudaGraphInstantiate(made, graph, 0);
    if (graph) cudaGraphDestroy(graph);
    if (status != ENUF_SUCCESS) {
        cudaGetLastError();
        return status;
    }
    ENUF_CUDA_TRY(error, "recording an evaluation");
    return ENUF_SUCCESS;
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
    enuf_cuda_recording *recording = find(cuda, &key);
    recording->latest = ++cuda->evaluations;
    recording->evaluations++;
    /* the first time libraries load kernels and allocate; a recording must not contain that */
    if (recording->evaluations == 2) ENUF_TRY(record(ewald, what, &recording->graph));
    ENUF_TRY(enuf_cuda_time(cuda, EVENT_START, cuda->stream));
    if (recording->graph)
        ENUF_CUDA_TRY(cudaGraphLaunch(recording->graph, cuda->stream), "replaying an evaluation");
    else
        ENUF_TRY(run_once(ewald, what));
    ENUF_TRY(enuf_cuda_time(cuda, EVENT_END, cuda->stream));
    if (what->result->totals) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_send_results(ewald, what));
    cuda->sums_sent = 1;
    return ENUF_SUCCESS;
}
