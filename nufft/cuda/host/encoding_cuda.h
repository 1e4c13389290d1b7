/* encoding_cuda.h - passes over samples and pixels, with the plan's device current.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_NUFFT_ENCODING_CUDA_H
#define ENUF_NUFFT_ENCODING_CUDA_H

#include "encoding/passes.h"

extern const enuf_encoding_passes enuf_cuda_encoding;

#endif
