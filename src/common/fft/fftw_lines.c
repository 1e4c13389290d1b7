/* fftw_lines.c - lines of numbers by functions with FFTW's interface. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "fftw_interface.h"

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

enuf_status enuf_fftw_make(const enuf_fftw_functions *f, unsigned flags, enuf_fft_lines *lines)
{
    lines->functions = f;
    for (int k = 0; k < lines->n; k++) {
        enuf_fft_line *line = &lines->line[k];
        if (line->batch.lines == 0) continue;
        line->plan = plan_of(f, flags, &line->batch);
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
    (void)thread;
    switch (line->batch.kind) {
    case ENUF_FFT_COMPLEX:
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
}
