/* type3_cuda.h - the GPU's table of passes of type 3. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CUDA_TYPE3_CUDA_H
#define ENUF_CUDA_TYPE3_CUDA_H

#include "plan/backend.h"

extern const enuf_type3_passes enuf_cuda_type3;

#endif
