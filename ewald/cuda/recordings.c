/* recordings.c - see recordings.h. SPDX-License-Identifier: BSD-3-Clause */
#include "recordings.h"
#include "device.h"

#include <string.h>

static void forget(enuf_cuda_recording *recording)
{
    if (recording->graph) cudaGraphExecDestroy(recording->graph);
    memset(recording, 0, sizeof *recording);
}

void enuf_cuda_forget_recordings(enuf_cuda_recordings *recordings)
{
    for (int k = 0; k < RECORDINGS; k++) forget(&recordings->of[k]);
    cudaGetLastError();
}

static enuf_cuda_recording *find(enuf_cuda_recordings *recordings, const void *key, size_t bytes)
{
    enuf_cuda_recording *oldest = &recordings->of[0];
    for (int k = 0; k < RECORDINGS; k++) {
        enuf_cuda_recording *r = &recordings->of[k];
        if (r->uses > 0 && memcmp(r->key, key, bytes) == 0) return r;
        if (r->latest < oldest->latest) oldest = r;
    }
    forget(oldest);
    memcpy(oldest->key, key, bytes);
    return oldest;
}

static enuf_status record(const enuf_cuda_sequence *s, cudaGraphExec_t *made)
{
    cudaGraph_t graph = NULL;
    ENUF_CUDA_TRY(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal), s->what);
    *s->recording = 1;
    enuf_status status = s->enqueue(s->context);
    *s->recording = 0;
    cudaError_t error = cudaStreamEndCapture(s->stream, &graph);
    if (status == ENUF_SUCCESS && error == cudaSuccess)
        error = cudaGraphInstantiate(made, graph, 0);
    if (graph) cudaGraphDestroy(graph);
    if (status != ENUF_SUCCESS) {
        cudaGetLastError();
        return status;
    }
    ENUF_CUDA_TRY(error, s->what);
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_find_graph(enuf_cuda_recordings *recordings, const void *key, size_t bytes,
                                 const enuf_cuda_sequence *sequence, cudaGraphExec_t *graph)
{
    enuf_cuda_recording *recording = find(recordings, key, bytes);
    recording->latest = ++recordings->calls;
    recording->uses++;
    if (recording->uses == 2) ENUF_TRY(record(sequence, &recording->graph));
    *graph = recording->graph;
    return ENUF_SUCCESS;
}
