/* ducc0.c - DUCC0's FFT. SPDX-License-Identifier: BSD-3-Clause */
#include "ducc0_kernels.h"
#include "fft_library.h"
#include "memory.h"

ENUF_DEFINE_TABLE_OF(enuf_ducc0_kernels, enuf_ducc0_kernels)

static int usable(const char **detail)
{
    *detail = "DUCC0 " ENUF_DUCC0_VERSION;
    return 1;
}

static enuf_status make(const enuf_fft_planning *how, enuf_fft_lines *lines)
{
    enuf_isa isa;
    int64_t most = 0;
    ENUF_TRY(enuf_isa_find(how->isa, &isa));
    const enuf_ducc0_kernels *kernels = lines->functions = enuf_ducc0_kernels_of(isa);
    for (int k = 0; k < lines->n; k++) {
        enuf_fft_line *line = &lines->line[k];
        int64_t bytes = 0;
        if (line->batch.lines == 0) continue;
        line->plan = kernels->make(&line->batch, how->single, &bytes);
        if (!line->plan)
            return enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for an FFT of %lld numbers",
                             (long long)line->batch.n);
        if (bytes > most) most = bytes;
    }
    lines->scratch_bytes = (most / 64 + 1) * 64;
    ENUF_TRY(enuf_allocate(&lines->lacked, 1, sizeof *lines->lacked, "a flag of the FFTs"));
    *lines->lacked = 0;
    return enuf_allocate(&lines->scratch, lines->threads, (size_t)lines->scratch_bytes,
                         "scratch of the FFTs");
}

static void execute(const enuf_fft_lines *lines, const enuf_fft_line *line, void *in, void *out,
                    int thread)
{
    const enuf_ducc0_kernels *kernels = lines->functions;
    if (!kernels->execute(line->plan, in, out,
                          (char *)lines->scratch + thread * lines->scratch_bytes))
        __atomic_store_n(lines->lacked, 1, __ATOMIC_RELAXED);
}

static void destroy(enuf_fft_lines *lines)
{
    const enuf_ducc0_kernels *kernels = lines->functions;
    for (int k = 0; k < lines->n; k++)
        if (lines->line[k].plan) kernels->destroy(lines->line[k].plan);
    enuf_release(&lines->scratch);
    enuf_release(&lines->lacked);
}

const enuf_fft_library enuf_fft_library_ducc0 = {
    .title = "DUCC0", .usable = usable, .make = make, .execute = execute, .destroy = destroy};
