/*
 * line_butterfly.cuh - Fourier transforms of a few numbers in registers, and their way to memory.
 * Source: Van Loan, Computational Frameworks for the Fast Fourier Transform, SIAM (1992): prime
 * lengths by sums and differences, products of coprime lengths without factors (section 3.2).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_LINE_BUTTERFLY_CUH
#define ENUF_CUDA_LINE_BUTTERFLY_CUH

#include "cuda/precision.cuh"

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

/* cos and sin of 2 pi k/R for the factors of 3 x 3 and 4 x 4 */
template <> struct line_roots<9> {
    static __device__ __forceinline__ double cosine(int k)
    {
        return k == 1   ? 0.76604444311897803520
               : k == 2 ? 0.17364817766693034885
                        : -0.93969262078590838405;
    }
    static __device__ __forceinline__ double sine(int k)
    {
        return k == 1   ? 0.64278760968653932632
               : k == 2 ? 0.98480775301220805937
                        : 0.34202014332566873304;
    }
};
template <> struct line_roots<16> {
    static __device__ __forceinline__ double cosine(int k)
    {
        return k == 1   ? 0.92387953251128675613
               : k == 2 ? 0.70710678118654752440
               : k == 3 ? 0.38268343236508977173
               : k == 4 ? 0
               : k == 6 ? -0.70710678118654752440
                        : -0.92387953251128675613;
    }
    static __device__ __forceinline__ double sine(int k)
    {
        return k == 1   ? 0.38268343236508977173
               : k == 2 ? 0.70710678118654752440
               : k == 3 ? 0.92387953251128675613
               : k == 4 ? 1
               : k == 6 ? 0.70710678118654752440
                        : -0.38268343236508977173;
    }
};

/* R = A A: number A a + b, frequency f + A g, factor exp(SIGN 2 pi i b f/R). */
template <int A, int SIGN, class T> struct line_square {
    static __device__ __forceinline__ void run(enuf_complex<T> v[A * A])
    {
        enuf_complex<T> w[A][A]; /* [f][b] */
#pragma unroll
        for (int b = 0; b < A; b++) {
            enuf_complex<T> part[A];
#pragma unroll
            for (int a = 0; a < A; a++) part[a] = v[A * a + b];
            line_butterfly<A, SIGN, T>::run(part);
#pragma unroll
            for (int f = 0; f < A; f++) {
                const T c = (T)line_roots<A * A>::cosine(b * f);
                const T s = (T)(SIGN * line_roots<A * A>::sine(b * f));
                w[f][b] = b * f == 0 ? part[f]
                          : A == 4 && b * f == 4
                              ? line_turned<SIGN, T>(part[f])
                              : line_times<T>(part[f], enuf_make_complex<T>(c, s));
            }
        }
#pragma unroll
        for (int f = 0; f < A; f++) {
            line_butterfly<A, SIGN, T>::run(w[f]);
#pragma unroll
            for (int g = 0; g < A; g++) v[f + A * g] = w[f][g];
        }
    }
};

/* R = A B, coprime: number (B a + A b) mod R; frequency f mod A and g mod B. */
template <int A, int B, int SIGN, class T> struct line_coprime {
    /* the frequency that is f mod A and g mod B */
    static constexpr __device__ int frequency(int f, int g)
    {
        for (int k = f; k < A * B; k += A)
            if (k % B == g) return k;
        return 0;
    }
    static __device__ __forceinline__ void run(enuf_complex<T> v[A * B])
    {
        enuf_complex<T> w[A][B]; /* [f][b] */
#pragma unroll
        for (int b = 0; b < B; b++) {
            enuf_complex<T> part[A];
#pragma unroll
            for (int a = 0; a < A; a++) part[a] = v[(B * a + A * b) % (A * B)];
            line_butterfly<A, SIGN, T>::run(part);
#pragma unroll
            for (int f = 0; f < A; f++) w[f][b] = part[f];
        }
#pragma unroll
        for (int f = 0; f < A; f++) {
            line_butterfly<B, SIGN, T>::run(w[f]);
#pragma unroll
            for (int g = 0; g < B; g++) v[frequency(f, g)] = w[f][g];
        }
    }
};

template <int SIGN, class T> struct line_butterfly<6, SIGN, T> : line_coprime<2, 3, SIGN, T> {
};
template <int SIGN, class T> struct line_butterfly<9, SIGN, T> : line_square<3, SIGN, T> {
};
template <int SIGN, class T> struct line_butterfly<10, SIGN, T> : line_coprime<2, 5, SIGN, T> {
};
template <int SIGN, class T> struct line_butterfly<12, SIGN, T> : line_coprime<3, 4, SIGN, T> {
};
template <int SIGN, class T> struct line_butterfly<14, SIGN, T> : line_coprime<2, 7, SIGN, T> {
};
template <int SIGN, class T> struct line_butterfly<15, SIGN, T> : line_coprime<3, 5, SIGN, T> {
};
template <int SIGN, class T> struct line_butterfly<16, SIGN, T> : line_square<4, SIGN, T> {
};

/** Registers to every step-th cell. */
template <int R, class T>
static __device__ __forceinline__ void line_put(enuf_complex<T> *cells, int64_t step,
                                                const enuf_complex<T> v[R])
{
#pragma unroll
    for (int q = 0; q < R; q++) cells[q * step] = v[q];
}

/** Every step-th number to registers. */
template <int R, class T>
static __device__ __forceinline__ void line_get(const enuf_complex<T> *numbers, int64_t step,
                                                enuf_complex<T> v[R])
{
#pragma unroll
    for (int q = 0; q < R; q++) v[q] = numbers[q * step];
}

/* Of a switch over radices: body<radix>(arguments). */
#define LINE_RADIX(radix, body, ...)                                                               \
    case radix:                                                                                    \
        body<radix>(__VA_ARGS__);                                                                  \
        break;

#endif
