/*
 * ducc0_kernels.cpp - lines by the one-dimensional FFTs of DUCC0 (Max Planck Society,
 * BSD-3-Clause).
 *
 * A vector holds the same number of several lines, so that a transform of vectors transforms as
 * many lines; DUCC0 vectorizes a line that is alone by itself. DUCC0's headers are in the folder
 * ENUF_DUCC0 of the build, never here.
 * SPDX-License-Identifier: BSD-3-Clause
 */
extern "C" {
#include "ducc0_kernels.h"
}

#define DUCC0_NO_LOWLEVEL_THREADING /* the loops over batches have threads */
#include <ducc0/fft/fft1d_impl.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace ducc0
{
namespace detail_threading
{

/* DUCC0 shares the parts of long lines among threads by this function: here there is one. */
void execStatic(size_t nwork, size_t, size_t, std::function<void(Scheduler &)> func)
{
    class whole : public Scheduler
    {
        Range left;

      public:
        explicit whole(size_t n) : left(0, n)
        {
        }
        size_t num_threads() const override
        {
            return 1;
        }
        size_t thread_num() const override
        {
            return 0;
        }
        Range getNext() override
        {
            const Range next = left;
            left = Range();
            return next;
        }
    };
    whole scheduler(nwork);
    func(scheduler);
}

} // namespace detail_threading
} // namespace ducc0

