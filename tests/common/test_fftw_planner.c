/*
 * test_fftw_planner.c - what FFTW's planner is asked for. It gets the numbers of a batch as they
 * are, strides and distances beyond 2^31 too. It plans with one thread, because the threads of the
 * library share the passes; afterwards it has the number of threads that the program has set. The
 * linker (--wrap) puts functions of this test in the place of FFTW's.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "fft/fft_lines.h"

#include <fftw3.h>

enum { THREADS = 3 }; /* of the program's own plans */

static struct {
    int times, rank, n_each, threads, sign;
    fftw_iodim64 along, each;
    const void *in, *out;
} asked;

static fftw_plan record(int rank, const fftw_iodim64 *along, int n_each, const fftw_iodim64 *each,
                        const void *in, const void *out, int sign)
{
    asked.times++;
    asked.rank = rank;
    asked.along = *along;
    asked.n_each = n_each;
    asked.each = *each;
    asked.in = in;
    asked.out = out;
    asked.sign = sign;
    asked.threads = fftw_planner_nthreads();
    return (fftw_plan)&asked; /* never executed */
}

fftw_plan __wrap_fftw_plan_guru64_dft(int rank, const fftw_iodim64 *along, int n_each,
                                      const fftw_iodim64 *each, fftw_complex *in, fftw_complex *out,
                                      int sign, unsigned flags);
fftw_plan __wrap_fftw_plan_guru64_dft_r2c(int rank, const fftw_iodim64 *along, int n_each,
                                          const fftw_iodim64 *each, double *in, fftw_complex *out,
                                          unsigned flags);
fftw_plan __wrap_fftw_plan_guru64_dft_c2r(int rank, const fftw_iodim64 *along, int n_each,
                                          const fftw_iodim64 *each, fftw_complex *in, double *out,
                                          unsigned flags);
void __wrap_fftw_destroy_plan(fftw_plan plan);

fftw_plan __wrap_fftw_plan_guru64_dft(int rank, const fftw_iodim64 *along, int n_each,
                                      const fftw_iodim64 *each, fftw_complex *in, fftw_complex *out,
                                      int sign, unsigned flags)
{
    (void)flags;
    return record(rank, along, n_each, each, in, out, sign);
}

fftw_plan __wrap_fftw_plan_guru64_dft_r2c(int rank, const fftw_iodim64 *along, int n_each,
                                          const fftw_iodim64 *each, double *in, fftw_complex *out,
                                          unsigned flags)
{
    (void)flags;
    return record(rank, along, n_each, each, in, out, FFTW_FORWARD);
}

fftw_plan __wrap_fftw_plan_guru64_dft_c2r(int rank, const fftw_iodim64 *along, int n_each,
                                          const fftw_iodim64 *each, fftw_complex *in, double *out,
                                          unsigned flags)
{
    (void)flags;
    return record(rank, along, n_each, each, in, out, FFTW_BACKWARD);
}

void __wrap_fftw_destroy_plan(fftw_plan plan)
{
    CHECK((void *)plan == (void *)&asked);
}

static void check_batch(enuf_fft_kind kind, int sign)
{
    static double in, out;
    const int64_t far = INT64_C(3) << 31;
    const enuf_fft_batch b = {.kind = kind,
                              .sign = sign,
                              .n = 8,
                              .lines = 5,
                              .in_stride = far + 1,
                              .out_stride = far + 2,
                              .in_distance = 8 * far + 3,
                              .out_distance = 8 * far + 4,
                              .in = &in,
                              .out = &out};
    const enuf_fft_planning how = {.fft = ENUF_FFT_FFTW, .threads = 2};
    enuf_fft_lines *made = NULL;
    asked.times = 0;
    fftw_plan_with_nthreads(THREADS);
    CHECK_STATUS(enuf_fft_make(&how, 1, &b, &made), ENUF_SUCCESS);
    CHECK(asked.times == 1 && asked.rank == 1 && asked.n_each == 1);
    CHECK(asked.along.n == b.n && asked.each.n == b.lines && asked.sign == sign);
    CHECK(asked.along.is == b.in_stride && asked.along.os == b.out_stride);
    CHECK(asked.each.is == b.in_distance && asked.each.os == b.out_distance);
    CHECK(asked.in == b.in && asked.out == b.out);
    CHECK(asked.threads == 1);
    CHECK(fftw_planner_nthreads() == THREADS);
    enuf_fft_destroy(&made);
}

int main(void)
{
    fftw_init_threads();
    check_batch(ENUF_FFT_COMPLEX, -1);
    check_batch(ENUF_FFT_COMPLEX, 1);
    check_batch(ENUF_FFT_OF_REAL, -1);
    check_batch(ENUF_FFT_INTO_REAL, 1);
    return check_result();
}
