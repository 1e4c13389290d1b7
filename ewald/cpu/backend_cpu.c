/* backend_cpu.c - the table of the CPU backend. SPDX-License-Identifier: BSD-3-Clause */
#include "evaluate.h"
#include "batch/batch.h"
#include "object/ewald_object.h"
#include "pairs.h"
#include "verify/exact_backend.h"

static enuf_status create(enuf_ewald *ewald)
{
    return enuf_pairs_create_cpu(&ewald->pairs);
}

static void destroy(enuf_ewald *ewald)
{
    enuf_pairs_destroy_cpu(&ewald->pairs);
}

static int64_t bytes(const enuf_ewald *ewald)
{
    return enuf_pairs_bytes_cpu(ewald->pairs);
}

const enuf_ewald_backend ENUF_OF_SET(enuf_ewald_backend_cpu) = {
    .name = "cpu",
    .kind = ENUF_BACKEND_CPU,
    .mesh_memory = ENUF_HOST,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .start = enuf_ewald_start_cpu,
    .finish = enuf_ewald_finish_cpu,
    .pairs_create = enuf_pairs_create_cpu,
    .pairs_destroy = enuf_pairs_destroy_cpu,
    .pairs_sum = enuf_pairs_sum_cpu,
    .pairs_bytes = enuf_pairs_bytes_cpu,
    .order = enuf_order_atoms,
    .pairs_differentiate = enuf_pairs_differentiate_cpu,
    .matrix_make = enuf_pairs_matrix_cpu,
    .matrix_multiply = enuf_pairs_multiply_cpu,
    .exact = &enuf_exact_backend_cpu,
    .batch = &enuf_batch_engine_cpu,
};
