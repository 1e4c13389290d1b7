/* nccl_library.c - see nccl_library.h. SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_library.h"
#include "shared_library.h"

enuf_nccl_functions enuf_nccl;

static enuf_shared_library library = {.name = "NCCL",
                                      .files = {"libnccl.so.2"},
                                      .packages = "package libnccl2, or pip's nvidia-nccl",
                                      .lock = PTHREAD_MUTEX_INITIALIZER};

static const enuf_shared_function functions[] = {{"ncclGetErrorString", &enuf_nccl.GetErrorString},
#define ENUF_X(name, arguments) {"nccl" #name, &enuf_nccl.name},
                                                 ENUF_NCCL_FUNCTIONS(ENUF_X)
#undef ENUF_X
};

int enuf_nccl_load(const char **reason)
{
    return enuf_shared_library_load(&library, functions,
                                    (int)(sizeof functions / sizeof *functions), reason);
}