namespace
{

using ducc0::Cmplx;
using ducc0::detail_fft::pocketfft_c;
using ducc0::detail_fft::pocketfft_r;
using ducc0::detail_simd::element_aligned_tag;
using ducc0::detail_simd::native_simd;

class transform
{
  public:
    virtual ~transform() = default;
    virtual int64_t scratch_bytes() const = 0;
    virtual void execute(const void *in, void *out, void *scratch) const = 0;
    virtual void spoil(void *out) const = 0; /* makes all numbers NaN */
};

/* Lines that are transformed together: as many as V has lanes, or one. */
template <typename T, typename V> struct vector_of {
    static constexpr int64_t lanes = sizeof(V) / sizeof(T);
    static V load(const T *from)
    {
        return V(from, element_aligned_tag());
    }
    static void store(V x, T *to)
    {
        x.copy_to(to, element_aligned_tag());
    }
};

template <typename T> struct vector_of<T, T> {
    static constexpr int64_t lanes = 1;
    static T load(const T *from)
    {
        return *from;
    }
    static void store(T x, T *to)
    {
        *to = x;
    }
};

/* Number i of `lines` lines becomes a vector; lanes without a line get zeros. */
template <typename T, typename V>
inline Cmplx<V> load(const Cmplx<T> *from, int64_t lines, int64_t distance)
{
    T re[vector_of<T, V>::lanes] = {}, im[vector_of<T, V>::lanes] = {};
    for (int64_t j = 0; j < lines; j++) {
        re[j] = from[j * distance].r;
        im[j] = from[j * distance].i;
    }
    return {vector_of<T, V>::load(re), vector_of<T, V>::load(im)};
}

template <typename T, typename V>
inline void store(const Cmplx<V> &x, Cmplx<T> *to, int64_t lines, int64_t distance)
{
    T re[vector_of<T, V>::lanes], im[vector_of<T, V>::lanes];
    vector_of<T, V>::store(x.r, re);
    vector_of<T, V>::store(x.i, im);
    for (int64_t j = 0; j < lines; j++) to[j * distance] = {re[j], im[j]};
}

template <typename T, typename V> inline V load(const T *from, int64_t lines, int64_t distance)
{
    T x[vector_of<T, V>::lanes] = {};
    for (int64_t j = 0; j < lines; j++) x[j] = from[j * distance];
    return vector_of<T, V>::load(x);
}

template <typename T, typename V> inline void store(V v, T *to, int64_t lines, int64_t distance)
{
    T x[vector_of<T, V>::lanes];
    vector_of<T, V>::store(v, x);
    for (int64_t j = 0; j < lines; j++) to[j * distance] = x[j];
}

/* Calls body(lines, distance) with constants where they matter: all lanes, side by side. */
template <int64_t LANES, typename Body>
inline void with_lanes(int64_t lines, int64_t distance, const Body &body)
{
    if (lines == LANES && distance == 1)
        body(std::integral_constant<int64_t, LANES>(), std::integral_constant<int64_t, 1>());
    else if (lines == LANES)
        body(std::integral_constant<int64_t, LANES>(), distance);
    else
        body(lines, distance);
}

template <typename T> class lines_of : public transform
{
  protected:
    enuf_fft_batch b;

    explicit lines_of(const enuf_fft_batch &batch) : b(batch)
    {
    }

    void spoil(void *out) const override
    {
        const int64_t parts = b.kind == ENUF_FFT_INTO_REAL ? 1 : 2;
        const int64_t numbers = b.kind == ENUF_FFT_OF_REAL ? b.n / 2 + 1 : b.n;
        for (int64_t line = 0; line < b.lines; line++)
            for (int64_t k = 0; k < numbers; k++)
                for (int64_t c = 0; c < parts; c++)
                    static_cast<T *>(out)[(line * b.out_distance + k * b.out_stride) * parts + c] =
                        std::numeric_limits<T>::quiet_NaN();
    }

    /* Of a real number in scratch. */
    size_t number_bytes() const
    {
        return b.lines == 1 ? sizeof(T) : sizeof(native_simd<T>);
    }

    /* Groups of lines: as many as a vector has lanes; the last group may have fewer. */
    template <typename Group> void each_group(const Group &group) const
    {
        constexpr int64_t lanes = vector_of<T, native_simd<T>>::lanes;
        for (int64_t first = 0; first < b.lines; first += lanes) {
            const int64_t lines = std::min(lanes, b.lines - first);
            if (lines == 1)
                group(T(), first, lines);
            else
                group(native_simd<T>(), first, lines);
        }
    }
};

/* Numbers of lines side by side lie in rows far from each other, which the processor does not
 * foresee: they are fetched so many numbers ahead. 2D, columns of 1800 numbers, 1300 of them:
 * transforms of type 3 take 1.5 % less time (Xeon, Sapphire Rapids class, November 2026). */
constexpr int64_t AHEAD = 16;

/* The first and the last of the numbers of `lines` lines: a vector's numbers have two lines of the
 * cache. */
template <typename T> inline void fetch(const Cmplx<T> *from, int64_t lines, int64_t distance)
{
    __builtin_prefetch(from);
    __builtin_prefetch(from + (lines - 1) * distance);
}

template <typename T> class complex_lines : public lines_of<T>
{
    using lines_of<T>::b;
    pocketfft_c<T> plan;

    template <typename V>
    void group(const Cmplx<T> *in, Cmplx<T> *out, int64_t lines, Cmplx<V> *numbers) const
    {
        constexpr int64_t lanes = vector_of<T, V>::lanes;
        with_lanes<lanes>(lines, b.in_distance, [&](auto n, auto distance) {
            for (int64_t i = 0; i < b.n; i++) {
                fetch(in + std::min(i + AHEAD, b.n - 1) * b.in_stride, n, distance);
                numbers[i] = load<T, V>(in + i * b.in_stride, n, distance);
            }
        });
        const Cmplx<V> *result = plan.exec(numbers, numbers + b.n, T(1), b.sign < 0);
        with_lanes<lanes>(lines, b.out_distance, [&](auto n, auto distance) {
            for (int64_t i = 0; i < b.n; i++)
                store<T, V>(result[i], out + i * b.out_stride, n, distance);
        });
    }

  public:
    explicit complex_lines(const enuf_fft_batch &batch)
        : lines_of<T>(batch), plan(static_cast<size_t>(batch.n), batch.lines == 1)
    {
    }

    int64_t scratch_bytes() const override
    {
        const size_t numbers = static_cast<size_t>(b.n) + plan.bufsize();
        return static_cast<int64_t>(numbers * 2 * this->number_bytes());
    }

    void execute(const void *in, void *out, void *scratch) const override
    {
        const auto *from = static_cast<const Cmplx<T> *>(in);
        auto *to = static_cast<Cmplx<T> *>(out);
        if (b.lines == 1 && b.in_stride == 1 && in == out) {
            plan.exec_copyback(to, static_cast<Cmplx<T> *>(scratch), T(1), b.sign < 0);
            return;
        }
        this->each_group([&](auto lane, int64_t first, int64_t lines) {
            group(from + first * b.in_distance, to + first * b.out_distance, lines,
                  static_cast<Cmplx<decltype(lane)> *>(scratch));
        });
    }
};

/* DUCC0 stores the transform of a real line as X(0), Re X(1), Im X(1), Re X(2), ... */
template <typename T> class real_lines : public lines_of<T>
{
    using lines_of<T>::b;
    pocketfft_r<T> plan;

    template <typename V> void forward(const T *in, Cmplx<T> *out, int64_t lines, V *numbers) const
    {
        constexpr int64_t lanes = vector_of<T, V>::lanes;
        with_lanes<lanes>(lines, b.in_distance, [&](auto n, auto distance) {
            for (int64_t i = 0; i < b.n; i++)
                numbers[i] = load<T, V>(in + i * b.in_stride, n, distance);
        });
        const V *x = plan.exec(numbers, numbers + b.n, T(1), true);
        with_lanes<lanes>(lines, b.out_distance, [&](auto n, auto distance) {
            store<T, V>(Cmplx<V>(x[0], V(0)), out, n, distance);
            for (int64_t k = 1; 2 * k <= b.n; k++)
                store<T, V>(Cmplx<V>(x[2 * k - 1], 2 * k < b.n ? x[2 * k] : V(0)),
                            out + k * b.out_stride, n, distance);
        });
    }

    template <typename V> void backward(const Cmplx<T> *in, T *out, int64_t lines, V *numbers) const
    {
        constexpr int64_t lanes = vector_of<T, V>::lanes;
        with_lanes<lanes>(lines, b.in_distance, [&](auto n, auto distance) {
            numbers[0] = load<T, V>(in, n, distance).r;
            for (int64_t k = 1; 2 * k <= b.n; k++) {
                const Cmplx<V> x = load<T, V>(in + k * b.in_stride, n, distance);
                numbers[2 * k - 1] = x.r;
                if (2 * k < b.n) numbers[2 * k] = x.i;
            }
        });
        const V *x = plan.exec(numbers, numbers + b.n, T(1), false);
        with_lanes<lanes>(lines, b.out_distance, [&](auto n, auto distance) {
            for (int64_t i = 0; i < b.n; i++)
                store<T, V>(x[i], out + i * b.out_stride, n, distance);
        });
    }

  public:
    explicit real_lines(const enuf_fft_batch &batch)
        : lines_of<T>(batch), plan(static_cast<size_t>(batch.n), batch.lines == 1)
    {
    }

    int64_t scratch_bytes() const override
    {
        const size_t numbers = static_cast<size_t>(b.n) + plan.bufsize();
        return static_cast<int64_t>(numbers * this->number_bytes());
    }

    void execute(const void *in, void *out, void *scratch) const override
    {
        this->each_group([&](auto lane, int64_t first, int64_t lines) {
            auto *numbers = static_cast<decltype(lane) *>(scratch);
            if (b.kind == ENUF_FFT_OF_REAL)
                forward(static_cast<const T *>(in) + first * b.in_distance,
                        static_cast<Cmplx<T> *>(out) + first * b.out_distance, lines, numbers);
            else
                backward(static_cast<const Cmplx<T> *>(in) + first * b.in_distance,
                         static_cast<T *>(out) + first * b.out_distance, lines, numbers);
        });
    }
};

template <typename T> std::unique_ptr<transform> make_of(const enuf_fft_batch &batch)
{
    if (batch.kind == ENUF_FFT_COMPLEX) return std::make_unique<complex_lines<T>>(batch);
    return std::make_unique<real_lines<T>>(batch);
}

void *make(const enuf_fft_batch *batch, int single, int64_t *scratch_bytes)
{
    try {
        auto made = single ? make_of<float>(*batch) : make_of<double>(*batch);
        *scratch_bytes = made->scratch_bytes();
        return made.release();
    } catch (...) {
        return nullptr;
    }
}

int execute(const void *plan, const void *in, void *out, void *scratch)
{
    const auto *made = static_cast<const transform *>(plan);
    try {
        made->execute(in, out, scratch);
        return 1;
    } catch (...) { /* DUCC0 allocates scratch of its own for lines of more than 10,000 numbers */
        made->spoil(out);
        return 0;
    }
}

void destroy(void *plan)
{
    delete static_cast<transform *>(plan);
}

} // namespace

const enuf_ducc0_kernels ENUF_OF_SET(enuf_ducc0_kernels) = {make, execute, destroy};
