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

#include "cuda/precision.cuh"
#include "gram.h"

/** Lines of a block: 128 bytes of numbers side by side. */
template <class T> struct line_lanes {
    enum { N = 128 / (2 * sizeof(T)), PITCH = N + 1 };
};

template <class T>
static __device__ __forceinline__ enuf_complex<T> line_times(enuf_complex<T> a, enuf_complex<T> b)
{
    return enuf_make_complex<T>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

template <class T>
static __device__ __forceinline__ enuf_complex<T> line_conjugate(enuf_complex<T> a)
{
    return enuf_make_complex<T>(a.x, -a.y);
}

/* i a of SIGN 1, -i a of SIGN -1 */
template <int SIGN, class T>
static __device__ __forceinline__ enuf_complex<T> line_turned(enuf_complex<T> a)
{
    return SIGN > 0 ? enuf_make_complex<T>(-a.y, a.x) : enuf_make_complex<T>(a.y, -a.x);
}

template <class T>
static __device__ __forceinline__ void line_two(enuf_complex<T> &a, enuf_complex<T> &b)
{
    const enuf_complex<T> difference = enuf_make_complex<T>(a.x - b.x, a.y - b.y);
    a = enuf_make_complex<T>(a.x + b.x, a.y + b.y);
    b = difference;
}

/* cos and sin of 2 pi k/R, k = 1 ... (R - 1)/2 */
template <int R> struct line_roots;
template <> struct line_roots<3> {
    static __device__ __forceinline__ double cosine(int)
    {
        return -0.5;
    }
    static __device__ __forceinline__ double sine(int)
    {
        return 0.86602540378443864676;
    }
};
template <> struct line_roots<5> {
    static __device__ __forceinline__ double cosine(int k)
    {
        return k == 1 ? 0.30901699437494742410 : -0.80901699437494742410;
    }
    static __device__ __forceinline__ double sine(int k)
    {
        return k == 1 ? 0.95105651629515357212 : 0.58778525229247312917;
    }
};
template <> struct line_roots<7> {
    static __device__ __forceinline__ double cosine(int k)
    {
        return k == 1   ? 0.62348980185873353053
               : k == 2 ? -0.22252093395631440429
                        : -0.90096886790241912624;
    }
    static __device__ __forceinline__ double sine(int k)
    {
        return k == 1   ? 0.78183148246802980871
               : k == 2 ? 0.97492791218182360702
                        : 0.43388373911755812048;
    }
};

/* The transform of R numbers, exp(SIGN 2 pi i ...): R odd. */
template <int R, int SIGN, class T> struct line_butterfly {
    static __device__ __forceinline__ void run(enuf_complex<T> v[R])
    {
        enum { HALF = R / 2 };
        enuf_complex<T> sum[HALF], difference[HALF], first = v[0];
#pragma unroll
        for (int k = 0; k < HALF; k++) {
            sum[k] = v[k + 1];
            difference[k] = v[R - 1 - k];
            line_two<T>(sum[k], difference[k]);
            v[0].x += sum[k].x;
            v[0].y += sum[k].y;
        }
#pragma unroll
        for (int q = 1; q <= HALF; q++) {
            enuf_complex<T> even = first, odd = enuf_make_complex<T>(0, 0);
#pragma unroll
            for (int k = 1; k <= HALF; k++) {
                const int turn = q * k % R, near = turn <= HALF ? turn : R - turn;
                const T c = (T)line_roots<R>::cosine(near);
                const T s =
                    (T)(turn <= HALF ? line_roots<R>::sine(near) : -line_roots<R>::sine(near));
                even.x += c * sum[k - 1].x;
                even.y += c * sum[k - 1].y;
                odd.x += s * difference[k - 1].x;
                odd.y += s * difference[k - 1].y;
            }
            v[q] = line_turned<SIGN, T>(odd);
            v[R - q] = even;
            line_two<T>(v[R - q], v[q]); /* even + i odd, even - i odd */
            const enuf_complex<T> minus = v[q];
            v[q] = v[R - q];
            v[R - q] = minus;
        }
    }
};

template <int SIGN, class T> struct line_butterfly<2, SIGN, T> {
    static __device__ __forceinline__ void run(enuf_complex<T> v[2])
    {
        line_two<T>(v[0], v[1]);
    }
};

template <int SIGN, class T> struct line_butterfly<4, SIGN, T> {
    static __device__ __forceinline__ void run(enuf_complex<T> v[4])
    {
        line_two<T>(v[0], v[2]);
        line_two<T>(v[1], v[3]);
        v[3] = line_turned<SIGN, T>(v[3]);
        line_two<T>(v[0], v[1]);
        line_two<T>(v[2], v[3]);
        const enuf_complex<T> second = v[1];
        v[1] = v[2];
        v[2] = second;
    }
};

template <int SIGN, class T> struct line_butterfly<8, SIGN, T> {
    static __device__ __forceinline__ void run(enuf_complex<T> v[8])
    {
        const T root = (T)0.70710678118654752440;
        enuf_complex<T> even[4], odd[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            even[k] = v[2 * k];
            odd[k] = v[2 * k + 1];
        }
        line_butterfly<4, SIGN, T>::run(even);
        line_butterfly<4, SIGN, T>::run(odd);
        odd[1] = line_times<T>(odd[1], enuf_make_complex<T>(root, SIGN * root));
        odd[2] = line_turned<SIGN, T>(odd[2]);
        odd[3] = line_times<T>(odd[3], enuf_make_complex<T>(-root, SIGN * root));
#pragma unroll
        for (int k = 0; k < 4; k++) {
            v[k] = even[k];
            v[k + 4] = odd[k];
            line_two<T>(v[k], v[k + 4]);
        }
    }
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
