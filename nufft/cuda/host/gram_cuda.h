/* gram_cuda.h - a Gram operator of the cuda backend. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_NUFFT_GRAM_CUDA_H
#define ENUF_NUFFT_GRAM_CUDA_H

#include "gram/object.h"

extern const enuf_gram_engine enuf_cuda_gram_engine;

#endif
