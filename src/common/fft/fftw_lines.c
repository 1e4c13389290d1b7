/* fftw_lines.c - lines of numbers by functions with FFTW's interface. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "fftw_turned.h"
#include "memory.h"

#include <string.h>

static void *plan_of(const enuf_fftw_functions *f, unsigned flags, const enuf_fft_batch *b)
{
    const enuf_fftw_dimension along = {b->n, b->in_stride, b->out_stride};
    const enuf_fftw_dimension each = {b->lines, b->in_distance, b->out_distance};
    const int several = b->lines > 1;
    switch (b->kind) {
    case ENUF_FFT_COMPLEX:
        return f->plan_guru64_dft(1, &along, several, &each, b->in, b->out, b->sign, flags);
    case ENUF_FFT_OF_REAL:
        return f->plan_guru64_dft_r2c(1, &along, several, &each, b->in, b->out, flags);
    case ENUF_FFT_INTO_REAL:
        return f->plan_guru64_dft_c2r(1, &along, several, &each, b->in, b->out, flags);
    }
    return NULL;
}

static enuf_status make_scratch(enuf_fft_lines *lines)
{
    int64_t most = 0;
    for (int k = 0; k < lines->n; k++) {
        const enuf_fft_batch *b = &lines->line[k].batch;
        const int64_t bytes = enuf_fftw_is_turned(lines, b) ? enuf_fftw_turned_bytes(lines, b) : 0;
        if (bytes > most) most = bytes;
    }
    if (most == 0) return ENUF_SUCCESS;
    lines->scratch_bytes = (most / 64 + 1) * 64;
    ENUF_TRY(enuf_allocate(&lines->scratch, lines->threads, (size_t)lines->scratch_bytes,
                           "scratch of the FFTs"));
    memset(lines->scratch, 0, (size_t)(lines->threads * lines->scratch_bytes));
    return ENUF_SUCCESS;
}

enuf_status enuf_fftw_make(const enuf_fftw_functions *f, unsigned flags, enuf_fft_lines *lines)
{
    lines->functions = f;
    ENUF_TRY(make_scratch(lines));
    for (int k = 0; k < lines->n; k++) {
        enuf_fft_line *line = &lines->line[k];
        if (line->batch.lines == 0) continue;
        const enuf_fft_batch *b = &line->batch;
        const enuf_fft_batch turned = enuf_fftw_turned(b, lines->scratch);
        line->plan = plan_of(f, flags, enuf_fftw_is_turned(lines, b) ? &turned : b);
        if (!line->plan)
            return enuf_fail(ENUF_INTERNAL, "%s made no plan for %lld lines of %lld numbers",
                             lines->library->title, (long long)line->batch.lines,
                             (long long)line->batch.n);
    }
    return ENUF_SUCCESS;
}

void enuf_fftw_execute(const enuf_fft_lines *lines, const enuf_fft_line *line, void *in, void *out,
                       int thread)
{
    const enuf_fftw_functions *f = lines->functions;
    switch (line->batch.kind) {
    case ENUF_FFT_COMPLEX:
        if (enuf_fftw_is_turned(lines, &line->batch))
            enuf_fftw_execute_turned(f, lines, line, in, out, thread);
        else
            f->execute_dft(line->plan, in, out);
        break;
    case ENUF_FFT_OF_REAL:
        f->execute_dft_r2c(line->plan, in, out);
        break;
    case ENUF_FFT_INTO_REAL:
        f->execute_dft_c2r(line->plan, in, out);
        break;
    }
}

void enuf_fftw_destroy(enuf_fft_lines *lines)
{
    const enuf_fftw_functions *f = lines->functions;
    for (int k = 0; k < lines->n; k++)
        if (lines->line[k].plan) f->destroy_plan(lines->line[k].plan);
    enuf_release(&lines->scratch);
}
