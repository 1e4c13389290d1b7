/* fft_lines.c - see fft_lines.h. SPDX-License-Identifier: BSD-3-Clause */
#include "fft_lines.h"
#include "fft_find.h"
#include "memory.h"

enuf_status enuf_fft_make(const enuf_fft_planning *how, int n, const enuf_fft_batch *batches,
                          enuf_fft_lines **made)
{
    enuf_fft_lines *lines;
    const size_t bytes = sizeof *lines + (size_t)n * sizeof *lines->line;
    *made = NULL;
    ENUF_TRY(enuf_allocate(&lines, 1, bytes, "FFTs"));
    *lines = (enuf_fft_lines){.n = n, .threads = how->threads, .single = how->single};
    lines->library = enuf_fft_library_of(how->fft);
    for (int k = 0; k < n; k++) lines->line[k] = (enuf_fft_line){.batch = batches[k]};
    const enuf_status status = lines->library->make(how, lines);
    if (status == ENUF_SUCCESS)
        *made = lines;
    else
        enuf_fft_destroy(&lines);
    return status;
}

int64_t enuf_fft_scratch_bytes(const enuf_fft_lines *made)
{
    return made ? made->scratch_bytes * made->threads : 0;
}

void enuf_fft_execute(const enuf_fft_lines *made, int k, void *in, void *out, int thread)
{
    made->library->execute(made, &made->line[k], in, out, thread);
}

enuf_status enuf_fft_check(const enuf_fft_lines *made)
{
    if (!made || !made->lacked || !__atomic_exchange_n(made->lacked, 0, __ATOMIC_RELAXED))
        return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for the scratch of an FFT");
}

void enuf_fft_destroy(enuf_fft_lines **made)
{
    if (!*made) return;
    (*made)->library->destroy(*made);
    enuf_release(made);
}
