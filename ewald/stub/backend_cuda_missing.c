/*
 * backend_cuda_missing.c - stands where the CUDA backend would: an empty table, which
 * enuf_ewald_backend_find() refuses. SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/backend.h"

const enuf_ewald_backend enuf_ewald_backend_cuda = {.name = "cuda", .kind = ENUF_BACKEND_CUDA};
