/* sums_double.cu - pairs and modes of batches in double. SPDX-License-Identifier: BSD-3-Clause */
#include "sums.cuh"

extern "C" {

int64_t enuf_batch_shared_f64(const enuf_batch_system *system, int64_t atoms)
{
    return shared_bytes<double>(*system, atoms);
}

enuf_status enuf_batch_prepare_f64(void)
{
    return prepare<double>();
}

enuf_status enuf_batch_launch_f64(const enuf_batch_arguments *arguments, cudaStream_t stream)
{
    return launch<double>(arguments, stream);
}
}
