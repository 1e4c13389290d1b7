/* gram_engine.c - a Gram operator of the cpu backend. SPDX-License-Identifier: BSD-3-Clause */
#include "gram_kernels.h"

static enuf_status make(enuf_gram *gram)
{
    const int single = gram->options.precision == ENUF_FLOAT;
    const size_t number = enuf_number_size(gram->base);
    ENUF_TRY(enuf_fft_find(gram->options.fft, &gram->options.fft));
    ENUF_TRY(
        enuf_allocate(&gram->spectrum, gram->n_spectrum, number, "a Gram operator's spectrum"));
    ENUF_TRY(enuf_allocate(&gram->work, gram->n_work, 2 * number, "a Gram operator's modes"));
    gram->scratch_step = enuf_gram_room_of(gram).all * 2 * (int64_t)enuf_number_size(gram->base);
    ENUF_TRY(enuf_allocate(&gram->scratch, gram->base->threads * gram->scratch_step, 1,
                           "a Gram operator's planes"));
    return single ? enuf_cpu_gram_passes_f32(gram) : enuf_cpu_gram_passes_f64(gram);
}

static void destroy(enuf_gram *gram)
{
    enuf_fft_destroy(&gram->passes);
    enuf_release(&gram->spectrum);
    enuf_release(&gram->work);
    enuf_release(&gram->scratch);
}

static int64_t bytes(const enuf_gram *gram)
{
    return (int64_t)enuf_number_size(gram->base) * (gram->n_spectrum + 2 * gram->n_work) +
           gram->scratch_step * gram->base->threads + enuf_fft_scratch_bytes(gram->passes);
}

static enuf_status apply(enuf_gram *gram, const void *in, void *out)
{
    const int finite = gram->options.precision == ENUF_FLOAT
                           ? enuf_cpu_gram_apply_f32(gram, in, out)
                           : enuf_cpu_gram_apply_f64(gram, in, out);
    ENUF_TRY(enuf_fft_check(gram->passes));
    if (!finite)
        return enuf_fail(ENUF_NOT_FINITE,
                         "enuf_gram_apply: a result is NaN or infinite, as a mode may be");
    return ENUF_SUCCESS;
}

const enuf_gram_engine enuf_cpu_gram = {
    .make = make, .destroy = destroy, .bytes = bytes, .fill = enuf_cpu_gram_fill, .apply = apply};
