/* replicated_cuda.h - every rank that leads a GPU has the whole mesh there: replicated.c with all
 * arrays in device memory. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_MPI_CUDA_REPLICATED_CUDA_H
#define ENUF_EWALD_MPI_CUDA_REPLICATED_CUDA_H

#include "reciprocal.h"

extern const enuf_reciprocal_table enuf_reciprocal_replicated_cuda;

#endif
