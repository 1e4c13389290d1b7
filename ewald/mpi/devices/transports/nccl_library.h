/*
 * nccl_library.h - NCCL's functions, from its shared library at run time: an enuf with GPU support
 * is built and starts where NCCL is not installed. Names and numbers are those of NCCL's interface
 * (nccl.h of 2.14 and later, docs.nvidia.com/deeplearning/nccl), which does not change within a
 * major version.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICES_NCCL_LIBRARY_H
#define ENUF_EWALD_MPI_DEVICES_NCCL_LIBRARY_H

#include <cuda_runtime_api.h>
#include <stddef.h>

typedef struct ncclComm *enuf_nccl_comm;
typedef struct enuf_nccl_id {
    char internal[128];
} enuf_nccl_id;

/* ncclConfig_t of 2.14, which every later version reads. */
typedef struct enuf_nccl_config {
    size_t size;
    unsigned int magic, version;
    int blocking;
} enuf_nccl_config;

#define ENUF_NCCL_NONBLOCKING                                                                      \
    {                                                                                              \
        sizeof(enuf_nccl_config), 0xcafebeef, 21400, 0                                             \
    }

enum {
    ENUF_NCCL_SUCCESS = 0,
    ENUF_NCCL_IN_PROGRESS = 7,
    ENUF_NCCL_INT8 = 0,
    ENUF_NCCL_INT64 = 4,
    ENUF_NCCL_FLOAT32 = 7,
    ENUF_NCCL_FLOAT64 = 8,
    ENUF_NCCL_SUM = 0,
};

/* X(name, arguments): the functions used; all return a result but GetErrorString */
#define ENUF_NCCL_FUNCTIONS(X)                                                                     \
    X(GetUniqueId, (enuf_nccl_id * id))                                                            \
    X(CommInitRankConfig,                                                                          \
      (enuf_nccl_comm * comm, int ranks, enuf_nccl_id id, int rank, enuf_nccl_config *config))     \
    X(CommDestroy, (enuf_nccl_comm comm))                                                          \
    X(CommAbort, (enuf_nccl_comm comm))                                                            \
    X(CommGetAsyncError, (enuf_nccl_comm comm, int *error))                                        \
    X(AllReduce, (const void *sent, void *received, size_t count, int type, int operation,         \
                  enuf_nccl_comm comm, cudaStream_t stream))                                       \
    X(Send, (const void *sent, size_t count, int type, int to, enuf_nccl_comm comm,                \
             cudaStream_t stream))                                                                 \
    X(Recv, (void *received, size_t count, int type, int from, enuf_nccl_comm comm,                \
             cudaStream_t stream))                                                                 \
    X(GroupStart, (void))                                                                          \
    X(GroupEnd, (void))

typedef struct enuf_nccl_functions {
#define ENUF_X(name, arguments) int(*name) arguments;
    ENUF_NCCL_FUNCTIONS(ENUF_X)
#undef ENUF_X
    const char *(*GetErrorString)(int result);
} enuf_nccl_functions;

/** Valid once enuf_nccl_load() has returned 1. */
extern enuf_nccl_functions enuf_nccl;

/** Loads the library at the first call. Returns 0 with a reason if it is not available. */
int enuf_nccl_load(const char **reason);

#endif
