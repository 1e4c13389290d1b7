/*
 * line_fft.cuh - Fourier transforms of lines in shared memory, as parts of kernels that do more
 * with the lines: lengths without a prime factor above 7.
 *
 * Stockham's method: a stage of radix R takes butterflies of R numbers from one buffer and puts
 * them in order into the other. A block has LANES lines side by side, so that neighbouring threads
 * have the same butterfly of neighbouring lines; PITCH lets them put the numbers of one line side
 * by side too, without conflicts of banks. Source: Van Loan, Computational Frameworks for the Fast
 * Fourier Transform, SIAM (1992), section 1.7. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_LINE_FFT_CUH
#define ENUF_CUDA_LINE_FFT_CUH

#include "gram.h"
#include "cuda/fft/line_butterfly.cuh"

/** Lines of a block: 128 bytes of numbers side by side. */
template <class T> struct line_lanes {
    enum { N = 128 / (2 * sizeof(T)), PITCH = N + 1 };
};

/* A stage of radix R; `before` is the product of the radices before it. */
template <int R, int SIGN, class T>
static __device__ __forceinline__ void line_stage(const enuf_complex<T> *from, enuf_complex<T> *to,
                                                  const enuf_complex<T> *twiddle, int length,
                                                  int before)
{
    typedef enuf_complex<T> complex;
    enum { LANES = line_lanes<T>::N, PITCH = line_lanes<T>::PITCH };
    const int butterflies = length / R, step = butterflies / before;
    const unsigned int inverse = 0xffffffffu / (unsigned int)before + 1; /* before 1: not used */
    for (int b = threadIdx.x; b < butterflies * LANES; b += blockDim.x) {
        const int lane = b % LANES, j = b / LANES;
        const int group = before == 1 ? j : (int)__umulhi((unsigned int)j, inverse);
        const int k = j - group * before;
        complex v[R];
#pragma unroll
        for (int q = 0; q < R; q++) {
            v[q] = from[(j + q * butterflies) * PITCH + lane];
            if (q == 0 || before == 1) continue;
            const complex w = twiddle[q * k * step];
            v[q] = line_times<T>(v[q], SIGN < 0 ? w : line_conjugate<T>(w));
        }
        line_butterfly<R, SIGN, T>::run(v);
#pragma unroll
        for (int q = 0; q < R; q++) to[(group * before * R + k + q * before) * PITCH + lane] = v[q];
    }
    __syncthreads();
}

/** The transforms exp(SIGN 2 pi i k j/length) of the block's lines in a, [length][PITCH]. Returns
 * the buffer that has the result, a or b. All threads of the block; begins and ends with a barrier.
 * twiddle: exp(-2 pi i k/length). */
template <int SIGN, class T>
static __device__ __forceinline__ enuf_complex<T> *
line_transform(enuf_complex<T> *a, enuf_complex<T> *b, const enuf_complex<T> *twiddle,
               const enuf_cuda_gram_line &line)
{
    int before = 1;
    __syncthreads();
    for (int s = 0; s < line.stages; s++) {
        const int radix = line.radix[s], length = line.length;
        switch (radix) {
        case 2:
            line_stage<2, SIGN, T>(a, b, twiddle, length, before);
            break;
        case 3:
            line_stage<3, SIGN, T>(a, b, twiddle, length, before);
            break;
        case 4:
            line_stage<4, SIGN, T>(a, b, twiddle, length, before);
            break;
        case 5:
            line_stage<5, SIGN, T>(a, b, twiddle, length, before);
            break;
        case 7:
            line_stage<7, SIGN, T>(a, b, twiddle, length, before);
            break;
        default:
            line_stage<8, SIGN, T>(a, b, twiddle, length, before);
            break;
        }
        enuf_complex<T> *other = a;
        a = b;
        b = other;
        before *= radix;
    }
    return a;
}

#endif
