/* sums_float.cu - pairs and modes of batches in float. SPDX-License-Identifier: BSD-3-Clause */
#include "sums.cuh"

extern "C" {

int64_t enuf_batch_shared_f32(const enuf_batch_system *system, int64_t atoms)
{
    return shared_bytes<float>(*system, atoms);
}

enuf_status enuf_batch_prepare_f32(void)
{
    return prepare<float>();
}

enuf_status enuf_batch_launch_f32(const enuf_batch_arguments *arguments, cudaStream_t stream)
{
    return launch<float>(arguments, stream);
}
}
